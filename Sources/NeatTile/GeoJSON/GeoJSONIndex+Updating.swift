import NeatBase

/// The part of the world that a change of a document touches.
package struct GeoJSONRegion: Sendable {
  /// Boxes of features in the unit square, copies beside it included: least and most x and y.
  private var boxes: [SIMD4<Double>] = []
  /// What geometry reaches past the edges of its tile, in tiles.
  private let buffer: Double
  /// Boxes kept apart; beyond, they are joined.
  private static let limit = 512

  init(buffer: Double) { self.buffer = buffer }

  mutating func add(_ feature: CutFeature) {
    let box = SIMD4(feature.minX, feature.minY, feature.maxX, feature.maxY)
    guard boxes.count >= GeoJSONRegion.limit, let last = boxes.popLast() else { return boxes.append(box) }
    boxes.append(SIMD4(min(last.x, box.x), min(last.y, box.y), max(last.z, box.z), max(last.w, box.w)))
  }

  /// Whether the tile, with its buffer, has to do with it.
  package func touches(_ id: TileID) -> Bool {
    let scale = Double(UInt64(1) << UInt64(id.z))
    // A hair wider than the cut, which computes its edges in another order.
    let reach = buffer + 1e-9
    let west = (Double(id.x) - reach) / scale, east = (Double(id.x) + 1 + reach) / scale
    let north = (Double(id.y) - reach) / scale, south = (Double(id.y) + 1 + reach) / scale
    return boxes.contains { !($0.x > east || $0.z < west || $0.y > south || $0.w < north) }
  }
}

extension GeoJSONIndex {
  /// The index of a changed document, in which only the rows given are not what they were. Squares that the
  /// change does not touch stay cut.
  package func updating(_ data: GeoJSONData, changed: [Int], include: ((Int) -> Bool)? = nil) -> (
    index: GeoJSONIndex, region: GeoJSONRegion
  ) {
    let root = TileID.world
    let old = cells.withLock { $0 }
    let world = old.lists[root].flatMap { $0 }
    let fresh = CutClip.wrap(CutConvert.features(data, rows: changed, options, include: include), options)
    let rows = Set(changed.map { UInt32($0) })
    var region = GeoJSONRegion(buffer: options.buffer / Double(options.extent))
    for index in 0..<fresh.count { region.add(fresh.features[index]) }
    var merged: [CutFeature] = []
    merged.reserveCapacity((world?.count ?? 0) + fresh.count)
    // Copies from the west, the world, copies from the east; each in the order of rows.
    for worlds: Int8 in [1, 0, -1] {
      var next = 0
      func take(before row: UInt32) {
        while next < fresh.count, fresh.features[next].shift != worlds || fresh.features[next].source < row {
          if fresh.features[next].shift == worlds { merged.append(fresh.features[next]) }
          next += 1
        }
      }
      for index in 0..<(world?.count ?? 0) {
        let feature = world!.features[index]
        guard feature.shift == worlds else { continue }
        if rows.contains(feature.source) {
          region.add(feature)
        } else {
          take(before: feature.source)
          merged.append(feature)
        }
      }
      take(before: .max)
    }
    var column = GrowingBuffer<CutFeature>(capacity: max(1, merged.count))
    for feature in merged { column.append(feature) }
    let all = merged.isEmpty ? nil : CutList(column, stores: (world?.stores ?? []) + fresh.stores)
    var kept = Cells(lists: old.lists.filter { $0.key != root && !region.touches($0.key) }, cuts: old.cuts)
    kept.lists.updateValue(all, forKey: root)
    return (GeoJSONIndex(data, options, kept), region)
  }

  /// How many changes the world is made of, at most: with each, geometry that went stays in memory until the
  /// document is projected anew.
  package var layerCount: Int { cells.withLock { $0.lists[TileID.world]??.stores.count ?? 0 } }
}
