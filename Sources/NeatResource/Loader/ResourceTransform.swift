import NeatBase
import Synchronization

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

/// The transform of shared resources, which may be replaced at any time. In the child of a fork it is the
/// parent's, whoever held the lock at the fork.
package final class TransformSlot: Sendable {
  private final class Box: Sendable {
    let transform: ResourceTransform
    init(_ transform: ResourceTransform) { self.transform = transform }
  }

  private final class Lock: Sendable {
    let locked = Locked(())
  }

  /// The address of a box, with a reference to it; 0: none. One word, so that a child of a fork finds it whole
  /// although the parent's lock may be held.
  private let word = Atomic<UInt>(0)
  private let lock = PerProcess(Lock())

  package init() {}

  deinit { TransformSlot.reference(word.load(ordering: .acquiring))?.release() }

  private static func reference(_ address: UInt) -> Unmanaged<Box>? {
    UnsafeRawPointer(bitPattern: address).map { .fromOpaque($0) }
  }

  package var transform: ResourceTransform? {
    lock.get { _ in Lock() }.locked.withLock { _ in
      TransformSlot.reference(word.load(ordering: .acquiring))?.takeUnretainedValue().transform
    }
  }

  package func set(_ transform: ResourceTransform?) {
    let address = transform.map { UInt(bitPattern: Unmanaged.passRetained(Box($0)).toOpaque()) } ?? 0
    let old = lock.get { _ in Lock() }.locked.withLock { _ in
      word.exchange(address, ordering: .acquiringAndReleasing)
    }
    // Outside the lock: the last reference may run code of the host's.
    TransformSlot.reference(old)?.release()
  }
}
