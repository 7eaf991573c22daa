import NeatBase
import NeatTile

/// A tile archive under way: PMTiles or MBTiles.
///
/// Everything goes to `PATH.partial` in the same folder; `finish` gives it the name PATH. Until then PATH is
/// absent or the old file. A writer that is dropped, or whose process dies, leaves `PATH.partial` (with
/// `PATH.partial.journal` beside it for PMTiles), which no reader takes for an archive and which a later
/// writer of the same job continues.
package protocol ArchiveWriter: AnyObject {
  /// How far the job had come when it was interrupted, in the numbers that it gave to `checkpoint`; nil for a
  /// new one.
  var resumeCursor: UInt64? { get }
  var counts: ArchiveCounts { get }

  /// Adds the tiles from a number on that share contents. Throws `io`, `limitExceeded`, `invalidArgument` for
  /// a tile that is there already.
  func add(_ first: UInt64, count: UInt64, _ bytes: [UInt8]) throws(NeatError)

  /// Brings everything so far to the disk: what a continued job will find.
  func checkpoint(cursor: UInt64) throws(NeatError)

  /// Completes the file and gives it its name.
  func finish(_ metadata: ArchiveMetadata) throws(NeatError)
}

/// What an archive under way holds.
package struct ArchiveCounts: Sendable, Equatable {
  /// Tiles that lead to contents.
  package var tiles: UInt64 = 0
  /// Contents that differ.
  package var contents: UInt64 = 0
  /// Bytes of the contents.
  package var bytes: UInt64 = 0
  package var minZoom: UInt8?
  package var maxZoom: UInt8?

  package init() {}

  mutating func include(_ first: UInt64, _ count: UInt64) {
    tiles += count
    guard let low = PMTiles.tile(number: first)?.z, let high = PMTiles.tile(number: first + count - 1)?.z
    else { return }
    minZoom = min(minZoom ?? low, low)
    maxZoom = max(maxZoom ?? high, high)
  }
}

package enum ArchiveFormat: Sendable {
  case pmtiles, mbtiles

  /// By the end of a file's name; nil for others.
  package init?(path: String) {
    let name = path.lowercased()
    if name.hasSuffix(".pmtiles") {
      self = .pmtiles
    } else if name.hasSuffix(".mbtiles") {
      self = .mbtiles
    } else {
      return nil
    }
  }
}

/// Options of a writer.
package struct ArchiveWriterOptions: Sendable {
  /// What tells one job from another: the partial file of a job with this number is continued, any other is
  /// replaced. nil: none, and this one cannot be continued either.
  package var job: UInt64?
  /// false: a partial file is replaced even where it is of the same job.
  package var resumes = true
  /// false: a file that is there already is not replaced.
  package var overwrites = true
  /// MBTiles only: one row a tile with its own copy of the contents, for readers that know no views.
  package var isPlain = false
  /// Tiles at most: rows of MBTiles, or entries (tiles in a row with one content count once, 32 bytes of
  /// memory each) of PMTiles.
  package var tileLimit: UInt64 = 1 << 27
  /// Contents remembered in order to store them once, about 40 bytes of memory each; what comes later is
  /// stored again.
  package var contentLimit = 1 << 21

  package init() {}
}

/// Begins or continues an archive. Symbolic links are followed. Throws `io`; `state` where another writer has
/// the path, or where a file is there that may not be overwritten; `invalidArgument` for what is no regular
/// file.
package func openArchiveWriter(_ path: String, _ format: ArchiveFormat, _ options: ArchiveWriterOptions)
  throws(NeatError)
  -> any ArchiveWriter
{
  let path = try OutputPath.resolve(path, overwrites: options.overwrites)
  return switch format {
  case .pmtiles: try PMTilesWriter(path: path, options: options)
  case .mbtiles: try MBTilesWriter(path: path, options: options)
  }
}

/// Removes what a writer left that was dropped before its end, where no later one is to continue it.
package func discardPartialArchive(_ path: String) {
  for name in [PartialFile.name(path), PartialFile.sorted(path), PartialFile.journal(path)] {
    // unchecked: no reader takes what is left for an archive, and a later writer replaces it.
    unlink(name)
  }
}

enum PartialFile {
  static func name(_ path: String) -> String { path + ".partial" }
  static func sorted(_ path: String) -> String { path + ".partial.sorted" }
  static func journal(_ path: String) -> String { path + ".partial.journal" }

  static func checkTile(_ first: UInt64, _ count: UInt64, _ bytes: [UInt8]) throws(NeatError) {
    guard count > 0, count <= UInt64(UInt32.max), PMTiles.tile(number: first) != nil,
      PMTiles.tile(number: first + count - 1) != nil
    else {
      throw NeatError(
        .invalidArgument, "\(count) tiles from number \(first) on are not within zooms 0 to \(TileID.maxZoom)"
      )
    }
    guard !bytes.isEmpty else {
      throw NeatError(.invalidArgument, "tile \(PMTiles.tile(number: first)!) is empty: leave it out")
    }
    guard bytes.count <= MBTiles.maxTileBytes else {
      throw NeatError(
        .limitExceeded,
        "tile \(PMTiles.tile(number: first)!) has \(bytes.count) bytes, the limit is \(MBTiles.maxTileBytes)")
    }
  }
}
