import NeatBase

/// The globe as a camera sees it from above its centre (vertical perspective), in logical pixels and degrees.
///
/// A sphere touches the plane of the ground at the camera's centre. Its radius is such that the ground there is
/// as large as on the Mercator plane at the same zoom: worldSize / 2π / cos(latitude). Behaviour after MapLibre
/// GL JS's projection `vertical-perspective`.
struct GlobeView {
  let frame: ViewFrame
  let center: LonLat
  /// Logical pixels.
  let radius: Double
  /// The eye in radii from the sphere's middle, in axes at the camera's centre (x east, y south, z up).
  private let eye: SIMD3<Double>
  /// The horizon's plane: places on its outer side are seen.
  private let toEye: SIMD3<Double>
  private let horizonHeight: Double
  private let sine: Double
  private let cosine: Double

  /// The camera and the size have been checked.
  init(_ camera: Camera, _ size: ViewSize) {
    frame = ViewFrame(camera, size)
    center = LonLat(camera.center.lon, Mercator.heldLatitude(camera.center.lat))
    let latitude = center.lat * .pi / 180
    (sine, cosine) = (sin(latitude), cos(latitude))
    radius = TileUnits.pixels * exp2(camera.zoom) / (2 * .pi) / cosine
    eye = frame.eye / radius + SIMD3(0, 0, 1)
    let height = (eye * eye).sum().squareRoot()
    toEye = eye / height
    horizonHeight = 1 / height
  }

  /// By how much the zoom changes where the centre goes to another latitude and the globe stays as large as it is.
  static func zoomChange(from latitude: Double, to other: Double) -> Double {
    log2(cos(other * .pi / 180) / cos(latitude * .pi / 180))
  }

  /// A camera moved so that a place is under a point, or as near to it as it can be: the globe turns and stays as large
  /// as it is, north stays where it is at the centre. Beside the globe, the nearest of its edge counts. The camera itself
  /// where the eye sees nothing of the globe.
  func camera(_ camera: Camera, showing place: LonLat, at point: SIMD2<Double>) -> Camera {
    let under = hit(point).place
    guard under.x.isFinite, under.y.isFinite, under.z.isFinite else { return camera }
    let latitude = place.lat * .pi / 180
    // A pole lies on every meridian, so also on the centre's.
    let isPole = cos(latitude) < 1e-9
    let meridian = isPole ? self.center.lon : place.lon
    // How far east of the centre the place is to be seen says how far its meridian is from the centre's: on this side
    // of the pole or on the other.
    let near = isPole ? 0 : asin(min(max(under.x / cos(latitude), -1), 1))
    var best: (center: LonLat, isHeld: Bool, distance: Double)?
    for along in [near, .pi - near] {
      let north =
        atan2(sin(latitude), cos(along) * cos(latitude)) - atan2(-under.y, under.z)
      let asked = Angle.wrapped(north * 180 / .pi)
      let center = LonLat(Angle.wrapped(meridian - along * 180 / .pi), Mercator.heldLatitude(asked))
      let (isHeld, distance) = (center.lat != asked, 1 - local(center).z)
      if let best, isHeld == best.isHeld ? distance >= best.distance : isHeld { continue }
      best = (center, isHeld, distance)
    }
    guard let center = best?.center else { return camera }
    var moved = camera
    moved.zoom += GlobeView.zoomChange(from: self.center.lat, to: center.lat)
    moved.center = center
    return moved
  }

  /// A place on the unit sphere, in the axes at the camera's centre.
  private func local(_ place: LonLat) -> SIMD3<Double> {
    let latitude = place.lat * .pi / 180
    let longitude = (place.lon - center.lon) * .pi / 180
    let (x, y, z) = (sin(longitude) * cos(latitude), sin(latitude), cos(longitude) * cos(latitude))
    return SIMD3(x, -(y * cosine - z * sine), y * sine + z * cosine)
  }

  private func place(local p: SIMD3<Double>) -> LonLat {
    let north = -p.y
    let y = north * cosine + p.z * sine
    let z = p.z * cosine - north * sine
    let latitude = asin(min(max(y, -1), 1)) * 180 / .pi
    // At a pole every longitude is right.
    guard p.x * p.x + z * z > 1e-12 else { return LonLat(0, latitude) }
    return LonLat(Angle.wrapped(center.lon + atan2(p.x, z) * 180 / .pi), latitude)
  }

  /// Where a place is seen, through the globe where it is on the far side; nil behind the eye.
  func point(_ place: LonLat) -> SIMD2<Double>? { point(local: local(place)) }

  private func point(local p: SIMD3<Double>) -> SIMD2<Double>? {
    frame.screen((p - SIMD3(0, 0, 1)) * radius)
  }

  /// Where a place is seen, or where it is hidden, the nearest of the globe's edge; nil behind the eye.
  func pointOrEdge(_ place: LonLat) -> SIMD2<Double>? {
    point(local: GlobeView.nearestSeen(to: local(place), from: eye))
  }

  /// A place of the unit sphere, or where the sphere hides it from an eye, the nearest of what it does not.
  static func nearestSeen(to place: SIMD3<Double>, from eye: SIMD3<Double>) -> SIMD3<Double> {
    let height = (eye * eye).sum().squareRoot()
    guard (place * eye).sum() < 1, height > 1 else { return place }
    let toEye = eye / height
    let aside = place - toEye * (place * toEye).sum()
    let length = (aside * aside).sum().squareRoot()
    let edge = (1 - 1 / (height * height)).squareRoot()
    // Of the place right behind, all of the edge is as near.
    return toEye / height + (length > 1e-12 ? aside * (edge / length) : SIMD3(edge, 0, 0))
  }

  /// Whether a place is on the side of the globe that the eye sees.
  func isOnNearSide(_ place: LonLat) -> Bool { isOnNearSide(local: local(place)) }

  private func isOnNearSide(local p: SIMD3<Double>) -> Bool { (p * toEye).sum() >= horizonHeight }

  /// The place under a point. Beside the globe: the nearest of its edge.
  func place(_ point: SIMD2<Double>) -> (LonLat, isOnSurface: Bool) {
    let (local, isOnSurface) = hit(point)
    return (place(local: local), isOnSurface)
  }

  /// The same, in the axes at the camera's centre.
  private func hit(_ point: SIMD2<Double>) -> (place: SIMD3<Double>, isOnSurface: Bool) {
    var ray = frame.ray(point)
    ray /= (ray * ray).sum().squareRoot()
    // After Ray Tracing Gems, chapter 7: no difference of large squares.
    let along = (eye * ray).sum()
    let inner = eye - ray * along
    let discriminant = 1 - (inner * inner).sum()
    if discriminant >= 0, along < 0 {
      let q = -along + discriminant.squareRoot()
      let hit = eye + ray * (((eye * eye).sum() - 1) / q)
      return (hit / (hit * hit).sum().squareRoot(), true)
    }
    return (horizonPoint(along: ray), false)
  }

  /// The point of the horizon's circle nearest to where a ray meets its plane. A ray that does not meet it
  /// before the eye is followed for a diameter of the globe, and its end laid onto the plane.
  private func horizonPoint(along ray: SIMD3<Double>) -> SIMD3<Double> {
    let t = (horizonHeight - (eye * toEye).sum()) / (ray * toEye).sum()
    var p = eye + ray * (t > 0 && t.isFinite ? t : 2)
    if !(t > 0 && t.isFinite) { p -= toEye * ((p * toEye).sum() - horizonHeight) }
    let middle = toEye * horizonHeight
    let away = p - middle
    let length = (away * away).sum().squareRoot()
    guard length > 0 else { return toEye }
    return middle + away * ((1 - horizonHeight * horizonHeight).squareRoot() / length)
  }

  /// The box of degrees around what the view shows: of its corners, the middles of its edges, and the poles.
  /// West is less than east; -180 and 180 where a pole is seen.
  var bounds: ViewBounds {
    var (west, south, east, north) = (0.0, 0.0, 0.0, 0.0)
    let half = frame.size / 2
    for (x, y) in [(0.0, 0.0), (1, 0), (2, 0), (2, 1), (2, 2), (1, 2), (0, 2), (0, 1)] {
      let (place, _) = place(half * SIMD2(x, y))
      let along = Angle.wrapped(place.lon - center.lon)
      (west, east) = (min(west, along), max(east, along))
      (south, north) = (min(south, place.lat - center.lat), max(north, place.lat - center.lat))
    }
    var box = ViewBounds(
      west: center.lon + west, south: center.lat + south, east: center.lon + east, north: center.lat + north)
    for pole in [90.0, -90] where isOnScreen(LonLat(0, pole)) {
      if pole > 0 { box.north = 90 } else { box.south = -90 }
      (box.west, box.east) = (-180, 180)
    }
    return box
  }

  private func isOnScreen(_ place: LonLat) -> Bool {
    guard isOnNearSide(place), let point = point(place) else { return false }
    return point.x > 0 && point.x < frame.size.x && point.y > 0 && point.y < frame.size.y
  }
}
