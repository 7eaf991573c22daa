import NeatBase
import NeatLoop
import NeatNetwork
import NeatStore

/// The downloads under way into one database, and the thread that they share. Any thread.
final class RegionDownloads: Sendable {
  private struct State: Sendable {
    var thread: HTTPThread?
    var active: [Int64: RegionDownload] = [:]
  }

  private let state = Locked(State())

  /// Throws `state` where the region is being downloaded already, `io` where there is no thread to be had.
  func begin(_ region: Int64, _ make: (HTTPThread) -> RegionDownload) throws(NeatError) -> RegionDownload {
    try state.withLock { state throws(NeatError) in
      guard state.active[region] == nil else {
        throw NeatError(.state, "region \(region) is being downloaded already")
      }
      let thread: HTTPThread
      if let known = state.thread { thread = known } else { thread = try HTTPThread() }
      state.thread = thread
      let download = make(thread)
      state.active[region] = download
      return download
    }
  }

  func end(_ region: Int64, _ download: RegionDownload) {
    state.withLock { state in
      if state.active[region] === download { state.active[region] = nil }
    }
  }

  func active(_ region: Int64) -> RegionDownload? { state.withLock { $0.active[region] } }
}

/// A region's download. Goes on until it is whole, cannot go on, or is stopped. Any thread.
package final class RegionDownload: Sendable {
  package let region: Int64
  private let thread: HTTPThread
  private let registry: RegionDownloads
  private struct State: Sendable {
    var status = RegionStatus()
    var run: LoopBound<RegionRun>?
    var hasEnded = false
    var isStopped = false
    /// Stopped from within what it tells: that was the last.
    var isSilent = false
    /// The thread that tells, once it does.
    var teller: pthread_t?
  }
  private let state: Locked<State>
  private let ended = Signal()

  init(_ region: Int64, _ thread: HTTPThread, _ registry: RegionDownloads) {
    self.region = region
    self.thread = thread
    self.registry = registry
    var state = State()
    state.status.state = .active
    self.state = Locked(state)
  }

  /// Begins; `make` is called on the thread.
  func start(
    _ make: @escaping @Sendable (RunLoop, @escaping (RegionEvent) -> Void) -> RegionRun,
    _ tell: @escaping @Sendable (RegionEvent) -> Void
  ) {
    let loop = thread.loop
    loop.post { [self] in
      let isStopped = state.withLock { state in
        state.teller = pthread_self()
        return state.isStopped
      }
      guard !isStopped else { return end() }
      let run = make(loop) { [weak self] event in
        guard let self else { return }
        var isLast = false
        if case .status(let status) = event {
          note(status)
          isLast = status.state != .active
        }
        // Whoever hears of the end may begin anew.
        if isLast { registry.end(region, self) }
        if !isSilent { tell(event) }
        if isLast { end() }
      }
      let bound = LoopBound(run, loop)
      state.withLock { $0.run = bound }
      run.begin()
    }
  }

  private var isSilent: Bool { state.withLock(\.isSilent) }

  private func note(_ status: RegionStatus) { state.withLock { $0.status = status } }

  /// After the last event.
  private func end() {
    let isFirst = state.withLock { state in
      defer { state.hasEnded = true }
      if state.status.state == .active { state.status.state = .inactive }
      state.run = nil
      return !state.hasEnded
    }
    guard isFirst else { return }
    registry.end(region, self)
    ended.set()
  }

  /// The last status that was told.
  package var status: RegionStatus { state.withLock(\.status) }

  /// Waits until it has ended, or the deadline; whether it has ended.
  @discardableResult
  package func wait(until deadline: Deadline = .never) -> Bool { ended.wait(until: deadline) }

  /// Ends it: what came is kept, and nothing is told after this returns. From within what it tells, that was the
  /// last.
  package func stop() {
    let (isTeller, run) = state.withLock { state in
      state.isStopped = true
      let isTeller = state.teller.map { pthread_equal($0, pthread_self()) != 0 } ?? false
      if isTeller { state.isSilent = true }
      return (isTeller, state.run)
    }
    guard !ended.wait(until: .after(ms: 0)) else { return }
    if isTeller {
      if let run { run.value.stop() }
      return end()
    }
    let isPosted = thread.loop.post { [self] in
      let run = state.withLock(\.run)
      if let run { run.value.stop() } else { end() }
    }
    guard isPosted else { return end() }
    ended.wait()
  }
}
