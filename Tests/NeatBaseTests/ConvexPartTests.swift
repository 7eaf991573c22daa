import NeatBase
import Testing

@Suite struct ConvexPartTests {
  private let square: [SIMD2<Double>] = [SIMD2(0, 0), SIMD2(2, 0), SIMD2(2, 2), SIMD2(0, 2)]

  private func part(_ polygon: [SIMD2<Double>], below limit: Double) -> [SIMD2<Double>] {
    polygon.convexPart({ limit - $0.x }, between: { $0 + ($1 - $0) * $2 })
  }

  @Test func whatLiesOnTheOneSideStays() {
    #expect(part(square, below: 3) == square)
    #expect(part(square, below: -1) == [])
    #expect(part([], below: 1) == [])
  }

  @Test func whatIsCutHasNewCornersOnThePlane() {
    let half = part(square, below: 0.5)
    #expect(Set(half) == [SIMD2(0, 0), SIMD2(0.5, 0), SIMD2(0.5, 2), SIMD2(0, 2)])
    #expect(half.count == 4)
  }
}
