#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

struct HTTPAnswer {
  var status: Int
  var type: String
  var body: [UInt8]

  static func text(_ status: Int, _ text: String) -> HTTPAnswer {
    HTTPAnswer(status: status, type: "text/plain; charset=utf-8", body: Array(text.utf8))
  }
}

/// A small HTTP/1.1 server for GET and HEAD: a fixed crew of threads, each taking one connection after the other. Meant for a local viewer or to stand behind a
/// proxy. Requests longer than 8 KiB, not complete within 2 seconds or of another method are refused.
final class HTTPServer: @unchecked Sendable {
  private static let requestLimit = 8192
  private static let requestSeconds = 2
  private static let sendSeconds = 10
  private static let crew = 32

  private let socket: Int32
  let address: String
  private var handler: (@Sendable (String) -> HTTPAnswer)?

  init(host: String, port: UInt16) throws {
    let descriptor = makeSocket()
    guard descriptor >= 0 else { throw FileError(path: "\(host):\(port)", reason: String(cString: strerror(errno))) }
    var yes: Int32 = 1
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
    var place = sockaddr_in()
    place.sin_family = sa_family_t(AF_INET)
    place.sin_port = port.bigEndian
    guard inet_pton(AF_INET, host, &place.sin_addr) == 1 else {
      close(descriptor)
      throw UsageError(message: "--host: \"\(host)\" is no IPv4 address")
    }
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &place) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(descriptor, address, length) == 0 && listen(descriptor, 128) == 0 && getsockname(descriptor, address, &length) == 0
      }
    }
    guard isBound else {
      let reason = String(cString: strerror(errno))
      close(descriptor)
      throw FileError(path: "\(host):\(port)", reason: reason)
    }
    socket = descriptor
    address = "\(host):\(UInt16(bigEndian: place.sin_port))"
  }

  /// Serves until the process ends.
  func run(_ handler: @escaping @Sendable (String) -> HTTPAnswer) {
    signal(SIGPIPE, SIG_IGN)
    self.handler = handler
    let context = Unmanaged.passRetained(self).toOpaque()
    for _ in 1..<HTTPServer.crew {
      var thread = pthread_t()
      pthread_create(
        &thread, nil,
        { context in
          if let context { Unmanaged<HTTPServer>.fromOpaque(context).takeUnretainedValue().serve() }
          return nil
        }, context)
      pthread_detach(thread)
    }
    serve()
  }

  private func serve() {
    while true {
      let connection = accept(socket, nil, nil)
      guard connection >= 0 else {
        // Out of descriptors or memory: others have to finish first.
        if errno != EINTR && errno != ECONNABORTED { usleep(10_000) }
        continue
      }
      var patience = timeval(tv_sec: HTTPServer.sendSeconds, tv_usec: 0)
      setsockopt(connection, SOL_SOCKET, SO_SNDTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
      let request = readRequest(connection)
      send(answer(to: request), connection, withBody: !request.hasPrefix("HEAD "))
      close(connection)
    }
  }

  private func readRequest(_ connection: Int32) -> String {
    var request: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 2048)
    let end = Platform.milliseconds + HTTPServer.requestSeconds * 1000
    while request.count < HTTPServer.requestLimit {
      let left = end - Platform.milliseconds
      var wait = pollfd(fd: connection, events: Int16(POLLIN), revents: 0)
      guard left > 0, poll(&wait, 1, Int32(left)) > 0 else { break }
      let count = read(connection, &buffer, buffer.count)
      if count <= 0 { break }
      request += buffer[0..<count]
      if request.suffix(4).elementsEqual([13, 10, 13, 10]) { return String(decoding: request, as: UTF8.self) }
    }
    return ""
  }

  private func answer(to request: String) -> HTTPAnswer {
    let parts = request.prefix { $0 != "\r\n" && $0 != "\n" }.split(separator: " ")
    guard parts.count == 3 else { return .text(400, "not a request\n") }
    guard parts[0] == "GET" || parts[0] == "HEAD" else { return .text(405, "only GET and HEAD\n") }
    let path = String(parts[1].prefix { $0 != "?" })
    return handler?(path) ?? .text(503, "not ready\n")
  }

  private func send(_ answer: HTTPAnswer, _ connection: Int32, withBody: Bool) {
    let reasons = [
      200: "OK", 400: "Bad Request", 404: "Not Found", 405: "Method Not Allowed", 500: "Internal Server Error", 503: "Service Unavailable",
    ]
    let head =
      "HTTP/1.1 \(answer.status) \(reasons[answer.status] ?? "")\r\nContent-Type: \(answer.type)\r\nContent-Length: \(answer.body.count)\r\n"
      + "Access-Control-Allow-Origin: *\r\nConnection: close\r\n\r\n"
    let bytes = Array(head.utf8) + (withBody ? answer.body : [])
    var sent = 0
    bytes.withUnsafeBytes { buffer in
      while sent < buffer.count {
        let count = Platform.write(connection, buffer.baseAddress! + sent, buffer.count - sent)
        if count <= 0 { return }
        sent += count
      }
    }
  }
}

private func makeSocket() -> Int32 {
  #if canImport(Glibc)
    socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
  #else
    socket(AF_INET, SOCK_STREAM, 0)
  #endif
}
