import CNeatline
import NeatBase
import NeatCamera
import NeatJSON
import NeatLive

/// An animator that a host holds. It may outlive its map.
final class AnimatorHandle: ProcessBound {
  let animator: LiveAnimator
  let generation = ProcessGeneration.current

  init(_ animator: LiveAnimator) { self.animator = animator }
}

private func attempt(_ animator: OpaquePointer?, _ body: (LiveAnimator) throws(NeatError) -> Void)
  -> neat_status
{
  attempt { () throws(NeatError) in
    let handle: AnimatorHandle = Handle.object(try required(animator, "animator"))
    try handle.checkProcess("animator")
    try body(handle.animator)
  }
}

/// What C callbacks make of an animator's end.
private func completion(_ callback: neat_animation_callback?, _ context: UnsafeMutableRawPointer?)
  -> AnimatorCompletion?
{
  guard let callback else { return nil }
  return { callback(context, $0.c) }
}

extension CameraAnimator.Position {
  var c: neat_animation_position {
    switch self {
    case .start: NEAT_ANIMATION_POSITION_START
    case .current: NEAT_ANIMATION_POSITION_CURRENT
    case .end: NEAT_ANIMATION_POSITION_END
    }
  }
}

extension CameraAnimator.State {
  fileprivate var c: neat_animator_state {
    switch self {
    case .inactive: NEAT_ANIMATOR_STATE_INACTIVE
    case .active: NEAT_ANIMATOR_STATE_ACTIVE
    case .paused: NEAT_ANIMATOR_STATE_PAUSED
    case .finished: NEAT_ANIMATOR_STATE_FINISHED
    }
  }

  fileprivate var name: String {
    switch self {
    case .inactive: "inactive"
    case .active: "active"
    case .paused: "paused"
    case .finished: "finished"
    }
  }
}

/// What an animation says, taken apart.
private struct Animation {
  var durationMS: Double?
  var curve = AnimationCurve.ease
  var owner = "unspecified"

  /// Milliseconds where nobody says how many.
  static let standardMS = 500.0

  init(_ given: UnsafePointer<neat_animation>?) throws(NeatError) {
    guard let given = try received(given) else { return }
    if given.has_duration != 0 { durationMS = given.duration_ms }
    switch given.curve {
    case NEAT_CURVE_EASE: break
    case NEAT_CURVE_LINEAR: curve = .linear
    case NEAT_CURVE_EASE_IN: curve = .easeIn
    case NEAT_CURVE_EASE_OUT: curve = .easeOut
    case NEAT_CURVE_EASE_IN_OUT: curve = .easeInOut
    case NEAT_CURVE_BEZIER: curve = .bezier(x1: given.x1, y1: given.y1, x2: given.x2, y2: given.y2)
    case NEAT_CURVE_SPRING: curve = .spring(dampingRatio: given.damping_ratio)
    default: throw NeatError(.invalidArgument, "no curve has the number \(given.curve.rawValue)")
    }
    if given.owner != nil { owner = try text(given.owner, given.owner_size, "owner") }
  }
}

private struct Fields: OptionSet {
  let rawValue: UInt32
  static let center = Fields(NEAT_CAMERA_FIELD_CENTER), zoom = Fields(NEAT_CAMERA_FIELD_ZOOM)
  static let bearing = Fields(NEAT_CAMERA_FIELD_BEARING), pitch = Fields(NEAT_CAMERA_FIELD_PITCH)
  static let roll = Fields(NEAT_CAMERA_FIELD_ROLL), padding = Fields(NEAT_CAMERA_FIELD_PADDING)
  static let fov = Fields(NEAT_CAMERA_FIELD_FOV), anchor = Fields(NEAT_CAMERA_FIELD_ANCHOR)
  static let all: Fields = [.center, .zoom, .bearing, .pitch, .roll, .padding, .fov, .anchor]

  init(rawValue: UInt32) { self.rawValue = rawValue }
  private init(_ field: neat_camera_field) { rawValue = UInt32(field.rawValue) }
}

extension neat_camera_change {
  fileprivate var named: Fields { Fields(rawValue: fields) }

  private func checkFields() throws(NeatError) {
    guard named.isSubset(of: .all) else {
      throw NeatError(.invalidArgument, "fields \(fields) are unknown")
    }
  }

  func change() throws(NeatError) -> CameraChange {
    try checkFields()
    var change = CameraChange()
    if named.contains(.center) { change.center = LonLat(lon_deg, lat_deg) }
    if named.contains(.zoom) { change.zoom = zoom }
    if named.contains(.bearing) { change.bearing = bearing_deg }
    if named.contains(.pitch) { change.pitch = pitch_deg }
    if named.contains(.roll) { change.roll = roll_deg }
    if named.contains(.padding) { change.padding = padding }
    if named.contains(.fov) { change.fieldOfView = fov_deg }
    if named.contains(.anchor) { change.anchor = SIMD2(anchor_x_px, anchor_y_px) }
    return change
  }

  private var padding: EdgeInsets {
    EdgeInsets(
      top: padding_top_px, left: padding_left_px, bottom: padding_bottom_px, right: padding_right_px)
  }

  /// What an animator changes, from `from`.
  fileprivate func values(from: neat_camera_change?) throws(NeatError) -> CameraAnimator.Values {
    try checkFields()
    try from?.checkFields()
    let before = from?.named ?? []
    guard named.union(before).isDisjoint(with: [.roll, .fov]) else {
      throw NeatError(.invalidArgument, "an animator has neither roll nor field of view")
    }
    guard before.isSubset(of: named) else {
      throw NeatError(
        .invalidArgument, "from has the fields \(before.subtracting(named).rawValue), which to has not")
    }
    var values = CameraAnimator.Values()
    func way<Value>(_ field: Fields, _ read: (neat_camera_change) -> Value) -> CameraAnimator.Way<Value>? {
      guard named.contains(field) else { return nil }
      return CameraAnimator.Way(from: before.contains(field) ? from.map(read) : nil, to: read(self))
    }
    values.center = way(.center) { LonLat($0.lon_deg, $0.lat_deg) }
    values.zoom = way(.zoom) { $0.zoom }
    values.bearing = way(.bearing) { $0.bearing_deg }
    values.pitch = way(.pitch) { $0.pitch_deg }
    values.padding = way(.padding) { $0.padding }
    values.anchor = way(.anchor) { SIMD2($0.anchor_x_px, $0.anchor_y_px) }
    return values
  }
}

/// A change with the place that stays and the offset of a course.
private func change(_ to: UnsafePointer<neat_camera_change>?, _ course: neat_camera_course)
  throws(NeatError) -> CameraChange
{
  var change = try required(try received(to), "to").change()
  if course.has_around != 0 { change.around = LonLat(course.around_lon_deg, course.around_lat_deg) }
  if course.keeps_center != 0 { change.center = nil }
  change.offset = SIMD2(course.offset_x_px, course.offset_y_px)
  return change
}

@c @implementation
public func neat_map_change_camera(_ map: OpaquePointer!, _ change: UnsafePointer<neat_camera_change>!)
  -> neat_status
{
  attempt(map) { map throws(NeatError) in
    try map.setCamera(try required(try received(change), "change").change())
  }
}

@c @implementation
public func neat_map_set_camera_limits(_ map: OpaquePointer!, _ limits: UnsafePointer<neat_camera_limits>!)
  -> neat_status
{
  attempt(map) { map throws(NeatError) in
    try map.setLimits(try NeatABI.limits(try received(limits) ?? neat_camera_limits()))
  }
}

@c @implementation
public func neat_map_camera_limits(
  _ map: OpaquePointer!, _ out_limits: UnsafeMutablePointer<neat_camera_limits>!
) -> neat_status {
  attempt(map) { map throws(NeatError) in
    try Receiver(out_limits, "out_limits").fill(neat_camera_limits(map.limits))
  }
}

/// Starts an easing or a flight, and hands it out where somebody wants it.
private func start(
  _ map: OpaquePointer?, _ out: OutHandle?, _ body: (LiveMap) throws(NeatError) -> LiveAnimator
) -> neat_status {
  out?.pointee = nil
  return attempt(map) { map throws(NeatError) in
    let animator = try body(map)
    out?.pointee = Handle.make(AnimatorHandle(animator))
  }
}

@c @implementation
public func neat_map_ease(
  _ map: OpaquePointer!, _ to: UnsafePointer<neat_camera_change>!,
  _ course: UnsafePointer<neat_camera_course>!, _ animation: UnsafePointer<neat_animation>!,
  _ callback: neat_animation_callback!, _ context: UnsafeMutableRawPointer!, _ out_animator: OutHandle!
) -> neat_status {
  start(map, out_animator) { map throws(NeatError) in
    let animation = try Animation(animation)
    return try map.ease(
      to: try change(to, try received(course) ?? neat_camera_course()),
      durationMS: animation.durationMS ?? Animation.standardMS, curve: animation.curve,
      owner: animation.owner, completion: completion(callback, context))
  }
}

@c @implementation
public func neat_map_fly(
  _ map: OpaquePointer!, _ to: UnsafePointer<neat_camera_change>!,
  _ course: UnsafePointer<neat_camera_course>!, _ animation: UnsafePointer<neat_animation>!,
  _ callback: neat_animation_callback!, _ context: UnsafeMutableRawPointer!, _ out_animator: OutHandle!
) -> neat_status {
  start(map, out_animator) { map throws(NeatError) in
    let animation = try Animation(animation)
    let course = try received(course) ?? neat_camera_course()
    return try map.fly(
      to: try change(to, course), options: course.flight, durationMS: animation.durationMS,
      curve: animation.curve, owner: animation.owner, completion: completion(callback, context))
  }
}

@c @implementation
public func neat_map_cancel_animations(_ map: OpaquePointer!) -> neat_status {
  attempt(map) { map throws(NeatError) in map.cancelAnimations() }
}

@c @implementation
public func neat_map_animators(_ map: OpaquePointer!, _ out_json: OutHandle!) -> neat_status {
  produce(map, out_json) { map throws(NeatError) in
    var list: [JSON] = map.aliveAnimators.map { id, animator in
      .object([
        ("id", .number(Double(id))), ("owner", .string(animator.owner)),
        ("state", .string(animator.state.name)), ("fractionComplete", .number(animator.fractionComplete)),
        ("isReversed", .bool(animator.isReversed)),
      ])
    }
    if map.isGliding {
      list.append(
        .object([("id", .number(0)), ("owner", .string("gestures")), ("state", .string("active"))]))
    }
    return Buffer(Array(JSON.array(list).text.utf8))
  }
}

@c @implementation
public func neat_map_make_animator(
  _ map: OpaquePointer!, _ from: UnsafePointer<neat_camera_change>!,
  _ to: UnsafePointer<neat_camera_change>!, _ animation: UnsafePointer<neat_animation>!,
  _ out_animator: OutHandle!
) -> neat_status {
  produce(map, out_animator) { map throws(NeatError) in
    let animation = try Animation(animation)
    let values = try required(try received(to), "to").values(from: try received(from))
    return AnimatorHandle(
      try map.makeAnimator(
        values, durationMS: animation.durationMS ?? Animation.standardMS, curve: animation.curve,
        owner: animation.owner))
  }
}

@c @implementation
public func neat_animator_start(_ animator: OpaquePointer!, _ delay_ms: Double) -> neat_status {
  attempt(animator) { animator throws(NeatError) in try animator.start(delayMS: delay_ms) }
}

@c @implementation
public func neat_animator_pause(_ animator: OpaquePointer!) -> neat_status {
  attempt(animator) { animator throws(NeatError) in try animator.pause() }
}

@c @implementation
public func neat_animator_resume(_ animator: OpaquePointer!) -> neat_status {
  attempt(animator) { animator throws(NeatError) in try animator.resume() }
}

@c @implementation
public func neat_animator_reverse(_ animator: OpaquePointer!) -> neat_status {
  attempt(animator) { animator throws(NeatError) in try animator.reverse() }
}

@c @implementation
public func neat_animator_stop(_ animator: OpaquePointer!) -> neat_status {
  attempt(animator) { animator throws(NeatError) in animator.stop() }
}

@c @implementation
public func neat_animator_when_ended(
  _ animator: OpaquePointer!, _ callback: neat_animation_callback!, _ context: UnsafeMutableRawPointer!
) -> neat_status {
  attempt(animator) { animator throws(NeatError) in
    animator.whenEnded(try required(completion(callback, context), "callback"))
  }
}

@c @implementation
public func neat_animator_describe(
  _ animator: OpaquePointer!, _ out_info: UnsafeMutablePointer<neat_animator_info>!
) -> neat_status {
  attempt(animator) { animator throws(NeatError) in
    let out = try Receiver(out_info, "out_info")
    var info = neat_animator_info()
    info.id = animator.number
    info.state = NEAT_ANIMATOR_STATE_FINISHED
    info.position = NEAT_ANIMATION_POSITION_CURRENT
    if let animator = animator.animator {
      info.state = animator.state.c
      info.position = (animator.end ?? .start).c
      info.is_reversed = animator.isReversed ? 1 : 0
      info.fraction_complete = animator.fractionComplete
    }
    out.fill(info)
  }
}

@c @implementation
public func neat_animator_destroy(_ animator: OpaquePointer!) {
  Handle.destroy(bound: animator, AnimatorHandle.self)
}

@c @implementation
public func neat_map_set_frame_pacing(_ map: OpaquePointer!, _ pacing: neat_frame_pacing) -> neat_status {
  attempt(map) { map throws(NeatError) in
    guard pacing == NEAT_FRAME_PACING_LOOP || pacing == NEAT_FRAME_PACING_HOST else {
      throw NeatError(.invalidArgument, "no pacing has the number \(pacing.rawValue)")
    }
    try map.setPacing(byHost: pacing == NEAT_FRAME_PACING_HOST)
  }
}

@c @implementation
public func neat_map_frame_due(_ map: OpaquePointer!) -> Int32 {
  guard let handle = map.map({ Handle.object($0, as: MapHandle.self) }), handle.isOfThisProcess else {
    return 0
  }
  return handle.map.isFrameDue ? 1 : 0
}

@c @implementation
public func neat_map_begin_frame(_ map: OpaquePointer!, _ time_ms: Double) -> neat_status {
  attempt(map) { map throws(NeatError) in try map.beginFrame(atMS: time_ms) }
}
