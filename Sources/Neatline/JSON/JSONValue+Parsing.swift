/// Text that is not JSON, and where.
public struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
  public var message: String
  /// Byte offset in the text.
  public var offset: Int
  public var description: String { "\(message) (byte \(offset))" }
}

extension JSONValue {
  /// Nested arrays and objects that `init(parsing:)` reads at most.
  public static let depthLimit = 256

  public init(parsing text: String) throws { try self.init(parsing: Array(text.utf8)) }

  public init(parsing bytes: [UInt8]) throws {
    var reader = JSONReader(bytes: bytes)
    self = try reader.document()
  }
}

/// Recursive descent over the bytes; depth is bounded by `JSONValue.depthLimit`.
private struct JSONReader {
  let bytes: [UInt8]
  var cursor = 0

  init(bytes: [UInt8]) { self.bytes = bytes }

  mutating func document() throws -> JSONValue {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { cursor = 3 }
    let result = try value(depth: 0)
    skipSpace()
    guard cursor == bytes.count else { throw error("unexpected text after the JSON value") }
    return result
  }

  func error(_ message: String) -> JSONError { JSONError(message: message, offset: cursor) }

  var current: UInt8? { cursor < bytes.count ? bytes[cursor] : nil }

  mutating func skipSpace() {
    while let byte = current, byte == 32 || byte == 10 || byte == 13 || byte == 9 { cursor += 1 }
  }

  mutating func value(depth: Int) throws -> JSONValue {
    guard depth <= JSONValue.depthLimit else { throw error("JSON is nested deeper than \(JSONValue.depthLimit)") }
    skipSpace()
    switch current {
    case UInt8(ascii: "{"): return try object(depth: depth)
    case UInt8(ascii: "["): return try array(depth: depth)
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    case nil: throw error("unexpected end of JSON")
    default: return .number(try number())
    }
  }

  mutating func word(_ text: String, _ value: JSONValue) throws -> JSONValue {
    guard bytes[cursor...].starts(with: text.utf8) else { throw error("expected \(text)") }
    cursor += text.utf8.count
    return value
  }

  mutating func object(depth: Int) throws -> JSONValue {
    cursor += 1
    var members: [JSONValue.Member] = []
    skipSpace()
    if current == UInt8(ascii: "}") {
      cursor += 1
      return .object(members)
    }
    while true {
      skipSpace()
      guard current == UInt8(ascii: "\"") else { throw error("expected a member name in double quotes") }
      let key = try string()
      skipSpace()
      guard current == UInt8(ascii: ":") else { throw error("expected ':' after the member name") }
      cursor += 1
      members.append(JSONValue.Member(key, try value(depth: depth + 1)))
      if try endOfList("}") { return .object(members) }
    }
  }

  mutating func array(depth: Int) throws -> JSONValue {
    cursor += 1
    var elements: [JSONValue] = []
    skipSpace()
    if current == UInt8(ascii: "]") {
      cursor += 1
      return .array(elements)
    }
    while true {
      elements.append(try value(depth: depth + 1))
      if try endOfList("]") { return .array(elements) }
    }
  }

  mutating func endOfList(_ close: Unicode.Scalar) throws -> Bool {
    skipSpace()
    defer { cursor += 1 }
    if current == UInt8(ascii: close) { return true }
    guard current == UInt8(ascii: ",") else { throw error("expected ',' or '\(close)'") }
    return false
  }

  mutating func number() throws -> Double {
    let start = cursor
    while let byte = current, byte >= 48 && byte <= 57 || byte == 43 || byte == 45 || byte == 46 || byte | 32 == 101 { cursor += 1 }
    guard let value = Double(String(decoding: bytes[start..<cursor], as: UTF8.self)) else {
      cursor = start
      throw error("expected a JSON value")
    }
    return value
  }

  mutating func string() throws -> String {
    cursor += 1
    var result: [UInt8] = []
    while let byte = current {
      cursor += 1
      if byte == UInt8(ascii: "\"") { return String(decoding: result, as: UTF8.self) }
      guard byte >= 32 else { throw error("control character in a string") }
      if byte == UInt8(ascii: "\\") { try escape(into: &result) } else { result.append(byte) }
    }
    throw error("unterminated string")
  }

  mutating func escape(into result: inout [UInt8]) throws {
    guard let byte = current else { throw error("unterminated string") }
    cursor += 1
    switch byte {
    case UInt8(ascii: "b"): result.append(8)
    case UInt8(ascii: "f"): result.append(12)
    case UInt8(ascii: "n"): result.append(10)
    case UInt8(ascii: "r"): result.append(13)
    case UInt8(ascii: "t"): result.append(9)
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): result.append(byte)
    case UInt8(ascii: "u"):
      var code = try hex4()
      if code & 0xFC00 == 0xD800, bytes[cursor...].starts(with: [UInt8(ascii: "\\"), UInt8(ascii: "u")]) {
        let mark = cursor
        cursor += 2
        let low = try hex4()
        if low & 0xFC00 == 0xDC00 { code = 0x10000 + (code & 0x3FF) << 10 + low & 0x3FF } else { cursor = mark }
      }
      result += String(Character(UnicodeScalar(code) ?? "\u{FFFD}")).utf8
    default: throw error("bad escape in a string")
    }
  }

  mutating func hex4() throws -> UInt32 {
    guard cursor + 4 <= bytes.count, let code = UInt32(String(decoding: bytes[cursor..<cursor + 4], as: UTF8.self), radix: 16) else {
      throw error("bad \\u escape in a string")
    }
    cursor += 4
    return code
  }
}
