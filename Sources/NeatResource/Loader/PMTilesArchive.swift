// A lookup says which bytes it needs, whoever drives it gets them: a file at once, a server over the loop.
// Header, root and leaf directories are kept for the lookups to come.
import NeatBase
import NeatNetwork
import NeatTile

/// What is known of one PMTiles archive. Safe from any thread.
package final class PMTilesArchive: Sendable {
  /// A file's path or an http(s) address.
  package let location: String

  /// Entries of leaf directories kept, 24 bytes each; the leaves that were not used for longest go first.
  package static let maxCachedEntries = 1 << 20
  /// Bytes of one tile at most, as stored and as unpacked.
  package static let maxTileBytes = 64 << 20
  /// Times that a lookup begins anew because the file on the server has changed.
  static let maxRestarts = 2

  private struct State: Sendable {
    var header: PMTilesHeader?
    var root: PMTilesDirectory?
    /// By their offset; they cost their entries.
    var leaves = CostCache<UInt64, PMTilesDirectory>()
    var clock: UInt64 = 0
    var tileJSON: [UInt8]?
    /// The server's mark of the version that all this comes from.
    var etag: String?
    var byteCount: UInt64?
    /// Whether the server had another version since somebody asked.
    var hasChanged = false
  }
  private let state: Locked<State>
  private let givenByteCount: Int?

  /// `byteCount`: the length of the archive where it is known; a server tells.
  package init(location: String, byteCount: Int? = nil) {
    self.location = location
    givenByteCount = byteCount
    var state = State()
    state.byteCount = byteCount.map { UInt64($0) }
    self.state = Locked(state)
  }

  /// The same archive of which nothing is known yet.
  package func emptied() -> PMTilesArchive { PMTilesArchive(location: location, byteCount: givenByteCount) }

  package enum Goal: Sendable {
    case tile(TileID)
    case tileJSON
  }

  package enum Step: Sendable {
    case read(ByteRange)
    case done(ResourceResult)
  }

  private enum Purpose {
    case head, root
    case leaf(UInt64)
    case metadata
    case tile
  }

  /// One question to the archive: call `next`, read what it asks for, give the bytes to `accept`, until it is
  /// done.
  package struct Lookup {
    private let archive: PMTilesArchive
    private let goal: Goal
    private var pending: (purpose: Purpose, range: ByteRange)?
    private var tile: [UInt8]?
    private var reads = 0
    private var restarts = 0

    init(_ archive: PMTilesArchive, _ goal: Goal) {
      self.archive = archive
      self.goal = goal
    }

    package mutating func next() -> Step {
      do throws(NeatError) {
        if let tile { return .done(.data(try archive.unpack(tile))) }
        // Header, root, leaves in a chain, the tile: no archive needs more.
        reads += 1
        guard reads <= PMTiles.maxDepth + 4 else {
          throw NeatError(.archive, "directories lead to directories without end")
        }
        let step = try archive.plan(goal)
        switch step {
        case .settled(let result): return .done(result)
        case .read(let purpose, let range):
          pending = (purpose, range)
          return .read(range)
        }
      } catch {
        return .done(.failed(error.naming(archive.location)))
      }
    }

    package mutating func accept(_ bytes: [UInt8]) throws(NeatError) { try accept(FilePart(bytes: bytes)) }

    /// Takes a part; one of another version than what is known of the archive makes the lookup begin anew.
    package mutating func accept(_ part: FilePart) throws(NeatError) {
      guard let pending else { return }
      self.pending = nil
      do throws(NeatError) {
        guard archive.isSameVersion(part) else {
          restarts += 1
          reads = 0
          guard restarts <= PMTilesArchive.maxRestarts else {
            throw NeatError(.archive, "the archive changes while it is read")
          }
          return
        }
        if case .head = pending.purpose { return try archive.takeHead(part) }
        guard UInt64(part.bytes.count) == pending.range.count else {
          throw NeatError(
            .archive, "the archive ends before its contents do",
            offset: Int(pending.range.offset) + part.bytes.count)
        }
        switch pending.purpose {
        case .head: break
        case .root: try archive.takeRoot(part.bytes, at: pending.range.offset)
        case .leaf(let offset): try archive.takeLeaf(part.bytes, offset, at: pending.range.offset)
        case .metadata: try archive.takeMetadata(part.bytes)
        case .tile: tile = part.bytes
        }
      } catch {
        throw error.naming(archive.location)
      }
    }
  }

  package func lookup(_ goal: Goal) -> Lookup { Lookup(self, goal) }

  private enum Plan {
    case settled(ResourceResult)
    case read(Purpose, ByteRange)
  }

  private func plan(_ goal: Goal) throws(NeatError) -> Plan {
    guard let header = state.withLock({ $0.header }) else {
      return .read(.head, ByteRange(offset: 0, count: UInt64(PMTilesHeader.firstFetch)))
    }
    switch goal {
    case .tileJSON: return try planTileJSON(header)
    case .tile(let tile):
      guard tile.z >= header.minZoom, tile.z <= header.maxZoom, let number = PMTiles.tileNumber(tile) else {
        return .settled(.missing)
      }
      let plan = state.withLock { PMTilesArchive.find(tile, number, header, &$0) }
      return try plan.get()
    }
  }

  private func planTileJSON(_ header: PMTilesHeader) throws(NeatError) -> Plan {
    if let json = state.withLock({ $0.tileJSON }) { return .settled(.data(json)) }
    guard header.metadataLength <= UInt64(PMTiles.maxMetadataBytes) else {
      throw NeatError(
        .limitExceeded,
        "metadata of \(header.metadataLength) bytes, the limit is \(PMTiles.maxMetadataBytes)", offset: 32)
    }
    if header.metadataLength == 0 { return .settled(.data(try takeMetadata([]))) }
    return .read(.metadata, ByteRange(offset: header.metadataOffset, count: header.metadataLength))
  }

  /// Follows the directories that are known to the tile's place, or to the first one that is not known.
  private static func find(_ tile: TileID, _ number: UInt64, _ header: PMTilesHeader, _ state: inout State)
    -> Result<Plan, NeatError>
  {
    guard var directory = state.root else {
      return .success(.read(.root, ByteRange(offset: header.rootOffset, count: header.rootLength)))
    }
    for _ in 0..<PMTiles.maxDepth {
      guard let entry = directory.find(tileID: number) else { return .success(.settled(.missing)) }
      do throws(NeatError) {
        if !entry.isLeaf { return .success(.read(.tile, try header.place(ofTile: entry))) }
        let range = try header.place(ofLeaf: entry)
        guard let leaf = state.leaves[entry.offset] else {
          return .success(.read(.leaf(entry.offset), range))
        }
        state.clock += 1
        state.leaves.touch(entry.offset, use: state.clock)
        directory = leaf
      } catch {
        return .failure(error)
      }
    }
    return .failure(
      NeatError(.archive, "directories more than \(PMTiles.maxDepth) deep on the way to tile \(tile)"))
  }

  /// Whether a part comes from the file that everything known comes from. Otherwise that is forgotten.
  private func isSameVersion(_ part: FilePart) -> Bool {
    guard let etag = part.etag else { return true }
    return state.withLock { state in
      if let known = state.etag, known != etag {
        state = State()
        state.hasChanged = true
        return false
      }
      state.etag = etag
      return true
    }
  }

  /// Whether the archive turned out to be another one since the last call.
  func takeChange() -> Bool {
    state.withLock { state in
      defer { state.hasChanged = false }
      return state.hasChanged
    }
  }

  private func takeHead(_ part: FilePart) throws(NeatError) {
    let bytes = part.bytes
    let header = try PMTilesHeader(parsing: bytes)
    let known = state.withLock { $0.byteCount }
    if let total = part.totalBytes ?? known { try header.check(byteCount: total) }
    let end = header.rootOffset + header.rootLength
    var root: PMTilesDirectory?
    if end <= UInt64(bytes.count) {
      root = try header.directory(Array(bytes[Int(header.rootOffset)..<Int(end)]), at: header.rootOffset)
    }
    state.withLock {
      $0.header = header
      if let root { $0.root = root }
    }
  }

  private func takeRoot(_ bytes: [UInt8], at place: UInt64) throws(NeatError) {
    guard let header = state.withLock({ $0.header }) else { return }
    let root = try header.directory(bytes, at: place)
    state.withLock { $0.root = root }
  }

  private func takeLeaf(_ bytes: [UInt8], _ offset: UInt64, at place: UInt64) throws(NeatError) {
    guard let header = state.withLock({ $0.header }) else { return }
    let leaf = try header.directory(bytes, at: place)
    state.withLock { state in
      guard state.leaves[offset] == nil else { return }
      state.leaves.trim(to: PMTilesArchive.maxCachedEntries - leaf.entries.count, keeping: .max)
      state.clock += 1
      state.leaves.store(leaf, for: offset, cost: leaf.entries.count, use: state.clock)
    }
  }

  @discardableResult
  private func takeMetadata(_ bytes: [UInt8]) throws(NeatError) -> [UInt8] {
    guard let header = state.withLock({ $0.header }) else { return [] }
    let json = try archiveTileJSON(header, metadata: try header.metadata(bytes), url: "pmtiles://" + location)
    state.withLock { $0.tileJSON = json }
    return json
  }

  /// Vector tiles packed by gzip go on as they are stored, for decoders unpack; anything else is unpacked
  /// here.
  private func unpack(_ tile: [UInt8]) throws(NeatError) -> [UInt8] {
    guard let header = state.withLock({ $0.header }) else { return tile }
    switch header.tileCompression {
    case .none, .unknown: return tile
    case .gzip:
      return header.tileType.isVector
        ? tile : try Inflate.decompress(tile, limit: PMTilesArchive.maxTileBytes)
    case .brotli, .zstd:
      return try header.tileCompression.unpacking.decompress(tile, limit: PMTilesArchive.maxTileBytes)
    }
  }
}

extension PMTilesHeader {
  /// Where a tile's bytes are. Throws `archive` for a place outside the tile data, `limitExceeded` for too
  /// large a tile.
  func place(ofTile entry: PMTilesDirectory.Entry) throws(NeatError) -> ByteRange {
    guard entry.length <= PMTilesArchive.maxTileBytes else {
      throw NeatError(
        .limitExceeded, "a tile of \(entry.length) bytes, the limit is \(PMTilesArchive.maxTileBytes)",
        offset: Int(tilesOffset + entry.offset))
    }
    return try place(entry, within: tilesOffset, tilesLength, "tile data")
  }

  /// Where a leaf directory is.
  func place(ofLeaf entry: PMTilesDirectory.Entry) throws(NeatError) -> ByteRange {
    guard Int(entry.length) <= PMTiles.maxDirectoryBytes else {
      throw NeatError(
        .limitExceeded, "a directory of \(entry.length) bytes, the limit is \(PMTiles.maxDirectoryBytes)",
        offset: Int(leavesOffset + entry.offset))
    }
    return try place(entry, within: leavesOffset, leavesLength, "leaf directories")
  }

  private func place(_ entry: PMTilesDirectory.Entry, within start: UInt64, _ length: UInt64, _ name: String)
    throws(NeatError) -> ByteRange
  {
    guard entry.offset + UInt64(entry.length) <= length else {
      throw NeatError(.archive, "an entry leads beyond the \(name)", offset: Int(start + entry.offset))
    }
    return ByteRange(offset: start + entry.offset, count: UInt64(entry.length))
  }

  /// Reads a directory that stands at a byte of the archive, which errors name.
  func directory(_ bytes: [UInt8], at place: UInt64) throws(NeatError) -> PMTilesDirectory {
    do throws(NeatError) {
      return try PMTilesDirectory(parsing: bytes, packedBy: internalCompression.unpacking)
    } catch {
      let within = error.offset.map { ", at byte \($0) of the directory" } ?? ""
      throw NeatError(error.code, error.message + within, offset: Int(place))
    }
  }

  /// Unpacks the metadata.
  func metadata(_ bytes: [UInt8]) throws(NeatError) -> [UInt8] {
    do throws(NeatError) {
      return try internalCompression.unpacking.decompress(bytes, limit: PMTiles.maxMetadataBytes)
    } catch {
      throw NeatError(
        error.code == .limitExceeded ? .limitExceeded : .archive, "metadata: \(error.message)",
        offset: Int(metadataOffset))
    }
  }
}
