import NeatBase
import NeatJSON
import NeatStore
import NeatTile

/// How far a job is.
package struct ArchiveProgress: Sendable {
  /// Tiles done, and in all; the latter is 0 where nobody knows.
  package var doneTiles: UInt64 = 0
  package var totalTiles: UInt64 = 0
  /// Bytes of contents written.
  package var bytes: UInt64 = 0
}

/// Called now and then; false ends the job, which can be continued later.
package typealias ArchiveProgressReport = (ArchiveProgress) -> Bool

/// What a job did.
package struct ArchiveReport: Sendable {
  package var counts = ArchiveCounts()
  /// Tiles that an interrupted job had written before.
  package var resumedTiles: UInt64 = 0
  /// Tiles without contents, which archives leave out, and rows that name no tile.
  package var skippedTiles: UInt64 = 0
  package var largestTileBytes = 0
  /// Tiles of which features or layers cannot be read; nil where nobody looked. 0 of tiles that nobody here decodes.
  package var faultyTiles: UInt64?
  /// The first of what cannot be read of them, which names its tile.
  package private(set) var firstFault: String?
  /// Of jobs that cut features.
  package var tiler: TilerReport?

  /// Not all can be read of a tile, which may stand in several places.
  mutating func addFault(_ fault: NeatError, tile: TileID?, tiles: UInt64) {
    faultyTiles = (faultyTiles ?? 0) &+ tiles
    firstFault = firstFault ?? "tile \(tile.map { "\($0)" } ?? ""): \(fault)"
  }

  package var json: [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    for (name, number) in [
      ("tiles", counts.tiles), ("contents", counts.contents), ("bytes", counts.bytes),
      ("resumedTiles", resumedTiles),
      ("skippedTiles", skippedTiles), ("largestTileBytes", UInt64(largestTileBytes)),
    ] {
      writer.key(name)
      writer.int(number)
    }
    for (name, zoom) in [("minzoom", counts.minZoom), ("maxzoom", counts.maxZoom)] {
      writer.key(name)
      if let zoom { writer.int(zoom) } else { writer.null() }
    }
    if let faultyTiles {
      writer.key("faultyTiles")
      writer.int(faultyTiles)
    }
    if let firstFault {
      writer.key("firstFault")
      writer.string(firstFault)
    }
    if let tiler {
      for (name, number) in [
        ("features", tiler.features), ("droppedFeatures", tiler.dropped),
        ("coalescedFeatures", tiler.coalesced), ("oversizedTiles", tiler.oversizedTiles),
      ] {
        writer.key(name)
        writer.int(number)
      }
    }
    writer.endObject()
    return writer.bytes
  }
}

/// What all jobs that write an archive have in common.
package struct ArchiveTarget: Sendable {
  package var path: String
  /// nil: by the end of the path.
  package var format: ArchiveFormat?
  package var isPlain = false
  /// Whether a partial file of the same job is continued.
  package var resumes = true
  /// Whether a file that is there already is replaced.
  package var overwrites = true
  package var tileLimit: UInt64?
  /// Tiles, and bytes, between two checkpoints.
  package var checkpointTiles: UInt64 = 20_000
  package var checkpointBytes: UInt64 = 32 << 20

  package init(path: String) { self.path = path }

  /// The format, after a look whether the file may be written at all: before the work, not after it.
  func resolvedFormat() throws(NeatError) -> ArchiveFormat {
    _ = try OutputPath.resolve(path, overwrites: overwrites)
    guard let format = format ?? ArchiveFormat(path: path) else {
      throw NeatError(
        .invalidArgument, "neither .pmtiles nor .mbtiles, and no format is given", resource: path)
    }
    return format
  }

  /// `job` tells this job from others.
  func open(job: UInt64?) throws(NeatError) -> any ArchiveWriter {
    var options = ArchiveWriterOptions()
    options.isPlain = isPlain
    if let tileLimit { options.tileLimit = tileLimit }
    let format = try resolvedFormat()
    options.job = job
    options.resumes = resumes
    options.overwrites = overwrites
    return try openArchiveWriter(path, format, options)
  }
}

/// Reports progress and makes checkpoints while a job writes.
struct ArchiveJobClock {
  private let writer: any ArchiveWriter
  private let target: ArchiveTarget
  private let report: ArchiveProgressReport
  private var lastTiles: UInt64
  private var lastBytes: UInt64
  private var reported: UInt64 = 0
  var progress: ArchiveProgress

  init(
    _ writer: any ArchiveWriter, _ target: ArchiveTarget, total: UInt64,
    _ report: @escaping ArchiveProgressReport
  ) {
    self.writer = writer
    self.target = target
    self.report = report
    lastTiles = writer.counts.tiles
    lastBytes = writer.counts.bytes
    progress = ArchiveProgress(doneTiles: 0, totalTiles: total, bytes: writer.counts.bytes)
  }

  /// After each piece of work; `isLast`: nothing follows. Throws `cancelled`, after a checkpoint, when the caller
  /// wants no more.
  mutating func tick(done: UInt64, cursor: UInt64, isLast: Bool = false) throws(NeatError) {
    progress.doneTiles = done
    progress.bytes = writer.counts.bytes
    if writer.counts.tiles - lastTiles >= target.checkpointTiles
      || writer.counts.bytes - lastBytes >= target.checkpointBytes
    {
      try save(cursor)
    }
    let isDue = done - min(reported, done) >= 256 || done == progress.totalTiles || reported == 0
    guard isDue || isLast else { return }
    reported = done
    guard report(progress) else {
      try save(cursor)
      throw NeatError(.cancelled, "stopped; the same job continues from here", resource: target.path)
    }
  }

  private mutating func save(_ cursor: UInt64) throws(NeatError) {
    try writer.checkpoint(cursor: cursor)
    lastTiles = writer.counts.tiles
    lastBytes = writer.counts.bytes
  }
}
