/// A value of an attribute. Numbers keep their kind: a whole number is exact in all 64 bits, and 1.0 is no 1.
///
/// | GeoJSON | |
/// | --- | --- |
/// | whole number, 0...2^64 - 1 | `uint64` |
/// | whole number, -2^63 ..< 0 | `int64` |
/// | any other number | `double` |
public enum AttributeValue: Sendable {
  /// Null.
  case null
  /// `true` or `false`.
  case bool(Bool)
  /// A whole number of 0 or more.
  case uint64(UInt64)
  /// A whole number; the reader gives this case to those below 0.
  case int64(Int64)
  /// NaN and the infinities have no JSON form and are written as null.
  case double(Double)
  /// A string.
  case string(String)
  /// The elements of an array.
  case array([AttributeValue])
  /// The members of an object, in their order.
  case object(Attributes)

  /// A whole number.
  public static func int(_ value: Int) -> AttributeValue {
    value < 0 ? .int64(Int64(value)) : .uint64(UInt64(value))
  }

  /// A colour, as its CSS text.
  public static func color(_ value: StyleColor) -> AttributeValue { .string(value.rawValue) }

  /// Whether the value is null.
  public var isNull: Bool { self == .null }

  /// The value as a boolean; nil where it is something else.
  public var bool: Bool? {
    if case .bool(let value) = self { value } else { nil }
  }

  /// A whole number that is not negative.
  public var uint64: UInt64? {
    switch self {
    case .uint64(let value): value
    case .int64(let value): UInt64(exactly: value)
    default: nil
    }
  }

  /// A whole number within -2^63 ..< 2^63.
  public var int64: Int64? {
    switch self {
    case .uint64(let value): Int64(exactly: value)
    case .int64(let value): value
    default: nil
    }
  }

  /// Any number, to the nearest Double.
  public var double: Double? {
    switch self {
    case .uint64(let value): Double(value)
    case .int64(let value): Double(value)
    case .double(let value): value
    default: nil
    }
  }

  /// The value as a string; nil where it is something else.
  public var string: String? {
    if case .string(let value) = self { value } else { nil }
  }

  /// The elements; nil where the value is not an array.
  public var array: [AttributeValue]? {
    if case .array(let value) = self { value } else { nil }
  }

  /// The members; nil where the value is not an object.
  public var object: Attributes? {
    if case .object(let value) = self { value } else { nil }
  }
}

/// Whole numbers are equal where their values are, whatever their case; none equals a double.
extension AttributeValue: Hashable {
  /// Whether both are the same value. Whole numbers are equal where their values are, whatever their case;
  /// none equals a double.
  public static func == (a: AttributeValue, b: AttributeValue) -> Bool {
    switch (a, b) {
    case (.null, .null): true
    case (.bool(let a), .bool(let b)): a == b
    case (.uint64(let a), .uint64(let b)): a == b
    case (.int64(let a), .int64(let b)): a == b
    case (.uint64(let a), .int64(let b)), (.int64(let b), .uint64(let a)): b >= 0 && a == UInt64(b)
    case (.double(let a), .double(let b)): a == b
    case (.string(let a), .string(let b)): a == b
    case (.array(let a), .array(let b)): a == b
    case (.object(let a), .object(let b)): a == b
    default: false
    }
  }

  /// Hashes whole numbers of equal value equally, whatever their case.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .null: hasher.combine(0)
    case .bool(let value): hasher.combine(value)
    case .uint64(let value): hasher.combine(value)
    case .int64(let value): hasher.combine(UInt64(bitPattern: value))
    case .double(let value): hasher.combine(value)
    case .string(let value): hasher.combine(value)
    case .array(let value): hasher.combine(value)
    case .object(let value): hasher.combine(value)
    }
  }
}

extension AttributeValue: ExpressibleByStringLiteral, ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByBooleanLiteral,
  ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral, ExpressibleByNilLiteral
{
  /// A string literal is a string.
  public init(stringLiteral value: String) { self = .string(value) }
  /// A literal with a fraction is a double.
  public init(floatLiteral value: Double) { self = .double(value) }
  /// A whole literal is an integer.
  public init(integerLiteral value: Int) { self = .int(value) }
  /// `true` and `false` are booleans.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  /// An array literal is an array.
  public init(arrayLiteral elements: AttributeValue...) { self = .array(elements) }
  /// A dictionary literal is an object, its members in their order.
  public init(dictionaryLiteral elements: (String, AttributeValue)...) {
    self = .object(Attributes(members: elements.map { Attributes.Element(key: $0.0, value: $0.1) }))
  }
  /// `nil` is null.
  public init(nilLiteral: ()) { self = .null }
}

extension AttributeValue: CustomStringConvertible {
  /// The value as compact JSON.
  public var description: String {
    var writer = ShapeWriter()
    writer.value(self)
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}

// JSON of styles and expressions, whose numbers are all Doubles.
extension AttributeValue {
  /// Numbers become doubles, but whole ones up to 2^53 become integers.
  public init(_ json: JSONValue) {
    switch json {
    case .null: self = .null
    case .bool(let value): self = .bool(value)
    case .number(let value):
      if value.magnitude <= 0x1p53, let whole = Int(exactly: value) {
        self = .int(whole)
      } else {
        self = .double(value)
      }
    case .string(let value): self = .string(value)
    case .array(let elements): self = .array(elements.map(AttributeValue.init))
    case .object(let members):
      self = .object(
        Attributes(members: members.map { Attributes.Element(key: $0.key, value: AttributeValue($0.value)) }))
    }
  }

  /// Whole numbers past 2^53 are rounded.
  public var json: JSONValue {
    switch self {
    case .null: .null
    case .bool(let value): .bool(value)
    case .uint64(let value): .number(Double(value))
    case .int64(let value): .number(Double(value))
    case .double(let value): .number(value)
    case .string(let value): .string(value)
    case .array(let elements): .array(elements.map(\.json))
    case .object(let attributes): .object(attributes.map { .init($0.key, $0.value.json) })
    }
  }
}
