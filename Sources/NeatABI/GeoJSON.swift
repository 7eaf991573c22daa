import CNeatline
import CNeatline.Testing
import NeatBase
import NeatJSON
import NeatMap
import NeatTile

/// A document, cut or clustered, as it is at a time.
struct GeoJSONContent: Sendable {
  let data: GeoJSONData
  var index: GeoJSONIndex?
  var clusters: ClusterIndex?
  /// The features by id, once something was changed by them.
  var table: GeoJSONTable?

  init(_ data: GeoJSONData, _ options: GeoJSONOptions, _ table: GeoJSONTable? = nil) throws(NeatError) {
    self.data = data
    self.table = table
    if let settings = options.clusters {
      clusters = try GeoJSONTiles.clusters(data, settings, properties: options.json["clusterProperties"])
    } else {
      let gone = table?.gone ?? []
      index = try GeoJSONIndex(data, options: options.tiles) { !gone.contains($0) }
    }
  }

  private init(_ table: GeoJSONTable, _ index: GeoJSONIndex) {
    data = table.data
    self.table = table
    self.index = index
  }

  var featureCount: Int { table?.featureCount ?? data.featureCount }

  func applying(_ diff: GeoJSONDiff, _ options: GeoJSONOptions) throws(NeatError) -> GeoJSONContent {
    let before = if let table { table } else { try GeoJSONTable(data, promoted: options.tiles.promoteId) }
    let (after, changed) = try before.applying(diff)
    guard let index, after.gone.count <= after.featureCount + 1000, index.layerCount < GeoJSONTiles.layerLimit
    else {
      let compact = try after.compacted()
      return try GeoJSONContent(compact.data, options, compact)
    }
    return GeoJSONContent(
      after, index.updating(after.data, changed: changed) { !after.gone.contains($0) }.index)
  }
}

/// What the JSON options of a document ask for.
struct GeoJSONOptions: Sendable {
  let json: JSON
  var tiles = GeoJSONTileOptions()
  /// nil: the document is not clustered.
  var clusters: ClusterOptions?

  private static let names = [
    "maxzoom", "buffer", "tolerance", "extent", "lineMetrics", "generateId", "promoteId", "indexMaxZoom",
    "indexMaxPoints", "cluster",
    "minzoom",
    "clusterRadius", "clusterMinPoints", "clusterMaxZoom", "clusterProperties",
  ]

  init(_ json: JSON) throws(NeatError) {
    self.json = json
    guard json.isObject || json.isNull else { throw NeatError(.invalidArgument, "options must be an object") }
    try json.refuseMembers(besides: GeoJSONOptions.names, of: "options of GeoJSON")
    func int(_ name: String, _ standard: Int) throws(NeatError) -> Int {
      guard let value = json[name], !value.isNull else { return standard }
      guard let int = value.int else {
        throw NeatError(.invalidArgument, "options: \(name) must be a whole number", offset: value.offset)
      }
      return int
    }
    func number(_ name: String, _ standard: Double) throws(NeatError) -> Double {
      guard let value = json[name], !value.isNull else { return standard }
      guard let number = value.number else {
        throw NeatError(.invalidArgument, "options: \(name) must be a number", offset: value.offset)
      }
      return number
    }
    func bool(_ name: String) throws(NeatError) -> Bool {
      guard let value = json[name], !value.isNull else { return false }
      guard let bool = value.bool else {
        throw NeatError(.invalidArgument, "options: \(name) must be true or false", offset: value.offset)
      }
      return bool
    }
    tiles.maxZoom = try int("maxzoom", 14)
    tiles.buffer = try number("buffer", 64)
    tiles.tolerance = try number("tolerance", 3)
    tiles.extent = try int("extent", 4096)
    tiles.lineMetrics = try bool("lineMetrics")
    tiles.generateId = try bool("generateId")
    if let value = json["promoteId"], !value.isNull {
      guard let name = value.string else {
        throw NeatError(.invalidArgument, "options: promoteId must be text", offset: value.offset)
      }
      tiles.promoteId = name
    }
    tiles.indexMaxZoom = try int("indexMaxZoom", 5)
    tiles.indexMaxPoints = try int("indexMaxPoints", 100_000)
    guard try bool("cluster") else { return }
    var clusters = ClusterOptions()
    clusters.maxZoom = try int("clusterMaxZoom", 16)
    clusters.minZoom = try int("minzoom", 0)
    clusters.radius = try number("clusterRadius", 40)
    clusters.extent = try int("extent", 512)
    clusters.minPoints = try int("clusterMinPoints", 2)
    clusters.generateId = tiles.generateId
    self.clusters = clusters
  }
}

final class GeoJSONHandle: Sendable {
  private let options: GeoJSONOptions
  private let state: Locked<GeoJSONContent>
  private let updating = Locked(())

  init(_ data: GeoJSONData, _ options: GeoJSONOptions) throws(NeatError) {
    self.options = options
    state = Locked(try GeoJSONContent(data, options))
  }

  /// The document as it is now.
  var content: GeoJSONContent { state.withLock { $0 } }

  /// One change after the other; those who read meanwhile have the document of before, and do not wait.
  func update(_ diff: GeoJSONDiff) throws(NeatError) {
    let outcome = updating.withLock { _ -> Result<Void, NeatError> in
      do throws(NeatError) {
        let changed = try content.applying(diff, options)
        state.withLock { $0 = changed }
        return .success(())
      } catch { return .failure(error) }
    }
    try outcome.get()
  }
}

extension GeoJSONContent {
  func clustered() throws(NeatError) -> ClusterIndex {
    guard let clusters else { throw NeatError(.state, "the data is not clustered") }
    return clusters
  }
}

private func readOptions(_ json: UnsafePointer<CChar>?, _ size: Int) throws(NeatError) -> GeoJSONOptions {
  let text = try bytes(json, size, "options")
  return try GeoJSONOptions(text.isEmpty ? .null : try JSON.parse(text))
}

@c @implementation
public func neat_geojson_parse(
  _ json: UnsafePointer<CChar>!, _ size: Int, _ options_json: UnsafePointer<CChar>!, _ options_size: Int,
  _ out_geojson: OutHandle!
) -> neat_status {
  produce(out_geojson) { () throws(NeatError) in
    let options = try readOptions(options_json, options_size)
    guard size >= 0, size <= 1 << 47 else {
      throw NeatError(.invalidArgument, "json has the size \(UInt(bitPattern: size))")
    }
    guard json != nil || size == 0 else {
      throw NeatError(.invalidArgument, "json is NULL and its size is \(size)")
    }
    // The text is only looked at, and not copied, whatever its size.
    let text = UnsafeRawBufferPointer(start: json, count: size)
    return try GeoJSONHandle(GeoJSONData(parsing: text.bindMemory(to: UInt8.self)), options)
  }
}

@c @implementation
public func neat_geojson_update(_ geojson: OpaquePointer!, _ diff: UnsafePointer<CChar>!, _ diff_size: Int)
  -> neat_status
{
  attempt { () throws(NeatError) in
    let handle: GeoJSONHandle = Handle.object(try required(geojson, "geojson"))
    try handle.update(try GeoJSONDiff(parsing: try bytes(diff, diff_size, "diff")))
  }
}

/// A document that comes in pieces.
final class GeoJSONReaderHandle {
  let options: GeoJSONOptions
  private var reader: GeoJSONPushReader?

  init(_ options: GeoJSONOptions) {
    self.options = options
    reader = GeoJSONPushReader()
  }

  func append(_ bytes: UnsafeBufferPointer<UInt8>) throws(NeatError) {
    guard reader != nil else { throw NeatError(.state, "the reader is finished") }
    try reader!.append(bytes)
  }

  func finish() throws(NeatError) -> GeoJSONHandle {
    guard let reader = reader.take() else { throw NeatError(.state, "the reader is finished") }
    return try GeoJSONHandle(try reader.finish(), options)
  }
}

@c @implementation
public func neat_geojson_reader_create(
  _ options_json: UnsafePointer<CChar>!, _ options_size: Int, _ out_reader: OutHandle!
) -> neat_status {
  produce(out_reader) { () throws(NeatError) in
    GeoJSONReaderHandle(try readOptions(options_json, options_size))
  }
}

@c @implementation
public func neat_geojson_reader_append(_ reader: OpaquePointer!, _ bytes: UnsafePointer<CChar>!, _ size: Int)
  -> neat_status
{
  attempt { () throws(NeatError) in
    let handle: GeoJSONReaderHandle = Handle.object(try required(reader, "reader"))
    guard size >= 0, size <= 1 << 47 else {
      throw NeatError(.invalidArgument, "bytes has the size \(UInt(bitPattern: size))")
    }
    guard bytes != nil || size == 0 else {
      throw NeatError(.invalidArgument, "bytes is NULL and its size is \(size)")
    }
    try handle.append(UnsafeRawBufferPointer(start: bytes, count: size).bindMemory(to: UInt8.self))
  }
}

@c @implementation
public func neat_geojson_reader_finish(_ reader: OpaquePointer!, _ out_geojson: OutHandle!) -> neat_status {
  produce(out_geojson, hasEffects: true) { () throws(NeatError) in
    let handle: GeoJSONReaderHandle = Handle.object(try required(reader, "reader"))
    return try handle.finish()
  }
}

@c @implementation
public func neat_geojson_reader_destroy(_ reader: OpaquePointer!) {
  Handle.destroy(reader, GeoJSONReaderHandle.self)
}

@c @implementation
public func neat_geojson_destroy(_ geojson: OpaquePointer!) { Handle.destroy(geojson, GeoJSONHandle.self) }

@c @implementation
public func neat_geojson_feature_count(_ geojson: OpaquePointer!) -> Int {
  geojson.map { Handle.object($0, as: GeoJSONHandle.self).content.featureCount } ?? 0
}

@c @implementation
public func neat_geojson_tile(
  _ geojson: OpaquePointer!, _ z: UInt32, _ x: UInt32, _ y: UInt32, _ out_tile: OutHandle!
) -> neat_status {
  produce(out_tile) { () throws(NeatError) in
    let content = Handle.object(try required(geojson, "geojson"), as: GeoJSONHandle.self).content
    let id = TileID(z: UInt8(min(z, 255)), x: x, y: y)
    guard id.isValid else { throw NeatError(.invalidArgument, "\(z)/\(x)/\(y) is no tile") }
    guard let layer = content.index?.tile(id) ?? content.clusters?.tile(id) else {
      throw NeatError(.notFound, "tile \(id) is empty")
    }
    return TileHandle(VectorTile(layers: [layer]))
  }
}

@c @implementation
public func neat_geojson_index_json(_ geojson: OpaquePointer!, _ out_json: OutHandle!) -> neat_status {
  produce(out_json) { () throws(NeatError) in
    let content = Handle.object(try required(geojson, "geojson"), as: GeoJSONHandle.self).content
    if let clusters = content.clusters {
      return Buffer(Array(clusters.tileText(TileID.world).utf8))
    }
    guard let index = content.index else { throw NeatError(.state, "the data has no index") }
    var writer = JSONWriter()
    writer.beginObject()
    for id in index.indexedTiles() {
      writer.key("z\(id.z)-\(id.x)-\(id.y)")
      writer.raw(index.tileText(id))
    }
    writer.endObject()
    return Buffer(writer.bytes)
  }
}

@c @implementation
public func neat_geojson_clusters(
  _ geojson: OpaquePointer!, _ west_deg: Double, _ south_deg: Double, _ east_deg: Double, _ north_deg: Double,
  _ zoom: UInt32,
  _ out_json: OutHandle!
) -> neat_status {
  produce(out_json) { () throws(NeatError) in
    let content = Handle.object(try required(geojson, "geojson"), as: GeoJSONHandle.self).content
    guard [west_deg, south_deg, east_deg, north_deg].allSatisfy(\.isFinite) else {
      throw NeatError(.invalidArgument, "the box is not finite")
    }
    let index = try content.clustered()
    return Buffer(
      try index.json(
        index.clusters(west: west_deg, south: south_deg, east: east_deg, north: north_deg, zoom: Int(zoom))))
  }
}

private func clusterID(_ cluster: UInt64) throws(NeatError) -> UInt32 {
  guard let id = UInt32(exactly: cluster) else {
    throw NeatError(.notFound, "no cluster has the id \(cluster)")
  }
  return id
}

@c @implementation
public func neat_geojson_cluster_children(
  _ geojson: OpaquePointer!, _ cluster: UInt64, _ out_json: OutHandle!
) -> neat_status {
  produce(out_json) { () throws(NeatError) in
    let content = Handle.object(try required(geojson, "geojson"), as: GeoJSONHandle.self).content
    let index = try content.clustered()
    return Buffer(try index.json(try index.children(of: try clusterID(cluster))))
  }
}

@c @implementation
public func neat_geojson_cluster_leaves(
  _ geojson: OpaquePointer!, _ cluster: UInt64, _ limit: UInt32, _ offset: UInt32, _ out_json: OutHandle!
) -> neat_status {
  produce(out_json) { () throws(NeatError) in
    let content = Handle.object(try required(geojson, "geojson"), as: GeoJSONHandle.self).content
    let index = try content.clustered()
    let leaves = try index.leaves(of: try clusterID(cluster), limit: Int(limit), offset: Int(offset))
    return Buffer(try index.json(leaves.map { index.item(feature: $0) }))
  }
}

@c @implementation
public func neat_geojson_cluster_expansion_zoom(
  _ geojson: OpaquePointer!, _ cluster: UInt64, _ out_zoom: UnsafeMutablePointer<UInt32>!
) -> neat_status {
  attempt { () throws(NeatError) in
    let content = Handle.object(try required(geojson, "geojson"), as: GeoJSONHandle.self).content
    try required(out_zoom, "out_zoom").pointee = UInt32(
      try content.clustered().expansionZoom(of: try clusterID(cluster)))
  }
}
