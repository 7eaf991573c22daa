import CNeatline
import NeatBase
import NeatCamera
import NeatJSON
import NeatLive
import NeatMap
import NeatStyle

final class MapHandle: ProcessBound {
  let map: LiveMap
  let generation = ProcessGeneration.current
  let loop: LoopHandle
  /// The words of the last failure, as C text.
  var lastError = Buffer([])

  init(_ map: LiveMap, _ loop: LoopHandle) {
    self.map = map
    self.loop = loop
    loop.add(map)
  }

  deinit {
    loop.remove(map)
    map.destroy()
  }
}

/// Runs a function of a map: errors are kept with the map too.
func attempt(_ map: OpaquePointer?, _ body: (LiveMap) throws(NeatError) -> Void) -> neat_status {
  attempt { () throws(NeatError) in
    let handle: MapHandle = Handle.object(try required(map, "map"))
    do throws(NeatError) {
      try handle.checkProcess("map")
      try body(handle.map)
    } catch {
      handle.lastError = Buffer(Array(error.description.utf8))
      throw error
    }
  }
}

func produce(
  _ map: OpaquePointer?, _ out: OutHandle?, hasEffects: Bool = false,
  _ body: (LiveMap) throws(NeatError) -> AnyObject
) -> neat_status {
  out?.pointee = nil
  return attempt(map) { map throws(NeatError) in
    let out = try required(out, "the out parameter")
    try ProcessMemory.requireHeadroom()
    let refusals = MemoryReserve.refusals
    let object = try body(map)
    if !hasEffects { try Handle.checkMemory(of: object, since: refusals) }
    out.pointee = Handle.make(object)
  }
}

@c @implementation
public func neat_map_create(
  _ loop: OpaquePointer!, _ size: UnsafePointer<neat_size>!, _ options: UnsafePointer<neat_options>!,
  _ callback: neat_event_callback!,
  _ context: UnsafeMutableRawPointer!, _ out_map: OutHandle!
) -> neat_status {
  produce(out_map) { () throws(NeatError) in
    let handle: LoopHandle = Handle.object(try required(loop, "loop"))
    try handle.checkProcess("loop")
    let sender = EventSender(callback: callback, context: context)
    let map = try LiveMap(
      loop: handle.loop, size: try viewSize(size), environment: try MapEnvironment(rendererOptions(options))
    ) { sender.send($0, $1) }
    return MapHandle(map, handle)
  }
}

@c @implementation
public func neat_map_destroy(_ map: OpaquePointer!) {
  Handle.destroy(bound: map, MapHandle.self) { $0.map.destroy() }
}

@c @implementation
public func neat_map_load_style(_ map: OpaquePointer!, _ url: UnsafePointer<CChar>!, _ url_size: Int)
  -> neat_status
{
  neat_map_load_style_then(map, url, url_size, nil, nil)
}

@c @implementation
public func neat_map_load_style_then(
  _ map: OpaquePointer!, _ url: UnsafePointer<CChar>!, _ url_size: Int, _ callback: neat_style_callback!,
  _ context: UnsafeMutableRawPointer!
) -> neat_status {
  attempt(map) { map throws(NeatError) in
    map.loadStyle(try text(url, url_size, "url"), completion: completion(callback, context))
  }
}

/// What a C callback makes of a style's end.
private func completion(_ callback: neat_style_callback?, _ context: UnsafeMutableRawPointer?)
  -> StyleCompletion?
{
  guard let callback else { return nil }
  return { error in
    (error?.description ?? "").withCString { callback(context, error?.status ?? NEAT_STATUS_OK, $0) }
  }
}

@c @implementation
public func neat_map_set_style(
  _ map: OpaquePointer!, _ json: UnsafePointer<CChar>!, _ json_size: Int, _ base_url: UnsafePointer<CChar>!,
  _ base_url_size: Int
) -> neat_status {
  neat_map_set_style_then(map, json, json_size, base_url, base_url_size, nil, nil)
}

@c @implementation
public func neat_map_set_style_then(
  _ map: OpaquePointer!, _ json: UnsafePointer<CChar>!, _ json_size: Int, _ base_url: UnsafePointer<CChar>!,
  _ base_url_size: Int, _ callback: neat_style_callback!, _ context: UnsafeMutableRawPointer!
) -> neat_status {
  attempt(map) { map throws(NeatError) in
    try map.setStyle(
      try bytes(json, json_size, "json"), base: try text(base_url, base_url_size, "base_url"),
      completion: completion(callback, context))
  }
}

@c @implementation
public func neat_map_set_size(_ map: OpaquePointer!, _ size: UnsafePointer<neat_size>!) -> neat_status {
  attempt(map) { map throws(NeatError) in try map.setSize(try viewSize(size)) }
}

@c @implementation
public func neat_map_set_camera(_ map: OpaquePointer!, _ camera: UnsafePointer<neat_camera>!) -> neat_status {
  attempt(map) { map throws(NeatError) in
    try map.setCamera(
      try NeatABI.camera(try required(camera, "camera"), style: map.core?.styleCamera ?? Camera()))
  }
}

@c @implementation
public func neat_map_ease_to(
  _ map: OpaquePointer!, _ camera: UnsafePointer<neat_camera>!, _ duration_ms: UInt32
) -> neat_status {
  attempt(map) { map throws(NeatError) in
    let target = try NeatABI.camera(
      try required(camera, "camera"), style: map.core?.styleCamera ?? Camera())
    guard duration_ms > 0 else { return try map.setCamera(target) }
    try map.ease(to: CameraChange(to: target), durationMS: Double(duration_ms))
  }
}

@c @implementation
public func neat_map_camera(_ map: OpaquePointer!, _ out_camera: UnsafeMutablePointer<neat_camera>!)
  -> neat_status
{
  attempt(map) { map throws(NeatError) in
    let out = try Receiver(out_camera, "out_camera")
    out.fill(neat_camera(map.camera))
  }
}

@c @implementation
public func neat_map_set_viewport_mode(_ map: OpaquePointer!, _ mode: neat_viewport_mode) -> neat_status {
  attempt(map) { map throws(NeatError) in
    switch mode {
    case NEAT_VIEWPORT_MODE_DEFAULT: map.isFlipped = false
    case NEAT_VIEWPORT_MODE_FLIPPED_Y: map.isFlipped = true
    default: throw NeatError(.invalidArgument, "mode \(mode.rawValue) is none of neat_viewport_mode")
    }
  }
}

@c @implementation
public func neat_map_set_orientation(_ map: OpaquePointer!, _ orientation: neat_orientation) -> neat_status {
  attempt(map) { map throws(NeatError) in
    guard orientation.rawValue <= NEAT_ORIENTATION_LEFTWARDS.rawValue else {
      throw NeatError(
        .invalidArgument, "orientation \(orientation.rawValue) is none of neat_orientation")
    }
    map.setNorth(90 * Double(orientation.rawValue))
  }
}

@c @implementation
public func neat_map_reduce_memory_use(_ map: OpaquePointer!) -> neat_status {
  attempt(map) { map throws(NeatError) in map.reduceMemoryUse() }
}

@c @implementation
public func neat_map_set_prefetch_zoom_delta(_ map: OpaquePointer!, _ levels: UInt32) -> neat_status {
  attempt(map) { map throws(NeatError) in try map.setPrefetchLevels(levels) }
}

@c @implementation
public func neat_map_set_center_elevation(_ map: OpaquePointer!, _ elevation: Double) -> neat_status {
  attempt(map) { map throws(NeatError) in try map.setCenterElevation(elevation.isNaN ? nil : elevation) }
}

@c @implementation
public func neat_map_set_terrain_skirts(_ map: OpaquePointer!, _ enabled: Int32) -> neat_status {
  attempt(map) { map throws(NeatError) in map.setTerrainSkirts(enabled != 0) }
}

@c @implementation
public func neat_map_is_loaded(_ map: OpaquePointer!) -> Int32 {
  guard let handle = map.map({ Handle.object($0, as: MapHandle.self) }), handle.isOfThisProcess else {
    return 0
  }
  return handle.map.isLoaded ? 1 : 0
}

@c @implementation
public func neat_map_draw(_ map: OpaquePointer!, _ out_image: OutHandle!) -> neat_status {
  produce(map, out_image) { map throws(NeatError) in
    ImageHandle(try map.draw(), map.environment.pictureThreads)
  }
}

@c @implementation
public func neat_map_style_json(_ map: OpaquePointer!, _ out_json: OutHandle!) -> neat_status {
  produce(map, out_json) { map throws(NeatError) in Buffer(Array(try map.loadedCore().style.json.text.utf8)) }
}

@c @implementation
public func neat_map_info(_ map: OpaquePointer!, _ out_json: OutHandle!) -> neat_status {
  produce(map, out_json) { map throws(NeatError) in
    let core = try map.loadedCore()
    return Buffer(
      StyleSummary.json(
        core.style, camera: core.styleCamera, attributions: core.attributions,
        loading: (map.styleURL, map.isStyleLoaded)))
  }
}

@c @implementation
public func neat_map_last_error(_ map: OpaquePointer!) -> UnsafePointer<CChar>! {
  guard let map else { return StaticText.empty }
  return UnsafeRawPointer(Handle.object(map, as: MapHandle.self).lastError.bytes).assumingMemoryBound(
    to: CChar.self)
}
