// The journal makes an interrupted PMTiles file continuable: blocks of entries, each with how far the data
// reached and a checksum. A block is written after its data is on the disk; a block that is cut short or
// damaged ends the journal.
import NeatBase
import NeatTile

/// One stretch of tiles with one content, as the writer keeps it.
struct WrittenEntry: Equatable {
  var entry: PMTilesDirectory.Entry
  var hash: UInt64
}

final class PMTilesJournal {
  private static let magic = Array("NEATJRN1".utf8)
  private static let headBytes = 16
  private static let blockHeadBytes = 24
  private static let entryBytes = 32
  private static let sumBytes = 8

  private let file: OutputFile
  private var end: UInt64

  struct Contents {
    var entries: [WrittenEntry] = []
    /// Bytes of the partial file that are known to be on the disk.
    var dataEnd: UInt64 = 0
    var cursor: UInt64?
  }

  /// Opens the journal of a job, and reads what it says; one of another job is emptied.
  init(path: String, job: UInt64?, resumes: Bool, entryLimit: UInt64) throws(NeatError) {
    file = try OutputFile(path: path, fresh: job == nil)
    end = 0
    contents = Contents()
    guard let job, resumes, try file.byteCount() >= UInt64(PMTilesJournal.headBytes),
      try file.read(at: 0, count: PMTilesJournal.headBytes) == PMTilesJournal.head(job)
    else {
      try begin(job: job ?? 0)
      return
    }
    end = UInt64(PMTilesJournal.headBytes)
    try readBlocks(entryLimit)
    try file.truncate(to: end)
  }

  /// What an earlier writer had brought to the disk.
  private(set) var contents: Contents

  private static func head(_ job: UInt64) -> [UInt8] {
    withUnsafeBytes(of: job.littleEndian) { magic + Array($0) }
  }

  private func begin(job: UInt64) throws(NeatError) {
    try file.truncate(to: 0)
    try file.write(PMTilesJournal.head(job), at: 0)
    end = UInt64(PMTilesJournal.headBytes)
  }

  private func readBlocks(_ entryLimit: UInt64) throws(NeatError) {
    let total = try file.byteCount()
    while end + UInt64(PMTilesJournal.blockHeadBytes) <= total {
      let head = try file.read(at: end, count: PMTilesJournal.blockHeadBytes)
      let (count, dataEnd, cursor) = (
        PMTilesJournal.u64(head, 0), PMTilesJournal.u64(head, 8), PMTilesJournal.u64(head, 16)
      )
      guard count <= (total - end) / UInt64(PMTilesJournal.entryBytes),
        UInt64(contents.entries.count) + count <= entryLimit
      else { return }
      let size = PMTilesJournal.blockHeadBytes + Int(count) * PMTilesJournal.entryBytes
      guard end + UInt64(size + PMTilesJournal.sumBytes) <= total else { return }
      let block = try file.read(at: end, count: size + PMTilesJournal.sumBytes)
      guard contentHash(Array(block[..<size])) == PMTilesJournal.u64(block, size) else { return }
      for index in 0..<Int(count) {
        let at = PMTilesJournal.blockHeadBytes + index * PMTilesJournal.entryBytes
        let sizes = PMTilesJournal.u64(block, at + 16)
        let entry = PMTilesDirectory.Entry(
          tileID: PMTilesJournal.u64(block, at), offset: PMTilesJournal.u64(block, at + 8),
          length: UInt32(truncatingIfNeeded: sizes),
          runLength: UInt32(truncatingIfNeeded: sizes >> 32))
        let written = WrittenEntry(entry: entry, hash: PMTilesJournal.u64(block, at + 24))
        // The last entry of a block comes again where its run grew afterwards.
        if contents.entries.last?.entry.tileID == entry.tileID {
          contents.entries[contents.entries.count - 1] = written
        } else {
          contents.entries.append(written)
        }
      }
      contents.dataEnd = dataEnd
      contents.cursor = cursor
      end += UInt64(block.count)
    }
  }

  private static func u64(_ bytes: [UInt8], _ at: Int) -> UInt64 {
    assert(at >= 0 && at + 8 <= bytes.count, "a number past the end")
    return bytes.withUnsafeBytes {
      UInt64(littleEndian: $0.loadUnaligned(fromByteOffset: at, as: UInt64.self))
    }
  }

  /// Appends a block; returns when it is on the disk.
  func append(_ entries: ArraySlice<WrittenEntry>, dataEnd: UInt64, cursor: UInt64) throws(NeatError) {
    var block: [UInt8] = []
    block.reserveCapacity(
      PMTilesJournal.blockHeadBytes + entries.count * PMTilesJournal.entryBytes + PMTilesJournal.sumBytes)
    func put(_ value: UInt64) { withUnsafeBytes(of: value.littleEndian) { block += $0 } }
    for number in [UInt64(entries.count), dataEnd, cursor] { put(number) }
    for written in entries {
      put(written.entry.tileID)
      put(written.entry.offset)
      put(UInt64(written.entry.length) | UInt64(written.entry.runLength) << 32)
      put(written.hash)
    }
    assert(
      block.count == PMTilesJournal.blockHeadBytes + entries.count * PMTilesJournal.entryBytes,
      "a block of another size than its head says")
    put(contentHash(block))
    try file.write(block, at: end)
    try file.sync()
    end += UInt64(block.count)
  }
}
