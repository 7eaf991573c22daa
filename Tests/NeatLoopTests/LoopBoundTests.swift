import NeatBase
import NeatLoop
import Synchronization
import Testing

@Suite struct LoopBoundTests {
  /// Not Sendable: only its loop's thread may touch it.
  private final class Counter {
    var count = 0
  }

  @Test func aValueOfALoopIsCarriedByOtherThreadsAndSeenByItsOwn() throws {
    let loop = try RunLoop()
    defer { loop.close() }
    let bound = LoopBound(Counter(), loop)
    bound.value.count += 1
    let done = Atomic<Int>(0)
    for _ in 0..<10 {
      loop.work({ _ = bound }, then: { bound.value.count += 1 })
      loop.post {
        bound.value.count += 1
        done.add(1, ordering: .relaxed)
      }
    }
    let deadline = Deadline.after(ms: 10_000)
    while bound.value.count < 21, !deadline.isOver { loop.runOnce() }
    #expect(bound.value.count == 21 && done.load(ordering: .relaxed) == 10)
  }

  @Test(.enabled(if: _isDebugAssertConfiguration(), "debug builds check"))
  func anotherThreadThanTheLoopsIsRefused() async {
    await #expect(processExitsWith: .failure) {
      let loop = try RunLoop()
      let bound = LoopBound(1, loop)
      let begun = Signal()
      loop.post { begun.set() }
      let thread = LoopThreadForTests(loop)
      _ = begun.wait(until: .never)
      print(bound.value)
      withExtendedLifetime(thread) {}
    }
  }
}

/// Runs a loop on a thread of its own, for good.
private final class LoopThreadForTests {
  init(_ loop: RunLoop) {
    var thread = pthread_t()
    let context = Unmanaged.passRetained(loop).toOpaque()
    pthread_create(
      &thread, nil,
      { context in
        let loop = Unmanaged<RunLoop>.fromOpaque(context!).takeRetainedValue()
        while true { loop.runOnce() }
      }, context)
  }
}
