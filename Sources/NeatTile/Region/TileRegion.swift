// A box of degrees and a range of zooms as intervals of PMTiles' tile numbers: descendants of a tile follow
// one another on the Hilbert curve, so a quadtree is walked from the top, and what lies wholly inside becomes
// one interval without a look at its tiles.
import NeatBase

/// Tiles of a region: sorted intervals of tile numbers that neither touch nor overlap.
package struct TileRegion: Sendable {
  /// Intervals at most: about a million, 16 MiB. A box of 250,000 by 250,000 tiles has about that many along
  /// its edges.
  package static let maxIntervals = 1 << 20

  package private(set) var intervals: [Range<UInt64>] = []
  /// The columns and rows of each zoom: two boxes a zoom where the region crosses the 180th meridian.
  package private(set) var boxes: [(z: UInt8, box: TileBox)] = []

  /// All tiles of the zooms that touch the box. West greater than east: the box crosses the 180th meridian.
  /// Latitudes beyond the Mercator square are cut to it. No box: all tiles of the zooms.
  ///
  /// Throws `invalidArgument` for a box that is none, `limitExceeded` beyond `limit` intervals.
  package init(
    bounds: (west: Double, south: Double, east: Double, north: Double)?, zooms: ClosedRange<UInt8>,
    limit: Int = maxIntervals
  ) throws(NeatError) {
    guard let bounds else {
      intervals = [PMTiles.firstNumber(zooms.lowerBound)..<PMTiles.firstNumber(zooms.upperBound + 1)]
      boxes = zooms.map { ($0, TileBox(0, 0, 1, 1, $0)) }
      return
    }
    try TileBox.check(bounds)
    for z in zooms {
      let boxes = TileBox.covering(bounds, z)
      self.boxes += boxes.map { (z, $0) }
      try add(TileID.world, boxes, z, limit)
    }
  }

  private mutating func add(_ tile: TileID, _ boxes: [TileBox], _ zoom: UInt8, _ limit: Int) throws(NeatError)
  {
    let levels = zoom - tile.z
    var touches = false
    for box in boxes {
      switch box.meets(tile, below: levels) {
      case .outside: continue
      case .partly: touches = true
      case .inside:
        let first =
          PMTiles.firstNumber(zoom)
          + (PMTiles.tileNumber(z: tile.z, x: tile.x, y: tile.y) - PMTiles.firstNumber(tile.z))
          << UInt64(2 * levels)
        return try append(first..<first + 1 << UInt64(2 * levels), limit)
      }
    }
    guard touches, levels > 0 else { return }
    for child in PMTiles.children(of: tile) { try add(child, boxes, zoom, limit) }
  }

  private mutating func append(_ interval: Range<UInt64>, _ limit: Int) throws(NeatError) {
    if let last = intervals.last, last.upperBound == interval.lowerBound {
      intervals[intervals.count - 1] = last.lowerBound..<interval.upperBound
      return
    }
    guard intervals.count < limit else {
      throw NeatError(
        .limitExceeded, "the region's edge has more than \(limit) tiles: fewer zooms or a smaller box")
    }
    intervals.append(interval)
  }

  /// The parts of a range of numbers that belong to the region, in order.
  package func parts(of range: Range<UInt64>) -> [Range<UInt64>] {
    var result: [Range<UInt64>] = []
    var index = firstIndex(endingAfter: range.lowerBound)
    while index < intervals.count, intervals[index].lowerBound < range.upperBound {
      let part = intervals[index].clamped(to: range)
      if !part.isEmpty { result.append(part) }
      index += 1
    }
    return result
  }

  package func touches(_ range: Range<UInt64>) -> Bool {
    let index = firstIndex(endingAfter: range.lowerBound)
    return index < intervals.count && intervals[index].lowerBound < range.upperBound
  }

  package func contains(_ number: UInt64) -> Bool { touches(number..<number + 1) }

  private func firstIndex(endingAfter number: UInt64) -> Int {
    var low = 0
    var high = intervals.count
    while low < high {
      let middle = (low + high) / 2
      if intervals[middle].upperBound <= number { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

extension PMTiles {
  /// A tile's four children in the order of the Hilbert curve. The tile must be above the deepest zoom.
  package static func children(of tile: TileID) -> [TileID] {
    (0..<4).map(tile.child).sorted {
      tileNumber(z: $0.z, x: $0.x, y: $0.y) < tileNumber(z: $1.z, x: $1.x, y: $1.y)
    }
  }
}
