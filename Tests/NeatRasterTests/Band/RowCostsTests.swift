import Testing

@testable import NeatRaster

@Suite struct RowCostsTests {
  private func sums(_ height: Int, _ shapes: [(top: Float, bottom: Float, cost: Float)]) -> [Float] {
    var costs = RowCosts()
    for shape in shapes { costs.add(top: shape.top, bottom: shape.bottom, height: height, shape.cost) }
    var sums = [Float](repeating: 1, count: RowCosts.steps(height))
    costs.add(to: &sums)
    return sums
  }

  @Test func aShapeIsCountedEvenlyOverItsRows() {
    #expect(RowCosts.steps(40) == 5 && RowCosts.steps(41) == 6 && RowCosts.steps(1) == 1)
    #expect(sums(40, [(8, 30, 9)]) == [1, 4, 4, 4, 1])
    #expect(sums(40, [(17, 18, 9), (0, 39, 5)]) == [2, 2, 11, 2, 2])
  }

  @Test func whatLiesOutsideIsCountedAtTheBorder() {
    #expect(sums(24, [(-1e9, -1e8, 5)]) == [6, 1, 1])
    #expect(sums(24, [(1e8, .infinity, 5)]) == [1, 1, 6])
    #expect(sums(24, [(-.infinity, .infinity, 6)]) == [3, 3, 3])
    #expect(sums(24, [(.nan, .nan, 5)]) == [6, 1, 1])
    // Upside down: where it begins.
    #expect(sums(24, [(20, 2, 5)]) == [1, 1, 6])
  }

  /// As the pictures are that are draped over the ground.
  @Test func rowsOfAHigherFrameAreCountedAtTheBorder() {
    var costs = RowCosts()
    costs.add(top: 0, bottom: 7, height: 16, 3)
    costs.add(top: 3000, bottom: 4000, height: 4096, 5)
    costs.add(top: 0, bottom: 1, height: 1, 2)
    var sums: [Float] = [0, 0]
    costs.add(to: &sums)
    #expect(sums == [5, 5])
  }

  @Test func emptiedItCountsNothing() {
    var costs = RowCosts()
    costs.add(top: 0, bottom: 10, height: 16, 3)
    costs.removeAll()
    var sums: [Float] = [0, 0, 0]
    costs.add(to: &sums)
    #expect(sums == [0, 0, 0])
    // Another height.
    costs.add(top: 16, bottom: 23, height: 24, 3)
    costs.add(to: &sums)
    #expect(sums == [0, 0, 3])
  }

  @Test func shapesOfAFrameAreCountedWhereTheyLie() {
    let points: [SIMD2<Float>] = [SIMD2(0, 60), SIMD2(50, 60), SIMD2(50, 70), SIMD2(0, 70)]
    let shapes = FillShapes()
    points.withUnsafeBufferPointer { points in
      [UInt32(0), 4].withUnsafeBufferPointer { starts in
        [UInt32(0), 1].withUnsafeBufferPointer { rings in
          let geometry = FillGeometry(
            points: .float(points.baseAddress!), ringStarts: starts.baseAddress!,
            featureRings: rings.baseAddress!, featureCount: 1)
          _ = FillFrame(geometry, Projection(scale: 1), width: 100, height: 100, in: shapes)
        }
      }
    }
    var sums = [Float](repeating: 0, count: RowCosts.steps(100))
    shapes.addCosts(to: &sums)
    #expect(sums.enumerated().allSatisfy { (7...8).contains($0) == ($1 > 0) }, "\(sums)")
  }
}
