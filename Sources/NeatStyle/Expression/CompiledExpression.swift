import NeatBase
import NeatJSON

/// An expression, a legacy function or a constant, compiled for one property. Immutable; evaluate it with an `Evaluator` of the thread.
///
/// The typed evaluations return nil where the expression fails or has no value (null, NaN): the caller then takes the property's default.
package final class CompiledExpression: Sendable {
  /// What the value depends on, as the layout needs to know it.
  package enum Kind: Sendable {
    /// On neither zoom nor feature.
    case constant
    /// On zoom only.
    case camera
    /// On the feature only.
    case source
    /// On both.
    case composite
  }

  package let type: ExpressionType
  package let isFeatureConstant: Bool
  package let isZoomConstant: Bool
  /// Whether feature state matters.
  package let isFeatureStateDependent: Bool
  /// Whether the value depends on which images there are.
  package let isImageDependent: Bool
  /// Whether `global-state` is read, and which of its keys.
  package let globalStateKeys: Set<String>
  /// Whether geometry is looked at (`within`, `distance`).
  package let needsGeometry: Bool
  /// The value, where it is a literal.
  package let constant: ExpressionValue?
  /// Inputs of the outermost zoom curve, where the value depends on zoom; empty otherwise.
  package let zoomStops: [Double]

  package var kind: Kind {
    isFeatureConstant ? (isZoomConstant ? .constant : .camera) : (isZoomConstant ? .source : .composite)
  }

  private init() {
    type = .value
    isFeatureConstant = true
    isZoomConstant = true
    isFeatureStateDependent = false
    isImageDependent = false
    globalStateKeys = []
    needsGeometry = false
    constant = nil
    zoomStops = []
  }

  /// Compiles an expression, a legacy function, or a plain value.
  package static func compile(_ json: JSON, spec: PropertyValueSpec) -> Result<CompiledExpression, ExpressionErrors> {
    .failure(ExpressionErrors([ExpressionError(key: "", message: "not implemented")]))
  }

  /// The place of `zoom` between two zoom levels under the outermost zoom curve, in 0...1; 0 for a step curve.
  package func interpolationFactor(zoom: Double, lower: Double, upper: Double) -> Double { 0 }

  package func number(_ evaluator: Evaluator) -> Double? { nil }
  package func color(_ evaluator: Evaluator) -> Color? { nil }
  package func bool(_ evaluator: Evaluator) -> Bool? { nil }
  package func string(_ evaluator: Evaluator) -> String? { nil }
  /// Index of the value in the `enumValues` of the specification, or nil where it is none of them.
  package func enumIndex(_ evaluator: Evaluator) -> Int? { nil }
  /// Numbers of an array, a padding (top, right, bottom, left) or a number array.
  package func numbers(_ evaluator: Evaluator) -> [Double]? { nil }
  package func strings(_ evaluator: Evaluator) -> [String]? { nil }
  package func colors(_ evaluator: Evaluator) -> [Color]? { nil }
  package func formatted(_ evaluator: Evaluator) -> FormattedText? { nil }
  package func image(_ evaluator: Evaluator) -> ResolvedImage? { nil }
  package func anchorOffsets(_ evaluator: Evaluator) -> [AnchorOffset]? { nil }
  package func projection(_ evaluator: Evaluator) -> ProjectionDefinition? { nil }
  /// The value, whatever its type, or why there is none.
  package func value(_ evaluator: Evaluator) -> Result<ExpressionValue, ExpressionRuntimeError> { .success(.null) }
}
