// A batch of features cut into all its tiles at once: the quadtree is walked from the top, a square before its
// quarters. Each square is cut once, from the one above; only the squares on the way down are in memory. What
// a square holds of a feature depends on that feature alone, so that it does not matter which batch it is in.
import NeatBase

/// Cuts features of one layer into records.
package struct TileCutter: Sendable {
  package let options: TilerOptions
  package let layer: Int
  /// Of the input, in whose order the features of a tile stand.
  package let part: Int
  /// The squares that features may lie in.
  package var squareLimit: UInt64 = 1 << 24
  /// Bytes of records that are held before they are handed on.
  package var runBytes = 32 << 20
  /// Asked now and then; true ends the cut with `cancelled`.
  package var isCancelled: @Sendable () -> Bool = { false }

  package init(_ options: TilerOptions, layer: Int, part: Int) {
    self.options = options
    self.layer = layer
    self.part = part
  }

  /// Cuts a batch. `first`: the number, in its part, of the first feature. `keys`: the job's numbers of the
  /// batch's keys (`keyNames`), nil for those left out. `shows`: a bit for each zoom that a feature is on; nil:
  /// all are on all. `emit` is given the records, now and then. Throws `limitExceeded`, and what `emit` throws.
  package func cut(
    _ data: GeoJSONData, first: Int, keys: [UInt32?], shows: [UInt32]?,
    emit: (RecordRun) throws(NeatError) -> Void
  ) throws(NeatError) {
    assert(keys.count == keyNames(data).count, "a key without its number")
    guard data.featureCount > 0 else { return }
    guard first + data.featureCount <= TileRecordKey.maxFeatures else {
      throw NeatError(.limitExceeded, "more than \(TileRecordKey.maxFeatures) features in one input")
    }
    var cutOptions = options.cutOptions
    cutOptions.generateId = false
    let index = try GeoJSONIndex(
      data, options: cutOptions, include: shows.map { masks in { masks[$0] != 0 } })
    guard let world = index.features(TileID.world) else { return }
    var measures: [FeatureMeasure] = []
    if options.keepsMeasures || options.dropRate > 1 { measures = FeatureMeasure.all(of: data, world) }
    var walk = Walk(
      cutter: self, index: index, measures: measures, shows: shows, keys: keys, first: first)
    try walk.visit(world, TileID.world, emit)
    try walk.finish(emit)
  }

  /// The keys that records of a batch may have.
  package func keyNames(_ data: GeoJSONData) -> [String] {
    options.cut.lineMetrics ? data.keys + ["mapbox_clip_start", "mapbox_clip_end"] : data.keys
  }

  private struct Walk: ~Copyable {
    let cutter: TileCutter
    let index: GeoJSONIndex
    let measures: [FeatureMeasure]
    let shows: [UInt32]?
    let keys: [UInt32?]
    let first: Int
    var squares: UInt64 = 0
    var writer = TileRecordWriter()
    var run = RecordRunBuilder()

    init(
      cutter: TileCutter, index: GeoJSONIndex, measures: [FeatureMeasure], shows: [UInt32]?, keys: [UInt32?],
      first: Int
    ) {
      self.cutter = cutter
      self.index = index
      self.measures = measures
      self.shows = shows
      self.keys = keys
      self.first = first
    }

    mutating func visit(_ list: CutList, _ square: TileID, _ emit: (RecordRun) throws(NeatError) -> Void)
      throws(NeatError)
    {
      let zooms = cutter.options.zooms
      if zooms.contains(square.z) {
        squares += 1
        if squares & 0xfff == 0, cutter.isCancelled() { throw NeatError(.cancelled, "stopped") }
        guard squares <= cutter.squareLimit else {
          throw NeatError(
            .limitExceeded,
            "features lie in more than \(cutter.squareLimit) tiles: fewer zooms, or a higher limit of tiles"
          )
        }
        try write(list, square)
        if run.byteCount > cutter.runBytes { try finish(emit) }
      }
      guard square.z < zooms.upperBound else { return }
      for child in PMTiles.children(of: square) {
        if let part = index.cut(list, square, child) { try visit(part, child, emit) }
      }
    }

    mutating func finish(_ emit: (RecordRun) throws(NeatError) -> Void) throws(NeatError) {
      let whole = exchangeRun()
      if !whole.isEmpty { try emit(RecordRun(whole)) }
    }

    private mutating func exchangeRun() -> RecordRunBuilder {
      var other = RecordRunBuilder()
      swap(&other, &run)
      return other
    }

    private mutating func write(_ list: CutList, _ square: TileID) throws(NeatError) {
      let options = cutter.options
      let share = options.dropRate > 1 ? options.pointShare(square.z) : 1
      var builder = CutTileBuilder(index.data, index.options, square)
      for feature in 0..<list.count {
        let feature = list.features[feature]
        if let shows, shows[Int(feature.source)] & 1 << UInt32(square.z) == 0 { continue }
        if share < 1, feature.type == .point || feature.type == .multiPoint,
          measures[Int(feature.source)].chance >= share
        {
          continue
        }
        builder.add(feature)
      }
      let sources = builder.sources
      guard let layer = builder.build() else { return }
      let tile = PMTiles.tileNumber(z: square.z, x: square.x, y: square.y)
      for feature in 0..<layer.featureCount {
        let source = Int(sources[feature])
        let id = options.cut.generateId ? UInt64(first + source) : layer.id(feature)
        let measure = options.keepsMeasures ? measures[source] : nil
        guard let body = writer.write(layer, feature, id: id, measure, keys: keys) else { continue }
        guard body.count <= RecordRun.maxBodyBytes else {
          throw NeatError(
            .limitExceeded,
            "feature \(first + source) takes \(body.count) bytes in tile \(square), the limit is \(RecordRun.maxBodyBytes)"
          )
        }
        let order = TileRecordKey.order(layer: cutter.layer, part: cutter.part, feature: first + source)
        run.add(TileRecordKey(tile: tile, order: order), body)
      }
    }
  }
}

extension FeatureMeasure {
  /// Of all features of a document that take part.
  static func all(of data: GeoJSONData, _ world: CutList) -> [FeatureMeasure] {
    var sizes = [Double](repeating: 0, count: data.featureCount)
    for index in 0..<world.count {
      let feature = world.features[index]
      guard feature.shift == 0, feature.type != .point, feature.type != .multiPoint else { continue }
      for part in 0..<Int(feature.partCount) { sizes[Int(feature.source)] += feature.parts[part].size }
    }
    return (0..<data.featureCount).map { feature in
      let place = place(of: feature, data)
      let size = Float(sizes[feature])
      var hash = mixed(place, UInt64(size.bitPattern))
      hash = mixed(hash, data.ids[feature])
      for tag in Int(data.tagStarts[feature])..<Int(data.tagStarts[feature + 1]) {
        hash = mixed(hash, data.tagValues[tag])
      }
      return FeatureMeasure(place: place, size: size, hash: UInt32(truncatingIfNeeded: hash >> 32))
    }
  }

  private static func place(of feature: Int, _ data: GeoJSONData) -> UInt64 {
    let geometry = Int(data.geometryStarts[feature])
    guard geometry < Int(data.geometryStarts[feature + 1]) else { return 0 }
    let part = Int(data.partStarts[geometry])
    guard part < Int(data.partStarts[geometry + 1]) else { return 0 }
    let first = Int(data.pointStarts[part])
    guard first < Int(data.pointStarts[part + 1]) else { return 0 }
    let point = data.points[first]
    func unit(_ value: Double) -> UInt32 { UInt32(saturating: min(max(value, 0) * 0x1p30, 0x1p30 - 1)) }
    return PMTiles.tileNumber(z: 30, x: unit(CutConvert.x(point.x)), y: unit(CutConvert.y(point.y)))
      - PMTiles.firstNumber(30)
  }

  /// The mixer of SplitMix64 over both.
  private static func mixed(_ a: UInt64, _ b: UInt64) -> UInt64 {
    var hash = (a ^ (b &+ 0x9e37_79b9_7f4a_7c15)) &* 0xbf58_476d_1ce4_e5b9
    hash = (hash ^ hash &>> 27) &* 0x94d0_49bb_1331_11eb
    return hash ^ hash &>> 31
  }

  private static func mixed(_ hash: UInt64, _ value: TileValue) -> UInt64 {
    guard value.kind == .string || value.kind == .json else {
      return mixed(mixed(hash, UInt64(value.rawKind)), value.bits)
    }
    var hash = mixed(hash, UInt64(value.length))
    for byte in value.bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    return mixed(hash, 0)
  }
}
