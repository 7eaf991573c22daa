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

/// A lock of the platform's threads, for what several of them change.
final class Lock: @unchecked Sendable {  // is a lock
  let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

  init() {
    mutex.initialize(to: pthread_mutex_t())
    assertDone(pthread_mutex_init(mutex, nil))
  }

  deinit {
    // unchecked: in the child of a fork a thread of the parent may have it.
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  func locked<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
    assertDone(pthread_mutex_lock(mutex))
    defer { assertDone(pthread_mutex_unlock(mutex)) }
    return try body()
  }
}
