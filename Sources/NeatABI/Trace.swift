import CNeatline
import NeatBase
import NeatLive

@c @implementation
public func neat_trace_start(_ path: UnsafePointer<CChar>!, _ path_size: Int) -> neat_status {
  attempt { () throws(NeatError) in
    let path = try text(path, path_size, "path")
    try Trace.start { () throws(NeatError) in try TraceFile(path).take }
  }
}

@c @implementation
public func neat_trace_stop() -> neat_status {
  attempt { () throws(NeatError) in try Trace.stop() }
}

@c @implementation
public func neat_map_statistics(_ map: OpaquePointer!, _ out_json: OutHandle!) -> neat_status {
  produce(map, out_json) { map throws(NeatError) in Buffer(Array(map.statisticsJSON.text.utf8)) }
}
