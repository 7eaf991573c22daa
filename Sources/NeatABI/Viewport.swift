import CNeatline
import NeatBase
import NeatCamera
import NeatJSON
import NeatLive
import NeatTile

/// A state that a host holds. It may outlive its map.
final class ViewportStateHandle: ProcessBound {
  let state: LiveViewportState
  let generation = ProcessGeneration.current

  init(_ state: LiveViewportState) { self.state = state }
}

/// A transition that a host holds. It may outlive its map.
final class ViewportTransitionHandle: ProcessBound {
  let transition: LiveViewportTransition
  let generation = ProcessGeneration.current

  init(_ transition: LiveViewportTransition) { self.transition = transition }
}

private func state(_ pointer: OpaquePointer?) throws(NeatError) -> LiveViewportState {
  let handle: ViewportStateHandle = Handle.object(try required(pointer, "state"))
  try handle.checkProcess("state")
  return handle.state
}

extension neat_camera_change {
  private mutating func mark(_ field: neat_camera_field) { fields |= UInt32(field.rawValue) }

  fileprivate init(_ change: CameraChange) {
    self.init()
    if let center = change.center {
      mark(NEAT_CAMERA_FIELD_CENTER)
      (lon_deg, lat_deg) = (center.lon, center.lat)
    }
    if let value = change.zoom {
      mark(NEAT_CAMERA_FIELD_ZOOM)
      zoom = value
    }
    if let bearing = change.bearing {
      mark(NEAT_CAMERA_FIELD_BEARING)
      bearing_deg = bearing
    }
    if let pitch = change.pitch {
      mark(NEAT_CAMERA_FIELD_PITCH)
      pitch_deg = pitch
    }
    if let padding = change.padding {
      mark(NEAT_CAMERA_FIELD_PADDING)
      (padding_top_px, padding_left_px) = (padding.top, padding.left)
      (padding_bottom_px, padding_right_px) = (padding.bottom, padding.right)
    }
    if let anchor = change.anchor {
      mark(NEAT_CAMERA_FIELD_ANCHOR)
      (anchor_x_px, anchor_y_px) = (anchor.x, anchor.y)
    }
  }
}

extension ViewportStatus {
  var c: neat_viewport_status {
    var status = neat_viewport_status()
    switch self {
    case .idle: status.kind = NEAT_VIEWPORT_KIND_IDLE
    case .state(let id): (status.kind, status.state_id) = (NEAT_VIEWPORT_KIND_STATE, id)
    case .transition(let id, let state):
      (status.kind, status.state_id, status.transition_id) = (NEAT_VIEWPORT_KIND_TRANSITION, state, id)
    }
    return status
  }
}

// MARK: States

@c @implementation
public func neat_map_make_follow_puck_state(
  _ map: OpaquePointer!, _ options: UnsafePointer<CChar>!, _ options_size: Int, _ out_state: OutHandle!
) -> neat_status {
  produce(map, out_state) { map throws(NeatError) in
    ViewportStateHandle(
      try map.makeViewportState(try FollowPuckOptions(try bytes(options, options_size, "options"))))
  }
}

@c @implementation
public func neat_map_make_overview_state(
  _ map: OpaquePointer!, _ options: UnsafePointer<CChar>!, _ options_size: Int, _ out_state: OutHandle!
) -> neat_status {
  produce(map, out_state) { map throws(NeatError) in
    ViewportStateHandle(
      try map.makeViewportState(try OverviewOptions(try bytes(options, options_size, "options"))))
  }
}

@c @implementation
public func neat_map_make_viewport_state(
  _ map: OpaquePointer!, _ moves_itself: UInt32, _ callback: neat_viewport_state_callback!,
  _ context: UnsafeMutableRawPointer!, _ out_state: OutHandle!
) -> neat_status {
  produce(map, out_state) { map throws(NeatError) in
    var own = LiveViewportState.Own(movesItself: moves_itself != 0)
    if let callback {
      own.start = { callback(context, 1) }
      own.stop = { callback(context, 0) }
    }
    return ViewportStateHandle(map.makeViewportState(own))
  }
}

@c @implementation
public func neat_viewport_state_set_options(
  _ state: OpaquePointer!, _ options: UnsafePointer<CChar>!, _ options_size: Int
) -> neat_status {
  attempt { () throws(NeatError) in
    let state = try NeatABI.state(state)
    guard let map = state.map else { throw NeatError(.state, "the map was destroyed") }
    let given = try bytes(options, options_size, "options")
    if state.followPuck != nil {
      try map.setViewportOptions(state, try FollowPuckOptions(given))
    } else if state.overview != nil {
      try map.setViewportOptions(state, try OverviewOptions(given))
    } else {
      throw NeatError(.state, "a state of the host's own has no options")
    }
  }
}

@c @implementation
public func neat_viewport_state_set_camera(
  _ state: OpaquePointer!, _ change: UnsafePointer<neat_camera_change>!
) -> neat_status {
  attempt { () throws(NeatError) in
    let state = try NeatABI.state(state)
    guard let map = state.map else { throw NeatError(.state, "the map was destroyed") }
    try map.setViewportCamera(state, try required(try received(change), "change").change())
  }
}

@c @implementation
public func neat_viewport_state_camera(
  _ state: OpaquePointer!, _ out_change: UnsafeMutablePointer<neat_camera_change>!
) -> neat_status {
  attempt { () throws(NeatError) in
    let state = try NeatABI.state(state)
    let out = try Receiver(out_change, "out_change")
    guard let map = state.map else { throw NeatError(.state, "the map was destroyed") }
    guard let change = map.viewportTarget(state) else {
      throw NeatError(.notFound, "the state has no camera yet")
    }
    out.fill(neat_camera_change(change))
  }
}

@c @implementation
public func neat_viewport_state_id(_ state: OpaquePointer!) -> UInt64 {
  state.map { Handle.object($0, as: ViewportStateHandle.self).state.id } ?? 0
}

@c @implementation
public func neat_viewport_state_destroy(_ state: OpaquePointer!) {
  Handle.destroy(bound: state, ViewportStateHandle.self)
}

// MARK: Transitions

private func make(
  _ map: OpaquePointer?, _ out: OutHandle?, _ kind: LiveViewportTransition.Kind
) -> neat_status {
  produce(map, out) { map throws(NeatError) in
    ViewportTransitionHandle(try map.makeViewportTransition(kind))
  }
}

@c @implementation
public func neat_map_make_default_transition(
  _ map: OpaquePointer!, _ max_duration_ms: Double, _ out_transition: OutHandle!
) -> neat_status {
  make(map, out_transition, .standard(maxDurationMS: max_duration_ms))
}

@c @implementation
public func neat_map_make_immediate_transition(_ map: OpaquePointer!, _ out_transition: OutHandle!)
  -> neat_status
{
  make(map, out_transition, .immediate)
}

@c @implementation
public func neat_map_make_viewport_transition(
  _ map: OpaquePointer!, _ run: neat_viewport_run_callback!, _ cancel: neat_viewport_cancel_callback!,
  _ context: UnsafeMutableRawPointer!, _ out_transition: OutHandle!
) -> neat_status {
  produce(map, out_transition) { map throws(NeatError) in
    let run = try required(run, "run")
    var own = LiveViewportTransition.Own(run: { run(context, $0, $1.id) })
    if let cancel { own.cancel = { cancel(context, $0) } }
    return ViewportTransitionHandle(try map.makeViewportTransition(.own(own)))
  }
}

@c @implementation
public func neat_viewport_transition_id(_ transition: OpaquePointer!) -> UInt64 {
  transition.map { Handle.object($0, as: ViewportTransitionHandle.self).transition.id } ?? 0
}

@c @implementation
public func neat_viewport_transition_destroy(_ transition: OpaquePointer!) {
  Handle.destroy(bound: transition, ViewportTransitionHandle.self)
}

// MARK: Going

@c @implementation
public func neat_map_viewport_go(
  _ map: OpaquePointer!, _ state: OpaquePointer!, _ transition: OpaquePointer!,
  _ callback: neat_viewport_callback!, _ context: UnsafeMutableRawPointer!
) -> neat_status {
  attempt(map) { map throws(NeatError) in
    let handle = transition.map { Handle.object($0, as: ViewportTransitionHandle.self) }
    try handle?.checkProcess("transition")
    var completion: ((Bool) -> Void)?
    if let callback { completion = { callback(context, $0 ? 1 : 0) } }
    try map.goTo(try NeatABI.state(state), handle?.transition, completion: completion)
  }
}

@c @implementation
public func neat_map_viewport_finish(_ map: OpaquePointer!, _ run: UInt64, _ is_success: UInt32)
  -> neat_status
{
  attempt(map) { map throws(NeatError) in map.finishViewportRun(run, isSuccess: is_success != 0) }
}

@c @implementation
public func neat_map_viewport_idle(_ map: OpaquePointer!) -> neat_status {
  attempt(map) { map throws(NeatError) in map.idleViewport() }
}

@c @implementation
public func neat_map_viewport_status(
  _ map: OpaquePointer!, _ out_status: UnsafeMutablePointer<neat_viewport_status>!
) -> neat_status {
  attempt(map) { map throws(NeatError) in
    try required(out_status, "out_status").pointee = map.viewportStatus.c
  }
}

@c @implementation
public func neat_map_set_viewport_idles(_ map: OpaquePointer!, _ is_enabled: UInt32) -> neat_status {
  attempt(map) { map throws(NeatError) in map.viewportIdlesUponInteraction = is_enabled != 0 }
}

// MARK: Options

extension FollowPuckOptions {
  fileprivate init(_ bytes: [UInt8]) throws(NeatError) {
    self.init()
    let given = try JSONOptions(bytes, known: ["zoom", "pitch", "bearing", "padding"])
    if let zoom = try given.optional("zoom") { self.zoom = zoom }
    if let pitch = try given.optional("pitch") { self.pitch = pitch }
    if let padding = try given.padding("padding") { self.padding = padding }
    guard let value = given.json["bearing"] else { return }
    switch (value.string, value.number) {
    case ("heading", _): bearing = .heading
    case ("course", _): bearing = .course
    case (nil, let degrees?): bearing = .constant(degrees)
    case (nil, nil) where value.isNull: bearing = nil
    default:
      throw NeatError(.invalidArgument, "\"bearing\" is none of \"heading\", \"course\", a number and null")
    }
  }
}

extension OverviewOptions {
  fileprivate init(_ bytes: [UInt8]) throws(NeatError) {
    self.init()
    let given = try JSONOptions(
      bytes,
      known: [
        "geometry", "geometryPadding", "padding", "bearing", "pitch", "maxZoom", "offset",
        "animationDuration",
      ])
    guard let geometry = given.json["geometry"] else {
      throw NeatError(.invalidArgument, "an overview without a \"geometry\"")
    }
    try add(geometry)
    if let padding = try given.padding("geometryPadding") { geometryPadding = padding ?? EdgeInsets() }
    if let padding = try given.padding("padding") { self.padding = padding }
    if let bearing = try given.optional("bearing") { self.bearing = bearing }
    if let pitch = try given.optional("pitch") { self.pitch = pitch }
    maxZoom = try given.number("maxZoom")
    animationMS = try given.number("animationDuration") ?? animationMS
    guard let point = given.json["offset"], !point.isNull else { return }
    let numbers = point.elements.compactMap(\.number)
    guard point.isArray, point.count == 2, numbers.count == 2 else {
      throw NeatError(.invalidArgument, "\"offset\" is not [x, y]")
    }
    offset = SIMD2(numbers[0], numbers[1])
  }

  /// All positions of GeoJSON, whatever it nests.
  private mutating func add(_ json: JSON, depth: Int = 0) throws(NeatError) {
    // Deeper than a collection of collections of polygons ever is; JSON itself ends at 512.
    guard depth < 64 else { throw NeatError(.limitExceeded, "\"geometry\" is nested deeper than 64") }
    if json.isArray {
      if let lon = json[0]?.number {
        guard let lat = json[1]?.number else {
          throw NeatError(.invalidArgument, "\"geometry\" has a position without a latitude")
        }
        guard places.count < OverviewOptions.placeLimit else {
          throw NeatError(
            .limitExceeded, "\"geometry\" has more than \(OverviewOptions.placeLimit) positions")
        }
        return places.append(LonLat(lon, lat))
      }
      for element in json.elements { try add(element, depth: depth + 1) }
      return
    }
    guard json.isObject else { throw NeatError(.invalidArgument, "\"geometry\" is no GeoJSON") }
    for name in ["features", "geometry", "geometries", "coordinates"] {
      if let member = json[name], !member.isNull { try add(member, depth: depth + 1) }
    }
  }
}
