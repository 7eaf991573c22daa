#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// One client's connection: bytes come in, answers go out, nothing waits. Belongs to the server's thread.
final class Connection {
  enum Phase {
    /// Between two requests.
    case idle
    /// A part of a head is there.
    case reading
    /// A picture is being made, or waits for it.
    case waiting(ticket: Int)
    case writing
    /// All is said; what the client still sends is dropped, so that it gets to read the answer.
    case ending
    case closed
  }

  let descriptor: Int32
  let peer: PeerAddress
  private(set) var phase = Phase.idle
  /// When the phase must be over, in milliseconds of the monotonic clock.
  private(set) var deadline: Int
  /// The request that is being answered.
  var request = HTTPRequest()

  private let limits: ServerLimits
  private var input: [UInt8] = []
  private var scan = HTTPRequest.Scan()
  private var head: [UInt8] = []
  private var body: [UInt8] = []
  private var sent = 0
  private var endsAfterAnswer = false
  /// Was told at once that there is no room: it does not count among those that have some.
  var isRefused = false

  init(_ descriptor: Int32, _ peer: PeerAddress, _ limits: ServerLimits, now: Int) {
    self.descriptor = descriptor
    self.peer = peer
    self.limits = limits
    deadline = now + limits.headTime
  }

  deinit { close(descriptor) }

  /// Bytes of the answer that are held for the client.
  var heldBytes: Int { body.count }

  var isClosed: Bool { if case .closed = phase { true } else { false } }

  /// Whether a request is on its way through.
  var isBusy: Bool {
    switch phase {
    case .waiting, .writing: true
    default: false
    }
  }

  var ticket: Int? { if case .waiting(let ticket) = phase { ticket } else { nil } }

  /// What to wait for.
  var events: Int16 {
    switch phase {
    case .idle, .reading, .ending: Int16(POLLIN)
    // Whether the client is still there; with a full buffer nobody looks.
    case .waiting: input.count < HTTPRequest.headLimit ? Int16(POLLIN) : 0
    case .writing: Int16(POLLOUT)
    case .closed: 0
    }
  }

  /// Takes what came. Returns whether the client is still there.
  func receive(now: Int) -> Bool {
    var isOpen = true
    withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 1) { buffer in
      // A few pieces at a time: others have a turn too.
      for _ in 0..<4 {
        let count = recv(descriptor, buffer.baseAddress!, buffer.count, 0)
        if count < 0 && errno == EINTR { continue }
        if count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK) { return }
        guard count > 0 else {
          isOpen = false
          return
        }
        if case .ending = phase { continue }
        input += buffer[..<count]
        if input.count >= HTTPRequest.headLimit { return }
      }
    }
    if case .idle = phase, !input.isEmpty {
      phase = .reading
      deadline = now + limits.headTime
    }
    return isOpen
  }

  /// The next request out of what came, or its refusal; nil where neither is there.
  func nextRequest() -> HTTPRequest.Reading? {
    guard case .reading = phase else { return nil }
    let reading = HTTPRequest.read(input, &scan)
    switch reading {
    case .unfinished: return nil
    case .request(let request, let size):
      input.removeFirst(size)
      scan = HTTPRequest.Scan()
      self.request = request
    case .refused: request = HTTPRequest(keepsAlive: false)
    }
    return reading
  }

  /// Waits for a picture whose turn has to come by `deadline`.
  func wait(for ticket: Int, deadline: Int) {
    phase = .waiting(ticket: ticket)
    self.deadline = deadline
  }

  /// Begins to send an answer. `ends`: the connection is of no use afterwards.
  func answer(_ answer: HTTPAnswer, ends: Bool, now: Int) {
    endsAfterAnswer = ends || !request.keepsAlive
    head = answer.head(keepsAlive: !endsAfterAnswer)
    body = request.isHead ? [] : answer.body
    sent = 0
    phase = .writing
    deadline = now + limits.answerTime
    send(now: now)
  }

  /// Sends as much as the client takes now.
  func send(now: Int) {
    guard case .writing = phase else { return }
    let total = head.count + body.count
    while sent < total {
      let count = head.withUnsafeBytes { head in
        body.withUnsafeBytes { body in
          if sent >= head.count {
            return Platform.write(descriptor, body.baseAddress! + (sent - head.count), total - sent)
          }
          var parts = [
            iovec(
              iov_base: UnsafeMutableRawPointer(mutating: head.baseAddress! + sent),
              iov_len: head.count - sent),
            iovec(iov_base: UnsafeMutableRawPointer(mutating: body.baseAddress), iov_len: body.count),
          ]
          return writev(descriptor, &parts, body.isEmpty ? 1 : 2)
        }
      }
      if count < 0 && errno == EINTR { continue }
      if count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK) { return }
      guard count > 0 else { return end() }
      sent += count
    }
    (head, body) = ([], [])
    if endsAfterAnswer {
      shutdown(descriptor, Int32(SHUT_WR))
      phase = .ending
      deadline = now + 1000
    } else {
      phase = input.isEmpty ? .idle : .reading
      deadline = now + (input.isEmpty ? limits.idleTime : limits.headTime)
    }
  }

  /// Nothing more is said to this client.
  func end() {
    phase = .closed
    (head, body, input) = ([], [], [])
  }
}
