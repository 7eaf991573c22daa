import Foundation
import Neatline

extension JSONValue {
  /// From what JSON reading and property lists of Foundation hold: numbers, texts, booleans, `NSNull`, nil,
  /// arrays, dictionaries with texts as keys (whose order is by name), values of this package that have JSON,
  /// at most `depthLimit` deep. Throws `invalidArgument`, naming the place and the type, for anything else,
  /// and for numbers that are not finite.
  public init(any value: Any) throws(NeatlineError) { self = try JSONValue(value, path: "value", depth: 0) }

  private init(_ value: Any, path: String, depth: Int) throws(NeatlineError) {
    guard depth <= JSONValue.depthLimit else {
      throw NeatlineError(.limitExceeded, "\(path) is nested deeper than \(JSONValue.depthLimit)")
    }
    if let object = value as? [String: Any] {
      var members: [Member] = []
      for key in object.keys.sorted() {
        guard let member = object[key] else { continue }
        members.append(Member(key, try JSONValue(member, path: "\(path).\(key)", depth: depth + 1)))
      }
      self = .object(members)
    } else if let list = value as? [Any] {
      var elements: [JSONValue] = []
      for (index, element) in list.enumerated() {
        elements.append(try JSONValue(element, path: "\(path)[\(index)]", depth: depth + 1))
      }
      self = .array(elements)
    } else {
      self = try JSONValue.single(value, path, depth)
    }
  }

  /// Apart from the recursion, whose frames stay small this way.
  private static func single(_ value: Any, _ path: String, _ depth: Int) throws(NeatlineError) -> JSONValue {
    switch value {
    case let value as JSONValue: return value
    case is NSNull: return .null
    case let value as String: return .string(value)
    case let value as Substring: return .string(String(value))
    // Before Swift's types, which an NSNumber can be cast to where its value fits: 1 is no `true`. "c" is how
    // one of a boolean was encoded.
    case let value as NSNumber where type(of: value as Any) is NSNumber.Type:
      return String(cString: value.objCType) == "c"
        ? .bool(value.boolValue) : .number(try finite(value.doubleValue, path))
    case let value as Bool: return .bool(value)
    case let value as any BinaryInteger: return .number(Double(value))
    case let value as any BinaryFloatingPoint: return .number(try finite(Double(value), path))
    case let value as any StyleConvertible: return value.json
    case let value as URL: return .string(value.absoluteString)
    default:
      let mirror = Mirror(reflecting: value)
      guard mirror.displayStyle == .optional else {
        throw NeatlineError(.invalidArgument, "\(path) is a \(type(of: value)), which JSON does not have")
      }
      guard let inner = mirror.children.first?.value else { return .null }
      return try JSONValue(inner, path: path, depth: depth)
    }
  }

  private static func finite(_ number: Double, _ path: String) throws(NeatlineError) -> Double {
    guard number.isFinite else {
      throw NeatlineError(.invalidArgument, "\(path) is \(number), which JSON does not have")
    }
    return number
  }

  /// As Foundation has it: `NSNull`, `Bool`, `Double`, `String`, `[Any]`, `[String: Any]`.
  public var any: Any {
    switch self {
    case .null: NSNull()
    case .bool(let value): value
    case .number(let value): value
    case .string(let value): value
    case .array(let elements): elements.map(\.any)
    case .object(let members): [String: Any](members.map { ($0.key, $0.value.any) }) { $1 }
    }
  }
}

extension MapStyle {
  /// Sets a layout or paint property by its name in style JSON.
  public func setLayerProperty(for layerId: String, property: String, value: Any) throws {
    try setLayerProperty(for: layerId, property: property, value: try JSONValue(any: value) as JSONValue?)
  }

  /// Sets several layout and paint properties by their names in style JSON. All values are read before the
  /// first is set.
  public func setLayerProperties(for layerId: String, properties: [String: Any]) throws {
    var values: [(String, JSONValue)] = []
    for name in properties.keys.sorted() {
      guard let value = properties[name] else { continue }
      values.append((name, try JSONValue(any: value)))
    }
    for (name, value) in values {
      try setLayerProperty(for: layerId, property: name, value: value as JSONValue?)
    }
  }

  /// The value of a layer's property as it was set; `NSNull` where it is not.
  public func layerProperty(for layerId: String, property: String) throws(NeatlineError) -> Any {
    try map.property(layer: layerId, property).any
  }

  /// Adds the layer that the members of style JSON describe, below another one or on top.
  public func addLayer(with properties: [String: Any], below other: String = "") throws {
    try map.addLayer(json: try JSONValue(any: properties), before: other)
  }

  /// The members of a layer as style JSON has them.
  public func layerProperties(for layerId: String) throws -> [String: Any] {
    guard let layer = try document[layer: layerId] else {
      throw NeatlineError(.notFound, "no layer \"\(layerId)\"")
    }
    return layer.json.any as? [String: Any] ?? [:]
  }

  /// Adds the source that the members of style JSON describe.
  public func addSource(withId id: String, properties: [String: Any]) throws {
    try map.addSource(id, json: try JSONValue(any: properties))
  }
}

extension Map {
  /// Merges members into a feature's state.
  public func setFeatureState(
    sourceId: String, sourceLayerId: String? = nil, featureId: String, state: [String: Any]
  ) throws(NeatlineError) {
    try setFeatureState(Map.target(sourceId, sourceLayerId, featureId), try JSONValue(any: state))
  }

  /// Removes one member of a feature's state, or all of it.
  public func removeFeatureState(
    sourceId: String, sourceLayerId: String? = nil, featureId: String, stateKey: String? = nil
  ) throws(NeatlineError) {
    try removeFeatureState(Map.target(sourceId, sourceLayerId, featureId), key: stateKey ?? "")
  }

  private static func target(_ source: String, _ sourceLayer: String?, _ feature: String) -> JSONValue {
    var target: JSONValue = ["source": .string(source), "id": .string(feature)]
    if let sourceLayer { target["sourceLayer"] = .string(sourceLayer) }
    return target
  }
}
