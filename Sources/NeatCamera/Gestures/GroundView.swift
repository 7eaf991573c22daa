import NeatBase

/// The ground as a camera sees it, seen from the camera's centre, so that it is exact at deep zooms too.
///
/// A point of the screen, right of and below where the centre is seen, turned back by the roll, is (x, y). With
/// the eye `distance` away from the centre and the pitch φ, the ground there lies (gx, gy) from the centre:
/// gy = y · distance / (distance · cos φ + y · sin φ), gx = x · (distance − gy · sin φ) / distance. The divisor
/// is 0 at the horizon. The bearing then turns (gx, gy) to north. What `Transform` does with matrices.
struct GroundView {
  let camera: Camera
  /// Where the centre is seen, in logical pixels.
  let middle: SIMD2<Double>
  private let distance: Double
  private let worldSize: Double
  private let roll: SIMD2<Double>
  private let pitch: SIMD2<Double>
  private let bearing: SIMD2<Double>
  /// The least y that has ground which is not too far away.
  private let top: Double

  /// How far below the horizon the ground begins to be taken: a part of the view's height. Above it a pixel is
  /// so much ground that nothing can be held there.
  private static let horizonMargin = 0.04

  init(_ camera: Camera, _ size: ViewSize) {
    self.camera = camera
    let view = size.logicalSize
    let padding = camera.padding
    middle =
      view / 2 + SIMD2(padding.left - padding.right, padding.top - padding.bottom) / 2
    distance = 0.5 / tan(camera.fieldOfView * .pi / 360) * view.y
    worldSize = TileUnits.pixels * exp2(camera.zoom)
    func turn(_ degrees: Double) -> SIMD2<Double> {
      SIMD2(cos(degrees * .pi / 180), sin(degrees * .pi / 180))
    }
    (roll, pitch, bearing) = (turn(camera.roll), turn(camera.pitch), turn(camera.bearing))
    top =
      camera.pitch > 0
      ? GroundView.horizonMargin * view.y - distance * pitch.x / pitch.y : -.greatestFiniteMagnitude
  }

  private static func rotate(_ v: SIMD2<Double>, _ turn: SIMD2<Double>) -> SIMD2<Double> {
    SIMD2(v.x * turn.x - v.y * turn.y, v.x * turn.y + v.y * turn.x)
  }

  private static func rotateBack(_ v: SIMD2<Double>, _ turn: SIMD2<Double>) -> SIMD2<Double> {
    rotate(v, SIMD2(turn.x, -turn.y))
  }

  /// Whether there is no ground to hold at a point of the screen.
  func isAboveHorizon(_ point: SIMD2<Double>) -> Bool {
    GroundView.rotate(point - middle, roll).y < top
  }

  /// A point seen from the centre, turned back by the roll, and moved straight down to where ground is.
  private func upright(_ point: SIMD2<Double>) -> SIMD2<Double> {
    let at = GroundView.rotate(point - middle, roll)
    return SIMD2(at.x, max(at.y, top))
  }

  /// From the centre to the ground under a point, in logical pixels of the world: east and south.
  private func offset(_ point: SIMD2<Double>) -> SIMD2<Double> {
    let at = upright(point)
    let y = at.y * distance / (distance * pitch.x + at.y * pitch.y)
    return GroundView.rotate(SIMD2(at.x * (distance - y * pitch.y) / distance, y), bearing)
  }

  private var center: SIMD2<Double> {
    let limit = Mercator.maxLatitude
    return Mercator.project(LonLat(camera.center.lon, min(max(camera.center.lat, -limit), limit)))
  }

  /// The ground under a point, in the unit square, which goes on to the east and west.
  func ground(_ point: SIMD2<Double>) -> SIMD2<Double> { center + offset(point) / worldSize }

  /// How fast the ground moves that is under a point which moves, in the unit square.
  func groundVelocity(_ point: SIMD2<Double>, _ velocity: SIMD2<Double>) -> SIMD2<Double> {
    let (at, v) = (upright(point), GroundView.rotate(velocity, roll))
    let divisor = distance * pitch.x + at.y * pitch.y
    let y = at.y * distance / divisor
    let dy = distance * distance * pitch.x / (divisor * divisor) * v.y
    let dx = (v.x * (distance - y * pitch.y) - at.x * dy * pitch.y) / distance
    return GroundView.rotate(SIMD2(dx, dy), bearing) / worldSize
  }

  /// The camera moved so that it shows a place of the unit square under a point, as far as the world goes to the
  /// north and south.
  func camera(showing ground: SIMD2<Double>, at point: SIMD2<Double>) -> Camera {
    GroundView.camera(camera, centeredAt: ground - offset(point) / worldSize)
  }

  static func camera(_ camera: Camera, centeredAt place: SIMD2<Double>) -> Camera {
    var camera = camera
    camera.center = Mercator.unproject(SIMD2(place.x, min(max(place.y, 0), 1)))
    camera.center.lat = min(max(camera.center.lat, -Mercator.maxLatitude), Mercator.maxLatitude)
    camera.center.lon = GroundView.wrapped(camera.center.lon)
    return camera
  }

  /// An angle within -180 to 180 degrees.
  static func wrapped(_ degrees: Double) -> Double {
    abs(degrees) <= 180 ? degrees : degrees - 360 * ((degrees + 180) / 360).rounded(.down)
  }
}

extension ViewSize {
  /// Logical pixels, as device pixels make them.
  var logicalSize: SIMD2<Double> { SIMD2(Double(deviceWidth), Double(deviceHeight)) / pixelRatio }
}
