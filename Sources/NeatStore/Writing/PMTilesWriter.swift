// The specification lets all parts but the header and the root directory (within the first 16 KiB) stand
// anywhere. So contents go to byte 16384 and on as they come, metadata and leaf directories behind them, and
// header and root into the room kept free at the start: nothing is moved, and as long as the header is zeros
// no reader takes the file for an archive.
import NeatBase
import NeatTile

/// Writes a PMTiles archive, version 3. Contents that are equal are stored once, and tiles in a row with the
/// same contents become one entry. Tiles may come in any order; where it was not that of the Hilbert curve,
/// `finish` sorts the contents, so that the result is always clustered.
///
/// Not for use by two threads at once.
package final class PMTilesWriter: ArchiveWriter {
  /// Where contents begin: behind the first fetch of readers.
  package static let dataStart = UInt64(PMTilesHeader.firstFetch)
  /// Bytes that the root directory may have.
  package static let rootLimit = PMTilesHeader.firstFetch - PMTilesHeader.byteCount

  package let path: String
  package private(set) var counts = ArchiveCounts()
  package let resumeCursor: UInt64?

  private let options: ArchiveWriterOptions
  private var file: OutputFile
  private let journal: PMTilesJournal
  private var entries: [WrittenEntry]
  /// Entries of the journal, but for the last one, which may still grow.
  private var journaled: Int
  private var dataEnd: UInt64
  /// Whether all tiles came in the order of their numbers.
  private var isOrdered = true
  /// A content's place by its hash.
  private var known: [UInt64: Place] = [:]
  private var isFinished = false

  private struct Place {
    var offset: UInt64
    var length: UInt32
  }

  /// Throws `io`, or `state` where another writer is at work on the same path.
  package init(path: String, options: ArchiveWriterOptions) throws(NeatError) {
    self.path = path
    self.options = options
    file = try OutputFile(path: PartialFile.name(path), fresh: false)
    journal = try PMTilesJournal(
      path: PartialFile.journal(path), job: options.job, resumes: options.resumes,
      entryLimit: options.tileLimit)
    // The journal's lock is held from here on. What a killed `finish` had sorted is made anew.
    // unchecked: it is emptied where it is written.
    unlink(PartialFile.sorted(path))
    let past = journal.contents
    if past.cursor != nil, past.dataEnd >= PMTilesWriter.dataStart, try file.byteCount() >= past.dataEnd {
      entries = past.entries
      dataEnd = past.dataEnd
      resumeCursor = past.cursor
      try file.truncate(to: dataEnd)
      // A finish may have been cut off after it had written the header: the file is not whole any more.
      try file.write([UInt8](repeating: 0, count: Int(PMTilesWriter.dataStart)), at: 0)
    } else {
      entries = []
      dataEnd = PMTilesWriter.dataStart
      resumeCursor = nil
      try file.truncate(to: 0)
      try file.truncate(to: dataEnd)
    }
    journaled = max(entries.count - 1, 0)
    recount()
  }

  /// Counts and the places of contents, from the entries.
  private func recount() {
    var end: UInt64 = 0
    for written in entries {
      let entry = written.entry
      counts.include(entry.tileID, UInt64(entry.runLength))
      if entry.tileID < end { isOrdered = false }
      end = max(end, entry.endID)
      // Contents are stored one behind the other: one that lies further on than all before it is new.
      if entry.offset >= counts.bytes {
        counts.contents += 1
        counts.bytes = entry.offset + UInt64(entry.length)
        remember(written.hash, Place(offset: entry.offset, length: entry.length))
      }
    }
  }

  private func remember(_ hash: UInt64, _ place: Place) {
    if known.count < options.contentLimit { known[hash] = place }
  }

  package func add(_ first: UInt64, count: UInt64, _ bytes: [UInt8]) throws(NeatError) {
    guard !isFinished else { throw NeatError(.state, "the archive is finished", resource: path) }
    try PartialFile.checkTile(first, count, bytes)
    let hash = contentHash(bytes)
    let place = try place(of: bytes, hash)
    if let last = entries.last?.entry {
      if first < last.endID { isOrdered = false }
      if first == last.endID, last.offset == place.offset, last.length == place.length,
        UInt64(last.runLength) + count <= UInt64(UInt32.max)
      {
        entries[entries.count - 1].entry.runLength += UInt32(count)
        counts.include(first, count)
        return
      }
    }
    guard UInt64(entries.count) < options.tileLimit else {
      throw NeatError(.limitExceeded, "more than \(options.tileLimit) entries", resource: path)
    }
    let entry = PMTilesDirectory.Entry(
      tileID: first, offset: place.offset, length: place.length, runLength: UInt32(count))
    entries.append(WrittenEntry(entry: entry, hash: hash))
    counts.include(first, count)
  }

  /// Where the bytes stand: written now, or found among those that are there.
  private func place(of bytes: [UInt8], _ hash: UInt64) throws(NeatError) -> Place {
    if let place = known[hash], Int(place.length) == bytes.count,
      try file.read(at: PMTilesWriter.dataStart + place.offset, count: bytes.count) == bytes
    {
      return place
    }
    let place = Place(offset: dataEnd - PMTilesWriter.dataStart, length: UInt32(bytes.count))
    try file.write(bytes, at: dataEnd)
    dataEnd += UInt64(bytes.count)
    assert(place.offset + UInt64(place.length) == dataEnd - PMTilesWriter.dataStart, "a gap in the contents")
    counts.contents += 1
    counts.bytes += UInt64(bytes.count)
    remember(hash, place)
    return place
  }

  package func checkpoint(cursor: UInt64) throws(NeatError) {
    guard !isFinished, options.job != nil else { return }
    try file.sync()
    assert(journaled <= entries.count, "more entries in the journal than there are")
    try journal.append(entries[journaled...], dataEnd: dataEnd, cursor: cursor)
    journaled = max(entries.count - 1, 0)
  }

  package func finish(_ metadata: ArchiveMetadata) throws(NeatError) {
    guard !isFinished else { throw NeatError(.state, "the archive is finished", resource: path) }
    if !isOrdered { try sortContents() }
    var end: UInt64 = 0
    let directory = entries.map(\.entry)
    for entry in directory {
      guard entry.tileID >= end else {
        let tile = PMTiles.tile(number: entry.tileID).map { "\($0)" } ?? ""
        throw NeatError(.invalidArgument, "tile \(tile) was added twice", resource: path)
      }
      end = entry.endID
    }
    assert(zip(directory, directory.dropFirst()).allSatisfy { $0.endID <= $1.tileID }, "entries overlap")
    let (root, leaves) = try PMTilesDirectory.pack(directory, rootLimit: PMTilesWriter.rootLimit)
    let json = try GzipPacker(level: 9).pack(metadata.pmtilesJSON)
    var header = metadata.pmtilesHeader(counts)
    header.rootOffset = UInt64(PMTilesHeader.byteCount)
    header.rootLength = UInt64(root.count)
    header.tilesOffset = PMTilesWriter.dataStart
    header.tilesLength = dataEnd - PMTilesWriter.dataStart
    header.metadataOffset = dataEnd
    header.metadataLength = UInt64(json.count)
    header.leavesOffset = dataEnd + UInt64(json.count)
    header.leavesLength = UInt64(leaves.count)
    header.addressedTiles = counts.tiles
    header.tileEntries = UInt64(directory.count)
    header.tileContents = counts.contents
    header.isClustered = true
    try file.truncate(to: dataEnd)
    try file.write(json, at: header.metadataOffset)
    try file.write(leaves, at: header.leavesOffset)
    try file.write(root, at: header.rootOffset)
    try file.sync()
    try file.write(header.encoded, at: 0)
    try file.sync()
    try OutputFile.publish(file.path, as: path)
    isFinished = true
    // unchecked: the archive stands; a later writer of the path replaces what is left.
    unlink(PartialFile.journal(path))
    // unchecked: the same.
    if file.path != PartialFile.name(path) { unlink(PartialFile.name(path)) }
  }

  // MARK: Contents in the order of the tiles

  /// Sorts the entries, joins those that became neighbours, and copies the contents into a second file in the
  /// order of their first tiles.
  private func sortContents() throws(NeatError) {
    entries.sort { $0.entry.tileID < $1.entry.tileID }
    let sorted = try OutputFile(path: PartialFile.sorted(path), fresh: true)
    var moved: [UInt64: UInt64] = [:]
    var end: UInt64 = 0
    var joined: [WrittenEntry] = []
    for var written in entries {
      if let offset = moved[written.entry.offset] {
        written.entry.offset = offset
      } else {
        let bytes = try file.read(
          at: PMTilesWriter.dataStart + written.entry.offset, count: Int(written.entry.length))
        try sorted.write(bytes, at: PMTilesWriter.dataStart + end)
        moved[written.entry.offset] = end
        written.entry.offset = end
        end += UInt64(bytes.count)
      }
      if let last = joined.last?.entry, last.endID == written.entry.tileID,
        last.offset == written.entry.offset,
        UInt64(last.runLength) + UInt64(written.entry.runLength) <= UInt64(UInt32.max)
      {
        joined[joined.count - 1].entry.runLength += written.entry.runLength
      } else {
        joined.append(written)
      }
    }
    entries = joined
    dataEnd = PMTilesWriter.dataStart + end
    // The unsorted file stays until the sorted one has its name.
    file = sorted
    isOrdered = true
  }
}
