import CNeatline
import NeatBase
import NeatJSON
import NeatNetwork
import NeatResource
import NeatStore

extension neat_offline_progress: GrowingStruct {
  static var structName: String { "neat_offline_progress" }
  static var firstSize: Int { 80 }

  init(_ status: RegionStatus) {
    self.init()
    struct_size = UInt32(MemoryLayout<neat_offline_progress>.size)
    state =
      switch status.state {
      case .inactive: NEAT_OFFLINE_STATE_INACTIVE
      case .active: NEAT_OFFLINE_STATE_ACTIVE
      case .complete: NEAT_OFFLINE_STATE_COMPLETE
      }
    required_count = UInt64(clamping: status.required)
    required_tile_count = UInt64(clamping: status.requiredTiles)
    completed_count = UInt64(clamping: status.completed)
    completed_tile_count = UInt64(clamping: status.completedTiles)
    byte_count = UInt64(clamping: status.bytes)
    tile_byte_count = UInt64(clamping: status.tileBytes)
    failed_count = UInt64(clamping: status.failed)
    received_byte_count = UInt64(clamping: status.received)
    is_precise = status.isPrecise ? 1 : 0
  }
}

private func regions(_ resources: OpaquePointer?) throws(NeatError) -> OfflineRegions {
  let shared: SharedResources = Handle.object(try required(resources, "resources"))
  return try shared.offline
}

@c @implementation
public func neat_offline_create(
  _ resources: OpaquePointer!, _ definition: UnsafePointer<CChar>!, _ definition_size: Int,
  _ metadata: UnsafePointer<UInt8>!, _ metadata_size: Int, _ out_region: UnsafeMutablePointer<Int64>!
) -> neat_status {
  out_region?.pointee = 0
  return attempt { () throws(NeatError) in
    let out = try required(out_region, "out_region")
    let regions = try regions(resources)
    let made = try OfflineRegionDefinition(json: try text(definition, definition_size, "definition"))
    out.pointee = try regions.create(made, metadata: try bytes(metadata, metadata_size, "metadata")).id
  }
}

@c @implementation
public func neat_offline_list(_ resources: OpaquePointer!, _ out_json: OutHandle!) -> neat_status {
  produce(out_json) { () throws(NeatError) in list(try regions(resources).all()) }
}

private func list(_ records: [OfflineRegionRecord]) -> Buffer {
  var writer = JSONWriter()
  writer.beginArray()
  for record in records {
    writer.beginObject()
    writer.key("id")
    writer.int(record.id)
    writer.key("definition")
    if let definition = record.definition { writer.raw(definition.json) } else { writer.null() }
    writer.key("metadataBytes")
    writer.int(record.metadata.count)
    if let fault = record.fault {
      writer.key("fault")
      writer.string(fault.description)
    }
    writer.endObject()
  }
  writer.endArray()
  return Buffer(writer.bytes)
}

@c @implementation
public func neat_offline_status(
  _ resources: OpaquePointer!, _ region: Int64, _ out_progress: UnsafeMutablePointer<neat_offline_progress>!
) -> neat_status {
  attempt { () throws(NeatError) in
    let out = try Receiver(out_progress, "out_progress")
    out.fill(neat_offline_progress(try regions(resources).status(region)))
  }
}

@c @implementation
public func neat_offline_metadata(_ resources: OpaquePointer!, _ region: Int64, _ out_metadata: OutHandle!)
  -> neat_status
{
  produce(out_metadata) { () throws(NeatError) in Buffer(try regions(resources).metadata(region)) }
}

@c @implementation
public func neat_offline_set_metadata(
  _ resources: OpaquePointer!, _ region: Int64, _ metadata: UnsafePointer<UInt8>!, _ metadata_size: Int
) -> neat_status {
  attempt { () throws(NeatError) in
    try regions(resources).setMetadata(try bytes(metadata, metadata_size, "metadata"), of: region)
  }
}

@c @implementation
public func neat_offline_invalidate(_ resources: OpaquePointer!, _ region: Int64) -> neat_status {
  attempt { () throws(NeatError) in try regions(resources).invalidate(region) }
}

@c @implementation
public func neat_offline_delete(_ resources: OpaquePointer!, _ region: Int64) -> neat_status {
  attempt { () throws(NeatError) in try regions(resources).delete(region) }
}

@c @implementation
public func neat_offline_merge(
  _ resources: OpaquePointer!, _ path: UnsafePointer<CChar>!, _ path_size: Int, _ out_json: OutHandle!
) -> neat_status {
  produce(out_json, hasEffects: true) { () throws(NeatError) in
    list(try regions(resources).merge(try text(path, path_size, "path")))
  }
}

@c @implementation
public func neat_offline_set_tile_limit(
  _ resources: OpaquePointer!, _ count: UInt64, _ templates: UnsafePointer<CChar>!, _ templates_size: Int
) -> neat_status {
  attempt { () throws(NeatError) in
    let regions = try regions(resources)
    let given = try bytes(templates, templates_size, "templates")
    let json = given.isEmpty ? .array([]) : try JSON.parse(given)
    let texts = json.elements.compactMap(\.string)
    guard json.isArray, texts.count == json.count else {
      throw NeatError(.invalidArgument, "templates are no array of texts")
    }
    try regions.setTileLimit(Int64(clamping: count), templates: texts)
  }
}

// MARK: The network

@c @implementation
public func neat_network_set_connected(_ is_connected: Int32) {
  NetworkSwitch.set(is_connected != 0)
}

@c @implementation
public func neat_network_is_connected() -> Int32 { NetworkSwitch.isConnected ? 1 : 0 }
