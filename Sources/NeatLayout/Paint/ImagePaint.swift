import NeatBase
import NeatStyle

/// An image property (a pattern) for the features of a bucket: the names of the images, empty for none.
package struct ImagePaint: Sendable {
  package let property: PropertyValue
  private var names = SteppedValues<String>()

  package init(_ property: PropertyValue) { self.property = property }

  package mutating func append(_ evaluator: Evaluator, at point: EvaluationPoint) {
    guard property.isDataDriven else { return }
    names.append(property, at: point) {
      let name = property.image(evaluator, at: $0)?.name ?? ""
      evaluator.keep(bytes: name.utf8.count)
      return name
    }
  }

  /// What it holds for the zooms beside the tile's, in bytes.
  package var cost: Int { names.cost }

  package func resolved(_ evaluator: Evaluator, at point: EvaluationPoint) -> ResolvedImages {
    guard property.isDataDriven else {
      return ResolvedImages(uniform: property.image(evaluator, at: point)?.name ?? "", values: [])
    }
    return ResolvedImages(uniform: "", values: names.values)
  }

  /// The same one zoom below (`step` -1) or above (1).
  package func resolved(_ evaluator: Evaluator, at point: EvaluationPoint, step: Double) -> ResolvedImages {
    guard property.kind == .composite else {
      return resolved(evaluator, at: point.at(zoom: point.zoom + step))
    }
    return ResolvedImages(
      uniform: "", values: names.values.indices.map { names.beside($0, step: step, at: point) })
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
