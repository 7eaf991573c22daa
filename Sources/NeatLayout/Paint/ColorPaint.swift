import NeatBase
import NeatStyle

/// A colour property for the features of a bucket; see `NumberPaint`. Colours are kept premultiplied, as
/// floats: interpolation between zoom levels happens premultiplied.
package struct ColorPaint: Sendable {
  package let property: PropertyValue
  private var lower: [SIMD4<Float>] = []
  private var upper: [SIMD4<Float>] = []

  package init(_ property: PropertyValue) { self.property = property }

  package var isDataDriven: Bool { property.isDataDriven }

  package mutating func append(_ evaluator: Evaluator, at point: EvaluationPoint) {
    guard property.isDataDriven else { return }
    lower.append(property.color(evaluator, at: point).premultiplied)
    if property.kind == .composite {
      let above = point.at(zoom: point.zoom + 1)
      upper.append(property.color(evaluator, at: above).premultiplied)
    }
  }

  /// What a frame reads where all features have the same value: the layer's as it is shown, unless that
  /// differs from feature to feature by now and is not laid out yet.
  private func shown(in layer: StyleLayer?) -> PropertyValue {
    guard let value = layer?[property.property], !value.isDataDriven else { return property }
    return value
  }

  package func resolved(
    _ evaluator: Evaluator, at point: EvaluationPoint, layoutZoom: Double, in layer: StyleLayer? = nil
  )
    -> ResolvedColors
  {
    guard property.isDataDriven else {
      return ResolvedColors(
        uniform: shown(in: layer).color(evaluator, at: point).premultiplied, values: []
      )
    }
    guard property.kind == .composite else { return ResolvedColors(uniform: .zero, values: lower) }
    let t = Float(
      property.interpolationFactor(zoom: point.zoom, lower: layoutZoom, upper: layoutZoom + 1))
    assert(upper.count == lower.count, "a value at both zooms for each feature")
    var values = lower
    for index in values.indices { values[index] += (upper[index] - lower[index]) * t }
    return ResolvedColors(uniform: .zero, values: values)
  }
}

/// The premultiplied colours of one frame, components in 0...1.
package struct ResolvedColors: Sendable {
  package let uniform: SIMD4<Float>
  package let values: [SIMD4<Float>]

  package var isUniform: Bool { values.isEmpty }

  @inline(__always) package subscript(_ index: Int) -> SIMD4<Float> {
    assert(values.isEmpty || index < values.count, "a colour for each feature")
    return values.isEmpty ? uniform : values[index]
  }
}

extension Color {
  package var premultiplied: SIMD4<Float> { SIMD4(r * a, g * a, b * a, a) }
}
