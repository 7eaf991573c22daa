import NeatBase

/// What becomes of a resource's request before anyone is asked. The address that came in stays the one by which
/// caches, events, errors and logs know the resource: what is changed may hold credentials.
package struct ResourceTransform: Sendable {
  package struct Change: Sendable {
    package var url: String
    /// Sent besides those of the loader's options, in place of those of the same name.
    package var headers: [(name: String, value: String)] = []
    /// Not nil: nobody is asked, and the request fails with this.
    package var refusal: NeatError?

    package init(url: String) { self.url = url }
  }

  /// Called on the thread that asks, by several at once.
  package let change: @Sendable (ResourceKind, String) -> Change

  package init(_ change: @escaping @Sendable (ResourceKind, String) -> Change) { self.change = change }
}

/// The transform of shared resources, which may be replaced at any time.
package final class TransformSlot: Sendable {
  private final class Box: Sendable {
    let transform: ResourceTransform
    init(_ transform: ResourceTransform) { self.transform = transform }
  }

  private let box = SharedReference<Box>()

  package init() {}

  package var transform: ResourceTransform? { box.value?.transform }

  package func set(_ transform: ResourceTransform?) { box.set(transform.map(Box.init)) }
}
