import NeatBase

extension FirstUse {
  /// What maps look up.
  package static func meetMap() {
    meet(keys: [Need.self, LayoutKey.self, TileID.self, OverscaledTileID.self, Int32.self, UInt64.self])
  }
}
