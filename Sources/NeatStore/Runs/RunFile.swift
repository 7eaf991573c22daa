// A file of records in their order (`RecordRun`), which is written once from front to back and read by place:
//
//   "NLTRUN1\n"
//   blocks: records of about 64 KiB each (or one that is larger), packed by zstd
//   index: an entry of 48 bytes a block
//   a JSON text of whoever wrote the run
//   end: place of the index, entries, bytes of the text, hash of index and text, "NLTRUN1\n"; 40 bytes
//
// Numbers are little-endian and have 8 bytes, but for the two lengths of an entry (4 each).
import NeatBase
import NeatTile

/// A run on the disk. Any thread.
package final class RunFile: Sendable {
  static let magic: [UInt8] = Array("NLTRUN1\n".utf8)
  static let endBytes = 40
  /// Blocks of a file, and bytes of its text, at most.
  static let maxBlocks = 1 << 24
  package static let maxTextBytes = 256 << 20
  /// Unpacked: one record of the largest, and what a block may hold before it.
  static let maxBlockBytes = RecordRun.maxBodyBytes + (1 << 20)

  /// Where a block is, and what it holds.
  struct Block: Sendable {
    static let byteCount = 48

    var first: TileRecordKey
    /// Number of the last record's tile.
    var lastTile: UInt64
    var offset: UInt64
    var packedBytes: UInt32
    var bytes: UInt32
    /// `contentHash` of the packed bytes.
    var hash: UInt64
  }

  private let file: OutputFile
  let blocks: [Block]
  /// What the writer said of the run.
  package let text: [UInt8]
  /// The numbers that its keys have now; nil: their own.
  private let keys: [UInt32]?

  init(_ file: OutputFile, _ blocks: [Block], _ text: [UInt8], keys: [UInt32]? = nil) {
    self.file = file
    self.blocks = blocks
    self.text = text
    self.keys = keys
  }

  /// The same run with other numbers of its keys.
  package func renumbered(_ keys: [UInt32]) -> RunFile { RunFile(file, blocks, text, keys: keys) }

  /// Gives a file that was written whole its name.
  package static func publish(_ draft: String, as path: String) throws(NeatError) {
    try OutputFile.publish(draft, as: path)
  }

  /// Opens a run that was written before. Throws `notFound`, `io`, or `archive` for what is no whole run.
  package convenience init(path: String) throws(NeatError) {
    let file = try OutputFile(reading: path)
    func damaged(_ what: String) -> NeatError { NeatError(.archive, what, resource: path) }
    let size = try file.byteCount()
    guard size >= UInt64(RunFile.magic.count + RunFile.endBytes) else {
      throw damaged("not a run, or one that is cut off")
    }
    let end = try file.read(at: size - UInt64(RunFile.endBytes), count: RunFile.endBytes)
    guard try file.read(at: 0, count: 8) == RunFile.magic, Array(end.suffix(8)) == RunFile.magic else {
      throw damaged("not a run, or one that is cut off")
    }
    let numbers = RunFile.numbers(end)
    let (place, count, textBytes) = (numbers[0], numbers[1], numbers[2])
    guard count <= UInt64(RunFile.maxBlocks), textBytes <= UInt64(RunFile.maxTextBytes), place <= size,
      place + count * UInt64(Block.byteCount) + textBytes + UInt64(RunFile.endBytes) == size
    else {
      throw damaged("the index of the run is damaged")
    }
    let rest = try file.read(at: place, count: Int(count) * Block.byteCount + Int(textBytes))
    guard contentHash(rest) == numbers[3] else { throw damaged("the index of the run is damaged") }
    var blocks: [Block] = []
    for index in 0..<Int(count) {
      let block = RunFile.block(Array(rest[index * Block.byteCount..<(index + 1) * Block.byteCount]))
      guard block.offset <= place, UInt64(block.packedBytes) <= place - block.offset,
        Int(block.bytes) <= RunFile.maxBlockBytes
      else {
        throw damaged("the index of the run is damaged")
      }
      blocks.append(block)
    }
    self.init(file, blocks, Array(rest[Int(count) * Block.byteCount..<rest.count]))
  }

  static func numbers(_ bytes: [UInt8]) -> [UInt64] {
    bytes.withUnsafeBytes { source in
      (0..<source.count / 8).map {
        source.loadUnaligned(fromByteOffset: $0 * 8, as: UInt64.self).littleEndian
      }
    }
  }

  private static func block(_ bytes: [UInt8]) -> Block {
    let numbers = numbers(bytes)
    return Block(
      first: TileRecordKey(tile: numbers[0], order: numbers[1]), lastTile: numbers[2], offset: numbers[3],
      packedBytes: UInt32(truncatingIfNeeded: numbers[4]),
      bytes: UInt32(truncatingIfNeeded: numbers[4] >> 32),
      hash: numbers[5])
  }

  static func bytes(_ block: Block) -> [UInt8] {
    bytes([
      block.first.tile, block.first.order, block.lastTile, block.offset,
      UInt64(block.packedBytes) | UInt64(block.bytes) << 32, block.hash,
    ])
  }

  static func bytes(_ numbers: [UInt64]) -> [UInt8] {
    numbers.flatMap { number in (0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) } }
  }

  /// The records of a block. Throws `io`, or `archive` where it is not what was written.
  func records(_ index: Int) throws(NeatError) -> RecordRun {
    let block = blocks[index]
    let packed = try file.read(at: block.offset, count: Int(block.packedBytes))
    do throws(NeatError) {
      guard contentHash(packed) == block.hash else {
        throw NeatError(.archive, "a block of a run is damaged")
      }
      let bytes = try Zstd.decompress(packed, limit: Int(block.bytes))
      guard bytes.count == Int(block.bytes) else { throw NeatError(.archive, "a block of a run is damaged") }
      return try RecordRun(block: bytes, keys: keys)
    } catch {
      throw NeatError(.archive, error.message, resource: file.path)
    }
  }

  /// How many bytes of records there are in each block, with the number of the block's first tile.
  package var weights: [(tile: UInt64, bytes: Int)] { blocks.map { ($0.first.tile, Int($0.bytes)) } }
}

/// Writes a run.
package struct RunFileWriter: ~Copyable {
  private static let blockBytes = 64 << 10

  private let file: OutputFile
  private var end = UInt64(RunFile.magic.count)
  private var blocks: [RunFile.Block] = []
  private var block: GrowingBuffer<UInt8>
  private var first: TileRecordKey?
  private var last = TileRecordKey(tile: 0, order: 0)

  /// A file that keeps its name. Throws `io`, `state`.
  package init(path: String) throws(NeatError) {
    self.init(try RunFileWriter.begun(OutputFile(path: path, fresh: true)))
  }

  /// A file in a folder that goes with the last who holds it, also where the process is killed. Throws `io`.
  package init(temporaryIn folder: String) throws(NeatError) {
    self.init(try RunFileWriter.begun(OutputFile(temporaryIn: folder)))
  }

  private init(_ file: OutputFile) {
    self.file = file
    block = GrowingBuffer(capacity: RunFileWriter.blockBytes * 2)
  }

  private static func begun(_ file: OutputFile) throws(NeatError) -> OutputFile {
    try file.write(RunFile.magic, at: 0)
    return file
  }

  /// Adds the next record.
  package mutating func add(_ key: TileRecordKey, _ body: UnsafeBufferPointer<UInt8>) throws(NeatError) {
    assert(first == nil || !(key < last), "records out of order")
    if first == nil { first = key }
    last = key
    RecordRun.append(key, body, to: &block)
    if block.count >= RunFileWriter.blockBytes { try flush() }
  }

  private mutating func flush() throws(NeatError) {
    guard let start = first else { return }
    let packed = try Zstd.compress(block.buffer)
    try file.write(packed, at: end)
    blocks.append(
      RunFile.Block(
        first: start, lastTile: last.tile, offset: end, packedBytes: UInt32(packed.count),
        bytes: UInt32(block.count), hash: contentHash(packed)))
    guard blocks.count <= RunFile.maxBlocks else {
      throw NeatError(.limitExceeded, "a run of more than \(RunFile.maxBlocks) blocks", resource: file.path)
    }
    end += UInt64(packed.count)
    block.removeAll()
    first = nil
  }

  /// The run, with a text of the caller's. `syncs`: it is on the disk then.
  package consuming func finish(text: [UInt8] = [], syncs: Bool = false) throws(NeatError) -> RunFile {
    try flush()
    let rest = blocks.flatMap { RunFile.bytes($0) } + text
    try file.write(rest, at: end)
    let numbers = [end, UInt64(blocks.count), UInt64(text.count), contentHash(rest)]
    try file.write(RunFile.bytes(numbers) + RunFile.magic, at: end + UInt64(rest.count))
    if syncs { try file.sync() }
    return RunFile(file, blocks, text)
  }
}
