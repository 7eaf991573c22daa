import CNeatline

/// A tile of the XYZ pyramid, as version 10 of the mobile SDKs calls it.
public typealias CanonicalTileID = TileAddress

/// How the tiles of a custom geometry source are cut.
public struct TileOptions: Hashable, Sendable {
  /// How far simplified lines may be off, in units of `tileSize`.
  public var tolerance: Double
  /// Units along a tile's edge that `tolerance` and `buffer` count in.
  public var tileSize: Int
  /// How far a tile's geometry is used past its edge, where it is clipped; at most a tile.
  public var buffer: Int
  /// Whether geometry is cut to its tile and the buffer; else to the tile and its neighbours.
  public var clip: Bool
  /// Whether what lies past the antimeridian is brought back into the world.
  public var wrap: Bool

  /// Options with the defaults of the mobile SDKs.
  public init(
    tolerance: Double = 0.375, tileSize: Int = 512, buffer: Int = 128, clip: Bool = false, wrap: Bool = false
  ) {
    (self.tolerance, self.tileSize, self.buffer) = (tolerance, tileSize, buffer)
    (self.clip, self.wrap) = (clip, wrap)
  }
}

/// Who gives the tiles of a custom geometry source, and which there are. Both functions are called on the map's thread,
/// and may call any function of the map.
public struct CustomGeometrySourceOptions {
  /// A tile is wanted: it is answered, now or later, by `setCustomGeometrySourceTileData`, or by the
  /// `CustomGeometryTiles` of the source from any thread.
  public var fetchTileFunction: (CanonicalTileID) -> Void
  /// A tile that was wanted and is not answered is wanted no more.
  public var cancelTileFunction: (CanonicalTileID) -> Void
  /// The lowest zoom that has tiles.
  public var minZoom: Int
  /// The highest zoom that has tiles, at most 24; those of deeper zooms are cut out of its.
  public var maxZoom: Int
  /// How tiles are cut.
  public var tileOptions: TileOptions

  /// Options with the defaults of the mobile SDKs.
  public init(
    fetchTileFunction: @escaping (CanonicalTileID) -> Void,
    cancelTileFunction: @escaping (CanonicalTileID) -> Void = { _ in }, minZoom: Int = 0, maxZoom: Int = 18,
    tileOptions: TileOptions = TileOptions()
  ) {
    (self.fetchTileFunction, self.cancelTileFunction) = (fetchTileFunction, cancelTileFunction)
    (self.minZoom, self.maxZoom, self.tileOptions) = (minZoom, maxZoom, tileOptions)
  }

  fileprivate var json: JSONValue {
    .object([
      .init("minZoom", .number(Double(minZoom))), .init("maxZoom", .number(Double(maxZoom))),
      .init("tileSize", .number(Double(tileOptions.tileSize))),
      .init("buffer", .number(Double(tileOptions.buffer))),
      .init("tolerance", .number(tileOptions.tolerance)), .init("clip", .bool(tileOptions.clip)),
      .init("wrap", .bool(tileOptions.wrap)),
    ])
  }
}

/// Gives tiles to a custom geometry source, from any thread and at any time: where the source has gone, `notFound` is
/// thrown.
public struct CustomGeometryTiles: Hashable, Sendable {
  fileprivate let source: UInt64

  /// Gives a tile, whether it was asked for or not; the last one counts, and no features are a tile too. Throws
  /// `invalidArgument` for a tile outside of the source's zooms, `limitExceeded` past 64 MiB and where too much waits
  /// for the map.
  public func setTileData(_ tile: CanonicalTileID, features: [Feature]) throws(NeatlineError) {
    try setTileData(tile, geoJSON: FeatureCollection(features).geoJSON.geoJSONText())
  }

  /// Gives a tile as the text of any GeoJSON; an empty one: there is nothing. What is no GeoJSON becomes a problem of
  /// the map that names source and tile.
  public func setTileData(_ tile: CanonicalTileID, geoJSON: String) throws(NeatlineError) {
    let (z, x, y) = try numbers(tile)
    try check(geoJSON.withText { neat_set_custom_geometry_tile_data(source, z, x, y, $0, $1) })
  }

  /// Says that a tile cannot be had: a problem of the map that names source and tile.
  public func fail(_ tile: CanonicalTileID, _ error: NeatlineError) throws(NeatlineError) {
    let (z, x, y) = try numbers(tile)
    let status = error.status == .unknown ? NEAT_STATUS_STATE : neat_status(rawValue: error.status.rawValue)
    try check(error.message.withText { neat_fail_custom_geometry_tile(source, z, x, y, status, $0, $1) })
  }
}

private func numbers(_ tile: TileAddress) throws(NeatlineError) -> (UInt32, UInt32, UInt32) {
  guard let z = UInt32(exactly: tile.z), let x = UInt32(exactly: tile.x), let y = UInt32(exactly: tile.y)
  else {
    throw NeatlineError(.invalidArgument, "\(tile.z)/\(tile.x)/\(tile.y) is no tile")
  }
  return (z, x, y)
}

/// What the library calls for a source.
private final class CustomSourceBridge {
  let options: CustomGeometrySourceOptions

  init(_ options: CustomGeometrySourceOptions) { self.options = options }

  static func options(_ context: UnsafeMutableRawPointer?) -> CustomGeometrySourceOptions? {
    context.map { Unmanaged<CustomSourceBridge>.fromOpaque($0).takeUnretainedValue().options }
  }
}

extension MapStyle {
  /// Adds a source whose tiles the host gives as GeoJSON; layers draw from it as from a GeoJSON source. Each tile that a
  /// view needs is asked for once, whatever copies of the world show it; the map is loading as long as one is not
  /// answered. Another style does not have it. Throws `invalidArgument` for an id that is empty or taken and for options
  /// out of their range, `state` where there is no style.
  @discardableResult public func addCustomGeometrySource(
    withId id: String, options: CustomGeometrySourceOptions
  ) throws(NeatlineError) -> CustomGeometryTiles {
    let context = Unmanaged.passRetained(CustomSourceBridge(options))
    var source = neat_custom_geometry_source()
    source.struct_size = UInt32(MemoryLayout<neat_custom_geometry_source>.size)
    source.context = context.toOpaque()
    source.fetch_tile = { context, _, z, x, y in
      CustomSourceBridge.options(context)?.fetchTileFunction(TileAddress(z: Int(z), x: Int(x), y: Int(y)))
    }
    source.cancel_tile = { context, _, z, x, y in
      CustomSourceBridge.options(context)?.cancelTileFunction(TileAddress(z: Int(z), x: Int(x), y: Int(y)))
    }
    source.destroy = { context in
      if let context { Unmanaged<CustomSourceBridge>.fromOpaque(context).release() }
    }
    let json = options.json.text
    var number: UInt64 = 0
    do throws(NeatlineError) {
      try check(
        id.withText { id, size in
          json.withText {
            neat_map_add_custom_geometry_source(map.pointer, id, size, $0, $1, &source, &number)
          }
        })
    } catch {
      context.release()
      throw error
    }
    return CustomGeometryTiles(source: number)
  }

  /// What gives tiles to a source from any thread. Throws `notFound`.
  public func customGeometryTiles(forSourceId id: String) throws(NeatlineError) -> CustomGeometryTiles {
    var number: UInt64 = 0
    try check(id.withText { neat_map_custom_geometry_source(map.pointer, $0, $1, &number) })
    return CustomGeometryTiles(source: number)
  }

  /// Gives a tile of a source. Throws `notFound` where there is no such source, and as `CustomGeometryTiles`.
  public func setCustomGeometrySourceTileData(
    forSourceId sourceId: String, tileId: CanonicalTileID, features: [Feature]
  ) throws(NeatlineError) {
    try customGeometryTiles(forSourceId: sourceId).setTileData(tileId, features: features)
  }

  /// Says that a tile is other data now: it is asked for anew where the view needs it, and shown as it is until then.
  /// Throws `notFound`, and `invalidArgument` for a tile outside of the source's zooms.
  public func invalidateCustomGeometrySourceTile(forSourceId sourceId: String, tileId: CanonicalTileID)
    throws(NeatlineError)
  {
    let (z, x, y) = try numbers(tileId)
    try check(
      sourceId.withText { neat_map_invalidate_custom_geometry_tile(map.pointer, $0, $1, z, x, y) })
  }

  /// Says the same of all tiles that a region meets. Throws `notFound`, and `invalidArgument` for what is no region.
  public func invalidateCustomGeometrySourceRegion(forSourceId sourceId: String, bounds: GeographicBounds)
    throws(NeatlineError)
  {
    let east = bounds.east < bounds.west ? bounds.east + 360 : bounds.east
    try check(
      sourceId.withText {
        neat_map_invalidate_custom_geometry_region(
          map.pointer, $0, $1, bounds.west, bounds.south, east, bounds.north)
      })
  }
}
