import NeatBase
import Testing

/// Whole numbers out of floating-point ones.
@Suite struct SaturatingTests {
  @Test func numbersWithinTheRangeAreCutTowardZero() {
    #expect(Int32(saturating: 2.9) == 2)
    #expect(Int32(saturating: -2.9) == -2)
    #expect(UInt8(saturating: Float(255.9)) == 255)
    #expect(UInt8(saturating: -0.9) == 0)
    #expect(Int64(saturating: 0x1p62) == 1 << 62)
    #expect(UInt64(saturating: 0x1p63) == 1 << 63)
    #expect(Int16(saturating: Float(-32768)) == .min)
  }

  /// The last number inside, the first one past it, infinity and NaN, of both floating-point types.
  private func check<Integer: FixedWidthInteger>(
    _ type: Integer.Type, _ double: (Double) -> Integer, _ float: (Float) -> Integer,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let past = type.isSigned ? scalbn(1.0, Integer.bitWidth - 1) : scalbn(1.0, Integer.bitWidth)
    let least = type.isSigned ? -past : 0
    #expect(double(past) == .max, sourceLocation: sourceLocation)
    #expect(double(least) == .min, sourceLocation: sourceLocation)
    #expect(
      double(past.nextDown) == Integer(exactly: past.nextDown.rounded(.down)), sourceLocation: sourceLocation)
    #expect(double(least - 1) == .min, sourceLocation: sourceLocation)
    #expect(double(.nan) == 0 && double(-.nan) == 0, sourceLocation: sourceLocation)
    #expect(double(.infinity) == .max && double(-.infinity) == .min, sourceLocation: sourceLocation)
    #expect(
      double(.greatestFiniteMagnitude) == .max && double(-.greatestFiniteMagnitude) == .min,
      sourceLocation: sourceLocation)
    #expect(float(Float(past)) == .max, sourceLocation: sourceLocation)
    #expect(float(Float(least)) == .min, sourceLocation: sourceLocation)
    #expect(
      float(Float(past).nextDown) == Integer(exactly: Float(past).nextDown.rounded(.down)),
      sourceLocation: sourceLocation)
    #expect(float(.nan) == 0, sourceLocation: sourceLocation)
    #expect(float(.infinity) == .max && float(-.infinity) == .min, sourceLocation: sourceLocation)
  }

  @Test func whatLiesPastTheRangeIsHeldAtItsEndsAndNaNIsZero() {
    check(Int.self, { Int(saturating: $0) }, { Int(saturating: $0) })
    check(Int8.self, { Int8(saturating: $0) }, { Int8(saturating: $0) })
    check(Int16.self, { Int16(saturating: $0) }, { Int16(saturating: $0) })
    check(Int32.self, { Int32(saturating: $0) }, { Int32(saturating: $0) })
    check(Int64.self, { Int64(saturating: $0) }, { Int64(saturating: $0) })
    check(UInt.self, { UInt(saturating: $0) }, { UInt(saturating: $0) })
    check(UInt8.self, { UInt8(saturating: $0) }, { UInt8(saturating: $0) })
    check(UInt16.self, { UInt16(saturating: $0) }, { UInt16(saturating: $0) })
    check(UInt32.self, { UInt32(saturating: $0) }, { UInt32(saturating: $0) })
    check(UInt64.self, { UInt64(saturating: $0) }, { UInt64(saturating: $0) })
  }

  @Test func boundedNumbersLeaveRoomForSumsAndProducts() {
    #expect(Int(bounded: 1e300) == Int(Int32.max) && Int(bounded: Float(-1e30)) == Int(Int32.min))
    #expect(Int(bounded: Double.nan) == 0 && Int(bounded: -7.5) == -7)
    #expect(!Int(bounded: 1e300).multipliedReportingOverflow(by: Int(bounded: -1e300)).overflow)
    #expect(SIMD4<UInt32>(saturating: SIMD4(.nan, -1, 1.5, 1e10)) == SIMD4(0, 0, 1, .max))
  }

  @Test func cellsAreHeldWithinTheGrid() {
    let cells = [
      (-1e300, 0), (-0.5, 0), (0, 0), (6.9, 6), (7, 7), (7.9, 7), (1e300, 7), (.infinity, 7), (-.infinity, 0),
      (.nan, 7),
    ]
    for (place, cell) in cells {
      #expect(Int(cell: place, last: 7) == cell && Int(cell: Float(place), last: 7) == cell)
    }
    #expect(Int(cell: 3.0, last: 0) == 0 && Int(cell: 3.0, last: -1) == 0)
  }
}
