import NeatBase

extension Camera {
  /// The camera that sees just one tile of the XYZ pyramid on `edge` logical pixels.
  package static func tile(_ tile: TileID, edge: Double) -> Camera {
    let count = Double(UInt64(1) << UInt64(tile.z))
    let middle = SIMD2((Double(tile.x) + 0.5) / count, (Double(tile.y) + 0.5) / count)
    return Camera(center: Mercator.unproject(middle), zoom: Double(tile.z) + log2(edge / TileUnits.pixels))
  }
}
