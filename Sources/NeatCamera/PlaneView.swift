import NeatBase

/// The Mercator plane as a camera sees it, in logical pixels and degrees.
///
/// `Transform` is the same projection as matrices, for drawing; here there is nothing to invert, so that a way
/// forth and back ends where it began.
struct PlaneView {
  let frame: ViewFrame
  let pitch: Double
  let worldSize: Double
  /// The camera's centre in world coordinates: `worldSize` logical pixels around the equator.
  let center: SIMD2<Double>

  /// The camera and the size have been checked.
  init(_ camera: Camera, _ size: ViewSize) {
    frame = ViewFrame(camera, size)
    pitch = camera.pitch
    worldSize = TileUnits.pixels * exp2(camera.zoom)
    center = Mercator.held(camera.center) * worldSize
  }

  func point(_ place: LonLat) -> SIMD2<Double>? {
    let p = Mercator.open(place) * worldSize - center
    return frame.screen(SIMD3(p.x, p.y, 0))
  }

  /// The place under a point; nil at the horizon and above.
  func place(_ point: SIMD2<Double>) -> LonLat? {
    guard let hit = frame.ground(point), hit.isAhead else { return nil }
    let place = Mercator.unproject((center + hit.place) / worldSize)
    return place.lon.isFinite ? place : nil
  }

  /// How far above the middle of the view ground is shown: a little below the true horizon, which is infinitely
  /// far.
  var horizon: Double {
    let flattening = 0.85, steepest = 89.25
    return frame.distance
      * min(tan((90 - pitch) * .pi / 180) * flattening, tan((steepest - pitch) * .pi / 180))
  }

  /// The box of degrees around the corners of the view, cut at the horizon; longitudes as they come, so that
  /// west is less than east and both may be past 180.
  var bounds: ViewBounds? {
    let top = max(0, frame.size.y / 2 - horizon)
    var box: ViewBounds?
    for corner in [
      SIMD2(0, top), SIMD2(frame.size.x, top), SIMD2(frame.size.x, frame.size.y), SIMD2(0, frame.size.y),
    ] {
      // A view that is rolled may look above the horizon with a corner: the line through it then meets the
      // ground behind the eye, and counts there.
      guard let hit = frame.ground(corner) else { return nil }
      let place = Mercator.unproject((center + hit.place) / worldSize)
      box = ViewBounds(box, place)
    }
    return box
  }
}

extension Mercator {
  /// Coordinates of the unit square, or north or south of it: the poles are infinitely far, and held just before.
  package static func open(_ place: LonLat) -> SIMD2<Double> {
    let last = 89.999_999_999
    return project(LonLat(place.lon, min(max(place.lat, -last), last)))
  }

  /// Coordinates of the unit square; what lies past its northern and southern edge is held at it.
  static func held(_ place: LonLat) -> SIMD2<Double> {
    project(LonLat(place.lon, min(max(place.lat, -maxLatitude), maxLatitude)))
  }
}
