import NeatBase
import Synchronization

/// Asks a caller, on the thread that made this and on no other, whether work is to go on; any thread may look.
package final class TilerCancellation: Sendable {
  private let thread = pthread_self()
  private nonisolated(unsafe) let goesOn: () -> Bool
  private let isOver = Atomic(false)

  /// `goesOn`: called on this thread only; false ends the work.
  package init(_ goesOn: @escaping () -> Bool) { self.goesOn = goesOn }

  var isCancelled: Bool {
    if pthread_equal(thread, pthread_self()) != 0, !isOver.load(ordering: .relaxed), !goesOn() {
      isOver.store(true, ordering: .relaxed)
    }
    return isOver.load(ordering: .relaxed)
  }
}
