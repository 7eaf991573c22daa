// Messages are written from the inside out: geometry and tags of a feature into one scratch buffer, features
// into the layer's, layers into the tile's, because protobuf puts lengths first.
import NeatBase

/// Protobuf output into growing memory.
struct ProtobufWriter: ~Copyable {
  private var out: GrowingBuffer<UInt8>

  init(capacity: Int) { out = GrowingBuffer(capacity: capacity) }

  var count: Int { out.count }
  var bytes: [UInt8] { Array(out.buffer) }
  /// Valid until the next change.
  var buffer: UnsafeBufferPointer<UInt8> { out.buffer }

  mutating func clear() { out.removeAll() }

  /// Another writer's bytes as they are.
  mutating func append(_ other: borrowing ProtobufWriter) {
    out.append(other.out.base, count: other.out.count)
  }

  @inline(__always) mutating func varint(_ value: UInt64) {
    out.reserve(10)
    var value = value
    while value >= 0x80 {
      out.appendReserved(UInt8(truncatingIfNeeded: value) | 0x80)
      value >>= 7
    }
    out.appendReserved(UInt8(truncatingIfNeeded: value))
  }

  mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
    if let base = bytes.baseAddress { out.append(base, count: bytes.count) }
  }

  @inline(__always) mutating func byte(_ value: UInt8) { out.append(value) }

  mutating func fixed32(_ value: UInt32) {
    for shift in stride(from: UInt32(0), to: 32, by: 8) {
      out.append(UInt8(truncatingIfNeeded: value >> shift))
    }
  }

  mutating func fixed64(_ value: UInt64) {
    for shift in stride(from: UInt64(0), to: 64, by: 8) {
      out.append(UInt8(truncatingIfNeeded: value >> shift))
    }
  }

  mutating func field(_ tag: UInt64, bytes: UnsafeBufferPointer<UInt8>) {
    varint(tag)
    varint(UInt64(bytes.count))
    if let base = bytes.baseAddress { out.append(base, count: bytes.count) }
  }

  mutating func field(_ tag: UInt64, message: borrowing ProtobufWriter) {
    field(tag, bytes: message.out.buffer)
  }

  mutating func field(_ tag: UInt64, text: String) {
    var text = text
    text.withUTF8 { field(tag, bytes: $0) }
  }
}

/// Writes a tile as MVT 2.1. Left out is what the format cannot say: null properties, lines of fewer than two
/// points, rings of fewer than three, features with nothing left. GeoJSON arrays and objects among the
/// properties become strings of their JSON text.
package func encodeMVT(_ tile: VectorTile) -> [UInt8] {
  var out = ProtobufWriter(capacity: 4096)
  var layerOut = ProtobufWriter(capacity: 4096)
  var featureOut = ProtobufWriter(capacity: 1024)
  var packed = ProtobufWriter(capacity: 1024)
  for layer in tile.layers {
    layerOut.clear()
    layerOut.varint(0x78)
    layerOut.varint(2)
    layerOut.field(0x0a, text: layer.name)
    for feature in 0..<layer.featureCount {
      featureOut.clear()
      guard writeFeature(layer, feature, &featureOut, &packed) else { continue }
      layerOut.field(0x12, message: featureOut)
    }
    for key in layer.keys { layerOut.field(0x1a, text: key) }
    for index in 0..<layer.valueCount {
      packed.clear()
      writeMVTValue(layer.values[index], &packed)
      layerOut.field(0x22, message: packed)
    }
    layerOut.varint(0x28)
    layerOut.varint(UInt64(layer.extent))
    out.field(0x1a, message: layerOut)
  }
  return out.bytes
}

/// False when the feature has no geometry that can be written.
private func writeFeature(
  _ layer: TileLayer, _ feature: Int, _ out: inout ProtobufWriter, _ packed: inout ProtobufWriter
) -> Bool {
  if let id = layer.id(feature) {
    out.varint(0x08)
    out.varint(id)
  }
  packed.clear()
  for tag in Int(layer.tagStarts[feature])..<Int(layer.tagStarts[feature + 1]) {
    let pair = layer.tags[tag]
    if layer.values[Int(pair.y)].kind == .null { continue }
    packed.varint(UInt64(pair.x))
    packed.varint(UInt64(pair.y))
  }
  if packed.count > 0 { out.field(0x12, message: packed) }
  out.varint(0x18)
  out.varint(UInt64(layer.types[feature]))
  packed.clear()
  writeMVTGeometry(layer, feature, &packed)
  if packed.count == 0 { return false }
  out.field(0x22, message: packed)
  return true
}

/// The geometry as MVT's commands; nothing where no part of it can be written.
func writeMVTGeometry(_ layer: TileLayer, _ feature: Int, _ out: inout ProtobufWriter) {
  var last = SIMD2<Int32>(0, 0)
  func write(_ range: Range<Int>, _ out: inout ProtobufWriter) {
    for index in range {
      let delta = layer.points[index] &- last
      last = layer.points[index]
      out.varint(UInt64(UInt32(bitPattern: (delta.x &<< 1) ^ (delta.x &>> 31))))
      out.varint(UInt64(UInt32(bitPattern: (delta.y &<< 1) ^ (delta.y &>> 31))))
    }
  }
  let type = layer.geometryType(feature)
  for part in layer.parts(of: feature) {
    let range = layer.pointRange(ofPart: part)
    let least = type == .polygon ? 3 : type == .line ? 2 : 1
    if range.count < least { continue }
    if type == .point {
      out.varint(UInt64(range.count) << 3 | 1)
      write(range, &out)
      continue
    }
    out.varint(1 << 3 | 1)
    write(range.prefix(1), &out)
    if range.count > 1 {
      out.varint(UInt64(range.count - 1) << 3 | 2)
      write(range.dropFirst(), &out)
    }
    if type == .polygon { out.varint(1 << 3 | 7) }
  }
}

func writeMVTValue(_ value: TileValue, _ out: inout ProtobufWriter) {
  switch value.kind {
  case .string, .json: out.field(0x0a, bytes: value.bytes)
  case .double:
    let number = value.doubleValue
    if Double(Float(number)) == number {
      out.varint(0x15)
      out.fixed32(Float(number).bitPattern)
    } else {
      out.varint(0x19)
      out.fixed64(number.bitPattern)
    }
  case .int:
    let number = value.intValue
    out.varint(number < 0 ? 0x30 : 0x20)
    out.varint(number < 0 ? UInt64(bitPattern: (number &<< 1) ^ (number &>> 63)) : UInt64(number))
  case .uint:
    out.varint(0x28)
    out.varint(value.bits)
  case .bool, .null:
    // No tag leads to a null, but its number must stay taken.
    out.varint(0x38)
    out.varint(value.boolValue ? 1 : 0)
  }
}
