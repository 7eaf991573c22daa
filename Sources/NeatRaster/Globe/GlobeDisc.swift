// Circles that lie on the globe: the square around one is flat, so that a projection takes the unit disc to it. Its
// shading is that of circles that face the viewer.

import NeatBase

/// A circle on the ground of a globe.
package struct GlobeDisc: Sendable {
  /// The unit disc (x east, y south) to pixels.
  package var map: Projection
  /// The side of the horizon over the disc: east, south and at its centre.
  package var side: SIMD3<Double>
  /// Where it lies on a sphere: its centre, the directions east and south there, and its radius as an angle; the
  /// projection then only says which pixels to look at.
  package var sphere: Cap?
  /// Its centre is not looked at.
  package var circle: Circle

  package struct Cap: Sendable {
    package var surface: GlobeSurface
    package var center, right, down: SIMD3<Double>
    package var angle: Double

    package init(
      _ surface: GlobeSurface, center: SIMD3<Double>, right: SIMD3<Double>, down: SIMD3<Double>, angle: Double
    ) {
      self.surface = surface
      (self.center, self.right, self.down, self.angle) = (center, right, down, angle)
    }

    /// How far a point of the sphere is along both directions, over the radius.
    func share(_ p: SIMD3<Double>) -> SIMD2<Double>? {
      let up = (p * center).sum()
      guard up > 0 else { return nil }
      return SIMD2(atan((p * right).sum() / up), atan((p * down).sum() / up)) / angle
    }
  }

  package init(map: Projection, side: SIMD3<Double>, sphere: Cap?, circle: Circle) {
    (self.map, self.side, self.sphere, self.circle) = (map, side, sphere, circle)
  }

  package func draw(_ band: Band) {
    let size = circle.radius + max(circle.strokeWidth, 0)
    guard size > 0, size < 65536, let inverse = InverseMap(map) else { return }
    let bounds = PixelBounds(map, TexelRect(u0: -1, v0: -1, u1: 1, v1: 1))
    let top = max(band.y0, Int(bounds.y0) - 1), bottom = min(band.y1, Int(bounds.y1) + 1)
    let left = max(0, Int(bounds.x0) - 1), right = min(band.width, Int(bounds.x1) + 1)
    guard top < bottom, left < right else { return }
    let blur = max(circle.blur, 1 / size)
    let hasStroke = circle.strokeWidth >= 0.01
    let strokeStart = max(circle.radius, 0) / size - blur
    let rays = sphere.flatMap { GlobeRays($0.surface) }
    for y in top..<bottom {
      let row = band.row(y)
      let cy = Double(y) + 0.5
      for x in left..<right {
        let cx = Double(x) + 0.5
        let w = inverse.wx * cx + inverse.wy * cy + inverse.w0
        guard w > 0 else { continue }
        var u = (inverse.ux * cx + inverse.uy * cy + inverse.u0) / w
        var v = (inverse.vx * cx + inverse.vy * cy + inverse.v0) / w
        if let rays, let sphere {
          guard let place = rays.point(cx, cy).flatMap(sphere.share) else { continue }
          (u, v) = (place.x, place.y)
        } else if side.x * u + side.y * v + side.z < 0 {
          continue
        }
        let distance = Float((u * u + v * v).squareRoot())
        let coverage = GlobeDisc.byte((1 - distance) / blur, 255)
        guard coverage > 0 else { continue }
        var color = circle.fill.bits
        if hasStroke {
          color = Texel.mix(color, circle.stroke.bits, GlobeDisc.byte((distance - strokeStart) / blur, 256))
        }
        row[x] = Blend.over(row[x], color, coverage: coverage)
      }
    }
  }

  private static func byte(_ value: Float, _ scale: Float) -> UInt32 {
    let t = min(max(value, 0), 1)
    return UInt32(saturating: (t * t * (3 - 2 * t) * scale).rounded())
  }
}
