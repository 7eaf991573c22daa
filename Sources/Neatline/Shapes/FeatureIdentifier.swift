/// What tells a feature from the others of its source.
public enum FeatureIdentifier: Sendable {
  /// Text.
  case string(String)
  /// A whole number of 0 or more.
  case uint64(UInt64)
  /// Negative.
  case int64(Int64)
  /// A number with a fraction, or past the whole ones.
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

  /// The identifier as an attribute's value.
  public var value: AttributeValue {
    switch self {
    case .string(let value): .string(value)
    case .uint64(let value): .uint64(value)
    case .int64(let value): .int64(value)
    case .double(let value): .double(value)
    }
  }

  /// The identifier where it is a string.
  public var string: String? { value.string }
  /// A whole number that is not negative.
  public var uint64: UInt64? { value.uint64 }
  /// Any number, to the nearest Double.
  public var double: Double? { value.double }
}

extension FeatureIdentifier: Hashable {
  /// Whether both are the same identifier: whole numbers by their value, whatever their case.
  public static func == (a: FeatureIdentifier, b: FeatureIdentifier) -> Bool { a.value == b.value }
  /// Hashes the value.
  public func hash(into hasher: inout Hasher) { hasher.combine(value) }
}

extension FeatureIdentifier: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral
{
  /// A string literal is a string.
  public init(stringLiteral value: String) { self = .string(value) }
  /// A whole literal is an integer.
  public init(integerLiteral value: Int) { self = value < 0 ? .int64(Int64(value)) : .uint64(UInt64(value)) }
  /// A literal with a fraction is a double.
  public init(floatLiteral value: Double) { self = .double(value) }
}

extension FeatureIdentifier: CustomStringConvertible {
  /// The string, or the number in digits.
  public var description: String { string ?? value.description }
}
