import NeatBase

/// How a camera stands over the point that it looks at: which ray goes through a point of the screen, and where
/// a point of space is seen. All that concerns bearing, pitch, roll, padding and field of view, for the plane
/// and the globe alike.
///
/// Space is measured in logical pixels from the camera's centre: x east, y south, z up. Screen points are
/// logical pixels from the top left corner. With R = Rz(-roll) · Rx(pitch) · Rz(-bearing) and q = R · p, a point
/// p is seen at `middle + distance · q.xy / (distance - q.z)`: the eye is at (0, 0, distance) of the turned
/// space and looks down its z axis.
struct ViewFrame {
  /// Logical pixels of the view.
  let size: SIMD2<Double>
  /// Where the camera's centre is seen: the middle of what the paddings leave.
  let middle: SIMD2<Double>
  /// Logical pixels from the eye to the camera's centre.
  let distance: Double
  /// The rows of R.
  let right: SIMD3<Double>
  let down: SIMD3<Double>
  let toEye: SIMD3<Double>

  /// The camera and the size have been checked.
  init(_ camera: Camera, _ size: ViewSize) {
    self.size = size.logical
    middle = camera.padding.middle(of: size.logical)
    distance = 0.5 / tan(camera.fieldOfView * .pi / 360) * size.logical.y
    let (bearing, pitch) = (camera.heading * .pi / 180, camera.pitch * .pi / 180)
    let roll = camera.roll * .pi / 180
    let (sb, cb, sp, cp) = (sin(bearing), cos(bearing), sin(pitch), cos(pitch))
    let (sr, cr) = (sin(roll), cos(roll))
    let east = SIMD3(cb, sb, 0)
    let south = SIMD3(-sb * cp, cb * cp, -sp)
    toEye = SIMD3(-sb * sp, cb * sp, cp)
    right = east * cr + south * sr
    down = south * cr - east * sr
  }

  /// Where the eye is.
  var eye: SIMD3<Double> { toEye * distance }

  /// Where a point of space is seen; nil behind the eye.
  func screen(_ p: SIMD3<Double>) -> SIMD2<Double>? {
    let depth = distance - (toEye * p).sum()
    guard depth > 0 else { return nil }
    return middle + SIMD2((right * p).sum(), (down * p).sum()) * (distance / depth)
  }

  /// The direction from the eye through a point of the screen, not normalised: its part away from the eye is
  /// `distance` long.
  func ray(_ screen: SIMD2<Double>) -> SIMD3<Double> {
    let away = screen - middle
    return right * away.x + down * away.y - toEye * distance
  }

  /// Where the line through a point of the screen meets the plane of the ground (x east, y south), and whether
  /// it does so in front of the eye. Nil where it never does.
  func ground(_ screen: SIMD2<Double>) -> (place: SIMD2<Double>, isAhead: Bool)? {
    let ray = ray(screen)
    guard ray.z != 0 else { return nil }
    let t = -eye.z / ray.z
    let hit = eye + ray * t
    guard hit.x.isFinite, hit.y.isFinite else { return nil }
    return (SIMD2(hit.x, hit.y), t > 0)
  }
}

extension ViewSize {
  /// Logical pixels, as the device's whole pixels make them.
  package var logical: SIMD2<Double> {
    SIMD2(Double(deviceWidth) / pixelRatio, Double(deviceHeight) / pixelRatio)
  }
}

extension EdgeInsets {
  /// The middle of what the insets leave of a view; held within it.
  package func middle(of size: SIMD2<Double>) -> SIMD2<Double> {
    SIMD2(
      min(max((left + size.x - right) / 2, 0), size.x), min(max((top + size.y - bottom) / 2, 0), size.y))
  }
}
