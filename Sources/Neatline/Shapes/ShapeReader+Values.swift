extension ShapeReader {
  // Geometries

  /// The geometry on whose brace the cursor stands; nil for a point without a position, which is an empty
  /// geometry.
  mutating func geometry(depth: Int) throws(JSONError) -> Geometry? {
    guard scanner.peek() == UInt8(ascii: "{") else { throw unexpected("a geometry") }
    // Coordinates are four arrays deep at most; what is read here, JSON readers with the same limit read too.
    guard depth + 4 <= JSONValue.depthLimit else {
      throw scanner.error("geometries are nested deeper than \(JSONValue.depthLimit)")
    }
    let type = try type()
    switch type {
    case .point:
      let (coordinate, extras) = try coordinates(type, depth) { reader throws(JSONError) in
        try reader.positionOrNone()
      }
      return coordinate.map { with(extras, Point($0)) }
    case .multiPoint:
      let (coordinates, extras) = try coordinates(type, depth) { reader throws(JSONError) in
        try reader.positions()
      }
      return with(extras, MultiPoint(coordinates))
    case .lineString:
      let (coordinates, extras) = try coordinates(type, depth) { reader throws(JSONError) in
        try reader.positions()
      }
      return with(extras, LineString(coordinates))
    case .multiLineString:
      let (lines, extras) = try coordinates(type, depth) { reader throws(JSONError) in
        try reader.list("an array of lines") { reader throws(JSONError) in try reader.positions() }
      }
      return with(extras, MultiLineString(lines))
    case .polygon:
      let (rings, extras) = try coordinates(type, depth) { reader throws(JSONError) in try reader.rings() }
      return with(extras, Polygon(rings))
    case .multiPolygon:
      let (polygons, extras) = try coordinates(type, depth) { reader throws(JSONError) in
        try reader.list("an array of polygons") { reader throws(JSONError) in Polygon(try reader.rings()) }
      }
      return with(extras, MultiPolygon(polygons))
    case .geometryCollection: return try collection(depth: depth)
    case .feature, .featureCollection: throw scanner.error("a geometry is expected, a \(type.rawValue) found")
    }
  }

  private func with(_ extras: ShapeExtras, _ geometry: some GeometryConvertible) -> Geometry {
    var geometry = geometry
    geometry.extras = extras
    return geometry.geometry
  }

  private mutating func collection(depth: Int) throws(JSONError) -> Geometry {
    let first = scanner.offset
    var geometries: [Geometry]?
    let extras = try members(depth: depth) { reader, name throws(JSONError) in
      guard reader.scanner.matches(name, "geometries") else { return false }
      geometries = try reader.list("an array of geometries") { reader throws(JSONError) in
        try reader.geometry(depth: depth + 2)
      }
      .compactMap { $0 }
      return true
    }
    guard let geometries else { throw missing("geometries", in: .geometryCollection, first) }
    return with(extras, GeometryCollection(geometries))
  }

  /// The members of a geometry whose coordinates `read` reads.
  private mutating func coordinates<T>(
    _ type: ShapeType, _ depth: Int, _ read: (inout ShapeReader) throws(JSONError) -> T
  ) throws(JSONError) -> (T, ShapeExtras) {
    let first = scanner.offset
    var found: T?
    let extras = try members(depth: depth) { reader, name throws(JSONError) in
      guard reader.scanner.matches(name, "coordinates") else { return false }
      found = .some(try read(&reader))
      return true
    }
    guard let found else { throw missing("coordinates", in: type, first) }
    return (found, extras)
  }

  private mutating func rings() throws(JSONError) -> [Ring] {
    try list("an array of rings") { reader throws(JSONError) in Ring(try reader.positions()) }
  }

  private mutating func positions() throws(JSONError) -> [Coordinate] {
    try list("an array of positions") { reader throws(JSONError) in try reader.position() }
  }

  private mutating func positionOrNone() throws(JSONError) -> Coordinate? {
    guard scanner.peek() == UInt8(ascii: "[") else { throw unexpected("a position") }
    let first = scanner.offset
    scanner.advance()
    if scanner.take(UInt8(ascii: "]")) { return nil }
    scanner.rewind(to: first)
    return try position()
  }

  /// Longitude, latitude and, it may be, altitude; numbers after them have no meaning and are dropped.
  private mutating func position() throws(JSONError) -> Coordinate {
    guard scanner.peek() == UInt8(ascii: "[") else { throw unexpected("a position") }
    let first = scanner.offset
    scanner.advance()
    guard scanner.peek() != UInt8(ascii: "]") else { throw short(first) }
    let longitude = try coordinate()
    guard try scanner.more(until: UInt8(ascii: "]")) else { throw short(first) }
    var result = Coordinate(longitude: longitude, latitude: try coordinate())
    guard try scanner.more(until: UInt8(ascii: "]")) else { return result }
    result.altitude = try coordinate()
    while try scanner.more(until: UInt8(ascii: "]")) { _ = try coordinate() }
    return result
  }

  private func short(_ offset: Int) -> JSONError {
    JSONError(message: "a position has fewer than two numbers", offset: offset)
  }

  mutating func coordinate() throws(JSONError) -> Double {
    let byte = scanner.peek()
    guard byte == UInt8(ascii: "-") || byte &- 48 < 10 else { throw unexpected("a number") }
    let first = scanner.offset
    let value = try scanner.double()
    guard value.isFinite else { throw JSONError(message: "a number is out of range", offset: first) }
    return value
  }

  // Attributes

  /// Any JSON.
  mutating func value(depth: Int) throws(JSONError) -> AttributeValue {
    guard depth <= JSONValue.depthLimit else {
      throw scanner.error("JSON is nested deeper than \(JSONValue.depthLimit)")
    }
    switch scanner.peek() {
    case UInt8(ascii: "\""): return .string(try scanner.string())
    case UInt8(ascii: "{"):
      scanner.advance()
      var members: [Attributes.Element] = []
      if scanner.take(UInt8(ascii: "}")) { return .object(Attributes()) }
      repeat {
        let key = try scanner.key()
        members.append((try scanner.text(of: key), try value(depth: depth + 1)))
      } while try scanner.more(until: UInt8(ascii: "}"))
      return .object(Attributes(members: members))
    case UInt8(ascii: "["):
      return .array(try list("an array") { reader throws(JSONError) in try reader.value(depth: depth + 1) })
    case UInt8(ascii: "t"):
      try scanner.word("true")
      return .bool(true)
    case UInt8(ascii: "f"):
      try scanner.word("false")
      return .bool(false)
    case UInt8(ascii: "n"):
      try scanner.word("null")
      return .null
    case 0: throw scanner.error("unexpected end of JSON")
    default: return AttributeValue(try scanner.number())
    }
  }
}
