import CNeatline
import NeatBase
import NeatJSON
import NeatLoop
import NeatMap

/// A box of pixels, in either order of its corners; one of no size is a point.
private func area(_ x0: Double, _ y0: Double, _ x1: Double, _ y1: Double) throws(NeatError) -> QueryArea {
  guard [x0, y0, x1, y1].allSatisfy(\.isFinite) else {
    throw NeatError(.invalidArgument, "the box \(x0), \(y0), \(x1), \(y1) is not finite")
  }
  return .box(SIMD2(x0, y0), SIMD2(x1, y1))
}

private func queryOptions(_ json: UnsafePointer<CChar>?, _ size: Int) throws(NeatError) -> QueryOptions {
  let source = try bytes(json, size, "options_json")
  return source.isEmpty ? QueryOptions() : try QueryOptions(try JSON.parse(source))
}

@c @implementation
public func neat_renderer_query(
  _ renderer: OpaquePointer!, _ camera: UnsafePointer<neat_camera>!, _ size: UnsafePointer<neat_size>!, _ x0_px: Double, _ y0_px: Double,
  _ x1_px: Double, _ y1_px: Double, _ options_json: UnsafePointer<CChar>!, _ options_size: Int, _ out_json: OutHandle!
) -> neat_status {
  produce(out_json) { () throws(NeatError) in
    let renderer = Handle.object(try required(renderer, "renderer"), as: RendererHandle.self).renderer
    let (area, options) = (try area(x0_px, y0_px, x1_px, y1_px), try queryOptions(options_json, options_size))
    let (view, size) = (try NeatABI.camera(camera, style: renderer.styleCamera), try viewSize(size))
    _ = try renderer.draw(view, size)
    return Buffer(renderer.core(pixelRatio: size.pixelRatio).query(Transform(camera: view, size: size), area, options: options))
  }
}

@c @implementation
public func neat_map_query(
  _ map: OpaquePointer!, _ x0_px: Double, _ y0_px: Double, _ x1_px: Double, _ y1_px: Double, _ options_json: UnsafePointer<CChar>!,
  _ options_size: Int, _ out_json: OutHandle!
) -> neat_status {
  produce(map, out_json) { map throws(NeatError) in
    let (area, options) = (try area(x0_px, y0_px, x1_px, y1_px), try queryOptions(options_json, options_size))
    return Buffer(try map.loadedCore().query(Transform(camera: map.camera, size: map.size), area, options: options))
  }
}

@c @implementation
public func neat_map_set_feature_state(
  _ map: OpaquePointer!, _ target: UnsafePointer<CChar>!, _ target_size: Int, _ state: UnsafePointer<CChar>!, _ state_size: Int
) -> neat_status {
  attempt(map) { map throws(NeatError) in
    let (target, state) = (try JSON.parse(try bytes(target, target_size, "target")), try JSON.parse(try bytes(state, state_size, "state")))
    try map.loadedCore().setFeatureState(target, state)
    map.invalidate()
  }
}

@c @implementation
public func neat_map_remove_feature_state(
  _ map: OpaquePointer!, _ target: UnsafePointer<CChar>!, _ target_size: Int, _ key: UnsafePointer<CChar>!, _ key_size: Int
) -> neat_status {
  attempt(map) { map throws(NeatError) in
    let (target, key) = (try JSON.parse(try bytes(target, target_size, "target")), try text(key, key_size, "key"))
    try map.loadedCore().removeFeatureState(target, member: key.isEmpty ? nil : key)
    map.invalidate()
  }
}
