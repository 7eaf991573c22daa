import NeatBase
import NeatLoop
import Synchronization

/// Counts the tiles of a region on a worker of a loop. Only for the loop's thread.
final class RegionCount {
  private(set) var hasBegun = false
  private(set) var isUnderWay = false

  private final class Work: Sendable {
    let isWanted = Atomic(true)
    let result = Locked((tiles: Int64(0), isPrecise: true))
  }

  private let work = Work()

  func begin(_ tiles: [RegionTiles], on loop: RunLoop, then: @escaping (Int64, Bool) -> Void) {
    hasBegun = true
    isUnderWay = true
    loop.work({ [work] in
      for source in tiles {
        let (count, isPrecise) = source.count { work.isWanted.load(ordering: .relaxed) }
        work.result.withLock { result in
          let (sum, isOver) = result.tiles.addingReportingOverflow(count)
          result = (isOver ? .max : sum, result.isPrecise && isPrecise && !isOver)
        }
      }
    }) { [self] in
      isUnderWay = false
      let (tiles, isPrecise) = work.result.withLock { $0 }
      then(tiles, isPrecise)
    }
  }

  func stop() { work.isWanted.store(false, ordering: .relaxed) }
}
