// Decimal text to the nearest Double. A mantissa below 2^53 times or through a power of ten that is a Double
// itself is one exact operation (Clinger 1990). Coordinates with more digits are w / 10^q with w < 2^64 and q
// <= 19: 10^q fits 64 bits too, and one division of 128 by 64 bits gives 63 or 64 bits of quotient and a
// remainder that says whether more follow, which is enough to round to 53 bits, ties included. The rest goes
// to the standard library.

/// The digits of a number.
struct JSONDecimal {
  var mantissa: UInt64 = 0
  var exponent = 0
  var isNegative = false
  /// Neither fraction nor exponent.
  var isWhole = true
  /// The mantissa has all digits.
  var isExact = true

  @inline(__always) mutating func append(_ digit: UInt8) {
    let (product, isOver) = mantissa.multipliedReportingOverflow(by: 10)
    let (sum, carries) = product.addingReportingOverflow(UInt64(digit))
    if isOver || carries { isExact = false } else { mantissa = sum }
  }

  /// The nearest Double; nil where the fast ways do not reach.
  var double: Double? {
    guard isExact else { return nil }
    if mantissa < 1 << 53, exponent.magnitude < doublePowers.count {
      let power = doublePowers[Int(exponent.magnitude)]
      let value = exponent < 0 ? Double(mantissa) / power : Double(mantissa) * power
      return isNegative ? -value : value
    }
    guard mantissa != 0, exponent <= 0, -exponent < integerPowers.count else { return nil }
    let value = JSONDecimal.quotient(mantissa, integerPowers[-exponent])
    return isNegative ? -value : value
  }

  /// `a` / `b` to the nearest Double, ties to even. Both are not zero.
  private static func quotient(_ a: UInt64, _ b: UInt64) -> Double {
    let (up, side) = (a.leadingZeroBitCount, b.leadingZeroBitCount)
    // Both with the top bit set: half of the one is below the other, so that the quotient fits 64 bits, and
    // it has 63 at least.
    let numerator = a << UInt64(up)
    let (quotient, remainder) = (b << UInt64(side)).dividingFullWidth((numerator >> 1, numerator << 63))
    let normal = quotient.leadingZeroBitCount
    // a / b is the quotient times 2^(side - up - 63): the numerator was shifted by `up` and 63, the divisor
    // by `side`. A bit for all that follow, and then 64 bits become 53: the low 11 decide.
    let bits = quotient << UInt64(normal) | (remainder == 0 ? 0 : 1)
    let low = bits & 0x7FF
    var top = bits >> 11
    if low > 0x400 || low == 0x400 && top & 1 == 1 { top += 1 }
    return Double(top) * Double(sign: .plus, exponent: side - up - 63 - normal + 11, significand: 1)
  }
}

private let doublePowers: [Double] = [
  1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
  1e19, 1e20, 1e21, 1e22,
]

private let integerPowers: [UInt64] = (0..<20).map { (0..<$0).reduce(1) { power, _ in power * 10 } }
