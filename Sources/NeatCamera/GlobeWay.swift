import NeatBase

/// A centre's way over the globe along a line of constant bearing, its latitude growing evenly. Zooms on the way are
/// those at the equator of a globe as large, so that it does not grow where the way leads to a pole. Behaviour after
/// MapLibre GL JS's easings and flights on the globe.
struct GlobeWay {
  let start: LonLat
  let end: LonLat
  /// The camera's zoom at the end.
  let endZoom: Double
  /// At the equator.
  let zooms: (start: Double, end: Double)

  private let east: Double
  private let north: Double

  /// Throws `invalidArgument` for an offset beside the globe, where it says which place goes there.
  init(_ course: CameraCourse, _ change: CameraChange) throws(NeatError) {
    let (from, limits, size) = (course.start, course.limits, course.size)
    let place: LonLat
    if let center = change.center { place = center } else { place = try course.startPlace() }
    let target = limits.place(place, course.end.zoom, size).0
    var last = course.camera(at: 1)
    let point = last.padding.middle(of: size.logical) + course.offset
    if let zoom = change.zoom {
      (last.center, last.zoom) = limits.place(target, zoom, size)
      last = limits.camera(last, showing: target, at: point, size)
    } else {
      // The globe stays as large as it is.
      last = limits.camera(last, turningTo: target, at: point, size)
    }
    self.init(from: from.center, from.zoom, to: last.center, last.zoom, within: limits.bounds)
  }

  /// Between two places at zooms of the camera there.
  init(
    from start: LonLat, _ startZoom: Double, to end: LonLat, _ endZoom: Double, within bounds: ViewBounds?
  ) {
    self.start = LonLat(start.lon, Mercator.heldLatitude(start.lat))
    self.end = LonLat(end.lon, Mercator.heldLatitude(end.lat))
    self.endZoom = endZoom
    zooms = (
      GlobeWay.atEquator(startZoom, self.start.lat), GlobeWay.atEquator(endZoom, self.end.lat)
    )
    if let bounds, bounds.span < 360 {
      // Within them, also where that is the longer way.
      let middle = bounds.west + bounds.span / 2
      east = Angle.wrapped(end.lon - middle) - Angle.wrapped(start.lon - middle)
    } else {
      east = Angle.wrapped(end.lon - start.lon)
    }
    north = self.end.lat - self.start.lat
  }

  static func atEquator(_ zoom: Double, _ latitude: Double) -> Double {
    zoom + GlobeView.zoomChange(from: latitude, to: 0)
  }

  /// The angle between the ends, in radians.
  var angle: Double {
    let (a, b) = (start.lat * .pi / 180, end.lat * .pi / 180)
    let (up, along) = (sin((b - a) / 2), sin(east * .pi / 360))
    // Haversines, which lose nothing of small angles.
    return 2 * asin(min(1, (up * up + cos(a) * cos(b) * along * along).squareRoot()))
  }

  func center(at part: Double) -> LonLat {
    let latitude = Mercator.heldLatitude(start.lat + north * part)
    let (y0, y1) = (Mercator.y(lat: start.lat), Mercator.y(lat: end.lat))
    // A way along a parallel has no bearing to keep.
    let along = abs(north) > 1e-6 ? (Mercator.y(lat: latitude) - y0) / (y1 - y0) : part
    return LonLat(Angle.wrapped(start.lon + east * along), latitude)
  }

  /// The camera's zoom where its centre is, for one at the equator.
  func zoom(_ atEquator: Double, at latitude: Double) -> Double {
    CameraRange.hold(atEquator + GlobeView.zoomChange(from: 0, to: latitude), CameraRange.zoom)
  }
}
