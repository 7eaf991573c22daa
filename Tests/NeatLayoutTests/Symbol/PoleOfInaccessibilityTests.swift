import NeatLayout
import Testing

@Suite("The place in a polygon with most room")
struct PoleOfInaccessibilityTests {
  private func square(_ low: Double, _ high: Double) -> [SIMD2<Double>] {
    [SIMD2(low, low), SIMD2(high, low), SIMD2(high, high), SIMD2(low, high)]
  }

  private func isNear(_ a: SIMD2<Double>, _ b: SIMD2<Double>, _ tolerance: Double) -> Bool {
    abs(a.x - b.x) <= tolerance && abs(a.y - b.y) <= tolerance
  }

  @Test("Of a square, its middle; with a hole there, a place beside it")
  func squares() {
    #expect(isNear(poleOfInaccessibility([square(0, 100)], precision: 1), SIMD2(50, 50), 1))
    let beside = poleOfInaccessibility([square(0, 100), square(30, 70)], precision: 1)
    #expect(!isNear(beside, SIMD2(50, 50), 20), "\(beside)")
  }

  @Test("Of a bent shape, a place within it, where the middle lies outside")
  func bent() {
    let ring = [
      SIMD2<Double>(0, 0), SIMD2(100, 0), SIMD2(100, 20), SIMD2(20, 20), SIMD2(20, 100), SIMD2(0, 100),
    ]
    let pole = poleOfInaccessibility([ring], precision: 0.5)
    #expect(pole.x < 20 || pole.y < 20)
    #expect(isNear(pole, SIMD2(12, 12), 4), "\(pole)")
  }

  @Test("Along a band of equal distance, the middle")
  func band() {
    let ring = [SIMD2<Double>(0, 0), SIMD2(800, 0), SIMD2(800, 300), SIMD2(0, 300)]
    #expect(poleOfInaccessibility([ring], precision: 16) == SIMD2(400, 150))
  }

  @Test("Shapes without area, very long ones and none at all have an answer")
  func degenerate() {
    #expect(poleOfInaccessibility([], precision: 1) == .zero)
    #expect(poleOfInaccessibility([[]], precision: 1) == .zero)
    #expect(poleOfInaccessibility([[SIMD2(3, 4)]], precision: 1) == SIMD2(3, 4))
    #expect(poleOfInaccessibility([[SIMD2(3, 4), SIMD2(9, 4), SIMD2(3, 4)]], precision: 1) == SIMD2(3, 4))
    let thin = [SIMD2<Double>(0, 0), SIMD2(1e6, 0), SIMD2(1e6, 1), SIMD2(0, 1)]
    let pole = poleOfInaccessibility([thin], precision: 0.1)
    #expect(pole.x > 0 && pole.x < 1e6 && pole.y >= 0 && pole.y <= 1)
  }
}
