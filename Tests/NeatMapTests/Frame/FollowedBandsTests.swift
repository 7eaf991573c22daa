import Glibc
import NeatBase
import NeatLoop
import NeatMap
import Testing

/// Work that follows bands as they are drawn.
@Suite struct FollowedBandsTests {
  /// Notes what was done, and that the rows were there.
  private final class Recorder: RowFollower {
    struct Done: Sendable {
      var isDrawn: [Bool]
      var counts: [Int]
      var early: [Int] = []
    }
    let needs: [Range<Int>]
    let done: Locked<Done>
    let ended = Locked(0)
    let pause: UInt32

    init(_ needs: [Range<Int>], height: Int, pause: UInt32) {
      (self.needs, self.pause) = (needs, pause)
      done = Locked(
        Done(isDrawn: Array(repeating: false, count: height), counts: Array(repeating: 0, count: needs.count))
      )
    }

    var pieceCount: Int { needs.count }
    func rows(of piece: Int) -> Range<Int> { needs[piece] }

    func work(_ piece: Int) {
      if pause > 0 { usleep(pause) }
      done.withLock { done in
        done.counts[piece] += 1
        if !done.isDrawn[needs[piece]].allSatisfy({ $0 }) { done.early.append(piece) }
      }
    }

    func end() { ended.withLock { $0 += 1 } }

    func draw(_ rows: Range<Int>, pause: UInt32) {
      if pause > 0 { usleep(pause) }
      done.withLock { done in for row in rows { done.isDrawn[row] = true } }
    }
  }

  private func check(
    _ starts: [Int], _ needs: [Range<Int>], _ executor: Executor, bandPause: (Int) -> UInt32 = { _ in 0 },
    piecePause: UInt32 = 0
  ) {
    let recorder = Recorder(needs, height: starts.last ?? 0, pause: piecePause)
    let pauses = (0..<starts.count - 1).map(bandPause)
    let ends = Locked<[Bool]>([])
    let bands = FollowedBands(starts, recorder) {
      let isDrawn = recorder.done.withLock { $0.isDrawn.allSatisfy { $0 } }
      ends.withLock { $0.append(isDrawn) }
    }
    bands.run(executor) { band in
      recorder.draw(starts[band]..<starts[band + 1], pause: pauses[band])
    }
    #expect(ends.withLock { $0 } == [true], "once, and with all rows drawn")
    let done = recorder.done.withLock { $0 }
    #expect(recorder.ended.withLock { $0 } == 1)
    #expect(done.isDrawn.allSatisfy { $0 }, "rows that nobody drew")
    #expect(done.counts.allSatisfy { $0 == 1 }, "\(done.counts)")
    #expect(done.early.isEmpty, "pieces before their rows: \(done.early)")
  }

  /// Eight strips that read the row above too, and what reads all.
  private let strips = [0..<512] + (0..<8).map { max(0, 64 * $0 - 1)..<64 * ($0 + 1) } + [0..<512, 0..<512]

  @Test func onOneThreadAllIsDone() {
    for starts in [[0, 512], [0, 200, 512], [0, 16, 63, 64, 65, 500, 512]] {
      check(starts, strips, .inline)
      check(starts, [], .inline)
      check(starts, [0..<1], .inline)
    }
  }

  /// Others begin or end pictures meanwhile.
  @Test func threadsMayComeAndGo() {
    let pool = WorkerPool(width: 4)
    let share = Locked(1)
    let executor = pool.executor { share.withLock { $0 } }
    for round in 0..<60 {
      share.withLock { $0 = 1 + round % 4 }
      check(
        [0, 200, 512], strips, executor,
        bandPause: { band in
          share.withLock { $0 = 1 + (round + band) % 4 }
          return band == round % 2 ? 1000 : 0
        })
    }
  }

  @Test(arguments: [2, 3, 8]) func onManyThreadsEachIsDoneOnceAfterItsRows(width: Int) {
    let pool = WorkerPool(width: width)
    for _ in 0..<200 { check([0, 200, 300, 512], strips, pool.executor) }
    // Who waits in vain goes; threads come back for what is left.
    for slow in 0..<3 {
      check([0, 200, 300, 512], strips, pool.executor, bandPause: { $0 == slow ? 5000 : 0 })
      check([0, 200, 300, 512], strips, pool.executor, bandPause: { $0 == slow ? 300 : 0 }, piecePause: 100)
    }
    let many = (0..<5000).map { $0..<$0 + 1 }
    check([0, 2500, 5000], many, pool.executor)
  }
}
