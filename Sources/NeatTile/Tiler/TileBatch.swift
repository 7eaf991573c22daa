import NeatBase

/// The records of some tiles, in their order. Immutable.
package final class TileBatch: Sendable {
  private nonisolated(unsafe) let records: UnsafePointer<TileRecord>
  private nonisolated(unsafe) let bytes: UnsafePointer<UInt8>
  /// Where each tile's records begin, and the end.
  private let starts: [Int]
  private let owner: ColumnOwner

  /// Tiles.
  package var count: Int { starts.count - 1 }

  fileprivate init(_ builder: consuming TileBatchBuilder) {
    starts = builder.starts + [builder.records.count]
    owner = ColumnOwner()
    records = owner.own(builder.records)
    bytes = owner.own(builder.bodies)
  }

  /// Records of a tile.
  func records(_ index: Int) -> UnsafeBufferPointer<TileRecord> {
    UnsafeBufferPointer(start: records + starts[index], count: starts[index + 1] - starts[index])
  }

  /// The tile's number.
  package func tile(_ index: Int) -> UInt64 { records[starts[index]].key.tile }

  func body(_ record: TileRecord) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: bytes + record.start, count: record.count)
  }
}

/// Collects records as they come in order, and takes care that no tile fills the memory.
package struct TileBatchBuilder: ~Copyable {
  fileprivate var records = GrowingBuffer<TileRecord>(capacity: 1024)
  fileprivate var bodies = GrowingBuffer<UInt8>(capacity: 1 << 16)
  fileprivate var starts: [Int] = []
  private let thins: Bool
  private let tileLimit: Int
  /// Of the tile at hand: where its bodies begin, and the chance below which features go.
  private var bodyStart = 0
  private var floor = 0.0
  /// Features that went because the records of their tile would not have gone into memory.
  package private(set) var dropped = 0

  /// Bytes of one tile's records at most.
  package static let tileBytes = 256 << 20

  /// `thins`: features of a tile that is too large for memory may be dropped.
  package init(thins: Bool, tileLimit: Int = tileBytes) {
    self.thins = thins
    self.tileLimit = tileLimit
  }

  package var tileCount: Int { starts.count }
  package var byteCount: Int { bodies.count + records.count * MemoryLayout<TileRecord>.stride }
  /// The tile that records came for last.
  package var lastTile: UInt64? { records.count == 0 ? nil : records[records.count - 1].key.tile }

  /// Adds the next record. Throws `limitExceeded` naming the tile.
  package mutating func add(_ key: TileRecordKey, _ body: UnsafeBufferPointer<UInt8>) throws(NeatError) {
    if starts.isEmpty || lastTile != key.tile {
      starts.append(records.count)
      bodyStart = bodies.count
      floor = 0
    }
    if floor > 0, chance(body) < floor {
      dropped += 1
      return
    }
    records.append(TileRecord(key: key, start: bodies.count, count: body.count))
    if let base = body.baseAddress { bodies.append(base, count: body.count) }
    while bodies.count - bodyStart > tileLimit { try thin(key.tile) }
  }

  package consuming func finish() -> TileBatch { TileBatch(self) }

  /// The same features go wherever they are: by their hashes, half of those that are left.
  private mutating func thin(_ tile: UInt64) throws(NeatError) {
    guard thins, floor < 1 - 0x1p-20 else {
      let name = PMTiles.tile(number: tile).map { "\($0)" } ?? "\(tile)"
      throw NeatError(
        .limitExceeded,
        "the features of tile \(name) take more than \(tileLimit) bytes: drop or coalesce some, or leave out properties or low zooms"
      )
    }
    floor = (1 + floor) / 2
    let first = starts[starts.count - 1]
    var kept = first
    var end = bodyStart
    for index in first..<records.count {
      var record = records[index]
      let body = UnsafeBufferPointer(start: bodies.base + record.start, count: record.count)
      if kept > first, chance(body) < floor {
        dropped += 1
        continue
      }
      memmove(bodies.base + end, bodies.base + record.start, record.count)
      record.start = end
      end += record.count
      records[kept] = record
      kept += 1
    }
    records.truncate(kept)
    bodies.truncate(end)
  }

  private func chance(_ body: UnsafeBufferPointer<UInt8>) -> Double {
    TileRecordBody(body)?.measure?.chance ?? 1
  }
}
