import Synchronization

/// Whether the process has a network, as its host says: for all that asks servers.
package enum NetworkSwitch {
  private static let connected = Atomic(true)

  package static var isConnected: Bool {
    get { connected.load(ordering: .relaxed) }
    set { connected.store(newValue, ordering: .relaxed) }
  }
}
