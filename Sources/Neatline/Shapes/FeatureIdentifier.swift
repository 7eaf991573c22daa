/// What tells a feature from the others of its source.
public enum FeatureIdentifier: Sendable {
  case string(String)
  case uint64(UInt64)
  /// Negative.
  case int64(Int64)
  case double(Double)

  /// Nil for what is neither a number nor a string.
  public init?(_ value: AttributeValue) {
    switch value {
    case .string(let value): self = .string(value)
    case .uint64(let value): self = .uint64(value)
    case .int64(let value): self = .int64(value)
    case .double(let value): self = .double(value)
    default: return nil
    }
  }

  public var value: AttributeValue {
    switch self {
    case .string(let value): .string(value)
    case .uint64(let value): .uint64(value)
    case .int64(let value): .int64(value)
    case .double(let value): .double(value)
    }
  }

  public var string: String? { value.string }
  /// A whole number that is not negative.
  public var uint64: UInt64? { value.uint64 }
  /// Any number, to the nearest Double.
  public var double: Double? { value.double }
}

extension FeatureIdentifier: Hashable {
  public static func == (a: FeatureIdentifier, b: FeatureIdentifier) -> Bool { a.value == b.value }
  public func hash(into hasher: inout Hasher) { hasher.combine(value) }
}

extension FeatureIdentifier: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral
{
  public init(stringLiteral value: String) { self = .string(value) }
  public init(integerLiteral value: Int) { self = value < 0 ? .int64(Int64(value)) : .uint64(UInt64(value)) }
  public init(floatLiteral value: Double) { self = .double(value) }
}

extension FeatureIdentifier: CustomStringConvertible {
  public var description: String { string ?? value.description }
}
