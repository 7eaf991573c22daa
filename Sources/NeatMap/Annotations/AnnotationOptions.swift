import NeatBase
import NeatJSON
import NeatStyle

/// What holds for all annotations of a manager.
///
/// Read from `{"properties": {…}, "layerPosition", "minZoom", "maxZoom", "tolerance", "selection", "cluster",
/// "source"}`, all members optional.
package struct AnnotationOptions: Sendable {
  /// Where the layers of a manager go among the style's.
  package enum Position: Sendable, Hashable {
    case top
    case above(String), below(String)
    /// From the lowest layer, which is 0.
    case at(Int)

    /// Reads `{"above": id}`, `{"below": id}` or `{"at": n}`; null is on top.
    package init(_ json: JSON) throws(NeatError) {
      let members = Array(json.members)
      if json.isNull {
        self = .top
      } else if json.isObject, members.count == 1, members[0].key == "above", let id = members[0].value.string
      {
        self = .above(id)
      } else if json.isObject, members.count == 1, members[0].key == "below", let id = members[0].value.string
      {
        self = .below(id)
      } else if json.isObject, members.count == 1, members[0].key == "at", let place = members[0].value.int,
        place >= 0
      {
        self = .at(place)
      } else {
        throw NeatError(
          .invalidArgument,
          "a layer's position is {\"above\": id}, {\"below\": id}, {\"at\": number} or null",
          offset: json.offset)
      }
    }

    /// The layer that what is added goes below; nil: on top. Throws `notFound`.
    package func before(_ style: Style) throws(NeatError) -> String? {
      func index(_ id: String) throws(NeatError) -> Int {
        guard let index = style.layerIndex(id) else {
          throw NeatError(.notFound, "no such layer", resource: id)
        }
        return index
      }
      switch self {
      case .top: return nil
      case .below(let id): return style.layers[try index(id)].id
      case .above(let id):
        let next = try index(id) + 1
        return next < style.layers.count ? style.layers[next].id : nil
      case .at(let place):
        guard place <= style.layers.count else {
          throw NeatError(.notFound, "place \(place) of \(style.layers.count) layers")
        }
        return place < style.layers.count ? style.layers[place].id : nil
      }
    }
  }

  /// What a tap does to the annotation that it hits.
  package enum Selection: String, Sendable, CaseIterable {
    case none
    /// It is selected, and those that were are not any more; beside all of them, none is.
    case single
    /// It is selected, or is not any more.
    case multiple
  }

  /// Properties of the layer, in the place of its defaults: constants or expressions.
  package private(set) var properties: [(name: String, value: JSON)] = []
  package internal(set) var position = Position.top
  package private(set) var minZoom: Double?
  package private(set) var maxZoom: Double?
  /// Logical pixels around a tap within which an annotation is hit.
  package private(set) var tolerance = 4.0
  package private(set) var selection = Selection.single
  package private(set) var cluster: AnnotationClusters?
  /// Members of the source: `maxzoom`, `buffer`, `tolerance`, `lineMetrics`.
  package private(set) var source: [(String, JSON)] = []

  private static let members = [
    "properties", "layerPosition", "minZoom", "maxZoom", "tolerance", "selection", "cluster", "source",
  ]
  private static let sourceMembers = ["maxzoom", "buffer", "tolerance", "lineMetrics"]

  package init() {}

  package init(_ json: JSON, _ kind: AnnotationKind) throws(NeatError) {
    guard json.isObject else {
      throw NeatError(.invalidArgument, "options of annotations are an object", offset: json.offset)
    }
    try json.refuseMembers(besides: AnnotationOptions.members, of: "options of annotations")
    for (name, value) in json.members where !value.isNull {
      switch name {
      case "properties": try readProperties(value, kind)
      case "layerPosition": position = try Position(value)
      case "minZoom": minZoom = try AnnotationOptions.number(value, name, 0...Double(StyleZoom.maximum))
      case "maxZoom": maxZoom = try AnnotationOptions.number(value, name, 0...Double(StyleZoom.maximum))
      case "tolerance": tolerance = try AnnotationOptions.number(value, name, 0...100)
      case "selection":
        guard let known = value.string.flatMap(Selection.init) else {
          throw NeatError(
            .invalidArgument,
            "selection is none of \(Selection.allCases.map(\.rawValue).joined(separator: ", "))",
            offset: value.offset)
        }
        selection = known
      case "cluster":
        guard kind == .point || kind == .circle else {
          throw NeatError(.invalidArgument, "a \(kind.name) is not clustered", offset: value.offset)
        }
        cluster = try AnnotationClusters(value)
      default:
        guard value.isObject else {
          throw NeatError(.invalidArgument, "source is an object", offset: value.offset)
        }
        try value.refuseMembers(besides: AnnotationOptions.sourceMembers, of: "sources of annotations")
        source = value.members.map { ($0.key, $0.value) }
      }
    }
  }

  private mutating func readProperties(_ json: JSON, _ kind: AnnotationKind) throws(NeatError) {
    guard json.isObject else {
      throw NeatError(.invalidArgument, "properties are an object", offset: json.offset)
    }
    for (name, value) in json.members {
      let base = name.hasSuffix("-transition") ? String(name.dropLast(11)) : name
      guard PropertySpec.find(base, of: kind.layerType.owner) != nil else {
        throw NeatError(
          .invalidArgument, "a \(kind.name) has no property \"\(name)\"", offset: value.offset)
      }
      if value.isNull { continue }
      guard !value.isObject || base != name else {
        throw NeatError(
          .invalidArgument, "\(name) is a function; expressions do what it does", offset: value.offset)
      }
      properties.append((name, value))
    }
  }

  static func number(_ json: JSON, _ name: String, _ range: ClosedRange<Double>) throws(NeatError) -> Double {
    guard let value = json.number, range.contains(value) else {
      throw NeatError(
        .invalidArgument, "\(name) is not a number within \(range.lowerBound)...\(range.upperBound)",
        offset: json.offset)
    }
    return value
  }
}

/// How points that lie close together are shown as one: the defaults are those of version 10 of the mobile SDKs.
///
/// Read from `{"radius", "maxZoom", "minPoints", "circleRadius", "colors": [[count, color], …], "textColor",
/// "textSize", "textField", "textFont", "properties"}`, all members optional; `circleRadius` to `textField` may be
/// expressions.
package struct AnnotationClusters: Sendable {
  private var radius = 50.0
  private var maxZoom = 14.0
  private var minPoints = 2.0
  private var circleRadius = JSON.number(18)
  private var colors: [(count: Double, color: JSON)] = [(0, .string("#000000"))]
  private var textColor = JSON.string("#ffffff")
  private var textSize = JSON.number(12)
  private var textField = JSON.array([.string("get"), .string("point_count_abbreviated")])
  private var textFont: JSON?
  private var properties: JSON?

  init(_ json: JSON) throws(NeatError) {
    if json.bool == true { return }
    guard json.isObject else {
      throw NeatError(.invalidArgument, "cluster is an object, or true", offset: json.offset)
    }
    for (name, value) in json.members where !value.isNull {
      switch name {
      case "radius": radius = try AnnotationOptions.number(value, name, 0...8192)
      case "maxZoom": maxZoom = try AnnotationOptions.number(value, name, 0...Double(StyleZoom.maximum))
      case "minPoints": minPoints = try AnnotationOptions.number(value, name, 2...1e9)
      case "circleRadius": circleRadius = value
      case "colors": colors = try AnnotationClusters.steps(value)
      case "textColor": textColor = value
      case "textSize": textSize = value
      case "textField": textField = value
      case "textFont": textFont = value
      case "properties": properties = value
      default: throw NeatError(.invalidArgument, "clusters have no member \"\(name)\"", offset: value.offset)
      }
    }
  }

  private static func steps(_ json: JSON) throws(NeatError) -> [(Double, JSON)] {
    var result: [(Double, JSON)] = []
    for step in json.elements {
      guard step.count == 2, let count = step[0]?.number, let color = step[1], color.string != nil,
        count > result.last?.0 ?? -1
      else {
        throw NeatError(
          .invalidArgument, "colors of clusters are [[count, color], …] with growing counts",
          offset: json.offset)
      }
      result.append((count, color))
    }
    guard json.isArray, !result.isEmpty else {
      throw NeatError(.invalidArgument, "colors of clusters are no array of steps", offset: json.offset)
    }
    return result
  }

  /// Members of the source.
  var source: [(String, JSON)] {
    var members: [(String, JSON)] = [
      ("cluster", .bool(true)), ("clusterRadius", .number(radius)), ("clusterMaxZoom", .number(maxZoom)),
      ("clusterMinPoints", .number(minPoints)),
    ]
    if let properties { members.append(("clusterProperties", properties)) }
    return members
  }

  /// The layers of the clusters of a source.
  func layers(_ id: String) -> [JSON] {
    let isCluster = JSON.array([.string("has"), .string("point_count")])
    var color = colors[0].color
    if colors.count > 1 {
      let count = JSON.array([.string("get"), .string("point_count")])
      color = .array(
        [.string("step"), count, colors[0].color]
          + colors.dropFirst().flatMap { [JSON.number($0.count), $0.color] })
    }
    var layout: [(String, JSON)] = [
      ("text-field", textField), ("text-size", textSize), ("text-allow-overlap", .bool(true)),
      ("text-ignore-placement", .bool(true)),
    ]
    if let textFont { layout.append(("text-font", textFont)) }
    return [
      .object([
        ("id", .string(id + AnnotationLayers.clusterSuffix)), ("type", .string("circle")),
        ("source", .string(id)), ("filter", isCluster),
        ("paint", .object([("circle-radius", circleRadius), ("circle-color", color)])),
      ]),
      .object([
        ("id", .string(id + AnnotationLayers.clusterTextSuffix)), ("type", .string("symbol")),
        ("source", .string(id)), ("filter", isCluster), ("layout", .object(layout)),
        ("paint", .object([("text-color", textColor)])),
      ]),
    ]
  }
}
