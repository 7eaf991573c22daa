import NeatBase
import NeatStyle

/// An image property (a pattern) for the features of a bucket: the names of the images, empty for none. Properties
/// that depend on feature and zoom keep those of the zooms around the tile's, from which maps cross-fade.
package struct ImagePaint: Sendable {
  package let property: PropertyValue
  private var names: [String] = []
  private var below: [String] = []
  private var above: [String] = []

  package init(_ property: PropertyValue) { self.property = property }

  package mutating func append(_ evaluator: Evaluator, at point: EvaluationPoint) {
    guard property.isDataDriven else { return }
    func name(_ step: Double) -> String {
      property.image(evaluator, at: point.at(zoom: point.zoom + step))?.name ?? ""
    }
    names.append(name(0))
    guard property.kind == .composite else { return }
    below.append(name(-1))
    above.append(name(1))
  }

  package func resolved(_ evaluator: Evaluator, at point: EvaluationPoint) -> ResolvedImages {
    guard property.isDataDriven else {
      return ResolvedImages(uniform: property.image(evaluator, at: point)?.name ?? "", values: [])
    }
    return ResolvedImages(uniform: "", values: names)
  }

  /// The same one zoom below (`step` -1) or above (1).
  package func resolved(_ evaluator: Evaluator, at point: EvaluationPoint, step: Double) -> ResolvedImages {
    assert(abs(step) == 1, "a zoom beside the point's")
    guard property.kind == .composite else {
      return resolved(evaluator, at: point.at(zoom: point.zoom + step))
    }
    return ResolvedImages(uniform: "", values: step < 0 ? below : above)
  }
}

package struct ResolvedImages: Sendable {
  package let uniform: String
  package let values: [String]

  /// Whether no feature has an image.
  package var isEmpty: Bool { values.isEmpty ? uniform.isEmpty : values.allSatisfy(\.isEmpty) }

  package subscript(_ index: Int) -> String {
    assert(values.isEmpty || index < values.count, "a name for each feature")
    return values.isEmpty ? uniform : values[index]
  }
}
