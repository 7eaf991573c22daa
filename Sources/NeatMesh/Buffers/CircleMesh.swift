import NeatBase

/// A corner of a circle's square. Layout `circle`.
package struct CircleVertex: BitwiseCopyable, Sendable {
  /// The circle's centre in tile units.
  package var x: Float
  package var y: Float
  /// -1 or 1: which corner of the square, y down.
  package var cornerX: Int8
  package var cornerY: Int8
  private var padding: UInt16 = 0

  init(_ center: SIMD2<Float>, _ cornerX: Int8, _ cornerY: Int8) {
    (x, y) = (center.x, center.y)
    self.cornerX = cornerX
    self.cornerY = cornerY
  }
}

/// The circles of a bucket for a GPU: a square each, of which the circle is cut by its pixels' distance from
/// the centre. Indices are `QuadIndices`.
package final class CircleMesh: Sendable {
  /// Four a circle, in the order of the centres.
  package let vertices: MeshBlock

  package init(_ centers: [SIMD2<Float>]) {
    var vertices: [CircleVertex] = []
    vertices.reserveCapacity(centers.count * 4)
    for center in centers {
      for (x, y) in [(-1, -1), (1, -1), (-1, 1), (1, 1)] as [(Int8, Int8)] {
        vertices.append(CircleVertex(center, x, y))
      }
    }
    self.vertices = MeshBlock(.circle, vertices)
  }
}
