import NeatBase

/// A point in time after which waiting ends, on the monotonic clock.
package struct Deadline: Sendable, Hashable {
  /// Nanoseconds of the monotonic clock; nil: never.
  package let nanoseconds: UInt64?

  package static let never = Deadline(nanoseconds: nil)

  /// So much later.
  package func extended(byMS ms: UInt64) -> Deadline {
    Deadline(nanoseconds: nanoseconds.map { $0 &+ ms &* 1_000_000 })
  }

  package static func after(ms: UInt64) -> Deadline {
    let (sum, overflow) = nowNS.addingReportingOverflow(
      ms.multipliedReportingOverflow(by: 1_000_000).partialValue)
    return Deadline(nanoseconds: overflow || ms > UInt64.max / 2_000_000 ? nil : sum)
  }

  package static var nowNS: UInt64 { MonotonicClock.nanoseconds }

  /// Milliseconds left, rounded up; nil: no end.
  package var remainingMS: UInt64? {
    guard let nanoseconds else { return nil }
    let now = Deadline.nowNS
    return nanoseconds <= now ? 0 : (nanoseconds - now + 999_999) / 1_000_000
  }

  package var isOver: Bool { remainingMS == 0 }
}

/// An event that happens once; threads can wait for it.
package final class Signal: @unchecked Sendable {
  private let mutex: UnsafeMutablePointer<pthread_mutex_t> = .allocate(capacity: 1)
  private let condition: UnsafeMutablePointer<pthread_cond_t> = .allocate(capacity: 1)
  private var isSet = false

  package init() {
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

  package func set() {
    pthread_mutex_lock(mutex)
    isSet = true
    pthread_cond_broadcast(condition)
    pthread_mutex_unlock(mutex)
  }

  /// Waits until the event or the deadline; whether the event has happened.
  @discardableResult
  package func wait(until deadline: Deadline = .never) -> Bool {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while !isSet {
      guard let end = deadline.nanoseconds else {
        pthread_cond_wait(condition, mutex)
        continue
      }
      var time = timespec(tv_sec: Int(end / 1_000_000_000), tv_nsec: Int(end % 1_000_000_000))
      if pthread_cond_timedwait(condition, mutex, &time) != 0 { return isSet }
    }
    return true
  }
}
