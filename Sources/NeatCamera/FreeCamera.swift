import NeatBase

/// A camera as an eye in space: where it is and how it is turned, in the place of what it looks at.
///
/// Space is that of the Mercator world, which is 1 wide: x to the east, y to the south, z up. Identity looks
/// straight down, with north at the top. After the free camera of version 10 of the mobile SDKs.
package struct FreeCamera: Sendable, Hashable {
  package var position: SIMD3<Double>
  /// A unit quaternion, the real part last.
  package var orientation: SIMD4<Double>

  /// The steepest pitch of an eye that looks at a place on the ground.
  private static let steepest = 85.0

  package init(position: SIMD3<Double>, orientation: SIMD4<Double>) {
    self.position = position
    self.orientation = orientation
  }

  /// The eye of a camera.
  package init(_ camera: Camera, size: ViewSize) throws(NeatError) {
    let camera = try camera.checked()
    let turn = Quaternion.z(camera.heading * .pi / 180)
      .times(.x(-camera.pitch * .pi / 180)).times(.z(camera.roll * .pi / 180))
    let away = FreeCamera.distance(camera, try size.checked()) / (TileUnits.pixels * exp2(camera.zoom))
    let center = Mercator.held(camera.center)
    let forward = turn.rotated(SIMD3(0, 0, -1))
    position = SIMD3(center.x, center.y, 0) - forward * away
    orientation = turn.parts
  }

  /// Logical pixels from the eye to the centre.
  private static func distance(_ camera: Camera, _ size: ViewSize) -> Double {
    0.5 / tan(camera.fieldOfView * .pi / 360) * size.logical.y
  }

  /// The camera with this eye; its paddings and field of view are those of another. Throws `invalidArgument` for
  /// what is no position or orientation, for an eye that is below the ground or looks past the horizon, and where
  /// the camera would be past its range.
  package func camera(like other: Camera, size: ViewSize) throws(NeatError) -> Camera {
    let size = try size.checked()
    for part in [position.x, position.y, position.z] where !(abs(part) <= 1000) {
      throw NeatError(.invalidArgument, "position: \(part) is not within ±1000 worlds")
    }
    let norm = (orientation * orientation).sum().squareRoot()
    guard abs(norm - 1) < 1e-3 else {
      throw NeatError(.invalidArgument, "orientation: its length is \(norm), and not 1")
    }
    guard position.z > 0 else {
      throw NeatError(.invalidArgument, "position: z \(position.z) is not above the ground")
    }
    let turn = Quaternion(orientation / norm)
    let (forward, right) = (turn.rotated(SIMD3(0, 0, -1)), turn.rotated(SIMD3(1, 0, 0)))
    let pitch = acos(min(max(-forward.z, -1), 1)) * 180 / .pi
    guard pitch <= FreeCamera.steepest + 1e-9 else {
      throw NeatError(.invalidArgument, "orientation: a pitch of \(pitch) is not within 0...85")
    }
    var camera = other
    camera.pitch = min(pitch, FreeCamera.steepest)
    // Straight down there is no roll beside a bearing.
    let isLevel = forward.x * forward.x + forward.y * forward.y > 1e-16
    let up = turn.rotated(SIMD3(0, -1, 0))
    let bearing = isLevel ? atan2(forward.x, -forward.y) : atan2(up.x, -up.y)
    camera.bearing = bearing * 180 / .pi + other.north
    let unrolled = Quaternion.z(bearing).times(.x(-camera.pitch * .pi / 180))
    let (levelRight, levelUp) = (unrolled.rotated(SIMD3(1, 0, 0)), unrolled.rotated(SIMD3(0, -1, 0)))
    camera.roll = isLevel ? atan2(-(right * levelUp).sum(), (right * levelRight).sum()) * 180 / .pi : 0
    let away = position.z / -forward.z
    let center = Mercator.unproject(SIMD2(position.x + forward.x * away, position.y + forward.y * away))
    camera.center = LonLat(Angle.wrapped(center.lon), center.lat)
    camera.zoom = log2(FreeCamera.distance(other, size) / (away * TileUnits.pixels))
    return try camera.checked()
  }

  /// Turns the eye to a place, with north or the world's up at the top. Throws `invalidArgument` for what is no
  /// place, and for one that is at the eye's height or above it.
  /// - Parameter altitude: metres above the ground.
  package mutating func look(at place: LonLat, altitude: Double = 0) throws(NeatError) {
    let place = try CameraView.checked(place)
    guard abs(altitude) <= 1e7 else {
      throw NeatError(.invalidArgument, "altitude \(altitude) is not within ±10000000 metres")
    }
    let ground = Mercator.held(place)
    let meter = 1 / (Mercator.earthCircumference * cos(Mercator.lat(y: ground.y) * .pi / 180))
    let way = SIMD3(ground.x, ground.y, altitude * meter) - position
    let length = (way * way).sum().squareRoot()
    guard length > 0, way.z < 0 else {
      throw NeatError(.invalidArgument, "(\(place.lon), \(place.lat)) is not below the eye")
    }
    let along = (way.x * way.x + way.y * way.y).squareRoot()
    let bearing = along > 1e-15 ? atan2(way.x, -way.y) : 0
    let pitch = atan2(along, -way.z)
    orientation = Quaternion.z(bearing).times(.x(-pitch)).parts
  }
}

/// A turn in space.
private struct Quaternion {
  let parts: SIMD4<Double>

  init(_ parts: SIMD4<Double>) { self.parts = parts }

  static func x(_ angle: Double) -> Quaternion { Quaternion(SIMD4(sin(angle / 2), 0, 0, cos(angle / 2))) }
  static func z(_ angle: Double) -> Quaternion { Quaternion(SIMD4(0, 0, sin(angle / 2), cos(angle / 2))) }

  /// `other` first, then this.
  func times(_ other: Quaternion) -> Quaternion {
    let (a, b) = (parts, other.parts)
    return Quaternion(
      SIMD4(
        a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
        a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w, a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z))
  }

  func rotated(_ v: SIMD3<Double>) -> SIMD3<Double> {
    let u = SIMD3(parts.x, parts.y, parts.z)
    let t = cross(u, v) * 2
    return v + t * parts.w + cross(u, t)
  }

  private func cross(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> SIMD3<Double> {
    SIMD3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
  }
}
