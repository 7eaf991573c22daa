import NeatBase
import Testing

@Suite struct PointwiseTests {
  /// What is not a number gives way; of two there is one.
  @Test func lanesAreOfTheirOwn() {
    let (a, b) = (SIMD4<Float>(1, .nan, 3, -.infinity), SIMD4<Float>(2, 5, .nan, 4))
    #expect(pointwiseMin(a, b) == SIMD4(1, 5, 3, -.infinity))
    #expect(pointwiseMax(a, b) == SIMD4(2, 5, 3, 4))
    let (c, d) = (SIMD2<Double>(1, .nan), SIMD2<Double>(-1, .nan))
    #expect(pointwiseMin(c, d).x == -1 && pointwiseMin(c, d).y.isNaN)
    #expect(pointwiseMax(c, d).x == 1 && pointwiseMax(c, d).y.isNaN)
    #expect(pointwiseMin(SIMD2<Float>(1, 2), SIMD2(2, 1)) == SIMD2(1, 1))
    #expect(pointwiseMax(SIMD4<Double>(1, 2, 3, 4), SIMD4(4, 3, 2, 1)) == SIMD4(4, 3, 3, 4))
  }

  @Test func floorsAreThoseOfTheStandardLibrary() {
    var numbers: [Double] = [
      0, -0.0, 0.5, -0.5, 1, -1, .infinity, -.infinity, .leastNonzeroMagnitude, -.leastNonzeroMagnitude,
      0.49999999999999994, -0.49999999999999994, 0x1p51, 0x1p52, 0x1p53, .greatestFiniteMagnitude,
    ]
    for power in 0..<54 {
      let number = Double(sign: .plus, exponent: power, significand: 1)
      for near in [number, number.nextUp, number.nextDown, number + 0.5, number - 0.5, number * 1.3] {
        numbers += [near, -near]
      }
    }
    for (a, b) in zip(numbers, numbers.reversed()) {
      let floor = pointwiseFloor(SIMD2(a, b))
      #expect(floor == SIMD2(a.rounded(.down), b.rounded(.down)), "\(a), \(b)")
    }
    let odd = pointwiseFloor(SIMD2(.nan, 1.5))
    #expect(odd.x.isNaN && odd.y == 1)
  }
}
