import NeatBase
import Synchronization

/// Whether the process has a network, as its host says: for all that asks servers.
package enum NetworkSwitch {
  private static let connected = Atomic(true)
  fileprivate static let watches = PerProcess(NetworkWatches())

  package static var isConnected: Bool { connected.load(ordering: .relaxed) }

  /// Tells all who watch, on the calling thread.
  package static func set(_ isConnected: Bool) {
    connected.store(isConnected, ordering: .relaxed)
    for tell in own.all { tell() }
  }

  fileprivate static var own: NetworkWatches { watches.get { _ in NetworkWatches() } }
}

/// Hears of changes as long as it is held.
package final class NetworkWatch: Sendable {
  private let generation = ProcessGeneration.current

  package init(_ tell: @escaping @Sendable () -> Void) { NetworkSwitch.own.add(ObjectIdentifier(self), tell) }

  deinit {
    if generation == ProcessGeneration.current { NetworkSwitch.own.remove(ObjectIdentifier(self)) }
  }
}

/// Those of one process: a child of a fork has loaders of its own.
private final class NetworkWatches: Sendable {
  private let list = Locked<[ObjectIdentifier: @Sendable () -> Void]>([:])

  var all: [@Sendable () -> Void] { list.withLock { Array($0.values) } }
  func add(_ id: ObjectIdentifier, _ tell: @escaping @Sendable () -> Void) { list.withLock { $0[id] = tell } }
  func remove(_ id: ObjectIdentifier) { list.withLock { $0[id] = nil } }
}
