import NeatBase

/// Bands that threads draw, with work that follows them: who finds no band left does what there are rows for. So no
/// thread waits for the last band before the next thing is begun.
package final class FollowedBands: Sendable {
  /// Where bands begin, and the end of the last one.
  private let starts: [Int]
  private let follower: any RowFollower
  private let atLast: (@Sendable () -> Void)?
  private let state: Locked<State>

  private struct State: Sendable {
    var nextBand = 0
    var isDrawn: [Bool]
    /// Pieces that nobody has begun: those whose rows are not all drawn, and the others, the first one last.
    var waiting: [Int]
    var ready: [Int] = []
    /// Whether a thread has waited for rows in vain: no other one does.
    var hasGivenUp = false
    /// Whether somebody does what comes at last.
    var isEnding = false
  }

  /// Nanoseconds for which a thread waits, awake, for rows that another one draws.
  private static let patience: UInt64 = 200_000

  /// - Parameter atLast: done once, when all is drawn and all pieces are begun.
  package init(_ starts: [Int], _ follower: any RowFollower, atLast: (@Sendable () -> Void)? = nil) {
    (self.starts, self.follower, self.atLast) = (starts, follower, atLast)
    state = Locked(
      State(
        isDrawn: Array(repeating: false, count: starts.count - 1),
        waiting: Array((0..<follower.pieceCount).reversed())))
  }

  /// Returns when all is drawn and done.
  package func run(_ executor: Executor, _ draw: @Sendable (Int) -> Void) {
    let stepCount = starts.count - 1 + follower.pieceCount + (atLast == nil ? 0 : 1)
    executor.forEach(stepCount) { [self] _ in step(draw) }
    // What is left where threads gave up; with all rows drawn none waits.
    let left = state.withLock { $0.ready.count }
    executor.forEach(left) { [self] _ in
      if case .piece(let piece) = takePiece() { follower.work(piece) }
    }
    assert(state.withLock { $0.waiting.isEmpty && $0.ready.isEmpty }, "pieces that nobody did")
    endOnce()
    follower.end()
  }

  /// One band or piece.
  private func step(_ draw: (Int) -> Void) {
    if let band = takeBand() {
      draw(band)
      return noteDrawn(band)
    }
    var end: UInt64?
    while true {
      switch takePiece() {
      case .piece(let piece): return follower.work(piece)
      case .nothing: return endOnce()
      case .later:
        let now = MonotonicClock.nanoseconds
        let last = end ?? now + FollowedBands.patience
        if now >= last { return state.withLock { $0.hasGivenUp = true } }
        end = last
        sched_yield()
      }
    }
  }

  private func takeBand() -> Int? {
    state.withLock { state in
      guard state.nextBand < starts.count - 1 else { return nil }
      defer { state.nextBand += 1 }
      return state.nextBand
    }
  }

  private func noteDrawn(_ band: Int) {
    state.withLock { state in
      state.isDrawn[band] = true
      let missing = state.isDrawn.indices.filter { !state.isDrawn[$0] }.map { starts[$0]..<starts[$0 + 1] }
      let first = state.waiting.partition { [follower] piece in
        let rows = follower.rows(of: piece)
        return !missing.contains { $0.overlaps(rows) }
      }
      state.ready = (state.ready + state.waiting[first...]).sorted(by: >)
      state.waiting.removeSubrange(first...)
    }
  }

  /// Does what comes at last, where it is for the caller to do.
  private func endOnce() {
    guard let atLast else { return }
    let isOurs = state.withLock { state in
      guard !state.isEnding, state.waiting.isEmpty, state.ready.isEmpty, state.isDrawn.allSatisfy(\.self)
      else { return false }
      state.isEnding = true
      return true
    }
    if isOurs { atLast() }
  }

  private enum Taken: Sendable {
    case piece(Int)
    /// Those that are left need rows that are not drawn yet.
    case later
    case nothing
  }

  private func takePiece() -> Taken {
    state.withLock { state in
      if let piece = state.ready.popLast() { return .piece(piece) }
      return state.waiting.isEmpty || state.hasGivenUp ? .nothing : .later
    }
  }
}
