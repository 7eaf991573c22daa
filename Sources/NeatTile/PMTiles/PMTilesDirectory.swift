// A directory is four runs of varints (tile numbers as deltas, run lengths, byte lengths, offsets), one value
// an entry, packed as a whole. A run length of 0 makes an entry a leaf: it leads to a directory of the tiles
// from its number on.
import NeatBase

/// One directory of a PMTiles archive, sorted by tile number.
package struct PMTilesDirectory: Sendable {
  package struct Entry: Sendable, Equatable {
    package var tileID: UInt64
    /// Within the tile data, or within the leaf directories for a leaf.
    package var offset: UInt64
    package var length: UInt32
    /// How many tiles in a row share the contents; 0: a leaf directory.
    package var runLength: UInt32

    package init(tileID: UInt64, offset: UInt64, length: UInt32, runLength: UInt32) {
      self.tileID = tileID
      self.offset = offset
      self.length = length
      self.runLength = runLength
    }

    package var isLeaf: Bool { runLength == 0 }
    /// The number behind the entry's last tile.
    package var endID: UInt64 { tileID + UInt64(runLength) }
  }

  package private(set) var entries: [Entry]

  package init(entries: [Entry]) { self.entries = entries }

  /// Reads a directory. Throws `archive` with the byte of the unpacked directory, or `limitExceeded` beyond
  /// `PMTiles.maxDirectoryBytes` unpacked bytes.
  package init(parsing bytes: [UInt8], packedBy compression: Compression = .byContent) throws(NeatError) {
    let plain: [UInt8]
    do throws(NeatError) {
      plain = try compression.decompress(bytes, limit: PMTiles.maxDirectoryBytes)
    } catch {
      throw NeatError(
        error.code == .limitExceeded ? .limitExceeded : .archive, "a directory: \(error.message)",
        offset: error.offset)
    }
    entries = try plain.withUnsafeBufferPointer { (source) throws(NeatError) in
      try PMTilesDirectory.parse(source)
    }
  }

  private static func parse(_ source: UnsafeBufferPointer<UInt8>) throws(NeatError) -> [Entry] {
    guard let start = source.baseAddress, source.count > 0 else {
      throw NeatError(.archive, "an empty directory", offset: 0)
    }
    var reader = ProtobufReader(start, source.count)
    func next(_ reader: inout ProtobufReader) throws(NeatError) -> UInt64 {
      guard let value = reader.varint() else {
        throw NeatError(.archive, "a directory is cut short", offset: reader.at - start)
      }
      return value
    }
    let count = try next(&reader)
    // Each entry has at least four bytes.
    guard count <= UInt64(source.count / 4) else {
      throw NeatError(
        .archive, "a directory of \(source.count) bytes cannot hold \(count) entries", offset: 0)
    }
    var entries = [Entry](repeating: Entry(tileID: 0, offset: 0, length: 0, runLength: 0), count: Int(count))
    var tile: UInt64 = 0
    for index in entries.indices {
      let at = reader.at
      let (sum, overflow) = tile.addingReportingOverflow(try next(&reader))
      guard !overflow, sum <= PMTiles.maxTileNumber, index == 0 || sum > tile else {
        throw NeatError(.archive, "tile numbers of a directory do not rise", offset: at - start)
      }
      tile = sum
      entries[index].tileID = tile
    }
    for index in entries.indices {
      let at = reader.at
      let run = try next(&reader)
      guard run <= UInt64(UInt32.max), entries[index].tileID + run <= PMTiles.maxTileNumber else {
        throw NeatError(
          .archive, "a run of \(run) tiles reaches beyond zoom \(TileID.maxZoom)", offset: at - start)
      }
      entries[index].runLength = UInt32(run)
    }
    for index in entries.indices {
      let at = reader.at
      let length = try next(&reader)
      guard length > 0, length <= UInt64(UInt32.max) else {
        throw NeatError(.archive, "an entry of \(length) bytes", offset: at - start)
      }
      entries[index].length = UInt32(length)
    }
    for index in entries.indices {
      let at = reader.at
      let value = try next(&reader)
      // 0: right behind the entry before.
      if value == 0 {
        guard index > 0 else { throw NeatError(.archive, "the first entry has no place", offset: at - start) }
        entries[index].offset = entries[index - 1].offset + UInt64(entries[index - 1].length)
      } else {
        entries[index].offset = value - 1
      }
      guard entries[index].offset <= UInt64(Int64.max) / 4 else {
        throw NeatError(.archive, "an entry's place is out of range", offset: at - start)
      }
    }
    return entries
  }

  private var isSorted: Bool { zip(entries, entries.dropFirst()).allSatisfy { $0.tileID < $1.tileID } }

  /// The entry that holds a tile, or the leaf that may; nil when the archive lacks the tile.
  package func find(tileID: UInt64) -> Entry? {
    assert(isSorted, "entries are sorted by tile number")
    var low = 0
    var high = entries.count
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].tileID <= tileID { low = middle + 1 } else { high = middle }
    }
    guard low > 0 else { return nil }
    let entry = entries[low - 1]
    return entry.isLeaf || tileID - entry.tileID < UInt64(entry.runLength) ? entry : nil
  }
}
