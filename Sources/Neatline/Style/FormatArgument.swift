/// A value for a placeholder of a format string: see `Exp.init(format:_:)`.
///
/// Data goes by its JSON: booleans, numbers, strings, arrays, dictionaries, GeoJSON as `JSONValue`.
/// Expressions and colours are marked as such.
public protocol FormatArgument {
  /// The JSON that stands for the value among the arguments: data as it is, `{"$expression": …}` for a style
  /// expression, `{"$color": …}` for a colour.
  var formatArgument: JSONValue { get }
}

extension Bool: FormatArgument {
  /// The boolean.
  public var formatArgument: JSONValue { .bool(self) }
}

extension Int: FormatArgument {
  /// The number.
  public var formatArgument: JSONValue { .number(Double(self)) }
}

extension Double: FormatArgument {
  /// NaN and the infinities have no JSON and stand for null.
  public var formatArgument: JSONValue { .number(self) }
}

extension String: FormatArgument {
  /// The text.
  public var formatArgument: JSONValue { .string(self) }
}

extension JSONValue: FormatArgument {
  /// The JSON itself, as data.
  public var formatArgument: JSONValue { self }
}

extension StyleColor: FormatArgument {
  /// A colour, as UIColor and NSColor were.
  public var formatArgument: JSONValue { ["$color": .string(rawValue)] }
}

extension Exp: FormatArgument {
  /// The expression, not data.
  public var formatArgument: JSONValue { ["$expression": json] }
}

extension Value: FormatArgument where T: FormatArgument {
  /// The constant or the expression.
  public var formatArgument: JSONValue {
    switch self {
    case .constant(let constant): constant.formatArgument
    case .expression(let expression): expression.formatArgument
    }
  }
}

/// Nil is the placeholder's nil.
extension Optional: FormatArgument where Wrapped: FormatArgument {
  /// The value, or null.
  public var formatArgument: JSONValue { self?.formatArgument ?? .null }
}

extension Array: FormatArgument where Element: FormatArgument {
  /// The elements in an array.
  public var formatArgument: JSONValue { .array(map(\.formatArgument)) }
}

/// Stops where the keys are numbers; names of variables or of members where they are strings.
extension Dictionary: FormatArgument where Key: FormatArgument, Value: FormatArgument {
  /// Pairs of key and value, or an object where the keys are strings.
  public var formatArgument: JSONValue {
    let pairs = map { ($0.key.formatArgument, $0.value.formatArgument) }
    if pairs.allSatisfy({ $0.0.string != nil }) {
      return .object(pairs.map { .init($0.0.string ?? "", $0.1) }.sorted { $0.key < $1.key })
    }
    return .array(pairs.sorted { ($0.0.number ?? 0) < ($1.0.number ?? 0) }.map { .array([$0.0, $0.1]) })
  }
}

/// A part of a label with attributes of its own, for `mgl_attributed({%@, …})`.
public struct AttributedExpression: FormatArgument, Hashable, Sendable {
  /// The text: a string, or an `Exp`.
  public var expression: JSONValue
  /// What the section changes.
  public var attributes: FormatOptions

  /// A section: its text or image, and what it changes.
  public init(_ expression: any FormatArgument, attributes: FormatOptions = FormatOptions()) {
    self.expression = expression.formatArgument
    self.attributes = attributes
  }

  /// The section as the argument of a placeholder.
  public var formatArgument: JSONValue {
    var members: [JSONValue.Member] = []
    if let scale = attributes.fontScale { members.append(.init("font-scale", scale.formatArgument)) }
    if let font = attributes.textFont { members.append(.init("text-font", font.formatArgument)) }
    if let color = attributes.textColor { members.append(.init("text-color", color.formatArgument)) }
    return ["expression": expression, "attributes": .object(members)]
  }
}
