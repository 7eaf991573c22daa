import NeatBase

/// Reads a `Value` message. A string points into the tile. Null for what is none of the seven kinds (a strict
/// reader gets nil).
@inline(__always)
func readMVTValue(_ bytes: UnsafeBufferPointer<UInt8>, isStrict: Bool) -> TileValue? {
  readSingleMVTValue(bytes) ?? readAnyMVTValue(bytes, isStrict: isStrict)
}

/// Nearly all values are one field: a short text, or a number. Nil for any other.
@inline(__always)
private func readSingleMVTValue(_ field: UnsafeBufferPointer<UInt8>) -> TileValue? {
  let count = field.count
  guard let start = field.baseAddress, count >= 2 else { return nil }
  let rest = UnsafeRawPointer(start + 1)
  switch start[0] {
  case 0x0a:
    if start[1] < 0x80 && Int(start[1]) == count &- 2 {
      return .string(UnsafeBufferPointer(start: start + 2, count: count &- 2))
    }
  case 0x15:
    if count == 5 {
      return .double(Double(Float(bitPattern: UInt32(littleEndian: rest.loadUnaligned(as: UInt32.self)))))
    }
  case 0x19:
    if count == 9 {
      return .double(Double(bitPattern: UInt64(littleEndian: rest.loadUnaligned(as: UInt64.self))))
    }
  case 0x20, 0x28, 0x30:
    guard count <= 9 else { return nil }
    var bits: UInt64 = 0
    var shift: UInt64 = 0
    for at in 1..<count {
      bits |= UInt64(start[at] & 0x7f) &<< shift
      shift &+= 7
      // One number, which ends with the field.
      if start[at] < 0x80 && at &+ 1 != count || start[at] >= 0x80 && at &+ 1 == count { return nil }
    }
    if start[0] == 0x28 { return .uint(bits) }
    return .int(Int64(bitPattern: start[0] == 0x20 ? bits : (bits &>> 1) ^ (0 &- (bits & 1))))
  default: break
  }
  return nil
}

@inline(never)
private func readAnyMVTValue(_ bytes: UnsafeBufferPointer<UInt8>, isStrict: Bool) -> TileValue? {
  guard let start = bytes.baseAddress, !bytes.isEmpty else { return isStrict ? nil : .null }
  var reader = ProtobufReader(start, bytes.count)
  var value = TileValue.null
  var fields = 0
  while !reader.isAtEnd {
    guard let tag = reader.varint() else { return isStrict ? nil : value }
    fields += 1
    var next: TileValue?
    switch tag {
    case 0x0a: next = reader.bytes().map { TileValue.string($0) }
    case 0x15: next = reader.fixed32().map { TileValue.double(Double(Float(bitPattern: $0))) }
    case 0x19: next = reader.fixed64().map { TileValue.double(Double(bitPattern: $0)) }
    case 0x20: next = reader.varint().map { TileValue.int(Int64(bitPattern: $0)) }
    case 0x28: next = reader.varint().map { TileValue.uint($0) }
    case 0x30: next = reader.varint().map { TileValue.int(Int64(bitPattern: ($0 >> 1) ^ (0 &- ($0 & 1)))) }
    case 0x38: next = reader.varint().map { TileValue.bool($0 != 0) }
    default:
      if isStrict || tag < 8 || !reader.skip(wire: tag & 7) { return isStrict ? nil : value }
      continue
    }
    guard let next else { return isStrict ? nil : value }
    value = next
  }
  return isStrict && fields != 1 ? nil : value
}

/// Moves strings that lie in the tile into memory of the layer: one copy where they lie close together, as
/// they do in practice.
struct MVTStringMove {
  private let from: UnsafePointer<UInt8>?
  private let span: Int
  private let isWhole: Bool
  /// Bytes that the strings need.
  let byteCount: Int

  init(_ values: UnsafeBufferPointer<TileValue>) {
    var low = UInt.max
    var high: UInt = 0
    var total = 0
    for value in values where value.rawKind == TileValueKind.string.rawValue && value.length > 0 {
      low = min(low, UInt(value.bits))
      high = max(high, UInt(value.bits) + UInt(value.length))
      total += Int(value.length)
    }
    from = total == 0 ? nil : UnsafePointer(bitPattern: low)
    span = total == 0 ? 0 : Int(high - low)
    isWhole = span <= total * 3 + 4096
    byteCount = isWhole ? span : total
  }

  func move(
    _ values: UnsafeBufferPointer<TileValue>, to target: UnsafeMutablePointer<TileValue>,
    strings: UnsafeMutablePointer<UInt8>
  ) {
    guard let from else {
      if let base = values.baseAddress { target.update(from: base, count: values.count) }
      return
    }
    if isWhole { strings.update(from: from, count: span) }
    let shift = UInt64(UInt(bitPattern: strings)) &- UInt64(UInt(bitPattern: from))
    var at = strings
    for index in 0..<values.count {
      let value = values[index]
      guard value.rawKind == TileValueKind.string.rawValue && value.length > 0 else {
        target[index] = value
        continue
      }
      if isWhole {
        target[index] = TileValue(kind: .string, length: value.length, bits: value.bits &+ shift)
      } else {
        let bytes = value.bytes
        at.update(from: bytes.baseAddress!, count: bytes.count)
        target[index] = .string(UnsafeBufferPointer(start: at, count: bytes.count))
        at += bytes.count
      }
    }
  }
}
