import NeatBase

/// Geometries of one type as one.
struct JoinedGeometry: ~Copyable {
  private var isPoint = false
  private var cursor = SIMD2<Int32>(0, 0)
  private var points: UInt64 = 0
  private var commands = ProtobufWriter(capacity: 256)

  init() {}

  mutating func begin(_ type: UInt8) {
    isPoint = type == GeometryType.point.rawValue
    cursor = SIMD2(0, 0)
    points = 0
    commands.clear()
  }

  /// False for commands that are none.
  mutating func add(_ geometry: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let base = geometry.baseAddress else { return false }
    var numbers = ProtobufReader(base, geometry.count)
    var place = SIMD2<Int32>(0, 0)
    while !numbers.isAtEnd {
      guard let command = numbers.varint() else { return false }
      let count = command >> 3
      if !isPoint { commands.varint(command) }
      guard command & 7 == 1 || command & 7 == 2 else { continue }
      // A point takes two bytes at least.
      guard count <= UInt64(geometry.count) else { return false }
      for _ in 0..<count {
        guard let dx = numbers.varint().map(signed), let dy = numbers.varint().map(signed) else {
          return false
        }
        place = place &+ SIMD2(dx, dy)
        let delta = place &- cursor
        cursor = place
        commands.varint(UInt64(UInt32(bitPattern: (delta.x &<< 1) ^ (delta.x &>> 31))))
        commands.varint(UInt64(UInt32(bitPattern: (delta.y &<< 1) ^ (delta.y &>> 31))))
        points += 1
      }
    }
    return true
  }

  func write(_ tag: UInt64, _ out: inout ProtobufWriter) {
    guard isPoint else { return out.field(tag, message: commands) }
    var whole = ProtobufWriter(capacity: commands.count + 10)
    whole.varint(points << 3 | 1)
    whole.append(commands)
    out.field(tag, message: whole)
  }
}

/// A number whose sign is its lowest bit.
private func signed(_ raw: UInt64) -> Int32 {
  let bits = UInt32(truncatingIfNeeded: raw)
  return Int32(bitPattern: bits >> 1) ^ -Int32(bitPattern: bits & 1)
}
