import NeatBase

extension DepthLayer {
  /// How deep below the ground the globe begins to hide, as a part of its radius: what follows its curve in steps does
  /// not sink into it.
  private static let ease = 0.999

  /// Lets a globe hide what stands behind it, once a band.
  package func add(_ globe: GlobeSurface, _ band: Band) {
    guard !hasGlobe, let rays = GlobeRays(globe) else { return }
    hasGlobe = true
    let (a, b, c, d) = globe.sphere
    for y in y0..<y1 {
      let row = depth.base + (y - y0) * width
      for x in 0..<width {
        guard let point = rays.point(Double(x) + 0.5, Double(y) + 0.5) else { continue }
        let p = point * DepthLayer.ease
        let place = a * p.x + b * p.y + c * p.z + d
        row[x] = min(row[x], Float(place.z / place.w))
      }
    }
  }
}
