/// A JSON value: what styles, properties of features, states and answers of queries are made of.
public enum JSONValue: Hashable, Sendable {
  /// Null.
  case null
  /// `true` or `false`.
  case bool(Bool)
  /// A number, with JavaScript's precision.
  case number(Double)
  /// A string.
  case string(String)
  /// The elements of an array.
  case array([JSONValue])
  /// Members in their order; of equal names the last one counts.
  case object([Member])

  /// One member of an object.
  public struct Member: Hashable, Sendable {
    /// The member's name.
    public var key: String
    /// The member's value.
    public var value: JSONValue

    /// A member from its name and value.
    public init(_ key: String, _ value: JSONValue) {
      self.key = key
      self.value = value
    }
  }

  /// An object from pairs, in their order.
  public static func members(_ pairs: KeyValuePairs<String, JSONValue>) -> JSONValue {
    .object(pairs.map { Member($0.key, $0.value) })
  }

  /// The member of that name; nil where there is none, or the value is not an object. Setting nil removes it;
  /// setting a member of a value that is not an object does nothing.
  public subscript(_ key: String) -> JSONValue? {
    get {
      guard case .object(let members) = self else { return nil }
      return members.last { $0.key == key }?.value
    }
    set {
      guard case .object(var members) = self else { return }
      if let index = members.lastIndex(where: { $0.key == key }) {
        if let newValue { members[index].value = newValue } else { members.remove(at: index) }
      } else if let newValue {
        members.append(Member(key, newValue))
      }
      self = .object(members)
    }
  }

  /// The element at that index; nil past the end, or where the value is not an array.
  public subscript(_ index: Int) -> JSONValue? {
    guard case .array(let elements) = self, elements.indices.contains(index) else { return nil }
    return elements[index]
  }

  /// Whether the value is null.
  public var isNull: Bool { self == .null }

  /// The value as a boolean; nil where it is something else.
  public var bool: Bool? {
    if case .bool(let value) = self { value } else { nil }
  }

  /// The value as a number; nil where it is something else.
  public var number: Double? {
    if case .number(let value) = self { value } else { nil }
  }

  /// The value as a string; nil where it is something else.
  public var string: String? {
    if case .string(let value) = self { value } else { nil }
  }

  /// The elements; nil where the value is not an array.
  public var array: [JSONValue]? {
    if case .array(let value) = self { value } else { nil }
  }

  /// The members in their order; nil where the value is not an object.
  public var object: [Member]? {
    if case .object(let value) = self { value } else { nil }
  }

  /// Compact text, as JavaScript's `JSON.stringify` prints it.
  public var text: String {
    var bytes: [UInt8] = []
    write(into: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByBooleanLiteral,
  ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral, ExpressibleByNilLiteral
{
  /// A string literal is a string.
  public init(stringLiteral value: String) { self = .string(value) }
  /// A literal with a fraction is a number.
  public init(floatLiteral value: Double) { self = .number(value) }
  /// A whole literal is a number.
  public init(integerLiteral value: Int) { self = .number(Double(value)) }
  /// `true` and `false` are booleans.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  /// An array literal is an array.
  public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  /// A dictionary literal is an object, its members in their order.
  public init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(elements.map { Member($0.0, $0.1) })
  }
  /// `nil` is null.
  public init(nilLiteral: ()) { self = .null }
}

extension JSONValue: CustomStringConvertible {
  /// The value as compact JSON text.
  public var description: String { text }
}
