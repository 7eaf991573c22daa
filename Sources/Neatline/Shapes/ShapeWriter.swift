/// Writes GeoJSON. Commas are its own business: one is due where the last byte opens no bracket.
struct ShapeWriter {
  private(set) var bytes: [UInt8] = []
  private let options: GeoJSONWriteOptions
  private var depth = 0

  init(_ options: GeoJSONWriteOptions = .init()) { self.options = options }

  mutating func shape(_ shape: GeoJSON) {
    switch shape {
    case .geometry(let geometry): self.geometry(geometry)
    case .feature(let feature): self.feature(feature)
    case .featureCollection(let collection):
      object(.featureCollection, collection.extras) { writer in
        writer.key("features")
        writer.list(collection.features) { $0.feature($1) }
      }
    }
  }

  private mutating func feature(_ feature: Feature) {
    object(.feature, feature.extras) { writer in
      if let identifier = feature.identifier {
        writer.key("id")
        writer.value(identifier.value)
      }
      writer.key("geometry")
      if let geometry = feature.geometry { writer.geometry(geometry) } else { writer.bytes += "null".utf8 }
      writer.key("properties")
      writer.attributes(feature.attributes)
    }
  }

  private mutating func geometry(_ geometry: Geometry) {
    object(geometry.type, geometry.extras) { writer in
      if case .geometryCollection(let collection) = geometry {
        writer.key("geometries")
        writer.list(collection.geometries) { $0.geometry($1) }
        return
      }
      writer.key("coordinates")
      switch geometry {
      case .point(let value): writer.position(value.coordinate)
      case .multiPoint(let value): writer.line(value.coordinates) { $0.position($1) }
      case .lineString(let value): writer.line(value.coordinates) { $0.position($1) }
      case .multiLineString(let value): writer.line(value.coordinates) { $0.line($1) { $0.position($1) } }
      case .polygon(let value): writer.polygon(value)
      case .multiPolygon(let value): writer.line(value.polygons) { $0.polygon($1) }
      case .geometryCollection: break
      }
    }
  }

  // Coordinates

  private mutating func polygon(_ polygon: Polygon) {
    line(polygon.rings.enumerated()) { writer, ring in writer.ring(ring.element, isOuter: ring.offset == 0) }
  }

  private mutating func ring(_ ring: Ring, isOuter: Bool) {
    var coordinates = ring.coordinates
    if !ring.isClosed, coordinates.count > 2, let first = coordinates.first { coordinates.append(first) }
    if options.enforcesRightHandRule, ring.isClockwise == isOuter { coordinates.reverse() }
    line(coordinates) { $0.position($1) }
  }

  private mutating func position(_ place: Coordinate) {
    bytes.append(UInt8(ascii: "["))
    bytes += JSONValue.numberText(place.longitude).utf8
    comma()
    bytes += JSONValue.numberText(place.latitude).utf8
    if let altitude = place.altitude {
      comma()
      bytes += JSONValue.numberText(altitude).utf8
    }
    bytes.append(UInt8(ascii: "]"))
  }

  private mutating func comma() {
    bytes.append(UInt8(ascii: ","))
    if options.isPretty { bytes.append(UInt8(ascii: " ")) }
  }

  // Lists and objects

  /// An array on one line.
  private mutating func line<T>(_ elements: some Sequence<T>, _ write: (inout ShapeWriter, T) -> Void) {
    bytes.append(UInt8(ascii: "["))
    for element in elements {
      if bytes.last != UInt8(ascii: "[") { comma() }
      write(&self, element)
    }
    bytes.append(UInt8(ascii: "]"))
  }

  /// An array with a line for each element, where lines are wanted.
  mutating func list<T>(_ elements: [T], _ write: (inout ShapeWriter, T) -> Void) {
    open("[")
    for element in elements {
      separate("[")
      write(&self, element)
    }
    close("[", "]")
  }

  /// An object with what all of them have, around the members of its type.
  private mutating func object(
    _ type: ShapeType, _ extras: ShapeExtras, _ members: (inout ShapeWriter) -> Void
  ) {
    open("{")
    key("type")
    JSONValue.quote(type.rawValue, into: &bytes)
    if let bbox = extras.bbox {
      key("bbox")
      line(bbox.numbers) { $0.bytes += JSONValue.numberText($1).utf8 }
    }
    members(&self)
    let own = type.members
    for (name, value) in extras.foreignMembers where !own.contains(name) {
      key(name)
      self.value(value)
    }
    close("{", "}")
  }

  /// An object of members that the body writes.
  mutating func members(_ write: (inout ShapeWriter) -> Void) {
    open("{")
    write(&self)
    close("{", "}")
  }

  private mutating func attributes(_ attributes: Attributes) {
    open("{")
    for (name, value) in attributes {
      key(name)
      self.value(value)
    }
    close("{", "}")
  }

  mutating func value(_ value: AttributeValue) {
    switch value {
    case .null: bytes += "null".utf8
    case .bool(let value): bytes += (value ? "true" : "false").utf8
    case .uint64(let value): bytes += String(value).utf8
    case .int64(let value): bytes += String(value).utf8
    // The description of a Double has a point or an exponent always, so that it is read as one again.
    case .double(let value): bytes += (value.isFinite ? value.description : "null").utf8
    case .string(let value): JSONValue.quote(value, into: &bytes)
    case .array(let elements): line(elements) { $0.value($1) }
    case .object(let members): attributes(members)
    }
  }

  mutating func key(_ name: String) {
    separate("{")
    JSONValue.quote(name, into: &bytes)
    bytes.append(UInt8(ascii: ":"))
    if options.isPretty { bytes.append(UInt8(ascii: " ")) }
  }

  private mutating func open(_ bracket: Unicode.Scalar) {
    bytes.append(UInt8(ascii: bracket))
    depth += 1
  }

  private mutating func separate(_ bracket: Unicode.Scalar) {
    if bytes.last != UInt8(ascii: bracket) { bytes.append(UInt8(ascii: ",")) }
    newLine()
  }

  private mutating func close(_ bracket: Unicode.Scalar, _ closing: Unicode.Scalar) {
    depth -= 1
    if bytes.last != UInt8(ascii: bracket) { newLine() }
    bytes.append(UInt8(ascii: closing))
  }

  private mutating func newLine() {
    guard options.isPretty else { return }
    bytes.append(10)
    for _ in 0..<depth { bytes += "  ".utf8 }
  }
}
