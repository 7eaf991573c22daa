import NeatBase
import NeatJSON
import NeatStyle
import NeatTile

/// The data of a GeoJSON source, cut into tiles or clustered on demand.
package final class GeoJSONTiles: Sendable {
  private enum Kind {
    case index(GeoJSONIndex)
    case clusters(ClusterIndex)
  }

  private let kind: Kind
  private let data: GeoJSONData
  /// The features by id, once something was changed by them.
  private let table: GeoJSONTable?
  /// The zoom past which tiles are only magnified.
  package let maxZoom: UInt8
  /// What the expressions of its filter and its clusters may take.
  private let work: ExpressionWork
  /// The properties of clusters that went past a budget, in words, each once.
  package let overruns: [String]
  /// What the data and their index hold of a budget; changes of the data share it.
  private let holds: [MemoryHold]

  /// Reads and indexes GeoJSON as the source's options ask.
  /// - Parameters:
  ///   - unpackedLimit: bytes that packed text may unpack to; nil: as many as are read at all.
  ///   - work: what the expressions of its filter and its clusters may take.
  ///   - memory: what the data and their index are taken from; nil: they are not counted.
  package convenience init(
    bytes: [UInt8], source: SourceSpec.GeoJSONSource, unpackedLimit: Int? = nil,
    work: ExpressionWork = ExpressionWork(), memory: MemoryBudget? = nil
  ) throws(NeatError) {
    var limits = GeoJSONLimits()
    limits.memory = memory
    if let unpackedLimit { limits.maxUnpackedBytes = unpackedLimit }
    let data = try GeoJSONData(parsing: bytes, limits: limits)
    let hold = try memory?.take(
      GeoJSONTiles.byteCount(data), for: "GeoJSON of \(data.featureCount) features")
    try self.init(data, nil, source, work, hold.map { [$0] } ?? [])
    // A tile of a low zoom can hold all of it, and be laid out for several layers.
    try ProcessMemory.require(
      400 * data.featureCount + 64 * data.pointCount, for: "drawing \(data.featureCount) features")
  }

  /// Bytes that data and their index take, about: points with their places in the index, features with their boxes,
  /// tags.
  private static func byteCount(_ data: GeoJSONData) -> Int {
    40 * data.pointCount + 8 * data.partCount + 96 * data.featureCount + 24 * data.tagCount
  }

  private init(
    _ data: GeoJSONData, _ table: GeoJSONTable?, _ source: SourceSpec.GeoJSONSource, _ work: ExpressionWork,
    _ holds: [MemoryHold]
  ) throws(NeatError) {
    self.data = data
    self.work = work
    self.holds = holds
    self.table = table
    let include = try GeoJSONTiles.filter(source.filter, data, work)
    let maxZoom = GeoJSONTiles.cuttable(source.maxZoom)
    self.maxZoom = UInt8(maxZoom)
    if source.isClustered {
      let overruns = ClusterOverruns()
      kind = .clusters(
        try GeoJSONTiles.clusters(data, source, maxZoom: maxZoom, include: include, work, overruns))
      self.overruns = overruns.messages
    } else {
      kind = .index(try GeoJSONIndex(data, options: GeoJSONTiles.options(source), include: include))
      overruns = []
    }
    // A filter that was not asked to the end would leave out what it is to show.
    if let ledger = work.ledger, let end = ledger.end { throw ledger.error(end) }
  }

  private init(
    _ index: GeoJSONIndex, _ table: GeoJSONTable, maxZoom: UInt8, _ work: ExpressionWork,
    _ holds: [MemoryHold]
  ) {
    self.work = work
    self.holds = holds
    overruns = []
    kind = .index(index)
    data = table.data
    self.table = table
    self.maxZoom = maxZoom
  }

  /// The nearest zoom that GeoJSON is cut to.
  static func cuttable(_ zoom: Double) -> Int { min(max(Int(bounded: zoom), 0), StyleZoom.maximum) }

  private static func options(_ source: SourceSpec.GeoJSONSource) -> GeoJSONTileOptions {
    var options = GeoJSONTileOptions.source(
      maxZoom: cuttable(source.maxZoom), buffer: source.buffer, tolerance: source.tolerance)
    options.lineMetrics = source.hasLineMetrics
    options.generateId = source.generatesIDs
    options.promoteId = promoted(source)
    return options
  }

  private static func promoted(_ source: SourceSpec.GeoJSONSource) -> String? {
    if case .property(let name)? = source.promoteID { return name }
    return nil
  }

  /// Tiles that a change made stale.
  package enum Touched: Sendable {
    case all
    case region(GeoJSONRegion)

    package func contains(_ id: TileID) -> Bool {
      switch self {
      case .all: true
      case .region(let region): region.touches(id)
      }
    }
  }

  /// Changes that add up before the document is projected anew, which lets go of the geometry that they
  /// replaced.
  package static let layerLimit = 128

  /// The data after a change by the ids of features, and what tiles it touches. Clusters are made anew.
  /// - Parameter memory: what the data that come to it are taken from; nil: they are not counted.
  package func updating(
    _ diff: GeoJSONDiff, source: SourceSpec.GeoJSONSource, memory: MemoryBudget? = nil
  ) throws(NeatError) -> (tiles: GeoJSONTiles, touched: Touched) {
    let before =
      if let table { table } else { try GeoJSONTable(data, promoted: GeoJSONTiles.promoted(source)) }
    let again = ExpressionWork(work.evaluation, work.ledger?.again())
    var (table, changed) = try before.applying(diff)
    let isSparse = table.gone.count > table.featureCount + 1000
    guard case .index(let index) = kind, !isSparse, index.layerCount < GeoJSONTiles.layerLimit else {
      table = try table.compacted()
      let hold = try memory?.take(
        GeoJSONTiles.byteCount(table.data), for: "GeoJSON of \(table.data.featureCount) features")
      return (try GeoJSONTiles(table.data, table, source, again, hold.map { [$0] } ?? []), .all)
    }
    let include = try GeoJSONTiles.filter(source.filter, table.data, again)
    let gone = table.gone
    let (updated, region) = index.updating(table.data, changed: changed) {
      !gone.contains($0) && include?($0) ?? true
    }
    // What went is not given back before the document is projected anew.
    let more = GeoJSONTiles.byteCount(table.data) - GeoJSONTiles.byteCount(data)
    let hold = more > 0 ? try memory?.take(more, for: "a change of GeoJSON") : nil
    return (
      GeoJSONTiles(updated, table, maxZoom: maxZoom, again, holds + (hold.map { [$0] } ?? [])),
      .region(region)
    )
  }

  /// The clusters of a source that has some.
  package var clusters: ClusterIndex? { if case .clusters(let index) = kind { index } else { nil } }

  /// Squares that were cut so far; 0 for clusters.
  package var cutCount: Int {
    if case .index(let index) = kind { index.cutCount } else { 0 }
  }

  /// Forgets the squares that were cut; they are cut again when a tile is asked for.
  package func dropCuts() {
    if case .index(let index) = kind { index.dropCuts() }
  }

  /// The tile, or nil where it is empty.
  package func tile(_ id: TileID) -> VectorTile? {
    let layer =
      switch kind {
      case .index(let index): index.tile(id)
      case .clusters(let clusters): clusters.tile(id)
      }
    return layer.map { VectorTile(layers: [$0]) }
  }

  private static func filter(_ json: JSON?, _ data: GeoJSONData, _ work: ExpressionWork) throws(NeatError)
    -> ((Int) -> Bool)?
  {
    guard let json, !json.isNull else { return nil }
    let filter = try CompiledFilter.compile(json).mapError {
      NeatError(.expression, "the source's filter: \($0.neatError.message)")
    }.get()
    let place = EvaluationPoint.layer(data.propertiesLayer(), zoom: 0)
    let evaluator = work.evaluator()
    return { feature in
      _ = evaluator.mayContinue()
      return filter.matches(evaluator, at: place.feature(feature))
    }
  }
}
