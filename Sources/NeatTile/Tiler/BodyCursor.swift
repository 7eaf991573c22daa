import NeatBase

/// Numbers out of bytes, nil past the end.
struct BodyCursor {
  private let bytes: UnsafeBufferPointer<UInt8>
  private(set) var at = 0

  init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

  var isAtEnd: Bool { at == bytes.count }

  mutating func byte() -> UInt8? {
    guard at < bytes.count else { return nil }
    defer { at += 1 }
    return bytes[at]
  }

  mutating func varint() -> UInt64? {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while let next = byte(), shift < 64 {
      value |= UInt64(next & 0x7f) << shift
      if next < 0x80 { return value }
      shift += 7
    }
    return nil
  }

  mutating func fixed64() -> UInt64? {
    guard bytes.count - at >= 8 else { return nil }
    defer { at += 8 }
    return UnsafeRawBufferPointer(bytes).loadUnaligned(fromByteOffset: at, as: UInt64.self).littleEndian
  }

  mutating func skip(_ count: UInt64) -> Bool {
    guard count <= UInt64(bytes.count - at) else { return false }
    at += Int(count)
    return true
  }

  /// A number whose sign is its lowest bit.
  mutating func signed() -> Int32? {
    guard let raw = varint() else { return nil }
    let bits = UInt32(truncatingIfNeeded: raw)
    return Int32(bitPattern: bits >> 1) ^ -Int32(bitPattern: bits & 1)
  }
}
