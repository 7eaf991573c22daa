import NeatBase

extension GeoJSONReader {
  /// What the members of a geometry object say, in whatever order they stand.
  private struct GeometryMembers {
    /// Nil for a collection.
    var type: GeoJSONGeometryType?
    var hasType = false
    /// -1 before coordinates were read.
    var coordinatesOffset = -1
    /// How deep the coordinates' positions are nested; 0 where there are none.
    var nesting = 0
    var hasGeometries = false
  }

  /// One geometry object, collections included; appends its geometries. The cursor stands on its brace.
  mutating func readGeometry(depth: Int) throws(GeoJSONFault) {
    guard scanner.peek() == 0x7b else {
      throw scanner.cursor < scanner.end ? scanner.fault(.geometryNotObject) : scanner.fault(.unexpectedEnd)
    }
    guard depth < scanner.maxDepth else { throw scanner.fault(.tooDeep, detail: scanner.maxDepth) }
    let first = scanner.offset
    scanner.cursor += 1
    let mark = GeometryMark(columns)
    var members = GeometryMembers()
    if !scanner.closes(0x7d) {
      repeat { try readMember(&members, mark, depth: depth) } while try scanner.more(until: 0x7d)
    }
    guard members.hasType else { throw GeoJSONFault(kind: .geometryTypeMissing, offset: first) }
    try endGeometry(members, mark)
  }

  /// One member of a geometry object. A repeated one takes the place of the one before.
  @inline(__always)
  private mutating func readMember(_ members: inout GeometryMembers, _ mark: GeometryMark, depth: Int)
    throws(GeoJSONFault)
  {
    let key = try scanner.rawString().bytes
    try scanner.expect(0x3a)
    if matches(key, "coordinates") {
      if members.hasGeometries { throw scanner.fault(.coordinatesAndGeometries) }
      columns.truncate(to: mark)
      _ = scanner.peek()
      members.coordinatesOffset = scanner.offset
      members.nesting = try readCoordinates()
    } else if matches(key, "type"), scanner.peek() == 0x22 {
      members.type = try readType()
      members.hasType = true
    } else if matches(key, "geometries") {
      if members.coordinatesOffset >= 0 { throw scanner.fault(.coordinatesAndGeometries) }
      columns.truncate(to: mark)
      members.hasGeometries = true
      try readGeometries(depth: depth)
    } else {
      try scanner.skipValue(depth: depth + 1)
    }
  }

  /// The name of a geometry's type; nil for a collection.
  @inline(__always) private mutating func readType() throws(GeoJSONFault) -> GeoJSONGeometryType? {
    let name = try scanner.rawString().bytes
    if let type = geometryType(name) { return type }
    if matches(name, "GeometryCollection") { return nil }
    throw GeoJSONFault(kind: .geometryTypeUnknown, offset: name.baseAddress! - scanner.start)
  }

  /// Makes a geometry of the points since the mark, if the members fit its type.
  private mutating func endGeometry(_ members: GeometryMembers, _ mark: GeometryMark) throws(GeoJSONFault) {
    guard let type = members.type else {
      // A collection: its members are in already. Coordinates of a collection mean nothing.
      if !members.hasGeometries { columns.truncate(to: mark) }
      return
    }
    if members.hasGeometries { columns.truncate(to: mark) }
    // Arrays that end early hold no position at all: an empty geometry, of whatever type.
    guard members.nesting == 0 || members.nesting == type.nesting else {
      throw GeoJSONFault(kind: .wrongNesting, offset: members.coordinatesOffset, detail: members.nesting)
    }
    guard columns.points.count > mark.points else { return }
    columns.geometryTypes.append(type.rawValue)
    columns.partStarts.append(UInt32(truncatingIfNeeded: columns.partIsOuter.count))
  }

  private mutating func readGeometries(depth: Int) throws(GeoJSONFault) {
    guard scanner.peek() == 0x5b else { throw scanner.fault(.geometryNested) }
    scanner.cursor += 1
    if scanner.closes(0x5d) { return }
    repeat {
      if scanner.peek() == 0x6e { try scanner.literal("null") } else { try readGeometry(depth: depth + 1) }
    } while try scanner.more(until: 0x5d)
  }

  /// The value of `coordinates`; returns how deep its positions are nested, 0 where there are none.
  private mutating func readCoordinates() throws(GeoJSONFault) -> Int {
    if scanner.peek() == 0x6e {
      try scanner.literal("null")
      return 0
    }
    try scanner.expect(0x5b)
    let nesting = try readNested(level: 1)
    if nesting == 1 { endPart() }
    return nesting
  }

  /// An array of which the opening bracket is consumed: a position (1), or arrays of arrays … of positions (2
  /// to 4).
  private mutating func readNested(level: Int) throws(GeoJSONFault) -> Int {
    switch scanner.peek() {
    case 0x5d:
      scanner.cursor += 1
      return 0
    case 0x2d, 0x30...0x39:
      try readPosition()
      return 1
    default: break
    }
    guard level < 4 else { throw scanner.fault(.tooDeep, detail: 4) }
    let firstPoint = columns.points.count
    let firstPart = columns.partIsOuter.count
    var nesting = -1
    repeat {
      try scanner.expect(0x5b)
      let byte = scanner.cursor < scanner.end ? scanner.cursor.pointee : 0
      let child: Int
      if byte &- 0x30 <= 9 || byte == 0x2d {
        try readPosition()
        child = 1
      } else {
        child = try readNested(level: level + 1)
      }
      if child != nesting && child != 0 {
        guard nesting <= 0 else { throw scanner.fault(.mixedNesting) }
        nesting = child
      }
    } while try scanner.more(until: 0x5d)
    if nesting <= 0 { return 0 }
    if nesting == 1 {
      if columns.points.count > firstPoint { endPart() }
      guard columns.points.count <= maxCount else { throw scanner.fault(.tooMany, detail: maxCount) }
    } else if nesting == 2 && columns.partIsOuter.count > firstPart {
      columns.partIsOuter[firstPart] = 1
    }
    return nesting + 1
  }

  @inline(__always) private mutating func endPart() {
    assert(columns.pointStarts.count == columns.partIsOuter.count + 1, "a part has a start and an end")
    columns.partIsOuter.append(0)
    columns.pointStarts.append(UInt32(truncatingIfNeeded: columns.points.count))
  }

  /// Longitude, latitude and whatever follows, up to and with the closing bracket. The cursor stands on the
  /// first number.
  @inline(__always) private mutating func readPosition() throws(GeoJSONFault) {
    let lon = try scanner.coordinate()
    if scanner.cursor < scanner.end, scanner.cursor.pointee == 0x2c {
      scanner.cursor += 1
    } else {
      try comma()
    }
    let byte = scanner.peek()
    guard byte &- 0x30 <= 9 || byte == 0x2d else { throw scanner.unexpected() }
    let lat = try scanner.coordinate()
    columns.points.append(SIMD2(lon, lat))
    if scanner.cursor < scanner.end, scanner.cursor.pointee == 0x5d {
      scanner.cursor += 1
    } else {
      // Elevations and measures are passed over.
      while try scanner.more(until: 0x5d) { try scanner.skipValue(depth: 8) }
    }
  }

  @inline(never) private mutating func comma() throws(GeoJSONFault) {
    if scanner.peek() == 0x5d { throw scanner.fault(.shortPosition) }
    try scanner.expect(0x2c)
  }
}
