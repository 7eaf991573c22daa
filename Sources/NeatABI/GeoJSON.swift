import CNeatline
import NeatBase
import NeatJSON
import NeatMap
import NeatTile

final class GeoJSONHandle {
  let data: GeoJSONData
  let index: GeoJSONIndex?
  let clusters: ClusterIndex?

  init(_ source: [UInt8], _ json: JSON) throws(NeatError) {
    data = try GeoJSONData(parsing: source)
    let maxZoom = json["maxzoom"]?.int
    if json["cluster"]?.bool == true {
      var options = ClusterOptions()
      options.maxZoom = json["clusterMaxZoom"]?.int ?? 16
      options.minZoom = json["minzoom"]?.int ?? 0
      options.radius = json["clusterRadius"]?.number ?? 40
      options.extent = json["extent"]?.int ?? 512
      options.minPoints = json["clusterMinPoints"]?.int ?? 2
      options.generateId = json["generateId"]?.bool ?? false
      clusters = try GeoJSONTiles.clusters(data, options, properties: json["clusterProperties"])
      index = nil
    } else {
      var options = GeoJSONTileOptions()
      options.maxZoom = maxZoom ?? 14
      options.buffer = json["buffer"]?.number ?? 64
      options.tolerance = json["tolerance"]?.number ?? 3
      options.extent = json["extent"]?.int ?? 4096
      options.lineMetrics = json["lineMetrics"]?.bool ?? false
      options.generateId = json["generateId"]?.bool ?? false
      options.promoteId = json["promoteId"]?.string
      options.indexMaxZoom = json["indexMaxZoom"]?.int ?? 5
      options.indexMaxPoints = json["indexMaxPoints"]?.int ?? 100_000
      index = try GeoJSONIndex(data, options: options)
      clusters = nil
    }
  }

  func clustered() throws(NeatError) -> ClusterIndex {
    guard let clusters else { throw NeatError(.state, "the data is not clustered") }
    return clusters
  }

  /// Clusters and points as a GeoJSON feature array.
  func json(_ items: [ClusterItem], _ index: ClusterIndex) -> [UInt8] {
    var writer = JSONWriter()
    writer.beginArray()
    let layer = data.propertiesLayer()
    for item in items { write(item, index, layer, &writer) }
    writer.endArray()
    return writer.bytes
  }

  /// Points, by the numbers of their features, as a GeoJSON feature array.
  func json(points: [Int], _ index: ClusterIndex) -> [UInt8] {
    var writer = JSONWriter()
    writer.beginArray()
    let layer = data.propertiesLayer()
    for feature in points { writePoint(feature, index, layer, &writer) }
    writer.endArray()
    return writer.bytes
  }

  private func write(_ item: ClusterItem, _ index: ClusterIndex, _ layer: TileLayer, _ writer: inout JSONWriter) {
    guard let id = item.clusterID else { return writePoint(item.feature, index, layer, &writer) }
    writer.beginObject()
    writer.key("type")
    writer.string("Feature")
    writer.key("id")
    writer.int(id)
    writer.key("properties")
    writer.beginObject()
    writer.key("cluster")
    writer.bool(true)
    writer.key("cluster_id")
    writer.int(id)
    writer.key("point_count")
    writer.int(item.pointCount)
    for (name, value) in zip(index.propertyNames, item.properties) {
      writer.key(name)
      switch value {
      case .null: writer.null()
      case .bool(let bool): writer.bool(bool)
      case .number(let number): writer.number(number)
      case .string(let text): writer.string(text)
      }
    }
    writer.endObject()
    writePlace(item.place, &writer)
    writer.endObject()
  }

  private func writePoint(_ feature: Int, _ index: ClusterIndex, _ layer: TileLayer, _ writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("type")
    writer.string("Feature")
    if index.options.generateId {
      writer.key("id")
      writer.int(feature)
    } else if data.ids[feature].kind != .null {
      writer.key("id")
      TileJSONText.write(data.ids[feature], &writer)
    }
    writer.key("properties")
    TileJSONText.writeProperties(feature, of: layer, &writer)
    writePlace(index.place(ofPoint: feature), &writer)
    writer.endObject()
  }

  private func writePlace(_ place: LonLat, _ writer: inout JSONWriter) {
    writer.key("geometry")
    writer.beginObject()
    writer.key("type")
    writer.string("Point")
    writer.key("coordinates")
    writer.beginArray()
    writer.number(place.lon)
    writer.number(place.lat)
    writer.endArray()
    writer.endObject()
  }
}

@c @implementation
public func neat_geojson_parse(
  _ json: UnsafePointer<CChar>!, _ size: Int, _ options: UnsafePointer<CChar>!, _ options_size: Int, _ out_geojson: OutHandle!
) -> neat_status {
  produce(out_geojson) { () throws(NeatError) in
    let text = try bytes(options, options_size, "options")
    return try GeoJSONHandle(try bytes(json, size, "json"), text.isEmpty ? .null : try JSON.parse(text))
  }
}

@c @implementation
public func neat_geojson_destroy(_ geojson: OpaquePointer!) { Handle.destroy(geojson, GeoJSONHandle.self) }

@c @implementation
public func neat_geojson_feature_count(_ geojson: OpaquePointer!) -> Int {
  geojson.map { Handle.object($0, as: GeoJSONHandle.self).data.featureCount } ?? 0
}

@c @implementation
public func neat_geojson_tile(_ geojson: OpaquePointer!, _ z: UInt32, _ x: UInt32, _ y: UInt32, _ out_tile: OutHandle!) -> neat_status {
  produce(out_tile) { () throws(NeatError) in
    let handle: GeoJSONHandle = Handle.object(try required(geojson, "geojson"))
    let id = TileID(z: UInt8(min(z, 255)), x: x, y: y)
    guard id.isValid else { throw NeatError(.invalidArgument, "\(z)/\(x)/\(y) is no tile") }
    guard let layer = handle.index?.tile(id) ?? handle.clusters?.tile(id) else { throw NeatError(.notFound, "tile \(id) is empty") }
    return TileHandle(VectorTile(layers: [layer]))
  }
}

@c @implementation
public func neat_geojson_index_json(_ geojson: OpaquePointer!, _ out_json: OutHandle!) -> neat_status {
  produce(out_json) { () throws(NeatError) in
    let handle: GeoJSONHandle = Handle.object(try required(geojson, "geojson"))
    if let clusters = handle.clusters { return Buffer(Array(clusters.tileText(TileID(z: 0, x: 0, y: 0)).utf8)) }
    guard let index = handle.index else { throw NeatError(.state, "the data has no index") }
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
  _ geojson: OpaquePointer!, _ west_deg: Double, _ south_deg: Double, _ east_deg: Double, _ north_deg: Double, _ zoom: UInt32,
  _ out_json: OutHandle!
) -> neat_status {
  produce(out_json) { () throws(NeatError) in
    let handle: GeoJSONHandle = Handle.object(try required(geojson, "geojson"))
    guard [west_deg, south_deg, east_deg, north_deg].allSatisfy(\.isFinite) else {
      throw NeatError(.invalidArgument, "the box is not finite")
    }
    let index = try handle.clustered()
    return Buffer(handle.json(index.clusters(west: west_deg, south: south_deg, east: east_deg, north: north_deg, zoom: Int(zoom)), index))
  }
}

private func clusterID(_ cluster: UInt64) throws(NeatError) -> UInt32 {
  guard let id = UInt32(exactly: cluster) else { throw NeatError(.notFound, "no cluster has the id \(cluster)") }
  return id
}

@c @implementation
public func neat_geojson_cluster_children(_ geojson: OpaquePointer!, _ cluster: UInt64, _ out_json: OutHandle!) -> neat_status {
  produce(out_json) { () throws(NeatError) in
    let handle: GeoJSONHandle = Handle.object(try required(geojson, "geojson"))
    let index = try handle.clustered()
    return Buffer(handle.json(try index.children(of: try clusterID(cluster)), index))
  }
}

@c @implementation
public func neat_geojson_cluster_leaves(
  _ geojson: OpaquePointer!, _ cluster: UInt64, _ limit: UInt32, _ offset: UInt32, _ out_json: OutHandle!
) -> neat_status {
  produce(out_json) { () throws(NeatError) in
    let handle: GeoJSONHandle = Handle.object(try required(geojson, "geojson"))
    let index = try handle.clustered()
    let leaves = try index.leaves(of: try clusterID(cluster), limit: Int(limit), offset: Int(offset))
    return Buffer(handle.json(points: leaves, index))
  }
}

@c @implementation
public func neat_geojson_cluster_expansion_zoom(
  _ geojson: OpaquePointer!, _ cluster: UInt64, _ out_zoom: UnsafeMutablePointer<UInt32>!
) -> neat_status {
  attempt { () throws(NeatError) in
    let handle: GeoJSONHandle = Handle.object(try required(geojson, "geojson"))
    try required(out_zoom, "out_zoom").pointee = UInt32(try handle.clustered().expansionZoom(of: try clusterID(cluster)))
  }
}
