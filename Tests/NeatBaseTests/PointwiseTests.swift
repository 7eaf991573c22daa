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
}
