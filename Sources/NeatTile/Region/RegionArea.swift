import NeatBase

/// The ground that a region covers. Tiles of a box of degrees are those that `TileRegion` has of it.
package enum RegionArea: Sendable {
  case bounds(TileBox.Bounds)
  case shape(RegionShape)

  /// A box of degrees as regions give it: `east` below `west`, or either of them past 180, where it lies over
  /// the 180th meridian. Throws `invalidArgument` for latitudes past 90 or out of order, and for longitudes
  /// past 540.
  package init(south: Double, west: Double, north: Double, east: Double) throws(NeatError) {
    guard west.magnitude <= 540, east.magnitude <= 540 else {
      throw NeatError(.invalidArgument, "longitudes from \(west) to \(east) are not within -540 to 540")
    }
    var width = east - west
    if width < 0 { width += 360 }
    var bounds: TileBox.Bounds = (-180, south, 180, north)
    if width < 360 {
      bounds.west = west.magnitude <= 180 ? west : west - 360 * ((west + 180) / 360).rounded(.down)
      bounds.east = bounds.west + width
      if bounds.east > 180 { bounds.east -= 360 }
    }
    try TileBox.check(bounds)
    self = .bounds(bounds)
  }

  /// The tiles of a zoom that it touches, as boxes without a tile in common. `limits`: no tiles but these.
  package func cover(_ zoom: UInt8, within limits: [TileBox]? = nil) -> RegionCover {
    RegionCover(self, zoom, within: limits)
  }
}

/// Boxes of tiles of one zoom, one after the other; the same ones in the same order each time. What is kept in
/// memory does not grow with their number.
package struct RegionCover: Sequence, IteratorProtocol {
  private enum Source {
    case boxes([TileBox])
    case walk(RegionWalk)
  }

  private var source: Source
  private let limits: [TileBox]?
  /// Of the last box, what lies within the limits and was not given yet.
  private var rest: [TileBox] = []

  init(_ area: RegionArea, _ zoom: UInt8, within limits: [TileBox]?) {
    switch area {
    case .bounds(let bounds): source = .boxes(TileBox.covering(bounds, zoom).reversed())
    case .shape(let shape): source = .walk(RegionWalk(shape, zoom, within: limits))
    }
    self.limits = limits
  }

  package mutating func next() -> TileBox? {
    while true {
      if let box = rest.popLast() { return box }
      guard let box = take() else { return nil }
      guard let limits else { return box }
      rest = limits.compactMap { box.intersection($0) }
    }
  }

  private mutating func take() -> TileBox? {
    switch source {
    case .boxes(var boxes):
      let box = boxes.popLast()
      source = .boxes(boxes)
      return box
    case .walk(var walk):
      // Not two owners of what it keeps.
      source = .boxes([])
      let box = walk.next()
      source = .walk(walk)
      return box
    }
  }

  /// How many tiles are in it, looking at `limit` boxes at most, and at none more once `isWanted` is false; and
  /// whether those are all.
  package static func count(
    _ cover: RegionCover, limit: Int = 1 << 20, while isWanted: () -> Bool = { true }
  ) -> (tiles: UInt64, isWhole: Bool) {
    var cover = cover
    var tiles: UInt64 = 0
    for _ in 0..<limit where isWanted() {
      guard let box = cover.next() else { return (tiles, true) }
      tiles += box.count
    }
    return (tiles, cover.next() == nil)
  }
}
