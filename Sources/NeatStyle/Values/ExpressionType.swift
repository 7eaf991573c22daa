/// The types of the expression language.
package indirect enum ExpressionType: Hashable, Sendable {
  case null, number, string, boolean, color, projectionDefinition, object, value, error, collator, formatted,
    padding, numberArray,
    colorArray
  case resolvedImage, variableAnchorOffsetCollection
  /// An array of items of one type, of a fixed length or (nil) any.
  case array(ExpressionType, length: Int?)

  package static let anyArray = ExpressionType.array(.value, length: nil)

  /// What a `value` can be.
  static let valueMembers: [ExpressionType] = [
    .null, .number, .string, .boolean, .color, .projectionDefinition, .formatted, .object, .anyArray,
    .padding, .numberArray, .colorArray,
    .resolvedImage, .variableAnchorOffsetCollection,
  ]

  /// The type's name without item type and length.
  package var kind: String {
    switch self {
    case .null: "null"
    case .number: "number"
    case .string: "string"
    case .boolean: "boolean"
    case .color: "color"
    case .projectionDefinition: "projectionDefinition"
    case .object: "object"
    case .value: "value"
    case .error: "error"
    case .collator: "collator"
    case .formatted: "formatted"
    case .padding: "padding"
    case .numberArray: "numberArray"
    case .colorArray: "colorArray"
    case .resolvedImage: "resolvedImage"
    case .variableAnchorOffsetCollection: "variableAnchorOffsetCollection"
    case .array: "array"
    }
  }

  package var isArray: Bool { if case .array = self { true } else { false } }

  /// The type as messages print it: `array<number, 2>`.
  package var description: String {
    guard case .array(let item, let length) = self else { return kind }
    if let length { return "array<\(item.description), \(length)>" }
    return item == .value ? "array" : "array<\(item.description)>"
  }

  /// Whether a value of type `other` can stand where this type is expected.
  package func accepts(_ other: ExpressionType) -> Bool {
    if other == .error { return true }
    switch (self, other) {
    case (.array(let item, let length), .array(let otherItem, let otherLength)):
      return (otherLength == 0 && otherItem == .value || item.accepts(otherItem))
        && (length == nil || length == otherLength)
    case (.array, _): return false
    case (.value, .value): return true
    case (.value, _): return ExpressionType.valueMembers.contains { $0.accepts(other) }
    default: return self == other
    }
  }

  /// The message of a mismatch, or nil where `other` is accepted.
  func mismatch(_ other: ExpressionType) -> String? {
    accepts(other) ? nil : "Expected \(description) but found \(other.description) instead."
  }
}
