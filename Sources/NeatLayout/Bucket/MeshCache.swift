import NeatBase
import NeatMesh

/// What frames for GPUs make of a bucket: its mesh, once, and the paint of its vertices. Empty until the
/// first such frame, so that pictures drawn on the CPU pay nothing for it.
package final class MeshCache<Mesh: Sendable>: Sendable {
  private struct Paint {
    var slot: Int
    var zoom: Double
    var block: MeshBlock
  }

  private struct State {
    var mesh: Mesh?
    var meshBytes = 0
    var paints: [Paint] = []
  }

  private let state = Locked(State())

  init() {}

  /// The mesh; `make` gives it and its bytes. A second thread waits for the first.
  func mesh(_ make: () -> (Mesh, bytes: Int)) -> Mesh {
    state.withLock { state in
      if let mesh = state.mesh { return mesh }
      let (mesh, bytes) = make()
      (state.mesh, state.meshBytes) = (mesh, bytes)
      return mesh
    }
  }

  /// The paint of a slot at a zoom. One is kept a slot: paint that does not depend on zoom is asked for with
  /// always the same.
  package func paint(slot: Int, zoom: Double, _ make: () -> MeshBlock) -> MeshBlock {
    let known = state.withLock { state in state.paints.first { $0.slot == slot && $0.zoom == zoom } }
    if let known { return known.block }
    let made = make()
    return state.withLock { state in
      if let other = state.paints.first(where: { $0.slot == slot && $0.zoom == zoom }) { return other.block }
      state.paints.removeAll { $0.slot == slot }
      state.paints.append(Paint(slot: slot, zoom: zoom, block: made))
      assert(Set(state.paints.map(\.slot)).count == state.paints.count, "one paint a slot")
      return made
    }
  }

  /// Whether the mesh is made.
  package var isMade: Bool { state.withLock { $0.mesh != nil } }

  /// Bytes held.
  package var cost: Int {
    state.withLock { state in state.paints.reduce(state.meshBytes) { $0 + $1.block.byteCount } }
  }
}

extension FillBucket {
  /// Triangles and edges, in layout units.
  package var mesh: FillMesh {
    meshes.mesh {
      var mesher = FillMesher()
      var points: [SIMD2<Float>] = []
      var starts: [UInt32] = []
      for (position, feature) in features.enumerated() {
        for rings in PolygonRings.polygons(of: layer, Int(feature)) {
          points.removeAll(keepingCapacity: true)
          starts.removeAll(keepingCapacity: true)
          for part in rings {
            starts.append(UInt32(points.count))
            for index in layer.pointRange(ofPart: part) {
              points.append(SIMD2<Float>(layer.points[index]) * layer.layoutScale)
            }
          }
          starts.append(UInt32(points.count))
          mesher.add(feature: position, points: points, ringStarts: starts)
        }
      }
      let mesh = mesher.finish()
      return (mesh, mesh.byteCount)
    }
  }
}

/// The tessellated lines as blocks: the memory that the raster draws from.
package final class LineBlocks: Sendable {
  /// Layout `line`.
  package let vertices: MeshBlock
  package let indices: MeshBlock
  package let pieces: [MeshPiece]

  init(_ mesh: LineMesh) {
    let isMeasured = mesh.pieces.contains { $0.totalDistance > 0 }
    vertices =
      isMeasured
      ? LineBlocks.measured(mesh) : MeshBlock(.line, of: mesh, mesh.vertices, count: mesh.vertexCount)
    indices = MeshBlock(.index16, of: mesh, mesh.indices, count: mesh.indexCount)
    pieces = mesh.pieces.map(MeshPiece.init)
  }

  /// Vertices of measured lines: their distances count along the whole line.
  private static func measured(_ mesh: LineMesh) -> MeshBlock {
    var vertices = Array(UnsafeBufferPointer(start: mesh.vertices, count: mesh.vertexCount))
    for piece in mesh.pieces where piece.totalDistance > 0 {
      let scale = (piece.clipEnd - piece.clipStart) / piece.totalDistance
      for index in Int(piece.firstVertex)..<Int(piece.endVertex) {
        let progress = piece.clipStart + vertices[index].distance * scale
        vertices[index].distance = progress * LinePiece.measuredLength
      }
    }
    return MeshBlock(.line, vertices)
  }
}

extension LineBucket {
  package var blocks: LineBlocks {
    meshes.mesh {
      let blocks = LineBlocks(mesh)
      return (blocks, blocks.pieces.count * MemoryLayout<MeshPiece>.stride)
    }
  }
}

extension CircleBucket {
  /// A square a circle.
  package var mesh: CircleMesh {
    meshes.mesh {
      let mesh = CircleMesh(centers)
      return (mesh, mesh.vertices.byteCount)
    }
  }
}

extension ExtrusionBucket {
  /// Roofs and walls.
  package var mesh: PrismMesh {
    meshes.mesh {
      var mesher = PrismMesher()
      for (position, piece) in pieces.enumerated() {
        mesher.add(
          feature: position, roof: points[piece.points], triangles: roofs[piece.roof],
          walls: walls[piece.walls])
      }
      let mesh = mesher.finish()
      return (mesh, mesh.byteCount)
    }
  }
}
