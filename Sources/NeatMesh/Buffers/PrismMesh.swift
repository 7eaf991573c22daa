import NeatBase

/// The prisms of a bucket for a GPU: roofs and walls with normals; base and height come with the paint.
package final class PrismMesh: Sendable {
  /// Layout `extrusion`.
  package let vertices: MeshBlock
  package let indices: MeshBlock
  package let pieces: [MeshPiece]

  init(vertices: [ExtrusionVertex], indices: PackedIndices) {
    self.vertices = MeshBlock(.extrusion, vertices)
    self.indices = indices.block
    pieces = indices.pieces
  }

  package var byteCount: Int {
    vertices.byteCount + indices.byteCount + pieces.count * MemoryLayout<MeshPiece>.stride
  }
}

/// Makes a `PrismMesh`, feature by feature.
package struct PrismMesher: ~Copyable {
  private var mesh = ExtrusionMesh()
  private var parts: [MeshPart] = []

  package init() {}

  /// Adds a feature; see `ExtrusionMesh.add(roof:triangles:walls:)`.
  package mutating func add(
    feature: Int, roof: ArraySlice<SIMD2<Float>>, triangles: ArraySlice<UInt32>,
    walls: ArraySlice<SIMD4<Float>>
  ) {
    mesh.add(roof: roof, triangles: triangles, walls: walls)
    parts.append(
      MeshPart(feature: Int32(feature), endVertex: mesh.vertices.count, endIndex: mesh.indices.count))
  }

  package consuming func finish() -> PrismMesh {
    PrismMesh(vertices: mesh.vertices, indices: PackedIndices(parts, mesh.indices))
  }
}
