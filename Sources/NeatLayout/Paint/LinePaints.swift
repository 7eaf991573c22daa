import NeatStyle

/// The paint of a line layer's features.
package struct LinePaints: Sendable {
  package private(set) var width: NumberPaint
  package private(set) var gapWidth: NumberPaint
  package private(set) var offset: NumberPaint
  package private(set) var blur: NumberPaint
  package private(set) var opacity: NumberPaint
  package private(set) var color: ColorPaint
  package private(set) var pattern: ImagePaint
  package private(set) var dashes: DashPaint

  init(_ style: StyleLayer) {
    width = NumberPaint(style[.lineWidth])
    gapWidth = NumberPaint(style[.lineGapWidth])
    offset = NumberPaint(style[.lineOffset])
    blur = NumberPaint(style[.lineBlur])
    opacity = NumberPaint(style[.lineOpacity])
    color = ColorPaint(style[.lineColor])
    pattern = ImagePaint(style[.linePattern])
    dashes = DashPaint(style[.lineDasharray], cap: style[.lineCap])
  }

  /// Takes the values of the point's feature; call once a feature, in order.
  mutating func append(_ evaluator: Evaluator, at point: EvaluationPoint) {
    width.append(evaluator, at: point)
    gapWidth.append(evaluator, at: point)
    offset.append(evaluator, at: point)
    blur.append(evaluator, at: point)
    opacity.append(evaluator, at: point)
    color.append(evaluator, at: point)
    pattern.append(evaluator, at: point)
    dashes.append(evaluator, at: point)
  }

  private var numbers: [NumberPaint] { [width, gapWidth, offset, blur, opacity] }

  /// Whether features differ in colour or in a number.
  package var isDataDriven: Bool { color.isDataDriven || numbers.contains(where: \.isDataDriven) }

  /// Whether features differ in a colour or number that changes with zoom.
  package var isComposite: Bool { color.isComposite || numbers.contains(where: \.isComposite) }
}
