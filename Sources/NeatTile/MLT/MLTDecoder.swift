import NeatBase

/// Reads a MapLibre Tile, plain or packed by gzip or zlib.
package func decodeMLT(_ bytes: [UInt8]) throws(NeatError) -> VectorTile {
  throw NeatError(.unsupported, "MapLibre Tiles are not supported yet")
}
