import Synchronization

/// Whether the pictures of a renderer become PNGs. Where the last ones did, the next one is compressed as it is drawn:
/// no thread waits in between. To the file it makes no difference; where the picture becomes none after all, the work
/// was in vain, and the next ones are drawn alone.
package final class EncodingHabit: Sendable {
  /// Pictures in a row that became files, after which the next is expected to.
  private static let formedAfter = 2

  private let inARow = Atomic(0)
  /// Pictures that were compressed as they were drawn, and have become no files yet.
  private let pending = Atomic(0)
  private let pendingLimit: Int

  /// - Parameter pendingLimit: pictures that are compressed before any of them becomes a file: they take memory.
  init(pendingLimit: Int) { self.pendingLimit = pendingLimit }

  /// Whether the next picture will most likely become a file.
  var isFormed: Bool { inARow.load(ordering: .relaxed) >= EncodingHabit.formedAfter }

  /// Whether a picture is compressed as it is drawn. If so it is settled later.
  func expectFile() -> Bool {
    guard isFormed else { return false }
    if pending.add(1, ordering: .relaxed).newValue <= pendingLimit { return true }
    pending.subtract(1, ordering: .relaxed)
    return false
  }

  /// A picture has become a file, or is gone and became none.
  /// - Parameter wasExpected: whether it was compressed as it was drawn.
  package func settle(becameFile: Bool, wasExpected: Bool) {
    if wasExpected { pending.subtract(1, ordering: .relaxed) }
    if becameFile {
      if !isFormed { inARow.add(1, ordering: .relaxed) }
    } else {
      inARow.store(0, ordering: .relaxed)
    }
  }
}
