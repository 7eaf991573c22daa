import NeatBase

/// Characters to values: what the parser and the views share.
enum JSONText {
  static func hexDigit(_ byte: UInt8) -> UInt32? {
    switch byte {
    case 48...57: UInt32(byte - 48)
    case 65...70: UInt32(byte - 55)
    case 97...102: UInt32(byte - 87)
    default: nil
    }
  }

  /// 10^0 … 10^22: the powers that a Double holds exactly.
  private static let exactPowers: [Double] = [
    1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
    1e19, 1e20, 1e21, 1e22,
  ]

  /// The value of a number's checked text. Up to 15 significant digits and a small exponent are exact in one
  /// operation (Clinger's fast path); all else goes to the C library.
  static func parseNumber(_ text: UnsafeBufferPointer<UInt8>) -> Double {
    var mantissa: UInt64 = 0
    var digits = 0
    var exponent = 0
    var cursor = 0
    let negative = text[0] == UInt8(ascii: "-")
    if negative { cursor = 1 }
    var afterPoint = false
    scan: while cursor < text.count {
      let byte = text[cursor]
      switch byte {
      case 48...57:
        mantissa = mantissa &* 10 &+ UInt64(byte &- 48)
        if mantissa != 0 { digits += 1 }
        if afterPoint { exponent -= 1 }
        if digits > 18 { return slow(text) }
      case UInt8(ascii: "."): afterPoint = true
      default: break scan
      }
      cursor += 1
    }
    if cursor < text.count {
      cursor += 1
      var sign = 1
      if text[cursor] == UInt8(ascii: "-") { sign = -1 }
      if text[cursor] == UInt8(ascii: "-") || text[cursor] == UInt8(ascii: "+") { cursor += 1 }
      var written = 0
      while cursor < text.count {
        written = min(100_000, written * 10 + Int(text[cursor] &- 48))
        cursor += 1
      }
      exponent += sign * written
    }
    guard mantissa <= 1 << 53, exponent >= -22, exponent <= 22 else { return slow(text) }
    let value =
      exponent < 0 ? Double(mantissa) / exactPowers[-exponent] : Double(mantissa) * exactPowers[exponent]
    return negative ? -value : value
  }

  private static func slow(_ text: UnsafeBufferPointer<UInt8>) -> Double {
    Double(String(decoding: text, as: UTF8.self)) ?? .infinity
  }

  /// The text of a string with escapes resolved; a lone surrogate becomes U+FFFD.
  static func unescape(_ source: UnsafeBufferPointer<UInt8>) -> String {
    var result: [UInt8] = []
    result.reserveCapacity(source.count)
    var cursor = 0
    while cursor < source.count {
      let byte = source[cursor]
      cursor += 1
      guard byte == UInt8(ascii: "\\") else {
        result.append(byte)
        continue
      }
      let escape = source[cursor]
      cursor += 1
      switch escape {
      case UInt8(ascii: "b"): result.append(8)
      case UInt8(ascii: "f"): result.append(12)
      case UInt8(ascii: "n"): result.append(10)
      case UInt8(ascii: "r"): result.append(13)
      case UInt8(ascii: "t"): result.append(9)
      case UInt8(ascii: "u"):
        var code = hex4(source, cursor)
        cursor += 4
        if code >= 0xD800 && code < 0xDC00, cursor + 6 <= source.count, source[cursor] == UInt8(ascii: "\\"),
          source[cursor + 1] == UInt8(ascii: "u")
        {
          let low = hex4(source, cursor + 2)
          if low >= 0xDC00 && low < 0xE000 {
            code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
            cursor += 6
          }
        }
        result.append(contentsOf: String(Character(UnicodeScalar(code) ?? "\u{FFFD}")).utf8)
      default: result.append(escape)
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  private static func hex4(_ source: UnsafeBufferPointer<UInt8>, _ start: Int) -> UInt32 {
    (0..<4).reduce(0) { $0 << 4 | (hexDigit(source[start + $1]) ?? 0) }
  }
}
