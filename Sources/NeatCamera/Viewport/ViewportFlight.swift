import NeatBase

/// The way of a viewport's default transition: each value of the camera by itself, with a delay of its own, eased in
/// and out, so that a map first moves and then goes down, or first rises and then moves. Delays and durations are
/// those of the mobile SDKs' version 10; all together they are made shorter where they would last too long.
///
/// Its aim may move: what is on its way then goes to the new one within the time that is left.
///
/// On the globe the centre goes as those of easings do, and the zoom's own part of the way is that of the globe's size,
/// so that it does not grow where the centre comes near a pole.
package struct ViewportFlight: Sendable {
  /// When a value begins to go, and how long it goes: milliseconds.
  struct Part: Sendable, Hashable {
    var delay: Double
    var duration: Double

    var end: Double { delay + duration }
    func scaled(_ factor: Double) -> Part { Part(delay: delay * factor, duration: duration * factor) }

    func part(at time: Double) -> Double {
      guard time < end else { return 1 }
      return time <= delay ? 0 : AnimationCurve.easeInOut.value(at: (time - delay) / duration)
    }
  }

  /// What a flight has no part for is there at the end.
  struct Plan: Sendable, Hashable {
    var center, zoom, bearing, pitch, padding: Part

    var end: Double { [center, zoom, bearing, pitch, padding].map(\.end).max() ?? 0 }

    func scaled(_ factor: Double) -> Plan {
      Plan(
        center: center.scaled(factor), zoom: zoom.scaled(factor), bearing: bearing.scaled(factor),
        pitch: pitch.scaled(factor), padding: padding.scaled(factor))
    }
  }

  package static let longestMS = 3500.0
  /// Durations that may be asked for.
  package static let range = 0.0...86_400_000.0

  private let start: Camera
  private let size: ViewSize
  private var target: CameraChange
  private let isOnGlobe: Bool
  /// Where no zoom is aimed at.
  private var globeSize = GlobeSize()
  let plan: Plan
  /// Milliseconds.
  package let durationMS: Double

  /// Throws `invalidArgument` for what no camera may be, and a time that is not within 0 to a day.
  /// - Parameter limits: on what the map lies on. The way goes by that to its end.
  package init(
    from start: Camera, to target: CameraChange, size: ViewSize, limits: CameraLimits = .none,
    maxDurationMS: Double = longestMS
  ) throws(NeatError) {
    guard ViewportFlight.range.contains(maxDurationMS) else {
      throw NeatError(.invalidArgument, "duration \(maxDurationMS) is not within 0...86400000 milliseconds")
    }
    (self.start, self.size) = (start, size)
    self.target = try ViewportFlight.checked(target)
    isOnGlobe = limits.projection == .globe
    let rise = ViewportFlight.rise(from: start, to: target, limits)
    let whole =
      rise > 0
      ? ViewportFlight.descent(from: start, to: target, rise: rise, size, limits.projection)
      : ViewportFlight.ascent
    let end = ViewportFlight.named(whole, target).end
    let factor = end > maxDurationMS ? maxDurationMS / end : 1
    plan = whole.scaled(factor)
    durationMS = min(end * factor, maxDurationMS)
  }

  /// Another aim for what is still on its way.
  package mutating func turn(to target: CameraChange) throws(NeatError) {
    self.target = try ViewportFlight.checked(target)
  }

  private static func checked(_ target: CameraChange) throws(NeatError) -> CameraChange {
    var camera = Camera()
    if let center = target.center { camera.center = center }
    if let zoom = target.zoom { camera.zoom = zoom }
    if let bearing = target.bearing { camera.bearing = bearing }
    if let pitch = target.pitch { camera.pitch = pitch }
    if let padding = target.padding { camera.padding = padding }
    _ = try camera.checked()
    return target
  }

  /// The camera with what the aim names of it, some milliseconds after the start.
  /// - Parameter limits: as they are now, on what the map lies on.
  package mutating func camera(
    _ camera: Camera, atMS time: Double, limits: CameraLimits = .none
  ) -> Camera {
    var camera = camera
    func mix(_ a: Double, _ b: Double, _ part: Double) -> Double { part == 1 ? b : a + (b - a) * part }
    if let zoom = target.zoom { camera.zoom = mix(start.zoom, zoom, plan.zoom.part(at: time)) }
    if let center = target.center { camera = moved(camera, toward: center, at: time, limits) }
    if let pitch = target.pitch { camera.pitch = mix(start.pitch, pitch, plan.pitch.part(at: time)) }
    if let bearing = target.bearing {
      let part = plan.bearing.part(at: time)
      camera.bearing =
        part == 1 ? bearing : mix(start.bearing, Angle.near(bearing, to: start.bearing), part)
    }
    if let padding = target.padding {
      let part = plan.padding.part(at: time)
      let from = start.padding
      camera.padding = EdgeInsets(
        top: mix(from.top, padding.top, part), left: mix(from.left, padding.left, part),
        bottom: mix(from.bottom, padding.bottom, part), right: mix(from.right, padding.right, part))
    }
    return camera.held()
  }

  /// The camera with its centre on the way, and on the globe the zoom that goes with it.
  private mutating func moved(
    _ camera: Camera, toward center: LonLat, at time: Double, _ limits: CameraLimits
  ) -> Camera {
    let part = plan.center.part(at: time)
    let way = GlobeWay(
      from: start.center, start.zoom, to: center, target.zoom ?? start.zoom, within: limits.bounds)
    let place =
      part == 1
      ? center
      : isOnGlobe ? way.center(at: part) : PlaneWay.center(from: start.center, to: center, at: part)
    if target.zoom == nil, isOnGlobe || limits.projection == .globe {
      return globeSize.camera(camera, at: place, limits, size)
    }
    var camera = camera
    camera.center = place
    guard isOnGlobe, target.zoom != nil else { return camera }
    let rise = plan.zoom.part(at: time)
    // At both ends it is as asked for.
    if part != rise || part != 0 && part != 1 {
      let (first, last) = way.zooms
      camera.zoom = way.zoom(first + (last - first) * rise, at: Mercator.heldLatitude(place.lat))
    }
    return camera
  }

  /// Zooms from the start to the end; on the globe those of its size.
  private static func rise(from start: Camera, to target: CameraChange, _ limits: CameraLimits) -> Double {
    guard let zoom = target.zoom else { return 0 }
    guard limits.projection == .globe, let center = target.center else { return zoom - start.zoom }
    let zooms = GlobeWay(from: start.center, start.zoom, to: center, zoom, within: nil).zooms
    return zooms.end - zooms.start
  }

  /// Up: the zoom leads.
  static let ascent = Plan(
    center: Part(delay: 800, duration: 1000), zoom: Part(delay: 0, duration: 1800),
    bearing: Part(delay: 600, duration: 1200), pitch: Part(delay: 0, duration: 1000),
    padding: Part(delay: 0, duration: 1200))

  /// Down: the way along the ground leads, at 500 pixels a second, and the zoom follows when half of it is done, at
  /// 2.2 zooms a second; neither takes more than 3 s.
  private static func descent(
    from start: Camera, to target: CameraChange, rise: Double, _ size: ViewSize, _ projection: MapProjection
  ) -> Plan {
    let longest = 3000.0
    var center = Part(delay: 0, duration: 0)
    if let place = target.center {
      let pixels = distance(start, place, size, projection)
      center.duration = min(pixels / 500 * 1000, longest)
    }
    var zoom = Part(delay: center.duration / 2, duration: 0)
    zoom.duration = min(abs(rise) / 2.2 * 1000, longest)
    let last = Part(delay: max(zoom.end - 1200 + 100, 0), duration: 1200)
    return Plan(
      center: center, zoom: zoom, bearing: Part(delay: max(zoom.end - 1800, 0), duration: 1800), pitch: last,
      padding: last)
  }

  /// Logical pixels of the view between its centre and a place; for one that is behind the eye or the globe, those of
  /// the ground.
  private static func distance(
    _ camera: Camera, _ place: LonLat, _ size: ViewSize, _ projection: MapProjection
  ) -> Double {
    let near = LonLat(Angle.near(place.lon, to: camera.center.lon), place.lat)
    if let view = try? CameraView(camera: camera, size: size, projection: projection),
      let point = try? view.nearPoint(of: near)
    {
      let way = point - camera.padding.middle(of: size.logical)
      return (way * way).sum().squareRoot()
    }
    if projection == .globe {
      let way = GlobeWay(from: camera.center, 0, to: place, 0, within: nil)
      return way.angle * GlobeView(camera, size).radius
    }
    let way = (Mercator.held(near) - Mercator.held(camera.center)) * TileUnits.pixels * exp2(camera.zoom)
    return (way * way).sum().squareRoot()
  }

  /// The plan without what the aim does not name.
  private static func named(_ plan: Plan, _ target: CameraChange) -> Plan {
    let none = Part(delay: 0, duration: 0)
    return Plan(
      center: target.center == nil ? none : plan.center, zoom: target.zoom == nil ? none : plan.zoom,
      bearing: target.bearing == nil ? none : plan.bearing, pitch: target.pitch == nil ? none : plan.pitch,
      padding: target.padding == nil ? none : plan.padding)
  }
}
