#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// For calls of the platform that fail only through an error of ours, such as a lock that was not made.
func assertDone(_ result: Int32) {
  assert(result == 0, "a call of the platform that cannot fail has failed")
}

/// A value behind a lock of the platform's threads, which goes on working in the child of a fork, as
/// `Synchronization.Mutex` does not. Not reentrant.
final class Guarded<Value>: @unchecked Sendable {  // the value is only reached under the lock
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private var value: Value

  init(_ value: Value) {
    self.value = value
    mutex.initialize(to: pthread_mutex_t())
    assertDone(pthread_mutex_init(mutex, nil))
  }

  deinit {
    // unchecked: in the child of a fork a thread of the parent may have it.
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  /// Waits for the lock, and holds it while `body` runs.
  func withLock<Result, Failure: Error>(_ body: (inout Value) throws(Failure) -> Result) throws(Failure)
    -> Result
  {
    assertDone(pthread_mutex_lock(mutex))
    defer { assertDone(pthread_mutex_unlock(mutex)) }
    return try body(&value)
  }
}
