/// A property's value: a constant of its type, or an expression that yields it. `.expression(Exp(json: …))`
/// takes any JSON.
public enum Value<T: StyleConvertible>: StyleConvertible {
  /// The same for every zoom and feature.
  case constant(T)
  /// Computed for each zoom or feature.
  case expression(Exp<T>)

  /// The constant or expression that JSON describes; nil where it is neither.
  public init?(json: JSONValue) {
    if json.isExpression {
      self = .expression(Exp(json: json))
    } else if let constant = T(json: json) {
      self = .constant(constant)
    } else {
      return nil
    }
  }

  /// The value as style JSON.
  public var json: JSONValue {
    switch self {
    case .constant(let constant): constant.json
    case .expression(let expression): expression.json
    }
  }

  /// The constant; nil where it is an expression.
  public var constant: T? {
    if case .constant(let constant) = self { constant } else { nil }
  }

  /// The expression; nil where it is a constant.
  public var expression: Exp<T>? {
    if case .expression(let expression) = self { expression } else { nil }
  }
}

extension Value: Codable {
  /// Reads the value from its JSON.
  public init(from decoder: any Decoder) throws {
    let json = try JSONValue(from: decoder)
    guard let value = Value(json: json) else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "no \(T.self) and no expression"))
    }
    self = value
  }

  /// Writes the value as its JSON.
  public func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }
}
