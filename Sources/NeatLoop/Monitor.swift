import NeatBase
import Synchronization

/// A value behind a lock, with threads that wait for what becomes of it.
final class Monitor<Value: Sendable>: @unchecked Sendable {  // all of `value` is under `mutex`
  private let mutex: UnsafeMutablePointer<pthread_mutex_t> = .allocate(capacity: 1)
  private let condition: UnsafeMutablePointer<pthread_cond_t> = .allocate(capacity: 1)
  private var value: Value
  /// Counts changes, for those who wait awake.
  private let changes = Atomic<UInt>(0)

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
    changes.wrappingAdd(1, ordering: .releasing)
    pthread_mutex_unlock(mutex)
    // After the lock is free, so that who wakes does not wait for it.
    switch waking {
    case .one: pthread_cond_signal(condition)
    case .all: pthread_cond_broadcast(condition)
    }
  }

  /// Waits until `take` gets something out of the value, which it may change; nil once the deadline is over.
  /// - Parameter awake: nanoseconds for which the thread stays awake, giving way to others, before it sleeps: to
  ///   wake a thread takes as long as much of what there is to do.
  func wait<Taken>(
    until deadline: Deadline = .never, awake: UInt64 = 0, _ take: (inout Value) -> Taken?
  ) -> Taken? {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    var awakeUntil: UInt64?
    while true {
      if let taken = take(&value) { return taken }
      if awake > 0 {
        let end = awakeUntil ?? MonotonicClock.nanoseconds + awake
        awakeUntil = end
        let seen = changes.load(ordering: .relaxed)
        pthread_mutex_unlock(mutex)
        while changes.load(ordering: .acquiring) == seen, MonotonicClock.nanoseconds < end { sched_yield() }
        pthread_mutex_lock(mutex)
        if changes.load(ordering: .relaxed) != seen { continue }
      }
      guard let end = deadline.nanoseconds else {
        pthread_cond_wait(condition, mutex)
        continue
      }
      var time = timespec(tv_sec: Int(end / 1_000_000_000), tv_nsec: Int(end % 1_000_000_000))
      if pthread_cond_timedwait(condition, mutex, &time) != 0 { return take(&value) }
    }
  }
}
