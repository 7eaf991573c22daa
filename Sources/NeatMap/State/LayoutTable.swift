import NeatBase

/// The tiles that are laid out.
struct LayoutTable: Sendable {
  var entries = CostCache<LayoutKey, LayoutEntry>()
  /// Grows with every change that makes layouts stale.
  var generation: UInt64 = 0
  /// Layers of tiles that were laid out so far.
  var laidOutLayerCount = 0
}
