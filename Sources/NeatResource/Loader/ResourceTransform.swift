import NeatBase

/// Sees the address of each resource before it is asked for, and may give another one, and headers for a
/// server. Called on the thread that asks, any thread, also on several at once.
package struct ResourceTransform: Sendable {
  package let change:
    @Sendable (ResourceKind, String) -> (url: String, headers: [(name: String, value: String)])

  package init(
    _ change:
      @escaping @Sendable (ResourceKind, String) -> (url: String, headers: [(name: String, value: String)])
  ) {
    self.change = change
  }
}

/// Where a transform stands, for all loaders that share it.
package final class TransformSlot: Sendable {
  private let value = Locked<ResourceTransform?>(nil)

  package init() {}

  package var transform: ResourceTransform? {
    get { value.withLock { $0 } }
    set { value.withLock { $0 = newValue } }
  }
}
