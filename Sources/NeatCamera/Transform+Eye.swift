// A camera among mountains, or one that looks up: its centre lies on the ground, and what it looks from may lie within
// it. Then the eye is raised to the ground above it and looks at the same place, as in MapLibre GL JS: less tilted, and
// at another zoom where it has come nearer or gone farther away.

import NeatBase

extension Transform {
  /// Where on the plane the eye is above: a place of the unit square, not wrapped.
  package var eyePlace: SIMD2<Double> {
    let eye = ViewFrame(camera, size).eye
    return (center + SIMD2(eye.x, eye.y)) / worldSize
  }

  /// How high above the sea the eye is, in metres, where the centre is `elevation` metres above it.
  package func eyeAltitude(_ elevation: Double) -> Double {
    elevation + ViewFrame(camera, size).eye.z / pixelsPerMetre
  }

  /// The camera whose eye is above the same place, but `altitude` metres above the sea, and that looks at the same
  /// centre, `elevation` metres above it.
  package func camera(eyeAt altitude: Double, elevation: Double) -> Camera {
    let eye = ViewFrame(camera, size).eye
    let away = (eye.x * eye.x + eye.y * eye.y).squareRoot()
    let up = (altitude - elevation) * pixelsPerMetre
    let distance = (away * away + up * up).squareRoot()
    guard distance > 0, distance.isFinite else { return camera }
    var raised = camera
    raised.pitch = atan2(away, up) * 180 / .pi
    raised.zoom = CameraRange.hold(camera.zoom + log2(cameraToCenterDistance / distance), CameraRange.zoom)
    guard let checked = try? raised.checked() else { return camera }
    return checked
  }

  /// The camera of a view of the plane whose eye would be below the sea, raised to it, where the centre is `elevation`
  /// metres above it; nil where the eye is above.
  package func cameraAboveSea(_ elevation: Double) -> Camera? {
    // Level ground hides nothing from who looks down on it.
    guard globeness == 0, elevation < 0 || camera.pitch > 90, eyeAltitude(elevation) < -1e-6 else {
      return nil
    }
    return camera(eyeAt: 0, elevation: elevation)
  }
}
