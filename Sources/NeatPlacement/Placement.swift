// Which symbols stand in a frame. Layers come from the top of the style downwards, within a layer tile by
// tile and label by label (or by symbol-sort-key across tiles): who comes first stands. After MapLibre's
// Placement, without its fading between frames: a state says for each label whether text and icon stand, and
// which variable anchor was taken. Who fades gives the labels' ids (`CrossTileIndex`), and keeps a `LabelRecord`
// for each.
import NeatBase

/// A layer's layout properties that decide placement, with `auto` alignments resolved.
package struct SymbolPlacementSettings: Sendable {
  package var textOptional = false
  package var iconOptional = false
  package var textOverlap = OverlapMode.never
  package var iconOverlap = OverlapMode.never
  package var textIgnorePlacement = false
  package var iconIgnorePlacement = false
  package var textRotateWithMap = false
  package var textPitchWithMap = false
  package var hasIconTextFit = false
  /// `symbol-z-order: viewport-y`: labels nearer to the viewer are placed first.
  package var placesByViewportY = false
  /// `symbol-sort-key` counts across tiles.
  package var sortsAcrossTiles = false
  /// CSS pixels, for labels along lines.
  package var textPadding = 2.0
  package var textTranslate = SIMD2<Double>.zero
  package var textTranslateViewport = false
  package var iconTranslate = SIMD2<Double>.zero
  package var iconTranslateViewport = false
  /// `text-writing-mode` of point labels, in order of preference; empty where it is not set.
  package var writingModes: [WritingMode] = []

  package init() {}

  package var allowsVertical: Bool { writingModes.contains(.vertical) }
}

/// The symbols of one tile for one layer, to be placed.
package struct PlacementBucket: Sendable {
  package var geometry: SymbolGeometry
  package var tile: PlacementTile
  package var textSize: FrameSize
  /// Comes back in query answers.
  package var bucketID: UInt32
  /// The source's number, for maps whose sources do not collide with each other.
  package var group: UInt16
  /// Of each instance in the map that is drawn, equal for the copies of a label in several tiles; empty where
  /// each is on its own.
  package var ids: [UInt32]
  /// What a symbol's glyphs and icon cover; nil where nobody asks for it.
  package var ink: (@Sendable (SymbolInstance) -> LabelInk)?
  /// The squares, in tile units, for which the tile stands in; nil for the tile's own.
  package var standsIn: [CollisionRect]?

  package init(
    geometry: SymbolGeometry, tile: PlacementTile, textSize: FrameSize, bucketID: UInt32 = 0,
    group: UInt16 = 0, ids: [UInt32] = []
  ) {
    assert(ids.isEmpty || ids.count == geometry.instances.count, "an id for each symbol")
    self.geometry = geometry
    self.ids = ids
    self.tile = tile
    self.textSize = textSize
    self.bucketID = bucketID
    self.group = group
  }
}

/// What became of a symbol instance.
package struct SymbolState: Sendable, Equatable {
  package var text = false
  package var icon = false
  /// The text stands in its vertical version.
  package var isVertical = false
  /// Stands out of sight: a caller that fades shows it at once when it comes in.
  package var skipFade = false
  /// Another tile's copy of the label was placed.
  package var isCopy = false
  /// The index in `SymbolGeometry.anchorOffsets` that was taken, or -1.
  package var anchorOffset: Int32 = -1

  package init() {}
}

package final class Placement {
  package let view: PlacementView
  package let crossSourceCollisions: Bool
  /// What became of labels before, by id: the anchors of those that stood are tried first, so that they stay
  /// where they are.
  let records: [LabelRecord]
  /// Ids of which a copy was placed.
  @exclusivity(unchecked) private var placed: [Bool]
  @exclusivity(unchecked) var index: CollisionIndex
  /// What was looked at, in the order of placement; nil where nobody asks for it.
  package internal(set) var shapes: [CollisionShape]?

  /// `idLimit`: one more than the highest id of a label.
  /// - Parameter snaps: whether boxes lie on a fine grid of the screen, so that they are the same in views that are
  ///   whole pixels apart.
  package init(
    view: PlacementView, crossSourceCollisions: Bool = true, records: [LabelRecord] = [], idLimit: Int = 0,
    snaps: Bool = false, recordsShapes: Bool = false
  ) {
    shapes = recordsShapes ? [] : nil
    self.view = view
    self.crossSourceCollisions = crossSourceCollisions
    self.records = records
    placed = [Bool](repeating: false, count: idLimit)
    index = CollisionIndex(view: view, snaps: snaps)
  }

  /// The symbols that stand in a rectangle of the screen, as bucket and feature.
  /// - Parameter outline: of a polygon within the rectangle, closed, which what is found meets too.
  package func query(_ rect: CollisionRect, within outline: [SIMD2<Float>]? = nil) -> [CollisionKey] {
    index.query(rect, within: outline)
  }

  /// Takes a rectangle of the screen from all that is placed after it, of sources with numbers below `groups`. Queries
  /// find it under a bucket that is none.
  package func block(_ rect: CollisionRect, groups: Int) {
    let p = CollisionIndex.padding
    let shifted = CollisionRect(rect.x1 + p, rect.y1 + p, rect.x2 + p, rect.y2 + p)
    // What collides with all groups meets any of them.
    for group in 0..<(crossSourceCollisions ? 1 : groups) {
      let key = CollisionKey(
        bucket: .max, feature: 0, group: UInt16(truncatingIfNeeded: group), mode: .never)
      index.insert(shifted, ignored: false, key: key)
    }
  }

  /// Places a layer. Call with the style's symbol layers from the last one to the first.
  /// - Returns: for each bucket, the states of its instances.
  package func place(_ settings: SymbolPlacementSettings, _ buckets: [PlacementBucket]) -> [[SymbolState]] {
    var states = buckets.map { [SymbolState](repeating: SymbolState(), count: $0.geometry.instances.count) }
    forEachLabel(settings, buckets) { run, number, instance in placeOne(run, instance, &states[number]) }
    return states
  }

  /// The labels of a layer, in the order in which they are placed.
  @inline(__always)
  func forEachLabel(
    _ settings: SymbolPlacementSettings, _ buckets: [PlacementBucket],
    _ body: (_ run: LayerRun, _ bucket: Int, _ instance: Int) -> Void
  ) {
    if settings.sortsAcrossTiles { return forEachBySortKey(settings, buckets, body) }
    for number in Placement.order(buckets) {
      let run = LayerRun(settings, buckets[number], view, crossSourceCollisions)
      let count = buckets[number].geometry.instances.count
      if settings.placesByViewportY {
        let instances = buckets[number].geometry.instances
        for instance in sortedByViewportY(instances, Array(0..<Int32(count)), bearing: view.bearing)
          .reversed()
        {
          body(run, number, Int(instance))
        }
      } else {
        for instance in 0..<count { body(run, number, instance) }
      }
    }
  }

  static func order(_ buckets: [PlacementBucket]) -> [Int] {
    buckets.indices.sorted { l, r in
      let a = buckets[l].tile.id, b = buckets[r].tile.id
      return a == b ? l < r : a.isPlaced(before: b)
    }
  }

  private func forEachBySortKey(
    _ settings: SymbolPlacementSettings, _ buckets: [PlacementBucket], _ body: (LayerRun, Int, Int) -> Void
  ) {
    struct Entry {
      var key: Float
      var order: Int32
      var run: Int32
      var instance: Int32
    }
    var entries: [Entry] = []
    let order = Placement.order(buckets)
    let runs = order.map { LayerRun(settings, buckets[$0], view, crossSourceCollisions) }
    for (position, number) in order.enumerated() {
      for (instance, symbol) in buckets[number].geometry.instances.enumerated() {
        entries.append(
          Entry(
            key: symbol.sortKey, order: Int32(entries.count), run: Int32(position), instance: Int32(instance))
        )
      }
    }
    entries.sort { $0.key != $1.key ? $0.key < $1.key : $0.order < $1.order }
    for entry in entries {
      let run = Int(entry.run)
      body(runs[run], order[run], Int(entry.instance))
    }
  }

  @inline(__always)
  private func placeOne(_ run: LayerRun, _ instance: Int, _ states: inout [SymbolState]) {
    let symbol = run.bucket.geometry.instances[instance]
    let id = run.bucket.ids.isEmpty ? 0 : Int(run.bucket.ids[instance])
    if id != 0 {
      guard !placed[id] else { return states[instance].isCopy = true }
      placed[id] = true
    }
    states[instance] = place(symbol, run, id: id)
  }
}

/// Instances (by number) from the top of the screen to its bottom; of two at one height the later feature
/// first.
package func sortedByViewportY(_ instances: [SymbolInstance], _ numbers: [Int32], bearing: Double) -> [Int32]
{
  struct Entry {
    var y: Double
    var feature: Int32
    var number: Int32
  }
  let s = -sin(bearing), c = cos(bearing)
  var entries = numbers.map { number -> Entry in
    let instance = instances[Int(number)]
    return Entry(
      y: (Double(instance.anchor.x) * s + Double(instance.anchor.y) * c).rounded(), feature: instance.feature,
      number: number)
  }
  entries.sort { a, b in
    a.y != b.y ? a.y < b.y : (a.feature != b.feature ? a.feature > b.feature : a.number < b.number)
  }
  return entries.map(\.number)
}
