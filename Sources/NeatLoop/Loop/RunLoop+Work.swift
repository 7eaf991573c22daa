import CUV
import NeatBase
import Synchronization

extension RunLoop {
  private final class Job {
    let body: @Sendable () -> Void
    let then: () -> Void

    init(_ body: @escaping @Sendable () -> Void, _ then: @escaping () -> Void) {
      self.body = body
      self.then = then
    }
  }

  /// Runs a closure on libuv's worker threads (as many as `UV_THREADPOOL_SIZE` says, else four), then another one on the loop.
  package func work(_ body: @escaping @Sendable () -> Void, then: @escaping () -> Void = {}) {
    let request = UnsafeMutablePointer<uv_work_t>.allocate(capacity: 1)
    request.pointee = uv_work_t()
    request.pointee.data = Unmanaged.passRetained(Job(body, then)).toOpaque()
    uv_queue_work(
      uv, request,
      { request in
        guard let data = request?.pointee.data else { return }
        Unmanaged<Job>.fromOpaque(data).takeUnretainedValue().body()
      },
      { request, _ in
        guard let request, let data = request.pointee.data else { return }
        request.deallocate()
        Unmanaged<Job>.fromOpaque(data).takeRetainedValue().then()
      })
  }

  /// Parallel work for calls from the loop's thread: the caller and `width - 1` workers share it.
  package func executor(width: Int) -> Executor {
    Executor(width: max(width, 1)) { [self] count, body in
      ParallelRun.run(count, helpers: min(width, count) - 1, body) { helper in self.work(helper) }
    }
  }
}

/// One call of `Executor.forEach`. Indices are handed out by a counter; the caller takes part, so it never waits for a worker that has not
/// begun. A worker that comes late finds no index left and does not touch the body, which is gone by then.
final class ParallelRun: Sendable {
  private let next = Atomic<Int>(0)
  private let count: Int
  /// Where the caller keeps the body; read only for an index that was handed out, so only while the caller waits.
  private let body: Body
  /// Indices that are done.
  private let done = Mutex(0)
  private let finished = Signal()

  private struct Body: @unchecked Sendable {
    let pointer: UnsafePointer<(Int) -> Void>

    // A call of its own, so that nothing of the closure is held when the index is reported as done.
    @inline(never) func call(_ index: Int) { pointer.pointee(index) }
  }

  private init(_ count: Int, _ body: Body) {
    self.count = count
    self.body = body
  }

  static func run(_ count: Int, helpers: Int, _ body: (Int) -> Void, start: (@escaping @Sendable () -> Void) -> Void) {
    withoutActuallyEscaping(body) { body in
      withUnsafePointer(to: body) { pointer in
        let run = ParallelRun(count, Body(pointer: pointer))
        for _ in 0..<max(helpers, 0) { start { run.takePart() } }
        run.takePart()
        run.finished.wait()
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
