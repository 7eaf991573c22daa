/// Something that an application shows on its map, of any kind.
public protocol Annotation: Sendable {
  /// What it is known by among those of its manager: 1 to 256 bytes.
  var id: String { get }
  /// What is drawn.
  var geometry: Geometry { get }
  /// Values of the layer's properties by the names of the style specification. Those that have an accessor are
  /// typed.
  var properties: AnnotationProperties { get set }
  /// What the application keeps with it.
  var userInfo: JSONValue? { get set }
  /// Whether a pointer may drag it.
  var isDraggable: Bool { get set }
  /// Whether it is selected: `["feature-state", "selected"]` in the expressions of paint properties.
  var isSelected: Bool { get set }
}

/// An annotation that a layer of the style draws: a geometry, and values of the layer's properties for it alone.
public protocol LayerAnnotation: Annotation, Hashable {
  /// What an annotation of this type is drawn as.
  associatedtype AnnotationLayer: Layer
  /// Its number in `neat_annotation_kind`.
  static var kind: AnnotationKind { get }

  /// Takes the geometry of another one.
  mutating func move(to other: Self)
  /// An annotation with a geometry; nil for one of another type.
  init?(id: String, geometry: Geometry)
}

/// The kinds of annotations.
public enum AnnotationKind: UInt32, Hashable, Sendable {
  /// Icons and texts.
  case point = 0
  /// Lines.
  case polyline = 1
  /// Areas.
  case polygon = 2
  /// Circles.
  case circle = 3
}

/// Values of properties by their names.
public struct AnnotationProperties: Hashable, Sendable {
  private var values: [String: JSONValue] = [:]

  /// None.
  public init() {}

  /// The value of a property; nil where there is none.
  public subscript(_ name: String) -> JSONValue? {
    get { values[name] }
    set { values[name] = newValue }
  }

  /// The typed value of a property; nil where there is none, or one of another kind.
  public subscript<Value: StyleConvertible>(_ name: String) -> Value? {
    get { values[name].flatMap(Value.init) }
    set { values[name] = newValue?.json }
  }

  /// Appends them as members of an object.
  func write(to bytes: inout [UInt8]) {
    var isFirst = true
    for (name, value) in values {
      bytes += isFirst ? "\"".utf8 : ",\"".utf8
      isFirst = false
      bytes += name.utf8
      bytes += "\":".utf8
      value.write(into: &bytes)
    }
  }
}

extension LayerAnnotation {
  init?(json: JSONValue) {
    guard let id = json["id"]?.string, let shape = json["geometry"],
      let geometry = try? Geometry(parsing: Array(shape.text.utf8))
    else { return nil }
    self.init(id: id, geometry: geometry)
    if case .object(let members)? = json["properties"] {
      for member in members { properties[member.key] = member.value }
    }
    userInfo = json["userInfo"]
    isDraggable = json["isDraggable"]?.bool ?? false
    isSelected = json["isSelected"]?.bool ?? false
  }

  /// Takes what a pointer may have changed: the place, and whether it is selected.
  mutating func take(_ fresh: Self) {
    isSelected = fresh.isSelected
    move(to: fresh)
  }

  /// Appends it as JSON.
  func write(to bytes: inout [UInt8]) {
    bytes += #"{"id":"#.utf8
    JSONValue.quote(id, into: &bytes)
    bytes += #","geometry":"#.utf8
    if case .point(let point) = geometry {
      bytes += #"{"type":"Point","coordinates":["#.utf8
      bytes += JSONValue.numberText(point.coordinate.longitude).utf8
      bytes.append(UInt8(ascii: ","))
      bytes += JSONValue.numberText(point.coordinate.latitude).utf8
      bytes += "]}".utf8
    } else {
      bytes += geometry.geoJSONText().utf8
    }
    bytes += #","properties":{"#.utf8
    properties.write(to: &bytes)
    bytes.append(UInt8(ascii: "}"))
    if let userInfo {
      bytes += #","userInfo":"#.utf8
      userInfo.write(into: &bytes)
    }
    if isDraggable { bytes += #","isDraggable":true"#.utf8 }
    if isSelected { bytes += #","isSelected":true"#.utf8 }
    bytes.append(UInt8(ascii: "}"))
  }
}
