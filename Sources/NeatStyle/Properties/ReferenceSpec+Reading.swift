import NeatBase
import NeatJSON

// Entries of the specification's own file, which tools and tests give: such as that of
// `paint_line.line-width`.
extension ReferenceSpec {
  /// Types that are not of values are taken as `any`.
  package convenience init(_ json: JSON) {
    let values = json["values"]
    let expression = json["expression"]
    self.init(
      Kind(specified: json["type"]?.string) ?? .any, default: json["default"]?.text,
      values: values.map { $0.isObject ? $0.members.map(\.key) : $0.elements.compactMap(\.string) } ?? [],
      minimum: json["minimum"]?.number, maximum: json["maximum"]?.number,
      element: Kind(specified: json["value"]?.string).map { ReferenceSpec($0) }, length: json["length"]?.int,
      interpolated: expression?["interpolated"]?.bool ?? false,
      parameters: expression.map { Parameters(names: $0["parameters"]?.elements.compactMap(\.string) ?? []) },
      propertyType: PropertyType(specified: json["property-type"]?.string) ?? .dataDriven,
      tokens: json["tokens"]?.bool ?? false)
  }

  /// The same value, taking expressions on zoom and features.
  func takingExpressions() -> ReferenceSpec {
    ReferenceSpec(
      kind, required: isRequired, default: defaultText, values: values, minimum: minimum, maximum: maximum,
      period: period, element: element, length: length, interpolated: true, parameters: [.zoom, .feature],
      propertyType: propertyType, transition: hasTransition, tokens: hasTokens, overridable: isOverridable)
  }

  /// The default; nil where there is none.
  var defaultJSON: JSON? { defaultText.flatMap { try? JSON.parse($0) } }
}

extension ReferenceSpec.Kind {
  private static let names: [(kind: ReferenceSpec.Kind, name: String)] = [
    (.number, "number"), (.string, "string"), (.boolean, "boolean"), (.color, "color"),
    (.enumeration, "enum"), (.array, "array"), (.formatted, "formatted"), (.resolvedImage, "resolvedImage"),
    (.padding, "padding"), (.numberArray, "numberArray"), (.colorArray, "colorArray"),
    (.projectionDefinition, "projectionDefinition"),
    (.variableAnchorOffsetCollection, "variableAnchorOffsetCollection"),
  ]

  /// The kind of a name as the specification writes it; nil for names of no values.
  fileprivate init?(specified name: String?) {
    guard let entry = Self.names.first(where: { $0.name == name }) else { return nil }
    self = entry.kind
  }

  /// The name in the specification; nil for kinds that are no values of properties.
  var name: String? { Self.names.first { $0.kind == self }?.name }
}

extension ReferenceSpec.PropertyType {
  fileprivate init?(specified name: String?) {
    switch name {
    case "constant": self = .constant
    case "data-constant": self = .dataConstant
    case "data-driven": self = .dataDriven
    case "cross-faded": self = .crossFaded
    case "cross-faded-data-driven": self = .crossFadedDataDriven
    case "color-ramp": self = .colorRamp
    default: return nil
    }
  }
}

extension ReferenceSpec.Parameters {
  private static let table: [(ReferenceSpec.Parameters, String)] = [
    (.zoom, "zoom"), (.feature, "feature"), (.featureState, "feature-state"), (.globalState, "global-state"),
    (.heatmapDensity, "heatmap-density"), (.lineProgress, "line-progress"), (.elevation, "elevation"),
    (.skyRadialProgress, "sky-radial-progress"),
  ]

  /// Of names as in the specification.
  fileprivate init(names: [String]) {
    self.init(Self.table.filter { names.contains($0.1) }.map(\.0))
  }
}
