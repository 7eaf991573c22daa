import NeatBase

// A place of the globe that is to be seen under a point, and the camera that shows it there, within limits.
extension CameraLimits {
  /// The camera at the nearest of where it may be to a centre.
  func constrained(_ camera: Camera, at center: LonLat, _ size: ViewSize) -> Camera {
    var camera = camera
    camera.center = LonLat(Angle.wrapped(center.lon), center.lat)
    return constrained(camera, size)
  }

  /// On the globe: the camera with a place under a point, the globe as large as it is.
  func camera(
    _ camera: Camera, turningTo place: LonLat, at point: SIMD2<Double>, _ size: ViewSize
  ) -> Camera {
    let moved = GlobeView(camera, size).camera(camera, showing: place, at: point).held()
    return constrained(moved, at: moved.center, size)
  }

  /// The same at the camera's own zoom, as near as can be to where it is.
  /// The globe's size follows from the zoom and the latitude that the centre comes to, which depends on the size.
  func camera(
    _ camera: Camera, showing place: LonLat, at point: SIMD2<Double>, _ size: ViewSize
  ) -> Camera {
    guard point != camera.padding.middle(of: size.logical) else {
      return constrained(camera, at: place, size)
    }
    var moved = camera
    /// How far north of a latitude the centre comes to be where the globe is as large as there.
    func miss(_ latitude: Double) -> Double {
      moved.center.lat = latitude
      let found = GlobeView(moved, size).camera(moved, showing: place, at: point).center
      moved.center.lon = found.lon
      return found.lat - latitude
    }
    let start = Mercator.heldLatitude(camera.center.lat)
    let first = miss(start)
    if abs(first) > CameraLimits.exact {
      var (near, far) = (start, start)
      // There may be several, beyond a pole too: the nearest counts.
      var step = CameraLimits.firstStep
      while step <= 2 * Mercator.maxLatitude, far == start {
        for next in [start + step, start - step].map(Mercator.heldLatitude)
        where (miss(next) > 0) != (first > 0) {
          far = next
          break
        }
        step *= 1.5
      }
      for _ in 0..<CameraLimits.halves where far != start {
        let middle = (near + far) / 2
        if (miss(middle) > 0) == (first > 0) { near = middle } else { far = middle }
      }
      _ = miss((near + far) / 2)
    }
    return constrained(moved, at: moved.center, size)
  }

  /// Degrees that count as none, and those of the first step of a search.
  private static let exact = 1e-10
  private static let firstStep = 0.05
  /// What is left then is less than a hundred-thousandth of a pixel at the deepest zoom.
  private static let halves = 48
}
