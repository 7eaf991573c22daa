import NeatBase
import NeatTile

/// Records of a run, one after the other.
package struct RunCursor {
  private var block: RecordRun?
  private var index = 0
  private let file: RunFile?
  private var nextBlock = 0
  /// Numbers of tiles that are wanted.
  private let range: Range<UInt64>

  /// Of a run in memory.
  package init(_ run: RecordRun, _ range: Range<UInt64> = 0..<UInt64.max) {
    block = run
    file = nil
    self.range = range
    while let key, key.tile < range.lowerBound { index += 1 }
  }

  /// Of a file. Throws as `RunFile.records`.
  package init(_ file: RunFile, _ range: Range<UInt64> = 0..<UInt64.max) throws(NeatError) {
    self.file = file
    self.range = range
    while nextBlock < file.blocks.count, file.blocks[nextBlock].lastTile < range.lowerBound { nextBlock += 1 }
    try open()
    while let key, key.tile < range.lowerBound { try advance() }
  }

  /// Where the record belongs; nil behind the last.
  package var key: TileRecordKey? {
    guard let block, index < block.count else { return nil }
    let key = block.records[index].key
    return key.tile < range.upperBound ? key : nil
  }

  /// Valid until the next call of `advance`.
  package var body: UnsafeBufferPointer<UInt8> { block!.body(index) }

  package mutating func advance() throws(NeatError) {
    index += 1
    if let block, index >= block.count { try open() }
  }

  private mutating func open() throws(NeatError) {
    index = 0
    block = nil
    guard let file, nextBlock < file.blocks.count, file.blocks[nextBlock].first.tile < range.upperBound else {
      return
    }
    block = try file.records(nextBlock)
    nextBlock += 1
  }
}

/// Several runs as one: a heap of cursors by their records.
package struct RunMerge: ~Copyable {
  /// Files at once: each is open, and holds a block.
  package static let width = 64

  private var heap: [RunCursor]

  package init(_ cursors: [RunCursor]) {
    heap = cursors.filter { $0.key != nil }
    for index in stride(from: heap.count / 2 - 1, through: 0, by: -1) { sink(index) }
  }

  package var key: TileRecordKey? { heap.first?.key }
  /// Valid until the next call of `advance`.
  package var body: UnsafeBufferPointer<UInt8> { heap[0].body }

  package mutating func advance() throws(NeatError) {
    try heap[0].advance()
    if heap[0].key == nil {
      heap.swapAt(0, heap.count - 1)
      heap.removeLast()
    }
    sink(0)
  }

  private mutating func sink(_ index: Int) {
    var index = index
    while true {
      var least = index
      for child in [2 * index + 1, 2 * index + 2] where child < heap.count {
        if heap[child].key! < heap[least].key! { least = child }
      }
      if least == index { return }
      heap.swapAt(index, least)
      index = least
    }
  }

  /// The records as a file in a folder, or at a path.
  package consuming func write(_ writer: consuming RunFileWriter, text: [UInt8] = [], syncs: Bool = false)
    throws(NeatError)
    -> RunFile
  {
    while let key {
      try writer.add(key, body)
      try advance()
    }
    return try writer.finish(text: text, syncs: syncs)
  }
}
