/// Collects the arguments of an expression that yields a `Result`: numbers, strings, booleans, colours,
/// arrays, expressions, options.
///
/// Colours, and expressions that yield them, are arguments only where the result may be made of colours; for
/// a number or a boolean it never is.
@resultBuilder
public enum ExpBuilder<Result: StyleConvertible> {
  public static func buildExpression<T: ExpArgument>(_ value: T) -> [JSONValue] { [value.json] }
  public static func buildExpression(_ value: Int) -> [JSONValue] { [.number(Double(value))] }
  public static func buildExpression(_ value: [Int]) -> [JSONValue] {
    [.array(value.map { .number(Double($0)) })]
  }
  /// Options, as those of `format` and `collator`.
  public static func buildExpression(_ value: [String: JSONValue]) -> [JSONValue] {
    [.object(value.sorted { $0.key < $1.key }.map { .init($0.key, $0.value) })]
  }
  public static func buildBlock(_ parts: [JSONValue]...) -> [JSONValue] { parts.flatMap { $0 } }
  public static func buildOptional(_ part: [JSONValue]?) -> [JSONValue] { part ?? [] }
  public static func buildEither(first part: [JSONValue]) -> [JSONValue] { part }
  public static func buildEither(second part: [JSONValue]) -> [JSONValue] { part }
  public static func buildArray(_ parts: [[JSONValue]]) -> [JSONValue] { parts.flatMap { $0 } }
  public static func buildLimitedAvailability(_ part: [JSONValue]) -> [JSONValue] { part }
}

extension ExpBuilder where Result: ColorTakingResult {
  /// Anything, colours too.
  @_disfavoredOverload
  public static func buildExpression<T: StyleConvertible>(_ value: T) -> [JSONValue] { [value.json] }
}
