import NeatBase

/// A polygon that shapes of the grid are tested against; touching counts as meeting.
package struct CollisionPolygon: Sendable {
  /// The first point again at the end.
  private let ring: [SIMD2<Float>]

  /// - Parameter ring: closed, in pixels of the grid.
  package init(_ ring: [SIMD2<Float>]) { self.ring = ring }

  /// Whether it meets a rectangle, or, with a radius of 0 or more, the circle that the rectangle is around.
  func meets(_ b: CollisionRect, _ radius: Float) -> Bool {
    if radius >= 0 {
      let center = SIMD2((b.x1 + b.x2) * 0.5, (b.y1 + b.y2) * 0.5)
      return contains(center) || edges { Self.distance2(center, $0, $1) <= radius * radius }
    }
    if contains(SIMD2(b.x1, b.y1)) { return true }
    return edges { Self.meets(b, $0, $1) }
  }

  private func edges(_ test: (SIMD2<Float>, SIMD2<Float>) -> Bool) -> Bool {
    zip(ring, ring.dropFirst()).contains { test($0, $1) }
  }

  /// By the even-odd rule.
  private func contains(_ p: SIMD2<Float>) -> Bool {
    var inside = false
    for (a, b) in zip(ring, ring.dropFirst()) where (a.y > p.y) != (b.y > p.y) {
      if p.x < (b.x - a.x) * (p.y - a.y) / (b.y - a.y) + a.x { inside.toggle() }
    }
    return inside
  }

  /// Whether a segment meets a rectangle: what is left of it within the four sides (Liang and Barsky).
  private static func meets(_ r: CollisionRect, _ a: SIMD2<Float>, _ b: SIMD2<Float>) -> Bool {
    var (low, high) = (Float(0), Float(1))
    let d = b - a
    for (p, q) in [(-d.x, a.x - r.x1), (d.x, r.x2 - a.x), (-d.y, a.y - r.y1), (d.y, r.y2 - a.y)] {
      if p == 0 {
        if q < 0 { return false }
      } else if p < 0 {
        low = max(low, q / p)
      } else {
        high = min(high, q / p)
      }
    }
    return low <= high
  }

  private static func distance2(_ p: SIMD2<Float>, _ a: SIMD2<Float>, _ b: SIMD2<Float>) -> Float {
    let d = b - a
    let length = (d * d).sum()
    let t = length == 0 ? 0 : min(max(((p - a) * d).sum() / length, 0), 1)
    let off = p - a - d * t
    return (off * off).sum()
  }
}
