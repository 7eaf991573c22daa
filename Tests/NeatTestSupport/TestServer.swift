import NeatBase
import Synchronization

/// A small HTTP server on a loopback port that is told how to answer, and counts what it is asked: a thread that
/// accepts, a thread a connection, one request each. `TestServer+Replies.swift` has answers for common cases.
package final class TestServer: @unchecked Sendable {
  package struct Request: Sendable {
    package var method = "GET"
    package var path: String
    package var headers: [String: String]
    package var body: [UInt8] = []
    /// How many requests for this path came before.
    package var earlier: Int
  }

  package enum Reply: Sendable {
    /// HEAD gets the same without the body.
    case status(Int, [String: String] = [:], [UInt8] = [])
    /// Claims `length` bytes, sends others (fewer: a cut; more: what nobody asked for), closes.
    case truncated(length: Int, [UInt8])
    /// Sends `size` bytes of the body every `ms` milliseconds.
    case drip(size: Int, ms: Int, [UInt8])
    /// These bytes, whatever they are, from the status line on.
    case raw([UInt8])
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
  private let asked = Mutex<[Request]>([])
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
  /// All requests so far, in the order in which they were read.
  package var requests: [Request] { asked.withLock { $0 } }
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
    guard let request = read(descriptor) else { return }
    let isHead = request.method == "HEAD"
    switch answer(request) {
    case .status(let status, let headers, let body):
      reply(descriptor, status, headers, isHead ? [] : body, body.count)
    case .truncated(let length, let body): reply(descriptor, 200, [:], body, length)
    case .late(let ms, let status, let body):
      pause(ms)
      reply(descriptor, status, [:], isHead ? [] : body, body.count)
    case .drip(let size, let ms, let body):
      guard send(descriptor, TestServer.head(200, [:], body.count)) else { return }
      for start in stride(from: 0, to: body.count, by: size) {
        pause(ms)
        let part = Array(body[start..<min(start + size, body.count)])
        guard !isStopping.load(ordering: .acquiring), send(descriptor, part) else { return }
      }
    case .raw(let bytes): _ = send(descriptor, bytes)
    case .hangUp: break
    case .silence: pause(60_000)
    }
  }

  /// The request with its body; nil where the connection ends before.
  private func read(_ descriptor: Int32) -> Request? {
    var text: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4096)
    func more() -> Bool {
      let count = recv(descriptor, &chunk, chunk.count, 0)
      if count > 0 { text += chunk[..<count] }
      return count > 0
    }
    var end: Int?
    while end == nil {
      guard more() else { return nil }
      end = (0..<max(text.count - 3, 0)).first { text[$0..<$0 + 4].elementsEqual("\r\n\r\n".utf8) }
    }
    let bodyStart = end! + 4
    var lines = String(decoding: text[..<end!], as: UTF8.self).split(separator: "\r\n")
    let words = lines.removeFirst().split(separator: " ")
    var request = Request(method: String(words[0]), path: String(words[1]), headers: [:], earlier: 0)
    for line in lines {
      guard let colon = line.firstIndex(of: ":") else { continue }
      request.headers[line[..<colon].lowercased()] =
        String(line[line.index(after: colon)...].drop { $0 == " " })
    }
    let length = request.headers["content-length"].flatMap { Int($0) } ?? 0
    while text.count < bodyStart + length { guard more() else { return nil } }
    request.body = Array(text[bodyStart..<bodyStart + length])
    request.earlier = counts.withLock { counts in
      defer { counts[request.path, default: 0] += 1 }
      return counts[request.path] ?? 0
    }
    let done = request
    asked.withLock { $0.append(done) }
    return request
  }

  private func pause(_ ms: Int) {
    var left = ms
    while left > 0 && !isStopping.load(ordering: .acquiring) {
      usleep(5000)
      left -= 5
    }
  }

  private static func head(_ status: Int, _ headers: [String: String], _ length: Int) -> [UInt8] {
    var head = "HTTP/1.1 \(status) X\r\nConnection: close\r\n"
    if status != 204 && status != 304 { head += "Content-Length: \(length)\r\n" }
    for (name, value) in headers { head += "\(name): \(value)\r\n" }
    return Array((head + "\r\n").utf8)
  }

  private func reply(
    _ descriptor: Int32, _ status: Int, _ headers: [String: String], _ body: [UInt8], _ length: Int
  ) {
    guard send(descriptor, TestServer.head(status, headers, length) + body) else { return }
    shutdown(descriptor, Int32(SHUT_WR))
  }

  /// False where the other side is gone.
  private func send(_ descriptor: Int32, _ bytes: [UInt8]) -> Bool {
    var sent = 0
    while sent < bytes.count {
      let count = bytes.withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress! + sent, bytes.count - sent, Int32(MSG_NOSIGNAL))
      }
      if count <= 0 { return false }
      sent += count
    }
    return true
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
