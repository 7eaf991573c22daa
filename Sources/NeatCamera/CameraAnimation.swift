import NeatBase

/// A camera on its way, the shorter way around the world and around each angle: centre in Mercator, zoom and
/// angles, along MapLibre's default easing curve.
package struct CameraAnimation {
  package let from: Camera
  package let to: Camera
  package let startMS: UInt64
  package let durationMS: UInt64

  package init(from: Camera, to: Camera, startMS: UInt64, durationMS: UInt64) {
    self.from = from
    self.to = to
    self.startMS = startMS
    self.durationMS = durationMS
  }

  package func camera(atMS now: UInt64) -> (Camera, isOver: Bool) {
    let elapsed = Double(now >= startMS ? now - startMS : 0) / Double(durationMS)
    guard elapsed < 1 else { return (to, true) }
    let t = CameraAnimation.ease(elapsed)
    func mix(_ a: Double, _ b: Double) -> Double { a + (b - a) * t }
    func turn(_ a: Double, _ b: Double) -> Double { a + CameraAnimation.shorterWay(b - a, around: 360) * t }
    var camera = to
    let (a, b) = (CameraAnimation.place(of: from), CameraAnimation.place(of: to))
    let way = SIMD2(CameraAnimation.shorterWay(b.x - a.x, around: 1), b.y - a.y)
    camera.center = Mercator.unproject(a + way * t)
    // Past the 180th meridian the world begins again.
    if abs(camera.center.lon) > 180 {
      camera.center.lon -= 360 * ((camera.center.lon + 180) / 360).rounded(.down)
    }
    camera.zoom = mix(from.zoom, to.zoom)
    camera.bearing = turn(from.bearing, to.bearing)
    camera.pitch = mix(from.pitch, to.pitch)
    camera.roll = turn(from.roll, to.roll)
    return (camera, false)
  }

  /// The centre in Mercator; what the map ends before, at its edge.
  private static func place(of camera: Camera) -> SIMD2<Double> {
    let limit = Mercator.maxLatitude
    return Mercator.project(LonLat(camera.center.lon, min(max(camera.center.lat, -limit), limit)))
  }

  /// The way between two places of a circle, at most half of it.
  private static func shorterWay(_ way: Double, around circle: Double) -> Double {
    way - circle * (way / circle).rounded(.toNearestOrEven)
  }

  /// The cubic Bézier curve (0.25, 0.1, 0.25, 1): CSS's `ease`.
  private static func ease(_ x: Double) -> Double {
    var (low, high) = (0.0, 1.0)
    for _ in 0..<30 {
      let t = (low + high) / 2
      if bezier(t, 0.25, 0.25) < x { low = t } else { high = t }
    }
    return bezier(low, 0.1, 1)
  }

  private static func bezier(_ t: Double, _ a: Double, _ b: Double) -> Double {
    let s = 1 - t
    return 3 * s * s * t * a + 3 * s * t * t * b + t * t * t
  }
}
