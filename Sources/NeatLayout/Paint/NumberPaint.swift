import NeatBase
import NeatStyle

/// A numeric paint property for the features of a bucket: evaluated at draw time where it is the same for
/// all, else once per feature at layout. Properties that depend on feature and zoom keep their values at the
/// tile's zoom and one above; frames interpolate, as MapLibre does.
package struct NumberPaint: Sendable {
  package let property: PropertyValue
  private var lower: [Float] = []
  private var upper: [Float] = []

  package init(_ property: PropertyValue) { self.property = property }

  package var isDataDriven: Bool { property.isDataDriven }

  /// Takes the value of the point's feature; call once a feature, in order.
  package mutating func append(_ evaluator: Evaluator, at point: EvaluationPoint) {
    guard property.isDataDriven else { return }
    lower.append(Float(property.number(evaluator, at: point)))
    if property.kind == .composite {
      let above = point.at(zoom: point.zoom + 1)
      upper.append(Float(property.number(evaluator, at: above)))
    }
  }

  /// What a frame reads where all features have the same value: the layer's as it is shown, unless that
  /// differs from feature to feature by now and is not laid out yet.
  private func shown(in layer: StyleLayer?) -> PropertyValue {
    guard let value = layer?[property.property], !value.isDataDriven else { return property }
    return value
  }

  /// The values of a frame at the point's zoom; `layoutZoom` is the zoom that the tile was laid out for. A
  /// uniform value is that of the layer as the frame shows it, which transitions change; nil: as the style
  /// has it.
  package func resolved(
    _ evaluator: Evaluator, at point: EvaluationPoint, layoutZoom: Double, in layer: StyleLayer? = nil
  )
    -> ResolvedNumbers
  {
    guard property.isDataDriven else {
      return ResolvedNumbers(
        uniform: Float(shown(in: layer).number(evaluator, at: point)), values: [])
    }
    guard property.kind == .composite else { return ResolvedNumbers(uniform: 0, values: lower) }
    let t = Float(
      property.interpolationFactor(zoom: point.zoom, lower: layoutZoom, upper: layoutZoom + 1))
    assert(upper.count == lower.count, "a value at both zooms for each feature")
    var values = lower
    for index in values.indices { values[index] += (upper[index] - lower[index]) * t }
    return ResolvedNumbers(uniform: 0, values: values)
  }

  /// The largest value that a feature has, for bounds; the uniform value where it is the same for all.
  package func largest(
    _ evaluator: Evaluator, at point: EvaluationPoint, layoutZoom: Double, in layer: StyleLayer? = nil
  ) -> Float {
    let resolved = resolved(evaluator, at: point, layoutZoom: layoutZoom, in: layer)
    return resolved.values.max() ?? resolved.uniform
  }
}

/// The values of a numeric property in one frame.
package struct ResolvedNumbers: Sendable {
  package let uniform: Float
  /// One a feature; empty where all have `uniform`.
  package let values: [Float]

  package var isUniform: Bool { values.isEmpty }

  @inline(__always) package subscript(_ index: Int) -> Float {
    assert(values.isEmpty || index < values.count, "a value for each feature")
    return values.isEmpty ? uniform : values[index]
  }
}
