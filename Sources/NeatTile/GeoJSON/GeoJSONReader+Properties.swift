import NeatBase

extension GeoJSONReader {
  /// The value of `properties`; appends a tag for each member, and returns whether there was an object.
  mutating func readProperties() throws(GeoJSONFault) -> Bool {
    switch scanner.peek() {
    case 0x7b: break
    case 0x6e:
      try scanner.literal("null")
      return false
    default:
      throw scanner.cursor < scanner.end ? scanner.fault(.propertiesNotObject) : scanner.fault(.unexpectedEnd)
    }
    scanner.cursor += 1
    keys.beginFeature()
    if scanner.closes(0x7d) { return true }
    repeat {
      let key: Int
      if scanner.peek() == 0x22,
        let expected = keys.expected(scanner.cursor, left: scanner.end - scanner.cursor)
      {
        key = expected.number
        scanner.cursor += expected.length
      } else {
        let name = try scanner.rawString()
        key = keys.number(name.escaped ? try unescaped(name.bytes) : name.bytes, pool: columns.pool)
      }
      try scanner.expect(0x3a)
      let value = try readValue(key: key)
      columns.tagKeys.append(UInt32(truncatingIfNeeded: key))
      columns.tagValues.append(value)
    } while try scanner.more(until: 0x7d)
    guard columns.tagKeys.count <= maxCount else { throw scanner.fault(.tooMany, detail: maxCount) }
    return true
  }

  @inline(__always) private mutating func readValue(key: Int) throws(GeoJSONFault) -> TileValue {
    switch scanner.peek() {
    case 0x22: return try readString(sharing: key)
    case 0x2d, 0x30...0x39: return try readNumber()
    case 0x74:
      try scanner.literal("true")
      return .bool(true)
    case 0x66:
      try scanner.literal("false")
      return .bool(false)
    case 0x6e:
      try scanner.literal("null")
      return .null
    case 0x7b, 0x5b:
      let first = scanner.cursor
      try scanner.skipValue(depth: 3)
      return .json(columns.pool.copy(UnsafeBufferPointer(start: first, count: scanner.cursor - first)))
    default: throw scanner.unexpected()
    }
  }

  mutating func readNumber() throws(GeoJSONFault) -> TileValue {
    switch try scanner.number() {
    case .uint(let value): .uint(value)
    case .int(let value): .int(value)
    case .double(let value): .double(value)
    }
  }

  /// A string, copied unless the key's latest string is the same.
  mutating func readString(sharing key: Int?) throws(GeoJSONFault) -> TileValue {
    let raw = try scanner.rawString()
    if raw.escaped { return .string(try unescaped(raw.bytes)) }
    guard let key else { return .string(columns.pool.copy(raw.bytes)) }
    let last = keys.lastString(key)
    if last.rawKind == TileValueKind.string.rawValue, Int(last.length) == raw.bytes.count,
      raw.bytes.isEmpty || memcmp(last.bytes.baseAddress!, raw.bytes.baseAddress!, raw.bytes.count) == 0
    {
      return last
    }
    let value = TileValue.string(columns.pool.copy(raw.bytes))
    keys.setLastString(key, value)
    return value
  }

  private func unescaped(_ bytes: UnsafeBufferPointer<UInt8>) throws(GeoJSONFault) -> UnsafeBufferPointer<
    UInt8
  > {
    let target = columns.pool.allocate(bytes.count)
    let length = try scanner.unescape(bytes, into: target)
    columns.pool.giveBack(bytes.count - length)
    return UnsafeBufferPointer(start: target, count: length)
  }
}
