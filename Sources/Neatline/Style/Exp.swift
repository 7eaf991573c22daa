/// An expression of the style language, built piece by piece:
///
///     layer.lineWidth = .expression(
///       Exp(.interpolate) {
///         Exp(.linear)
///         Exp(.zoom)
///         5
///         1.0
///         10
///         Exp(.product) { 2; Exp(.get) { "width" } }
///       })
///
/// `Result` is the type of what the expression yields: of a property, the type of its constants. Operators
/// know what they yield, so that these do not compile:
///
///     layer.lineWidth = .expression(Exp(.toColor) { "red" })                                          // a colour for a number
///     layer.lineWidth = .expression(Exp(.step) { Exp(.zoom); 1; 9; StyleColor(.red) })                // a colour among numbers
///     layer.lineCap = .expression(Exp(.interpolate) { Exp(.linear); Exp(.zoom); 0; "butt"; 9; "round" })  // names have nothing between them
///     layer.filter = Exp(.sum) { 1; 2 }                                                               // a number for a filter
///
/// Operators that yield whatever their arguments are (`get`, `match`, `case`, `coalesce`, `step`, …) take the
/// type that is due where they stand, and are `Exp<JSONValue>`, expressions of no certain type, where none
/// is. The rest (number and order of arguments, types of properties) the engine checks when the expression is
/// set. `init(json:)` and `init(parsing:)` take any JSON as an expression of any type; `init(unchecked:)`
/// another expression.
public struct Exp<Result: StyleConvertible>: StyleConvertible {
  /// The name of an operator that yields a `Result`; the known ones are static members.
  public struct Operator: Hashable, Sendable {
    /// The name in style JSON.
    public var name: String
    /// The operator of that name, known or not.
    public init(_ name: String) { self.name = name }
  }

  /// The expression as style JSON.
  public var json: JSONValue

  /// Any JSON: an array that begins with an operator's name, or a legacy function. Nothing is checked.
  @_disfavoredOverload
  public init(json: JSONValue) { self.json = json }

  /// JSON text; throws `JSONError` where it is not JSON.
  @_disfavoredOverload
  public init(parsing text: String) throws { json = try JSONValue(parsing: text) }

  /// An expression of another type, where the one that is due is known to be right: a string for a colour, a
  /// number for a padding.
  public init<Other: StyleConvertible>(unchecked other: Exp<Other>) { json = other.json }

  /// An operator without arguments.
  @_disfavoredOverload
  public init(_ operator: Operator) { json = .array([.string(`operator`.name)]) }

  /// An operator and its arguments.
  @_disfavoredOverload
  public init(_ operator: Operator, @ExpBuilder<Result> _ arguments: () -> [JSONValue]) {
    json = .array([.string(`operator`.name)] + arguments())
  }

  /// An operator and its arguments, of which nothing is checked.
  @_disfavoredOverload
  public init(_ operator: Operator, arguments: [any StyleConvertible]) {
    json = .array([.string(`operator`.name)] + arguments.map(\.json))
  }

  /// The operator, or nil for a legacy function or a literal.
  public var `operator`: Operator? { json[0]?.string.map(Operator.init) }

  /// The arguments, each as JSON.
  public var arguments: [JSONValue] { Array(json.array?.dropFirst() ?? []) }
}

/// An expression of no certain type.
public typealias AnyExp = Exp<JSONValue>

// What an expression is where nothing else says its type. The same as above; these are preferred, so that
// `Result` is known where neither the place nor the operator tells it.
extension Exp where Result == JSONValue {
  /// Any JSON: an array that begins with an operator's name, or a legacy function. Nothing is checked.
  public init(json: JSONValue) { self.json = json }

  /// JSON text; throws `JSONError` where it is not JSON.
  public init(parsing text: String) throws { json = try JSONValue(parsing: text) }

  /// An operator without arguments.
  public init(_ operator: Operator) { json = .array([.string(`operator`.name)]) }

  /// An operator and its arguments.
  public init(_ operator: Operator, @ExpBuilder<Result> _ arguments: () -> [JSONValue]) {
    json = .array([.string(`operator`.name)] + arguments())
  }

  /// An operator and its arguments, of which nothing is checked.
  public init(_ operator: Operator, arguments: [any StyleConvertible]) {
    json = .array([.string(`operator`.name)] + arguments.map(\.json))
  }

  /// An expression of a type as one of no certain type.
  public init<Other: StyleConvertible>(_ typed: Exp<Other>) { json = typed.json }
}

extension Exp: Codable {
  /// Reads the expression from its JSON. Nothing checks that it is one.
  public init(from decoder: any Decoder) throws { self.init(json: try JSONValue(from: decoder)) }
  /// Writes the expression as its JSON.
  public func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }
}

extension JSONValue {
  /// Whether JSON in the place of a property is an expression or a legacy function, and not a constant.
  var isExpression: Bool {
    switch self {
    case .object: true
    case .array: self[0]?.string.map(operatorNames.contains) ?? false
    default: false
    }
  }
}
