import NeatBase

/// The Mercator plane as fingers hold it. All is measured from the camera's centre (`ViewFrame`), so that it is exact at
/// deep zooms too. Points near and above the horizon stand for those just below it.
struct PlaneGround {
  let frame: ViewFrame
  private let center: SIMD2<Double>
  private let worldSize: Double
  /// The direction in which the horizon lies level: the roll.
  private let level: SIMD2<Double>
  /// How far below the middle the ground begins that can be held, square to the horizon.
  private let top: Double

  /// Of the view's height: nearer to the horizon a pixel is so much ground that nothing can be held there.
  private static let horizonMargin = 0.04

  /// The camera and the size have been checked.
  init(_ camera: Camera, _ size: ViewSize) {
    frame = ViewFrame(camera, size)
    center = Mercator.held(camera.center)
    worldSize = TileUnits.pixels * exp2(camera.zoom)
    let (roll, pitch) = (camera.roll * .pi / 180, camera.pitch * .pi / 180)
    level = SIMD2(cos(roll), -sin(roll))
    top =
      camera.pitch > 0
      ? PlaneGround.horizonMargin * frame.size.y - frame.distance / tan(pitch) : -.greatestFiniteMagnitude
  }

  private var downhill: SIMD2<Double> { SIMD2(-level.y, level.x) }

  /// Whether there is no ground to hold at a point of the screen.
  func isAboveHorizon(_ point: SIMD2<Double>) -> Bool { ((point - frame.middle) * downhill).sum() < top }

  /// The nearest point that has ground to hold.
  private func held(_ point: SIMD2<Double>) -> SIMD2<Double> {
    guard isAboveHorizon(point) else { return point }
    return point + downhill * (top - ((point - frame.middle) * downhill).sum())
  }

  /// From the centre to the ground under a point, in the unit square.
  func offset(_ point: SIMD2<Double>) -> SIMD2<Double> {
    // Below the horizon the ray meets the ground in front of the eye.
    (frame.ground(held(point))?.place ?? SIMD2(0, 0)) / worldSize
  }

  /// The ground under a point, in the unit square, which goes on to the east and west.
  func ground(_ point: SIMD2<Double>) -> SIMD2<Double> { center + offset(point) }

  /// How fast the ground moves that is under a point which moves, in the unit square: the derivative of where the
  /// ray through the point meets the ground.
  func groundVelocity(_ point: SIMD2<Double>, _ velocity: SIMD2<Double>) -> SIMD2<Double> {
    let (ray, eye) = (frame.ray(held(point)), frame.eye)
    let turn = frame.right * velocity.x + frame.down * velocity.y
    let move = (turn - ray * (turn.z / ray.z)) * (-eye.z / ray.z)
    return SIMD2(move.x, move.y) / worldSize
  }
}
