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

  /// Throws `invalidArgument` for an offset beside the globe.
  init(_ course: CameraCourse, _ change: CameraChange) throws(NeatError) {
    let (from, limits, size) = (course.start, course.limits, course.size)
    let place = try course.startPlace()
    let target = limits.place(change.center ?? place, course.end.zoom, size).0
    // The globe stays as large as it is where no zoom is asked for.
    func zoom(at latitude: Double) -> Double {
      change.zoom ?? from.zoom + GlobeView.zoomChange(from: from.center.lat, to: latitude)
    }
    var last = course.camera(at: 1)
    last.zoom = CameraRange.hold(zoom(at: target.lat), CameraRange.zoom)
    last.center = target
    let point = last.padding.middle(of: size.logical) + course.offset
    last = course.globeCamera(last, showing: target, at: point)
    (start, end) = (from.center, last.center)
    let asked = CameraRange.hold(zoom(at: end.lat), CameraRange.zoom)
    endZoom = limits.place(end, asked, size).1
    zooms = (
      GlobeWay.atEquator(from.zoom, start.lat), GlobeWay.atEquator(endZoom, end.lat)
    )
    (east, north) = (Angle.wrapped(end.lon - start.lon), end.lat - start.lat)
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
    let latitude = min(max(start.lat + north * part, -Mercator.maxLatitude), Mercator.maxLatitude)
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
