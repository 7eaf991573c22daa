import NeatBase

/// Threads that share parallel work, for callers on any thread and without a loop.
package final class WorkerPool: @unchecked Sendable {
  package static let maxWidth = 256

  private let mutex: UnsafeMutablePointer<pthread_mutex_t> = .allocate(capacity: 1)
  private let condition: UnsafeMutablePointer<pthread_cond_t> = .allocate(capacity: 1)
  private var jobs: [() -> Void] = []
  private var isStopping = false
  private var threads: [pthread_t] = []
  private let width: Int

  /// A pool in which `width` pieces run at once, the caller's own among them: `width - 1` threads start, fewer where the system refuses.
  package init(width: Int) {
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(condition, nil)
    self.width = min(max(width, 1), WorkerPool.maxWidth)
    for _ in 1..<max(self.width, 1) {
      var thread = pthread_t()
      let context = Unmanaged.passUnretained(self).toOpaque()
      let result = pthread_create(
        &thread, nil,
        { context in
          if let context { Unmanaged<WorkerPool>.fromOpaque(context).takeUnretainedValue().serve() }
          return nil
        }, context)
      if result == 0 { threads.append(thread) }
    }
  }

  /// As many pieces as the machine has processors.
  package static var processorCount: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

  deinit {
    pthread_mutex_lock(mutex)
    isStopping = true
    pthread_cond_broadcast(condition)
    pthread_mutex_unlock(mutex)
    for thread in threads { pthread_join(thread, nil) }
    pthread_cond_destroy(condition)
    pthread_mutex_destroy(mutex)
    condition.deallocate()
    mutex.deallocate()
  }

  /// Work for this pool; keeps it alive. Several threads may call it at the same time, and it may be used from inside itself.
  package var executor: Executor {
    Executor(width: width) { [self] count, body in
      ParallelRun.run(count, helpers: min(threads.count, count - 1), body) { helper in self.add(helper) }
    }
  }

  private func add(_ job: @escaping @Sendable () -> Void) {
    pthread_mutex_lock(mutex)
    jobs.append(job)
    pthread_cond_signal(condition)
    pthread_mutex_unlock(mutex)
  }

  private func serve() {
    while true {
      pthread_mutex_lock(mutex)
      while jobs.isEmpty && !isStopping { pthread_cond_wait(condition, mutex) }
      if jobs.isEmpty {
        pthread_mutex_unlock(mutex)
        return
      }
      let job = jobs.removeFirst()
      pthread_mutex_unlock(mutex)
      job()
    }
  }
}
