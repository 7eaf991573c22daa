import NeatBase

/// Vector tiles of well-formed protobuf with coordinates, extents and values at the ends of what they can be.
struct TileBytes {
  private(set) var bytes: [UInt8] = []

  static let extents: [UInt64] = [
    1, 2, 7, 256, 4096, 4096, 4096, 8192, 65536, 1 << 30, 1 << 31 - 1, 1 << 31, 1 << 32 - 1,
  ]

  mutating func varint(_ value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  mutating func field(_ number: UInt64, _ value: UInt64) {
    varint(number << 3)
    varint(value)
  }

  mutating func field(_ number: UInt64, _ content: [UInt8]) {
    varint(number << 3 | 2)
    varint(UInt64(content.count))
    bytes += content
  }

  mutating func field(_ number: UInt64, double: Double) {
    varint(number << 3 | 1)
    withUnsafeBytes(of: double.bitPattern.littleEndian) { bytes += $0 }
  }

  static func tile(_ random: inout FuzzRandom) -> [UInt8] {
    var tile = TileBytes()
    for name in ["a", "b"].prefix(1 + random.below(2)) { tile.field(3, layer(name, &random)) }
    return tile.bytes
  }

  private static func layer(_ name: String, _ random: inout FuzzRandom) -> [UInt8] {
    var layer = TileBytes()
    let extent = random.pick(extents)
    layer.field(15, 2)
    layer.field(1, Array(name.utf8))
    for _ in 0..<1 + random.below(5) { layer.field(2, feature(extent, &random)) }
    for key in ["n", "name"] { layer.field(3, Array(key.utf8)) }
    for number in [0, 1, -1, 1e308, -.infinity, .nan] {
      var value = TileBytes()
      value.field(3, double: number)
      layer.field(4, value.bytes)
    }
    for text in ["Aé", "i", "مرحبا\n漢字", ""] {
      var value = TileBytes()
      value.field(1, Array(text.utf8))
      layer.field(4, value.bytes)
    }
    layer.field(5, extent)
    return layer.bytes
  }

  private static func feature(_ extent: UInt64, _ random: inout FuzzRandom) -> [UInt8] {
    var feature = TileBytes()
    let type = 1 + random.below(3)
    var tags = TileBytes()
    tags.varint(0)
    tags.varint(UInt64(random.below(6)))
    tags.varint(1)
    tags.varint(6 + UInt64(random.below(4)))
    if random.chance(2) { feature.field(1, random.pick([0, 1, .max, 1 << 53])) }
    feature.field(2, tags.bytes)
    feature.field(3, UInt64(type))
    feature.field(4, geometry(type, extent, &random))
    return feature.bytes
  }

  /// Coordinates in the tile, at its edges, and as far away as there are any.
  private static func coordinate(_ extent: UInt64, _ isWild: Bool, _ random: inout FuzzRandom) -> Int64 {
    let size = Int64(extent)
    if !isWild || random.chance(2) { return Int64(random.next() % (extent + 1)) }
    switch random.below(6) {
    case 0: return random.pick([0, -1, 1, size, size - 1, size + 1, size / 2, -size, 2 * size])
    case 1:
      return random.pick([Int64(Int32.max), Int64(Int32.min), Int64(Int32.max) - 1, Int64(Int32.min) + 1])
    case 2: return (Int64(1) << Int64(random.below(32))) * random.pick([1, -1])
    case 3: return Int64(Int32(truncatingIfNeeded: random.next()))
    case 4: return size / 2 + Int64(random.below(64)) - 32
    default: return random.pick([262_144, -262_144, 1 << 24, 1 << 30, -(1 << 30), 1 << 31])
    }
  }

  private static func geometry(_ type: Int, _ extent: UInt64, _ random: inout FuzzRandom) -> [UInt8] {
    var out = TileBytes()
    var (x, y): (Int64, Int64) = (0, 0)
    let isWild = !random.chance(4)
    func point(_ random: inout FuzzRandom) {
      let (nextX, nextY) = (coordinate(extent, isWild, &random), coordinate(extent, isWild, &random))
      for delta in [nextX &- x, nextY &- y] {
        let short = Int32(truncatingIfNeeded: delta)
        out.varint(UInt64(UInt32(bitPattern: (short << 1) ^ (short >> 31))))
      }
      (x, y) = (nextX, nextY)
    }
    let parts = 1 + random.below(3)
    for _ in 0..<parts {
      if type == 1 {
        let count = 1 + random.below(4)
        out.varint(UInt64(count << 3 | 1))
        for _ in 0..<count { point(&random) }
        continue
      }
      out.varint(1 << 3 | 1)
      point(&random)
      let count = (type == 2 ? 1 : 2) + random.below(random.chance(4) ? 40 : 6)
      out.varint(UInt64(count << 3 | 2))
      for _ in 0..<count { point(&random) }
      if type == 3 { out.varint(1 << 3 | 7) }
    }
    return out.bytes
  }
}
