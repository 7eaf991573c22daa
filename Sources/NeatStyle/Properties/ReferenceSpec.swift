/// What the style specification says of one value: its type, bounds, default, and which expressions may stand
/// in its place. An object for the reason that `PropertySpec` is one.
package final class ReferenceSpec: Sendable {
  package enum Kind: UInt8, Sendable {
    case any, number, string, boolean, color, enumeration, array
    case formatted, resolvedImage, padding, numberArray, colorArray, variableAnchorOffsetCollection,
      projectionDefinition
    case filter, function, functionStop, source, sources, layer, layout, paint, light, sky, fog, terrain,
      projection, transition
    case sprite, fontFaces, state, promoteId
  }

  /// What an expression in the value's place may depend on.
  package struct Parameters: OptionSet, Sendable {
    package let rawValue: UInt16
    package init(rawValue: UInt16) { self.rawValue = rawValue }
    package static let zoom = Parameters(rawValue: 1)
    package static let feature = Parameters(rawValue: 2)
    package static let featureState = Parameters(rawValue: 4)
    package static let globalState = Parameters(rawValue: 8)
    package static let heatmapDensity = Parameters(rawValue: 16)
    package static let lineProgress = Parameters(rawValue: 32)
    package static let elevation = Parameters(rawValue: 64)
    package static let skyRadialProgress = Parameters(rawValue: 128)
  }

  package enum PropertyType: UInt8, Sendable {
    case constant, dataConstant, dataDriven, crossFaded, crossFadedDataDriven, colorRamp
  }

  package let kind: Kind
  package let isRequired: Bool
  /// The default as JSON text.
  package let defaultText: String?
  /// Names of an enumeration, in the specification's order; also those of the elements of an array of such.
  package let values: [String]
  package let minimum: Double?
  package let maximum: Double?
  package let period: Double?
  /// At most one: what the elements of an array are.
  private let elements: [ReferenceSpec]
  package let length: Int?
  package let isInterpolated: Bool
  /// Nil where no expression is allowed.
  package let parameters: Parameters?
  package let propertyType: PropertyType?
  package let hasTransition: Bool
  package let hasTokens: Bool
  package let isOverridable: Bool

  package var element: ReferenceSpec? { elements.first }
  package var allowsExpression: Bool { parameters != nil }
  package var allowsData: Bool { propertyType == .dataDriven || propertyType == .crossFadedDataDriven }

  package init(
    _ kind: Kind, required: Bool = false, default defaultText: String? = nil, values: [String] = [],
    minimum: Double? = nil,
    maximum: Double? = nil, period: Double? = nil, element: ReferenceSpec? = nil, length: Int? = nil,
    interpolated: Bool = false,
    parameters: Parameters? = nil, propertyType: PropertyType? = nil, transition: Bool = false,
    tokens: Bool = false,
    overridable: Bool = false
  ) {
    self.kind = kind
    self.isRequired = required
    self.defaultText = defaultText
    self.values = values
    self.minimum = minimum
    self.maximum = maximum
    self.period = period
    self.elements = element.map { [$0] } ?? []
    self.length = length
    self.isInterpolated = interpolated
    self.parameters = parameters
    self.propertyType = propertyType
    self.hasTransition = transition
    self.hasTokens = tokens
    self.isOverridable = overridable
  }
}

/// A member of one of the specification's objects; the name `*` stands for every other name.
package struct ReferenceField: Sendable {
  package let name: String
  package let spec: ReferenceSpec

  package init(_ name: String, _ spec: ReferenceSpec) {
    self.name = name
    self.spec = spec
  }
}
