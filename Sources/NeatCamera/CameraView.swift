import NeatBase

/// What a map is laid onto.
package enum MapProjection: UInt32, Sendable, Hashable {
  /// The Mercator plane.
  case mercator = 0
  /// The globe, from above its centre.
  case globe = 1
}

/// Which place is seen where: from longitude and latitude to logical pixels, and back.
package struct CameraView {
  private enum Kind {
    case plane(PlaneView)
    case globe(GlobeView)
  }

  private let kind: Kind
  /// Logical pixels.
  package let size: SIMD2<Double>

  /// Throws `invalidArgument` where a member of the camera or the size is out of its range, naming it.
  package init(camera: Camera, size: ViewSize, projection: MapProjection = .mercator) throws(NeatError) {
    let (camera, size) = (try camera.checked(), try size.checked())
    self.size = size.logical
    switch projection {
    case .mercator: kind = .plane(PlaneView(camera, size))
    case .globe: kind = .globe(GlobeView(camera, size))
    }
  }

  /// Where a place is on the screen, or would be if that were larger; nil behind the eye. On the globe places
  /// of the far side are projected through it. Throws `invalidArgument` for what is no place.
  package func point(of place: LonLat) throws(NeatError) -> SIMD2<Double>? {
    let place = try CameraView.checked(place)
    switch kind {
    case .plane(let view): return view.point(place)
    case .globe(let view): return view.point(place)
    }
  }

  /// Where a place is on the screen, or would be if that were larger; nil behind the eye and on the globe's far side.
  func nearPoint(of place: LonLat) throws(NeatError) -> SIMD2<Double>? {
    if case .globe(let view) = kind, !view.isOnNearSide(place) { return nil }
    return try point(of: place)
  }

  /// Where a place is seen within the view; nil where it is not: beside it, behind the eye, on the far side.
  package func visiblePoint(of place: LonLat) throws(NeatError) -> SIMD2<Double>? {
    guard let point = try nearPoint(of: place), isWithin(point) else { return nil }
    return point
  }

  /// The place under a point, which may be beside the view. At the plane's horizon and above it there is none;
  /// beside the globe it is the nearest of its edge. Throws `invalidArgument` for what is no point.
  package func place(at point: SIMD2<Double>) throws(NeatError) -> (place: LonLat?, isOnSurface: Bool) {
    try CameraView.check(point, "point")
    switch kind {
    case .plane(let view):
      let place = view.place(point)
      return (place, place != nil && point.y > view.frame.size.y / 2 - view.horizon)
    case .globe(let view):
      // An eye within the globe, which looks up from below the ground, sees no place of it.
      let (place, isOnSurface) = view.place(point)
      return place.lon.isFinite && place.lat.isFinite ? (place, isOnSurface) : (nil, false)
    }
  }

  /// The box of degrees that the view shows; longitudes go on past 180. Throws `invalidArgument` where a view
  /// has no such box: a corner looks along the ground.
  package func bounds() throws(NeatError) -> ViewBounds {
    switch kind {
    case .plane(let view):
      guard let box = view.bounds else {
        throw NeatError(.invalidArgument, "the view has no bounds: a corner looks along the ground")
      }
      return box
    case .globe(let view): return view.bounds
    }
  }

  /// Logical pixels that a point may be away at most.
  package static let farthest = 1e6

  static func check(_ point: SIMD2<Double>, _ name: String) throws(NeatError) {
    guard abs(point.x) <= farthest, abs(point.y) <= farthest else {
      throw NeatError(.invalidArgument, "\(name) (\(point.x), \(point.y)) is not within \(farthest) pixels")
    }
  }

  private func isWithin(_ point: SIMD2<Double>) -> Bool {
    point.x >= 0 && point.y >= 0 && point.x <= size.x && point.y <= size.y
  }

  package static func checked(_ place: LonLat) throws(NeatError) -> LonLat {
    guard CameraRange.longitude.contains(place.lon) else {
      throw NeatError(.invalidArgument, "longitude \(place.lon) is not within -36000...36000")
    }
    guard CameraRange.latitude.contains(place.lat) else {
      throw NeatError(.invalidArgument, "latitude \(place.lat) is not within -90...90")
    }
    return place
  }
}
