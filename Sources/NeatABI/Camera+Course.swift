import CNeatline
import NeatBase
import NeatCamera

/// What the limits say; those of a zeroed structure for NULL.
func limits(_ given: neat_camera_limits) throws(NeatError) -> CameraLimits {
  guard let mode = CameraLimits.Mode(rawValue: given.mode.rawValue) else {
    throw NeatError(.invalidArgument, "no constrain mode has the number \(given.mode.rawValue)")
  }
  var result = CameraLimits()
  result.mode = mode
  if given.has_bounds != 0 {
    result.bounds = ViewBounds(
      west: given.west_deg, south: given.south_deg, east: given.east_deg, north: given.north_deg)
  }
  result.minZoom = given.min_zoom
  if given.has_max_zoom != 0 { result.maxZoom = given.max_zoom }
  result.minPitch = given.min_pitch_deg
  if given.has_max_pitch != 0 { result.maxPitch = given.max_pitch_deg }
  result.repeatsWorld = given.is_one_world == 0
  return try result.checked()
}

@c @implementation
public func neat_camera_constrain(
  _ camera: UnsafeMutablePointer<neat_camera>!, _ size: UnsafePointer<neat_size>!,
  _ projection: neat_projection, _ limits: UnsafePointer<neat_camera_limits>!
) -> neat_status {
  attempt { () throws(NeatError) in
    let out = try Receiver(camera, "camera")
    let given = try NeatABI.camera(try required(try received(UnsafePointer(camera)), "camera"))
    let held = try NeatABI.limits(try received(limits) ?? neat_camera_limits())
    out.fill(neat_camera(held.on(try mapProjection(projection)).constrained(given, try viewSize(size))))
  }
}

extension neat_camera_limits {
  /// `struct_size` is the caller's matter.
  init(_ limits: CameraLimits) {
    self.init()
    mode = neat_constrain_mode(rawValue: limits.mode.rawValue)
    if let bounds = limits.bounds {
      has_bounds = 1
      (west_deg, south_deg, east_deg, north_deg) = (bounds.west, bounds.south, bounds.east, bounds.north)
    }
    (has_max_zoom, has_max_pitch) = (1, 1)
    (min_zoom, max_zoom) = (limits.minZoom, limits.maxZoom)
    (min_pitch_deg, max_pitch_deg) = (limits.minPitch, limits.maxPitch)
    is_one_world = limits.repeatsWorld ? 0 : 1
  }
}

extension neat_camera_course {
  /// What is 0 takes its default.
  var flight: CameraFlight.Options {
    var options = CameraFlight.Options()
    if curve != 0 { options.curve = curve }
    if has_min_zoom != 0 { options.minZoom = min_zoom }
    if speed != 0 { options.speed = speed }
    if screen_speed != 0 { options.screenSpeed = screen_speed }
    if max_duration_ms != 0 { options.maxDuration = max_duration_ms }
    return options
  }
}

/// A course as C has it, taken apart.
private struct Course {
  let from: Camera
  let change: CameraChange
  let size: ViewSize
  let limits: CameraLimits
  let given: neat_camera_course

  init(
    _ from: UnsafePointer<neat_camera>?, _ to: UnsafePointer<neat_camera>?, _ size: UnsafePointer<neat_size>?,
    _ projection: neat_projection, _ course: UnsafePointer<neat_camera_course>?,
    _ limits: UnsafePointer<neat_camera_limits>?, _ t: Double
  ) throws(NeatError) {
    guard (0...1).contains(t) else { throw NeatError(.invalidArgument, "t \(t) is not within 0...1") }
    given = try received(course) ?? neat_camera_course()
    self.from = try camera(try required(try received(from), "from"))
    var change = CameraChange(to: try camera(try required(try received(to), "to")))
    if given.keeps_center != 0 { change.center = nil }
    if given.has_around != 0 { change.around = LonLat(given.around_lon_deg, given.around_lat_deg) }
    change.offset = SIMD2(given.offset_x_px, given.offset_y_px)
    self.change = change
    self.size = try viewSize(size)
    let held: CameraLimits
    if let limits = try received(limits) { held = try NeatABI.limits(limits) } else { held = .none }
    self.limits = held.on(try mapProjection(projection))
  }
}

@c @implementation
public func neat_camera_ease(
  _ from: UnsafePointer<neat_camera>!, _ to: UnsafePointer<neat_camera>!, _ size: UnsafePointer<neat_size>!,
  _ projection: neat_projection, _ course: UnsafePointer<neat_camera_course>!,
  _ limits: UnsafePointer<neat_camera_limits>!, _ t: Double,
  _ out_camera: UnsafeMutablePointer<neat_camera>!
) -> neat_status {
  attempt { () throws(NeatError) in
    let out = try Receiver(out_camera, "out_camera")
    let course = try Course(from, to, size, projection, course, limits, t)
    let ease = try CameraEase(
      from: course.from, to: course.change, size: course.size, limits: course.limits)
    out.fill(neat_camera(ease.camera(at: t)))
  }
}

@c @implementation
public func neat_camera_fly(
  _ from: UnsafePointer<neat_camera>!, _ to: UnsafePointer<neat_camera>!, _ size: UnsafePointer<neat_size>!,
  _ projection: neat_projection, _ course: UnsafePointer<neat_camera_course>!,
  _ limits: UnsafePointer<neat_camera_limits>!, _ t: Double,
  _ out_camera: UnsafeMutablePointer<neat_camera>!, _ out_duration_ms: UnsafeMutablePointer<Double>!
) -> neat_status {
  attempt { () throws(NeatError) in
    let out = try Receiver(out_camera, "out_camera")
    let duration = try required(out_duration_ms, "out_duration_ms")
    let course = try Course(from, to, size, projection, course, limits, t)
    let flight = try CameraFlight(
      from: course.from, to: course.change, size: course.size, limits: course.limits,
      options: course.given.flight)
    out.fill(neat_camera(flight.camera(at: t)))
    duration.pointee = flight.durationMS
  }
}
