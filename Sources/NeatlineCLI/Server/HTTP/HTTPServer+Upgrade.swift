// Connections that go on as something else than HTTP. The library hands out the socket (of TLS: one end of a pair,
// behind which it packs and unpacks) and closes it when it is told to.
import CMicroHTTPD

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// What a connection goes on as.
final class HTTPUpgrade: Sendable {
  let route: String
  /// Fields of the answer 101.
  let fields: [(name: String, value: String)]
  /// Gets the connection, on the library's thread: it must not wait. Whoever has it ends it.
  let began: @Sendable (UpgradedConnection) -> Void

  init(
    route: String, fields: [(name: String, value: String)],
    began: @escaping @Sendable (UpgradedConnection) -> Void
  ) {
    (self.route, self.fields, self.began) = (route, fields, began)
  }
}

/// A socket that was a connection of HTTP. One thread at a time reads, writes, and at last ends it.
final class UpgradedConnection: @unchecked Sendable {  // handed from thread to thread, never shared
  let descriptor: Int32
  /// What came behind the head of the request, before anything that is read.
  let first: [UInt8]
  let request: HTTPRequest
  private let exchange: Exchange
  private var handle: OpaquePointer?

  init(_ descriptor: Int32, _ first: [UInt8], _ exchange: Exchange, _ handle: OpaquePointer) {
    (self.descriptor, self.first, self.exchange, self.handle) = (descriptor, first, exchange, handle)
    request = exchange.request
  }

  enum Read: Equatable {
    case bytes(Int)
    /// Nothing now.
    case nothing
    /// The other side has gone.
    case end
  }

  /// Reads without waiting.
  func read(_ buffer: UnsafeMutableRawBufferPointer) -> Read {
    while true {
      let count = neat_hear(descriptor, buffer.baseAddress, buffer.count)
      if count > 0 { return .bytes(count) }
      if count == 0 { return .end }
      if errno == EINTR { continue }
      return errno == EAGAIN || errno == EWOULDBLOCK ? .nothing : .end
    }
  }

  /// Writes without waiting. Returns how much the system took; nil where the other side has gone.
  func write(_ bytes: UnsafeRawBufferPointer) -> Int? {
    while true {
      let count = neat_tell(descriptor, bytes.baseAddress, bytes.count)
      if count >= 0 { return count }
      if errno == EINTR { continue }
      return errno == EAGAIN || errno == EWOULDBLOCK ? 0 : nil
    }
  }

  /// Nothing more will be written.
  func endWriting() {
    // unchecked: it fails where the other side has gone.
    shutdown(descriptor, Int32(SHUT_WR))
  }

  /// Closes it. `sent`: bytes, for the log.
  func end(sent: Int) {
    guard let handle else { return }
    self.handle = nil
    exchange.sentBytes = sent
    neat_mhd_end_upgrade(handle)
  }
}

/// The answer 101 is out.
private let upgradeBegan:
  @convention(c) (
    UnsafeMutableRawPointer?, OpaquePointer?, UnsafeMutableRawPointer?, UnsafePointer<CChar>?, Int, Int32,
    OpaquePointer?
  ) -> Void = { _, _, known, extra, count, descriptor, handle in
    guard let known, let handle else { return }
    let exchange = Unmanaged<Exchange>.fromOpaque(known).takeUnretainedValue()
    let first = UnsafeRawBufferPointer(start: extra, count: extra == nil ? 0 : count)
    let connection = UpgradedConnection(descriptor, [UInt8](first), exchange, handle)
    guard let upgrade = exchange.upgrade else { return connection.end(sent: 0) }
    upgrade.began(connection)
  }

extension HTTPServer {
  /// Answers that the connection goes on as something else.
  func upgrade(_ exchange: Exchange, to upgrade: HTTPUpgrade) -> MHD_Result {
    guard let response = neat_mhd_upgrade(upgradeBegan) else { return neat_mhd_no }
    defer { MHD_destroy_response(response) }
    for (name, value) in upgrade.fields {
      guard MHD_add_response_header(response, name, value) == neat_mhd_yes else { return neat_mhd_no }
    }
    exchange.upgrade = upgrade
    exchange.status = 101
    exchange.route = upgrade.route
    lock.locked {
      // The head of the answer is a few bytes: they are taken by the system at once, or the client has gone.
      exchange.client.phase = .upgraded
      exchange.client.deadline = .max
      counts.answered += 1
    }
    return MHD_queue_response(exchange.connection, 101, response)
  }
}
