/// A value behind a lock of the platform's threads.
///
/// Not `Synchronization.Mutex`: on Linux that one names its owner to the kernel by the number of the thread,
/// which it asks for once. The child of a fork goes on under its parent's number, and as soon as two threads
/// there meet at a lock, the kernel refuses and the runtime ends the process.
///
/// The lock is not reentrant, and in the child of a fork those locks stay locked that other threads held:
/// whatever such a thread may hold is kept in a `PerProcess`.
///
/// Public for the same reason as `GrowingBuffer`.
public struct Locked<Value: ~Copyable>: ~Copyable {
  // Both on the heap: a lock must not move.
  @usableFromInline let mutex: UnsafeMutablePointer<pthread_mutex_t>
  @usableFromInline let value: UnsafeMutablePointer<Value>

  @inlinable public init(_ value: consuming sending Value) {
    mutex = .allocate(capacity: 1)
    mutex.initialize(to: pthread_mutex_t())
    let result = pthread_mutex_init(mutex, nil)
    precondition(result == 0, "no lock could be made")
    self.value = .allocate(capacity: 1)
    self.value.initialize(to: value)
  }

  @inlinable deinit {
    value.deinitialize(count: 1)
    value.deallocate()
    // unchecked: in the child of a fork a thread of the parent may have it.
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  /// Waits for the lock, and holds it while `body` runs.
  @inlinable public borrowing func withLock<Result: ~Copyable, E: Error>(
    _ body: (inout sending Value) throws(E) -> sending Result
  ) throws(E) -> sending Result {
    assertDone(pthread_mutex_lock(mutex))
    defer { assertDone(pthread_mutex_unlock(mutex)) }
    return try body(&value.pointee)
  }

  /// `body` if the lock is free, else nothing.
  @inlinable public borrowing func withLockIfAvailable<Result: ~Copyable, E: Error>(
    _ body: (inout sending Value) throws(E) -> sending Result
  ) throws(E) -> sending Result? {
    guard pthread_mutex_trylock(mutex) == 0 else { return nil }
    defer { assertDone(pthread_mutex_unlock(mutex)) }
    return try body(&value.pointee)
  }
}

/// For calls of the platform that fail only through an error of ours, such as a lock that was not made: debug builds
/// end the process there.
@inlinable @inline(__always) public func assertDone(_ result: Int32) {
  assert(result == 0, "a call of the platform that cannot fail has failed")
}

// What is inside is reached by one thread at a time.
extension Locked: @unchecked Sendable where Value: ~Copyable {}
