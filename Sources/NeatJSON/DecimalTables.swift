import NeatBase

// Decimal text to the nearest Double.
//
// Coordinates have up to 19 significant digits and a small negative exponent: w·10^-q with w < 2^64 and q <=
// 19. Then 10^q fits 64 bits too, and one division of 128 by 64 bits gives 63 or 64 bits of quotient and a
// remainder that says whether more follow: enough to round to 53 bits exactly, ties included, without tables
// of powers. Where w < 2^53 and q <= 22 a single floating division is already exact (Clinger 1990). Anything
// else goes to the standard library.

private let doublePowers: [Double] = [
  1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
  1e19, 1e20, 1e21, 1e22,
]

private let integerPowers: [UInt64] = {
  var powers: [UInt64] = [1]
  for _ in 0..<19 { powers.append(powers.last! * 10) }
  return powers
}()

/// The tables as plain pointers, so that the hot loop touches no global. They live as long as the process.
public struct DecimalTables: Sendable {
  @usableFromInline nonisolated(unsafe) let doubles: UnsafePointer<Double>
  @usableFromInline nonisolated(unsafe) let integers: UnsafePointer<UInt64>

  public static let shared: DecimalTables = {
    let doubles = UnsafeMutablePointer<Double>.allocate(capacity: doublePowers.count)
    doubles.initialize(from: doublePowers, count: doublePowers.count)
    let integers = UnsafeMutablePointer<UInt64>.allocate(capacity: integerPowers.count)
    integers.initialize(from: integerPowers, count: integerPowers.count)
    return DecimalTables(doubles: UnsafePointer(doubles), integers: UnsafePointer(integers))
  }()

  /// The Double nearest to `mantissa` · 10^`exponent`, or nil where the fast ways do not reach.
  @inlinable @inline(__always) public func double(_ mantissa: UInt64, exponent: Int) -> Double? {
    if mantissa < 1 << 53 {
      if exponent <= 0 && exponent >= -22 { return Double(Int64(bitPattern: mantissa)) / doubles[-exponent] }
      if exponent > 0 && exponent <= 22 { return Double(Int64(bitPattern: mantissa)) * doubles[exponent] }
      return mantissa == 0 ? 0 : nil
    }
    guard exponent >= -19, exponent <= 0 else { return nil }
    return divided(mantissa, by: integers[-exponent])
  }

  /// `mantissa` / `divisor` rounded to nearest, ties to even. Both are not zero.
  @usableFromInline func divided(_ mantissa: UInt64, by divisor: UInt64) -> Double {
    assert(mantissa != 0 && divisor != 0, "neither is zero")
    let up = mantissa.leadingZeroBitCount
    let side = divisor.leadingZeroBitCount
    // Both have their top bit set now; half the numerator is below the divisor, so that the quotient fits 64
    // bits, and it has at least 63.
    let numerator = mantissa << UInt64(up)
    let (quotient, remainder) = (divisor << UInt64(side)).dividingFullWidth((numerator >> 1, numerator << 63))
    let normal = UInt64(quotient.leadingZeroBitCount)
    assert(normal <= 1, "the quotient has 63 bits at least")
    var bits = quotient << normal
    if remainder != 0 { bits |= 1 }
    // value = bits · 2^(-63 - normal + 64 ...): quotient = m·2^(up-1+64) / (d·2^side)
    let exponent = -(up - 1 + 64) + side - Int(normal)
    // Round 64 bits to 53 by hand: the low 11 bits decide.
    let low = bits & 0x7ff
    var top = bits >> 11
    if low > 0x400 || (low == 0x400 && top & 1 == 1) { top += 1 }
    return Double(Int64(bitPattern: top)) * Double(sign: .plus, exponent: exponent + 11, significand: 1)
  }
}
