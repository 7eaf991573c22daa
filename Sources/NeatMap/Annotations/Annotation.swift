import NeatBase
import NeatJSON
import NeatStyle

/// Something that an application shows on its map: geometry, and values of a layer's properties for it alone.
///
/// Read from `{"id", "geometry", "properties", "userInfo", "isDraggable", "isSelected"}`: a GeoJSON feature whose
/// properties are those of the style specification.
package struct Annotation: Sendable {
  package let id: String
  var geometry: JSON
  /// By name; each is a constant that was checked.
  private(set) var properties: JSON?
  /// Which it has a value of its own for, or had.
  private(set) var own: OwnProperties = []
  /// What the application keeps with it.
  var userInfo: JSON?
  package internal(set) var isDraggable = false
  package internal(set) var isSelected = false

  /// Bytes of an id.
  package static let idLimit = 256
  /// Degrees: a line may run on past the 180th meridian.
  static let longitudes = -540.0...540

  /// Reads one; throws `invalidArgument`, naming it and what is wrong.
  init(_ json: JSON, _ kind: AnnotationKind) throws(NeatError) {
    id = try Annotation.id(json)
    guard let geometry = json["geometry"] else { throw Annotation.fail(id, "it has no geometry", json) }
    self.geometry = geometry
    try read(json, kind)
  }

  /// Changes what the JSON has; members of its properties that are null go.
  mutating func change(by json: JSON, _ kind: AnnotationKind) throws(NeatError) {
    var copy = self
    try copy.read(json, kind)
    self = copy
  }

  static func id(_ json: JSON) throws(NeatError) -> String {
    guard json.isObject else {
      throw NeatError(.invalidArgument, "an annotation is an object", offset: json.offset)
    }
    guard let id = json["id"]?.string, !id.isEmpty, id.utf8.count <= idLimit else {
      throw NeatError(
        .invalidArgument, "an annotation has an id: text of 1 to \(idLimit) bytes", offset: json.offset)
    }
    return id
  }

  private mutating func read(_ json: JSON, _ kind: AnnotationKind) throws(NeatError) {
    for (name, value) in json.members {
      switch name {
      case "id": break
      case "type":
        guard value.string == "Feature" else { throw fail("its type is not \"Feature\"", value) }
      case "geometry":
        try check(geometry: value, kind)
        geometry = value
      case "properties": try merge(value, kind)
      case "userInfo": userInfo = value.isNull ? nil : value
      case "isDraggable": isDraggable = try bool(value, name)
      case "isSelected": isSelected = try bool(value, name)
      default: throw fail("there is no member \"\(name)\"", value)
      }
    }
  }

  private func bool(_ json: JSON, _ name: String) throws(NeatError) -> Bool {
    guard let value = json.bool else { throw fail("\(name) is true or false", json) }
    return value
  }

  private func fail(_ words: String, _ json: JSON) -> NeatError { Annotation.fail(id, words, json) }

  private static func fail(_ id: String, _ words: String, _ json: JSON) -> NeatError {
    NeatError(.invalidArgument, "annotation: \(words)", offset: json.offset, resource: id)
  }

  // MARK: Geometry

  private func check(geometry: JSON, _ kind: AnnotationKind) throws(NeatError) {
    let type = geometry["type"]?.string ?? ""
    guard let known = kind.geometries.first(where: { $0.type == type }) else {
      let names = kind.geometries.map(\.type).joined(separator: " or ")
      throw fail("the geometry of a \(kind.name) is a \(names), not \"\(type)\"", geometry)
    }
    guard let coordinates = geometry["coordinates"] else {
      throw fail("its geometry has no coordinates", geometry)
    }
    try check(coordinates, depth: known.depth, kind)
  }

  private func check(_ json: JSON, depth: Int, _ kind: AnnotationKind) throws(NeatError) {
    guard json.isArray else { throw fail("its coordinates are no arrays of numbers", json) }
    if depth == 0 {
      guard let longitude = json[0]?.number, let latitude = json[1]?.number else {
        throw fail("a position is not [longitude, latitude]", json)
      }
      guard Annotation.longitudes.contains(longitude), (-90...90).contains(latitude) else {
        throw fail("a position is past ±540 or ±90 degrees", json)
      }
      return
    }
    let least = depth > 1 ? 1 : kind == .polygon ? 4 : 2
    guard json.count >= least else { throw fail("\(json.count) positions where \(least) are needed", json) }
    for element in json.elements { try check(element, depth: depth - 1, kind) }
    if depth == 1, kind == .polygon {
      guard let first = json[0], let last = json[json.count - 1], first[0]?.number == last[0]?.number,
        first[1]?.number == last[1]?.number
      else { throw fail("a ring does not end where it begins", json) }
    }
  }

  /// The same geometry some way off, in Mercator units; altitudes stay. Where it goes past the world beside this one,
  /// it comes back as a whole.
  func moved(by delta: SIMD2<Double>) -> JSON {
    func first(_ json: JSON) -> Double? {
      json[0]?.isArray == true ? json[0].flatMap(first) : json[0]?.number
    }
    func move(_ json: JSON, _ turn: Double) -> JSON {
      if json[0]?.isArray == true || json.count == 0 { return .array(json.elements.map { move($0, turn) }) }
      let place = LonLat(json[0]?.number ?? 0, json[1]?.number ?? 0)
      let point = Mercator.project(
        LonLat(place.lon, min(max(place.lat, -Mercator.maxLatitude), Mercator.maxLatitude)))
      let moved = Mercator.unproject(SIMD2(point.x + delta.x, min(max(point.y + delta.y, 0), 1)))
      return .array([.number(moved.lon + turn), .number(moved.lat)] + json.elements.dropFirst(2))
    }
    let coordinates = geometry["coordinates"] ?? .null
    let longitude = (first(coordinates) ?? 0) + delta.x * 360
    let turn = abs(longitude) <= 180 ? 0 : -360 * ((longitude + 180) / 360).rounded(.down)
    return .object([("type", geometry["type"] ?? .null), ("coordinates", move(coordinates, turn))])
  }

  // MARK: Properties

  private mutating func merge(_ json: JSON, _ kind: AnnotationKind) throws(NeatError) {
    if json.isNull { return properties = nil }
    guard json.isObject else { throw fail("its properties are an object", json) }
    // Most are taken as they are.
    var isPlain = (properties?.count ?? 0) == 0
    var given: OwnProperties = []
    for (name, value) in json.members {
      guard let property = kind.property(name) else {
        throw fail("a \(kind.name) has no property \"\(name)\" of its own", value)
      }
      if value.isNull {
        isPlain = false
      } else {
        try check(value, property)
        own.insert(property.place)
      }
      if !given.insert(property.place).inserted { isPlain = false }
    }
    if isPlain { return properties = json }
    // Of equal names the last one counts.
    let values = Dictionary(json.members.map { ($0.key, $0.value) }) { _, last in last }
    let old = Dictionary(properties.map { $0.members.map { ($0.key, $0.value) } } ?? []) { _, last in last }
    properties = Annotation.object(old.merging(values) { _, new in new })
  }

  private static func object(_ values: [String: JSON]) -> JSON {
    .object(values.sorted { $0.key < $1.key }.filter { !$0.value.isNull }.map { ($0.key, $0.value) })
  }

  private func check(_ value: JSON, _ own: OwnProperty) throws(NeatError) {
    // Fast for what most have.
    switch own.kind {
    case .number: if let number = value.number, number >= own.minimum, number <= own.maximum { return }
    case .formatted, .resolvedImage, .string: if value.string != nil { return }
    case .color: if let text = value.string, RGBA(css: text) != nil { return }
    default: break
    }
    let (property, spec) = (own.property, own.property.spec)
    guard !value.isObject, spec.reference.kind == .array || !value.isArray else {
      throw fail("\(spec.name) is no constant; expressions are for managers", value)
    }
    let faults = validateProperty(value, property, key: spec.name)
    if let fault = faults.first(where: { $0.severity == .error }) {
      throw NeatError(.style, "annotation: \(fault.message)", offset: value.offset, resource: id)
    }
    if case .array = spec.reference.kind, let first = value[0]?.string,
      spec.reference.element?.kind == .number
    {
      throw fail("\(spec.name) is an expression (\(first)); managers have those", value)
    }
  }

  // MARK: Writing

  /// Appends it as the feature of a source.
  func appendFeature(_ number: Int, to bytes: inout [UInt8]) {
    bytes += #"{"type":"Feature","id":"#.utf8
    bytes += String(number).utf8
    bytes += #","geometry":"#.utf8
    geometry.appendSource(to: &bytes)
    bytes += #","properties":"#.utf8
    if let properties { properties.appendSource(to: &bytes) } else { bytes += "{}".utf8 }
    bytes.append(UInt8(ascii: "}"))
  }

  package var json: JSON {
    var members: [(String, JSON)] = [
      ("type", .string("Feature")), ("id", .string(id)), ("geometry", geometry),
      ("properties", properties ?? .object([])),
    ]
    if let userInfo { members.append(("userInfo", userInfo)) }
    if isDraggable { members.append(("isDraggable", .bool(true))) }
    if isSelected { members.append(("isSelected", .bool(true))) }
    return .object(members)
  }
}
