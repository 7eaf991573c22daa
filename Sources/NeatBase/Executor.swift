/// Parallel work that the caller brings: the core starts no thread of its own.
package struct Executor: Sendable {
  /// How many pieces can run at the same time, at least 1.
  package let width: Int
  /// Calls the body once for each index below the count, and returns when all calls have returned.
  private let run: @Sendable (_ count: Int, _ body: @Sendable (Int) -> Void) -> Void
  private let wake: (@Sendable () -> Void)?
  /// What the work that runs here is part of, and may take; nil: nothing bounds it.
  package private(set) var work: WorkLedger?

  /// - Parameter wake: wakes threads that sleep.
  package init(
    width: Int, wake: (@Sendable () -> Void)? = nil,
    run: @escaping @Sendable (_ count: Int, _ body: @Sendable (Int) -> Void) -> Void
  ) {
    self.width = width
    self.wake = wake
    self.run = run
  }

  /// The same threads for the work of a ledger.
  package func working(for ledger: WorkLedger) -> Executor {
    var copy = self
    copy.work = ledger
    return copy
  }

  /// Says that there is work in a moment: a thread that sleeps takes as long to wake as a small picture's frame.
  package func expectWork() { wake?() }

  package func forEach(_ count: Int, _ body: @Sendable (Int) -> Void) {
    if count == 1 { body(0) } else if count > 1 { run(count, body) }
  }

  /// Runs everything on the calling thread.
  package static let inline = Executor(width: 1) { count, body in
    for index in 0..<count { body(index) }
  }
}
