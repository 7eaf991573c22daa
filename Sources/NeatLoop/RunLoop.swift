// A libuv loop: timers, work on other threads, and wake-ups. Whoever calls run, runOnce or runNoWait is the
// loop's thread for that time; all but post, stop and wake belong to it. A host with a loop of its own
// watches backendFD and waits no longer than backendTimeoutMS, then calls runNoWait.
import CUV
import NeatBase

/// Any thread may hold one; `inbox` is locked, and all else checks in debug builds that it is on the loop's
/// thread.
package final class RunLoop: @unchecked Sendable {
  package let uv: UnsafeMutablePointer<uv_loop_t>
  private let wakeup: UnsafeMutablePointer<uv_async_t>
  private(set) var isClosed = false
  /// Threads for `work`, made when first used.
  var workers: WorkerPool?
  /// What later floors keep with the loop, by its type, and how each is ended.
  private var attached: [ObjectIdentifier: (object: AnyObject, close: () -> Void)] = [:]

  let inbox: LoopInbox
  let thread = LoopThread()

  /// Throws `io` if the system refuses a loop.
  package init() throws(NeatError) {
    // Nothing of the object is set before both are made: its `deinit` closes what the object has.
    let (loop, wakeup) = try RunLoop.opened()
    uv = loop
    self.wakeup = wakeup
    inbox = LoopInbox(wakeup)
    wakeup.pointee.data = Unmanaged.passUnretained(self).toOpaque()
  }

  private static func opened() throws(NeatError) -> (
    UnsafeMutablePointer<uv_loop_t>, UnsafeMutablePointer<uv_async_t>
  ) {
    // With the first loop of a process libuv makes a pipe for signals, and ends the process if it cannot.
    do throws(NeatError) { try Descriptors.requirePair() } catch {
      throw NeatError(.io, "no event loop: \(error.message)")
    }
    let loop = UnsafeMutableRawPointer.allocate(byteCount: uv_loop_size(), alignment: 16).bindMemory(
      to: uv_loop_t.self, capacity: 1)
    let wakeup = UnsafeMutablePointer<uv_async_t>.allocate(capacity: 1)
    var result = uv_loop_init(loop)
    if result == 0 {
      result = uv_async_init(loop, wakeup) { handle in
        guard let data = handle?.pointee.data else { return }
        Unmanaged<RunLoop>.fromOpaque(data).takeUnretainedValue().drain()
      }
      // A loop without handles closes.
      if result != 0 { closed(loop) }
    }
    guard result == 0 else {
      loop.deallocate()
      wakeup.deallocate()
      throw NeatError(.io, "no event loop: \(message(result))")
    }
    return (loop, wakeup)
  }

  private static func closed(_ loop: UnsafeMutablePointer<uv_loop_t>) {
    let result = uv_loop_close(loop)
    assert(result == 0, "a loop is closed with handles that are open: \(message(result))")
  }

  deinit {
    close()
    uv.deallocate()
    wakeup.deallocate()
  }

  static func message(_ code: Int32) -> String {
    uv_strerror(code).map { String(cString: $0) } ?? "error \(code)"
  }

  // MARK: Running

  /// Runs until `stop`.
  package func run() { _ = turn(UV_RUN_DEFAULT) }

  /// Waits for something to happen, and lets it; false when nothing is left that could.
  @discardableResult package func runOnce() -> Bool { turn(UV_RUN_ONCE) != 0 }

  /// Lets happen what is due, without waiting.
  @discardableResult package func runNoWait() -> Bool { turn(UV_RUN_NOWAIT) != 0 }

  /// Debug builds end the process where what belongs to the loop's thread is done on another one.
  func check() { assert(thread.isHere, "a loop is used on another thread than its own") }

  private func turn(_ mode: uv_run_mode) -> Int32 { thread.run { uv_run(uv, mode) } }

  /// Ends `run` soon. Any thread.
  package func stop() {
    post { [self] in uv_stop(uv) }
  }

  /// Readable when `runNoWait` has something to do, for a host's own loop.
  package var backendFD: Int32 { uv_backend_fd(uv) }

  /// Milliseconds until a timer is due; -1: none is.
  package var backendTimeoutMS: Int32 { uv_backend_timeout(uv) }

  /// The loop's time in milliseconds, as of the last turn.
  package var nowMS: UInt64 {
    check()
    return uv_now(uv)
  }

  /// Brings the loop's time up to date, for work between turns, and returns it.
  package func updateNowMS() -> UInt64 {
    check()
    uv_update_time(uv)
    return uv_now(uv)
  }

  /// Runs a closure on the loop's thread at its next turn; false when the loop is closed. Any thread.
  @discardableResult
  package func post(_ work: @escaping @Sendable () -> Void) -> Bool { inbox.post(work) }

  private func drain() { for item in inbox.take() { item() } }

  /// Ends all that goes on; requests settle as cancelled. On the loop's thread, or when none runs it.
  package func close() {
    guard !isClosed else { return }
    isClosed = true
    // Held until each has ended: nobody else may hold them.
    let ending = Array(attached.values)
    attached.removeAll()
    for entry in ending { entry.close() }
    // Work that has begun ends, and what follows it comes before the inbox closes.
    workers = nil
    inbox.close()
    drain()
    uv_close(RunLoop.handle(wakeup), nil)
    uv_walk(
      uv,
      { handle, _ in
        guard let handle, uv_is_closing(handle) == 0 else { return }
        uv_close(handle, handle.pointee.type == UV_TIMER ? { LoopTimer.release($0) } : nil)
      }, nil)
    while turn(UV_RUN_DEFAULT) != 0 {}
    RunLoop.closed(uv)
  }

  /// Has the loop run what is posted. Any thread.
  static func wake(_ wakeup: UnsafeMutablePointer<uv_async_t>) {
    let result = uv_async_send(wakeup)
    assert(result == 0, "a loop cannot be woken: \(message(result))")
  }

  package static func handle<T>(_ pointer: UnsafeMutablePointer<T>) -> UnsafeMutablePointer<uv_handle_t> {
    UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: uv_handle_t.self)
  }

  // MARK: What is kept with a loop

  /// The object of this type that is kept with the loop. On the loop's thread.
  package func attached<T: AnyObject>(_ type: T.Type) -> T? {
    check()
    return attached[ObjectIdentifier(type)]?.object as? T
  }

  /// Keeps an object, one of its type, until the loop closes, which calls `close`. On the loop's thread.
  package func attach<T: AnyObject>(_ object: T, close: @escaping () -> Void) {
    check()
    attached[ObjectIdentifier(T.self)] = (object, close)
  }

  // MARK: Timers

  /// Calls a closure on the loop after some milliseconds, then again every `repeatMS` if that is not 0, until
  /// cancelled.
  @discardableResult
  package func timer(afterMS: UInt64, repeatMS: UInt64 = 0, _ body: @escaping () -> Void) -> LoopTimer {
    check()
    uv_update_time(uv)
    // A host that waits on `backendFD` asked how long before this timer was there, and libuv does not watch a
    // new socket before its next turn either: it is woken.
    if !isClosed, !thread.isRunning { RunLoop.wake(wakeup) }
    return LoopTimer(uv, afterMS, repeatMS, body)
  }
}

/// A timer of a loop; only for the loop's thread.
package final class LoopTimer {
  private var handle: UnsafeMutablePointer<uv_timer_t>?
  private var body: (() -> Void)?
  private let repeats: Bool

  init(
    _ loop: UnsafeMutablePointer<uv_loop_t>, _ afterMS: UInt64, _ repeatMS: UInt64,
    _ body: @escaping () -> Void
  ) {
    self.body = body
    repeats = repeatMS > 0
    let timer = UnsafeMutablePointer<uv_timer_t>.allocate(capacity: 1)
    handle = timer
    // unchecked: libuv sets members of the handle alone, and gives 0 at all times.
    uv_timer_init(loop, timer)
    timer.pointee.data = Unmanaged.passRetained(self).toOpaque()
    let result = uv_timer_start(
      timer,
      { handle in
        guard let data = handle?.pointee.data else { return }
        Unmanaged<LoopTimer>.fromOpaque(data).takeUnretainedValue().fire()
      }, afterMS, repeatMS)
    assert(result == 0, "a timer does not start: \(RunLoop.message(result))")
  }

  private func fire() {
    let action = body
    if !repeats { cancel() }
    action?()
  }

  package func cancel() {
    body = nil
    guard let handle else { return }
    self.handle = nil
    // unchecked: libuv gives 0 at all times.
    uv_timer_stop(handle)
    if uv_is_closing(RunLoop.handle(handle)) == 0 {
      uv_close(RunLoop.handle(handle)) { LoopTimer.release($0) }
    }
  }

  /// The memory of a closed timer, and its hold on the object.
  static func release(_ handle: UnsafeMutablePointer<uv_handle_t>?) {
    guard let handle else { return }
    if let data = handle.pointee.data {
      let timer = Unmanaged<LoopTimer>.fromOpaque(data).takeRetainedValue()
      timer.handle = nil
      timer.body = nil
    }
    UnsafeMutableRawPointer(handle).deallocate()
  }
}

/// What other threads want to be done on a loop. Outlives the loop, which it then refuses for.
final class LoopInbox: Sendable {
  private struct State: @unchecked Sendable {  // only ever under the lock
    var work: [@Sendable () -> Void] = []
    /// nil: closed.
    var wakeup: UnsafeMutablePointer<uv_async_t>?
  }
  private let state: Locked<State>

  init(_ wakeup: UnsafeMutablePointer<uv_async_t>) { state = Locked(State(wakeup: wakeup)) }

  /// False when the loop is closed. Any thread.
  @discardableResult func post(_ work: @escaping @Sendable () -> Void) -> Bool {
    state.withLock { state in
      guard let wakeup = state.wakeup else { return false }
      state.work.append(work)
      // Under the lock, so that close cannot come between.
      RunLoop.wake(wakeup)
      return true
    }
  }

  func take() -> [@Sendable () -> Void] {
    state.withLock { state in
      defer { state.work.removeAll() }
      return state.work
    }
  }

  func close() { state.withLock { $0.wakeup = nil } }
}
