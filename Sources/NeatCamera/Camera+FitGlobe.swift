// The camera that shows places of the globe as large as they fit.
//
// From above one place of the globe the others are points of a space in which the ground there is at 0: the eye from
// which all are seen is found as over the plane. Its line of sight meets the ground beside that place; the globe is then
// turned to where it does, and it is found again, until both are one.
import NeatBase

extension Camera {
  /// Turns of the globe at most; five or so are enough where nothing is beyond the horizon.
  private static let fitTurns = 60
  /// Radians between what is sought and what is found: a thousandth of a pixel at the deepest zoom of a globe.
  private static let fitTolerance = 1e-10

  /// This view of the plane, moved to where the globe shows the places as a whole. What is hidden counts as if it lay
  /// at the globe's edge.
  /// - Parameters:
  ///   - room: slopes of the rays through the upper left and the lower right corner of the room, where nothing reaches
  ///     past the places.
  ///   - eye: as in `seeing`, in radii of the globe.
  func onGlobe(
    _ places: [LonLat], _ frame: ViewFrame, deepest: Double, room: (SIMD2<Double>, SIMD2<Double>),
    eye: ([SIMD3<Double>], Double) throws(NeatError) -> SIMD3<Double>
  ) throws(NeatError) -> Camera {
    var result = self
    result.center.lat = Mercator.heldLatitude(center.lat)
    let sphere = places.map { Camera.sphere(LonLat($0.lon, Mercator.heldLatitude($0.lat))) }
    // From the middle of the globe, in the axes at the centre; from far away half of it is seen.
    var last = SIMD3(0, 0, 1e6)
    for _ in 0..<Camera.fitTurns {
      let up = Camera.sphere(result.center)
      let longitude = result.center.lon * .pi / 180
      let east = SIMD3(cos(longitude), 0, -sin(longitude))
      let south = Camera.cross(east, up)
      let points = sphere.map { place in
        let local = SIMD3((place * east).sum(), (place * south).sum(), (place * up).sum())
        return Camera.seen(local, from: last) - SIMD3(0, 0, 1)
      }
      // Logical pixels of a radius at zoom 0.
      let radius = TileUnits.pixels / (2 * .pi) / cos(result.center.lat * .pi / 180)
      let least = frame.distance / (radius * exp2(deepest)) * frame.toEye.z
      let from = try eye(points, least)
      guard from.z >= least * (1 - 1e-9) else { throw Camera.onlySky }
      let before = last
      last = from + SIMD3(0, 0, 1)
      var sight = from.z / frame.toEye.z
      let away = SIMD2(from.x, from.y) - SIMD2(frame.toEye.x, frame.toEye.y) * sight
      let length = (away.x * away.x + away.y * away.y).squareRoot()
      // No more than half a radius at a time.
      let turned = up + (east * away.x + south * away.y) * min(1, 0.5 / max(length, 0.5))
      let next = Camera.place(turned / (turned * turned).sum().squareRoot())
      let isHeld = abs(next.lat) == Mercator.maxLatitude && next.lat == result.center.lat
      if isHeld {
        // The centre does not go on to the pole: as far back along its own line of sight that all of what is seen from
        // there is seen.
        let aside = SIMD2(
          frame.right.x * away.x + frame.right.y * away.y, frame.down.x * away.x + frame.down.y * away.y)
        let back = pointwiseMax(aside / room.0, aside / room.1)
        sight += max(back.x, back.y) + frame.toEye.x * away.x + frame.toEye.y * away.y
      }
      result.zoom = min(
        max(log2(frame.distance / sight / radius), CameraRange.zoom.lowerBound), deepest)
      // What the globe hides depends on where the eye is.
      let isStill = ((last - before) * (last - before)).sum() <= 1e-16 * (last * last).sum()
      if isStill, length <= Camera.fitTolerance || isHeld { break }
      if isHeld { continue }
      result.zoom = min(
        result.zoom + GlobeView.zoomChange(from: result.center.lat, to: next.lat), deepest)
      result.center = next
    }
    return result.held()
  }

  /// A place of the unit sphere, or where it is hidden from an eye, the nearest of what is not.
  private static func seen(_ place: SIMD3<Double>, from eye: SIMD3<Double>) -> SIMD3<Double> {
    let height = (eye * eye).sum().squareRoot()
    guard (place * eye).sum() < 1, height > 1 else { return place }
    let toEye = eye / height
    let aside = place - toEye * (place * toEye).sum()
    let length = (aside * aside).sum().squareRoot()
    let edge = (1 - 1 / (height * height)).squareRoot()
    return toEye / height + (length > 1e-12 ? aside * (edge / length) : SIMD3(edge, 0, 0))
  }

  /// y to the north pole, z to where the equator meets the meridian of Greenwich.
  private static func sphere(_ place: LonLat) -> SIMD3<Double> {
    let (lon, lat) = (place.lon * .pi / 180, place.lat * .pi / 180)
    return SIMD3(sin(lon) * cos(lat), sin(lat), cos(lon) * cos(lat))
  }

  private static func place(_ p: SIMD3<Double>) -> LonLat {
    let latitude = asin(min(max(p.y, -1), 1)) * 180 / .pi
    return LonLat(Angle.wrapped(atan2(p.x, p.z) * 180 / .pi), Mercator.heldLatitude(latitude))
  }

  private static func cross(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> SIMD3<Double> {
    SIMD3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
  }
}
