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

  /// Takes what vectors keep in memory from a budget; nil for other contents, which have taken theirs. Throws
  /// `outOfMemory`.
  func hold(_ memory: MemoryBudget, _ words: @autoclosure () -> String) throws(NeatError) -> MemoryHold? {
    guard case .vector = self else { return nil }
    return try memory.take(cost, for: words())
  }

  /// Bytes that the content keeps in memory, about.
  var cost: Int {
    switch self {
    case .vector(let tile): 256 + tile.byteCount
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
  /// No other source that the map has or had has the same.
  let number: UInt64
  private(set) var spec: SourceSpec
  var phase = Phase.waiting
  /// Why the source itself cannot be had.
  var fault: PastFault?
  var tileSet = TileSet()
  var geojson: GeoJSONTiles?
  var image: RasterTile?
  var tiles = CostCache<TileID, StoredTile>()
  /// Tiles of the application's that it has said to be others now: they are shown until those come.
  private(set) var staleTiles: Set<TileID> = []
  /// Since when a tile is not to be had for reasons that pass, at the longest.
  private var oldestPassingFault: UInt64?

  init(spec: SourceSpec, base: String, number: UInt64) {
    id = spec.id
    self.number = number
    self.spec = spec
    switch spec.kind {
    case .raster, .rasterDEM: tileSet.tileSize = TileUnits.pixels
    default: break
    }
    if let custom = spec.custom {
      (tileSet.minZoom, tileSet.maxZoom) = (custom.minZoom, custom.maxZoom)
      phase = .ready
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

  /// Takes other corners of a picture that is the same otherwise; false where there is more to it.
  mutating func move(to new: SourceSpec) -> Bool {
    guard case .image(let old) = spec.kind, case .image(let other) = new.kind, old.url == other.url else {
      return false
    }
    spec = new
    return true
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
    default: cover.tileSize = TileUnits.pixels
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
      return Need(
        .tileJSON(id), ResourceRequest(kind: .source, url: Address.resolve(url, base: base)), owner: number)
    case .geojson(let source):
      guard let url = source.data.string else { return nil }
      return Need(
        .geojson(id), ResourceRequest(kind: .geojson, url: Address.resolve(url, base: base)), owner: number)
    case .image(let source):
      return Need(
        .image(id), ResourceRequest(kind: .image, url: Address.resolve(source.url, base: base)), owner: number
      )
    case .video, .custom: return nil
    }
  }

  /// What is asked for to have a tile; nil where the source does not say where they are.
  func request(_ tile: TileID, pixelRatio: Double) -> ResourceRequest? {
    // The application is asked, by the source's name.
    if spec.custom != nil { return ResourceRequest(kind: .tile, url: id, tile: tile) }
    return tileSet.request(tile, pixelRatio: pixelRatio)
  }

  /// Whether a tile is to be asked for though there is one.
  func isStale(_ tile: TileID) -> Bool { !staleTiles.isEmpty && staleTiles.contains(tile) }

  /// Has tiles asked for anew where a view needs them. Those that could not be had are forgotten.
  mutating func makeStale(_ isMeant: (TileID) -> Bool) {
    tiles.drop { tile, stored in isMeant(tile) && tile.z <= tileSet.maxZoom && stored.fault != nil }
    staleTiles = staleTiles.filter { tiles[$0] != nil }
    for tile in tiles.keys where tile.z <= tileSet.maxZoom && isMeant(tile) { staleTiles.insert(tile) }
  }

  /// An answer has come, whatever it is.
  mutating func settleStale(_ tile: TileID) { staleTiles.remove(tile) }

  /// What a tile's bytes became; nil where they are still to come.
  func content(_ tile: TileID) -> TileContent? { tiles[tile]?.content }

  /// Whether a tile is one of vectors that its server says not to have: it is taken for an empty one, as in MapLibre GL
  /// JS, and no ancestor stands in. Pictures and elevations are shown from their ancestors.
  func isSparse(_ tile: TileID) -> Bool {
    guard case .vector = spec.kind else { return false }
    return fault(of: tile)?.code == .notFound
  }

  /// Why a tile is not to be had.
  func fault(of tile: TileID) -> MapProblem? { tiles[tile]?.fault?.problem }

  mutating func store(
    _ content: TileContent, for tile: TileID, use: UInt64, fault: PastFault? = nil,
    came: StoredTile.Coming? = nil, hold: MemoryHold? = nil
  ) {
    tiles.store(
      StoredTile(content: content, fault: fault, came: came, hold: hold), for: tile, cost: content.cost,
      use: use)
    if let fault, fault.problem.isPassing {
      oldestPassingFault = min(fault.since, oldestPassingFault ?? .max)
    }
  }

  /// Whether its tiles can be asked for.
  var isReadyForTiles: Bool { phase == .ready && spec.hasTiles }

  /// Notes that a view uses tiles, and makes room.
  mutating func use(_ used: [TileID], _ now: UInt64, cacheBytes: Int, keeping oldest: UInt64) {
    for tile in used { tiles.touch(tile, use: now) }
    tiles.trim(to: cacheBytes, keeping: oldest)
  }

  /// Whether an MBTiles or PMTiles archive gives its tiles.
  var isOfArchive: Bool {
    let scheme = spec.tiled?.url.flatMap { Address.scheme($0) }
    return scheme == "mbtiles" || scheme == "pmtiles"
  }

  /// Whether there is something to be asked for again.
  func hasPassingFaults(since time: UInt64) -> Bool {
    isFailed(since: time) { _ in true } || (oldestPassingFault ?? .max) <= time
  }

  private func isFailed(since time: UInt64, where isSuch: (ErrorCode) -> Bool) -> Bool {
    guard phase == .failed, let fault else { return false }
    // An archive that was not there or half written may be whole by now; nothing tells when.
    return fault.isOver(by: time, where: isSuch) || isOfArchive && fault.since <= time
  }

  /// Lets be asked for again what has failed since a time or longer, for a reason that passes, with such a code.
  mutating func forgetPassingFaults(since time: UInt64, where isSuch: (ErrorCode) -> Bool) {
    if isFailed(since: time, where: isSuch) {
      phase = .waiting
      fault = nil
    }
    guard let oldest = oldestPassingFault, oldest <= time else { return }
    var next: UInt64?
    tiles.drop { _, tile in
      guard let fault = tile.fault, fault.problem.isPassing else { return false }
      let isOver = fault.isOver(by: time, where: isSuch)
      if !isOver { next = min(fault.since, next ?? .max) }
      return isOver
    }
    oldestPassingFault = next
  }
}

/// A tile as it is kept. An object, since it is looked at far more often than it is made.
final class StoredTile: Sendable {
  let content: TileContent
  /// Why it is not to be had.
  let fault: PastFault?
  /// Of what came from elsewhere.
  let came: Coming?
  /// What vectors hold of a budget; pictures and elevations have theirs.
  private let hold: MemoryHold?

  struct Coming {
    let byteCount: Int
    /// Seconds since 1970.
    let date: Int64
  }

  init(content: TileContent, fault: PastFault?, came: Coming?, hold: MemoryHold? = nil) {
    self.hold = hold
    self.content = content
    self.fault = fault
    self.came = came
  }
}
