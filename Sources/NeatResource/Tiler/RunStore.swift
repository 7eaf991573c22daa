import NeatBase
import NeatStore
import NeatTile

/// Runs that come from many threads: in memory up to a limit, in nameless files of a folder past it. Any thread.
final class RunStore: Sendable {
  private struct State {
    var runs: [RecordRun] = []
    var bytes = 0
    var files: [RunFile] = []
  }

  private let folder: String
  private let limit: Int
  private let state = Locked(State())

  init(folder: String, limit: Int) {
    self.folder = folder
    self.limit = limit
  }

  /// Throws `io` where the folder takes no more.
  func add(_ run: RecordRun) throws(NeatError) {
    let full = state.withLock { state -> [RecordRun] in
      state.runs.append(run)
      state.bytes += run.byteCount
      guard state.bytes > limit else { return [] }
      defer {
        state.runs = []
        state.bytes = 0
      }
      return state.runs
    }
    guard !full.isEmpty else { return }
    add(try RunMerge(full.map { RunCursor($0) }).write(RunFileWriter(temporaryIn: folder)))
    try join()
  }

  /// Makes files fewer where there are too many to be open at once.
  private func join() throws(NeatError) {
    while let some = tooMany() {
      var cursors: [RunCursor] = []
      for file in some { cursors.append(try RunCursor(file)) }
      add(try RunMerge(cursors).write(RunFileWriter(temporaryIn: folder)))
    }
  }

  func add(_ file: RunFile) { state.withLock { $0.files.append(file) } }

  /// All records of some tiles in their order.
  func merge(_ range: Range<UInt64> = 0..<UInt64.max) throws(NeatError) -> RunMerge {
    try join()
    let (runs, files) = state.withLock { ($0.runs, $0.files) }
    var cursors = runs.map { RunCursor($0, range) }
    for file in files { cursors.append(try RunCursor(file, range)) }
    return RunMerge(cursors)
  }

  /// Bytes of records from each tile on.
  func weights() -> [(tile: UInt64, bytes: Int)] {
    let (runs, files) = state.withLock { ($0.runs, $0.files) }
    var weights = files.flatMap(\.weights)
    for run in runs {
      // As fine as those of files.
      for start in stride(from: 0, to: run.count, by: 1024) {
        let end = min(start + 1024, run.count)
        let bytes = (start..<end).reduce(0) { $0 + run.records[$1].count }
        weights.append((run.records[start].key.tile, bytes))
      }
    }
    return weights.sorted { $0.tile < $1.tile }
  }

  /// Takes files out that are to become one.
  private func tooMany() -> [RunFile]? {
    state.withLock { state in
      guard state.files.count > RunMerge.width else { return nil }
      let some = Array(state.files.prefix(RunMerge.width))
      state.files.removeFirst(RunMerge.width)
      return some
    }
  }
}
