import NeatBase
import NeatLoop
import Synchronization
import Testing

@Suite struct RunLoopTests {
  private final class Log: @unchecked Sendable {
    var lines: [String] = []
  }

  @Test func timersFireInOrderRepeatAndCanBeCancelled() throws {
    let loop = try RunLoop()
    let log = Log()
    loop.timer(afterMS: 20) { log.lines.append("b") }
    loop.timer(afterMS: 1) { log.lines.append("a") }
    let never = loop.timer(afterMS: 5) { log.lines.append("never") }
    never.cancel()
    var ticks = 0
    var ticker: LoopTimer?
    ticker = loop.timer(afterMS: 2, repeatMS: 2) {
      ticks += 1
      if ticks == 3 { ticker?.cancel() }
    }
    loop.timer(afterMS: 60) { loop.stop() }
    loop.run()
    #expect(log.lines == ["a", "b"])
    #expect(ticks == 3)
    loop.close()
  }

  @Test func otherThreadsWakeTheLoop() throws {
    let loop = try RunLoop()
    let pool = WorkerPool(width: 4)
    let sum = Mutex(0)
    loop.timer(afterMS: 1) {
      pool.executor.forEach(100) { index in
        loop.post {
          let total = sum.withLock { sum -> Int in
            sum += index
            return sum
          }
          if total == 4950 { loop.stop() }
        }
      }
    }
    loop.run()
    #expect(sum.withLock { $0 } == 4950)
    loop.close()
    #expect(!loop.post {})
  }

  @Test func aHostCanDriveTheLoop() throws {
    let loop = try RunLoop()
    let log = Log()
    loop.timer(afterMS: 10) { log.lines.append("timer") }
    #expect(loop.backendFD >= 0)
    #expect(loop.backendTimeoutMS <= 10)
    var polls = 0
    while log.lines.isEmpty && polls < 100 {
      var descriptor = pollfd(fd: loop.backendFD, events: Int16(POLLIN), revents: 0)
      poll(&descriptor, 1, max(loop.backendTimeoutMS, 0))
      loop.runNoWait()
      polls += 1
    }
    #expect(log.lines == ["timer"])
    loop.close()
  }

  @Test func workRunsElsewhereAndReportsOnTheLoop() throws {
    let loop = try RunLoop()
    let here = UInt(pthread_self())
    let there = Mutex<UInt>(0)
    var back: UInt = 0
    loop.work({ there.withLock { $0 = UInt(pthread_self()) } }) {
      back = UInt(pthread_self())
      loop.stop()
    }
    loop.run()
    #expect(there.withLock { $0 } != here && back == here)
    loop.close()
  }

  @Test func executorsCallEachIndexOnce() throws {
    let loop = try RunLoop()
    let pool = WorkerPool(width: 3)
    for executor in [loop.executor(width: 4), pool.executor, WorkerPool(width: 1).executor] {
      for count in [0, 1, 2, 7, 1000] {
        let seen = Mutex([Int](repeating: 0, count: count))
        executor.forEach(count) { index in seen.withLock { $0[index] += 1 } }
        #expect(seen.withLock { $0.allSatisfy { $0 == 1 } })
      }
    }
    // Inside itself: the caller takes part, so nothing waits for a thread that is busy.
    let total = Mutex(0)
    pool.executor.forEach(8) { _ in pool.executor.forEach(8) { _ in total.withLock { $0 += 1 } } }
    #expect(total.withLock { $0 } == 64)
    loop.close()
  }

  /// In their order, each once, and never in the way of the end.
  @Test func threadsThatAreIdleDoWhatWasLeftForThem() {
    let done = Mutex<[Int]>([])
    let jobs = (0..<5).map { number in { @Sendable () -> Void in done.withLock { $0.append(number) } } }
    let pool = WorkerPool(width: 2, whenIdle: jobs)
    let sum = Mutex(0)
    pool.executor.forEach(50) { index in sum.withLock { $0 += index } }
    #expect(sum.withLock { $0 } == 1225)
    for _ in 0..<5000 where done.withLock({ $0.count }) < 5 { usleep(1000) }
    #expect(done.withLock { $0 } == [0, 1, 2, 3, 4])
    // Whether or not they were begun.
    for _ in 0..<20 { _ = WorkerPool(width: 3, whenIdle: Array(repeating: { usleep(10) }, count: 100)) }
    #expect(WorkerPool(width: 1, whenIdle: jobs).width == 1 && done.withLock { $0.count } == 5)
  }

  /// Threads that were told of work that is to come look for it, sleep again, and end with their pool.
  @Test func threadsThatAreWokenBeforehandDoTheWork() {
    for rest: UInt32 in [0, 100, 1000] {
      let pool = WorkerPool(width: 3)
      for _ in 0..<20 {
        for _ in 0..<5 { pool.executor.expectWork() }
        usleep(rest)
        let sum = Mutex(0)
        pool.executor.forEach(50) { index in sum.withLock { $0 += index } }
        #expect(sum.withLock { $0 } == 1225)
        pool.executor.expectWork()
      }
    }
    // Where nobody sleeps there is nothing to do.
    Executor.inline.expectWork()
    WorkerPool(width: 1).executor.expectWork()
  }
}
