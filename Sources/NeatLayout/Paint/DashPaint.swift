import NeatBase
import NeatStyle

/// Dash arrays of the features of a bucket, in line widths; empty for a solid line.
package struct DashPaint: Sendable {
  package let property: PropertyValue
  private let cap: PropertyValue
  private var values = SteppedValues<[Double]>()
  private var caps: [Bool] = []

  package init(_ property: PropertyValue, cap: PropertyValue) {
    (self.property, self.cap) = (property, cap)
  }

  package var isDataDriven: Bool { property.isDataDriven }

  package mutating func append(_ evaluator: Evaluator, at point: EvaluationPoint) {
    if property.isDataDriven {
      values.append(property, at: point) {
        let dashes = property.numbers(evaluator, at: $0)
        evaluator.keep(bytes: dashes.count * MemoryLayout<Double>.stride)
        return dashes
      }
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
    assert(!property.isDataDriven || position < values.values.count, "dashes for each feature")
    return property.isDataDriven ? values.values[position] : property.numbers(evaluator, at: point)
  }

  /// What it holds for the zooms beside the tile's, in bytes.
  package var cost: Int { values.cost }

  /// The same one zoom below (`step` -1) or above (1).
  package func dashes(
    _ position: Int, _ evaluator: Evaluator, at point: EvaluationPoint, step: Double
  ) -> [Double] {
    guard property.kind == .composite else {
      return dashes(position, evaluator, at: point.at(zoom: point.zoom + step))
    }
    return values.beside(position, step: step, at: point)
  }
}
