import NeatBase
import NeatCamera
import NeatJSON
import NeatStyle
import NeatTile

// Sources whose tiles an application gives as GeoJSON. They are needed, awaited, cut deeper and dropped as the vector
// tiles of a server are; a tile's GeoJSON is read and cut on a worker.

extension SourceSpec.CustomSource {
  /// Bytes that the GeoJSON of one tile may have.
  package static let byteLimit = 64 << 20
  /// Units along a tile's edge that options may count in.
  static let tileSizes = 1.0...8192.0

  static let names = ["minZoom", "maxZoom", "tileSize", "buffer", "tolerance", "wrap", "clip"]

  /// Reads `{"minZoom", "maxZoom", "tileSize", "buffer", "tolerance", "wrap", "clip"}`, all members optional. Throws
  /// `invalidArgument` for other members and for values out of their range.
  package init(_ json: JSON) throws(NeatError) {
    self.init()
    let what = "options of custom geometry sources"
    guard json.isObject else {
      throw NeatError(.invalidArgument, "\(what) are an object", offset: json.offset)
    }
    try json.refuseMembers(besides: Self.names, of: what)
    for (name, value) in json.members where !value.isNull {
      switch name {
      case "minZoom": minZoom = try Self.zoom(name, value)
      case "maxZoom": maxZoom = try Self.zoom(name, value)
      case "tileSize": tileSize = try Self.number(name, value, Self.tileSizes)
      case "buffer": buffer = try Self.number(name, value, 0...8192)
      case "tolerance": tolerance = try Self.number(name, value, 0...8192)
      case "wrap": isWrapped = try Self.bool(name, value)
      default: isClipped = try Self.bool(name, value)
      }
    }
    guard minZoom <= maxZoom else {
      throw NeatError(.invalidArgument, "minZoom \(minZoom) is above maxZoom \(maxZoom)", offset: json.offset)
    }
    guard buffer <= tileSize else {
      throw NeatError(
        .invalidArgument, "buffer \(formatNumber(buffer)) is wider than a tile of \(formatNumber(tileSize))",
        offset: json.offset)
    }
  }

  private static func number(_ name: String, _ json: JSON, _ range: ClosedRange<Double>) throws(NeatError)
    -> Double
  {
    guard let number = json.number, range.contains(number) else {
      throw NeatError(
        .invalidArgument,
        "\(name) is no number within \(formatNumber(range.lowerBound)) to \(formatNumber(range.upperBound))",
        offset: json.offset)
    }
    return number
  }

  private static func zoom(_ name: String, _ json: JSON) throws(NeatError) -> UInt8 {
    guard let number = json.number, number.rounded() == number,
      (0...Double(StyleZoom.maximum)).contains(number)
    else {
      throw NeatError(
        .invalidArgument, "\(name) is no whole number within 0 to \(StyleZoom.maximum)", offset: json.offset)
    }
    return UInt8(saturating: number)
  }

  private static func bool(_ name: String, _ json: JSON) throws(NeatError) -> Bool {
    guard let value = json.bool else {
      throw NeatError(.invalidArgument, "\(name) is neither true nor false", offset: json.offset)
    }
    return value
  }

  /// Whether tiles of that zoom are asked for.
  package func has(_ tile: TileID) -> Bool { tile.isValid && (minZoom...maxZoom).contains(tile.z) }

  /// How a tile is cut. At its deepest zoom a document would keep every point: here each tile is one of its own.
  private func cutting(_ tile: TileID) -> GeoJSONTileOptions {
    var options = GeoJSONTileOptions.source(maxZoom: min(Int(tile.z) + 1, StyleZoom.maximum))
    let unit = TileUnits.extent / tileSize
    // Past its neighbours nothing of a tile is ever looked at.
    options.buffer = isClipped ? buffer * unit : TileUnits.extent
    options.tolerance = tolerance * unit
    options.wraps = isWrapped
    return options
  }

  /// What a tile's GeoJSON becomes.
  /// - Parameter memory: what reading takes its memory from.
  func content(_ bytes: [UInt8], _ tile: TileID, unpackedLimit: Int, memory: MemoryBudget? = nil)
    throws(NeatError) -> TileContent
  {
    guard !bytes.isEmpty else { return .empty }
    var limits = GeoJSONLimits()
    limits.memory = memory
    limits.maxUnpackedBytes = unpackedLimit
    let data = try GeoJSONData(parsing: bytes, limits: limits)
    try ProcessMemory.require(
      400 * data.featureCount + 64 * data.pointCount, for: "drawing \(data.featureCount) features")
    let layer = try GeoJSONIndex(data, options: cutting(tile)).tile(tile)
    return layer.map { .vector(VectorTile(layers: [$0])) } ?? .empty
  }
}

/// What an application says to be other data now.
package enum CustomInvalidation: Sendable {
  case tile(TileID)
  /// West, south, east, north in degrees; east may be past 180 where it is past the antimeridian.
  case region(west: Double, south: Double, east: Double, north: Double)

  /// Throws `invalidArgument` for what is no region.
  package func checked() throws(NeatError) -> CustomInvalidation {
    guard case .region(let west, let south, let east, let north) = self else { return self }
    guard abs(west) <= 540, abs(east) <= 540, abs(south) <= 90, abs(north) <= 90, west <= east, south <= north
    else {
      throw NeatError(
        .invalidArgument,
        "\(formatNumber(west)), \(formatNumber(south)) to \(formatNumber(east)), \(formatNumber(north)) is no region of degrees"
      )
    }
    return self
  }

  /// Which tiles of a source that is; a tile reaches as far as its buffer.
  package func tiles(of source: SourceSpec.CustomSource) -> @Sendable (TileID) -> Bool {
    switch self {
    case .tile(let tile): return { $0 == tile }
    case .region(let west, let south, let east, let north):
      func place(_ lon: Double, _ lat: Double) -> SIMD2<Double> {
        Mercator.project(LonLat(lon, min(max(lat, -Mercator.maxLatitude), Mercator.maxLatitude)))
      }
      let (low, high) = (place(west, north), place(east, south))
      let reach = source.isClipped ? source.buffer / source.tileSize : 0
      return { tile in
        let edge = 1 / Double(UInt64(1) << UInt64(tile.z))
        let margin = reach * edge
        let (x, y) = (Double(tile.x) * edge, Double(tile.y) * edge)
        guard y - margin <= high.y, y + edge + margin >= low.y else { return false }
        // The same tile of the worlds beside.
        return [-1.0, 0, 1].contains { world in
          x + world - margin <= high.x && x + world + edge + margin >= low.x
        }
      }
    }
  }
}

extension MapCore {
  /// Takes in a tile of an application's, in place of the one that is there.
  func takeCustom(_ need: Need, _ tile: TileID, _ bytes: [UInt8], _ custom: SourceSpec.CustomSource)
    throws(NeatError)
  {
    let content = try custom.content(
      bytes, tile, unpackedLimit: options.unpackedLimitBytes, memory: options.memory)
    let hold = try content.hold(options.memory, "a tile of \(bytes.count) bytes")
    answer(need) { state in
      guard let id = need.source else { return }
      state.sources[id]?.store(content, for: tile, use: state.clock.now, hold: hold)
      state.renewCustom(tile, source: id, options.cacheBytes)
    }
  }

  /// What a tile of an application's is for; nil where there is no such source.
  package func customNeed(_ source: String, _ tile: TileID) -> Need? {
    let need = state.withLock { state -> Need? in
      guard let source = state.sources[source], source.spec.custom != nil,
        let request = source.request(tile, pixelRatio: options.pixelRatio)
      else { return nil }
      return Need(.tile(source: source.id, tile), request, owner: source.number)
    }
    // As views ask for it: what comes of one tile is taken in one row.
    return need.flatMap { permitted([$0]).first }
  }

  /// Has tiles of an application's asked for anew; what is there of them is shown until then.
  package func invalidateCustom(_ source: String, _ isMeant: (TileID) -> Bool) {
    state.withLock { state in
      state.sources[source]?.makeStale(isMeant)
    }
  }
}

extension MapCore.State {
  /// A tile of an application's is another one: what was made of it goes. Tiles that no view asked for make room too.
  mutating func renewCustom(_ tile: TileID, source: String, _ cacheBytes: Int) {
    sources[source]?.settleStale(tile)
    dropWhatIsMade(of: tile, source: source)
    sources[source]?.tiles.trim(to: cacheBytes, keeping: clock.oldestInUse)
  }
}
