import NeatBase
import NeatStyle

/// Dash arrays of the features of a bucket, in line widths; empty for a solid line.
package struct DashPaint: Sendable {
  package let property: PropertyValue
  private var values: [[Double]] = []

  package init(_ property: PropertyValue) { self.property = property }

  package var isDataDriven: Bool { property.isDataDriven }

  package mutating func append(_ evaluator: Evaluator, at point: EvaluationPoint) {
    if property.isDataDriven { values.append(property.numbers(evaluator, at: point)) }
  }

  /// The dashes of a feature; the same for all where the property is not data-driven. Zoom steps at whole
  /// zooms, as MapLibre's dashes do.
  package func dashes(_ position: Int, _ evaluator: Evaluator, at point: EvaluationPoint) -> [Double] {
    property.isDataDriven ? values[position] : property.numbers(evaluator, at: point)
  }
}
