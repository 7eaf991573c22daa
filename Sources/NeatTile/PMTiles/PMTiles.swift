import NeatBase

/// Tile numbers of PMTiles: zoom by zoom, and within a zoom along the Hilbert curve.
package enum PMTiles {
  /// Unpacked bytes of a directory at most: about a million entries.
  package static let maxDirectoryBytes = 16 << 20
  /// Unpacked bytes of the metadata at most.
  package static let maxMetadataBytes = 16 << 20
  /// Directories between the root and a tile at most, as in the reference readers.
  package static let maxDepth = 4
  static let maxTileNumber = firstNumber(31)

  /// The number of the first tile of a zoom: (4^z - 1) / 3.
  package static func firstNumber(_ z: UInt8) -> UInt64 { ((1 << (2 * UInt64(z))) - 1) / 3 }

  /// The number of a tile; nil for one outside its zoom, or above zoom 30.
  package static func tileNumber(_ tile: TileID) -> UInt64? {
    guard tile.isValid else { return nil }
    return tileNumber(z: tile.z, x: tile.x, y: tile.y)
  }

  /// The number of a valid tile.
  package static func tileNumber(z: UInt8, x: UInt32, y: UInt32) -> UInt64 {
    var number = firstNumber(z)
    var x = UInt64(x)
    var y = UInt64(y)
    var level = UInt64(z)
    while level > 0 {
      level -= 1
      let side: UInt64 = 1 << level
      let right = (x >> level) & 1
      let down = (y >> level) & 1
      number += ((3 * right) ^ down) << (2 * level)
      (x, y) = turn(side, x & (side - 1), y & (side - 1), right, down)
    }
    return number
  }

  /// The tile of a number; nil above zoom 30.
  package static func tile(number: UInt64) -> TileID? {
    guard number < maxTileNumber else { return nil }
    var z: UInt8 = 0
    while firstNumber(z + 1) <= number { z += 1 }
    var rest = number - firstNumber(z)
    var x: UInt64 = 0
    var y: UInt64 = 0
    for level in 0..<UInt64(z) {
      let right = (rest >> 1) & 1
      let down = (rest ^ right) & 1
      let side: UInt64 = 1 << level
      (x, y) = turn(side, x, y, right, down)
      x += right << level
      y += down << level
      rest >>= 2
    }
    return TileID(z: z, x: UInt32(x), y: UInt32(y))
  }

  /// Turns a quadrant of the curve into the place of its parent.
  private static func turn(_ side: UInt64, _ x: UInt64, _ y: UInt64, _ right: UInt64, _ down: UInt64) -> (
    UInt64, UInt64
  ) {
    if down == 1 { return (x, y) }
    return right == 1 ? (side - 1 - y, side - 1 - x) : (y, x)
  }
}
