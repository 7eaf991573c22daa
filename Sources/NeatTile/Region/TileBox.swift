import NeatBase

/// Columns and rows of one zoom, both ends included.
package struct TileBox: Sendable {
  package let minX, minY, maxX, maxY: UInt32

  /// From edges in the unit square, x growing eastwards and y southwards.
  init(_ x0: Double, _ y0: Double, _ x1: Double, _ y1: Double, _ z: UInt8) {
    let side = Double(UInt64(1) << UInt64(z))
    func first(_ part: Double) -> UInt32 {
      UInt32(saturating: max(0, min(side - 1, (part * side).rounded(.down))))
    }
    // An edge that lies on a border between tiles does not take the tile behind it.
    func last(_ part: Double, _ from: UInt32) -> UInt32 {
      max(from, UInt32(saturating: max(0, min(side - 1, (part * side).rounded(.up) - 1))))
    }
    minX = first(x0)
    minY = first(y0)
    maxX = last(x1, minX)
    maxY = last(y1, minY)
  }

  init(minX: UInt32, minY: UInt32, maxX: UInt32, maxY: UInt32) {
    (self.minX, self.minY, self.maxX, self.maxY) = (minX, minY, maxX, maxY)
  }

  /// The tiles of a zoom that lie in a tile of it or above.
  init(_ tile: TileID, below levels: UInt8) {
    let last = UInt32((UInt64(1) << UInt64(levels)) - 1)
    self.init(
      minX: tile.x << UInt32(levels), minY: tile.y << UInt32(levels), maxX: tile.x << UInt32(levels) + last,
      maxY: tile.y << UInt32(levels) + last)
  }

  package var count: UInt64 { (UInt64(maxX - minX) + 1) * (UInt64(maxY - minY) + 1) }

  package func contains(_ tile: TileID) -> Bool {
    (minX...maxX).contains(tile.x) && (minY...maxY).contains(tile.y)
  }

  package func intersection(_ other: TileBox) -> TileBox? {
    let (x0, y0) = (max(minX, other.minX), max(minY, other.minY))
    let (x1, y1) = (min(maxX, other.maxX), min(maxY, other.maxY))
    return x0 <= x1 && y0 <= y1 ? TileBox(minX: x0, minY: y0, maxX: x1, maxY: y1) : nil
  }

  /// Degrees.
  package typealias Bounds = (west: Double, south: Double, east: Double, north: Double)

  /// Throws `invalidArgument` for a box that is none.
  package static func check(_ bounds: Bounds) throws(NeatError) {
    let numbers = [bounds.west, bounds.south, bounds.east, bounds.north]
    guard numbers.allSatisfy(\.isFinite), numbers[0].magnitude <= 180, numbers[2].magnitude <= 180,
      numbers[1].magnitude <= 90, numbers[3].magnitude <= 90, bounds.south <= bounds.north
    else {
      throw NeatError(
        .invalidArgument,
        "west \(bounds.west), south \(bounds.south), east \(bounds.east), north \(bounds.north) are no box within -180…180 and -90…90"
      )
    }
  }

  /// The tiles of a zoom that a box of degrees touches: one box, or two without a tile in common where it
  /// crosses the 180th meridian (west greater than east). Latitudes beyond the Mercator square are cut to it.
  package static func covering(_ bounds: Bounds, _ z: UInt8) -> [TileBox] {
    func row(_ degrees: Double) -> Double {
      Mercator.y(lat: max(-Mercator.maxLatitude, min(Mercator.maxLatitude, degrees)))
    }
    let (top, bottom) = (row(bounds.north), row(bounds.south))
    func box(_ west: Double, _ east: Double) -> TileBox {
      TileBox(Mercator.x(lon: west), top, Mercator.x(lon: east), bottom, z)
    }
    guard bounds.west > bounds.east else { return [box(bounds.west, bounds.east)] }
    let (western, eastern) = (box(-180, bounds.east), box(bounds.west, 180))
    guard western.maxX >= eastern.minX else { return [eastern, western] }
    // They meet: at low zooms, or where the box goes around nearly all of the world.
    return [
      TileBox(minX: western.minX, minY: eastern.minY, maxX: eastern.maxX, maxY: eastern.maxY)
    ]
  }

  enum Meeting { case outside, partly, inside }

  func meets(_ tile: TileID, below levels: UInt8) -> Meeting {
    let shift = UInt64(levels)
    let (x0, y0) = (UInt64(tile.x) << shift, UInt64(tile.y) << shift)
    let (x1, y1) = (x0 + (1 << shift) - 1, y0 + (1 << shift) - 1)
    if x1 < UInt64(minX) || x0 > UInt64(maxX) || y1 < UInt64(minY) || y0 > UInt64(maxY) { return .outside }
    return x0 >= UInt64(minX) && x1 <= UInt64(maxX) && y0 >= UInt64(minY) && y1 <= UInt64(maxY)
      ? .inside : .partly
  }
}
