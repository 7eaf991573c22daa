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
package final class Signal: Sendable {
  private let isSet = Monitor(false)

  package init() {}

  package func set() { isSet.change(waking: .all) { $0 = true } }

  /// Waits until the event or the deadline; whether the event has happened.
  /// - Parameter awake: nanoseconds for which the thread stays awake.
  @discardableResult
  package func wait(until deadline: Deadline = .never, awake: UInt64 = 0) -> Bool {
    isSet.wait(until: deadline, awake: awake) { $0 ? true : nil } ?? false
  }
}
