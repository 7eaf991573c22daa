import NeatBase
import NeatJSON
import NeatStore
import NeatTile

/// What became of the features of a tiler.
package struct TilerReport: Sendable {
  /// Features of the input.
  package var features = 0
  /// Pieces of features that tiles lack, and those whose geometry went to others, because of limits.
  package var dropped = 0
  package var coalesced = 0
  /// Tiles past the limits: all of them where nothing is to be thinned, else those that thinning could not
  /// mend.
  package var oversizedTiles = 0
}

extension VectorTiler {
  /// Writes the tiles of a range of numbers into an archive. `job`: told apart by it, an interrupted one is
  /// continued; nil: none is. `thresholds`: those of all ranges together, where this one is not all; nil: they
  /// are found here. Throws `io`, `limitExceeded`, `cancelled`.
  package func write(
    to target: ArchiveTarget, job: UInt64?, metadata: JSON, range: Range<UInt64> = 0..<UInt64.max,
    thresholds: [Double]? = nil, progress: @escaping ArchiveProgressReport
  ) throws(NeatError) -> ArchiveReport {
    // Before anything is written.
    try flush()
    var needed = thresholds ?? []
    if thresholds == nil { needed = try requiredThresholds(range) }
    do throws(NeatError) { return try write(target, job, metadata, range, needed, progress) } catch {
      if job == nil { discardPartialArchive(target.path) }
      throw error
    }
  }

  private func write(
    _ target: ArchiveTarget, _ job: UInt64?, _ metadata: JSON, _ range: Range<UInt64>,
    _ thresholds: [Double], _ progress: @escaping ArchiveProgressReport
  ) throws(NeatError) -> ArchiveReport {
    let writer = try target.open(job: job)
    var report = ArchiveReport()
    var tiler = TilerReport()
    report.resumedTiles = writer.resumeCursor == nil ? 0 : writer.counts.tiles
    var clock = ArchiveJobClock(writer, target, total: 0, progress)
    // The cursor is the last tile that was looked at.
    let first = max(range.lowerBound, writer.resumeCursor.map { $0 + 1 } ?? 0)
    var last = first
    if first < range.upperBound {
      try tiles(first..<range.upperBound, thresholds) { (tile, outcome) throws(NeatError) in
        tiler.dropped += outcome.dropped
        tiler.coalesced += outcome.coalesced
        if outcome.isOversized { tiler.oversizedTiles += 1 }
        if let bytes = outcome.bytes {
          report.largestTileBytes = max(report.largestTileBytes, bytes.count)
          try writer.add(tile, count: 1, bytes)
        } else {
          report.skippedTiles += 1
        }
        last = tile
        try clock.tick(done: writer.counts.tiles, cursor: tile)
      }
    }
    try clock.tick(done: writer.counts.tiles, cursor: last, isLast: true)
    tiler.features = featureCount
    tiler.dropped += memoryDropped
    try writer.finish(try describe(metadata))
    report.counts = writer.counts
    report.tiler = tiler
    return report
  }
}
