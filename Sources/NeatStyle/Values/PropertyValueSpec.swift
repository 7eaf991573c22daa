import NeatBase
import NeatJSON

/// What the specification says of a value: its type, and which expressions it takes. Made from a property's
/// entry in the reference.
package struct PropertyValueSpec: Sendable {
  package enum Kind: String, Sendable {
    case number, string, boolean, color, `enum`, formatted, resolvedImage, padding, numberArray, colorArray,
      projectionDefinition
    case variableAnchorOffsetCollection, array
    /// No expected type: any expression will do.
    case any
  }

  package enum PropertyType: String, Sendable {
    case constant
    case dataConstant = "data-constant"
    case dataDriven = "data-driven"
    case crossFaded = "cross-faded"
    case crossFadedDataDriven = "cross-faded-data-driven"
    case colorRamp = "color-ramp"
  }

  package var kind: Kind
  /// Of an array: the type of its items, nil for any.
  package var itemKind: Kind?
  /// Of an array: its length, nil for any.
  package var length: Int?
  /// Of an enum (or an array of enum): the names, in the order of the reference.
  package var enumValues: [String]
  /// The default as the reference writes it; nil where there is none.
  package var defaultJSON: JSON?
  package var propertyType: PropertyType
  /// Whether `interpolate` is allowed.
  package var isInterpolated: Bool
  /// `expression.parameters` of the reference: zoom, feature, feature-state, heatmap-density, line-progress,
  /// elevation, …
  package var parameters: [String]
  package var minimum: Double?
  package var maximum: Double?
  /// Whether `{name}` in constant strings and zoom functions stands for a property.
  package var hasTokens: Bool
  package var units: String?

  package init(
    kind: Kind, itemKind: Kind? = nil, length: Int? = nil, enumValues: [String] = [],
    defaultJSON: JSON? = nil,
    propertyType: PropertyType = .dataDriven, isInterpolated: Bool = true,
    parameters: [String] = ["zoom", "feature"],
    minimum: Double? = nil,
    maximum: Double? = nil, hasTokens: Bool = false, units: String? = nil
  ) {
    self.kind = kind
    self.itemKind = itemKind
    self.length = length
    self.enumValues = enumValues
    self.defaultJSON = defaultJSON
    self.propertyType = propertyType
    self.isInterpolated = isInterpolated
    self.parameters = parameters
    self.minimum = minimum
    self.maximum = maximum
    self.hasTokens = hasTokens
    self.units = units
  }

  /// From an entry such as `paint_line.line-width` of the reference; unknown types are taken as `any`.
  package init(_ json: JSON?) {
    self.init(kind: json?["type"]?.string.flatMap(Kind.init(rawValue:)) ?? .any)
    guard let json else { return }
    itemKind = json["value"]?.string.flatMap(Kind.init(rawValue:))
    length = json["length"]?.int
    if let values = json["values"] {
      enumValues = values.isObject ? values.members.map(\.key) : values.elements.compactMap(\.string)
    }
    defaultJSON = json["default"]
    propertyType = json["property-type"]?.string.flatMap(PropertyType.init(rawValue:)) ?? .dataDriven
    if let expression = json["expression"] {
      isInterpolated = expression["interpolated"]?.bool ?? false
      parameters = expression["parameters"]?.elements.compactMap(\.string) ?? []
    } else {
      isInterpolated = false
      parameters = []
    }
    minimum = json["minimum"]?.number
    maximum = json["maximum"]?.number
    hasTokens = json["tokens"]?.bool ?? false
    units = json["units"]?.string
  }

  package static let filter = PropertyValueSpec(
    kind: .boolean, defaultJSON: .bool(false), isInterpolated: false)

  package var acceptsFeatures: Bool { propertyType == .dataDriven || propertyType == .crossFadedDataDriven }
  /// Whether a constant may be written as an array.
  var expectsArray: Bool {
    switch kind {
    case .array, .padding, .numberArray, .colorArray, .variableAnchorOffsetCollection, .projectionDefinition:
      true
    default: false
    }
  }

  package var acceptsZoom: Bool { parameters.contains("zoom") }

  /// The type that an expression for this value must have; nil for any.
  package var expectedType: ExpressionType? {
    switch kind {
    case .array: .array(itemKind.flatMap(PropertyValueSpec.type) ?? .value, length: length)
    default: PropertyValueSpec.type(kind)
    }
  }

  private static func type(_ kind: Kind) -> ExpressionType? {
    switch kind {
    case .number: .number
    case .string, .enum: .string
    case .boolean: .boolean
    case .color: .color
    case .formatted: .formatted
    case .resolvedImage: .resolvedImage
    case .padding: .padding
    case .numberArray: .numberArray
    case .colorArray: .colorArray
    case .projectionDefinition: .projectionDefinition
    case .variableAnchorOffsetCollection: .variableAnchorOffsetCollection
    case .array, .any: nil
    }
  }
}
