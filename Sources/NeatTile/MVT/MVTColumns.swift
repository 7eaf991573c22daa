import NeatBase

/// The columns of the layer that is being read, in memory that is used again for the next one. Once a layer
/// is read, its columns are copied into one block of exactly their size: one pass over the tile, no guess
/// that wastes memory for as long as the tile lives.
struct MVTColumns: ~Copyable {
  private var isStrict = false
  /// Up to here, 8 bytes of the tile can be read at once.
  private var wide: UnsafePointer<UInt8>
  private var rows: GrowingBuffer<Row>
  private var pointStarts: GrowingBuffer<UInt32>
  private var points: GrowingBuffer<SIMD2<Int32>>
  private var tags: GrowingBuffer<SIMD2<UInt32>>
  var values: GrowingBuffer<TileValue>
  var keys: [String] = []
  private var anyID: UInt8 = 0
  private var maxKey: UInt32 = 0
  private var maxValue: UInt32 = 0

  /// What a feature adds to the columns of features: one write here, spread out when the layer is complete.
  private struct Row: BitwiseCopyable {
    var id: UInt64
    var partEnd: UInt32
    var tagEnd: UInt32
    var type: UInt8
    var hasID: UInt8
  }

  /// Columns for tiles of about `byteCount` bytes; call `begin` before use.
  init(byteCount: Int) {
    wide = UnsafePointer(bitPattern: 8)!
    // About what a tile of short lines needs; columns that need more grow.
    let features = byteCount / 64 + 64
    rows = GrowingBuffer(capacity: features)
    pointStarts = GrowingBuffer(capacity: features + 1)
    points = GrowingBuffer(capacity: features * 3)
    tags = GrowingBuffer(capacity: features * 3)
    values = GrowingBuffer(capacity: 512)
  }

  /// Begins a tile.
  mutating func begin(_ source: UnsafeBufferPointer<UInt8>, isStrict: Bool) {
    assert(source.count >= 0 && source.baseAddress != nil, "a tile without bytes is not read")
    self.isStrict = isStrict
    wide = source.baseAddress! + (source.count - 8)
  }

  /// Bytes held, used or not.
  var byteCount: Int {
    (points.capacity + tags.capacity) * 8 + values.capacity * 16 + pointStarts.capacity * 4 + rows.capacity
      * MemoryLayout<Row>.stride
  }

  /// Begins a layer.
  mutating func reset() {
    rows.removeAll()
    pointStarts.removeAll()
    points.removeAll()
    tags.removeAll()
    values.removeAll()
    pointStarts.append(0)
    keys.removeAll(keepingCapacity: true)
    anyID = 0
    maxKey = 0
    maxValue = 0
  }

  /// Reads one feature; on a fault the columns are as they were.
  @inline(__always)
  mutating func addFeature(_ bytes: UnsafeBufferPointer<UInt8>) -> MVTFeatureFault {
    var fault = MVTFeatureFault.none
    let record = MVTFeatureRecord.scan(bytes.baseAddress!, bytes.count, isStrict: isStrict, fault: &fault)
    if fault != .none { return fault }
    // A point has at least two bytes, as has a part; a tag pair as well.
    points.reserve(record.geometryLength / 2 + 1)
    pointStarts.reserve(record.geometryLength / 2 + 1)
    tags.reserve(record.tagLength / 2)
    let tagCount = readTags(record)
    if tagCount < 0 { return .oddTags }

    var sink = MVTGeometrySink(
      pointBase: points.base, point: points.base + points.count, partEnd: pointStarts.base + pointStarts.count
    )
    var reader = MVTGeometryReader(record, wide: wide)
    switch record.type {
    case 1: fault = reader.readPoints(isStrict: isStrict, &sink)
    case 3: fault = reader.readRings(isStrict: isStrict, &sink)
    default: fault = reader.readLines(isStrict: isStrict && record.type == 2, &sink)
    }
    if fault != .none { return fault }
    points.advance(sink.point - (points.base + points.count))
    pointStarts.advance(sink.partEnd - (pointStarts.base + pointStarts.count))
    tags.advance(tagCount)
    anyID |= record.hasID
    rows.append(
      Row(
        id: record.id, partEnd: UInt32(truncatingIfNeeded: pointStarts.count &- 1),
        tagEnd: UInt32(truncatingIfNeeded: tags.count),
        type: record.type, hasID: record.hasID))
    return .none
  }

  /// Pairs of key and value number behind the tags so far; how many, or -1 for an odd number of numbers in a
  /// strict read. Whether keys and values exist is told at the end of the layer: they come behind the
  /// features.
  @inline(__always)
  private mutating func readTags(_ record: MVTFeatureRecord) -> Int {
    let end = record.tags + record.tagLength
    var at = record.tags
    let first = tags.base + tags.count
    var target = first
    var topKey = maxKey
    var topValue = maxValue
    while at < end {
      guard let (key, value) = pair32(&at, end: end, wide: wide) else {
        if isStrict { return -1 }
        break
      }
      topKey = max(topKey, key)
      topValue = max(topValue, value)
      target.pointee = SIMD2(key, value)
      target += 1
    }
    assert(target - tags.base <= tags.capacity, "more tags than their bytes can say")
    maxKey = topKey
    maxValue = topValue
    return target - first
  }

  /// What is wrong with the tags, if anything is.
  var tagFault: MVTFeatureFault {
    if tags.count == 0 { return .none }
    return Int(maxKey) >= keys.count ? .key : Int(maxValue) >= values.count ? .value : .none
  }

  /// Leaves out the tags that lead nowhere.
  mutating func dropBadTags() {
    var kept = 0
    var tag = 0
    for feature in 0..<rows.count {
      while tag < Int(rows.base[feature].tagEnd) {
        let pair = tags.base[tag]
        if Int(pair.x) < keys.count && Int(pair.y) < values.count {
          assert(kept <= tag, "tags are moved to the front")
          tags.base[kept] = pair
          kept += 1
        }
        tag += 1
      }
      rows.base[feature].tagEnd = UInt32(kept)
    }
    tags.truncate(kept)
  }

  /// The layer, in memory of its own.
  func build(name: String, version: UInt32, extent: UInt32) throws(NeatError) -> TileLayer {
    let move = MVTStringMove(values.buffer)
    let memory = try MVTLayerMemory(blockByteCount + move.byteCount)
    var cutter = ColumnCutter(memory)
    let valueColumn = cutter.cut(TileValue.self, values.count)
    let pointColumn = cutter.copy(points.base, points.count)
    let tagColumn = cutter.copy(tags.base, tags.count)
    let idColumn = cutter.cut(UInt64.self, idCount)
    let pointStartColumn = cutter.copy(pointStarts.base, pointStarts.count)
    let features = FeatureColumns(
      ids: idColumn, partStarts: cutter.cut(UInt32.self, rows.count + 1),
      tagStarts: cutter.cut(UInt32.self, rows.count + 1), types: cutter.cut(UInt8.self, rows.count),
      hasID: cutter.cut(UInt8.self, idCount))
    spreadRows(to: features)
    move.move(values.buffer, to: valueColumn, strings: cutter.cut(UInt8.self, move.byteCount))
    assert(cutter.left < 16, "a layer's block is larger than its columns")

    var storage = TileLayer.Storage(
      types: features.types, partStarts: features.partStarts, pointStarts: pointStartColumn,
      points: pointColumn, values: valueColumn, tagStarts: features.tagStarts, tags: tagColumn)
    storage.name = name
    storage.version = version
    storage.extent = extent
    storage.featureCount = rows.count
    storage.partCount = pointStarts.count - 1
    storage.pointCount = points.count
    storage.valueCount = values.count
    storage.keys = copiedKeys
    if anyID != 0 {
      storage.ids = UnsafePointer(idColumn)
      storage.hasID = UnsafePointer(features.hasID)
    }
    storage.owners = [memory]
    return TileLayer(storage)
  }

  /// Features whose ids are kept: all or none.
  private var idCount: Int { anyID != 0 ? rows.count : 0 }

  /// Bytes of the layer's block, its strings left out.
  private var blockByteCount: Int {
    let wide = values.count * 16 + (points.count + tags.count + idCount) * 8
    return wide + (2 * (rows.count + 1) + pointStarts.count) * 4 + rows.count + idCount
  }

  /// The columns with an element a feature, in the layer's block.
  private struct FeatureColumns {
    let ids: UnsafeMutablePointer<UInt64>
    let partStarts, tagStarts: UnsafeMutablePointer<UInt32>
    let types, hasID: UnsafeMutablePointer<UInt8>
  }

  private func spreadRows(to columns: FeatureColumns) {
    columns.partStarts[0] = 0
    columns.tagStarts[0] = 0
    assert(
      rows.count == 0 || rows[rows.count - 1].partEnd == pointStarts.count - 1, "parts without a feature")
    assert(rows.count == 0 || rows[rows.count - 1].tagEnd == tags.count, "tags without a feature")
    for index in 0..<rows.count {
      let row = rows.base[index]
      columns.partStarts[index &+ 1] = row.partEnd
      columns.tagStarts[index &+ 1] = row.tagEnd
      columns.types[index] = row.type
    }
    for index in 0..<idCount {
      columns.ids[index] = rows.base[index].id
      columns.hasID[index] = rows.base[index].hasID
    }
  }

  /// An array of the layer's own: the scratch one serves the next layer.
  private var copiedKeys: [String] {
    Array(unsafeUninitializedCapacity: keys.count) { target, count in
      for key in keys {
        (target.baseAddress! + count).initialize(to: key)
        count += 1
      }
    }
  }
}
