// Sutherland and Hodgman's clipping of a ring, in homogeneous pixels (x·w, y·w, w), against the near plane
// and a guard square far outside the frame: what is left has a positive w and coordinates that fit the fixed
// point of the scan conversion. The point in which an edge meets a plane is computed from the edge's ends in
// one order, whichever way the ring runs, so that shapes that share the edge share the point.

package enum HomogeneousClip {
  /// Half the side of the guard square, in pixels.
  package static let guardPixels = 1_048_576.0
  /// Smaller w are behind the camera.
  package static let nearW = 1e-6

  /// Whether the point needs no clipping.
  @inline(__always) static func isInside(_ p: SIMD4<Double>) -> Bool {
    let limit = guardPixels * p.z
    return p.z >= nearW && abs(p.x) <= limit && abs(p.y) <= limit
  }

  @inline(__always) private static func distance(_ p: SIMD4<Double>, _ plane: Int) -> Double {
    room(p.x, p.y, p.z, plane, reach: guardPixels, nearW: nearW)
  }

  /// How far a point (x·w, y·w, w) is on the inner side of one of the five planes, in that one's own measure: the near
  /// plane, and the sides of a square of twice `reach` pixels.
  @inline(__always) static func room<Number: BinaryFloatingPoint>(
    _ x: Number, _ y: Number, _ w: Number, _ plane: Int, reach: Number, nearW: Number
  ) -> Number {
    switch plane {
    case 0: w - nearW
    case 1: reach * w - x
    case 2: reach * w + x
    case 3: reach * w - y
    default: reach * w + y
    }
  }

  @inline(__always) private static func precedes(_ a: SIMD4<Double>, _ b: SIMD4<Double>) -> Bool {
    a.x != b.x ? a.x < b.x : a.y != b.y ? a.y < b.y : a.z < b.z
  }

  private static func crossing(_ a: SIMD4<Double>, _ b: SIMD4<Double>, _ plane: Int) -> SIMD4<Double> {
    let (p, q) = precedes(a, b) ? (a, b) : (b, a)
    let (dp, dq) = (distance(p, plane), distance(q, plane))
    return p + (q - p) * (dp / (dp - dq))
  }

  /// The ring (without a closing point) cut to the planes; empty where nothing is left.
  package static func ring(_ points: [SIMD4<Double>]) -> [SIMD4<Double>] {
    var current = points
    var next: [SIMD4<Double>] = []
    for plane in 0..<5 where !current.isEmpty {
      if current.allSatisfy({ distance($0, plane) >= 0 }) { continue }
      next.removeAll(keepingCapacity: true)
      var previous = current[current.count - 1]
      var previousInside = distance(previous, plane) >= 0
      for point in current {
        let inside = distance(point, plane) >= 0
        if inside != previousInside { next.append(crossing(previous, point, plane)) }
        if inside { next.append(point) }
        previous = point
        previousInside = inside
      }
      swap(&current, &next)
    }
    return current
  }
}
