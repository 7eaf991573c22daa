import NeatBase

extension OverscaledTileID {
  /// The order in which the labels of tiles are placed: deeper tiles first, then by copy of the world, column and
  /// row.
  package func isPlaced(before other: OverscaledTileID) -> Bool {
    if overscaledZ != other.overscaledZ { return overscaledZ > other.overscaledZ }
    if wrap != other.wrap { return wrap < other.wrap }
    if canonical.x != other.canonical.x { return canonical.x < other.canonical.x }
    if canonical.y != other.canonical.y { return canonical.y < other.canonical.y }
    return canonical.z < other.canonical.z
  }
}
