import Glibc
import Neatline

/// A server of the tiles of an archive over HTTP/1.1, which answers each request after 100 ms. It runs as a process
/// of its own, so that its work is not among the figures: this program with `--tiles ARCHIVE`, which tells its
/// address on standard output and ends with its standard input.
enum LateTileServer {
  private static let microseconds: UInt32 = 100_000

  /// Begins the server; its address.
  static func begin(_ archive: String) throws -> String {
    let (input, output) = (try Platform.pipe(), try Platform.pipe())
    // The end that stays open here, and in nobody else, is what the server waits for.
    _ = fcntl(input.write, F_SETFD, FD_CLOEXEC)
    try Platform.begin(Platform.ownPath, ["--tiles", archive], input: input.read, output: output.write)
    close(input.read)
    close(output.write)
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = read(output.read, &bytes, bytes.count)
    guard count > 1 else { throw BenchError("\(archive): the server did not start") }
    return String(decoding: bytes[..<(count - 1)], as: UTF8.self)
  }

  /// Serves until standard input ends.
  static func run(_ path: String) throws -> Never {
    signal(SIGPIPE, SIG_IGN)
    let archive = try Archive(path: path)
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let status = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, size) | listen(listener, 64) | getsockname(listener, $0, &size)
      }
    }
    guard status == 0 else { throw BenchError("no port: \(String(cString: strerror(errno)))") }
    let url = "http://127.0.0.1:\(UInt16(bigEndian: address.sin_port))/"
    let tileJSON = try description(archive, url)
    _ = Threads.begin {
      while true {
        let client = accept(listener, nil, nil)
        guard client >= 0 else { continue }
        _ = Threads.begin {
          pthread_detach(pthread_self())
          defer { close(client) }
          try serve(client, archive, tileJSON)
        }
      }
    }
    let line = Array("\(url)\n".utf8)
    _ = write(1, line, line.count)
    var byte: UInt8 = 0
    while read(0, &byte, 1) > 0 {}
    exit(0)
  }

  private static func description(_ archive: Archive, _ url: String) throws -> [UInt8] {
    let info = try archive.info
    let description: JSONValue = [
      "tilejson": "3.0.0", "tiles": [.string(url + "{z}/{x}/{y}")],
      "minzoom": .number(info["minzoom"]?.number ?? 0), "maxzoom": .number(info["maxzoom"]?.number ?? 14),
    ]
    return Array(description.text.utf8)
  }

  /// Answers the requests of one connection, one after the other.
  private static func serve(_ client: Int32, _ archive: Archive, _ tileJSON: [UInt8]) throws {
    var (head, part) = ([UInt8](), [UInt8](repeating: 0, count: 4096))
    while true {
      while !head.ends(with: "\r\n\r\n".utf8) {
        let count = read(client, &part, part.count)
        guard count > 0, head.count < 1 << 16 else { return }
        head += part[..<count]
      }
      let words = head.split(separator: UInt8(ascii: " "), maxSplits: 2)
      guard words.count == 3 else { return }
      let body = try body(String(decoding: words[1].dropFirst(), as: UTF8.self), archive, tileJSON)
      head = []
      usleep(microseconds)
      let status = body == nil ? "404 Not Found" : "200 OK"
      let answer = "HTTP/1.1 \(status)\r\nContent-Length: \(body?.count ?? 0)\r\n\r\n"
      guard send(Array(answer.utf8) + (body ?? []), client) else { return }
    }
  }

  private static func body(_ path: String, _ archive: Archive, _ tileJSON: [UInt8]) throws -> [UInt8]? {
    if path == "json" { return tileJSON }
    let numbers = path.split(separator: "/").compactMap { Int($0) }
    guard numbers.count == 3 else { return nil }
    return try archive.tile(z: numbers[0], x: numbers[1], y: numbers[2])
  }

  private static func send(_ bytes: [UInt8], _ client: Int32) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(client, $0.baseAddress, $0.count) }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }
}

extension [UInt8] {
  fileprivate func ends(with end: String.UTF8View) -> Bool { suffix(end.count).elementsEqual(end) }
}
