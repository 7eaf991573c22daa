/// A property's value: a constant of its type, or an expression that yields it. `.expression(Exp(json: …))`
/// takes any JSON.
public enum Value<T: StyleConvertible>: StyleConvertible {
  case constant(T)
  case expression(Exp<T>)

  public init?(json: JSONValue) {
    if json.isExpression {
      self = .expression(Exp(json: json))
    } else if let constant = T(json: json) {
      self = .constant(constant)
    } else {
      return nil
    }
  }

  public var json: JSONValue {
    switch self {
    case .constant(let constant): constant.json
    case .expression(let expression): expression.json
    }
  }

  public var constant: T? {
    if case .constant(let constant) = self { constant } else { nil }
  }

  public var expression: Exp<T>? {
    if case .expression(let expression) = self { expression } else { nil }
  }
}

extension Value: Codable {
  public init(from decoder: any Decoder) throws {
    let json = try JSONValue(from: decoder)
    guard let value = Value(json: json) else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "no \(T.self) and no expression"))
    }
    self = value
  }

  public func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }
}
