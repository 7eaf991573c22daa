// How a mesh of many features is cut for 16-bit indices. Parts (a polygon, a prism) are never torn: they are
// put into segments of at most 65,535 vertices, and their indices count from the first vertex of their
// segment. Where one part alone has more vertices, the whole mesh takes 32-bit indices.
import NeatBase

/// What one feature has of one segment of a mesh: a run of its triangles (or of its edges).
package struct MeshPiece: BitwiseCopyable, Sendable {
  /// The feature's position in its bucket.
  package var feature: Int32
  /// The segment's first vertex; indices count from there.
  package var vertexOffset: Int32
  package var firstVertex: Int32
  package var endVertex: Int32
  package var firstIndex: Int32
  package var endIndex: Int32

  package init(feature: Int32, vertexOffset: Int32, vertices: Range<Int32>, indices: Range<Int32>) {
    self.feature = feature
    self.vertexOffset = vertexOffset
    assert(vertexOffset >= 0 && vertexOffset <= vertices.lowerBound, "indices count from before the piece")
    firstVertex = vertices.lowerBound
    endVertex = vertices.upperBound
    firstIndex = indices.lowerBound
    endIndex = indices.upperBound
  }

  package init(_ piece: LinePiece) {
    self.init(
      feature: piece.feature, vertexOffset: piece.vertexOffset, vertices: piece.firstVertex..<piece.endVertex,
      indices: piece.firstIndex..<piece.endIndex)
  }
}

/// What of a mesh stays together. Parts follow one another in vertices and in indices.
struct MeshPart {
  var feature: Int32
  var endVertex: Int
  var endIndex: Int
}

/// Indices in segments, and the pieces that they consist of.
struct PackedIndices {
  let block: MeshBlock
  let pieces: [MeshPiece]

  /// `indices` count from the mesh's first vertex.
  init(_ parts: [MeshPart], _ indices: [UInt32]) {
    var offsets: [Int] = []
    offsets.reserveCapacity(parts.count)
    var (start, previous, isWide) = (0, 0, false)
    for part in parts {
      if part.endVertex - start > LineTessellator.maxSegmentVertices { start = previous }
      isWide = isWide || part.endVertex - start > LineTessellator.maxSegmentVertices
      offsets.append(start)
      previous = part.endVertex
    }
    assert(
      zip(parts, parts.dropFirst()).allSatisfy { $0.endVertex <= $1.endVertex && $0.endIndex <= $1.endIndex },
      "parts follow one another")
    assert((parts.last?.endIndex ?? 0) == indices.count, "indices that no part has")
    pieces = PackedIndices.pieces(parts, offsets)
    block = MeshBlock(isWide ? .index32 : .index16, count: indices.count) { memory in
      var index = 0
      for (part, offset) in zip(parts, offsets) {
        let offset = UInt32(offset)
        assert(
          indices[index..<part.endIndex].allSatisfy { $0 >= offset && Int($0) < part.endVertex },
          "an index leads out of its part")
        if isWide {
          let out = memory.assumingMemoryBound(to: UInt32.self)
          for at in index..<part.endIndex { out[at] = indices[at] - offset }
        } else {
          let out = memory.assumingMemoryBound(to: UInt16.self)
          for at in index..<part.endIndex { out[at] = UInt16(truncatingIfNeeded: indices[at] - offset) }
        }
        index = part.endIndex
      }
    }
  }

  /// Parts of one feature in one segment become one piece.
  private static func pieces(_ parts: [MeshPart], _ offsets: [Int]) -> [MeshPiece] {
    var pieces: [MeshPiece] = []
    var (vertex, index) = (0, 0)
    for (part, offset) in zip(parts, offsets) {
      defer { (vertex, index) = (part.endVertex, part.endIndex) }
      if let last = pieces.indices.last, pieces[last].feature == part.feature,
        pieces[last].vertexOffset == Int32(offset)
      {
        pieces[last].endVertex = Int32(part.endVertex)
        pieces[last].endIndex = Int32(part.endIndex)
      } else {
        pieces.append(
          MeshPiece(
            feature: part.feature, vertexOffset: Int32(offset),
            vertices: Int32(vertex)..<Int32(part.endVertex),
            indices: Int32(index)..<Int32(part.endIndex)))
      }
    }
    return pieces
  }
}
