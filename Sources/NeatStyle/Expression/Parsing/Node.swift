/// An expression that has been parsed and type-checked. What the compiler reads.
final class Node {
  let op: Operator
  let type: ExpressionType
  /// The place in the source.
  let path: SourcePath
  let children: [Node]
  var detail: Detail
  /// What the value depends on: that of the node, and of its children.
  let dependencies: Dependencies
  /// The outcome of the search for the zoom curve, kept because it is asked for from several sides.
  var keptZoomCurve: KeptZoomCurve?

  indirect enum Detail {
    case none
    case literal(ExpressionValue)
    /// The expression that a `var` stands for.
    case variable(Node)
    case curve(Curve)
    case match(MatchTable)
    /// For each section: which of its options follow the content among the children.
    case format([FormatSection])
    /// Which options are there, in the order of the children.
    case options([String])
    case shape(GeoShape)
    case names([String])
    case property(String, ExpressionValue)
    case collation(Bool)
  }

  struct FormatSection {
    var scale = false, font = false, color = false, align = false
  }

  enum ZoomCurve {
    case none
    case curve(Node)
    case error(ExpressionError)
  }

  enum KeptZoomCurve {
    /// The node itself.
    case own
    case other(ZoomCurve)
  }

  init(
    _ op: Operator, _ type: ExpressionType, _ path: SourcePath, _ children: [Node] = [],
    _ detail: Detail = .none
  ) {
    self.op = op
    self.type = type
    self.path = path
    self.children = children
    self.detail = detail
    var dependencies = op.dependencies(arity: children.count)
    for child in children { dependencies.formUnion(child.dependencies) }
    self.dependencies = dependencies
  }

  static func literal(_ value: ExpressionValue, _ type: ExpressionType, _ path: SourcePath) -> Node {
    Node(.literal, type, path, [], .literal(value))
  }

  var literalValue: ExpressionValue? { if case .literal(let value) = detail { value } else { nil } }

  /// Whether the value can be computed now: the children are literals, and nothing from outside is looked at.
  var isFoldable: Bool {
    if case .variable(let bound) = detail { return bound.isFoldable }
    switch op {
    case .literal: return true
    case .error, .collator, .within, .distance, .globalState: return false
    case .assertion, .coercion: if !children.allSatisfy(\.isFoldable) { return false }
    default: if !children.allSatisfy({ $0.op == .literal }) { return false }
    }
    return dependencies.isDisjoint(with: [.feature, .zoom, .ramp, .script])
  }
}

struct Dependencies: OptionSet {
  let rawValue: UInt16
  static let feature = Dependencies(rawValue: 1)
  static let state = Dependencies(rawValue: 2)
  static let zoom = Dependencies(rawValue: 4)
  /// heatmap-density, elevation, line-progress, sky-radial-progress, accumulated
  static let ramp = Dependencies(rawValue: 8)
  static let script = Dependencies(rawValue: 16)
  static let images = Dependencies(rawValue: 32)
  static let globalState = Dependencies(rawValue: 64)
  /// A variable stands in it, which may be bound outside.
  static let variable = Dependencies(rawValue: 128)
}

enum Operator: String {
  // Special forms
  case literal, variable = "var", `let`, assertion, coercion, at, `in`, indexOf = "index-of", slice, length,
    `case`, match, coalesce, step
  case interpolate, interpolateHCL = "interpolate-hcl", interpolateLAB = "interpolate-lab", format, image,
    numberFormat = "number-format"
  case collator, within, distance, globalState = "global-state", arrayLiteral, objectLiteral
  // Comparisons
  case equal = "==", notEqual = "!=", less = "<", greater = ">", lessOrEqual = "<=", greaterOrEqual = ">="
  // Those with signatures
  case error, typeof, toRGBA = "to-rgba", rgb, rgba, has, get, featureState = "feature-state", properties,
    geometryType = "geometry-type",
    id
  case zoom, heatmapDensity = "heatmap-density", elevation, lineProgress = "line-progress", accumulated
  case skyRadialProgress = "sky-radial-progress"
  case add = "+", multiply = "*", subtract = "-", divide = "/", modulo = "%", power = "^", ln2, pi, e, sqrt,
    log10, ln, log2
  case sin, cos, tan, asin, acos, atan, min, max, abs, round, floor, ceil
  case all, any, not = "!", isSupportedScript = "is-supported-script", upcase, downcase, concat,
    resolvedLocale = "resolved-locale", split,
    join
  // Legacy filters
  case filterEqual, filterLess, filterGreater, filterLessOrEqual, filterGreaterOrEqual, filterHas, filterIn
  case filterTypeIn, filterIDCompare, filterHasID, filterIDIn

  func dependencies(arity: Int) -> Dependencies {
    switch self {
    case .get, .has: arity == 1 ? .feature : []
    case .featureState: [.feature, .state]
    case .properties, .geometryType, .id: .feature
    case .within, .distance: .feature
    case .filterEqual, .filterLess, .filterGreater, .filterLessOrEqual, .filterGreaterOrEqual, .filterHas,
      .filterIn, .filterTypeIn,
      .filterIDCompare, .filterHasID, .filterIDIn:
      .feature
    case .zoom: .zoom
    case .variable: .variable
    case .heatmapDensity, .elevation, .lineProgress, .skyRadialProgress, .accumulated: .ramp
    case .isSupportedScript: .script
    case .image: .images
    case .globalState: .globalState
    default: []
    }
  }
}
