import Synchronization

// What one unit of work (an image, a query, one call) may take over all of its threads. A thread counts in
// plain memory and settles with the ledger in portions (`WorkLedger.portion`), so that hot paths touch no
// atomics; each settlement also looks at the clock.

/// The budget of one unit of work: bytes that it keeps of evaluated values, and steps of its evaluations.
package struct WorkBudget: Hashable, Sendable {
  package var bytes: Int
  package var steps: Int

  package init(bytes: Int, steps: Int) {
    self.bytes = bytes
    self.steps = steps
  }

  /// That of an image, a query, a source or a call, where nothing else is said.
  package static let standard = WorkBudget(bytes: 256 << 20, steps: 500_000_000)
}

/// The bytes and steps that are left to one unit of work, and its deadline. Any thread may use it.
package final class WorkLedger: Sendable {
  /// Why work ends before it is done.
  package enum End: UInt8, Sendable {
    case bytes = 1
    case steps
    case time
  }

  /// Steps, or bytes, that a thread counts by itself before it settles: tens of microseconds of work.
  package static let portion = 1 << 16

  /// What the work is, for messages: "image".
  package let subject: String
  package let budget: WorkBudget
  private let bytes = Atomic<Int>(0)
  private let steps = Atomic<Int>(0)
  private let ended = Atomic<UInt8>(0)
  private let isOver: @Sendable () -> Bool
  private let graceMS: UInt64
  /// When the deadline was first found to have passed, in milliseconds; 0: it was not.
  private let overSince = Atomic<UInt64>(0)

  /// - Parameters:
  ///   - graceMS: milliseconds past the deadline for what was waited for until then.
  ///   - isOver: whether the deadline has passed or the work was cancelled. Called on any thread.
  package init(
    _ subject: String, _ budget: WorkBudget, graceMS: UInt64 = 0,
    isOver: @escaping @Sendable () -> Bool = { false }
  ) {
    self.subject = subject
    self.budget = budget
    self.graceMS = graceMS
    self.isOver = isOver
  }

  /// A ledger of the same budget and deadline, for what follows.
  package func again() -> WorkLedger { WorkLedger(subject, budget, graceMS: graceMS, isOver: isOver) }

  /// Why the work must end; nil while it may go on. The first reason stands. Does not look at the clock.
  package var end: End? { End(rawValue: ended.load(ordering: .relaxed)) }

  /// Adds what a thread has used, and looks at the clock.
  /// - Returns: why the work must end, nil while it may go on.
  @discardableResult
  package func settle(bytes count: Int = 0, steps used: Int = 0) -> End? {
    assert(count >= 0 && used >= 0, "nothing is given back")
    if let end { return end }
    if count > 0, bytes.add(count, ordering: .relaxed).newValue > budget.bytes { return finish(.bytes) }
    if used > 0, steps.add(used, ordering: .relaxed).newValue > budget.steps { return finish(.steps) }
    return isOver() && isGraceOver ? finish(.time) : nil
  }

  private var isGraceOver: Bool {
    guard graceMS > 0 else { return true }
    let now = MonotonicClock.milliseconds + 1
    let (isFirst, since) = overSince.compareExchange(expected: 0, desired: now, ordering: .relaxed)
    return !isFirst && now - min(now, since) > graceMS
  }

  private func finish(_ end: End) -> End {
    _ = ended.compareExchange(expected: 0, desired: end.rawValue, ordering: .relaxed)
    return self.end ?? end
  }

  /// The words about an end.
  package func message(_ end: End) -> String {
    switch end {
    case .bytes:
      "The \(subject) takes more than \(WorkBudget.text(bytes: budget.bytes)) for values of expressions"
    case .steps: "The expressions of the \(subject) take more than \(budget.steps) steps"
    case .time: "The time for the \(subject) is over"
    }
  }

  /// The error of work that ends: `timeout` or `limitExceeded`.
  package func error(_ end: End) -> NeatError {
    NeatError(end == .time ? .timeout : .limitExceeded, message(end))
  }
}

extension WorkBudget {
  /// A number of bytes as messages show it: "16 MiB".
  package static func text(bytes count: Int) -> String {
    for (shift, unit) in [(30, "GiB"), (20, "MiB"), (10, "KiB")] where count >= 1 << shift {
      if count & (1 << shift - 1) == 0 { return "\(count >> shift) \(unit)" }
    }
    return "\(count) bytes"
  }
}
