import NeatRaster
import Synchronization

/// Whether the pictures of a renderer become PNGs. Where the last ones did, the next one is compressed as it is drawn:
/// no thread waits in between. To the file it makes no difference; where the picture becomes none after all, the work
/// was in vain, and the next ones are drawn alone.
package final class EncodingHabit: Sendable {
  /// Pictures in a row that became files, after which the next is expected to.
  private static let formedAfter = 2

  private let inARow = Atomic(0)
  /// Pictures that were compressed as they were drawn, and whose files were not asked for yet.
  private let pending = Atomic(0)
  private let pendingLimit: Int

  /// - Parameter pendingLimit: pictures that are compressed before any of them becomes a file: they take memory.
  init(pendingLimit: Int) { self.pendingLimit = pendingLimit }

  /// Whether the next picture will most likely become a file.
  var isFormed: Bool { inARow.load(ordering: .relaxed) >= EncodingHabit.formedAfter }

  /// A file that is made ahead; what is made of it keeps it, and with it the pixels.
  final class Expectation: Sendable {
    private let habit: EncodingHabit
    private let bitmap: Bitmap

    fileprivate init(_ habit: EncodingHabit, _ bitmap: Bitmap) { (self.habit, self.bitmap) = (habit, bitmap) }

    deinit { habit.pending.subtract(1, ordering: .relaxed) }
  }

  /// nil where a picture is not to be compressed as it is drawn.
  func expectFile(of bitmap: Bitmap) -> Expectation? {
    guard isFormed else { return nil }
    if pending.add(1, ordering: .relaxed).newValue <= pendingLimit { return Expectation(self, bitmap) }
    pending.subtract(1, ordering: .relaxed)
    return nil
  }

  /// A picture has become a file, or is gone and became none.
  package func settle(becameFile: Bool) {
    if becameFile {
      if !isFormed { inARow.add(1, ordering: .relaxed) }
    } else {
      inARow.store(0, ordering: .relaxed)
    }
  }
}
