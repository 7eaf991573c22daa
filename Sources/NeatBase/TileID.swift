/// A tile of the XYZ pyramid: `z` in 0...30, `x` and `y` in 0..<2^z, y growing southwards.
package struct TileID: Hashable, Sendable, CustomStringConvertible {
  package var z: UInt8
  package var x: UInt32
  package var y: UInt32

  package init(z: UInt8, x: UInt32, y: UInt32) {
    self.z = z
    self.x = x
    self.y = y
  }

  package static let maxZoom: UInt8 = 30

  /// The whole world.
  package static var world: TileID { TileID(z: 0, x: 0, y: 0) }

  package var isValid: Bool { z <= TileID.maxZoom && x < (1 << UInt32(z)) && y < (1 << UInt32(z)) }

  /// The tile `levels` above that holds this one.
  package func ancestor(_ levels: UInt8) -> TileID {
    TileID(z: z - min(levels, z), x: x >> UInt32(min(levels, z)), y: y >> UInt32(min(levels, z)))
  }

  /// One of the four tiles of the next zoom that it consists of, row by row: 0 in the north-west, 3 in the south-east.
  /// Not of the deepest zoom.
  package func child(_ quarter: UInt32) -> TileID {
    assert(z < TileID.maxZoom && quarter < 4, "a tile that there is")
    return TileID(z: z + 1, x: 2 * x + quarter % 2, y: 2 * y + quarter / 2)
  }

  /// The row counted from the south, as MBTiles and TMS do.
  package var tmsY: UInt32 { (1 << UInt32(z)) - 1 - y }

  /// Bing's quadkey: one digit a level.
  package var quadkey: String {
    var key = ""
    for level in stride(from: Int(z), to: 0, by: -1) {
      let mask: UInt32 = 1 << UInt32(level - 1)
      key.append(Character(UnicodeScalar(UInt8(48 + (x & mask != 0 ? 1 : 0) + (y & mask != 0 ? 2 : 0)))))
    }
    return key
  }

  package var description: String { "\(z)/\(x)/\(y)" }
}

/// The zooms of a style.
package enum StyleZoom {
  /// The deepest: a layer whose range ends there has no upper bound, and GeoJSON is cut no deeper.
  package static let maximum = 24
}

/// The units that tiles are laid out in, whatever the extent of their data. Public for the same reason as
/// `GrowingBuffer`: other targets then compute with the numbers themselves.
public enum TileUnits {
  /// Units along a tile's edge.
  @inlinable public static var extent: Double { 8192 }
  /// Logical pixels along the edge of a tile that is drawn at its own zoom. The world is one tile at zoom 0.
  @inlinable public static var pixels: Double { 512 }
  /// Units to such a pixel.
  @inlinable public static var perPixel: Double { extent / pixels }
}

/// A tile as it is drawn: the data of `canonical`, laid out for the zoom `overscaledZ` (at least
/// `canonical.z`), in the copy `wrap` of the world.
package struct OverscaledTileID: Hashable, Sendable {
  package var canonical: TileID
  package var overscaledZ: UInt8
  package var wrap: Int32

  package init(canonical: TileID, overscaledZ: UInt8? = nil, wrap: Int32 = 0) {
    self.canonical = canonical
    self.overscaledZ = overscaledZ ?? canonical.z
    self.wrap = wrap
  }

  /// Its column among the tiles of all copies of the world; those of the world in the middle begin with 0.
  package var column: Double {
    Double(canonical.x) + Double(wrap) * Double(UInt64(1) << UInt64(canonical.z))
  }

  /// How many times larger than a tile of its own zoom the data is drawn: 2^(overscaledZ - z).
  package var overscaleFactor: Double { Double(UInt64(1) << UInt64(overscaledZ - canonical.z)) }
}
