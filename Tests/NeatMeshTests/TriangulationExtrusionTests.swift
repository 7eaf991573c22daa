import NeatBase
import Testing

@testable import NeatMesh

@Suite struct ExtrusionTests {
  static func mesh(_ rings: [[SIMD2<Int32>]], extent: Int32 = 0) -> ExtrusionMesh {
    var mesh = ExtrusionMesh(extent: extent)
    var triangulator = Triangulator()
    var starts: [UInt32] = [0]
    for ring in rings { starts.append(starts.last! + UInt32(ring.count)) }
    mesh.add(
      points: rings.flatMap { $0 }, ringStarts: starts, ringCount: rings.count, triangulator: &triangulator)
    return mesh
  }

  static let square: [SIMD2<Int32>] = [SIMD2(0, 0), SIMD2(100, 0), SIMD2(100, 100), SIMD2(0, 100)]

  @Test func aSquareHasARoofAndFourWallsThatLookOutwards() {
    for ring in [ExtrusionTests.square, ExtrusionTests.square.reversed()] {
      let mesh = ExtrusionTests.mesh([ring])
      #expect(mesh.indices.count == 3 * (2 + 4 * 2))
      #expect(mesh.vertices.count == 4 + 16)
      for vertex in mesh.vertices.dropFirst(4) {
        let outwards = (vertex.position - SIMD2(50, 50)) * SIMD2(vertex.normal.x, vertex.normal.y)
        #expect(outwards.sum() == 50)
      }
    }
  }

  @Test func wallsOfAHoleLookIntoIt() {
    let hole: [SIMD2<Int32>] = [SIMD2(40, 40), SIMD2(40, 60), SIMD2(60, 60), SIMD2(60, 40)]
    let mesh = ExtrusionTests.mesh([ExtrusionTests.square, hole])
    for vertex in mesh.vertices.dropFirst(8 + 16) {
      #expect(((vertex.position - SIMD2(50, 50)) * SIMD2(vertex.normal.x, vertex.normal.y)).sum() == -10)
    }
  }

  @Test func cutsOfTheTilerGetNoWall() {
    let cut: [SIMD2<Int32>] = [SIMD2(-10, 10), SIMD2(50, 10), SIMD2(50, 20), SIMD2(-10, 20)]
    #expect(ExtrusionTests.mesh([cut], extent: 100).indices.count == 3 * (2 + 3 * 2))
    #expect(
      ExtrusionTests.mesh([[SIMD2(-10, 10), SIMD2(-5, 10), SIMD2(-5, 20)]], extent: 100).vertices.isEmpty)
  }

  @Test func distancesRunAlongTheRing() {
    let mesh = ExtrusionTests.mesh([ExtrusionTests.square])
    #expect(mesh.vertices.map(\.distance).max() == 400)
  }

  @Test func nothingComesOfNothing() {
    #expect(ExtrusionTests.mesh([]).vertices.isEmpty)
    #expect(ExtrusionTests.mesh([[SIMD2(0, 0), SIMD2(1, 1)]]).vertices.isEmpty)
  }
}
