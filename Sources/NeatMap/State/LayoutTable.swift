import NeatBase

/// The tiles that are laid out.
struct LayoutTable: Sendable {
  var entries = CostCache<LayoutKey, LayoutEntry>()
  /// Grows with every change that makes layouts stale.
  var generation: UInt64 = 0
  /// Grows with each change of a source's data, of which only that source's layouts know.
  var sourceGenerations: [String: UInt64] = [:]
  /// Whether a picture was drawn. The first one is often the only one.
  var hasPicture = false
  /// Layers of tiles that were laid out so far.
  var laidOutLayerCount = 0
}
