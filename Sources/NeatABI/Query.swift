import CNeatline
import NeatBase
import NeatJSON
import NeatLoop
import NeatMap

private let notYet = NeatError(.unsupported, "queries of drawn features are not offered yet")

@c @implementation
public func neat_renderer_query(
  _ renderer: OpaquePointer!, _ camera: UnsafePointer<neat_camera>!, _ size: UnsafePointer<neat_size>!, _ x0_px: Double, _ y0_px: Double,
  _ x1_px: Double, _ y1_px: Double, _ options_json: UnsafePointer<CChar>!, _ options_size: Int, _ out_json: OutHandle!
) -> neat_status {
  produce(out_json) { () throws(NeatError) in throw notYet }
}

@c @implementation
public func neat_map_query(
  _ map: OpaquePointer!, _ x0_px: Double, _ y0_px: Double, _ x1_px: Double, _ y1_px: Double, _ options_json: UnsafePointer<CChar>!,
  _ options_size: Int, _ out_json: OutHandle!
) -> neat_status {
  produce(map, out_json) { _ throws(NeatError) in throw notYet }
}

@c @implementation
public func neat_map_set_feature_state(
  _ map: OpaquePointer!, _ target: UnsafePointer<CChar>!, _ target_size: Int, _ state: UnsafePointer<CChar>!, _ state_size: Int
) -> neat_status {
  attempt(map) { map throws(NeatError) in
    _ = try map.loadedCore()
    throw NeatError(.unsupported, "feature states are not offered yet")
  }
}

@c @implementation
public func neat_map_remove_feature_state(
  _ map: OpaquePointer!, _ target: UnsafePointer<CChar>!, _ target_size: Int, _ key: UnsafePointer<CChar>!, _ key_size: Int
) -> neat_status {
  attempt(map) { map throws(NeatError) in
    _ = try map.loadedCore()
    throw NeatError(.unsupported, "feature states are not offered yet")
  }
}
