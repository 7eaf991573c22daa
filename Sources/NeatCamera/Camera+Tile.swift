import NeatBase

extension Camera {
  /// The camera that sees just one tile of the XYZ pyramid on `edge` logical pixels.
  package static func tile(_ tile: TileID, edge: Double) -> Camera { tiles(tile, count: 1, edge: edge) }

  /// The same for a square of so many tiles an edge, by its north-western one.
  package static func tiles(_ first: TileID, count: Int, edge: Double) -> Camera {
    let world = Double(UInt64(1) << UInt64(first.z))
    let half = Double(count) / 2
    let middle = SIMD2((Double(first.x) + half) / world, (Double(first.y) + half) / world)
    return Camera(center: Mercator.unproject(middle), zoom: Double(first.z) + log2(edge / TileUnits.pixels))
  }
}
