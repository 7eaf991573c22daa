import NeatBase

// Limits hold what gestures do. A camera that is past them, since it was set there, is not pulled back by a finger:
// it goes no farther in zoom and pitch, and is free otherwise.
extension CameraLimits {
  /// Whether the camera is within them, but for what calculating takes.
  private func hold(_ camera: Camera, _ size: ViewSize) -> Bool {
    let held = constrained(camera, size)
    let away = Mercator.held(held.center) - Mercator.held(camera.center)
    return abs(held.zoom - camera.zoom) < 1e-9 && abs(held.pitch - camera.pitch) < 1e-9
      && abs(away.x - away.x.rounded()) < 1e-9 && abs(away.y) < 1e-9
  }

  /// The zoom that a camera may go to.
  func zoom(_ value: Double, from start: Camera, _ size: ViewSize) -> Double {
    guard hold(start, size) else {
      return min(max(value, min(leastZoom(at: start.center.lat), start.zoom)), max(maxZoom, start.zoom))
    }
    var camera = start
    camera.zoom = value
    return constrained(camera, size).zoom
  }

  /// The pitch that a camera may go to.
  func pitch(_ value: Double, from start: Camera) -> Double {
    min(max(value, min(minPitch, start.pitch)), max(maxPitch, start.pitch))
  }

  /// Where a camera may go, whose longitude goes on past 180 from the start's.
  func camera(_ camera: Camera, from start: Camera, _ size: ViewSize) -> Camera {
    var camera = camera
    let isHeld = hold(start, size)
    // A globe that turns comes out at the other end of the longitudes.
    if projection == .globe { camera.center.lon = Angle.near(camera.center.lon, to: start.center.lon) }
    if isHeld, let middle = middleLongitude {
      // A long way to the east ends at the eastern edge: it does not come out at the western one.
      let most = 179.9
      let from = start.center.lon - GroundView.wrapped(start.center.lon - middle)
      camera.center.lon = min(max(camera.center.lon, from - most), from + most)
    }
    camera.center.lon = GroundView.wrapped(camera.center.lon)
    return isHeld ? constrained(camera, size) : camera
  }

  /// The middle between a western and an eastern edge, where there are any.
  private var middleLongitude: Double? {
    if let bounds, bounds.span < 360 { return bounds.west + bounds.span / 2 }
    if projection == .globe { return nil }
    return mode == .widthAndHeight || mode == .screen && !repeatsWorld ? 0 : nil
  }
}
