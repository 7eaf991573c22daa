import NeatBase
import Synchronization

/// What is left out of a tile that is read leniently, by layer: more of it comes to light where layers are read that
/// were not read with the tile. Any thread.
package final class TileFaults: Sendable {
  /// Of one layer, which is read once.
  package struct OfLayer: Sendable {
    /// nil where it has none that can be read.
    package let layer: String?
    package let first: NeatError
    package let count: Int
  }

  /// Layers whose faults are kept.
  package static let maxLayers = 32

  private let layers = Locked<[OfLayer]>([])
  /// Looked at for each tile of each picture.
  private let hasAny = Atomic(false)

  init() {}

  package var isEmpty: Bool { !hasAny.load(ordering: .acquiring) }

  /// In the tile's order.
  package var found: [OfLayer] {
    layers.withLock { $0 }.sorted { ($0.first.offset ?? 0) < ($1.first.offset ?? 0) }
  }

  func add(_ faults: MVTFaults, layer: String?) {
    guard let first = faults.errors.first else { return }
    layers.withLock {
      if $0.count < TileFaults.maxLayers {
        $0.append(OfLayer(layer: layer, first: first, count: faults.count))
      }
    }
    hasAny.store(true, ordering: .releasing)
  }
}
