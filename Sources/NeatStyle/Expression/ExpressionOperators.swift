/// What is known of the operators of style expressions by their names.
package enum ExpressionOperators {
  /// Whether there is an operator of this name.
  package static func contains(_ name: String) -> Bool {
    Parser.forms[name] != nil || Parser.signatures[name] != nil
  }

  /// What an operator gives; nil for those whose type depends on their operands.
  package static func resultType(_ name: String) -> ExpressionType? { Parser.signatures[name]?.type }
}
