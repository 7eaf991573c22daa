import Neatline

/// A feature as the plain reading sees it: its properties by name.
public struct OracleFeature: Sendable {
  public var id: OracleValue
  /// `Point`, `LineString`, `Polygon` or `Unknown`.
  public var geometryType: String
  public var properties: [String: OracleValue]

  public init(id: OracleValue = .null, geometryType: String = "Unknown", properties: [String: OracleValue]) {
    self.id = id
    self.geometryType = geometryType
    self.properties = properties
  }

  /// All features of a layer of a tile.
  public static func all(of layer: TileLayer) throws -> [OracleFeature] {
    let keys = try (0..<layer.keyCount).map { try layer.key($0) }
    let values = try (0..<layer.valueCount).map { OracleValue(try layer.value($0)) }
    let names = ["Unknown", "Point", "LineString", "Polygon"]
    return try (0..<layer.featureCount).map { feature in
      var properties: [String: OracleValue] = [:]
      for tag in try layer.tags(feature) { properties[keys[tag.key]] = values[tag.value] }
      return OracleFeature(
        id: try layer.id(feature).map { .number(Double($0)) } ?? .null,
        geometryType: names[Int(try layer.type(feature).rawValue)],
        properties: properties)
    }
  }
}

/// Why the plain reading refuses an expression, or fails to evaluate it.
public struct OracleError: Error, Hashable {
  public var message: String
  /// Whether the operator is one that the oracle does not know (and the language does).
  public var isUnsupported = false
}

struct OracleContext {
  var zoom: Double
  var feature: OracleFeature
}

/// An expression or filter read the plain way: a tree, each node evaluated by a call that asks its children.
/// It shares nothing with the engine's parser, compiler and machine, so that tests can hold one against the
/// other, and benchmarks can tell what compiling is worth.
///
/// It knows the operators of the specification but for text sections, images, collators, number formats,
/// geometry and state.
public final class OracleExpression {
  private let root: OracleNode

  /// Reads an expression or a legacy function for a property of a type; nil: of any type.
  public init(_ json: JSONValue, type: OracleType?, isInterpolated: Bool = true) throws {
    if json.object != nil, json["stops"] != nil || json["property"] != nil {
      root = try OracleFunction.read(json, type: type, isInterpolated: isInterpolated)
    } else if type == .formatted || type == .image, let text = json.string {
      root = OracleFunction.tokens(text)
    } else {
      var parser = OracleParser()
      root = try parser.parse(json, type, type == .string ? .coerce : .assert)
    }
  }

  /// Reads a filter, legacy or expression.
  public init(filter json: JSONValue) throws {
    if OracleFilter.isExpression(json) {
      var parser = OracleParser()
      root = try parser.parse(json, .boolean)
    } else {
      root = try OracleFilter.read(json)
    }
  }

  /// Whether a filter is written as an expression and not in the legacy form.
  public static func isExpression(filter json: JSONValue) -> Bool { OracleFilter.isExpression(json) }

  public func evaluate(_ feature: OracleFeature, zoom: Double) throws -> OracleValue {
    try root.evaluate(OracleContext(zoom: zoom, feature: feature))
  }

  /// Whether a feature passes; a filter that fails does not let it.
  public func passes(_ feature: OracleFeature, zoom: Double) -> Bool {
    (try? root.evaluate(OracleContext(zoom: zoom, feature: feature))) == .bool(true)
  }
}

/// A node of the tree.
final class OracleNode {
  let type: OracleType
  /// The value, where the node is a literal.
  let literal: OracleValue?
  let evaluate: (OracleContext) throws -> OracleValue

  init(_ type: OracleType, _ evaluate: @escaping (OracleContext) throws -> OracleValue) {
    self.type = type
    self.evaluate = evaluate
    literal = nil
  }

  init(_ value: OracleValue, _ type: OracleType? = nil) {
    self.type = type ?? value.type
    literal = value
    evaluate = { _ in value }
  }

  func number(_ context: OracleContext) throws -> Double {
    guard case .number(let value) = try evaluate(context) else {
      throw OracleError(message: "a number is expected")
    }
    return value
  }

  func string(_ context: OracleContext) throws -> String {
    guard case .string(let value) = try evaluate(context) else {
      throw OracleError(message: "a string is expected")
    }
    return value
  }

  func bool(_ context: OracleContext) throws -> Bool {
    guard case .bool(let value) = try evaluate(context) else {
      throw OracleError(message: "a boolean is expected")
    }
    return value
  }
}
