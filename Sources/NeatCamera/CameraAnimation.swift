import NeatBase

/// A camera on its way: centre in Mercator, zoom and angles, along MapLibre's default easing curve.
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
    func turn(_ a: Double, _ b: Double) -> Double {
      let way = (b - a + 540).truncatingRemainder(dividingBy: 360) - 180
      return a + way * t
    }
    var camera = to
    let (a, b) = (Mercator.project(from.center), Mercator.project(to.center))
    camera.center = Mercator.unproject(a + (b - a) * t)
    camera.zoom = mix(from.zoom, to.zoom)
    camera.bearing = turn(from.bearing, to.bearing)
    camera.pitch = mix(from.pitch, to.pitch)
    camera.roll = turn(from.roll, to.roll)
    return (camera, false)
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
