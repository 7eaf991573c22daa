// On a globe walls and roofs are cut along a grid of their tile, so that they follow its curve: as fine as MapLibre GL JS
// has it, 128 cells of the world and at least two of a tile.
import NeatBase
import NeatLayout

extension GlobeTile {
  /// Layout units along a cell of the grid.
  private var cell: Float {
    let count = max(2, id.z < 7 ? 128 >> Int(id.z) : 2)
    return Float(TileUnits.extent) / Float(count)
  }

  /// Whether lines of the grid go through a box.
  func divides(_ box: FeatureBounds) -> Bool { divides(SIMD2(box.x, box.y), SIMD2(box.z, box.w)) }

  private func divides(_ low: SIMD2<Float>, _ high: SIMD2<Float>) -> Bool {
    let (a, b) = ((low / cell).rounded(.down), (high / cell).rounded(.up))
    return b.x - a.x > 1 || b.y - a.y > 1
  }

  /// A wall (x0, y0, x1, y1) cut at the lines of the grid, with the distances of its ends along the ring.
  func parts(ofWall wall: SIMD4<Float>, _ distances: SIMD2<Float>)
    -> [(wall: SIMD4<Float>, distances: SIMD2<Float>)]
  {
    let (a, b) = (wall.lowHalf, wall.highHalf)
    guard divides(pointwiseMin(a, b), pointwiseMax(a, b)) else { return [(wall, distances)] }
    var cuts: [Float] = [0, 1]
    for axis in 0..<2 where a[axis] != b[axis] {
      let (low, high) = (min(a[axis], b[axis]), max(a[axis], b[axis]))
      var line = ((low / cell).rounded(.down) + 1) * cell
      while line < high {
        cuts.append((line - a[axis]) / (b[axis] - a[axis]))
        line += cell
      }
    }
    cuts.sort()
    var parts: [(SIMD4<Float>, SIMD2<Float>)] = []
    for (from, to) in zip(cuts, cuts.dropFirst()) where from < to {
      let (p, q) = (a + (b - a) * from, to == 1 ? b : a + (b - a) * to)
      let way = distances.y - distances.x
      parts.append(
        (SIMD4(lowHalf: p, highHalf: q), SIMD2(distances.x + way * from, distances.x + way * to)))
    }
    return parts
  }

  /// Calls the body with the polygons that the grid's cells cut the triangles of a roof into.
  func eachPart(ofRoof roof: ArraySlice<UInt32>, _ points: [SIMD2<Float>], _ body: ([SIMD2<Float>]) -> Void) {
    var place = roof.startIndex
    while place + 2 < roof.endIndex {
      let triangle = (0..<3).map { points[Int(roof[place + $0])] }
      place += 3
      for strip in cut(triangle, axis: 1) {
        for part in cut(strip, axis: 0) where part.count > 2 { body(part) }
      }
    }
  }

  /// A convex polygon cut into strips by the lines across an axis.
  private func cut(_ polygon: [SIMD2<Float>], axis: Int) -> [[SIMD2<Float>]] {
    guard let low = polygon.map({ $0[axis] }).min(), let high = polygon.map({ $0[axis] }).max() else {
      return []
    }
    let (first, last) = ((low / cell).rounded(.down), (high / cell).rounded(.up))
    guard last - first > 1 else { return [polygon] }
    return (Int(bounded: first)..<Int(bounded: last)).map { number in
      let above = polygon.clipped(axis, Float(number) * cell, keepsAbove: true)
      return above.clipped(axis, Float(number + 1) * cell, keepsAbove: false)
    }
  }
}

extension [SIMD2<Float>] {
  fileprivate func clipped(_ axis: Int, _ limit: Float, keepsAbove: Bool) -> [SIMD2<Float>] {
    convexPart {
      keepsAbove ? $0[axis] - limit : limit - $0[axis]
    } between: {
      $0 + ($1 - $0) * $2
    }
  }
}
