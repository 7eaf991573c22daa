import NeatBase
import Synchronization

/// Which thread runs a loop at the moment. Outlives the loop.
final class LoopThread: Sendable {
  /// Nobody runs it: whoever holds the loop may do what belongs to its thread.
  private static let nobody: UInt = 0
  private let runner = Atomic<UInt>(LoopThread.nobody)

  private static var current: UInt { UInt(bitPattern: Int(truncatingIfNeeded: pthread_self())) }

  /// Runs the loop's turns as its thread.
  func run(_ body: () -> Int32) -> Int32 {
    let before = runner.exchange(LoopThread.current, ordering: .relaxed)
    defer { runner.store(before, ordering: .relaxed) }
    return body()
  }

  /// Whether a turn of the loop is under way.
  var isRunning: Bool { runner.load(ordering: .relaxed) != LoopThread.nobody }

  /// Whether what belongs to the loop's thread may be done here and now.
  var isHere: Bool {
    let thread = runner.load(ordering: .relaxed)
    return thread == LoopThread.nobody || thread == LoopThread.current
  }
}

/// A value that belongs to a loop: any thread may carry it, only the loop's may look at it.
package struct LoopBound<Value>: Sendable {
  private let thread: LoopThread
  nonisolated(unsafe) private let bound: Value

  package init(_ value: Value, _ loop: RunLoop) {
    thread = loop.thread
    bound = value
  }

  init(_ value: Value, _ thread: LoopThread) {
    self.thread = thread
    bound = value
  }

  /// Debug builds end the process on another thread than the loop's. In the child of a fork the loop's thread is
  /// not there, and what it ran is let go of by others.
  package var value: Value {
    assert(thread.isHere, "a value of a loop is looked at on another thread")
    return bound
  }
}
