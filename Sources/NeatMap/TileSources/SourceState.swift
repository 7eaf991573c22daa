import NeatBase
import NeatCamera
import NeatJSON
import NeatStyle
import NeatTile

/// What a tile's bytes became.
package enum TileContent: Sendable {
  case vector(VectorTile)
  case raster(RasterTile)
  case elevation(DEMTile)
  /// There is none, and that is in order.
  case empty
  /// Asked for and not to be had (404, an error, bytes that do not decode): an ancestor stands in.
  case absent
  /// The server could not be reached: an ancestor that is there stands in, but none is asked for, which would
  /// fail as slowly.
  case unreachable

  /// Bytes that the content keeps in memory, about.
  var cost: Int {
    switch self {
    case .vector(let tile):
      tile.layers.reduce(256) { $0 + $1.pointCount * 8 + $1.featureCount * 16 + $1.valueCount * 16 + 512 }
    case .raster(let tile): tile.cost
    case .elevation(let tile): tile.cost
    case .empty: 64
    case .absent, .unreachable: 256
    }
  }
}

/// A source as far as it is loaded.
struct SourceState {
  enum Phase {
    /// Nothing is known but what the style says.
    case waiting
    case ready
    case failed
  }

  let id: String
  let spec: SourceSpec
  var phase = Phase.waiting
  /// Why the source itself cannot be had.
  var fault: MapProblem?
  var tileSet = TileSet()
  var geojson: GeoJSONTiles?
  var image: RasterTile?
  var tiles: [TileID: TileContent] = [:]
  /// When each tile was last used, by the count of views.
  var lastUse: [TileID: UInt64] = [:]
  /// Why tiles are not to be had.
  private(set) var tileFaults: [TileID: MapProblem] = [:]
  var cost = 0

  init(spec: SourceSpec, base: String) {
    id = spec.id
    self.spec = spec
    switch spec.kind {
    case .raster, .rasterDEM: tileSet.tileSize = 512
    default: break
    }
    if spec.tiled != nil { tileSet.read(spec.json, base: base) }
    if spec.tiled != nil, spec.tiled?.url == nil { phase = tileSet.templates.isEmpty ? .failed : .ready }
  }

  /// Levels above the view's own at which an ancestor may still stand in for a tile that is not to be had, as
  /// in MapLibre GL JS.
  static let standInLevels = 10

  /// The lowest zoom of a tile that may stand in for one of the view.
  func lowestStandIn(_ transform: Transform) -> UInt8 {
    UInt8(clamping: max(Int(tileSet.minZoom), cover.zoom(for: transform.camera) - Self.standInLevels))
  }

  var isRaster: Bool {
    switch spec.kind {
    case .raster, .rasterDEM: true
    default: false
    }
  }

  var cover: TileCover {
    var cover = TileCover()
    switch spec.kind {
    case .raster:
      cover.tileSize = tileSet.tileSize
      cover.roundsZoom = true
      cover.reparsesOverscaled = false
    case .rasterDEM:
      cover.tileSize = tileSet.tileSize
      cover.roundsZoom = true
      cover.reparsesOverscaled = false
    default: cover.tileSize = 512
    }
    cover.minZoom = tileSet.minZoom
    cover.maxZoom = geojson?.maxZoom ?? (isSliced ? TileSlice.maxZoom : tileSet.maxZoom)
    cover.bounds = tileSet.bounds
    return cover
  }

  /// The request for what the source itself is described by, where it is still to come.
  func metadataNeed(base: String) -> Need? {
    guard phase == .waiting else { return nil }
    switch spec.kind {
    case .vector(let tiled), .raster(let tiled), .rasterDEM(let tiled):
      guard let url = tiled.url else { return nil }
      return Need(.tileJSON(id), ResourceRequest(kind: .source, url: Address.resolve(url, base: base)))
    case .geojson(let source):
      guard let url = source.data.string else { return nil }
      return Need(.geojson(id), ResourceRequest(kind: .geojson, url: Address.resolve(url, base: base)))
    case .image(let source):
      return Need(.image(id), ResourceRequest(kind: .image, url: Address.resolve(source.url, base: base)))
    case .video: return nil
    }
  }

  mutating func store(_ content: TileContent, for tile: TileID, use: UInt64, fault: MapProblem? = nil) {
    if let old = tiles[tile] { cost -= old.cost }
    tiles[tile] = content
    if fault != nil || !tileFaults.isEmpty { tileFaults[tile] = fault }
    lastUse[tile] = use
    cost += content.cost
  }

  mutating func dropTiles() {
    tiles.removeAll()
    tileFaults.removeAll()
    lastUse.removeAll()
    cost = 0
  }

  mutating func dropTiles(where isStale: (TileID) -> Bool) {
    for (tile, content) in tiles where isStale(tile) {
      cost -= content.cost
      tiles[tile] = nil
      tileFaults[tile] = nil
      lastUse[tile] = nil
    }
  }

  /// Whether an MBTiles or PMTiles archive gives its tiles.
  var isOfArchive: Bool {
    let scheme = spec.tiled?.url.flatMap { Address.scheme($0) }
    return scheme == "mbtiles" || scheme == "pmtiles"
  }

  var hasTileFaults: Bool { !tileFaults.isEmpty }

  /// Lets tiles be asked for again that the server was not reached for.
  mutating func dropUnreachableTiles() {
    for tile in tileFaults.keys.filter({ tileFaults[$0]?.isPassing == true }) {
      if let content = tiles.removeValue(forKey: tile) { cost -= content.cost }
      tileFaults[tile] = nil
      lastUse[tile] = nil
    }
  }

  /// Drops tiles that were not used since `use` until no more than `budget` bytes are held.
  mutating func trim(to budget: Int, keeping use: UInt64) {
    guard cost > budget else { return }
    for (tile, last) in lastUse.sorted(by: { $0.value < $1.value }) where cost > budget && last < use {
      if let content = tiles.removeValue(forKey: tile) { cost -= content.cost }
      tileFaults[tile] = nil
      lastUse[tile] = nil
    }
  }
}
