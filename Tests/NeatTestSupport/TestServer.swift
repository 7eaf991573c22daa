import NeatBase
import Synchronization

/// A small HTTP server on a loopback port: a thread that accepts, a thread a connection, one request each.
package final class TestServer: @unchecked Sendable {
  package struct Request: Sendable {
    package var path: String
    package var headers: [String: String]
    /// How many requests for this path came before.
    package var earlier: Int
  }

  package enum Reply: Sendable {
    case status(Int, [String: String] = [:], [UInt8] = [])
    /// Claims `length` bytes, sends fewer, closes.
    case truncated(length: Int, [UInt8])
    /// Waits, then replies.
    case late(ms: Int, status: Int, [UInt8])
    /// Closes without a word.
    case hangUp
    /// Says nothing until the server stops.
    case silence
  }

  package let port: UInt16
  private let listener: Int32
  private let answer: @Sendable (Request) -> Reply
  private var thread = pthread_t()
  private let counts = Mutex<[String: Int]>([:])
  private let isStopping = Atomic<Bool>(false)
  private let open = Atomic<Int>(0)
  private let most = Mutex(0)

  package init(_ answer: @escaping @Sendable (Request) -> Reply) {
    self.answer = answer
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { _ = bind(listener, $0, size) }
    }
    listen(listener, 128)
    withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { _ = getsockname(listener, $0, &size) }
    }
    self.listener = listener
    port = UInt16(bigEndian: address.sin_port)
    let context = Unmanaged.passUnretained(self).toOpaque()
    pthread_create(
      &thread, nil,
      { context in
        Unmanaged<TestServer>.fromOpaque(context!).takeUnretainedValue().accept()
        return nil
      }, context)
  }

  package func url(_ path: String) -> String { "http://127.0.0.1:\(port)\(path)" }
  package func count(_ path: String) -> Int { counts.withLock { $0[path] ?? 0 } }
  /// Requests for all paths that a test is true for.
  package func countOfPaths(_ isCounted: (String) -> Bool) -> Int {
    counts.withLock { $0.filter { isCounted($0.key) }.values.reduce(0, +) }
  }
  /// The most connections that were open at once.
  package var mostOpen: Int { most.withLock { $0 } }

  package func stop() {
    isStopping.store(true, ordering: .releasing)
    shutdown(listener, Int32(SHUT_RDWR))
    pthread_join(thread, nil)
    close(listener)
    while open.load(ordering: .acquiring) > 0 { usleep(1000) }
  }

  private final class Connection {
    let server: TestServer
    let descriptor: Int32
    init(_ server: TestServer, _ descriptor: Int32) {
      self.server = server
      self.descriptor = descriptor
    }
  }

  private func accept() {
    while !isStopping.load(ordering: .acquiring) {
      let descriptor = Glibc.accept(listener, nil, nil)
      if descriptor < 0 { continue }
      let now = open.wrappingAdd(1, ordering: .acquiringAndReleasing).newValue
      most.withLock { $0 = max($0, now) }
      var thread = pthread_t()
      let context = Unmanaged.passRetained(Connection(self, descriptor)).toOpaque()
      pthread_create(
        &thread, nil,
        { context in
          let connection = Unmanaged<Connection>.fromOpaque(context!).takeRetainedValue()
          connection.server.serve(connection.descriptor)
          close(connection.descriptor)
          connection.server.open.wrappingSubtract(1, ordering: .acquiringAndReleasing)
          return nil
        }, context)
      pthread_detach(thread)
    }
  }

  private func serve(_ descriptor: Int32) {
    var text: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4096)
    while !text.suffix(4).elementsEqual("\r\n\r\n".utf8) {
      let count = recv(descriptor, &chunk, chunk.count, 0)
      if count <= 0 { return }
      text += chunk[..<count]
    }
    var lines = String(decoding: text, as: UTF8.self).split(separator: "\r\n")
    let path = String(lines.removeFirst().split(separator: " ")[1])
    var headers: [String: String] = [:]
    for line in lines {
      guard let colon = line.firstIndex(of: ":") else { continue }
      headers[line[..<colon].lowercased()] = String(line[line.index(after: colon)...].drop { $0 == " " })
    }
    let earlier = counts.withLock { counts in
      defer { counts[path, default: 0] += 1 }
      return counts[path] ?? 0
    }
    switch answer(Request(path: path, headers: headers, earlier: earlier)) {
    case .status(let status, let headers, let body): reply(descriptor, status, headers, body, body.count)
    case .truncated(let length, let body): reply(descriptor, 200, [:], body, length)
    case .late(let ms, let status, let body):
      pause(ms)
      reply(descriptor, status, [:], body, body.count)
    case .hangUp: break
    case .silence: pause(60_000)
    }
  }

  private func pause(_ ms: Int) {
    var left = ms
    while left > 0 && !isStopping.load(ordering: .acquiring) {
      usleep(5000)
      left -= 5
    }
  }

  private func reply(
    _ descriptor: Int32, _ status: Int, _ headers: [String: String], _ body: [UInt8], _ length: Int
  ) {
    var head = "HTTP/1.1 \(status) X\r\nConnection: close\r\n"
    if status != 204 && status != 304 { head += "Content-Length: \(length)\r\n" }
    for (name, value) in headers { head += "\(name): \(value)\r\n" }
    let bytes = Array((head + "\r\n").utf8) + body
    var sent = 0
    while sent < bytes.count {
      let count = bytes.withUnsafeBytes {
        send(descriptor, $0.baseAddress! + sent, bytes.count - sent, Int32(MSG_NOSIGNAL))
      }
      if count <= 0 { return }
      sent += count
    }
    shutdown(descriptor, Int32(SHUT_WR))
  }

  /// The part of a body that a Range header asks for.
  package static func part(_ request: Request, of body: [UInt8]) -> Reply {
    guard let range = request.headers["range"], range.hasPrefix("bytes=") else {
      return .status(200, [:], body)
    }
    let numbers = range.dropFirst(6).split(separator: "-").compactMap { Int($0) }
    guard numbers.count == 2, numbers[0] < body.count else { return .status(416) }
    let end = min(numbers[1] + 1, body.count)
    return .status(
      206, ["Content-Range": "bytes \(numbers[0])-\(end - 1)/\(body.count)"], Array(body[numbers[0]..<end]))
  }
}
