import NeatBase
import NeatJSON
import NeatStyle

/// What annotations are of one manager.
package enum AnnotationKind: UInt32, Sendable, CaseIterable {
  case point, polyline, polygon, circle

  package var name: String {
    switch self {
    case .point: "point"
    case .polyline: "polyline"
    case .polygon: "polygon"
    case .circle: "circle"
    }
  }

  /// The type of the layer that draws them.
  package var layerType: LayerType {
    switch self {
    case .point: .symbol
    case .polyline: .line
    case .polygon: .fill
    case .circle: .circle
    }
  }

  /// Types of geometry that one may have, and how deep their positions lie.
  var geometries: [(type: String, depth: Int)] {
    switch self {
    case .point, .circle: [("Point", 0)]
    case .polyline: [("LineString", 1), ("MultiLineString", 2)]
    case .polygon: [("Polygon", 2), ("MultiPolygon", 3)]
    }
  }

  /// Properties of the layer that each annotation may have a value of its own for.
  package var properties: [Property] {
    AnnotationKind.tables[Int(rawValue)].values.map(\.property).sorted { $0.rawValue < $1.rawValue }
  }

  /// The property of that name that an annotation may have, or nil.
  func property(_ name: String) -> OwnProperty? { AnnotationKind.tables[Int(rawValue)][name] }

  /// The properties of a set.
  func properties(in set: OwnProperties) -> Set<Property> {
    Set(AnnotationKind.tables[Int(rawValue)].values.lazy.filter { set.contains($0.place) }.map(\.property))
  }

  private static let tables: [[String: OwnProperty]] = allCases.map { kind in
    let own = kind.layerType.owner.properties.filter(\.spec.isOfAnnotations)
    precondition(own.count <= UInt64.bitWidth, "a set of a layer's properties is one word")
    return Dictionary(
      uniqueKeysWithValues: own.enumerated().map {
        ($1.name, OwnProperty($1, OwnProperties(rawValue: 1 << UInt64($0))))
      })
  }

  /// What a layer has where its manager says nothing: points do not hide each other.
  var standardProperties: [(String, JSON)] {
    guard self == .point else { return [] }
    return ["icon-allow-overlap", "text-allow-overlap", "icon-ignore-placement", "text-ignore-placement"].map
    {
      ($0, .bool(true))
    }
  }
}

/// A property that an annotation may have, and what its values are: without references, since it is looked up for
/// each value of each annotation.
struct OwnProperty {
  let property: Property
  let place: OwnProperties
  let kind: ReferenceSpec.Kind
  let minimum: Double
  let maximum: Double

  init(_ property: Property, _ place: OwnProperties) {
    let reference = property.spec.reference
    (self.property, self.place) = (property, place)
    kind = reference.kind
    minimum = reference.minimum ?? -.infinity
    maximum = reference.maximum ?? .infinity
  }
}

/// Which properties annotations have of their own: thousands are put together at each change.
struct OwnProperties: OptionSet {
  let rawValue: UInt64
}

extension PropertySpec {
  /// Whether it can be looked up in a feature, as one value of GeoJSON.
  fileprivate var isOfAnnotations: Bool { reference.allowsData && lookup(fallback: nil) != nil }

  /// The expression that has an annotation's own value, or else a fallback; nil: there is none of such a kind.
  func lookup(fallback: JSON?) -> JSON? {
    let get = JSON.array([.string("get"), .string(name)])
    let own: JSON
    switch reference.kind {
    case .number: own = .array([.string("number"), get])
    case .string, .enumeration: own = .array([.string("string"), get])
    case .boolean: own = .array([.string("boolean"), get])
    case .color: own = .array([.string("to-color"), get])
    case .formatted: own = .array([.string("to-string"), get])
    case .resolvedImage: own = .array([.string("image"), get])
    case .array:
      guard let element = reference.element else { return nil }
      let type: String
      switch element.kind {
      case .number: type = "number"
      case .string, .enumeration: type = "string"
      default: return nil
      }
      let length = reference.length.map { [JSON.number(Double($0))] } ?? []
      own = .array([.string("array"), .string(type)] + length + [get])
    default: return nil
    }
    guard let fallback = fallback.map({ literal($0) }) ?? standard else { return own }
    return either(own, or: fallback)
  }

  /// The annotation's own value, or else a fallback. Zooms may stand outermost only.
  private func either(_ own: JSON, or fallback: JSON) -> JSON {
    let parts = Array(fallback.elements)
    let head: Int? =
      switch parts.first?.string {
      case "step" where parts.count > 2 && parts[1][0]?.string == "zoom": 2
      case "interpolate", "interpolate-hcl", "interpolate-lab":
        parts.count > 4 && parts[2][0]?.string == "zoom" ? 4 : nil
      default: nil
      }
    guard fallback.isArray, let head else {
      return .array([.string("case"), .array([.string("has"), .string(name)]), own, fallback])
    }
    // Every second one from the first output on is an output.
    return .array(
      parts.enumerated().map { place, part in
        place >= head && (place - head) % 2 == 0 ? either(own, or: literal(part)) : part
      })
  }

  /// A constant array as an expression; all else as it is.
  private func literal(_ value: JSON) -> JSON {
    guard value.isArray, reference.kind == .array else { return value }
    if let name = value[0]?.string, ExpressionOperators.contains(name) { return value }
    return .array([.string("literal"), value])
  }

  /// The default as an expression.
  private var standard: JSON? {
    guard let text = reference.defaultText, let value = try? JSON.parse(text), !value.isNull else {
      return nil
    }
    return value.isArray ? .array([.string("literal"), value]) : value
  }
}
