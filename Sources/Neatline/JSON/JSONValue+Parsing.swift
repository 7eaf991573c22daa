/// Text that is not JSON, and where.
public struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong, without the place.
  public var message: String
  /// Byte offset in the text.
  public var offset: Int
  /// The message with the place.
  public var description: String { "\(message) (byte \(offset))" }
}

extension JSONValue {
  /// Nested arrays and objects that `init(parsing:)` reads at most.
  public static let depthLimit = 256

  /// Parses JSON text. Throws `JSONError` for text that is not JSON, or is nested deeper than `depthLimit`.
  public init(parsing text: String) throws { try self.init(parsing: Array(text.utf8)) }

  /// Parses JSON in UTF-8. Throws `JSONError` for bytes that are not JSON, or are nested deeper than
  /// `depthLimit`.
  public init(parsing bytes: [UInt8]) throws {
    self = try JSONScanner.read(bytes) { scanner throws(JSONError) in try JSONValue(&scanner, depth: 0) }
  }

  /// Recursive descent; depth is bounded by `depthLimit`.
  private init(_ scanner: inout JSONScanner, depth: Int) throws(JSONError) {
    guard depth <= JSONValue.depthLimit else {
      throw scanner.error("JSON is nested deeper than \(JSONValue.depthLimit)")
    }
    switch scanner.peek() {
    case UInt8(ascii: "{"):
      var members: [Member] = []
      scanner.advance()
      if !scanner.take(UInt8(ascii: "}")) {
        repeat {
          let key = try scanner.key()
          members.append(Member(try scanner.text(of: key), try JSONValue(&scanner, depth: depth + 1)))
        } while try scanner.more(until: UInt8(ascii: "}"))
      }
      self = .object(members)
    case UInt8(ascii: "["):
      var elements: [JSONValue] = []
      scanner.advance()
      if !scanner.take(UInt8(ascii: "]")) {
        repeat {
          elements.append(try JSONValue(&scanner, depth: depth + 1))
        } while try scanner.more(until: UInt8(ascii: "]"))
      }
      self = .array(elements)
    case UInt8(ascii: "\""): self = .string(try scanner.string())
    case UInt8(ascii: "t"):
      try scanner.word("true")
      self = .bool(true)
    case UInt8(ascii: "f"):
      try scanner.word("false")
      self = .bool(false)
    case UInt8(ascii: "n"):
      try scanner.word("null")
      self = .null
    case 0: throw scanner.error("unexpected end of JSON")
    default: self = .number(try scanner.double())
    }
  }
}
