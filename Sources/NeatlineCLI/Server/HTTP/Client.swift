/// One client's connection, as far as the server keeps books on it. What changes is under the server's lock.
final class Client: @unchecked Sendable {
  enum Phase {
    /// Between two requests, or at the beginning.
    case idle
    /// A part of a head is there.
    case reading
    /// An answer is being made.
    case waiting
    /// An answer is under way.
    case answering
    /// It goes on as something else than HTTP.
    case upgraded
  }

  let descriptor: Int32
  let peer: PeerAddress
  let isEncrypted: Bool
  /// Whether it is a proxy whose word on host and scheme counts.
  let isTrusted: Bool
  /// This machine's end of the connection.
  let local: NetworkAddress?
  var phase = Phase.idle
  /// When the phase must be over, in milliseconds of the monotonic clock.
  var deadline: Int
  /// Bytes that had come when the phase began.
  var received: UInt64 = 0
  var requests = 0
  /// Was told at once that there is no room: it does not count among those that have some.
  var isRefused = false
  /// Was told to go; the library closes it in its own time.
  var isOver = false

  init(_ descriptor: Int32, _ peer: PeerAddress, isEncrypted: Bool, isTrusted: Bool, deadline: Int) {
    self.descriptor = descriptor
    self.peer = peer
    self.isEncrypted = isEncrypted
    self.isTrusted = isTrusted
    self.deadline = deadline
    local = NetworkAddress(localEndOf: descriptor)
  }

  var isBusy: Bool { phase != .idle && !isRefused && !isOver }
}

/// A request from its first line to the last byte of its answer. What changes is under the server's lock.
final class Exchange: @unchecked Sendable {
  let address: String
  /// Of the address as it came, up to the first NUL.
  var addressBytes = 0
  /// Fields before those of the client that are the server's own.
  var guards: Int32 = 0
  let connection: OpaquePointer
  let client: Client
  let arrival: Int
  var hasHead = false
  var request = HTTPRequest()
  /// Of the picture that it waits for.
  var ticket: Int?
  /// Which of the drawing's answers is its own.
  var part = 0
  var answer: HTTPAnswer?
  /// What it goes on as.
  var upgrade: HTTPUpgrade?
  /// The client went away while it waited.
  var isGone = false
  /// Bytes of its answer, counted as under way.
  var heldBytes = 0
  var sentBytes = 0
  var status = 0
  var route = "other"

  init(_ address: String, _ connection: OpaquePointer, _ client: Client, now: Int) {
    self.address = address
    self.connection = connection
    self.client = client
    arrival = now
  }
}
