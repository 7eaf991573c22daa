// The camera that shows places of the globe as large as they fit.
//
// From above one place of the globe the others are points of a space in which the ground there is at 0: the eye from
// which all are seen is found as over the plane. Its line of sight meets the ground beside that place; the globe is then
// turned to where it does, and it is found again, until both are one. That comes to an end where the places are near to
// each other, or the view looks down. Of large areas in tilted views, and about the poles, which no camera looks at, it
// does not: there the middle of the places goes to the middle of the room, and the globe as far away as it has to.
import NeatBase

/// What a fit on the globe is about.
struct GlobeFit {
  /// Turns of the globe at most; of very many places fewer, since each looks at all of them.
  private static let turns = 40
  private static let leastTurns = 8
  private static let placesLookedAt = 4_000_000
  /// What is left between what is sought and what is found, as a part of the way from the eye to the ground: less than
  /// a thousandth of a pixel.
  private static let tolerance = 1e-6

  let places: [LonLat]
  let frame: ViewFrame
  let size: ViewSize
  let deepest: Double
  /// The corners of the room for each place, by its number, in logical pixels of the view.
  let room: (Int) -> (low: SIMD2<Double>, high: SIMD2<Double>)

  /// A view of the plane, moved to where the globe shows the places as a whole. What is hidden counts as if it lay at the
  /// globe's edge.
  /// - Parameter eye: as in `Camera.seeing`, in radii of the globe.
  func camera(
    _ plane: Camera, eye: ([SIMD3<Double>], Double) throws(NeatError) -> SIMD3<Double>
  ) -> Camera {
    let sphere = places.map { GlobeFit.sphere(LonLat($0.lon, Mercator.heldLatitude($0.lat))) }
    // The turning may also come to an end where little of the places is seen, or nothing.
    if let found = turned(plane, sphere, eye), seesAll(found) { return found }
    return around(GlobeFit.middle(sphere) ?? middleOfDegrees, plane)
  }

  private func seesAll(_ camera: Camera) -> Bool {
    let view = GlobeView(camera, size)
    return places.allSatisfy(view.isOnNearSide)
  }

  /// Of places all around the globe.
  private var middleOfDegrees: LonLat {
    let sum = places.reduce(SIMD2<Double>.zero) { $0 + SIMD2($1.lon, $1.lat) } / Double(places.count)
    return LonLat(Angle.wrapped(sum.x), sum.y)
  }

  /// Nil where the turning comes to no end.
  private func turned(
    _ plane: Camera, _ sphere: [SIMD3<Double>],
    _ eye: ([SIMD3<Double>], Double) throws(NeatError) -> SIMD3<Double>
  ) -> Camera? {
    var result = plane
    result.center.lat = Mercator.heldLatitude(plane.center.lat)
    // From the middle of the globe, in the axes at the centre; from far away half of it is seen.
    var last = SIMD3(0, 0, 1e6)
    var points = [SIMD3<Double>](repeating: .zero, count: sphere.count)
    let turns = max(GlobeFit.leastTurns, min(GlobeFit.turns, GlobeFit.placesLookedAt / max(1, sphere.count)))
    for _ in 0..<turns {
      let up = GlobeFit.sphere(result.center)
      let longitude = result.center.lon * .pi / 180
      let east = SIMD3(cos(longitude), 0, -sin(longitude))
      let south = GlobeFit.cross(east, up)
      for (number, place) in sphere.enumerated() {
        let local = SIMD3((place * east).sum(), (place * south).sum(), (place * up).sum())
        points[number] = GlobeView.nearestSeen(to: local, from: last) - SIMD3(0, 0, 1)
      }
      // Logical pixels of a radius at zoom 0.
      let radius = TileUnits.pixels / (2 * .pi) / cos(result.center.lat * .pi / 180)
      let least = frame.distance / (radius * exp2(deepest)) * frame.toEye.z
      // Rooms in the sky, or none beside each other, may be so from here only.
      guard let from = try? eye(points, least), from.z >= least * (1 - 1e-9) else { return nil }
      let before = last
      last = from + SIMD3(0, 0, 1)
      let sight = from.z / frame.toEye.z
      let away = SIMD2(from.x, from.y) - SIMD2(frame.toEye.x, frame.toEye.y) * sight
      let length = (away.x * away.x + away.y * away.y).squareRoot()
      let zoom = log2(frame.distance / sight / radius)
      guard zoom.isFinite else { return nil }
      // What the globe hides depends on where the eye is.
      let moved = ((last - before) * (last - before)).sum().squareRoot()
      if length <= GlobeFit.tolerance * sight, moved <= GlobeFit.tolerance * sight {
        // A place that the least zoom, or the deepest, cannot show.
        result.zoom = min(max(zoom, CameraRange.zoom.lowerBound), deepest)
        return result.held()
      }
      // No more than half a radius at a time.
      let turned = up + (east * away.x + south * away.y) * min(1, 0.5 / max(length, 0.5))
      let next = GlobeFit.place(turned)
      // The centre does not go on to a pole.
      if abs(next.lat) == Mercator.maxLatitude, next.lat == result.center.lat { return nil }
      result.center = next
    }
    return nil
  }

  /// The middle of the places in the middle of their room, and the globe as near as it may be.
  private func around(_ middle: LonLat, _ plane: Camera) -> Camera {
    var (low, high) = (SIMD2(repeating: -Double.infinity), SIMD2(repeating: Double.infinity))
    for number in places.indices {
      let room = room(number)
      (low, high) = (pointwiseMax(low, room.low), pointwiseMin(high, room.high))
    }
    let point = (low + high) / 2
    let center = LonLat(middle.lon, Mercator.heldLatitude(middle.lat))
    // By the zoom at the equator, which says how large the globe is.
    func camera(_ zoom: Double) -> Camera {
      var camera = plane
      camera.center = center
      camera.zoom = zoom + GlobeView.zoomChange(from: 0, to: center.lat)
      camera = GlobeView(camera, size).camera(camera, showing: middle, at: point)
      camera.zoom = min(max(camera.zoom, CameraRange.zoom.lowerBound), deepest)
      return camera.held()
    }
    let most = GlobeView.zoomChange(from: Mercator.maxLatitude, to: 0)
    var (near, far) = (deepest + most, CameraRange.zoom.lowerBound)
    guard shows(camera(far)) else { return camera(far) }
    if shows(camera(near)) { return camera(near) }
    for _ in 0..<30 {
      let between = (near + far) / 2
      if shows(camera(between)) { far = between } else { near = between }
    }
    return camera(far)
  }

  /// Whether all places are seen within their rooms, but for a hundredth of a pixel.
  private func shows(_ camera: Camera) -> Bool {
    let view = GlobeView(camera, size)
    return places.indices.allSatisfy { number in
      guard let point = view.pointOrEdge(places[number]) else { return false }
      let (low, high) = room(number)
      let inside = pointwiseMin(point - low, high - point)
      return min(inside.x, inside.y) >= -0.01
    }
  }

  /// The middle of a small circle around all places, about; nil where they are all around the globe.
  private static func middle(_ sphere: [SIMD3<Double>]) -> LonLat? {
    let sum = sphere.reduce(SIMD3<Double>.zero, +)
    let size = (sum * sum).sum().squareRoot()
    guard size > 0.1 * Double(sphere.count) else { return nil }
    var middle = sum / size
    for step in 2..<34 {
      var (furthest, least) = (middle, Double.infinity)
      for place in sphere {
        let nearness = (place * middle).sum()
        if nearness < least { (furthest, least) = (place, nearness) }
      }
      let moved = middle + (furthest - middle) / Double(step)
      let length = (moved * moved).sum().squareRoot()
      guard length > 1e-6 else { break }
      middle = moved / length
    }
    let latitude = asin(min(max(middle.y, -1), 1)) * 180 / .pi
    return LonLat(Angle.wrapped(atan2(middle.x, middle.z) * 180 / .pi), latitude)
  }

  /// y to the north pole, z to where the equator meets the meridian of Greenwich.
  private static func sphere(_ place: LonLat) -> SIMD3<Double> {
    let (lon, lat) = (place.lon * .pi / 180, place.lat * .pi / 180)
    return SIMD3(sin(lon) * cos(lat), sin(lat), cos(lon) * cos(lat))
  }

  private static func place(_ p: SIMD3<Double>) -> LonLat {
    let length = (p * p).sum().squareRoot()
    let latitude = asin(min(max(p.y / length, -1), 1)) * 180 / .pi
    return LonLat(Angle.wrapped(atan2(p.x, p.z) * 180 / .pi), Mercator.heldLatitude(latitude))
  }

  private static func cross(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> SIMD3<Double> {
    SIMD3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
  }
}
