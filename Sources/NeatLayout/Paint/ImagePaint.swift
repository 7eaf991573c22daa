import NeatBase
import NeatStyle

/// An image property (a pattern) for the features of a bucket: the names of the images, empty for none.
package struct ImagePaint: Sendable {
  package let property: PropertyValue
  private var names: [String] = []

  package init(_ property: PropertyValue) { self.property = property }

  package mutating func append(_ evaluator: Evaluator, at point: EvaluationPoint) {
    guard property.isDataDriven else { return }
    names.append(property.image(evaluator, at: point)?.name ?? "")
  }

  package func resolved(_ evaluator: Evaluator, at point: EvaluationPoint) -> ResolvedImages {
    guard property.isDataDriven else {
      return ResolvedImages(uniform: property.image(evaluator, at: point)?.name ?? "", values: [])
    }
    return ResolvedImages(uniform: "", values: names)
  }
}

package struct ResolvedImages: Sendable {
  package let uniform: String
  package let values: [String]

  /// Whether no feature has an image.
  package var isEmpty: Bool { values.isEmpty ? uniform.isEmpty : values.allSatisfy(\.isEmpty) }

  package subscript(_ index: Int) -> String { values.isEmpty ? uniform : values[index] }
}
