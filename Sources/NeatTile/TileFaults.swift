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

    fileprivate var at: Int { first.offset ?? 0 }
  }

  /// Layers whose faults are kept: the first ones of the tile, in whichever order they are read.
  package static let maxLayers = 32

  private let layers = Locked<[OfLayer]>([])
  /// Looked at for each tile of each picture.
  private let hasAny = Atomic(false)

  init() {}

  package var isEmpty: Bool { !hasAny.load(ordering: .acquiring) }

  /// In the tile's order.
  package var found: [OfLayer] { layers.withLock { $0 } }

  /// - Parameters:
  ///   - layer: the name of one that was just read.
  ///   - broken: why nothing of it is there, which goes before what was found until then.
  func add(_ faults: MVTFaults, layer: String?, broken: NeatError? = nil) {
    guard let first = broken ?? faults.errors.first else { return }
    let new = OfLayer(layer: layer, first: first, count: faults.count)
    layers.withLock { layers in
      let place = layers.firstIndex { $0.at > new.at } ?? layers.endIndex
      layers.insert(new, at: place)
      if layers.count > TileFaults.maxLayers { layers.removeLast() }
    }
    hasAny.store(true, ordering: .releasing)
  }
}
