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

func produce(_ map: OpaquePointer?, _ out: OutHandle?, _ body: (LiveMap) throws(NeatError) -> AnyObject)
  -> neat_status
{
  out?.pointee = nil
  return attempt(map) { map throws(NeatError) in
    let out = try required(out, "the out parameter")
    try ProcessMemory.requireHeadroom()
    out.pointee = Handle.make(try body(map))
  }
}

/// Calls a C callback with an event.
private struct EventSender {
  let callback: neat_event_callback?
  let context: UnsafeMutableRawPointer?

  func send(_ event: MapEvent) {
    switch event {
    case .styleDataLoaded(let kind): send(NEAT_EVENT_STYLE_DATA_LOADED, kind: kind.rawValue)
    case .styleLoaded: send(NEAT_EVENT_STYLE_LOADED)
    case .sourceDataLoaded(let id, let tile):
      send(NEAT_EVENT_SOURCE_DATA_LOADED, id, kind: tile == nil ? "metadata" : "tile", tile: tile)
    case .sourceAdded(let id): send(NEAT_EVENT_SOURCE_ADDED, id)
    case .sourceRemoved(let id): send(NEAT_EVENT_SOURCE_REMOVED, id)
    case .styleImageMissing(let name): send(NEAT_EVENT_STYLE_IMAGE_MISSING, name)
    case .styleImageRemoveUnused(let name): send(NEAT_EVENT_STYLE_IMAGE_REMOVE_UNUSED, name)
    case .renderFrameStarted: send(NEAT_EVENT_RENDER_FRAME_STARTED)
    case .renderFrameFinished(let isComplete): send(NEAT_EVENT_RENDER_FRAME_FINISHED, isComplete: isComplete)
    case .cameraChanged: send(NEAT_EVENT_CAMERA_CHANGED)
    case .mapLoaded: send(NEAT_EVENT_MAP_LOADED)
    case .mapIdle: send(NEAT_EVENT_MAP_IDLE)
    case .mapLoadingError(let error, let resource):
      send(
        NEAT_EVENT_MAP_LOADING_ERROR, resource, message: error.message,
        status: neat_status(rawValue: UInt32(error.code.rawValue)))
    case .resourceRequest(let url, let tile):
      send(NEAT_EVENT_RESOURCE_REQUEST, url, kind: tile == nil ? "" : "tile", tile: tile)
    }
  }

  private func send(
    _ type: neat_event_type, _ subject: String = "", message: String = "",
    status: neat_status = NEAT_STATUS_OK, isComplete: Bool = false,
    kind: String = "", tile: TileID? = nil
  ) {
    guard let callback else { return }
    subject.withCString { subject in
      message.withCString { message in
        var event = neat_event()
        event.struct_size = UInt32(MemoryLayout<neat_event>.size)
        event.type = type
        event.subject = subject
        event.message = message
        event.status = status
        event.is_complete = isComplete ? 1 : 0
        if let tile { (event.tile_z, event.tile_x, event.tile_y) = (UInt32(tile.z), tile.x, tile.y) }
        kind.withCString { kind in
          event.kind = kind
          callback(context, &event)
        }
      }
    }
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
    ) { sender.send($0) }
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
  attempt(map) { map throws(NeatError) in map.loadStyle(try text(url, url_size, "url")) }
}

@c @implementation
public func neat_map_set_style(
  _ map: OpaquePointer!, _ json: UnsafePointer<CChar>!, _ json_size: Int, _ base_url: UnsafePointer<CChar>!,
  _ base_url_size: Int
) -> neat_status {
  attempt(map) { map throws(NeatError) in
    try map.setStyle(try bytes(json, json_size, "json"), base: try text(base_url, base_url_size, "base_url"))
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
    try map.ease(
      to: try NeatABI.camera(try required(camera, "camera"), style: map.core?.styleCamera ?? Camera()),
      durationMS: UInt64(duration_ms))
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
public func neat_map_is_loaded(_ map: OpaquePointer!) -> Int32 {
  guard let handle = map.map({ Handle.object($0, as: MapHandle.self) }), handle.isOfThisProcess else {
    return 0
  }
  return handle.map.isLoaded ? 1 : 0
}

@c @implementation
public func neat_map_draw(_ map: OpaquePointer!, _ out_image: OutHandle!) -> neat_status {
  produce(map, out_image) { map throws(NeatError) in ImageHandle(try map.draw()) }
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
