import NeatBase

/// Writes layers as MVT 2.1 as `encodeMVT` does, and keeps only the keys and values that features use, each
/// once. Layers without a feature that can be written are left out; nothing is written where none is left.
package func encodeCompactMVT(_ layers: [(name: String, layer: TileLayer)]) -> [UInt8] {
  var out = ProtobufWriter(capacity: 4096)
  for (name, layer) in layers {
    var tags = CompactTags(layer)
    var features = ProtobufWriter(capacity: 4096)
    var feature = ProtobufWriter(capacity: 1024)
    var packed = ProtobufWriter(capacity: 1024)
    var isEmpty = true
    for index in 0..<layer.featureCount {
      feature.clear()
      guard writeMVTFeature(layer, index, &feature, &packed, tag: { tags.map($0) }) else { continue }
      isEmpty = false
      features.field(0x12, message: feature)
    }
    if isEmpty { continue }
    for key in tags.keys { features.field(0x1a, text: layer.keys[Int(key)]) }
    for value in tags.values {
      packed.clear()
      writeMVTValue(value, &packed)
      features.field(0x22, message: packed)
    }
    var whole = ProtobufWriter(capacity: features.count + 64)
    whole.varint(0x78)
    whole.varint(2)
    whole.field(0x0a, text: name)
    whole.append(features)
    whole.varint(0x28)
    whole.varint(UInt64(layer.extent))
    out.field(0x1a, message: whole)
  }
  return out.bytes
}

/// Keys and values in the order of their first use.
private struct CompactTags {
  private let layer: TileLayer
  private(set) var keys: [UInt32] = []
  private(set) var values: [TileValue] = []
  private var keyNumbers: [UInt32: UInt32] = [:]
  private var valueNumbers: [Value: UInt32] = [:]

  init(_ layer: TileLayer) { self.layer = layer }

  /// A value that is equal to others of its kind and contents.
  private struct Value: Hashable {
    let value: TileValue

    private var hasBytes: Bool { value.kind == .string || value.kind == .json }

    static func == (a: Value, b: Value) -> Bool {
      guard a.value.rawKind == b.value.rawKind, a.value.length == b.value.length else { return false }
      return a.hasBytes ? a.value.bytes.elementsEqual(b.value.bytes) : a.value.bits == b.value.bits
    }

    func hash(into hasher: inout Hasher) {
      hasher.combine(value.rawKind)
      if hasBytes {
        hasher.combine(bytes: UnsafeRawBufferPointer(value.bytes))
      } else {
        hasher.combine(value.bits)
      }
    }
  }

  mutating func map(_ tag: SIMD2<UInt32>) -> SIMD2<UInt32> {
    let key = keyNumbers[tag.x] ?? UInt32(keys.count)
    if Int(key) == keys.count {
      keyNumbers[tag.x] = key
      keys.append(tag.x)
    }
    let value = Value(value: layer.values[Int(tag.y)])
    let number = valueNumbers[value] ?? UInt32(values.count)
    if Int(number) == values.count {
      valueNumbers[value] = number
      values.append(value.value)
    }
    return SIMD2(key, number)
  }
}
