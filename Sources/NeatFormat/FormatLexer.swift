import NeatBase
import NeatStyle

/// Cuts a format string into tokens, one at a time.
struct FormatLexer {
  let bytes: [UInt8]
  var cursor = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  func byte(_ ahead: Int = 0) -> UInt8 { cursor + ahead < bytes.count ? bytes[cursor + ahead] : 0 }

  func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  mutating func next() throws(FormatStringError) -> FormatToken {
    skipSpace()
    let start = cursor
    guard cursor < bytes.count else { return FormatToken(kind: .end, offset: start) }
    return FormatToken(kind: try kind(start), offset: start)
  }

  private mutating func skipSpace() {
    while cursor < bytes.count {
      if bytes[cursor] == 0x20 || bytes[cursor] >= 0x09 && bytes[cursor] <= 0x0D {
        cursor += 1
      } else if bytes[cursor] == 0xC2 && byte(1) == 0xA0 {
        cursor += 2
      } else {
        return
      }
    }
  }

  private mutating func kind(_ start: Int) throws(FormatStringError) -> FormatToken.Kind {
    let first = bytes[start]
    switch first {
    case UInt8(ascii: "'"), UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "0")...UInt8(ascii: "9"): return .number(try number())
    case UInt8(ascii: ".") where FormatLexer.isDigit(byte(1)): return .number(try number())
    case UInt8(ascii: "%"): return .placeholder(try placeholder())
    case UInt8(ascii: "$"):
      cursor += 1
      guard FormatLexer.startsName(byte()) else {
        throw FormatStringError(.syntax, "expected the name of a variable after '$'", start)
      }
      return .variable(name())
    case UInt8(ascii: "@"):
      cursor += 1
      guard FormatLexer.startsName(byte()) else {
        throw FormatStringError(.syntax, "expected the name of an operator after '@'", start)
      }
      return .pathOperator(name())
    case UInt8(ascii: "#"):
      cursor += 1
      guard FormatLexer.startsName(byte()) else {
        throw FormatStringError(.syntax, "expected a name after '#'", start)
      }
      return .name(name(), isEscaped: true)
    default:
      guard FormatLexer.startsName(first) else { return .symbol(try symbol(start)) }
      if first == 0xE2 && byte(1) == 0x80 && [0x98, 0x99, 0x9C, 0x9D].contains(byte(2)) {
        throw FormatStringError(
          .syntax, "a typographic quotation mark: strings are quoted with ' or \"", start)
      }
      return try nameOrSelector(start)
    }
  }

  // MARK: Names

  static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }
  static func startsName(_ byte: UInt8) -> Bool {
    byte >= 0x80 || byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A || byte == 0x5F
  }
  static func continuesName(_ byte: UInt8) -> Bool { startsName(byte) || isDigit(byte) }

  private mutating func name() -> String {
    let start = cursor
    // A no-break space is a space, also behind a name.
    while FormatLexer.continuesName(byte()), !(byte() == 0xC2 && byte(1) == 0xA0) { cursor += 1 }
    return text(start..<cursor)
  }

  private mutating func nameOrSelector(_ start: Int) throws(FormatStringError) -> FormatToken.Kind {
    let first = name()
    guard byte() == UInt8(ascii: ":") else { return .name(first, isEscaped: false) }
    if byte(1) == UInt8(ascii: "=") { throw assignment(cursor) }
    cursor += 1
    while FormatLexer.startsName(byte()) {
      _ = name()
      guard byte() == UInt8(ascii: ":") else {
        throw FormatStringError(.syntax, "the selector \(text(start..<cursor)) has to end in ':'", start)
      }
      cursor += 1
    }
    return .selector(text(start..<cursor))
  }

  // MARK: Symbols

  private static let spellings: [(String, FormatSymbol)] = [
    ("==", .equal), ("=>", .greaterOrEqual), ("=<", .lessOrEqual), ("=", .equal), ("!=", .notEqual),
    ("!", .not), ("<>", .notEqual),
    ("<=", .lessOrEqual), ("<", .less), (">=", .greaterOrEqual), (">", .greater), ("&&", .and), ("||", .or),
    ("**", .power), ("*", .times),
    ("/", .divide), ("+", .plus), ("-", .minus), ("(", .openParenthesis), (")", .closeParenthesis),
    ("{", .openBrace), ("}", .closeBrace),
    ("[", .openBracket), ("]", .closeBracket), (",", .comma), (".", .dot),
  ]

  private mutating func symbol(_ start: Int) throws(FormatStringError) -> FormatSymbol {
    for bitwise in ["<<", ">>"] where bytes[start...].starts(with: bitwise.utf8) {
      throw noBits(bitwise, start)
    }
    for (spelling, symbol) in FormatLexer.spellings where bytes[start...].starts(with: spelling.utf8) {
      cursor += spelling.utf8.count
      return symbol
    }
    if bytes[start...].starts(with: ":=".utf8) { throw assignment(start) }
    let character = text(start..<start + 1)
    if "&|^~".contains(character) { throw noBits(character, start) }
    if character == ":" {
      throw FormatStringError(.syntax, "':' stands in the names of functions only", start)
    }
    if bytes[start] < 0x20 || bytes[start] == 0x7F {
      throw FormatStringError(.syntax, "a control character", start)
    }
    throw FormatStringError(.syntax, "'\(character)' is no part of a format string", start)
  }

  private func assignment(_ offset: Int) -> FormatStringError {
    FormatStringError(
      .unsupported, ":= assigns a value, and style expressions change nothing; MGL_LET binds variables",
      offset)
  }

  private func noBits(_ spelling: String, _ offset: Int) -> FormatStringError {
    FormatStringError(
      .unsupported, "\(spelling) works on bits, for which style expressions have no operator", offset)
  }
}
