import NeatBase

/// Threads that share parallel work, for callers on any thread and without a loop. They end when the pool is
/// released.
package final class WorkerPool: Sendable {
  package static let maxWidth = 256

  fileprivate let queue: WorkerQueue
  fileprivate let threads: [pthread_t]
  package let width: Int
  private let generation = ProcessGeneration.current

  /// A pool in which `width` pieces run at once, the caller's own among them: `width - 1` threads start,
  /// fewer where the system refuses. On the thread that a fork left to its child, `width` threads.
  /// - Parameter idle: short jobs, in this order, for threads that have nothing else to do. Those that no thread
  ///   found the time for are not done.
  package init(width: Int, whenIdle idle: [@Sendable () -> Void] = []) {
    queue = WorkerQueue(whenIdle: idle)
    self.width = min(max(width, 1), WorkerPool.maxWidth)
    var threads: [pthread_t] = []
    let start = self.width > 1 ? ThreadStart() : nil
    // One more where the caller takes no part.
    for _ in (ProcessGeneration.isOnSurvivor && self.width > 1 ? 0 : 1)..<self.width {
      if let thread = WorkerPool.thread(serving: queue, start) { threads.append(thread) }
    }
    self.threads = threads
  }

  /// What a thread is given. It holds the queue and not the pool, which would otherwise live as long as it waits.
  private final class Service {
    let queue: WorkerQueue
    let start: ThreadStart?

    init(_ queue: WorkerQueue, _ start: ThreadStart?) { (self.queue, self.start) = (queue, start) }
  }

  private static func thread(serving queue: WorkerQueue, _ start: ThreadStart?) -> pthread_t? {
    var thread = pthread_t()
    let service = Unmanaged.passRetained(Service(queue, start))
    let result = OwnThread.start(
      &thread, context: service.toOpaque(), prepare: { start?.set(&$0) },
      { context in
        guard let context else { return nil }
        let service = Unmanaged<Service>.fromOpaque(context).takeRetainedValue()
        service.start?.release()
        service.queue.serve()
        return nil
      })
    if result == 0 { return thread }
    service.release()
    // Where a thread may not be placed it may still be made.
    return start == nil ? nil : self.thread(serving: queue, nil)
  }

  /// Not in the child of a fork, which has none of the threads.
  package var isOfThisProcess: Bool { generation == ProcessGeneration.current }

  /// As many pieces as the machine has processors.
  package static var processorCount: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

  deinit {
    // In the child of a fork there are no such threads.
    guard isOfThisProcess else { return }
    queue.stop()
    // The last one to let go can be a job on one of them: a thread cannot wait for itself.
    for thread in threads {
      if pthread_equal(thread, pthread_self()) != 0 {
        assertDone(pthread_detach(thread))
      } else {
        assertDone(pthread_join(thread, nil))
      }
    }
  }

  /// Work for this pool; keeps it alive. Several threads may call it at the same time, and it may be used
  /// from inside itself.
  package var executor: Executor { executor { [width] in width } }

  /// The same, with as many pieces at once as `share` says each time there is work, `width` at most.
  package func executor(share: @escaping @Sendable () -> Int) -> Executor {
    let width = min(width, max(1, share()))
    let sleepers = min(threads.count, width - 1)
    let wake: (@Sendable () -> Void)? = sleepers > 0 ? { @Sendable [queue] in queue.wake(sleepers) } : nil
    return Executor(width: width, wake: wake) { [self] count, body in
      ParallelRun.run(count, width: max(1, share()), workers: threads.count, body) {
        queue.add($0)
        return true
      }
    }
  }
}

extension WorkerPool {
  /// Does a job soon on one of the threads, or at once where there are none.
  func add(_ job: @escaping @Sendable () -> Void) {
    if threads.isEmpty { job() } else { queue.add(job) }
  }
}

/// What waits to be done by the threads of a pool.
private final class WorkerQueue: Sendable {
  typealias Job = @Sendable () -> Void

  private struct State: Sendable {
    var jobs: [Job] = []
    /// Done when there are no others, from the last one on.
    var idle: [Job]
    var isStopping = false
    /// How often somebody asked that threads look for jobs; each remembers what it has heard of.
    var calls = 0
  }
  private let state: Monitor<State>

  init(whenIdle idle: [Job]) { state = Monitor(State(idle: idle.reversed())) }

  func add(_ job: @escaping Job) { state.change(waking: .one) { $0.jobs.append(job) } }

  /// Has threads that sleep look for jobs; they stay awake for a while when there are none yet.
  func wake(_ count: Int) {
    state.change(waking: .one) { $0.calls &+= 1 }
    for _ in 1..<count { state.change(waking: .one) { _ in } }
  }

  /// Threads end when what waits is done.
  func stop() { state.change(waking: .all) { $0.isStopping = true } }

  /// Does jobs until `stop`.
  func serve() {
    var heard = 0
    while let next = next(&heard) {
      if case .job(let job) = next { job() }
    }
  }

  private enum Next: Sendable {
    case job(Job)
    /// To wait anew, awake at first.
    case call
  }

  /// Waits for a job, or for a call since the one that was heard; nil when there will be none.
  private func next(_ heard: inout Int) -> Next? {
    let taken = state.wait(awake: ParallelRun.awake) { state -> Next?? in
      if !state.jobs.isEmpty { return .some(.job(state.jobs.removeFirst())) }
      if state.isStopping { return .some(nil) }
      if let job = state.idle.popLast() { return .some(.job(job)) }
      if state.calls == heard { return nil }
      heard = state.calls
      return .some(.call)
    }
    return taken ?? nil
  }
}
