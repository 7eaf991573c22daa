import NeatJSON

/// What styles of before expressions hold, as the expressions that mean the same. What is an expression or a
/// plain constant already stays as it is.
package enum LegacyConversion {
  /// The expression of a property's value: of a function (`{"stops": …}`), or of a text with `{name}` tokens
  /// where the property knows them. Fails with the specification's words where the function is faulty, or of
  /// a kind that the property does not take.
  package static func expression(_ json: JSON, spec: ReferenceSpec) -> Result<JSON, ExpressionErrors> {
    if spec.hasTokens, let text = json.string { return .success(LegacyFunction.convertTokens(text) ?? json) }
    guard json.isObject, !spec.takesAnything || json["stops"] != nil || json["property"] != nil else {
      return .success(json)
    }
    return LegacyFunction.convert(json, spec).flatMap { expression in
      CompiledExpression.compileExpression(expression, spec: spec).map { _ in expression }
    }
  }

  /// The expression of a filter (`["in", "class", "a", "b"]`, `["none", …]`).
  package static func filter(_ json: JSON) -> Result<JSON, ExpressionErrors> {
    LegacyFilterWriter.convert(json)
  }
}
