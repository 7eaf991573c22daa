import NeatBase
import NeatStyle

/// A layer's expression that went past a budget in a tile, so that its property has its default there.
package struct PropertyOverrun: Hashable, Sendable {
  /// Where in the layer: `layout.text-field`, `filter`.
  package let place: String
  package let message: String
}

extension StyleLayer {
  /// The layer's expressions that are a program which went past a budget.
  package func overruns(_ overrun: ExpressionOverrun) -> [PropertyOverrun] {
    places(of: overrun).map { PropertyOverrun(place: $0, message: overrun.message) }
  }
}
