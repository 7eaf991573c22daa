// An archive as a list: which tiles it holds of a region, in the order of their numbers, and their contents
// in batches.
import NeatBase
import NeatImage
import NeatJSON
import NeatNetwork
import NeatStore
import NeatTile

/// Tiles in a row that share contents.
struct TileRun: Sendable {
  var first: UInt64
  var count: UInt32
  /// Bytes of the contents; 0 where only reading tells (MBTiles).
  var length: UInt32
  /// Within the tile data (PMTiles).
  var offset: UInt64

  var end: UInt64 { first + UInt64(count) }
}

/// An archive that is read from end to end: an MBTiles or PMTiles file, or PMTiles on a server. Blocks; for
/// one thread.
final class ArchiveSource {
  /// Bytes of contents that are in memory at once, and parts asked for at once.
  static let batchBytes: UInt64 = 16 << 20
  static let batchRuns = 4096
  /// Leaf directories fetched at once.
  private static let leafBatch = 64

  enum Place {
    case mbtiles(MBTiles)
    case file(FileReader, PMTilesHeader)
    case server(String, ResourceLoader, PMTilesHeader)
  }

  let location: String
  let place: Place
  private(set) var metadata: ArchiveMetadata
  /// Tells this archive, as it is now, from others: what a continued job compares.
  private(set) var identity: UInt64
  /// Rows of MBTiles that name no tile.
  private(set) var strayRows = 0
  private let root: PMTilesDirectory
  private var etag: String?

  /// `location`: a path, `mbtiles://PATH`, `pmtiles://PATH-OR-URL`, or the http(s) address of a PMTiles
  /// archive. Files are told apart by content.
  init(_ location: String, _ loader: ResourceLoader) throws(NeatError) {
    self.location = location
    switch try ArchiveSource.find(location) {
    case .server(let url):
      let head = try loader.readParts(url, [ByteRange(offset: 0, count: UInt64(PMTilesHeader.firstFetch))])[0]
      if head.isMissing { throw NeatError(.notFound, "no such archive", resource: url) }
      etag = head.etag
      let seed = contentHash(Array((head.etag ?? "").utf8), seed: head.totalBytes ?? 0)
      (place, root, metadata, identity) = try ArchiveSource.open(head.bytes, head.totalBytes, url, seed) {
        header in
        .server(url, loader, header)
      }
    case .file(let path):
      let file = try FileReader(path: path)
      let head = try file.read(offset: 0, count: PMTilesHeader.firstFetch)
      if head.starts(with: "SQLite format 3".utf8) {
        let mbtiles = try MBTiles(path: path)
        place = .mbtiles(mbtiles)
        root = PMTilesDirectory(entries: [])
        metadata = ArchiveMetadata(mbtiles: mbtiles.metadata)
        identity = contentHash(Array(head.prefix(100)), seed: file.version)
      } else {
        (place, root, metadata, identity) = try ArchiveSource.open(
          head, UInt64(file.byteCount), path, file.version
        ) { header in
          .file(file, header)
        }
      }
    }
    try readMetadata()
  }

  enum Where {
    case file(String)
    case server(String)
  }

  static func find(_ location: String) throws(NeatError) -> Where {
    switch ResourceLoader.place(location) {
    case .file(let path), .mbtiles(let path), .pmtilesFile(let path): return .file(path)
    case .pmtilesServer(let url): return .server(url)
    case .server: return .server(location)
    case .inline, .unknown:
      throw NeatError(.unsupported, "neither a file nor an http(s) address", resource: location)
    }
  }

  private static func open(
    _ head: [UInt8], _ total: UInt64?, _ name: String, _ seed: UInt64, _ place: (PMTilesHeader) -> Place
  ) throws(NeatError) -> (Place, PMTilesDirectory, ArchiveMetadata, UInt64) {
    do throws(NeatError) {
      let header = try PMTilesHeader(parsing: head)
      if let total { try header.check(byteCount: total) }
      let range = ByteRange(offset: header.rootOffset, count: header.rootLength)
      let made = place(header)
      let bytes =
        range.end <= UInt64(head.count)
        ? Array(head[Int(range.offset)..<Int(range.end)]) : try read(made, [range], name: name, etag: nil)[0]
      return (
        made, try header.directory(bytes, at: range.offset), ArchiveMetadata(), contentHash(head, seed: seed)
      )
    } catch {
      throw error.naming(name)
    }
  }

  private var header: PMTilesHeader? {
    switch place {
    case .mbtiles: nil
    case .file(_, let header), .server(_, _, let header): header
    }
  }

  private func readMetadata() throws(NeatError) {
    if case .mbtiles(let mbtiles) = place { zooms = try mbtiles.zooms() ?? 0...0 }
    guard let header else { return }
    zooms = header.minZoom...header.maxZoom
    guard header.metadataLength <= UInt64(PMTiles.maxMetadataBytes) else {
      throw NeatError(
        .limitExceeded,
        "metadata of \(header.metadataLength) bytes, the limit is \(PMTiles.maxMetadataBytes)", offset: 32,
        resource: location)
    }
    var json = JSON.object([])
    if header.metadataLength > 0 {
      let range = ByteRange(offset: header.metadataOffset, count: header.metadataLength)
      do throws(NeatError) {
        let text = try header.metadata(try read([range])[0])
        if !text.isEmpty { json = try JSON.parse(text) }
      } catch {
        throw NeatError(
          error.code, "metadata: \(error.message)", offset: error.offset.map { Int(range.offset) + $0 },
          resource: location)
      }
    }
    metadata = ArchiveMetadata(header, metadata: json.isObject ? json : .object([]))
  }

  /// The zooms that may have tiles.
  private(set) var zooms: ClosedRange<UInt8> = 0...0

  /// How the contents are packed.
  var compression: Compression {
    if case .mbtiles(let mbtiles) = place { return mbtiles.compression }
    return header?.tileCompression.unpacking ?? .byContent
  }

  var isMBTiles: Bool {
    if case .mbtiles = place { return true }
    return false
  }

  // MARK: Which tiles there are

  /// The tiles that the archive holds of a region, in order. Throws `limitExceeded` for more than `limit`
  /// runs.
  func runs(in region: TileRegion, limit: Int) throws(NeatError) -> [TileRun] {
    if case .mbtiles(let mbtiles) = place {
      let (numbers, stray) = try mbtiles.tileNumbers(in: region, limit: limit)
      strayRows = stray
      return numbers.map { TileRun(first: $0, count: 1, length: 0, offset: 0) }
    }
    var result: [TileRun] = []
    do throws(NeatError) {
      try collect(root, end: PMTiles.firstNumber(TileID.maxZoom + 1), depth: 1, region, limit, &result)
    } catch {
      throw error.naming(location)
    }
    return result
  }

  /// Takes over a directory's tiles before `end`, and those of its leaves.
  private func collect(
    _ directory: PMTilesDirectory, end: UInt64, depth: Int, _ region: TileRegion, _ limit: Int,
    _ result: inout [TileRun]
  ) throws(NeatError) {
    guard let header else { return }
    guard depth <= PMTiles.maxDepth else {
      throw NeatError(.archive, "directories more than \(PMTiles.maxDepth) deep")
    }
    let entries = directory.entries
    var leaves: [UInt64: PMTilesDirectory] = [:]
    for (index, entry) in entries.enumerated() {
      let next = min(index + 1 < entries.count ? entries[index + 1].tileID : end, end)
      guard entry.tileID < next else { continue }
      if entry.isLeaf {
        guard region.touches(entry.tileID..<next) else { continue }
        if leaves[entry.offset] == nil { leaves = try fetchLeaves(entries[index...], end, region, header) }
        guard let leaf = leaves[entry.offset] else { continue }
        try collect(leaf, end: next, depth: depth + 1, region, limit, &result)
      } else {
        let place = try header.place(ofTile: entry)
        // A run that reaches into the next entry ends there, as lookups see it.
        for part in region.parts(of: entry.tileID..<min(entry.endID, next)) {
          guard result.count < limit else { throw NeatError(.limitExceeded, "more than \(limit) entries") }
          result.append(
            TileRun(
              first: part.lowerBound, count: UInt32(part.count), length: UInt32(place.count),
              offset: place.offset - header.tilesOffset))
        }
      }
    }
  }

  /// The next leaves that the region needs, by their places.
  private func fetchLeaves(
    _ entries: ArraySlice<PMTilesDirectory.Entry>, _ end: UInt64, _ region: TileRegion,
    _ header: PMTilesHeader
  ) throws(NeatError) -> [UInt64: PMTilesDirectory] {
    var wanted: [PMTilesDirectory.Entry] = []
    for index in entries.indices where entries[index].isLeaf && wanted.count < ArchiveSource.leafBatch {
      let next = index + 1 < entries.endIndex ? entries[index + 1].tileID : end
      if entries[index].tileID < next, region.touches(entries[index].tileID..<next) {
        wanted.append(entries[index])
      }
    }
    var ranges: [ByteRange] = []
    for entry in wanted { ranges.append(try header.place(ofLeaf: entry)) }
    let parts = try read(ranges)
    var leaves: [UInt64: PMTilesDirectory] = [:]
    for (index, part) in parts.enumerated() {
      leaves[wanted[index].offset] = try header.directory(part, at: ranges[index].offset)
    }
    return leaves
  }

  /// The type of tiles of an archive that does not say it, by the first contents there are; vector tiles are
  /// known by their packing only.
  func findType(_ runs: [TileRun]) throws(NeatError) {
    guard metadata.tileType == .unknown, let bytes = try contents(runs.prefix(1)).first else { return }
    if let format = ImageFormat(sniffing: bytes) {
      metadata.tileType =
        switch format {
        case .png: .png
        case .jpeg: .jpeg
        case .webp: .webp
        }
    } else if bytes.dropFirst(4).starts(with: "ftypavif".utf8) {
      metadata.tileType = .avif
    } else if bytes.withUnsafeBufferPointer({ Packing($0) }) != .none {
      metadata.tileType = .mvt
    }
  }

  // MARK: Contents

  /// The contents of the next runs, in their order: as many as fit a batch, at least one. Empty contents are
  /// tiles that the archive says are empty.
  func contents(_ runs: ArraySlice<TileRun>) throws(NeatError) -> [[UInt8]] {
    if case .mbtiles(let mbtiles) = place {
      var result: [[UInt8]] = []
      var bytes = 0
      for run in runs.prefix(ArchiveSource.batchRuns) {
        guard let tile = PMTiles.tile(number: run.first), bytes < ArchiveSource.batchBytes else { break }
        // A row that was taken away meanwhile is an empty tile.
        let contents = try mbtiles.tile(tile) ?? []
        bytes += contents.count
        result.append(contents)
      }
      return result
    }
    guard let header else { return [] }
    var ranges: [ByteRange] = []
    var places: [UInt64: Int] = [:]
    var order: [Int] = []
    var bytes: UInt64 = 0
    for run in runs.prefix(ArchiveSource.batchRuns) {
      if let known = places[run.offset], ranges[known].count == UInt64(run.length) {
        order.append(known)
        continue
      }
      if !ranges.isEmpty && bytes + UInt64(run.length) > ArchiveSource.batchBytes { break }
      bytes += UInt64(run.length)
      places[run.offset] = ranges.count
      order.append(ranges.count)
      ranges.append(ByteRange(offset: header.tilesOffset + run.offset, count: UInt64(run.length)))
    }
    let parts = try read(ranges)
    return order.map { parts[$0] }
  }

  private func read(_ ranges: [ByteRange]) throws(NeatError) -> [[UInt8]] {
    try ArchiveSource.read(place, ranges, name: location, etag: etag)
  }

  private static func read(_ place: Place, _ ranges: [ByteRange], name: String, etag: String?)
    throws(NeatError) -> [[UInt8]]
  {
    var result: [[UInt8]] = []
    switch place {
    case .mbtiles: return []
    case .file(let file, _):
      for range in ranges { result.append(try file.read(offset: Int(range.offset), count: Int(range.count))) }
    case .server(let url, let loader, _):
      for part in try loader.readParts(url, ranges) {
        if let etag, let found = part.etag, found != etag {
          throw NeatError(.archive, "the archive was changed while it was read", resource: url)
        }
        result.append(part.bytes)
      }
    }
    for (range, bytes) in zip(ranges, result) where UInt64(bytes.count) != range.count {
      throw NeatError(
        .archive, "the archive ends before its contents do", offset: Int(range.offset) + bytes.count,
        resource: name)
    }
    return result
  }
}

extension FileReader {
  /// A number that changes with the file: from its size and the time of its last change.
  var version: UInt64 {
    var status = stat()
    guard stat(path, &status) == 0 else { return 0 }
    #if canImport(Darwin)
      let time = status.st_mtimespec
    #else
      let time = status.st_mtim
    #endif
    let numbers = [
      UInt64(byteCount), UInt64(bitPattern: Int64(time.tv_sec)), UInt64(bitPattern: Int64(time.tv_nsec)),
    ]
    return numbers.withUnsafeBytes { contentHash(Array($0)) }
  }
}
