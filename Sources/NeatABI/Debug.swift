import CNeatline
import NeatBase
import NeatLive
import NeatMap

/// Bits of `neat_debug`; throws for others.
func debugOptions(_ bits: UInt32, _ name: String) throws(NeatError) -> DebugOptions {
  guard DebugOptions.all.isSuperset(of: DebugOptions(rawValue: bits)) else {
    throw NeatError(.invalidArgument, "\(name) \(bits) is no sum of neat_debug")
  }
  return DebugOptions(rawValue: bits)
}

@c @implementation
public func neat_map_set_debug_options(_ map: OpaquePointer!, _ options: UInt32) -> neat_status {
  attempt(map) { map throws(NeatError) in map.debugOptions = try debugOptions(options, "options") }
}

@c @implementation
public func neat_map_debug_options(_ map: OpaquePointer!) -> UInt32 {
  guard let handle = map.map({ Handle.object($0, as: MapHandle.self) }), handle.isOfThisProcess else {
    return 0
  }
  return handle.map.debugOptions.rawValue
}
