import NeatBase

// A polygon raised to a prism: its triangulation at the top, and a rectangle for each edge from the base to
// the top, with a normal of its own. Edges that run along a tile's border outside the tile are cuts of the
// tiler, not walls, and get none.

/// A vertex of a prism: where on the map, whether at the base or the top, which way its face looks, and how
/// far along the outline it is.
package struct ExtrusionVertex: BitwiseCopyable, Sendable, Equatable {
  /// Tile units.
  package var position: SIMD2<Float>
  /// 0 at the base, 1 at the top.
  package var level: Float
  /// Distance along the ring in tile units, for patterns; 0 on the roof.
  package var distance: Float
  /// Unit vector outwards, x and y in tile axes (y down), z upwards.
  package var normal: SIMD3<Float>
}

/// Roofs and walls of any number of polygons.
package struct ExtrusionMesh {
  package private(set) var vertices: [ExtrusionVertex] = []
  /// Three a triangle.
  package private(set) var indices: [UInt32] = []
  /// Tile units along an edge of the tile; 0 keeps every wall.
  package let extent: Int32

  package init(extent: Int32 = 0) { self.extent = extent }

  package mutating func removeAll() {
    vertices.removeAll(keepingCapacity: true)
    indices.removeAll(keepingCapacity: true)
  }

  /// Adds a polygon; rings as `Triangulator.triangulate` takes them, without closing points. A polygon
  /// without area, or wholly outside the tile, adds nothing.
  package mutating func add(
    points: UnsafePointer<SIMD2<Int32>>, ringStarts: UnsafePointer<UInt32>, ringCount: Int,
    triangulator: inout Triangulator
  ) {
    guard ringCount > 0, !isOutside(points, Int(ringStarts[0])..<Int(ringStarts[1])) else { return }
    let roof = triangulator.triangulate(points: points, ringStarts: ringStarts, ringCount: ringCount)
    guard !roof.isEmpty else { return }
    assert(roof.count % 3 == 0, "indices are not whole triangles")
    let first = UInt32(vertices.count)
    let begin = ringStarts[0]
    for index in Int(begin)..<Int(ringStarts[ringCount]) {
      vertices.append(
        ExtrusionVertex(position: place(points[index]), level: 1, distance: 0, normal: SIMD3(0, 0, 1)))
    }
    for index in roof { indices.append(first + index - begin) }
    for ring in 0..<ringCount {
      addWalls(points, Int(ringStarts[ring])..<Int(ringStarts[ring + 1]), isOuter: ring == 0)
    }
  }

  /// Adds what is cut into a roof and walls already. Indices of `triangles` count in the array that `roof` is
  /// a part of, and turn counterclockwise as seen from above; a wall goes from corner to corner (x0, y0, x1,
  /// y1) with the inside on its right hand.
  package mutating func add(
    roof: ArraySlice<SIMD2<Float>>, triangles: ArraySlice<UInt32>, walls: ArraySlice<SIMD4<Float>>
  ) {
    assert(triangles.count % 3 == 0, "indices are not whole triangles")
    assert(triangles.allSatisfy { roof.indices.contains(Int($0)) }, "a triangle leads out of its roof")
    let first = UInt32(vertices.count)
    for point in roof {
      vertices.append(ExtrusionVertex(position: point, level: 1, distance: 0, normal: SIMD3(0, 0, 1)))
    }
    let start = UInt32(roof.startIndex)
    for index in triangles { indices.append(first + index - start) }
    for wall in walls {
      let edge = SIMD2(wall.z - wall.x, wall.w - wall.y)
      let length = (edge * edge).sum().squareRoot()
      let normal = SIMD3(edge.y / length, -edge.x / length, 0)
      let first = UInt32(vertices.count)
      for (point, along) in [(SIMD2(wall.x, wall.y), 0), (SIMD2(wall.z, wall.w), length)] {
        vertices.append(ExtrusionVertex(position: point, level: 0, distance: along, normal: normal))
        vertices.append(ExtrusionVertex(position: point, level: 1, distance: along, normal: normal))
      }
      for corner in [0, 1, 2, 1, 3, 2] as [UInt32] { indices.append(first + corner) }
    }
  }

  private func place(_ point: SIMD2<Int32>) -> SIMD2<Float> { SIMD2(Float(point.x), Float(point.y)) }

  private mutating func addWalls(_ points: UnsafePointer<SIMD2<Int32>>, _ ring: Range<Int>, isOuter: Bool) {
    guard ring.count > 1 else { return }
    var area = 0.0
    var previous = ring.upperBound - 1
    for index in ring {
      area +=
        Double(points[previous].x) * Double(points[index].y) - Double(points[index].x)
        * Double(points[previous].y)
      previous = index
    }
    // Outer rings turn with positive area, holes the other way round; a ring wound otherwise has its walls
    // turned.
    let turn: Float = (area >= 0) == isOuter ? 1 : -1
    var distance: Float = 0
    var at = ring.upperBound - 1
    for index in ring {
      let a = points[at], b = points[index]
      at = index
      if a == b { continue }
      let edge = place(b) - place(a)
      let length = (edge * edge).sum().squareRoot()
      if !isBorder(a, b) {
        let normal = SIMD3(edge.y / length * turn, -edge.x / length * turn, 0)
        let first = UInt32(vertices.count)
        for (point, along) in [(a, distance), (b, distance + length)] {
          vertices.append(ExtrusionVertex(position: place(point), level: 0, distance: along, normal: normal))
          vertices.append(ExtrusionVertex(position: place(point), level: 1, distance: along, normal: normal))
        }
        let order: [UInt32] = turn > 0 ? [0, 2, 1, 1, 2, 3] : [0, 1, 2, 1, 3, 2]
        for corner in order { indices.append(first + corner) }
      }
      distance += length
    }
  }

  /// Whether an edge runs along the outside of a border.
  private func isBorder(_ a: SIMD2<Int32>, _ b: SIMD2<Int32>) -> Bool {
    extent > 0 && ((a.x == b.x && (a.x < 0 || a.x > extent)) || (a.y == b.y && (a.y < 0 || a.y > extent)))
  }

  private func isOutside(_ points: UnsafePointer<SIMD2<Int32>>, _ ring: Range<Int>) -> Bool {
    guard extent > 0 else { return false }
    return ring.allSatisfy { points[$0].x < 0 } || ring.allSatisfy { points[$0].x > extent }
      || ring.allSatisfy { points[$0].y < 0 }
      || ring.allSatisfy { points[$0].y > extent }
  }
}
