import Synchronization

/// A reference that any thread may read and replace. In the child of a fork it is the parent's, whoever held its
/// lock at the fork: the child takes a lock of its own, and the reference is one word, which is always whole.
package final class SharedReference<Object: AnyObject & Sendable>: Sendable {
  private final class Lock: Sendable {
    let locked = Locked(())
  }

  /// The address of an object, with a reference to it; 0: none.
  private let word = Atomic<UInt>(0)
  private let lock = PerProcess(Lock())

  package init() {}

  deinit { SharedReference.reference(word.load(ordering: .acquiring))?.release() }

  private static func reference(_ address: UInt) -> Unmanaged<Object>? {
    UnsafeRawPointer(bitPattern: address).map { .fromOpaque($0) }
  }

  package var value: Object? {
    var found: Object?
    update {
      found = $0
      return $0
    }
    return found
  }

  package func set(_ object: Object?) { update { _ in object } }

  /// Replaces the object by what `body` makes of it. `body` runs under the lock; the last reference to what was
  /// replaced does not go there, as that may run code of anybody's.
  package func update(_ body: (Object?) -> Object?) {
    let old = lock.get { _ in Lock() }.locked.withLock { _ -> UInt in
      let address = word.load(ordering: .acquiring)
      let known = SharedReference.reference(address)?.takeUnretainedValue()
      let next = body(known)
      if next === known { return 0 }
      let made = next.map { UInt(bitPattern: Unmanaged.passRetained($0).toOpaque()) } ?? 0
      word.store(made, ordering: .releasing)
      return address
    }
    SharedReference.reference(old)?.release()
  }
}
