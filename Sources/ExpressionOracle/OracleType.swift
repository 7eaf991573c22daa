/// The static type of an expression.
public indirect enum OracleType: Hashable, Sendable {
  case null, number, string, boolean, color, object, value, formatted, image
  case array(OracleType, Int?)

  /// Whether a value of another type may stand where this one is expected.
  func accepts(_ other: OracleType) -> Bool {
    switch (self, other) {
    case (.array(let item, let count), .array(let otherItem, let otherCount)):
      (otherCount == 0 && otherItem == .value || item.accepts(otherItem))
        && (count == nil || count == otherCount)
    case (.value, .array(let item, _)): OracleType.value.accepts(item)
    case (.value, _): true
    default: self == other
    }
  }

  /// What a property's type is called in the specification and in `CompiledExpression.info`.
  public init?(named name: String) {
    switch name {
    case "number": self = .number
    case "string", "enum": self = .string
    case "boolean": self = .boolean
    case "color": self = .color
    case "formatted": self = .formatted
    case "resolvedImage": self = .image
    case "value": self = .value
    default: return nil
    }
  }
}
