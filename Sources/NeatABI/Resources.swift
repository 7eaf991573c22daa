import CNeatline
import NeatBase
import NeatJSON
import NeatResource
import NeatStore

private func shared(_ resources: OpaquePointer?) throws(NeatError) -> SharedResources {
  Handle.object(try required(resources, "resources"))
}

@c @implementation
public func neat_resources_create(
  _ options: UnsafePointer<CChar>!, _ options_size: Int, _ out_resources: OutHandle!
) -> neat_status {
  produce(out_resources) { () throws(NeatError) in
    try SharedResources(SharedResources.Options(json: try bytes(options, options_size, "options")))
  }
}

@c @implementation
public func neat_resources_destroy(_ resources: OpaquePointer!) {
  Handle.destroy(resources, SharedResources.self)
}

/// What renderers and maps load by that name nothing.
private let standard = Locked<SharedResources?>(nil)

/// The resources of the process; nil: none.
var standardResources: SharedResources? { standard.withLock { $0 } }

@c @implementation
public func neat_resources_set_default(_ resources: OpaquePointer!) -> neat_status {
  attempt { () throws(NeatError) in
    let new = resources.map { Handle.object($0, as: SharedResources.self) }
    // What goes ends outside of the lock.
    let old = standard.withLock { current in
      let old = current
      current = new
      return old
    }
    withExtendedLifetime(old) {}
  }
}

@c @implementation
public func neat_resources_set_online(_ resources: OpaquePointer!, _ is_online: Int32) -> neat_status {
  attempt { () throws(NeatError) in try shared(resources).setOnline(is_online != 0) }
}

@c @implementation
public func neat_resources_keep(_ resources: OpaquePointer!, _ action: neat_cache_action) -> neat_status {
  attempt { () throws(NeatError) in
    let cache = try shared(resources).cache
    switch action {
    case NEAT_CACHE_CLEAR: try cache.clear()
    case NEAT_CACHE_INVALIDATE: try cache.invalidate()
    case NEAT_CACHE_PACK: try cache.pack()
    case NEAT_CACHE_FLUSH: try cache.flush()
    default:
      throw NeatError(.invalidArgument, "action \(action.rawValue) is none of neat_cache_action")
    }
  }
}

@c @implementation
public func neat_resources_set_cache_bytes(_ resources: OpaquePointer!, _ bytes: UInt64) -> neat_status {
  attempt { () throws(NeatError) in try shared(resources).cache.setLimit(Int64(clamping: bytes)) }
}

@c @implementation
public func neat_resources_report(_ resources: OpaquePointer!, _ out_json: OutHandle!) -> neat_status {
  produce(out_json, hasEffects: true) { () throws(NeatError) in
    let shared = try shared(resources)
    var writer = JSONWriter()
    writer.beginObject()
    writer.key("online")
    writer.bool(shared.isOnline)
    writer.key("cache")
    if let cache = try shared.loader.options.cache {
      try write(cache, &writer)
    } else {
      writer.null()
    }
    writer.endObject()
    return Buffer(writer.bytes)
  }
}

private func write(_ cache: ResourceCache, _ writer: inout JSONWriter) throws(NeatError) {
  let report = try cache.report()
  let statistics = report.statistics
  writer.beginObject()
  writer.key("bytes")
  writer.int(report.bytes)
  for (name, number) in [
    ("hits", statistics.hits), ("misses", statistics.misses), ("stored", statistics.stored),
    ("revalidated", statistics.revalidated), ("evicted", statistics.evicted), ("damaged", statistics.damaged),
    ("skipped", UInt64(clamping: report.skipped)),
    ("bytesRead", statistics.bytesRead), ("bytesWritten", statistics.bytesWritten),
  ] {
    writer.key(name)
    writer.int(number)
  }
  writer.key("notices")
  writer.beginArray()
  for notice in report.notices { writer.string(notice.error.description) }
  writer.endArray()
  writer.endObject()
}
