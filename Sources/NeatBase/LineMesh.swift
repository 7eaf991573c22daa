/// How a line ends.
package enum LineCap: UInt8, Sendable { case butt, round, square }

/// How a line turns.
package enum LineJoin: UInt8, Sendable { case bevel, round, miter }

/// A vertex of a line's mesh, as MapLibre's line buckets have it: a point of the line and the vector from it
/// to the line's edge.
package struct LineVertex: BitwiseCopyable, Sendable {
  /// Tile units.
  package var position: SIMD2<Float>
  /// From the line's middle to its edge, for a half width of 1, in tile axes. Longer than 1 in miters.
  /// (MapLibre's buffers hold 63 times this, in bytes.)
  package var extrude: SIMD2<Float>
  /// Tile units along the line, from 0; starts again at 0 where the line is longer than 16,384 units and not
  /// measured.
  package var distance: Float
  /// Bit 0: the vertex ends a round cap or join. Bit 1: it lies on the line's right side ("up").
  package var flags: UInt8
  /// -1, 0 or 1: which end of a cap the extrusion leans to.
  package var direction: Int8

  package init(position: SIMD2<Float>, extrude: SIMD2<Float>, distance: Float, flags: UInt8, direction: Int8)
  {
    self.position = position
    self.extrude = extrude
    self.distance = distance
    self.flags = flags
    self.direction = direction
  }

  @inline(__always) package var isRound: Bool { flags & 1 != 0 }
  @inline(__always) package var isUp: Bool { flags & 2 != 0 }
}

/// Vertices that 16-bit indices reach: indices count from `vertexOffset`.
package struct LineMeshSegment: Sendable, Equatable {
  package var vertexOffset: Int
  package var vertexCount: Int
  package var indexOffset: Int
  package var indexCount: Int

  package init(vertexOffset: Int, vertexCount: Int, indexOffset: Int, indexCount: Int) {
    self.vertexOffset = vertexOffset
    self.vertexCount = vertexCount
    self.indexOffset = indexOffset
    self.indexCount = indexCount
  }
}

/// A stretch of one line in one segment of the mesh.
package struct LinePiece: BitwiseCopyable, Sendable {
  /// The caller's number of the feature, which picks its paint.
  package var feature: Int32
  /// The line of the mesh, counting from 0: a row of the gradient's colours.
  package var line: Int32
  /// The segment's first vertex.
  package var vertexOffset: Int32
  /// The piece's vertices, from the mesh's first.
  package var firstVertex: Int32
  package var endVertex: Int32
  /// The piece's indices, three a triangle.
  package var firstIndex: Int32
  package var endIndex: Int32
  /// What part of the whole line this tile holds, in 0...1; both 0 where nobody measured.
  package var clipStart: Float
  package var clipEnd: Float
  /// Tile units of the line in this tile; 0 where nobody measured.
  package var totalDistance: Float
  /// Tile units that a whole line counts for along which dashes and patterns run, where it was measured: as many as
  /// MapLibre's buckets can hold, however long the line is.
  package static let measuredLength: Float = 32767

  package init(
    feature: Int32, line: Int32, vertexOffset: Int32, firstVertex: Int32, endVertex: Int32, firstIndex: Int32,
    endIndex: Int32,
    clipStart: Float,
    clipEnd: Float, totalDistance: Float
  ) {
    self.feature = feature
    self.line = line
    self.vertexOffset = vertexOffset
    self.firstVertex = firstVertex
    self.endVertex = endVertex
    self.firstIndex = firstIndex
    self.endIndex = endIndex
    self.clipStart = clipStart
    self.clipEnd = clipEnd
    self.totalDistance = totalDistance
  }
}

/// Where the points of a piece lie.
package struct LineBox: BitwiseCopyable, Sendable {
  /// Tile units.
  package var middle, half: SIMD2<Float>
  /// The longest extrusion.
  package var reach: Float
}

/// Triangles of a bucket of lines. Within a line consecutive triangles share an edge, and none overlap where
/// the line does not turn back on itself. Immutable.
package final class LineMesh: Sendable {
  package nonisolated(unsafe) let vertices: UnsafeMutablePointer<LineVertex>
  package let vertexCount: Int
  package nonisolated(unsafe) let indices: UnsafeMutablePointer<UInt16>
  package let indexCount: Int
  package let segments: [LineMeshSegment]
  package let pieces: [LinePiece]
  /// Of the pieces.
  package let boxes: [LineBox]

  /// Takes over the two blocks.
  package init(
    vertices: UnsafeMutablePointer<LineVertex>, vertexCount: Int, indices: UnsafeMutablePointer<UInt16>,
    indexCount: Int,
    segments: [LineMeshSegment],
    pieces: [LinePiece]
  ) {
    self.vertices = vertices
    self.vertexCount = vertexCount
    self.indices = indices
    self.indexCount = indexCount
    self.segments = segments
    self.pieces = pieces
    boxes = pieces.map { piece in
      var low = SIMD2<Float>(repeating: .infinity)
      var high = SIMD2<Float>(repeating: -.infinity)
      var reach: Float = 0
      for vertex in Int(piece.firstVertex)..<Int(piece.endVertex) {
        low = pointwiseMin(low, vertices[vertex].position)
        high = pointwiseMax(high, vertices[vertex].position)
        reach = max(reach, (vertices[vertex].extrude * vertices[vertex].extrude).sum())
      }
      return LineBox(middle: (low + high) / 2, half: (high - low) / 2, reach: reach.squareRoot())
    }
    assert(indexCount % 3 == 0, "indices are not whole triangles")
    assert(
      segments.allSatisfy { segment in
        let indices = segment.indexOffset..<segment.indexOffset + segment.indexCount
        return segment.vertexOffset + segment.vertexCount <= vertexCount && indices.upperBound <= indexCount
          && indices.allSatisfy { Int(self.indices[$0]) < segment.vertexCount }
      }, "an index leads out of its segment")
    assert(
      pieces.allSatisfy {
        $0.firstVertex <= $0.endVertex && Int($0.endVertex) <= vertexCount && $0.firstIndex <= $0.endIndex
          && Int($0.endIndex) <= indexCount && $0.vertexOffset <= $0.firstVertex
      }, "a piece reaches out of its mesh")
  }

  deinit {
    vertices.deallocate()
    indices.deallocate()
  }
}
