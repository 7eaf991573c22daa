import NeatBase
import NeatTestSupport
import NeatTile
import Testing

/// Files of the shared data beside the checkout; tests that need them are skipped without them.
enum SharedData {
  static var isPresent: Bool { SharedFiles.root != nil }

  static func read(_ path: String) -> [UInt8]? { SharedFiles.path(path).flatMap(SharedFiles.read) }

  static func list(_ path: String) -> [String] { SharedFiles.path(path).map(SharedFiles.list) ?? [] }
}

/// Protobuf by hand, to build tiles that no encoder would.
struct Proto {
  var bytes: [UInt8] = []

  static func varint(_ value: UInt64) -> [UInt8] {
    var value = value
    var out: [UInt8] = []
    while value >= 0x80 {
      out.append(UInt8(truncatingIfNeeded: value) | 0x80)
      value >>= 7
    }
    return out + [UInt8(value)]
  }

  mutating func number(_ field: UInt64, _ value: UInt64) {
    bytes += Proto.varint(field << 3) + Proto.varint(value)
  }
  mutating func bytes(_ field: UInt64, _ value: [UInt8]) {
    bytes += Proto.varint(field << 3 | 2) + Proto.varint(UInt64(value.count)) + value
  }
  mutating func packed(_ field: UInt64, _ values: [UInt64]) {
    bytes(field, values.flatMap { Proto.varint($0) })
  }

  static func feature(id: UInt64? = nil, tags: [UInt64] = [], type: UInt64 = 1, geometry: [UInt64]) -> [UInt8]
  {
    var out = Proto()
    if let id { out.number(1, id) }
    if !tags.isEmpty { out.packed(2, tags) }
    out.number(3, type)
    out.packed(4, geometry)
    return out.bytes
  }

  static func tile(
    _ features: [[UInt8]], name: String = "a", keys: [String] = [], values: [[UInt8]] = [],
    version: UInt64 = 2
  ) -> [UInt8] {
    var layer = Proto()
    layer.number(15, version)
    layer.bytes(1, Array(name.utf8))
    for feature in features { layer.bytes(2, feature) }
    for key in keys { layer.bytes(3, Array(key.utf8)) }
    for value in values { layer.bytes(4, value) }
    var tile = Proto()
    tile.bytes(3, layer.bytes)
    return tile.bytes
  }
}

/// A small generator with a seed, for tests that must repeat.
struct TestRandom: RandomNumberGenerator {
  var state: UInt64
  init(_ seed: UInt64) { state = seed &* 2 &+ 1 }
  mutating func next() -> UInt64 {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return state &* 0x2545_f491_4f6c_dd1d
  }
}

func parts(_ layer: TileLayer, _ feature: Int) -> [[SIMD2<Int32>]] {
  (Int(layer.partStarts[feature])..<Int(layer.partStarts[feature + 1])).map { part in
    (Int(layer.pointStarts[part])..<Int(layer.pointStarts[part + 1])).map { layer.points[$0] }
  }
}
