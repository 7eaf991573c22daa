import NeatBase
import Synchronization

/// Whether the process has a network, as its host says: for all that asks servers.
package enum NetworkSwitch {
  private static let connected = Atomic(true)
  /// Those of one process: a child of a fork has loaders of its own.
  private static let watchers = PerProcess(Watchers())

  package static var isConnected: Bool { connected.load(ordering: .relaxed) }

  /// Tells all who watch, on the calling thread.
  package static func set(_ isConnected: Bool) {
    connected.store(isConnected, ordering: .relaxed)
    own.tell()
  }

  /// Hears of changes as long as what it gives back is held.
  package static func watch(_ tell: @escaping @Sendable () -> Void) -> Watch { Watch(own, tell) }

  private static var own: Watchers { watchers.get { _ in Watchers() } }
}
