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
    assertDone(pthread_mutex_init(mutex, nil))
    var attributes = pthread_condattr_t()
    assertDone(pthread_condattr_init(&attributes))
    assertDone(pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC))
    assertDone(pthread_cond_init(condition, &attributes))
    assertDone(pthread_condattr_destroy(&attributes))
  }

  deinit {
    // unchecked: in the child of a fork a thread of the parent may have it.
    pthread_cond_destroy(condition)
    // unchecked: in the child of a fork a thread of the parent may have it.
    pthread_mutex_destroy(mutex)
    condition.deallocate()
    mutex.deallocate()
  }

  /// Changes the value, and wakes who waits.
  func change(waking: Waking, _ body: (inout Value) -> Void) {
    assertDone(pthread_mutex_lock(mutex))
    body(&value)
    changes.wrappingAdd(1, ordering: .releasing)
    assertDone(pthread_mutex_unlock(mutex))
    // After the lock is free, so that who wakes does not wait for it.
    switch waking {
    case .one: assertDone(pthread_cond_signal(condition))
    case .all: assertDone(pthread_cond_broadcast(condition))
    }
  }

  /// Waits until `take` gets something out of the value, which it may change; nil once the deadline is over.
  /// - Parameter awake: nanoseconds for which the thread stays awake, giving way to others, before it sleeps: to
  ///   wake a thread takes as long as much of what there is to do.
  func wait<Taken>(
    until deadline: Deadline = .never, awake: UInt64 = 0, _ take: (inout Value) -> Taken?
  ) -> Taken? {
    assertDone(pthread_mutex_lock(mutex))
    defer { assertDone(pthread_mutex_unlock(mutex)) }
    var awakeUntil: UInt64?
    while true {
      if let taken = take(&value) { return taken }
      if awake > 0 {
        let end = awakeUntil ?? MonotonicClock.nanoseconds + awake
        awakeUntil = end
        let seen = changes.load(ordering: .relaxed)
        assertDone(pthread_mutex_unlock(mutex))
        while changes.load(ordering: .acquiring) == seen, MonotonicClock.nanoseconds < end { sched_yield() }
        assertDone(pthread_mutex_lock(mutex))
        if changes.load(ordering: .relaxed) != seen { continue }
      }
      guard let end = deadline.nanoseconds else {
        assertDone(pthread_cond_wait(condition, mutex))
        continue
      }
      var time = timespec(tv_sec: Int(end / 1_000_000_000), tv_nsec: Int(end % 1_000_000_000))
      if pthread_cond_timedwait(condition, mutex, &time) != 0 { return take(&value) }
    }
  }
}
