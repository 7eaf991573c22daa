import NeatBase

/// The polygons of a bucket for a GPU: triangles, and the edges of all rings as lines, over the same
/// vertices.
package final class FillMesh: Sendable {
  /// Layout `fill`.
  package let vertices: MeshBlock
  /// Three an index triple.
  package let triangles: MeshBlock
  package let trianglePieces: [MeshPiece]
  /// Two an edge.
  package let edges: MeshBlock
  package let edgePieces: [MeshPiece]

  init(vertices: [SIMD2<Float>], triangles: PackedIndices, edges: PackedIndices) {
    self.vertices = MeshBlock(.fill, vertices)
    self.triangles = triangles.block
    trianglePieces = triangles.pieces
    self.edges = edges.block
    edgePieces = edges.pieces
  }

  package var byteCount: Int {
    let pieces = (trianglePieces.count + edgePieces.count) * MemoryLayout<MeshPiece>.stride
    return vertices.byteCount + triangles.byteCount + edges.byteCount + pieces
  }
}

/// Makes a `FillMesh`, polygon by polygon.
package struct FillMesher: ~Copyable {
  private var triangulator = Triangulator()
  private var vertices: [SIMD2<Float>] = []
  private var triangles: [UInt32] = []
  private var edges: [UInt32] = []
  private var triangleParts: [MeshPart] = []
  private var edgeParts: [MeshPart] = []

  package init() {}

  /// Adds a polygon of a feature: rings as `Triangulator.triangulate` takes them, the outer one first,
  /// without closing points. Features come in order.
  package mutating func add(feature: Int, points: [SIMD2<Float>], ringStarts: [UInt32]) {
    guard !points.isEmpty, ringStarts.count > 1 else { return }
    assert(ringStarts[0] == 0 && Int(ringStarts[ringStarts.count - 1]) == points.count, "points of no ring")
    assert(zip(ringStarts, ringStarts.dropFirst()).allSatisfy(<=), "rings follow one another")
    let base = UInt32(vertices.count)
    vertices.append(contentsOf: points)
    for index in triangulator.triangulate(
      points: points, ringStarts: ringStarts, ringCount: ringStarts.count - 1)
    {
      triangles.append(base + index)
    }
    for ring in 0..<ringStarts.count - 1 where ringStarts[ring + 1] > ringStarts[ring] + 1 {
      var previous = base + ringStarts[ring + 1] - 1
      for index in base + ringStarts[ring]..<base + ringStarts[ring + 1] {
        edges.append(previous)
        edges.append(index)
        previous = index
      }
    }
    assert(triangles.count % 3 == 0 && edges.count % 2 == 0, "indices are not whole triangles and edges")
    triangleParts.append(
      MeshPart(feature: Int32(feature), endVertex: vertices.count, endIndex: triangles.count))
    edgeParts.append(MeshPart(feature: Int32(feature), endVertex: vertices.count, endIndex: edges.count))
  }

  package consuming func finish() -> FillMesh {
    FillMesh(
      vertices: vertices, triangles: PackedIndices(triangleParts, triangles),
      edges: PackedIndices(edgeParts, edges))
  }
}
