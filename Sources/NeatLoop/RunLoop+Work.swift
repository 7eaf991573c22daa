import NeatBase
import Synchronization

extension RunLoop {
  /// Threads of `work`.
  private static let workThreads = 4

  /// Runs a closure on a thread of this loop's own, then another one on the loop. Not by libuv's workers: at
  /// the end of a process libuv waits for these, in the child of a fork too, where they are not.
  /// False where the loop is closed: neither is run.
  @discardableResult
  package func work(_ body: @escaping @Sendable () -> Void, then: @escaping () -> Void = {}) -> Bool {
    check()
    guard !isClosed else { return false }
    let continuation = LoopBound(then, self)
    let pool = workers ?? WorkerPool(width: RunLoop.workThreads + 1)
    workers = pool
    // Not the loop itself, which would end on the worker that lets go of it last.
    pool.add { [inbox] in
      body()
      inbox.post { continuation.value() }
    }
    return true
  }

  /// Parallel work for calls from the loop's thread: the caller and `width - 1` workers share it.
  package func executor(width: Int) -> Executor {
    Executor(width: max(width, 1)) { [self] count, body in
      ParallelRun.run(count, width: width, workers: RunLoop.workThreads, body) { self.work($0) }
    }
  }
}

/// One call of `Executor.forEach`. Indices are handed out by a counter; the caller takes part, so it never waits for a
/// worker that has not begun, but for the thread that a fork left (`ProcessGeneration.isOnSurvivor`). A worker that
/// comes late finds no index left and does not touch the body, which is gone by then.
final class ParallelRun: Sendable {
  /// Nanoseconds for which a thread that has done its part stays awake: a picture has several such runs.
  static let awake: UInt64 = 200_000

  private let next = Atomic<Int>(0)
  private let count: Int
  /// Where the caller keeps the body; read only for an index that was handed out, so only while the caller
  /// waits.
  private let body: Body
  /// Indices that are done.
  private let done = Locked(0)
  private let finished = Signal()

  private struct Body: Sendable {
    nonisolated(unsafe) let pointer: UnsafePointer<(Int) -> Void>

    // A call of its own, so that nothing of the closure is held when the index is reported as done.
    @inline(never) func call(_ index: Int) { pointer.pointee(index) }
  }

  private init(_ count: Int, _ body: Body) {
    self.count = count
    self.body = body
  }

  /// - Parameters:
  ///   - width: pieces at the same time, at least 1.
  ///   - workers: threads that there are besides the caller.
  ///   - start: has one of them do something soon; false where it cannot.
  static func run(
    _ count: Int, width: Int, workers: Int, _ body: (Int) -> Void,
    start: (@escaping @Sendable () -> Void) -> Bool
  ) {
    let takesPart = !ProcessGeneration.isOnSurvivor
    let helpers = min(workers, takesPart ? min(count, width) - 1 : width == 1 ? 0 : min(count, width))
    guard helpers > 0 else {
      for index in 0..<count { body(index) }
      return
    }
    withoutActuallyEscaping(body) { body in
      withUnsafePointer(to: body) { pointer in
        let run = ParallelRun(count, Body(pointer: pointer))
        var started = 0
        for _ in 0..<helpers where start({ run.takePart() }) { started += 1 }
        if takesPart || started == 0 { run.takePart() }
        run.finished.wait(awake: awake)
      }
    }
  }

  private func takePart() {
    var mine = 0
    while true {
      let index = next.wrappingAdd(1, ordering: .acquiringAndReleasing).oldValue
      if index >= count { break }
      body.call(index)
      mine += 1
    }
    if mine == 0 { return }
    let isLast = done.withLock { done -> Bool in
      done += mine
      return done == count
    }
    if isLast { finished.set() }
  }
}
