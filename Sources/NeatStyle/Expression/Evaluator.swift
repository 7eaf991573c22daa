import NeatBase
import NeatTile

/// The state of evaluations on one thread: the context, the registers, and what programs resolved against the layer at hand.
/// Not for concurrent use. Create one per thread and keep it.
package final class Evaluator {
  package var context = EvaluationContext()

  package init() {}

  /// Makes a layer the one that features are read from.
  package func bind(layer: TileLayer?) { context.layer = layer }

  /// Index of the feature in the bound layer.
  package var feature: Int {
    get { context.feature }
    set { context.feature = newValue }
  }

  package var zoom: Double {
    get { context.zoom }
    set { context.zoom = newValue }
  }
}
