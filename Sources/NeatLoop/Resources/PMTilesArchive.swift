// A lookup says which bytes it needs, whoever drives it gets them: a file at once, a server over the loop. Header, root and leaf
// directories are kept for the lookups to come.
import NeatBase
import NeatTile
import Synchronization

/// What is known of one PMTiles archive. Safe from any thread.
package final class PMTilesArchive: Sendable {
  /// A file's path or an http(s) address.
  package let location: String

  /// Entries of leaf directories kept, 24 bytes each; the oldest leaves go first.
  package static let maxCachedEntries = 1 << 20
  /// Bytes of one tile at most, as stored and as unpacked.
  package static let maxTileBytes = 64 << 20

  private struct State: Sendable {
    var header: PMTilesHeader?
    var root: PMTilesDirectory?
    var leaves: [UInt64: PMTilesDirectory] = [:]
    var order: [UInt64] = []
    var entryCount = 0
    var tileJSON: [UInt8]?
  }
  private let state = Mutex(State())

  package init(location: String) { self.location = location }

  package enum Goal: Sendable {
    case tile(TileID)
    case tileJSON
  }

  package struct ByteRange: Sendable, Equatable {
    package var offset: UInt64
    package var count: UInt64
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

  /// One question to the archive: call `next`, read what it asks for, give the bytes to `accept`, until it is done.
  package struct Lookup {
    private let archive: PMTilesArchive
    private let goal: Goal
    private var pending: (purpose: Purpose, range: ByteRange)?
    private var tile: [UInt8]?
    private var reads = 0

    init(_ archive: PMTilesArchive, _ goal: Goal) {
      self.archive = archive
      self.goal = goal
    }

    package mutating func next() -> Step {
      do throws(NeatError) {
        if let tile { return .done(.data(try archive.unpack(tile))) }
        // Header, root, leaves in a chain, the tile: no archive needs more.
        reads += 1
        guard reads <= PMTiles.maxDepth + 4 else { throw NeatError(.archive, "directories lead to directories without end") }
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

    package mutating func accept(_ bytes: [UInt8]) throws(NeatError) {
      guard let pending else { return }
      self.pending = nil
      do throws(NeatError) {
        if case .head = pending.purpose { return try archive.takeHead(bytes) }
        guard UInt64(bytes.count) == pending.range.count else {
          throw NeatError(.archive, "the archive ends before its contents do", offset: Int(pending.range.offset) + bytes.count)
        }
        switch pending.purpose {
        case .head: break
        case .root: try archive.takeRoot(bytes)
        case .leaf(let offset): try archive.takeLeaf(bytes, offset)
        case .metadata: try archive.takeMetadata(bytes)
        case .tile: tile = bytes
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
    let known = state.withLock { $0 }
    guard let header = known.header else { return .read(.head, ByteRange(offset: 0, count: UInt64(PMTilesHeader.firstFetch))) }
    switch goal {
    case .tileJSON:
      if let json = known.tileJSON { return .settled(.data(json)) }
      guard header.metadataLength <= UInt64(PMTiles.maxMetadataBytes) else {
        throw NeatError(.limitExceeded, "metadata of \(header.metadataLength) bytes")
      }
      if header.metadataLength == 0 {
        try takeMetadata([])
        return try plan(goal)
      }
      return .read(.metadata, ByteRange(offset: header.metadataOffset, count: header.metadataLength))
    case .tile(let tile):
      guard tile.z >= header.minZoom, tile.z <= header.maxZoom, let number = PMTiles.tileNumber(tile) else { return .settled(.missing) }
      guard var directory = known.root else { return .read(.root, ByteRange(offset: header.rootOffset, count: header.rootLength)) }
      for _ in 0..<PMTiles.maxDepth {
        guard let entry = directory.find(tileID: number) else { return .settled(.missing) }
        if !entry.isLeaf {
          guard entry.length <= PMTilesArchive.maxTileBytes else {
            throw NeatError(.limitExceeded, "tile \(tile) has \(entry.length) bytes")
          }
          return .read(.tile, ByteRange(offset: header.tilesOffset + entry.offset, count: UInt64(entry.length)))
        }
        guard let leaf = known.leaves[entry.offset] else {
          guard Int(entry.length) <= PMTiles.maxDirectoryBytes else {
            throw NeatError(.limitExceeded, "a directory of \(entry.length) bytes")
          }
          return .read(.leaf(entry.offset), ByteRange(offset: header.leavesOffset + entry.offset, count: UInt64(entry.length)))
        }
        directory = leaf
      }
      throw NeatError(.archive, "directories more than \(PMTiles.maxDepth) deep")
    }
  }

  private func takeHead(_ bytes: [UInt8]) throws(NeatError) {
    let header = try PMTilesHeader(parsing: bytes)
    let end = header.rootOffset + header.rootLength
    let root = end <= UInt64(bytes.count) ? try PMTilesDirectory(parsing: Array(bytes[Int(header.rootOffset)..<Int(end)])) : nil
    state.withLock {
      $0.header = header
      if let root { $0.root = root }
    }
  }

  private func takeRoot(_ bytes: [UInt8]) throws(NeatError) {
    let root = try PMTilesDirectory(parsing: bytes)
    state.withLock { $0.root = root }
  }

  private func takeLeaf(_ bytes: [UInt8], _ offset: UInt64) throws(NeatError) {
    let leaf = try PMTilesDirectory(parsing: bytes)
    state.withLock { state in
      guard state.leaves[offset] == nil else { return }
      while !state.order.isEmpty && state.entryCount + leaf.entries.count > PMTilesArchive.maxCachedEntries {
        state.entryCount -= state.leaves.removeValue(forKey: state.order.removeFirst())?.entries.count ?? 0
      }
      state.leaves[offset] = leaf
      state.order.append(offset)
      state.entryCount += leaf.entries.count
    }
  }

  private func takeMetadata(_ bytes: [UInt8]) throws(NeatError) {
    guard let header = state.withLock({ $0.header }) else { return }
    let plain = try Inflate.decompress(bytes, limit: PMTiles.maxMetadataBytes)
    let json = try archiveTileJSON(header, metadata: plain, url: "pmtiles://" + location)
    state.withLock { $0.tileJSON = json }
  }

  /// Vector tiles go on as they are stored, for decoders unpack; anything else is unpacked here.
  private func unpack(_ tile: [UInt8]) throws(NeatError) -> [UInt8] {
    guard let header = state.withLock({ $0.header }) else { return tile }
    switch header.tileCompression {
    case .none, .unknown: return tile
    case .gzip: return header.tileType == .mvt ? tile : try Inflate.decompress(tile, limit: PMTilesArchive.maxTileBytes)
    case .brotli, .zstd: throw NeatError(.unsupported, "tiles packed by \(header.tileCompression): gzip is supported")
    }
  }
}
