import NeatBase
import NeatLoop

extension RunLoop {
  /// Runs turns until a condition holds, which is asked once a turn; false where it has not in time. A turn waits
  /// for no more than some milliseconds: what is waited for may happen on another thread, of which this loop
  /// hears nothing.
  package func run(seconds: UInt64 = 30, until isDone: () -> Bool) -> Bool {
    let deadline = Deadline.after(ms: seconds * 1000)
    while !isDone() {
      if deadline.isOver { return false }
      let timer = timer(afterMS: 10) {}
      runOnce()
      timer.cancel()
    }
    return true
  }
}
