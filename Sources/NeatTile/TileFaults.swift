import NeatBase
import Synchronization

/// What is left out of a tile that is read leniently: more of it comes to light where layers are read that were not
/// read with the tile. Any thread.
package final class TileFaults: Sendable {
  private let faults = Locked(MVTFaults())
  /// Looked at for each tile of each picture.
  private let hasAny = Atomic(false)

  init() {}

  package var isEmpty: Bool { !hasAny.load(ordering: .acquiring) }
  package var found: MVTFaults { faults.withLock { $0 } }

  func add(_ more: MVTFaults) {
    if more.count == 0 { return }
    faults.withLock { $0.add(more) }
    hasAny.store(true, ordering: .releasing)
  }
}
