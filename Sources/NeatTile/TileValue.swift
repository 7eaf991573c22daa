import NeatBase

/// What a property of a feature can be. `json` is an array or an object of a GeoJSON property, kept as its
/// source text.
package enum TileValueKind: UInt32, Sendable {
  case null = 0, bool, int, uint, double, string, json
}

/// One property value in 16 bytes, without ownership: strings point into the memory of their layer.
package struct TileValue: BitwiseCopyable, Sendable {
  package let rawKind: UInt32
  /// Bytes of a `string` or `json`.
  package let length: UInt32
  /// The value's bits; for `string` and `json` the address of its first byte.
  package let bits: UInt64

  @inline(__always)
  init(kind: TileValueKind, length: UInt32 = 0, bits: UInt64 = 0) {
    self.rawKind = kind.rawValue
    self.length = length
    self.bits = bits
  }

  @inline(__always) package var kind: TileValueKind { TileValueKind(rawValue: rawKind)! }

  package static let null = TileValue(kind: .null)
  @inline(__always) package static func bool(_ value: Bool) -> TileValue {
    TileValue(kind: .bool, bits: value ? 1 : 0)
  }
  @inline(__always) package static func int(_ value: Int64) -> TileValue {
    TileValue(kind: .int, bits: UInt64(bitPattern: value))
  }
  @inline(__always) package static func uint(_ value: UInt64) -> TileValue {
    TileValue(kind: .uint, bits: value)
  }
  @inline(__always) package static func double(_ value: Double) -> TileValue {
    TileValue(kind: .double, bits: value.bitPattern)
  }
  @inline(__always) package static func string(_ bytes: UnsafeBufferPointer<UInt8>) -> TileValue {
    TileValue(kind: .string, length: UInt32(bytes.count), bits: UInt64(UInt(bitPattern: bytes.baseAddress)))
  }
  @inline(__always) package static func json(_ bytes: UnsafeBufferPointer<UInt8>) -> TileValue {
    TileValue(kind: .json, length: UInt32(bytes.count), bits: UInt64(UInt(bitPattern: bytes.baseAddress)))
  }

  /// The bytes of a `string` or `json`; valid while the layer lives.
  @inline(__always) package var bytes: UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: UnsafePointer(bitPattern: UInt(bits)), count: Int(length))
  }
  @inline(__always) package var boolValue: Bool { bits != 0 }
  @inline(__always) package var intValue: Int64 { Int64(bitPattern: bits) }
  @inline(__always) package var doubleValue: Double { Double(bitPattern: bits) }

  /// Any of the number kinds as a Double.
  @inline(__always) package var number: Double? {
    switch rawKind {
    case TileValueKind.int.rawValue: Double(intValue)
    case TileValueKind.uint.rawValue: Double(bits)
    case TileValueKind.double.rawValue: doubleValue
    default: nil
    }
  }

  package var text: String { String(decoding: bytes, as: UTF8.self) }
}
