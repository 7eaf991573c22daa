/// An expression of the style language, built piece by piece:
///
///     Exp(.interpolate) {
///       Exp(.linear)
///       Exp(.zoom)
///       5
///       1.0
///       10
///       Exp(.product) { 2; Exp(.get) { "width" } }
///     }
///
/// Types are checked by the engine when the expression is set.
public struct Exp: StyleConvertible {
  /// The name of an operator; the known ones are static members.
  public struct Operator: Hashable, Sendable {
    public var name: String
    public init(_ name: String) { self.name = name }
  }

  public var json: JSONValue

  /// Any JSON: an array that begins with an operator's name, or a legacy function.
  public init(json: JSONValue) { self.json = json }

  /// JSON text.
  public init(parsing text: String) throws { json = try JSONValue(parsing: text) }

  /// An operator without arguments.
  public init(_ operator: Operator) { json = .array([.string(`operator`.name)]) }

  /// An operator and its arguments.
  public init(_ operator: Operator, @ExpBuilder _ arguments: () -> [JSONValue]) {
    json = .array([.string(`operator`.name)] + arguments())
  }

  public init(_ operator: Operator, arguments: [any StyleConvertible]) {
    json = .array([.string(`operator`.name)] + arguments.map(\.json))
  }

  /// The operator, or nil for a legacy function or a literal.
  public var `operator`: Operator? { json[0]?.string.map(Operator.init) }

  /// The arguments, each as JSON.
  public var arguments: [JSONValue] { Array(json.array?.dropFirst() ?? []) }

  /// Whether JSON in the place of a property is an expression or a legacy function, and not a constant.
  static func isExpression(_ json: JSONValue) -> Bool {
    switch json {
    case .object: true
    case .array: json[0]?.string.map(Operator.names.contains) ?? false
    default: false
    }
  }
}

extension Exp: Codable {
  public init(from decoder: any Decoder) throws { json = try JSONValue(from: decoder) }
  public func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }
}

/// Collects the arguments of an expression: numbers, strings, booleans, colours, arrays, expressions, options.
@resultBuilder
public enum ExpBuilder {
  public static func buildExpression<T: StyleConvertible>(_ value: T) -> [JSONValue] { [value.json] }
  public static func buildExpression(_ value: Int) -> [JSONValue] { [.number(Double(value))] }
  public static func buildExpression(_ value: [Int]) -> [JSONValue] { [.array(value.map { .number(Double($0)) })] }
  /// Options, as those of `format` and `collator`.
  public static func buildExpression(_ value: [String: JSONValue]) -> [JSONValue] {
    [.object(value.sorted { $0.key < $1.key }.map { .init($0.key, $0.value) })]
  }
  public static func buildBlock(_ parts: [JSONValue]...) -> [JSONValue] { parts.flatMap { $0 } }
  public static func buildOptional(_ part: [JSONValue]?) -> [JSONValue] { part ?? [] }
  public static func buildEither(first part: [JSONValue]) -> [JSONValue] { part }
  public static func buildEither(second part: [JSONValue]) -> [JSONValue] { part }
  public static func buildArray(_ parts: [[JSONValue]]) -> [JSONValue] { parts.flatMap { $0 } }
}

/// What one section of a `format` expression may change.
public struct FormatOptions: StyleConvertible {
  public var fontScale: Value<Double>?
  public var textFont: Value<[String]>?
  public var textColor: Value<StyleColor>?

  public init(fontScale: Value<Double>? = nil, textFont: Value<[String]>? = nil, textColor: Value<StyleColor>? = nil) {
    self.fontScale = fontScale
    self.textFont = textFont
    self.textColor = textColor
  }

  public init?(json: JSONValue) {
    guard json.object != nil else { return nil }
    fontScale = json["font-scale"].flatMap(Value.init(json:))
    textColor = json["text-color"].flatMap(Value.init(json:))
    let font = json["text-font"]
    if font?[0]?.string == "literal", let names = font?[1].flatMap([String].init(json:)) {
      textFont = .constant(names)
    } else {
      textFont = font.flatMap(Value.init(json:))
    }
  }

  public var json: JSONValue {
    var members: [JSONValue.Member] = []
    if let fontScale { members.append(.init("font-scale", fontScale.json)) }
    switch textFont {
    // Inside an expression an array of names has to be marked as a literal.
    case .constant(let names): members.append(.init("text-font", .array(["literal", names.json])))
    case .expression(let expression): members.append(.init("text-font", expression.json))
    case nil: break
    }
    if let textColor { members.append(.init("text-color", textColor.json)) }
    return .object(members)
  }
}
