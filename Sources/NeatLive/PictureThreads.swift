import NeatBase
import NeatLoop

/// The threads of a renderer or a map, lent to the pictures that it made: they may outlive it, and do not keep it.
package final class PictureThreads: Sendable {
  // Set once; the runtime empties it, and reads it whole on any thread.
  private nonisolated(unsafe) weak var pool: WorkerPool?
  private let isShared: Bool
  /// What becomes of the pictures.
  package let habit: EncodingHabit
  /// What the renderer or map holds is taken from it, and so is what making a file of its pictures takes.
  package let memory: MemoryBudget

  /// - Parameter isShared: whether pictures that are worked on at a time share the threads.
  init(_ pool: WorkerPool, isShared: Bool, memory: MemoryBudget) {
    self.pool = pool
    self.memory = memory
    self.isShared = isShared
    habit = EncodingHabit(pendingLimit: pool.width)
  }

  /// Works on a picture that is drawn, with the threads that are left; on the caller's alone where they have ended.
  package func working<T>(_ body: (Executor) throws(NeatError) -> T) throws(NeatError) -> T {
    guard let pool, pool.isOfThisProcess else { return try body(.inline) }
    let pictures = PicturesAtWork.current
    return try pictures.working { () throws(NeatError) in
      guard isShared else { return try body(pool.executor) }
      return try body(pool.executor { [threads = pool.width] in pictures.share(of: threads) })
    }
  }
}
