/// Time that only goes forward, from a beginning that says nothing.
package enum MonotonicClock {
  package static var nanoseconds: UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }

  package static var milliseconds: UInt64 { nanoseconds / 1_000_000 }
}
