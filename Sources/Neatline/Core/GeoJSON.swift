import CNeatline

/// GeoJSON cut into tiles on demand, or clustered. Any thread, also at the same time.
public final class GeoJSONIndex: @unchecked Sendable {  // the engine locks
  private let pointer: OpaquePointer

  /// `options`: any of `maxzoom`, `buffer`, `tolerance`, `extent`, `lineMetrics`, `generateId`, `promoteId`, `indexMaxZoom`, `indexMaxPoints`, and for
  /// clusters `cluster`, `clusterRadius`, `clusterMinPoints`, `clusterMaxZoom`, `clusterProperties`.
  public init(parsing json: [UInt8], options: JSONValue? = nil) throws(NeatlineError) {
    pointer = try handle { out in
      json.withUnsafeBytes { bytes in
        options.withText { neat_geojson_parse(bytes.bindMemory(to: CChar.self).baseAddress, bytes.count, $0, $1, out) }
      }
    }
  }

  public convenience init(_ json: String, options: JSONValue? = nil) throws(NeatlineError) {
    try self.init(parsing: Array(json.utf8), options: options)
  }

  public convenience init(_ shape: some Shape, options: JSONValue? = nil) throws(NeatlineError) {
    try self.init(parsing: shape.geoJSONBytes(), options: options)
  }

  deinit { neat_geojson_destroy(pointer) }

  public var featureCount: Int { neat_geojson_feature_count(pointer) }

  /// nil where the tile is empty.
  public func tile(z: Int, x: Int, y: Int) throws(NeatlineError) -> Tile? {
    do throws(NeatlineError) {
      return Tile(
        adopting: try handle { neat_geojson_tile(pointer, UInt32(clamping: z), UInt32(clamping: x), UInt32(clamping: y), $0) })
    } catch {
      if error.status == .notFound { return nil }
      throw error
    }
  }

  /// Every tile that indexing made: an object by `z-x-y` of arrays of `geometry`, `type`, `tags`, `id`.
  public var indexJSON: JSONValue {
    get throws(NeatlineError) { try jsonValue { neat_geojson_index_json(pointer, $0) } }
  }

  /// Clusters and points in a box of degrees: `Feature.isCluster` tells them apart.
  public func clusters(west: Double, south: Double, east: Double, north: Double, zoom: Int) throws(NeatlineError) -> [Feature] {
    try features { neat_geojson_clusters(pointer, west, south, east, north, UInt32(clamping: zoom), $0) }
  }

  /// What a cluster is made of at the next zoom.
  public func children(of cluster: UInt64) throws(NeatlineError) -> [Feature] {
    try features { neat_geojson_cluster_children(pointer, cluster, $0) }
  }

  /// The points of a cluster.
  public func leaves(of cluster: UInt64, limit: Int = 10, offset: Int = 0) throws(NeatlineError) -> [Feature] {
    try features { neat_geojson_cluster_leaves(pointer, cluster, UInt32(clamping: limit), UInt32(clamping: offset), $0) }
  }

  /// The zoom at which a cluster falls apart.
  public func expansionZoom(of cluster: UInt64) throws(NeatlineError) -> Int {
    var zoom: UInt32 = 0
    try check(neat_geojson_cluster_expansion_zoom(pointer, cluster, &zoom))
    return Int(zoom)
  }

  private func features(_ call: (OutPointer) -> neat_status) throws(NeatlineError) -> [Feature] {
    try Neatline.features(try buffer(call))
  }
}
