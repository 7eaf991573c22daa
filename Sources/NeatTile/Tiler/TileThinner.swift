// Tiles past their limits are made smaller by one threshold, of which a higher value keeps fewer features: the
// least distance along the Hilbert curve, the least size, or the least chance. What a tile needs is found by
// trying: encode, compare, take the quantile that the excess asks for. A whole zoom then has the highest
// threshold of its tiles, so that no feature ends at the edge of a tile.
import NeatBase

/// What became of a tile.
package struct TileOutcome: Sendable {
  /// Packed; nil where nothing is left.
  package var bytes: [UInt8]?
  package var features = 0
  package var dropped = 0
  package var coalesced = 0
  /// Whether it is past a limit all the same.
  package var isOversized = false
}

/// Makes tiles of records. One thread at a time.
package struct TileMaker: ~Copyable {
  private let options: TilerOptions
  private var encoder: TileEncoder
  private let packer: GzipPacker
  private let keyBytes: Int

  /// Throws `outOfMemory`.
  package init(_ options: TilerOptions, layerNames: [String], keyNames: [String]) throws(NeatError) {
    self.options = options
    encoder = TileEncoder(
      layerNames: layerNames, keyNames: keyNames, extent: UInt32(options.cut.extent))
    packer = try GzipPacker(level: 6)
    keyBytes = keyNames.reduce(0) { $0 + $1.utf8.count }
  }

  /// Encodes and packs a tile. `threshold`: of its zoom; the tile gets a higher one where it needs it.
  package mutating func make(_ batch: TileBatch, _ tile: Int, threshold: Double = 0) throws(NeatError)
    -> TileOutcome
  {
    try search(batch, tile, threshold).outcome
  }

  /// The threshold that a tile needs to stay below the limits; 0 for one that does as it is.
  package mutating func requiredThreshold(_ batch: TileBatch, _ tile: Int) throws(NeatError) -> Double {
    let records = batch.records(tile)
    // An encoded tile is not larger than its records and the names of their keys.
    let bytes = records.reduce(keyBytes) { $0 + $1.count }
    guard records.count > options.limits.features || bytes > options.limits.bytes / 2 else { return 0 }
    // One that cannot be mended is no reason to thin the others.
    let (outcome, threshold) = try search(batch, tile, 0)
    return outcome.isOversized ? 0 : threshold
  }

  private mutating func search(_ batch: TileBatch, _ tile: Int, _ start: Double) throws(NeatError) -> (
    outcome: TileOutcome, threshold: Double
  ) {
    guard let thinning = options.thinning else { return (try draft(batch, tile, nil), 0) }
    let plan = try ThinningPlan(batch, tile, thinning)
    var threshold = start
    // What is left is never quite in proportion to the features that are: where a step was too short, the next
    // one is longer.
    var stride = 1.0
    for _ in 0..<64 {
      let fates = plan.fates(threshold)
      let outcome = try draft(batch, tile, fates)
      guard outcome.isOversized else { return (outcome, threshold) }
      let excess = max(
        Double(outcome.features) / Double(options.limits.features),
        Double(outcome.bytes?.count ?? 0) / Double(options.limits.bytes))
      guard let next = plan.next(after: threshold, fates, share: pow(0.95 / excess, stride)) else {
        return (outcome, threshold)
      }
      threshold = next
      stride *= 1.5
    }
    return (try draft(batch, tile, plan.fates(threshold)), threshold)
  }

  private mutating func draft(_ batch: TileBatch, _ tile: Int, _ fates: [RecordFate]?) throws(NeatError)
    -> TileOutcome
  {
    var outcome = TileOutcome()
    let bytes = try encoder.encode(batch, tile, fates)
    if !bytes.isEmpty { outcome.bytes = packer.pack(bytes) }
    outcome.features = batch.records(tile).count
    for fate in fates ?? [] {
      switch fate {
      case .kept: break
      case .dropped: outcome.dropped += 1
      case .joins: outcome.coalesced += 1
      }
    }
    outcome.features -= outcome.dropped + outcome.coalesced
    outcome.isOversized =
      outcome.features > options.limits.features || (outcome.bytes?.count ?? 0) > options.limits.bytes
    return outcome
  }
}

/// Which features of a tile stay, by a threshold.
struct ThinningPlan {
  private struct Item {
    var record: Int
    var layer: Int
    var type: UInt8
    var measure: FeatureMeasure
  }

  private let thinning: TileThinning
  /// Along the curve, layer by layer.
  private var items: [Item] = []
  private let count: Int

  /// Throws `archive` for damaged records, and for those that were made without measures.
  init(_ batch: TileBatch, _ tile: Int, _ thinning: TileThinning) throws(NeatError) {
    self.thinning = thinning
    let records = batch.records(tile)
    count = records.count
    items.reserveCapacity(count)
    for index in 0..<count {
      guard let body = TileRecordBody(batch.body(records[index])), let measure = body.measure else {
        throw NeatError(.archive, "a record of the tiler's runs says not where its feature is")
      }
      items.append(Item(record: index, layer: records[index].key.layer, type: body.type, measure: measure))
    }
    items.sort {
      ($0.layer, $0.measure.place, $0.measure.hash, $0.record)
        < ($1.layer, $1.measure.place, $1.measure.hash, $1.record)
    }
  }

  /// The first feature of a layer stays where nothing came before it to join.
  func fates(_ threshold: Double) -> [RecordFate] {
    var fates = [RecordFate](repeating: .kept, count: count)
    guard threshold > 0 else { return fates }
    walk(threshold) { item, last, stays in
      if stays { return }
      fates[item.record] = thinning.coalesces ? last.map { .joins($0) } ?? .kept : .dropped
    }
    return fates
  }

  /// Goes along the curve: each feature, the kept one of its layer and type before it, and whether it stays.
  private func walk(_ threshold: Double, _ visit: (Item, Int?, Bool) -> Void) {
    var layer = -1
    var lastPlace: UInt64?
    var lastOfType: [Int?] = [nil, nil, nil, nil]
    for item in items {
      if item.layer != layer {
        layer = item.layer
        lastPlace = nil
        lastOfType = [nil, nil, nil, nil]
      }
      let type = Int(item.type)
      let last = lastOfType[type]
      let stays =
        switch thinning.choice {
        case .fraction: item.measure.chance >= threshold
        case .smallest: item.measure.rank >= threshold
        case .densest: lastPlace.map { Double(item.measure.place - $0) >= threshold } ?? true
        }
      visit(item, last, stays)
      if stays || thinning.coalesces && last == nil {
        lastOfType[type] = item.record
        lastPlace = item.measure.place
      }
    }
  }

  /// A higher threshold that leaves about a share of the features that are left; nil where none leaves fewer.
  func next(after threshold: Double, _ fates: [RecordFate], share: Double) -> Double? {
    var values: [Double] = []
    var previous: (layer: Int, place: UInt64)?
    for item in items where fates[item.record] == .kept {
      switch thinning.choice {
      case .fraction: values.append(item.measure.chance)
      case .smallest: values.append(item.measure.rank)
      case .densest:
        if let previous, previous.layer == item.layer {
          values.append(Double(item.measure.place - previous.place))
        }
        previous = (item.layer, item.measure.place)
      }
    }
    values = values.filter { $0 >= threshold }
    guard values.count > 0 else { return nil }
    values.sort()
    let gone = values.count - Int(saturating: (Double(values.count) * share).rounded(.down))
    // The next larger value at least, so that something goes; past the last, all.
    let wanted = values[min(max(gone, 1), values.count - 1)]
    if wanted > threshold, wanted > values[0] { return wanted }
    if let larger = values.first(where: { $0 > max(wanted, threshold) }) { return larger }
    // The largest stays, whatever it takes; where nothing is lost, all may become one.
    let all = values[values.count - 1].nextUp
    return thinning.coalesces && all > threshold ? all : nil
  }
}
