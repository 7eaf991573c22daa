import NeatBase
import NeatStyle

/// Dash arrays of the features of a bucket, in line widths; empty for a solid line. Those that depend on feature and
/// zoom are kept for the zooms around the tile's too, from which maps cross-fade.
package struct DashPaint: Sendable {
  package let property: PropertyValue
  private let cap: PropertyValue
  private var values: [[Double]] = []
  private var below: [[Double]] = []
  private var above: [[Double]] = []
  private var caps: [Bool] = []

  package init(_ property: PropertyValue, cap: PropertyValue) {
    (self.property, self.cap) = (property, cap)
  }

  package var isDataDriven: Bool { property.isDataDriven }

  package mutating func append(_ evaluator: Evaluator, at point: EvaluationPoint) {
    if property.isDataDriven { values.append(property.numbers(evaluator, at: point)) }
    if property.kind == .composite {
      below.append(property.numbers(evaluator, at: point.at(zoom: point.zoom - 1)))
      above.append(property.numbers(evaluator, at: point.at(zoom: point.zoom + 1)))
    }
    if property.isDataDriven, cap.isDataDriven {
      caps.append(cap.enumValue(evaluator, at: point) == "round")
    }
  }

  /// Whether the dashes of a feature have round ends. Dashes that all features share follow caps that they share only.
  package func isRound(_ position: Int, _ evaluator: Evaluator, at point: EvaluationPoint) -> Bool {
    guard cap.isDataDriven else { return cap.enumValue(evaluator, at: point) == "round" }
    assert(!property.isDataDriven || position < caps.count, "a cap for each feature")
    return property.isDataDriven && caps[position]
  }

  /// The dashes of a feature; the same for all where the property is not data-driven. Zoom steps at whole
  /// zooms, as MapLibre's dashes do.
  package func dashes(_ position: Int, _ evaluator: Evaluator, at point: EvaluationPoint) -> [Double] {
    assert(!property.isDataDriven || position < values.count, "dashes for each feature")
    return property.isDataDriven ? values[position] : property.numbers(evaluator, at: point)
  }

  /// The same one zoom below (`step` -1) or above (1).
  package func dashes(
    _ position: Int, _ evaluator: Evaluator, at point: EvaluationPoint, step: Double
  ) -> [Double] {
    assert(abs(step) == 1, "a zoom beside the point's")
    guard property.kind == .composite else {
      return dashes(position, evaluator, at: point.at(zoom: point.zoom + step))
    }
    return step < 0 ? below[position] : above[position]
  }
}
