import NeatBase
import NeatJSON

/// A layer's filter, written as an expression or in the legacy form. Immutable; evaluate it with an `Evaluator` of the thread.
package final class CompiledFilter: Sendable {
  /// Whether geometry is looked at (`within`, `distance`).
  package let needsGeometry: Bool
  package let isZoomConstant: Bool
  package let isFeatureConstant: Bool
  package let globalStateKeys: Set<String>

  private init() {
    needsGeometry = false
    isZoomConstant = true
    isFeatureConstant = true
    globalStateKeys = []
  }

  package static func compile(_ json: JSON) -> Result<CompiledFilter, ExpressionErrors> {
    .failure(ExpressionErrors([ExpressionError(key: "", message: "not implemented")]))
  }

  /// Whether the evaluator's feature passes. A filter that fails to evaluate does not.
  package func matches(_ evaluator: Evaluator) -> Bool { true }

  /// Whether a filter is written as an expression (and not in the legacy form).
  package static func isExpression(_ json: JSON) -> Bool { true }
}
