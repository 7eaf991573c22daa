// What the expression compiler asks a specification.
extension ReferenceSpec {
  /// A value that takes expressions of every kind: on zoom and features, interpolated.
  package static func expression(
    _ kind: Kind, element: Kind? = nil, length: Int? = nil, values: [String] = [], tokens: Bool = false
  ) -> ReferenceSpec {
    ReferenceSpec(
      kind, values: values, element: element.map { ReferenceSpec($0) }, length: length, interpolated: true,
      parameters: [.zoom, .feature], propertyType: .dataDriven, tokens: tokens)
  }

  var allowsZoom: Bool { parameters?.contains(.zoom) ?? false }

  /// Whether a constant may be written as an array.
  var expectsArray: Bool {
    switch kind {
    case .array, .padding, .numberArray, .colorArray, .variableAnchorOffsetCollection, .projectionDefinition:
      true
    default: false
    }
  }

  /// Whether any expression will do: the value is of no type that the expression language has.
  var takesAnything: Bool { expectedType == nil }

  /// The type that an expression for this value must have; nil for any.
  package var expectedType: ExpressionType? {
    guard kind == .array else { return kind.expressionType }
    return .array(element?.kind.expressionType ?? .value, length: length)
  }
}

extension ReferenceSpec.Kind {
  /// The type in the expression language, of all but arrays; nil where it has none.
  fileprivate var expressionType: ExpressionType? {
    switch self {
    case .number: .number
    case .string, .enumeration: .string
    case .boolean: .boolean
    case .color: .color
    case .formatted: .formatted
    case .resolvedImage: .resolvedImage
    case .padding: .padding
    case .numberArray: .numberArray
    case .colorArray: .colorArray
    case .projectionDefinition: .projectionDefinition
    case .variableAnchorOffsetCollection: .variableAnchorOffsetCollection
    default: nil
    }
  }
}
