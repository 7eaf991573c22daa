import NeatBase

/// Where a camera goes: what is nil stays as it is.
package struct CameraChange: Sendable, Hashable {
  package var center: LonLat?
  package var zoom: Double?
  package var bearing: Double?
  package var pitch: Double?
  package var roll: Double?
  package var padding: EdgeInsets?
  package var fieldOfView: Double?
  /// Where the centre is to be seen, in logical pixels right of and below the middle of what the paddings
  /// leave.
  package var offset = SIMD2(0.0, 0.0)
  /// A place that stays where it is seen; the centre then follows from it. An easing's only.
  package var around: LonLat?
  /// A point of the view, in logical pixels from its top left corner, whose place stays under it: `around` by
  /// where it is seen. Nothing where a centre is given. An easing's only.
  package var anchor: SIMD2<Double>?

  package init() {}

  /// All of another camera.
  package init(to camera: Camera) {
    center = camera.center
    zoom = camera.zoom
    bearing = camera.bearing
    pitch = camera.pitch
    roll = camera.roll
    padding = camera.padding
    fieldOfView = camera.fieldOfView
  }

  /// Whether the centre goes elsewhere.
  var movesCenter: Bool { center != nil || around != nil || anchor != nil || offset != SIMD2(0, 0) }

  /// The camera that it leads to. Throws `invalidArgument` as an easing does.
  package func camera(from start: Camera, size: ViewSize, limits: CameraLimits) throws(NeatError) -> Camera {
    let ease = try CameraEase(from: start, to: self, size: size, limits: limits)
    return limits.constrained(ease.written(self, into: start, at: 1), size)
  }

  /// A camera with what this names of one that is on its way to it; at the end exactly as it was asked for.
  /// `always`: centre and zoom too.
  func written(into camera: Camera, _ way: Camera, at part: Double, always: Bool = false) -> Camera {
    let isExact = part == 1 && around == nil && anchor == nil && offset == SIMD2(0, 0)
    var camera = camera
    if always || movesCenter { camera.center = isExact ? center ?? way.center : way.center }
    if always || zoom != nil { camera.zoom = isExact ? zoom ?? way.zoom : way.zoom }
    if let bearing { camera.bearing = part == 1 ? bearing : way.bearing }
    if let roll { camera.roll = part == 1 ? roll : way.roll }
    if pitch != nil { camera.pitch = way.pitch }
    if padding != nil { camera.padding = way.padding }
    if fieldOfView != nil { camera.fieldOfView = way.fieldOfView }
    return camera
  }

  /// A camera with all of it but the offset and the place that stays.
  func applied(to start: Camera) -> Camera {
    var camera = start
    camera.center = center ?? start.center
    camera.zoom = zoom ?? start.zoom
    camera.bearing = bearing ?? start.bearing
    camera.pitch = pitch ?? start.pitch
    camera.roll = roll ?? start.roll
    camera.padding = padding ?? start.padding
    camera.fieldOfView = fieldOfView ?? start.fieldOfView
    return camera
  }

  func checkExtras() throws(NeatError) {
    for part in [offset.x, offset.y] where !(abs(part) <= CameraRange.padding.upperBound) {
      throw NeatError(.invalidArgument, "offset \(part) is not within 65536 pixels")
    }
    if let around { _ = try CameraView.checked(around) }
    if let anchor { try CameraView.check(anchor, "anchor") }
  }
}

/// The angles, paddings and field of view of a camera on its way, which go in a straight line, and of its centre
/// what both easings and flights do: putting a place under a point of the screen.
struct CameraCourse {
  let start: Camera
  /// Bearing and roll are those that mean the same and are within half a turn of the start's.
  let end: Camera
  let size: ViewSize
  let limits: CameraLimits
  let offset: SIMD2<Double>

  init(from: Camera, _ change: CameraChange, _ size: ViewSize, _ limits: CameraLimits) throws(NeatError) {
    self.size = try size.checked()
    self.limits = try limits.checked()
    try change.checkExtras()
    var start = try from.checked()
    start.bearing = Angle.wrapped(start.bearing)
    start = limits.constrained(start, size)
    var end = try change.applied(to: start).checked()
    end.bearing = Angle.near(Angle.wrapped(end.bearing), to: start.bearing)
    end.roll = Angle.near(end.roll, to: start.roll)
    end.pitch = min(max(end.pitch, limits.minPitch), limits.maxPitch)
    self.start = start
    self.end = end
    offset = change.offset
  }

  /// The camera on its way, without centre and zoom.
  func camera(at k: Double) -> Camera {
    func mix(_ a: Double, _ b: Double) -> Double { k == 1 ? b : a + (b - a) * k }
    func side(_ a: Double, _ b: Double) -> Double { CameraRange.hold(mix(a, b), CameraRange.padding) }
    var camera = start
    camera.bearing = Angle.wrapped(mix(start.bearing, end.bearing))
    // A curve may overshoot.
    camera.pitch = CameraRange.hold(mix(start.pitch, end.pitch), CameraRange.pitch)
    camera.roll = mix(start.roll, end.roll)
    camera.fieldOfView = CameraRange.hold(
      mix(start.fieldOfView, end.fieldOfView), CameraRange.fieldOfView)
    let (a, b) = (start.padding, end.padding)
    camera.padding = EdgeInsets(
      top: side(a.top, b.top), left: side(a.left, b.left), bottom: side(a.bottom, b.bottom),
      right: side(a.right, b.right))
    return camera
  }

  /// World coordinates of what a camera shows beside its middle, seen from its centre.
  func ground(_ camera: Camera, at point: SIMD2<Double>) -> SIMD2<Double>? {
    let frame = ViewFrame(camera, size)
    guard let hit = frame.ground(point), hit.isAhead else { return nil }
    return hit.place
  }

  /// Where the line of sight through a point meets the globe.
  private func onGlobe(_ camera: Camera, at point: SIMD2<Double>) -> LonLat? {
    let (place, isOnSurface) = GlobeView(camera, size).place(point)
    return isOnSurface && place.lon.isFinite && place.lat.isFinite ? place : nil
  }

  /// The camera with a place under a point, within the limits. Where the point has come to lie above the
  /// horizon, the place goes to the middle.
  func camera(_ camera: Camera, showing place: LonLat, at point: SIMD2<Double>) -> Camera {
    let middle = camera.padding.middle(of: size.logical)
    guard point != middle, let away = ground(camera, at: point) else {
      return finished(camera, at: place)
    }
    let world = TileUnits.pixels * exp2(camera.zoom)
    return finished(camera, at: Mercator.unproject(Mercator.open(place) - away / world))
  }

  func finished(_ camera: Camera, at center: LonLat) -> Camera {
    limits.constrained(camera, at: center, size)
  }

  /// The place at the offset from the start's middle. Throws where that is above the horizon.
  func startPlace() throws(NeatError) -> LonLat {
    guard offset != SIMD2(0, 0) else { return start.center }
    let middle = start.padding.middle(of: size.logical)
    if limits.projection == .globe {
      guard let place = onGlobe(start, at: middle + offset) else {
        throw NeatError(.invalidArgument, "offset (\(offset.x), \(offset.y)) is beside the globe")
      }
      return place
    }
    guard let away = ground(start, at: middle + offset) else {
      throw NeatError(.invalidArgument, "offset (\(offset.x), \(offset.y)) is above the horizon")
    }
    let world = TileUnits.pixels * exp2(start.zoom)
    return Mercator.unproject(Mercator.held(start.center) + away / world)
  }

  /// A longitude where it is the shorter way from the start's.
  func nearStart(_ place: LonLat) -> LonLat {
    guard limits.repeatsWorld, limits.bounds == nil else { return place }
    let along = place.lon - start.center.lon
    guard abs(along) > 180 else { return place }
    return LonLat(start.center.lon + Angle.wrapped(along), place.lat)
  }
}
