import NeatBase

/// A number as JSON text writes it: sign, digits as one integer, and the power of ten that belongs to it.
///
/// Public, like all that the reader of GeoJSON's inner loops call: only such functions become part of another
/// target's loop.
public struct DecimalText: BitwiseCopyable {
  /// What is wrong with the text of a number.
  public enum Fault: Error {
    case noDigits, leadingZero, noFraction, noExponent
  }

  public let isNegative: Bool
  public let mantissa: UInt64
  public let exponent: Int
  /// Whether it has neither a fraction nor an exponent.
  public let isInteger: Bool
  /// Whether the mantissa holds all digits: up to 19 of them.
  public let isExact: Bool

  /// Reads the number at `place`, which is moved behind it.
  @inlinable @inline(__always)
  public init(_ place: inout UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>) throws(Fault) {
    var at = place
    let isNegative = at < end && at.pointee == 0x2d
    if isNegative { at += 1 }
    var mantissa: UInt64 = 0
    let digits = at
    DecimalText.readDigits(&at, end, &mantissa)
    var count = at - digits
    guard count > 0 else { throw .noDigits }
    guard count == 1 || digits.pointee != 0x30 else { throw .leadingZero }
    var exponent = 0
    var isInteger = true
    if at < end, at.pointee == 0x2e {
      at += 1
      let places = DecimalText.readFraction(&at, end, &mantissa)
      guard places > 0 else { throw .noFraction }
      isInteger = false
      exponent = -places
      count += places
    }
    if at < end, at.pointee | 0x20 == 0x65 {
      at += 1
      guard let power = DecimalText.readPower(&at, end) else { throw .noExponent }
      isInteger = false
      exponent += power
    }
    assert(at > place && at <= end, "a number has a digit")
    place = at
    self.isNegative = isNegative
    self.mantissa = mantissa
    self.exponent = exponent
    self.isInteger = isInteger
    isExact = count <= 19
  }

  /// The nearest Double; nil where only the text itself tells.
  @inlinable @inline(__always) public func double(_ tables: DecimalTables) -> Double? {
    guard isExact, let value = tables.double(mantissa, exponent: exponent) else { return nil }
    return isNegative ? -value : value
  }

  /// The value of a number's text by the standard library, for the few that the fast ways do not cover.
  @inline(never) package static func slowDouble(_ bytes: UnsafeBufferPointer<UInt8>) -> Double? {
    Double(String(decoding: bytes, as: UTF8.self))
  }

  /// Puts the digits from `at` on behind those of `value`, which wraps where they are too many.
  @inlinable @inline(__always)
  public static func readDigits(
    _ at: inout UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>, _ value: inout UInt64
  ) {
    while at < end {
      let digit = at.pointee &- 0x30
      if digit > 9 { break }
      value = value &* 10 &+ UInt64(digit)
      at += 1
    }
  }

  /// The digits behind the point; returns how many.
  @inlinable @inline(__always)
  public static func readFraction(
    _ at: inout UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>, _ mantissa: inout UInt64
  ) -> Int {
    let first = at
    if end - at >= 8, let eight = eightDigits(at) {
      mantissa = mantissa &* 100_000_000 &+ eight
      at += 8
    }
    readDigits(&at, end, &mantissa)
    return at - first
  }

  /// The power of ten behind an `e`, or nil where there are no digits. Beyond 100,000 it is only large.
  @inlinable @inline(__always)
  public static func readPower(_ at: inout UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>) -> Int? {
    var isDown = false
    if at < end, at.pointee == 0x2b || at.pointee == 0x2d {
      isDown = at.pointee == 0x2d
      at += 1
    }
    let first = at
    var power = 0
    while at < end {
      let digit = at.pointee &- 0x30
      if digit > 9 { break }
      if power < 100_000 { power = power * 10 + Int(digit) }
      at += 1
    }
    return at > first ? (isDown ? -power : power) : nil
  }

  /// The value of eight digits at once, or nil where a byte is not a digit (Lemire's parse_eight_digits).
  @inlinable @inline(__always) public static func eightDigits(_ at: UnsafePointer<UInt8>) -> UInt64? {
    var word = UnsafeRawPointer(at).loadUnaligned(as: UInt64.self)
    let high: UInt64 = 0xf0f0_f0f0_f0f0_f0f0
    guard (word & high) | (((word &+ 0x0606_0606_0606_0606) & high) >> 4) == 0x3333_3333_3333_3333 else {
      return nil
    }
    word = word &- 0x3030_3030_3030_3030
    word = (word &* 10) &+ (word >> 8)
    let mask: UInt64 = 0x0000_00ff_0000_00ff
    let left = (word & mask) &* 0x000f_4240_0000_0064
    let right = ((word >> 16) & mask) &* 0x0000_2710_0000_0001
    return (left &+ right) >> 32
  }
}
