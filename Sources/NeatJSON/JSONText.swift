import NeatBase

/// The pieces of JSON text: what the parser, its views and the reader of GeoJSON share. Each of them keeps
/// its own place in the text and its own words for faults.
public enum JSONText {
  @inlinable @inline(__always) public static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09
  }

  /// The first byte from `at` on that is a quote, a backslash or a control character; `end` where there is
  /// none.
  @inlinable @inline(__always)
  public static func plainEnd(_ start: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>)
    -> UnsafePointer<UInt8>
  {
    var at = start
    while end - at >= 8 {
      let word = UnsafeRawPointer(at).loadUnaligned(as: UInt64.self)
      let quote = word ^ 0x2222_2222_2222_2222
      let slash = word ^ 0x5c5c_5c5c_5c5c_5c5c
      let ones: UInt64 = 0x0101_0101_0101_0101
      // High bits mark bytes that are a quote, a backslash or below 0x20; the lowest mark is exact.
      let found =
        ((quote &- ones) & ~quote | (slash &- ones) & ~slash | (word &- 0x2020_2020_2020_2020) & ~word)
        & 0x8080_8080_8080_8080
      if found != 0 { return at + found.trailingZeroBitCount >> 3 }
      at += 8
    }
    while at < end, at.pointee != 0x22, at.pointee != 0x5c, at.pointee >= 0x20 { at += 1 }
    return at
  }

  static func hexDigit(_ byte: UInt8) -> UInt32? {
    switch byte {
    case 0x30...0x39: UInt32(byte - 0x30)
    case 0x41...0x46: UInt32(byte - 0x37)
    case 0x61...0x66: UInt32(byte - 0x57)
    default: nil
    }
  }

  /// The value of a number's checked text.
  static func parseNumber(_ text: UnsafeBufferPointer<UInt8>) -> Double {
    guard var place = text.baseAddress, let number = try? DecimalText(&place, place + text.count) else {
      assertionFailure("the text of a number was checked")
      return 0
    }
    return number.double(.shared) ?? DecimalText.slowDouble(text) ?? .infinity
  }

  // MARK: Escapes

  /// Where an escape begins that means nothing.
  package struct BadEscape: Error {
    package let offset: Int
  }

  /// The text of a string with escapes that were checked; a lone surrogate becomes U+FFFD.
  static func unescape(_ source: UnsafeBufferPointer<UInt8>) -> String {
    guard !source.isEmpty else { return "" }
    return String(unsafeUninitializedCapacity: source.count) { target in
      let length = try? unescape(source, into: target.baseAddress!)
      assert(length != nil, "escapes were checked")
      return length ?? 0
    }
  }

  /// Writes the text of a string with escapes, and returns its length, which is never more than the source's.
  package static func unescape(
    _ source: UnsafeBufferPointer<UInt8>, into target: UnsafeMutablePointer<UInt8>
  ) throws(BadEscape) -> Int {
    var at = 0
    var length = 0
    func put(_ byte: UInt8) {
      target[length] = byte
      length += 1
    }
    while at < source.count {
      let byte = source[at]
      guard byte == 0x5c else {
        put(byte)
        at += 1
        continue
      }
      guard at + 1 < source.count else { throw BadEscape(offset: at) }
      let escaped = source[at + 1]
      switch escaped {
      case 0x22, 0x5c, 0x2f: put(escaped)
      case 0x62: put(0x08)
      case 0x66: put(0x0c)
      case 0x6e: put(0x0a)
      case 0x72: put(0x0d)
      case 0x74: put(0x09)
      case 0x75:
        guard let (scalar, count) = scalar(source, at + 2) else { throw BadEscape(offset: at) }
        for unit in UTF8.encode(scalar)! { put(unit) }
        at += count
      default: throw BadEscape(offset: at)
      }
      at += 2
    }
    assert(length <= source.count, "an escape is never shorter than what it stands for")
    return length
  }

  /// The character of the digits behind a `\\u`, and of the escape that follows where the two are a pair;
  /// and how many bytes those are.
  private static func scalar(_ source: UnsafeBufferPointer<UInt8>, _ at: Int) -> (UnicodeScalar, Int)? {
    guard let code = hex(source, at) else { return nil }
    if code & 0xfc00 == 0xd800, at + 5 < source.count, source[at + 4] == 0x5c, source[at + 5] == 0x75,
      let low = hex(source, at + 6), low & 0xfc00 == 0xdc00
    {
      return (UnicodeScalar(0x10000 + (code - 0xd800) << 10 + (low - 0xdc00)) ?? "\u{fffd}", 10)
    }
    return (UnicodeScalar(code) ?? "\u{fffd}", 4)
  }

  private static func hex(_ source: UnsafeBufferPointer<UInt8>, _ start: Int) -> UInt32? {
    guard start + 4 <= source.count else { return nil }
    var value: UInt32 = 0
    for index in start..<start + 4 {
      guard let digit = hexDigit(source[index]) else { return nil }
      value = value << 4 | digit
    }
    return value
  }
}
