/// A request whose head is whole.
struct HTTPRequest: Sendable {
  /// As it came.
  var method = "GET"
  var isHead: Bool { method == "HEAD" }
  /// Percent-decoded, without the query.
  var path = ""
  /// The path as it came, for the log.
  var target = ""
  /// Percent-decoded, in the order of the address.
  var query: [(name: String, value: String)] = []
  /// `scheme://host` that the client sees, without a slash at the end; empty where it did not say.
  var origin = ""
  /// The host of it.
  var host: HTTPHost?
  /// This machine's end of the connection.
  var local: NetworkAddress?
  /// Scheme and host of a target in the form that is meant for proxies, `http://HOST/PATH`.
  var absolute: (scheme: String, authority: String)?
  /// Fields of the head that matter here, by small names.
  var fields: [String: String] = [:]
  /// Who asks, as text.
  var peer = ""
  var version = "HTTP/1.1"

  /// Bytes of the address, and of the whole head, at most.
  static let addressLimit = 8192
  static let headLimit = 16384
  /// Fields that are read.
  static let fieldNames = [
    "host", "if-none-match", "if-modified-since", "if-range", "range", "accept-encoding", "user-agent",
    "referer", "x-forwarded-proto", "x-forwarded-host",
  ]

  /// Fields of which all values are read, behind each other with commas.
  static let joinedFieldNames = [
    "connection", "upgrade", "origin", "sec-websocket-key", "sec-websocket-version",
  ]
  /// Bytes of one of these at most. A longer one reads as `tooLong`, which is no value that any of them may have.
  static let joinedFieldLimit = 2048
  static let tooLong = "(a value of more than \(joinedFieldLimit) bytes)"

  func value(_ name: String) -> String? { query.first { $0.name == name }?.value }

  /// Whether an answer may be packed with gzip.
  var acceptsGzip: Bool {
    for part in (fields["accept-encoding"] ?? "").lowercased().split(separator: ",") {
      let words = part.split(separator: ";").map { String($0).trimmed }
      guard let name = words.first, name == "gzip" || name == "x-gzip" || name == "*" else { continue }
      // `q=0`: anything but this.
      let weight = words.dropFirst().first { $0.hasPrefix("q=") }.flatMap { Double($0.dropFirst(2)) } ?? 1
      return weight > 0
    }
    return false
  }

  /// The first of a list, as each proxy adds to it; nil where the field is not there.
  func first(_ name: String) -> String? {
    fields[name].map { $0.split(separator: ",", maxSplits: 1).first.map { String($0).trimmed } ?? "" }
  }

  /// Takes an address as it came; says what is wrong with it.
  mutating func take(address: String) -> HTTPAnswer? {
    target = address
    var bytes = ArraySlice(Array(address.utf8))
    guard bytes.count <= HTTPRequest.addressLimit else {
      return .text(414, "the address is longer than \(HTTPRequest.addressLimit) bytes\n")
    }
    guard HTTPRequest.isTarget(address) else {
      return .text(400, "the address has a blank, a control character, a # or bytes that are no UTF-8\n")
    }
    if !bytes.starts(with: "/".utf8) {
      // Scheme and host stand before the path.
      guard let scheme = ["http", "https"].first(where: { address.lowercased().hasPrefix($0 + "://") }) else {
        return .text(400, "the address does not begin with /\n")
      }
      bytes = bytes.dropFirst(scheme.utf8.count + 3)
      let authority = bytes.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
      absolute = (scheme, String(decoding: authority, as: UTF8.self))
      bytes = bytes[authority.endIndex...]
      if !bytes.starts(with: "/".utf8) { bytes = ArraySlice("/".utf8) + bytes }
    }
    let parts = bytes.split(separator: UInt8(ascii: "?"), maxSplits: 1, omittingEmptySubsequences: false)
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

  /// Whether the bytes of an address are such that every reader takes them for the same. Bytes that were no UTF-8
  /// have become U+FFFD.
  private static func isTarget(_ address: String) -> Bool {
    var isPlain = true
    for byte in address.utf8 {
      if byte <= 32 || byte == 127 || byte == UInt8(ascii: "#") { return false }
      isPlain = isPlain && byte < 128
    }
    return isPlain
      || !address.unicodeScalars.contains { (0x80...0x9f).contains($0.value) || $0 == "\u{fffd}" }
  }

  /// Parameters that nobody reads are a mistake, and named. `repeating`: those that may be given often.
  func refusal(known: [String], repeating: [String] = []) -> HTTPAnswer? {
    var seen: Set<String> = []
    for (name, _) in query where !repeating.contains(name) {
      guard known.contains(name) else {
        let all = known + repeating
        let list = all.isEmpty ? "this address takes none" : "known here: \(all.joined(separator: ", "))"
        return .text(400, "unknown parameter \"\(name)\"; \(list)\n")
      }
      guard seen.insert(name).inserted else { return .text(400, "parameter \"\(name)\" is given twice\n") }
    }
    return nil
  }

  /// Text behind `%XX`; nil where a `%` is followed by something else, or the bytes are no UTF-8 or hold a
  /// NUL.
  static func decoded(_ bytes: ArraySlice<UInt8>, plusIsSpace: Bool) -> String? {
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
