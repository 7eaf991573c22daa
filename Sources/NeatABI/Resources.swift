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
    let given = try ArchiveOptions(
      try bytes(options, options_size, "options"),
      known: [
        "cachePath", "cacheBytes", "headers", "userAgent", "connectionsPerHost", "connections", "timeoutMs",
        "retryCount", "unpackedLimitBytes",
      ])
    var options = SharedResources.Options()
    options.cachePath = try given.text("cachePath")
    if let limit = try given.whole("cacheBytes", 0...1 << 50) { options.cacheBytes = Int64(limit) }
    options.loading.headers = try given.headers()
    options.loading.http.userAgent = try given.text("userAgent") ?? options.loading.http.userAgent
    options.loading.http.connectionsPerHost =
      try given.whole("connectionsPerHost", 1...256) ?? options.loading.http.connectionsPerHost
    options.loading.http.connections =
      try given.whole("connections", 1...1024) ?? options.loading.http.connections
    if let limit = try given.whole("timeoutMs", 1...Int(Int32.max)) {
      options.loading.timeoutMS = UInt64(limit)
    }
    if let count = try given.whole("retryCount", 0...100) { options.loading.http.attempts = count + 1 }
    options.loading.unpackedLimit =
      try given.whole("unpackedLimitBytes", 1...1 << 50) ?? options.loading.unpackedLimit
    return try SharedResources(options)
  }
}

extension ArchiveOptions {
  /// Names and values without line ends, which would be further headers.
  fileprivate func headers() throws(NeatError) -> [(name: String, value: String)] {
    guard let value = json["headers"], !value.isNull else { return [] }
    guard value.isObject else { throw NeatError(.invalidArgument, "\"headers\" is not an object") }
    var list: [(name: String, value: String)] = []
    for member in value.members {
      guard let text = member.value.string, !member.key.isEmpty,
        (member.key + text).utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7f }), !member.key.contains(":")
      else {
        throw NeatError(.invalidArgument, "\"headers\": \"\(member.key)\" is no name and value of a header")
      }
      list.append((member.key, text))
    }
    return list
  }
}

@c @implementation
public func neat_resources_destroy(_ resources: OpaquePointer!) {
  Handle.destroy(resources, SharedResources.self)
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
    case NEAT_CACHE_FLUSH: cache.flush()
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
  produce(out_json) { () throws(NeatError) in
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
  let (statistics, bytes, notices) = try cache.report()
  writer.beginObject()
  writer.key("bytes")
  writer.int(bytes)
  for (name, number) in [
    ("hits", statistics.hits), ("misses", statistics.misses), ("stored", statistics.stored),
    ("revalidated", statistics.revalidated), ("evicted", statistics.evicted), ("damaged", statistics.damaged),
    ("bytesRead", statistics.bytesRead), ("bytesWritten", statistics.bytesWritten),
  ] {
    writer.key(name)
    writer.int(number)
  }
  writer.key("notices")
  writer.beginArray()
  for notice in notices { writer.string(notice.error.description) }
  writer.endArray()
  writer.endObject()
}
