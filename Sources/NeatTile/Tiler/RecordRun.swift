// Features cut to tiles are records: a tile's number, the feature's place in the order of the input, and a
// body that holds what the feature is there. A body is made once, where the feature is cut, and goes into the
// tile as it is: geometry and values are those of the MVT specification already.
//
//   body     type and flags   1 byte: GeometryType, 4: has an id, 8: has a measure
//            id               varint
//            measure          place on the curve (8 bytes), size (4), hash (4), little-endian
//            properties       varint: how many; each: key (varint), bytes (varint), MVT value
//            geometry         the rest: MVT commands
import NeatBase

/// Where a record belongs. Records of one tile stand in the order of their layers, and in a layer in the order
/// of the input.
package struct TileRecordKey: Comparable, BitwiseCopyable, Sendable {
  /// As `PMTiles.tileNumber` counts.
  package var tile: UInt64
  package var order: UInt64

  package init(tile: UInt64, order: UInt64) {
    self.tile = tile
    self.order = order
  }

  @inline(__always) package static func < (a: TileRecordKey, b: TileRecordKey) -> Bool {
    a.tile != b.tile ? a.tile < b.tile : a.order < b.order
  }

  // Layer, part of the input, feature in the part: 12, 20 and 32 bits.
  package static let maxLayers = 1 << 12
  package static let maxParts = 1 << 20
  package static let maxFeatures = 1 << 32

  package static func order(layer: Int, part: Int, feature: Int) -> UInt64 {
    assert(layer < maxLayers && part < maxParts && feature < maxFeatures, "a number past its bits")
    return UInt64(layer) << 52 | UInt64(part) << 32 | UInt64(feature)
  }

  package var layer: Int { Int(order >> 52) }
}

/// A record, and where its body lies in its run.
package struct TileRecord: BitwiseCopyable {
  package var key: TileRecordKey
  package var start: Int
  package var count: Int
}

/// Records in their order, in memory. Immutable.
package final class RecordRun: Sendable {
  package nonisolated(unsafe) let records: UnsafePointer<TileRecord>
  package let count: Int
  package nonisolated(unsafe) let bytes: UnsafePointer<UInt8>
  package let bodyBytes: Int
  private let owner: ColumnOwner

  /// Memory that it takes.
  package var byteCount: Int { bodyBytes + count * MemoryLayout<TileRecord>.stride }

  init(_ builder: consuming RecordRunBuilder) {
    count = builder.records.count
    bodyBytes = builder.bodies.count
    // Equal keys are pieces of one feature, which stay as they came.
    var order = UnsafeMutableBufferPointer(start: builder.records.base, count: count)
    order.sort { $0.key != $1.key ? $0.key < $1.key : $0.start < $1.start }
    owner = ColumnOwner()
    records = owner.own(builder.records)
    bytes = owner.own(builder.bodies)
  }
}

/// Takes records in any order.
struct RecordRunBuilder: ~Copyable {
  fileprivate var records = GrowingBuffer<TileRecord>(capacity: 1024)
  fileprivate var bodies = GrowingBuffer<UInt8>(capacity: 1 << 16)

  init() {}

  var byteCount: Int { bodies.count + records.count * MemoryLayout<TileRecord>.stride }
  var isEmpty: Bool { records.count == 0 }

  mutating func add(_ key: TileRecordKey, _ body: UnsafeBufferPointer<UInt8>) {
    records.append(TileRecord(key: key, start: bodies.count, count: body.count))
    if let base = body.baseAddress { bodies.append(base, count: body.count) }
  }
}

// MARK: Blocks of files

extension RecordRun {
  /// The bytes of one record's body at most.
  package static let maxBodyBytes = 64 << 20

  /// Appends a record to a block: number of the tile, order, length, body.
  package static func append(
    _ key: TileRecordKey, _ body: UnsafeBufferPointer<UInt8>, to block: inout GrowingBuffer<UInt8>
  ) {
    for number in [key.tile, key.order, UInt64(body.count)] {
      withUnsafeBytes(of: number.littleEndian) {
        block.append($0.baseAddress!.assumingMemoryBound(to: UInt8.self), count: 8)
      }
    }
    if let base = body.baseAddress { block.append(base, count: body.count) }
  }

  /// Reads a block. `keys`: the numbers that keys are to have, nil: those that they have. Throws `archive`
  /// where the bytes are none, or records are out of order.
  package convenience init(block: [UInt8], keys: [UInt32]? = nil) throws(NeatError) {
    let damaged = NeatError(.archive, "a block of a run is damaged")
    var builder = RecordRunBuilder()
    var renumbered = ProtobufWriter(capacity: 1024)
    var at = 0
    var last: TileRecordKey?
    while at < block.count {
      guard block.count - at >= 24 else { throw damaged }
      let (tile, order, count) = block.withUnsafeBytes { bytes in
        func number(_ index: Int) -> UInt64 {
          bytes.loadUnaligned(fromByteOffset: at + index * 8, as: UInt64.self).littleEndian
        }
        return (number(0), number(1), number(2))
      }
      at += 24
      guard count <= UInt64(block.count - at) else { throw damaged }
      let key = TileRecordKey(tile: tile, order: order)
      if let last, key < last { throw damaged }
      last = key
      let isWhole = block.withUnsafeBufferPointer { bytes in
        let body = UnsafeBufferPointer(rebasing: bytes[at..<at + Int(count)])
        guard let keys else {
          builder.add(key, body)
          return true
        }
        guard let parts = TileRecordBody(body), parts.write(keys, body, to: &renumbered) else { return false }
        builder.add(key, renumbered.buffer)
        return true
      }
      guard isWhole else { throw damaged }
      at += Int(count)
    }
    self.init(builder)
  }

  /// The body of a record.
  package func body(_ index: Int) -> UnsafeBufferPointer<UInt8> {
    assert(index >= 0 && index < count, "no such record")
    return UnsafeBufferPointer(start: bytes + records[index].start, count: records[index].count)
  }
}
