// GeoJSON (RFC 7946) in one pass over the text, without a tree. Members may stand in any order: the type of
// an object is looked up before the rest of it is read, which costs nothing where it stands first, and where
// it does not, one skip to it (at most once a level of nesting).

/// Reads shapes from the tokens of JSON.
struct ShapeReader {
  var scanner: JSONScanner
  /// Names of attributes by their place in the latest features: most features have the same ones, and share
  /// the strings.
  private var keys: [String] = []

  private static let sharedKeyLimit = 256

  private init(_ scanner: JSONScanner) { self.scanner = scanner }

  static func document(_ bytes: [UInt8]) throws(GeoJSONError) -> GeoJSON {
    try read(bytes) { reader throws(JSONError) in
      guard reader.scanner.peek() == UInt8(ascii: "{") else { throw reader.unexpected("a GeoJSON object") }
      switch try reader.type() {
      case .feature: return .feature(try reader.feature(depth: 0))
      case .featureCollection: return .featureCollection(try reader.featureCollection(depth: 0))
      default:
        guard let geometry = try reader.geometry(depth: 0) else {
          throw reader.scanner.error("a Point without a position")
        }
        return .geometry(geometry)
      }
    }
  }

  /// A bare array of features, as queries answer.
  static func features(_ bytes: [UInt8]) throws(GeoJSONError) -> [Feature] {
    try read(bytes) { reader throws(JSONError) in
      try reader.list("an array of features") { reader throws(JSONError) in try reader.feature(depth: 1) }
    }
  }

  /// An object of feature collections, as tiles are told.
  static func layers(_ bytes: [UInt8]) throws(GeoJSONError) -> [(
    layer: String, collection: FeatureCollection
  )] {
    try read(bytes) { reader throws(JSONError) in
      guard reader.scanner.peek() == UInt8(ascii: "{") else { throw reader.unexpected("an object") }
      reader.scanner.advance()
      var result: [(String, FeatureCollection)] = []
      if reader.scanner.take(UInt8(ascii: "}")) { return result }
      repeat {
        let name = try reader.scanner.key()
        guard reader.scanner.peek() == UInt8(ascii: "{") else {
          throw reader.unexpected("a FeatureCollection")
        }
        result.append((try reader.scanner.text(of: name), try reader.featureCollection(depth: 1)))
      } while try reader.scanner.more(until: UInt8(ascii: "}"))
      return result
    }
  }

  /// Any JSON.
  static func value(_ bytes: [UInt8]) throws(GeoJSONError) -> AttributeValue {
    try read(bytes) { reader throws(JSONError) in try reader.value(depth: 0) }
  }

  private static func read<T>(_ bytes: [UInt8], _ body: (inout ShapeReader) throws(JSONError) -> T)
    throws(GeoJSONError) -> T
  {
    do {
      return try JSONScanner.read(bytes) { scanner throws(JSONError) in
        var reader = ShapeReader(scanner)
        let result = try body(&reader)
        scanner = reader.scanner
        return result
      }
    } catch {
      throw GeoJSONError(error, in: bytes)
    }
  }

  // Features

  /// `depth`: the arrays and objects around it, as everywhere.
  private mutating func featureCollection(depth: Int) throws(JSONError) -> FeatureCollection {
    let first = scanner.offset
    var features: [Feature]?
    let extras = try members(depth: depth) { reader, name throws(JSONError) in
      guard reader.scanner.matches(name, "features") else { return false }
      features = try reader.list("an array of features") { reader throws(JSONError) in
        try reader.feature(depth: depth + 2)
      }
      return true
    }
    guard let features else { throw missing("features", in: .featureCollection, first) }
    var result = FeatureCollection(features)
    result.extras = extras
    return result
  }

  private mutating func feature(depth: Int) throws(JSONError) -> Feature {
    guard scanner.peek() == UInt8(ascii: "{") else { throw unexpected("a Feature") }
    let type = try type()
    guard type == .feature else { throw scanner.error("a Feature is expected, a \(type.rawValue) found") }
    var geometry: Geometry?
    var attributes = Attributes()
    var identifier: FeatureIdentifier?
    let extras = try members(depth: depth) { reader, name throws(JSONError) in
      if reader.scanner.matches(name, "geometry") {
        geometry = try reader.isNull() ? nil : reader.geometry(depth: depth + 1)
      } else if reader.scanner.matches(name, "properties") {
        attributes = try reader.isNull() ? Attributes() : reader.attributes(depth: depth + 1)
      } else if reader.scanner.matches(name, "id") {
        identifier = try reader.identifier()
      } else {
        return false
      }
      return true
    }
    var result = Feature(geometry: geometry, identifier: identifier, attributes: attributes)
    result.extras = extras
    return result
  }

  private mutating func identifier() throws(JSONError) -> FeatureIdentifier? {
    switch scanner.peek() {
    case UInt8(ascii: "\""): return .string(try scanner.string())
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      return FeatureIdentifier(AttributeValue(try scanner.number()))
    default:
      guard try isNull() else { throw unexpected("a number or a string") }
      return nil
    }
  }

  /// The value of `properties`.
  private mutating func attributes(depth: Int) throws(JSONError) -> Attributes {
    guard scanner.peek() == UInt8(ascii: "{") else { throw unexpected("an object or null") }
    scanner.advance()
    var members: [Attributes.Element] = []
    if scanner.take(UInt8(ascii: "}")) { return Attributes() }
    members.reserveCapacity(keys.count)
    repeat {
      let key = try sharedText(of: try scanner.key(), place: members.count)
      members.append((key, try value(depth: depth + 1)))
    } while try scanner.more(until: UInt8(ascii: "}"))
    return Attributes(members: members)
  }

  private mutating func sharedText(of key: JSONScanner.RawString, place: Int) throws(JSONError) -> String {
    guard !key.hasEscapes, place < ShapeReader.sharedKeyLimit else { return try scanner.text(of: key) }
    if place < keys.count, scanner.equals(key.bytes, keys[place]) { return keys[place] }
    let text = try scanner.text(of: key)
    if place < keys.count { keys[place] = text } else if place == keys.count { keys.append(text) }
    return text
  }

  // What all objects have

  /// The type of the object on whose brace the cursor stands, and stays.
  mutating func type() throws(JSONError) -> ShapeType {
    let first = scanner.offset
    scanner.advance()
    if !scanner.take(UInt8(ascii: "}")) {
      repeat {
        let name = try scanner.key()
        guard scanner.matches(name, "type") else {
          try scanner.skipValue()
          continue
        }
        guard scanner.peek() == UInt8(ascii: "\"") else { throw unexpected("the name of a type") }
        let place = scanner.offset
        let text = try scanner.string()
        let type = ShapeType(rawValue: text)
        scanner.rewind(to: type == nil ? place : first)
        guard let type else { throw scanner.error("\"\(text)\" is no type of GeoJSON") }
        return type
      } while try scanner.more(until: UInt8(ascii: "}"))
    }
    scanner.rewind(to: first)
    throw scanner.error("an object without \"type\"")
  }

  /// Goes through the members of an object. `body` reads the value of a member that is the type's own, and
  /// says whether it is.
  mutating func members(
    depth: Int, _ body: (inout ShapeReader, JSONScanner.RawString) throws(JSONError) -> Bool
  ) throws(JSONError) -> ShapeExtras {
    scanner.advance()
    var bbox: BoundingBox?
    var foreign = Attributes()
    if scanner.take(UInt8(ascii: "}")) { return ShapeExtras() }
    repeat {
      let name = try scanner.key()
      if scanner.matches(name, "type") {
        try scanner.skipValue()
      } else if scanner.matches(name, "bbox") {
        bbox = try boundingBox()
      } else if try !body(&self, name) {
        foreign.append(try scanner.text(of: name), try value(depth: depth + 1))
      }
    } while try scanner.more(until: UInt8(ascii: "}"))
    return ShapeExtras(bbox: bbox, foreignMembers: foreign)
  }

  private mutating func boundingBox() throws(JSONError) -> BoundingBox? {
    if try isNull() { return nil }
    let first = scanner.offset
    let numbers = try list("an array of 4 or 6 numbers") { reader throws(JSONError) in try reader.coordinate()
    }
    if let box = BoundingBox(numbers: numbers) { return box }
    scanner.rewind(to: first)
    throw scanner.error("an array of 4 or 6 numbers is expected, \(numbers.count) found")
  }

  mutating func list<T>(_ what: String, _ element: (inout ShapeReader) throws(JSONError) -> T)
    throws(JSONError) -> [T]
  {
    guard scanner.peek() == UInt8(ascii: "[") else { throw unexpected(what) }
    scanner.advance()
    var result: [T] = []
    if scanner.take(UInt8(ascii: "]")) { return result }
    repeat { result.append(try element(&self)) } while try scanner.more(until: UInt8(ascii: "]"))
    return result
  }

  /// Consumes a null.
  private mutating func isNull() throws(JSONError) -> Bool {
    guard scanner.peek() == UInt8(ascii: "n") else { return false }
    try scanner.word("null")
    return true
  }

  // Faults

  func missing(_ member: String, in type: ShapeType, _ offset: Int) -> JSONError {
    JSONError(message: "a \(type.rawValue) without \"\(member)\"", offset: offset)
  }

  /// The next token begins no value of the kind that is due.
  mutating func unexpected(_ due: String) -> JSONError {
    let found =
      switch scanner.peek() {
      case UInt8(ascii: "{"): "an object"
      case UInt8(ascii: "["): "an array"
      case UInt8(ascii: "\""): "a string"
      case UInt8(ascii: "t"), UInt8(ascii: "f"): "a boolean"
      case UInt8(ascii: "n"): "null"
      case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): "a number"
      case 0: "the end of the text"
      default: "no JSON value"
      }
    return scanner.error("\(due) is expected, \(found) found")
  }
}

extension AttributeValue {
  /// Reads JSON (UTF-8).
  public init(parsing bytes: [UInt8]) throws(GeoJSONError) { self = try ShapeReader.value(bytes) }

  /// Parses JSON text, numbers with all their digits. Throws where it is not JSON.
  public init(parsing text: String) throws(GeoJSONError) { try self.init(parsing: Array(text.utf8)) }

  init(_ number: JSONNumber) {
    self =
      switch number {
      case .uint(let value): .uint64(value)
      case .int(let value): .int64(value)
      case .double(let value): .double(value)
      }
  }
}
