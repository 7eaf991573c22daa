import NeatBase

/// A value behind a lock, with threads that wait for what becomes of it.
final class Monitor<Value: Sendable>: @unchecked Sendable {  // all of `value` is under `mutex`
  private let mutex: UnsafeMutablePointer<pthread_mutex_t> = .allocate(capacity: 1)
  private let condition: UnsafeMutablePointer<pthread_cond_t> = .allocate(capacity: 1)
  private var value: Value

  enum Waking {
    case one, all
  }

  init(_ value: Value) {
    self.value = value
    pthread_mutex_init(mutex, nil)
    var attributes = pthread_condattr_t()
    pthread_condattr_init(&attributes)
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    pthread_cond_init(condition, &attributes)
    pthread_condattr_destroy(&attributes)
  }

  deinit {
    pthread_cond_destroy(condition)
    pthread_mutex_destroy(mutex)
    condition.deallocate()
    mutex.deallocate()
  }

  /// Changes the value, and wakes who waits.
  func change(waking: Waking, _ body: (inout Value) -> Void) {
    pthread_mutex_lock(mutex)
    body(&value)
    switch waking {
    case .one: pthread_cond_signal(condition)
    case .all: pthread_cond_broadcast(condition)
    }
    pthread_mutex_unlock(mutex)
  }

  /// Waits until `take` gets something out of the value, which it may change; nil once the deadline is over.
  func wait<Taken>(until deadline: Deadline = .never, _ take: (inout Value) -> Taken?) -> Taken? {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while true {
      if let taken = take(&value) { return taken }
      guard let end = deadline.nanoseconds else {
        pthread_cond_wait(condition, mutex)
        continue
      }
      var time = timespec(tv_sec: Int(end / 1_000_000_000), tv_nsec: Int(end % 1_000_000_000))
      if pthread_cond_timedwait(condition, mutex, &time) != 0 { return take(&value) }
    }
  }
}
