import NeatLayout
import NeatTile
import Testing

@Suite("Rings of polygons")
struct PolygonRingsTests {
  private func polygons(_ rings: [[SIMD2<Int32>]]) throws -> [[Int]] {
    PolygonRings.polygons(of: try makeLayer([TestFeature(.polygon, rings)]), 0)
  }

  @Test("A ring that turns as the first one opens a polygon, others are holes of the one before")
  func grouping() throws {
    let (outer, hole) = (Square(0, 0, 100).ring, Array(Square(10, 10, 10).ring.reversed()))
    #expect(try polygons([outer]) == [[0]])
    #expect(try polygons([outer, hole, hole, outer, hole]) == [[0, 1, 2], [3, 4]])
    #expect(try polygons([hole, outer]) == [[0, 1]], "whichever way the first one turns")
    #expect(try polygons([]) == [])
  }

  @Test("Rings without area are left out, but where there is no other")
  func flat() throws {
    let flat: [SIMD2<Int32>] = [SIMD2(0, 0), SIMD2(9, 0), SIMD2(0, 0)]
    let outer = Square(0, 0, 100).ring
    #expect(try polygons([flat, outer, flat]) == [[1]])
    #expect(try polygons([flat]) == [[0]])
  }

  @Test("Of more holes than the limit the largest are kept")
  func limit() throws {
    let count = PolygonRings.holeLimit + 20
    let rings =
      [Square(0, 0, 8000).ring]
      + (0..<count).map { Array(Square(Int32($0), 0, Int32($0 + 1)).ring.reversed()) }
    let limited = try polygons(rings)
    #expect(limited.count == 1 && limited[0].count == PolygonRings.holeLimit + 1)
    #expect(limited[0][0] == 0 && Set(limited[0].dropFirst()) == Set(21...count))
    #expect(try polygons(Array(rings[...PolygonRings.holeLimit]))[0].count == PolygonRings.holeLimit + 1)
  }
}
