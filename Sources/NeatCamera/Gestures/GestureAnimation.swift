import NeatBase

/// A camera that goes on by itself after a gesture. Where it is at a time depends on nothing but that time, so
/// that it does not matter how often it is asked.
enum GestureAnimation: Sendable, Hashable {
  case glide(Glide)
  case move(TimedMove)

  var kind: GestureKind {
    switch self {
    case .glide: .pan
    case .move(let move): move.kind
    }
  }

  /// What it began with.
  var start: Camera {
    switch self {
    case .glide(let glide): glide.start
    case .move(let move): move.start
    }
  }

  func camera(atMS time: Double, _ size: ViewSize, on projection: MapProjection) -> (Camera, isOver: Bool) {
    switch self {
    case .glide(let glide): glide.camera(atMS: time, size)
    case .move(let move): move.camera(atMS: time, size, on: projection)
    }
  }
}

/// The ground that a finger let go: it moves on at the finger's velocity, of which `factor` is left after each
/// millisecond, until both axes of the screen are slower than `slowest`.
struct Glide: Sendable, Hashable {
  /// Pixels in a second.
  static let slowest = 35.0

  let start: Camera
  private let projection: MapProjection
  /// Of the centre in a second, in the units of `GroundView`.
  let velocity: SIMD2<Double>
  let factor: Double
  let startMS: Double
  let endMS: Double

  /// Nil where it is too slow to begin.
  init?(
    _ camera: Camera, _ size: ViewSize, on projection: MapProjection, at point: SIMD2<Double>,
    velocity: SIMD2<Double>, factor: Double, startMS: Double
  ) {
    let speed = max(abs(velocity.x), abs(velocity.y))
    guard factor > 0, speed >= Glide.slowest else { return nil }
    start = camera
    self.projection = projection
    self.velocity = GroundView(camera, size, on: projection).centerVelocity(point, velocity)
    self.factor = factor
    self.startMS = startMS
    endMS = startMS + log(Glide.slowest / speed) / log(factor)
  }

  func camera(atMS time: Double, _ size: ViewSize) -> (Camera, isOver: Bool) {
    let elapsed = max(0, min(time, endMS) - startMS)
    // The integral of factor^t, in seconds.
    let seconds = (pow(factor, elapsed) - 1) / log(factor) / 1000
    return (GroundView(start, size, on: projection).camera(along: velocity * seconds), time >= endMS)
  }
}

/// A zoom, a turn or a shift within a time, fast first: the ground under `anchor` goes to `anchor + shift`.
struct TimedMove: Sendable, Hashable {
  let kind: GestureKind
  let start: Camera
  let anchor: SIMD2<Double>
  var shift = SIMD2(0.0, 0.0)
  var zoom = 0.0
  var bearing = 0.0
  var pitch = 0.0
  let startMS: Double
  let durationMS: Double

  init(
    _ kind: GestureKind, from camera: Camera, around anchor: SIMD2<Double>, startMS: Double,
    durationMS: Double
  ) {
    self.kind = kind
    start = camera
    self.anchor = anchor
    self.startMS = startMS
    self.durationMS = durationMS
  }

  func progress(atMS time: Double) -> Double {
    AnimationCurve.easeOut.value(at: (time - startMS) / durationMS)
  }

  func camera(atMS time: Double, _ size: ViewSize, on projection: MapProjection) -> (Camera, isOver: Bool) {
    let isOver = time - startMS >= durationMS
    let t = isOver ? 1 : progress(atMS: time)
    var camera = start
    camera.zoom = start.zoom + zoom * t
    // Within its range also where the last digit is rounded.
    camera.pitch = CameraRange.hold(start.pitch + pitch * t, CameraRange.pitch)
    if bearing != 0 { camera.bearing = GroundView.wrapped(start.bearing + bearing * t) }
    // Neither moves where the point in the middle stays.
    guard camera != start || shift != SIMD2(0, 0) else { return (start, isOver) }
    let ground = GroundView(start, size, on: projection).ground(anchor)
    return (
      GroundView(camera, size, on: projection).camera(showing: ground, at: anchor + shift * t), isOver
    )
  }
}
