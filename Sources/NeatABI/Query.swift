import CNeatline
import NeatBase
import NeatCamera
import NeatJSON
import NeatMap

private func queryOptions(_ pointer: UnsafePointer<CChar>?, _ size: Int) throws(NeatError) -> QueryOptions {
  let source = try bytes(pointer, size, "options")
  return source.isEmpty ? QueryOptions() : try QueryOptions(try JSON.parse(source))
}

private func queryArea(_ x0: Double, _ y0: Double, _ x1: Double, _ y1: Double) throws(NeatError) -> QueryArea
{
  guard [x0, y0, x1, y1].allSatisfy(\.isFinite), x0 <= x1, y0 <= y1 else {
    throw NeatError(.invalidArgument, "the box \(x0), \(y0), \(x1), \(y1) is not ordered and finite")
  }
  return x0 == x1 && y0 == y1 ? .point(SIMD2(x0, y0)) : .box(SIMD2(x0, y0), SIMD2(x1, y1))
}

@c @implementation
public func neat_renderer_query(
  _ renderer: OpaquePointer!, _ camera: UnsafePointer<neat_camera>!, _ size: UnsafePointer<neat_size>!,
  _ x0_px: Double, _ y0_px: Double,
  _ x1_px: Double, _ y1_px: Double, _ options_json: UnsafePointer<CChar>!, _ options_size: Int,
  _ out_json: OutHandle!
) -> neat_status {
  produce(out_json) { () throws(NeatError) in
    let renderer = try NeatABI.renderer(renderer)
    return Buffer(
      try renderer.query(
        try NeatABI.camera(camera, style: renderer.styleCamera), try viewSize(size),
        try queryArea(x0_px, y0_px, x1_px, y1_px),
        options: try queryOptions(options_json, options_size)
      ).json())
  }
}

@c @implementation
public func neat_map_query(
  _ map: OpaquePointer!, _ x0_px: Double, _ y0_px: Double, _ x1_px: Double, _ y1_px: Double,
  _ options_json: UnsafePointer<CChar>!,
  _ options_size: Int, _ out_json: OutHandle!
) -> neat_status {
  produce(map, out_json) { map throws(NeatError) in
    Buffer(
      try map.query(
        try queryArea(x0_px, y0_px, x1_px, y1_px), options: try queryOptions(options_json, options_size)
      ).json())
  }
}

@c @implementation
public func neat_map_attribution(_ map: OpaquePointer!, _ out_json: OutHandle!) -> neat_status {
  produce(map, out_json) { map throws(NeatError) in
    Buffer(StyleSummary.json(try map.loadedCore().attributions))
  }
}

@c @implementation
public func neat_map_attribution_links(_ map: OpaquePointer!, _ out_json: OutHandle!) -> neat_status {
  produce(map, out_json) { map throws(NeatError) in
    Buffer(StyleSummary.json(AttributionHTML.links(try map.loadedCore().attributions)))
  }
}

@c @implementation
public func neat_map_set_feature_state(
  _ map: OpaquePointer!, _ target: UnsafePointer<CChar>!, _ target_size: Int, _ state: UnsafePointer<CChar>!,
  _ state_size: Int
) -> neat_status {
  attempt(map) { map throws(NeatError) in
    try map.setFeatureState(
      try JSON.parse(try bytes(target, target_size, "target")),
      try JSON.parse(try bytes(state, state_size, "state")))
  }
}

@c @implementation
public func neat_map_remove_feature_state(
  _ map: OpaquePointer!, _ target: UnsafePointer<CChar>!, _ target_size: Int, _ key: UnsafePointer<CChar>!,
  _ key_size: Int
) -> neat_status {
  attempt(map) { map throws(NeatError) in
    try map.removeFeatureState(
      try JSON.parse(try bytes(target, target_size, "target")),
      member: key_size == 0 ? nil : try text(key, key_size, "key"))
  }
}
