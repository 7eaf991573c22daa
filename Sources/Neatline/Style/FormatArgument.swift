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
  public var formatArgument: JSONValue { .bool(self) }
}

extension Int: FormatArgument {
  public var formatArgument: JSONValue { .number(Double(self)) }
}

extension Double: FormatArgument {
  /// NaN and the infinities have no JSON and stand for null.
  public var formatArgument: JSONValue { .number(self) }
}

extension String: FormatArgument {
  public var formatArgument: JSONValue { .string(self) }
}

extension JSONValue: FormatArgument {
  public var formatArgument: JSONValue { self }
}

extension StyleColor: FormatArgument {
  /// A colour, as UIColor and NSColor were.
  public var formatArgument: JSONValue { ["$color": .string(rawValue)] }
}

extension Exp: FormatArgument {
  public var formatArgument: JSONValue { ["$expression": json] }
}

extension Value: FormatArgument where T: FormatArgument {
  public var formatArgument: JSONValue {
    switch self {
    case .constant(let constant): constant.formatArgument
    case .expression(let expression): expression.formatArgument
    }
  }
}

/// Nil is the placeholder's nil.
extension Optional: FormatArgument where Wrapped: FormatArgument {
  public var formatArgument: JSONValue { self?.formatArgument ?? .null }
}

extension Array: FormatArgument where Element: FormatArgument {
  public var formatArgument: JSONValue { .array(map(\.formatArgument)) }
}

/// Stops where the keys are numbers; names of variables or of members where they are strings.
extension Dictionary: FormatArgument where Key: FormatArgument, Value: FormatArgument {
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
  public var attributes: FormatOptions

  public init(_ expression: any FormatArgument, attributes: FormatOptions = FormatOptions()) {
    self.expression = expression.formatArgument
    self.attributes = attributes
  }

  public var formatArgument: JSONValue {
    var members: [JSONValue.Member] = []
    if let scale = attributes.fontScale { members.append(.init("font-scale", scale.formatArgument)) }
    if let font = attributes.textFont { members.append(.init("text-font", font.formatArgument)) }
    if let color = attributes.textColor { members.append(.init("text-color", color.formatArgument)) }
    return ["expression": expression, "attributes": .object(members)]
  }
}
