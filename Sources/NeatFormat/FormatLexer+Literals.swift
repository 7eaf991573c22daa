import NeatBase
import NeatStyle

// Numbers, strings and placeholders.
extension FormatLexer {
  /// Decimal with fraction and exponent; hexadecimal (0x), octal (0o), binary (0b).
  mutating func number() throws(FormatStringError) -> Double {
    let start = cursor
    let value: Double
    switch byte() == 0x30 ? byte(1) | 0x20 : 0 {
    case UInt8(ascii: "x"): value = try whole(16, start)
    case UInt8(ascii: "o"): value = try whole(8, start)
    case UInt8(ascii: "b"): value = try whole(2, start)
    default: value = decimal()
    }
    if FormatLexer.continuesName(byte()), !(byte() == 0xC2 && byte(1) == 0xA0) {
      while FormatLexer.continuesName(byte()) { cursor += 1 }
      throw FormatStringError(.syntax, "'\(text(start..<min(cursor, start + 24)))' is no number", start)
    }
    guard value.isFinite else {
      throw FormatStringError(.limit, "the number is larger than a number can be", start)
    }
    return value
  }

  private mutating func whole(_ radix: Double, _ start: Int) throws(FormatStringError) -> Double {
    cursor += 2
    let first = cursor
    var value = 0.0
    while let digit = hexDigit(byte()), Double(digit) < radix {
      value = value * radix + Double(digit)
      cursor += 1
    }
    if cursor == first {
      throw FormatStringError(.syntax, "expected digits after '\(text(start..<first))'", start)
    }
    guard value <= 9_007_199_254_740_992 else {
      throw FormatStringError(
        .limit, "the number is larger than 9007199254740992, up to which integers are exact", start)
    }
    return value
  }

  private mutating func decimal() -> Double {
    let start = cursor
    while FormatLexer.isDigit(byte()) { cursor += 1 }
    if byte() == UInt8(ascii: "."), FormatLexer.isDigit(byte(1)) || !FormatLexer.startsName(byte(1)) {
      cursor += 1
      while FormatLexer.isDigit(byte()) { cursor += 1 }
    }
    if byte() | 0x20 == UInt8(ascii: "e") {
      let sign = byte(1) == UInt8(ascii: "+") || byte(1) == UInt8(ascii: "-") ? 1 : 0
      if FormatLexer.isDigit(byte(1 + sign)) {
        cursor += 2 + sign
        while FormatLexer.isDigit(byte()) { cursor += 1 }
      }
    }
    var digits = text(start..<cursor)
    if digits.hasSuffix(".") { digits.removeLast() }
    return Double(digits.hasPrefix(".") ? "0" + digits : digits) ?? .infinity
  }

  private func hexDigit(_ byte: UInt8) -> UInt32? {
    switch byte {
    case 0x30...0x39: UInt32(byte - 0x30)
    case 0x41...0x46, 0x61...0x66: UInt32((byte | 0x20) - 0x61 + 10)
    default: nil
    }
  }

  // MARK: Strings

  mutating func string() throws(FormatStringError) -> String {
    let start = cursor
    let quote = bytes[cursor]
    cursor += 1
    var result: [UInt8] = []
    while cursor < bytes.count {
      let byte = bytes[cursor]
      cursor += 1
      if byte == quote { return String(decoding: result, as: UTF8.self) }
      if byte == UInt8(ascii: "\\") { try escape(into: &result) } else { result.append(byte) }
    }
    throw FormatStringError(.syntax, "the string does not end", start)
  }

  private mutating func escape(into result: inout [UInt8]) throws(FormatStringError) {
    let start = cursor - 1
    let letter = byte()
    cursor += 1
    switch letter {
    case UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "\\"): result.append(letter)
    case UInt8(ascii: "b"): result.append(8)
    case UInt8(ascii: "t"): result.append(9)
    case UInt8(ascii: "n"): result.append(10)
    case UInt8(ascii: "f"): result.append(12)
    case UInt8(ascii: "r"): result.append(13)
    // Patterns of LIKE have their own escapes.
    case UInt8(ascii: "*"), UInt8(ascii: "?"): result += [UInt8(ascii: "\\"), letter]
    case UInt8(ascii: "0")...UInt8(ascii: "7"):
      var code = UInt32(letter - 0x30)
      for _ in 0..<2 where byte() >= 0x30 && byte() <= 0x37 {
        code = code * 8 + UInt32(byte() - 0x30)
        cursor += 1
      }
      try append(code, start, to: &result)
    case UInt8(ascii: "x"): try append(try hex(2, start), start, to: &result)
    case UInt8(ascii: "u"):
      var code = try hex(4, start)
      if code & 0xFC00 == 0xD800, byte() == UInt8(ascii: "\\"), byte(1) == UInt8(ascii: "u") {
        cursor += 2
        let low = try hex(4, start)
        guard low & 0xFC00 == 0xDC00 else {
          throw FormatStringError(.syntax, "half of a pair of surrogates", start)
        }
        code = 0x10000 + (code & 0x3FF) << 10 + low & 0x3FF
      }
      try append(code, start, to: &result)
    case UInt8(ascii: "U"): try append(try hex(8, start), start, to: &result)
    default: throw FormatStringError(.syntax, "no escape begins like this", start)
    }
  }

  private mutating func hex(_ count: Int, _ start: Int) throws(FormatStringError) -> UInt32 {
    var code: UInt32 = 0
    for _ in 0..<count {
      guard let digit = hexDigit(byte()) else {
        throw FormatStringError(.syntax, "the escape needs \(count) hexadecimal digits", start)
      }
      code = code << 4 | digit
      cursor += 1
    }
    return code
  }

  private func append(_ code: UInt32, _ start: Int, to result: inout [UInt8]) throws(FormatStringError) {
    guard let scalar = UnicodeScalar(code) else {
      throw FormatStringError(.syntax, "the escape is no character", start)
    }
    result += String(Character(scalar)).utf8
  }

  // MARK: Placeholders

  private static let lengths = ["hh", "h", "ll", "l", "q", "L", "z", "t", "j"]

  mutating func placeholder() throws(FormatStringError) -> FormatPlaceholder {
    let start = cursor
    cursor += 1
    var position: Int?
    if FormatLexer.isDigit(byte()) {
      var number = 0
      while FormatLexer.isDigit(byte()) {
        number = min(1 << 30, number * 10 + Int(byte() - 0x30))
        cursor += 1
      }
      guard byte() == UInt8(ascii: "$"), number > 0 else {
        throw FormatStringError(
          .syntax, "placeholders take no width; %2$@ stands for the second argument", start)
      }
      cursor += 1
      position = number - 1
    }
    if byte() == UInt8(ascii: "%") {
      throw FormatStringError(
        .unsupported, "%% is no operator: the remainder of a division is modulus:by:(a, b)", start)
    }
    let length = FormatLexer.lengths.first { bytes[cursor...].starts(with: $0.utf8) }
    cursor += length?.utf8.count ?? 0
    let kind: FormatPlaceholder.Kind
    switch byte() {
    case UInt8(ascii: "@") where length == nil: kind = .value
    case UInt8(ascii: "K") where length == nil: kind = .keyPath
    case UInt8(ascii: "d"), UInt8(ascii: "D"), UInt8(ascii: "i"), UInt8(ascii: "u"), UInt8(ascii: "U"),
      UInt8(ascii: "x"),
      UInt8(ascii: "X"), UInt8(ascii: "o"), UInt8(ascii: "O"):
      kind = .integer
    case UInt8(ascii: "f"), UInt8(ascii: "F"), UInt8(ascii: "e"), UInt8(ascii: "E"), UInt8(ascii: "g"),
      UInt8(ascii: "G"),
      UInt8(ascii: "a"), UInt8(ascii: "A"):
      kind = .number
    case UInt8(ascii: "c"), UInt8(ascii: "C"): kind = .character
    case UInt8(ascii: "s"), UInt8(ascii: "S"): kind = .text
    default:
      throw FormatStringError(
        .syntax, "no placeholder begins like this: %@, %K, %d, %f and their like are known", start)
    }
    cursor += 1
    return FormatPlaceholder(kind: kind, name: text(start..<cursor), position: position)
  }
}
