// Records of a tile as MVT 2.1: their geometries and values go in as they are, keys and values get the numbers
// that they have in their layer, in the order of their first use.
import NeatBase

/// What becomes of a record.
enum RecordFate: Equatable {
  case kept
  case dropped
  /// Its geometry goes to another record of the tile, by its place among them.
  case joins(Int)
}

/// Encodes tiles. One thread at a time; its memory is used again.
struct TileEncoder: ~Copyable {
  private let layerNames: [String]
  private let keyNames: [String]
  private let extent: UInt32

  private var features = ProtobufWriter(capacity: 1 << 16)
  private var feature = ProtobufWriter(capacity: 1024)
  private var tags = ProtobufWriter(capacity: 1024)
  private var keys: KeyNumbers
  private var values = ValueNumbers()
  private var joined = JoinedGeometry()

  init(layerNames: [String], keyNames: [String], extent: UInt32) {
    self.layerNames = layerNames
    self.keyNames = keyNames
    self.extent = extent
    keys = KeyNumbers(count: keyNames.count)
  }

  /// The tile, not packed. `fates`: nil where all records are kept. Throws `archive` for records that are
  /// damaged.
  mutating func encode(_ batch: TileBatch, _ tile: Int, _ fates: [RecordFate]?) throws(NeatError) -> [UInt8] {
    let records = batch.records(tile)
    var joins: [Int: [Int]] = [:]
    for (index, fate) in (fates ?? []).enumerated() {
      if case .joins(let target) = fate { joins[target, default: []].append(index) }
    }
    var out = ProtobufWriter(capacity: 4096)
    var index = 0
    while index < records.count {
      let layer = records[index].key.layer
      guard layer < layerNames.count else { throw TileEncoder.damaged }
      begin()
      var isEmpty = true
      while index < records.count, records[index].key.layer == layer {
        defer { index += 1 }
        if let fates, fates[index] != .kept { continue }
        guard let body = TileRecordBody(batch.body(records[index])) else { throw TileEncoder.damaged }
        let others = joins[index] ?? []
        if !others.isEmpty {
          joined.begin(body.type)
          for part in [index] + others {
            guard let other = TileRecordBody(batch.body(records[part])), joined.add(other.geometry) else {
              throw TileEncoder.damaged
            }
          }
        }
        try add(body, isJoined: !others.isEmpty)
        isEmpty = false
      }
      if !isEmpty { end(layerNames[layer], &out) }
    }
    return out.bytes
  }

  private static var damaged: NeatError { NeatError(.archive, "a record of the tiler's runs is damaged") }

  private mutating func begin() {
    features.clear()
    keys.begin()
    values.begin()
  }

  private mutating func add(_ body: TileRecordBody, isJoined: Bool) throws(NeatError) {
    feature.clear()
    if let id = body.id {
      feature.varint(0x08)
      feature.varint(id)
    }
    tags.clear()
    var isDamaged = false
    body.forEachProperty { key, value in
      guard let number = keys.number(key) else { return isDamaged = true }
      tags.varint(UInt64(number))
      tags.varint(UInt64(values.number(value)))
    }
    if isDamaged { throw TileEncoder.damaged }
    if tags.count > 0 { feature.field(0x12, message: tags) }
    feature.varint(0x18)
    feature.varint(UInt64(body.type))
    if isJoined { joined.write(0x22, &feature) } else { feature.field(0x22, bytes: body.geometry) }
    features.field(0x12, message: feature)
  }

  private mutating func end(_ name: String, _ out: inout ProtobufWriter) {
    for key in keys.used { features.field(0x1a, text: keyNames[Int(key)]) }
    for index in 0..<values.count { features.field(0x22, bytes: values.bytes(index)) }
    var whole = ProtobufWriter(capacity: features.count + 64)
    whole.varint(0x78)
    whole.varint(2)
    whole.field(0x0a, text: name)
    whole.append(features)
    whole.varint(0x28)
    whole.varint(UInt64(extent))
    out.field(0x1a, message: whole)
  }
}
