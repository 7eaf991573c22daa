/// Time that only goes forward, from a beginning that says nothing.
package enum MonotonicClock {
  package static var nanoseconds: UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }

  package static var milliseconds: UInt64 { nanoseconds / 1_000_000 }
}

/// The time of day, as the machine has it.
package enum SystemClock {
  /// Since 1970.
  package static var microseconds: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000
  }
}
