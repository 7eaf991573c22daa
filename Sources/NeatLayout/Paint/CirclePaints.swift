import NeatStyle

/// The paint of a circle layer's features.
package struct CirclePaints: Sendable {
  package private(set) var radius: NumberPaint
  package private(set) var blur: NumberPaint
  package private(set) var opacity: NumberPaint
  package private(set) var color: ColorPaint
  package private(set) var strokeWidth: NumberPaint
  package private(set) var strokeOpacity: NumberPaint
  package private(set) var strokeColor: ColorPaint

  init(_ style: StyleLayer) {
    radius = NumberPaint(style[.circleRadius])
    blur = NumberPaint(style[.circleBlur])
    opacity = NumberPaint(style[.circleOpacity])
    color = ColorPaint(style[.circleColor])
    strokeWidth = NumberPaint(style[.circleStrokeWidth])
    strokeOpacity = NumberPaint(style[.circleStrokeOpacity])
    strokeColor = ColorPaint(style[.circleStrokeColor])
  }

  /// Takes the values of the point's feature; call once a feature, in order.
  mutating func append(_ evaluator: Evaluator, at point: EvaluationPoint) {
    radius.append(evaluator, at: point)
    blur.append(evaluator, at: point)
    opacity.append(evaluator, at: point)
    color.append(evaluator, at: point)
    strokeWidth.append(evaluator, at: point)
    strokeOpacity.append(evaluator, at: point)
    strokeColor.append(evaluator, at: point)
  }

  private var numbers: [NumberPaint] { [radius, blur, opacity, strokeWidth, strokeOpacity] }
  private var colors: [ColorPaint] { [color, strokeColor] }

  /// Whether features differ in anything.
  package var isDataDriven: Bool {
    numbers.contains(where: \.isDataDriven) || colors.contains(where: \.isDataDriven)
  }

  /// Whether features differ in something that changes with zoom.
  package var isComposite: Bool {
    numbers.contains(where: \.isComposite) || colors.contains(where: \.isComposite)
  }
}

/// The paint of a heatmap layer's features.
package struct HeatPaints: Sendable {
  package private(set) var radius: NumberPaint
  package private(set) var weight: NumberPaint

  init(_ style: StyleLayer) {
    radius = NumberPaint(style[.heatmapRadius])
    weight = NumberPaint(style[.heatmapWeight])
  }

  /// Takes the values of the point's feature; call once a feature, in order.
  mutating func append(_ evaluator: Evaluator, at point: EvaluationPoint) {
    radius.append(evaluator, at: point)
    weight.append(evaluator, at: point)
  }
}
