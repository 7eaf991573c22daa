import CNeatline
import CNeatline.Testing

/// GeoJSON cut into tiles on demand, or clustered: a document, or several on lines of their own. Any thread,
/// also at the same time.
public final class GeoJSONIndex: Sendable {  // the engine locks
  private nonisolated(unsafe) let pointer: OpaquePointer

  /// `options`: any of `maxzoom`, `buffer`, `tolerance`, `extent`, `lineMetrics`, `generateId`, `promoteId`,
  /// `indexMaxZoom`, `indexMaxPoints`, and for clusters `cluster`, `clusterRadius`, `clusterMinPoints`,
  /// `clusterMaxZoom`, `clusterProperties`.
  public init(parsing json: [UInt8], options: JSONValue? = nil) throws(NeatlineError) {
    pointer = try handle { out in
      json.withUnsafeBytes { bytes in
        options.withText {
          neat_geojson_parse(bytes.bindMemory(to: CChar.self).baseAddress, bytes.count, $0, $1, out)
        }
      }
    }
  }

  /// Parses GeoJSON text and makes an index of it. Options and errors are those of `neat_geojson_parse`.
  public convenience init(_ json: String, options: JSONValue? = nil) throws(NeatlineError) {
    try self.init(parsing: Array(json.utf8), options: options)
  }

  /// Makes an index of a shape. Options and errors are those of `neat_geojson_parse`.
  public convenience init(_ shape: some Shape, options: JSONValue? = nil) throws(NeatlineError) {
    try self.init(parsing: shape.geoJSONBytes(), options: options)
  }

  init(adopting pointer: OpaquePointer) { self.pointer = pointer }

  deinit { neat_geojson_destroy(pointer) }

  /// Changes the data by the ids of its features; tiles got before stay as they are.
  public func update(_ diff: GeoJSONSourceDiff) throws(NeatlineError) {
    try check(diff.text.withText { neat_geojson_update(pointer, $0, $1) })
  }

  /// The number of features.
  public var featureCount: Int { neat_geojson_feature_count(pointer) }

  /// nil where the tile is empty.
  public func tile(z: Int, x: Int, y: Int) throws(NeatlineError) -> Tile? {
    let tile = try tileNumbers(z, x, y)
    do throws(NeatlineError) {
      return Tile(
        adopting: try handle { neat_geojson_tile(pointer, tile.z, tile.x, tile.y, $0) })
    } catch {
      if error.status == .notFound { return nil }
      throw error
    }
  }

  /// Every tile that indexing made: an object by `z-x-y` of arrays of `geometry`, `type`, `tags`, `id`.
  package var indexJSON: JSONValue {
    get throws(NeatlineError) { try jsonValue { neat_geojson_index_json(pointer, $0) } }
  }

  /// Clusters and points in a box of degrees: `Feature.isCluster` tells them apart.
  public func clusters(west: Double, south: Double, east: Double, north: Double, zoom: Int)
    throws(NeatlineError) -> [Feature]
  {
    let zoom = try unsigned(zoom, "zoom")
    return try features { neat_geojson_clusters(pointer, west, south, east, north, zoom, $0) }
  }

  /// What a cluster is made of at the next zoom.
  public func children(of cluster: UInt64) throws(NeatlineError) -> [Feature] {
    try features { neat_geojson_cluster_children(pointer, cluster, $0) }
  }

  /// The points of a cluster, at most `limit` after the first `offset`.
  public func leaves(of cluster: UInt64, limit: Int = 10, offset: Int = 0) throws(NeatlineError) -> [Feature]
  {
    let limit = try unsigned(limit, "limit")
    let offset = try unsigned(offset, "offset")
    return try features { neat_geojson_cluster_leaves(pointer, cluster, limit, offset, $0) }
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

/// GeoJSON that comes in pieces, of a file or a server, without ever being in memory as a whole. Not for two
/// threads at once.
public final class GeoJSONReader {
  private let pointer: OpaquePointer

  /// `options`: those of `GeoJSONIndex`.
  public init(options: JSONValue? = nil) throws(NeatlineError) {
    pointer = try handle { out in options.withText { neat_geojson_reader_create($0, $1, out) } }
  }

  deinit { neat_geojson_reader_destroy(pointer) }

  /// The next bytes, cut anywhere. An error comes from every later call too.
  public func append(_ bytes: [UInt8]) throws(NeatlineError) {
    try check(
      bytes.withUnsafeBytes {
        neat_geojson_reader_append(pointer, $0.bindMemory(to: CChar.self).baseAddress, $0.count)
      })
  }

  /// The document, when all of it came; the reader takes no more afterwards.
  public func finish() throws(NeatlineError) -> GeoJSONIndex {
    GeoJSONIndex(adopting: try handle { neat_geojson_reader_finish(pointer, $0) })
  }
}
