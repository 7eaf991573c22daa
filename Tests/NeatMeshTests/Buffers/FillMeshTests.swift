import NeatBase
import Testing

@testable import NeatMesh

@Suite struct FillMeshTests {
  private static func mesh(_ polygons: [(feature: Int, rings: [[SIMD2<Float>]])]) -> FillMesh {
    var mesher = FillMesher()
    for polygon in polygons {
      var starts: [UInt32] = [0]
      for ring in polygon.rings { starts.append(starts.last! + UInt32(ring.count)) }
      mesher.add(feature: polygon.feature, points: polygon.rings.flatMap { $0 }, ringStarts: starts)
    }
    return mesher.finish()
  }

  private static func square(_ x: Float, _ y: Float, _ edge: Float) -> [SIMD2<Float>] {
    [SIMD2(x, y), SIMD2(x + edge, y), SIMD2(x + edge, y + edge), SIMD2(x, y + edge)]
  }

  private static func index(_ block: MeshBlock, _ at: Int) -> Int {
    block.layout == .index16
      ? Int(block.bytes.assumingMemoryBound(to: UInt16.self)[at])
      : Int(block.bytes.assumingMemoryBound(to: UInt32.self)[at])
  }

  /// Area of a piece's triangles; also checks that its indices stay among its vertices.
  private static func area(_ mesh: FillMesh, _ piece: MeshPiece) -> Double {
    let vertices = mesh.vertices.bytes.assumingMemoryBound(to: SIMD2<Float>.self)
    var sum = 0.0
    for triangle in stride(from: Int(piece.firstIndex), to: Int(piece.endIndex), by: 3) {
      let corners = (0..<3).map { corner -> SIMD2<Double> in
        let at = Int(piece.vertexOffset) + index(mesh.triangles, triangle + corner)
        #expect(at >= Int(piece.firstVertex) && at < Int(piece.endVertex))
        return SIMD2<Double>(vertices[at])
      }
      let (a, b) = (corners[1] - corners[0], corners[2] - corners[0])
      sum += abs(a.x * b.y - a.y * b.x) / 2
    }
    return sum
  }

  @Test func trianglesCoverThePolygonLessItsHole() {
    let mesh = Self.mesh([
      (0, [Self.square(0, 0, 100), Self.square(20, 20, 30).reversed()]), (1, [Self.square(500, 0, 7)]),
    ])
    #expect(mesh.trianglePieces.map(\.feature) == [0, 1])
    #expect(mesh.trianglePieces.map { Self.area(mesh, $0) } == [100 * 100 - 30 * 30, 49])
  }

  @Test func edgesCloseEveryRing() {
    let mesh = Self.mesh([(0, [Self.square(0, 0, 100), Self.square(20, 20, 30).reversed()])])
    #expect(mesh.edges.count == 2 * 8)
    let vertices = mesh.vertices.bytes.assumingMemoryBound(to: SIMD2<Float>.self)
    var length: Float = 0
    for edge in stride(from: 0, to: mesh.edges.count, by: 2) {
      let along = vertices[Self.index(mesh.edges, edge)] - vertices[Self.index(mesh.edges, edge + 1)]
      length += (along * along).sum().squareRoot()
    }
    #expect(length == 4 * 100 + 4 * 30)
  }

  @Test func manyPolygonsGoIntoSegmentsThat16BitsReach() {
    let count = 20_000
    let mesh = Self.mesh(
      (0..<count).map { ($0 / 2, [Self.square(Float($0 % 100) * 10, Float($0 / 100) * 10, 4)]) })
    #expect(mesh.triangles.layout == .index16)
    #expect(Set(mesh.trianglePieces.map(\.vertexOffset)).count == 2)
    #expect(mesh.trianglePieces.reduce(0) { $0 + Self.area(mesh, $1) } == Double(count) * 16)
    for piece in mesh.trianglePieces { #expect(piece.endVertex - piece.vertexOffset <= 65535) }
    #expect(mesh.trianglePieces.map(\.vertexOffset) == mesh.edgePieces.map(\.vertexOffset))
  }

  @Test func onePolygonOfMoreVerticesTakes32Bits() {
    let count = 70_000
    // A comb: convex nowhere near the teeth, so that nothing is dropped.
    var ring: [SIMD2<Float>] = []
    for tooth in 0..<count / 2 {
      ring.append(SIMD2(Float(tooth) * 2, 0))
      ring.append(SIMD2(Float(tooth) * 2 + 1, 10))
    }
    ring.append(SIMD2(Float(count), 100))
    ring.append(SIMD2(0, 100))
    let mesh = Self.mesh([(0, [Self.square(0, 200, 1)]), (1, [ring])])
    #expect(mesh.triangles.layout == .index32)
    #expect(mesh.edges.count == 2 * (4 + ring.count))
    #expect(mesh.triangles.count == 3 * (2 + ring.count - 2))
    #expect(Self.area(mesh, mesh.trianglePieces.last!) > 0)
  }

  @Test func withoutPolygonsThereIsNothing() {
    let mesh = Self.mesh([(0, [[]])])
    #expect(mesh.vertices.count == 0 && mesh.triangles.count == 0 && mesh.trianglePieces.isEmpty)
  }
}

@Suite struct PrismMeshTests {
  @Test func roofAndWallsKeepTheirSides() {
    var mesher = PrismMesher()
    let roof: [SIMD2<Float>] = [SIMD2(9, 9), SIMD2(0, 0), SIMD2(100, 0), SIMD2(100, 100), SIMD2(0, 100)]
    // Clockwise on the screen, the inside on the right hand.
    let walls: [SIMD4<Float>] = [
      SIMD4(0, 0, 100, 0), SIMD4(100, 0, 100, 100), SIMD4(100, 100, 0, 100), SIMD4(0, 100, 0, 0),
    ]
    mesher.add(feature: 3, roof: roof[1...], triangles: [1, 3, 2, 1, 4, 3], walls: walls[...])
    let mesh = mesher.finish()
    #expect(mesh.vertices.count == 4 + 16)
    #expect(mesh.indices.count == 6 + 4 * 6)
    #expect(mesh.pieces.map(\.feature) == [3])
    let vertices = mesh.vertices.bytes.assumingMemoryBound(to: ExtrusionVertex.self)
    for index in 4..<20 {
      let outwards =
        (vertices[index].position - SIMD2(50, 50)) * SIMD2(vertices[index].normal.x, vertices[index].normal.y)
      #expect(outwards.sum() == 50)
    }
    let indices = mesh.indices.bytes.assumingMemoryBound(to: UInt16.self)
    #expect((0..<6).map { indices[$0] } == [0, 2, 1, 0, 3, 2])
    for index in 0..<mesh.indices.count { #expect(Int(indices[index]) < mesh.vertices.count) }
  }
}

@Suite struct QuadTests {
  @Test func everyQuadIsTwoTrianglesOverItsOwnFourVertices() {
    let block = QuadIndices.block
    let indices = block.bytes.assumingMemoryBound(to: UInt16.self)
    #expect(block.count == QuadIndices.limit * 6)
    for quad in [0, 1, QuadIndices.limit - 1] {
      #expect(Set((0..<6).map { Int(indices[quad * 6 + $0]) }) == Set(quad * 4..<quad * 4 + 4))
    }
  }

  @Test func aCircleIsTheFourCornersOfItsSquare() {
    let mesh = CircleMesh([SIMD2(1, 2), SIMD2(3, 4)])
    let vertices = mesh.vertices.bytes.assumingMemoryBound(to: CircleVertex.self)
    #expect(mesh.vertices.count == 8)
    #expect(
      (0..<8).allSatisfy { SIMD2(vertices[$0].x, vertices[$0].y) == ($0 < 4 ? SIMD2(1, 2) : SIMD2(3, 4)) })
    #expect(
      (0..<4).map { SIMD2(vertices[$0].cornerX, vertices[$0].cornerY) } == [
        SIMD2(-1, -1), SIMD2(1, -1), SIMD2(-1, 1), SIMD2(1, 1),
      ])
  }

  @Test func blocksHaveNumbersOfTheirOwn() {
    let ids = (0..<100).map { _ in MeshBlock(.fill, [SIMD2<Float>(0, 0)]).id }
    #expect(Set(ids).count == 100 && !ids.contains(0))
  }
}
