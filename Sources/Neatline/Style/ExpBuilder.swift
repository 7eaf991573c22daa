/// Collects the arguments of an expression that yields a `Result`: numbers, strings, booleans, colours,
/// arrays, expressions, options.
///
/// Colours, and expressions that yield them, are arguments only where the result may be made of colours; for
/// a number or a boolean it never is.
@resultBuilder
public enum ExpBuilder<Result: StyleConvertible> {
  /// An argument.
  public static func buildExpression<T: ExpArgument>(_ value: T) -> [JSONValue] { [value.json] }
  /// A whole number as an argument.
  public static func buildExpression(_ value: Int) -> [JSONValue] { [.number(Double(value))] }
  /// Whole numbers as an argument.
  public static func buildExpression(_ value: [Int]) -> [JSONValue] {
    [.array(value.map { .number(Double($0)) })]
  }
  /// Options, as those of `format` and `collator`.
  public static func buildExpression(_ value: [String: JSONValue]) -> [JSONValue] {
    [.object(value.sorted { $0.key < $1.key }.map { .init($0.key, $0.value) })]
  }
  /// Arguments one after the other.
  public static func buildBlock(_ parts: [JSONValue]...) -> [JSONValue] { parts.flatMap { $0 } }
  /// Arguments under an `if`.
  public static func buildOptional(_ part: [JSONValue]?) -> [JSONValue] { part ?? [] }
  /// Arguments of an `if`.
  public static func buildEither(first part: [JSONValue]) -> [JSONValue] { part }
  /// Arguments of an `else`.
  public static func buildEither(second part: [JSONValue]) -> [JSONValue] { part }
  /// Arguments of a loop.
  public static func buildArray(_ parts: [[JSONValue]]) -> [JSONValue] { parts.flatMap { $0 } }
  /// Arguments under an availability condition.
  public static func buildLimitedAvailability(_ part: [JSONValue]) -> [JSONValue] { part }
}

extension ExpBuilder where Result: ColorTakingResult {
  /// Anything, colours too.
  @_disfavoredOverload
  public static func buildExpression<T: StyleConvertible>(_ value: T) -> [JSONValue] { [value.json] }
}
