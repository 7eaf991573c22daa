// Tiles go from one archive to another in the order of PMTiles' numbers, so that PMTiles come out clustered,
// contents that were fetched together stand together, and one number says how far an interrupted copy had
// come.
import NeatBase
import NeatStore
import NeatTile

/// Copies an archive, or a region of one, into a file of either format.
package struct ArchiveCopy {
  package var source: String
  package var target: ArchiveTarget
  /// West, south, east, north in degrees; west greater than east crosses the 180th meridian. nil: everywhere.
  package var bounds: (west: Double, south: Double, east: Double, north: Double)?
  /// nil: all that there are.
  package var zooms: ClosedRange<UInt8>?
  /// Whether each tile must be what the archive says it is.
  package var verifies = false

  package init(source: String, target: ArchiveTarget) {
    self.source = source
    self.target = target
  }

  /// Does the copy; blocks. Throws what reading and writing throw, naming the file, and `cancelled` when
  /// `progress` returns false.
  package func run(loader: ResourceLoader = .init(), progress: @escaping ArchiveProgressReport)
    throws(NeatError) -> ArchiveReport
  {
    let source = try ArchiveSource(source, loader)
    let format = try target.resolvedFormat()
    guard try !isSameFile() else {
      throw NeatError(.invalidArgument, "source and target are the same file", resource: target.path)
    }
    let wanted = zooms ?? source.zooms
    let low = max(wanted.lowerBound, source.zooms.lowerBound)
    let high = min(wanted.upperBound, source.zooms.upperBound)
    guard low <= high else {
      throw NeatError(
        .invalidArgument, "zooms \(wanted) are not within the archive's \(source.zooms)",
        resource: source.location)
    }
    let region = try TileRegion(bounds: bounds, zooms: low...high)
    let writer = try target.open(job: job(source, low...high))
    let limit = Int(clamping: target.tileLimit ?? ArchiveWriterOptions().tileLimit)
    let runs = try source.runs(in: region, limit: limit)
    try source.findType(runs)
    let repacker = try TileRepacker(source, to: format)
    var report = ArchiveReport()
    if verifies { report.faultyTiles = 0 }
    report.resumedTiles = writer.resumeCursor == nil ? 0 : writer.counts.tiles
    report.skippedTiles = UInt64(source.strayRows)
    try copy(runs, source, writer, repacker, &report, progress)
    var metadata = source.metadata
    metadata.tileType = repacker.tileType
    metadata.tileCompression = repacker.compression
    if let bounds { metadata.clip(to: bounds) }
    try writer.finish(metadata)
    report.counts = writer.counts
    return report
  }

  private func copy(
    _ runs: [TileRun], _ source: ArchiveSource, _ writer: any ArchiveWriter,
    _ repacker: borrowing TileRepacker,
    _ report: inout ArchiveReport,
    _ progress: @escaping ArchiveProgressReport
  ) throws(NeatError) {
    let total = runs.reduce(UInt64(0)) { $0 + UInt64($1.count) }
    var done: UInt64 = 0
    var clock = ArchiveJobClock(writer, target, total: total, progress)
    var next = 0
    let verifier =
      verifies ? TileVerifier(type: source.metadata.tileType, compression: source.compression) : nil
    // The cursor is the number behind the last tile that was written.
    if let cursor = writer.resumeCursor {
      while next < runs.count, runs[next].end <= cursor {
        done += UInt64(runs[next].count)
        next += 1
      }
    }
    while next < runs.count {
      let batch = try source.contents(runs[next...])
      guard !batch.isEmpty else {
        throw NeatError(.archive, "contents cannot be read", resource: source.location)
      }
      for contents in batch {
        let run = runs[next]
        next += 1
        if contents.isEmpty {
          report.skippedTiles += UInt64(run.count)
        } else {
          let bytes: [UInt8]
          do throws(NeatError) {
            if let fault = try verifier?.verify(contents) {
              report.addFault(fault, tile: PMTiles.tile(number: run.first), tiles: UInt64(run.count))
            }
            bytes = try repacker.repack(contents)
          } catch {
            let tile = PMTiles.tile(number: run.first).map { "\($0)" } ?? ""
            throw NeatError(
              error.code, "tile \(tile): \(error.message)", offset: error.offset, resource: source.location)
          }
          report.largestTileBytes = max(report.largestTileBytes, bytes.count)
          try writer.add(run.first, count: UInt64(run.count), bytes)
        }
        done += UInt64(run.count)
        try clock.tick(done: done, cursor: run.end)
      }
    }
  }

  /// The number of this job: of what is read, and of what is asked of it.
  private func job(_ source: ArchiveSource, _ zooms: ClosedRange<UInt8>) -> UInt64 {
    let box = bounds.map { "\($0)" } ?? ""
    return contentHash(
      Array("copy 1 \(box) \(zooms) \(target.isPlain)\(verifies ? " verified" : "")".utf8),
      seed: source.identity)
  }

  private func isSameFile() throws(NeatError) -> Bool {
    guard case .file(let path) = try ArchiveSource.find(source) else { return false }
    var (a, b) = (stat(), stat())
    return stat(path, &a) == 0 && stat(target.path, &b) == 0 && a.st_dev == b.st_dev && a.st_ino == b.st_ino
  }
}

/// Brings contents into the packing of the target.
struct TileRepacker: ~Copyable {
  let tileType: PMTilesHeader.TileType
  /// How all contents come out.
  let compression: PMTilesHeader.Compression
  private let sourceCompression: Compression
  private let packer: GzipPacker
  private let passes: Bool

  init(_ source: ArchiveSource, to format: ArchiveFormat) throws(NeatError) {
    tileType = source.metadata.tileType
    sourceCompression = source.compression
    // PMTiles to PMTiles: nothing is touched, whatever the packing.
    passes = format == .pmtiles && !source.isMBTiles
    compression = passes ? source.metadata.tileCompression : tileType.isVector ? .gzip : .none
    packer = try GzipPacker(level: 6)
  }

  /// Vector tiles packed by gzip, pictures as they are; bytes that are so already stay as they are.
  borrowing func repack(_ contents: [UInt8]) throws(NeatError) -> [UInt8] {
    if passes { return contents }
    if compression == .gzip {
      // No vector tile begins as gzip does, so what is packed although the archive denies it is told, too.
      if sourceCompression == .byContent || sourceCompression == .none,
        contents.withUnsafeBufferPointer({ Packing($0) }) == .gzip
      {
        return contents
      }
      return packer.pack(try sourceCompression.decompress(contents, limit: MBTiles.maxTileBytes))
    }
    // What nobody knows the type of is not looked into.
    if tileType == .unknown && sourceCompression == .byContent { return contents }
    return try sourceCompression.decompress(contents, limit: MBTiles.maxTileBytes)
  }
}
