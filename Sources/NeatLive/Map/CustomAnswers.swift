import NeatBase
import NeatLoop
import NeatMap
import NeatResource
import NeatStyle
import Synchronization

/// The tiles that an application gives for one source, on their way to the source's map. Any thread.
///
/// They are found by a number in a table of the process: an answer names no more than that, and may come when the
/// source, or its map, has gone.
package final class CustomAnswers: Sendable {
  struct Answer: Sendable {
    let tile: TileID
    let result: ResourceResult
    let beganAt: Int64

    var byteCount: Int { if case .data(let bytes) = result { bytes.count } else { 0 } }
  }

  private struct State {
    var waiting: [Answer] = []
    /// Of what came and is not cut yet.
    var count = 0
    var bytes = 0
  }

  /// Answers of one source that are not cut yet, and their bytes.
  package static let countLimit = 4096
  package static let byteLimit = 256 << 20

  private final class Table: Sendable {
    let open = Locked<[UInt64: CustomAnswers]>([:])
  }

  /// Never given twice in a process, nor in those forked from it.
  private static let next = Atomic<UInt64>(1)
  private static let current = PerProcess(Table())
  private static var table: Table { current.get { _ in Table() } }

  package let number: UInt64
  private let options: SourceSpec.CustomSource
  private let state = Locked(State())
  /// Has the loop take what is waiting.
  private let wake: @Sendable () -> Void

  init(_ options: SourceSpec.CustomSource, wake: @escaping @Sendable () -> Void) {
    number = CustomAnswers.next.wrappingAdd(1, ordering: .relaxed).oldValue
    self.options = options
    self.wake = wake
  }

  func open() { CustomAnswers.table.open.withLock { $0[number] = self } }

  func close() { _ = CustomAnswers.table.open.withLock { $0.removeValue(forKey: number) } }

  /// Gives a tile of a source. Throws `notFound` where the source has gone, `invalidArgument` for a tile that it does
  /// not have, `limitExceeded` where too much waits.
  package static func give(_ number: UInt64, _ tile: TileID, _ result: ResourceResult) throws(NeatError) {
    guard let answers = table.open.withLock({ $0[number] }) else {
      throw NeatError(.notFound, "no source has the number \(number): it has gone, or never was")
    }
    try answers.give(Answer(tile: tile, result: result, beganAt: SystemClock.microseconds))
  }

  private func give(_ answer: Answer) throws(NeatError) {
    guard options.has(answer.tile) else {
      throw NeatError(
        .invalidArgument,
        "tile \(answer.tile) is none of the source's, which are of zoom \(options.minZoom) to \(options.maxZoom)"
      )
    }
    guard answer.byteCount <= SourceSpec.CustomSource.byteLimit else {
      throw NeatError(
        .limitExceeded, "\(answer.byteCount) bytes of a tile: at most \(SourceSpec.CustomSource.byteLimit)")
    }
    let fault = state.withLock { state -> NeatError? in
      guard state.count < CustomAnswers.countLimit, state.bytes + answer.byteCount <= CustomAnswers.byteLimit
      else {
        return NeatError(.limitExceeded, "\(state.count) tiles of \(state.bytes) bytes wait to be taken")
      }
      state.waiting.append(answer)
      state.count += 1
      state.bytes += answer.byteCount
      return nil
    }
    if let fault { throw fault }
    wake()
  }

  /// What has come since.
  func take() -> [Answer] {
    state.withLock { state in
      defer { state.waiting = [] }
      return state.waiting
    }
  }

  /// One that was taken is cut, or dropped.
  func done(_ answer: Answer) {
    state.withLock { state in
      state.count -= 1
      state.bytes -= answer.byteCount
    }
  }
}
