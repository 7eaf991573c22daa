/// The head of a request, read out of the bytes that came so far.
struct HTTPRequest {
  var isHead = false
  /// Percent-decoded, without the query.
  var path = ""
  /// Percent-decoded, in the order of the address.
  var query: [(name: String, value: String)] = []
  /// Whether the client wants the connection for more requests.
  var keepsAlive = true

  enum Reading {
    /// More bytes are needed.
    case unfinished
    /// A request, and how many bytes its head has.
    case request(HTTPRequest, size: Int)
    /// What is not answered otherwise; the connection ends with it.
    case refused(HTTPAnswer)
  }

  /// Bytes of the first line, and of the whole head, at most.
  static let lineLimit = 8192
  static let headLimit = 16384

  /// Where a head begins and ends, as far as its bytes came. Every byte is looked at once, however small the
  /// pieces are.
  struct Scan {
    private var next = 0
    /// The first byte of the request, and the break behind its first line.
    fileprivate private(set) var start: Int?
    fileprivate private(set) var lineEnd: Int?
    private var isEmptyLine = false

    /// The index behind the empty line that ends the head. `bytes`: those of the last call, and more.
    fileprivate mutating func end(in bytes: [UInt8]) -> Int? {
      while next < bytes.count {
        defer { next += 1 }
        switch bytes[next] {
        case 10:
          // A line break before the request, as some clients leave one behind their last.
          if start == nil { continue }
          if isEmptyLine { return next + 1 }
          if lineEnd == nil { lineEnd = next }
          isEmptyLine = true
        case 13: continue
        default:
          if start == nil { start = next }
          isEmptyLine = false
        }
      }
      return nil
    }
  }

  /// Reads what came. `scan` is of the bytes before; a new one for each request.
  static func read(_ bytes: [UInt8], _ scan: inout Scan) -> Reading {
    let found = scan.end(in: bytes)
    let start = scan.start ?? bytes.count
    guard let end = found else {
      let lineEnd = scan.lineEnd ?? bytes.count
      if lineEnd - start > lineLimit {
        return .refused(.text(414, "the address is longer than \(lineLimit) bytes\n"))
      }
      if bytes.count >= headLimit { return .refused(tooLong) }
      return .unfinished
    }
    guard end <= headLimit else { return .refused(tooLong) }
    var lines = bytes[start..<end].split(separator: 10, omittingEmptySubsequences: false).map {
      $0.last == 13 ? $0.dropLast() : $0
    }
    while lines.last?.isEmpty == true { lines.removeLast() }
    guard let first = lines.first else { return .refused(.text(400, "no request\n")) }
    guard first.count <= lineLimit else {
      return .refused(.text(414, "the address is longer than \(lineLimit) bytes\n"))
    }
    guard bytes[start..<end].allSatisfy({ $0 >= 32 && $0 != 127 || $0 == 9 || $0 == 10 || $0 == 13 }) else {
      return .refused(.text(400, "a control character in the request\n"))
    }
    var request = HTTPRequest()
    if let answer = request.take(line: first) { return .refused(answer) }
    if let answer = request.take(fields: lines.dropFirst(), isOld: first.last == UInt8(ascii: "0")) {
      return .refused(answer)
    }
    return .request(request, size: end)
  }

  private static let tooLong = HTTPAnswer.text(
    431, "the head of the request is longer than \(headLimit) bytes\n")

  private mutating func take(line: ArraySlice<UInt8>) -> HTTPAnswer? {
    let words = line.split(separator: 32, omittingEmptySubsequences: false)
    guard words.count == 3, words[2].starts(with: "HTTP/".utf8) else {
      return .text(400, "not a request of HTTP\n")
    }
    guard words[2].elementsEqual("HTTP/1.1".utf8) || words[2].elementsEqual("HTTP/1.0".utf8) else {
      return .text(505, "HTTP/1.0 and HTTP/1.1 only\n")
    }
    guard words[0].elementsEqual("GET".utf8) || words[0].elementsEqual("HEAD".utf8) else {
      var answer = HTTPAnswer.text(405, "only GET and HEAD\n")
      answer.headers.append(("Allow", "GET, HEAD"))
      return answer
    }
    isHead = words[0].first == UInt8(ascii: "H")
    keepsAlive = words[2].last == UInt8(ascii: "1")
    var target = words[1]
    if !target.starts(with: "/".utf8) {
      // The form that is meant for proxies: scheme and host before the path.
      guard target.starts(with: "http://".utf8) else {
        return .text(400, "the address does not begin with /\n")
      }
      target = target.dropFirst(7).drop { $0 != UInt8(ascii: "/") }
      if target.isEmpty { target = ArraySlice("/".utf8) }
    }
    let parts = target.split(separator: UInt8(ascii: "?"), maxSplits: 1, omittingEmptySubsequences: false)
    guard let path = HTTPRequest.decoded(parts[0], plusIsSpace: false) else {
      return .text(400, "the address is no UTF-8 in %XX\n")
    }
    self.path = path
    guard parts.count == 2 else { return nil }
    for pair in parts[1].split(separator: UInt8(ascii: "&")) {
      let sides = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = HTTPRequest.decoded(sides[0], plusIsSpace: true),
        let value = sides.count == 2 ? HTTPRequest.decoded(sides[1], plusIsSpace: true) : ""
      else { return .text(400, "the query is no UTF-8 in %XX\n") }
      query.append((name, value))
    }
    return nil
  }

  private mutating func take(fields: ArraySlice<ArraySlice<UInt8>>, isOld: Bool) -> HTTPAnswer? {
    var hosts = 0
    for field in fields {
      guard let colon = field.firstIndex(of: UInt8(ascii: ":")), colon > field.startIndex,
        field[..<colon].allSatisfy(HTTPRequest.isNameByte)
      else { return .text(400, "a line of the head is no field\n") }
      let value = String(decoding: field[(colon + 1)...], as: UTF8.self).lowercased()
      switch String(decoding: field[..<colon], as: UTF8.self).lowercased() {
      case "host": hosts += 1
      case "connection":
        for word in value.split(whereSeparator: { $0 == "," || $0 == " " || $0 == "\t" }) {
          if word == "close" { keepsAlive = false }
          if word == "keep-alive", isOld { keepsAlive = true }
        }
      case "content-length":
        guard value.allSatisfy({ $0 == "0" || $0 == " " || $0 == "\t" }) else {
          return .text(400, "a request with a body\n")
        }
      case "transfer-encoding": return .text(400, "a request with a body\n")
      default: break
      }
    }
    return hosts == 1 || isOld && hosts == 0 ? nil : .text(400, "a request needs one Host\n")
  }

  /// The bytes of a field's name ("token" in RFC 9110).
  private static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
  }

  /// Text behind `%XX`; nil where a `%` is followed by something else, or the bytes are no UTF-8 or hold a
  /// NUL.
  private static func decoded(_ bytes: ArraySlice<UInt8>, plusIsSpace: Bool) -> String? {
    var result: [UInt8] = []
    var index = bytes.startIndex
    while index < bytes.endIndex {
      let byte = bytes[index]
      if byte == UInt8(ascii: "%") {
        guard index + 2 < bytes.endIndex, let high = digit(bytes[index + 1]),
          let low = digit(bytes[index + 2])
        else { return nil }
        result.append(high << 4 | low)
        index += 3
      } else {
        result.append(plusIsSpace && byte == UInt8(ascii: "+") ? 32 : byte)
        index += 1
      }
    }
    return result.contains(0) ? nil : String(validating: result, as: UTF8.self)
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
