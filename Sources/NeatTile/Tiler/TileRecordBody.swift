import NeatBase

/// Where a feature is and how large: what thinning goes by. The same on every zoom and in every tile.
struct FeatureMeasure: BitwiseCopyable {
  /// Along the Hilbert curve of zoom 30, of the first point.
  var place: UInt64
  /// Length of a line, area of a polygon, in the unit square; 0 for points.
  var size: Float
  /// Of place, size, id and properties.
  var hash: UInt32

  static let byteCount = 16

  /// The hash as a number from 0 to below 1.
  var chance: Double { Double(hash) * 0x1p-32 }

  /// By size, and of equal sizes (points have none) by chance: the bits of floats that are not negative are in
  /// their order.
  var rank: Double { Double(size.bitPattern) + chance }
}

/// Writes the bodies of records.
struct TileRecordWriter: ~Copyable {
  private var body = ProtobufWriter(capacity: 1024)
  private var packed = ProtobufWriter(capacity: 1024)

  init() {}

  /// The body of a feature of a layer; nil where nothing of it can be written. `keys`: the job's numbers of
  /// the layer's keys, nil for those that are left out. Valid until the next call.
  mutating func write(
    _ layer: TileLayer, _ feature: Int, id: UInt64?, _ measure: FeatureMeasure?, keys: [UInt32?]
  ) -> UnsafeBufferPointer<UInt8>? {
    body.clear()
    let type = layer.types[feature]
    body.byte(type | (id == nil ? 0 : 4) | (measure == nil ? 0 : 8))
    if let id { body.varint(id) }
    if let measure {
      body.fixed64(measure.place)
      body.fixed32(measure.size.bitPattern)
      body.fixed32(measure.hash)
    }
    writeProperties(layer, feature, keys)
    packed.clear()
    writeMVTGeometry(layer, feature, &packed)
    guard packed.count > 0 else { return nil }
    body.append(packed)
    return body.buffer
  }

  private mutating func writeProperties(_ layer: TileLayer, _ feature: Int, _ keys: [UInt32?]) {
    let tags = Int(layer.tagStarts[feature])..<Int(layer.tagStarts[feature + 1])
    var count: UInt64 = 0
    for tag in tags where written(layer, tag, keys) != nil { count += 1 }
    body.varint(count)
    for tag in tags {
      guard let key = written(layer, tag, keys) else { continue }
      body.varint(UInt64(key))
      packed.clear()
      writeMVTValue(layer.values[Int(layer.tags[tag].y)], &packed)
      body.varint(UInt64(packed.count))
      body.append(packed)
    }
  }

  private func written(_ layer: TileLayer, _ tag: Int, _ keys: [UInt32?]) -> UInt32? {
    let pair = layer.tags[tag]
    return layer.values[Int(pair.y)].kind == .null ? nil : keys[Int(pair.x)]
  }
}

/// A body taken apart. Bodies come from files too, so that every length is compared with what is there.
struct TileRecordBody {
  var type: UInt8
  var id: UInt64?
  var measure: FeatureMeasure?
  /// Properties as they stand: pairs of key and value.
  var propertyCount: Int
  var properties: UnsafeBufferPointer<UInt8>
  /// MVT commands.
  var geometry: UnsafeBufferPointer<UInt8>

  /// nil for bytes that are no body.
  init?(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard let base = bytes.baseAddress else { return nil }
    var cursor = ProtobufReader(base, bytes.count)
    guard let flags = cursor.varint(), flags < 0x10 else { return nil }
    type = UInt8(flags & 3)
    if flags & 4 != 0 {
      guard let number = cursor.varint() else { return nil }
      id = number
    }
    if flags & 8 != 0 {
      guard let place = cursor.fixed64(), let rest = cursor.fixed64() else { return nil }
      measure = FeatureMeasure(
        place: place, size: Float(bitPattern: UInt32(truncatingIfNeeded: rest)),
        hash: UInt32(truncatingIfNeeded: rest >> 32))
    }
    guard let count = cursor.varint(), count <= UInt64(bytes.count) else { return nil }
    propertyCount = Int(count)
    let start = cursor.at - base
    for _ in 0..<propertyCount { guard cursor.varint() != nil, cursor.bytes() != nil else { return nil } }
    let end = cursor.at - base
    properties = UnsafeBufferPointer(rebasing: bytes[start..<end])
    geometry = UnsafeBufferPointer(rebasing: bytes[end...])
  }

  /// The same body with other numbers of its keys; false for a key that has none. `whole`: the body's bytes.
  func write(_ keys: [UInt32], _ whole: UnsafeBufferPointer<UInt8>, to out: inout ProtobufWriter) -> Bool {
    out.clear()
    let head = whole.count - geometry.count - properties.count
    out.append(UnsafeBufferPointer(rebasing: whole[..<head]))
    var isKnown = true
    forEachProperty { key, value in
      guard key < UInt64(keys.count) else { return isKnown = false }
      out.varint(UInt64(keys[Int(key)]))
      out.varint(UInt64(value.count))
      out.append(value)
    }
    out.append(geometry)
    return isKnown
  }

  /// Calls `visit` with each key and value.
  func forEachProperty(_ visit: (UInt64, UnsafeBufferPointer<UInt8>) -> Void) {
    guard let base = properties.baseAddress else { return }
    var cursor = ProtobufReader(base, properties.count)
    for _ in 0..<propertyCount {
      guard let key = cursor.varint(), let value = cursor.bytes() else { return }
      visit(key, value)
    }
  }
}
