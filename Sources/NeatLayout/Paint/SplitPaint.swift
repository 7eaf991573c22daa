// Paint for vertices: what all features share apart from what differs between them, so that the sum of both
// is the value.
import NeatStyle

extension NumberPaint {
  /// The value of all features, of the layer as the frame shows it; 0 where they differ.
  package func shared(_ evaluator: Evaluator, at point: EvaluationPoint, in layer: StyleLayer) -> Float {
    isDataDriven ? 0 : resolved(evaluator, at: point, layoutZoom: 0, in: layer).uniform
  }

  /// The values where features differ; 0 for each where all have the same.
  package func varying(_ evaluator: Evaluator, at point: EvaluationPoint, layoutZoom: Double)
    -> ResolvedNumbers
  {
    isDataDriven
      ? resolved(evaluator, at: point, layoutZoom: layoutZoom) : ResolvedNumbers(uniform: 0, values: [])
  }

  /// Whether features differ, and change with zoom.
  package var isComposite: Bool { property.kind == .composite }
}

extension ColorPaint {
  /// The premultiplied colour of all features, of the layer as the frame shows it; 0 where they differ.
  package func shared(_ evaluator: Evaluator, at point: EvaluationPoint, in layer: StyleLayer) -> SIMD4<Float>
  {
    isDataDriven ? .zero : resolved(evaluator, at: point, layoutZoom: 0, in: layer).uniform
  }

  /// The colours where features differ; 0 for each where all have the same.
  package func varying(_ evaluator: Evaluator, at point: EvaluationPoint, layoutZoom: Double)
    -> ResolvedColors
  {
    isDataDriven
      ? resolved(evaluator, at: point, layoutZoom: layoutZoom) : ResolvedColors(uniform: .zero, values: [])
  }

  package var isComposite: Bool { property.kind == .composite }
}
