import NeatBase
import NeatTile

/// Feature state: what `setFeatureState` gave one feature.
package typealias FeatureState = [String: ExpressionValue]

/// What an evaluation may look at. In loops over features, set it once and then move `Evaluator.feature`
/// only.
package struct EvaluationContext: Sendable {
  package var zoom: Double
  package var layer: TileLayer?
  /// Index of the feature in `layer`; -1 for none.
  package var feature: Int
  package var state: FeatureState?
  /// The tile that the layer's coordinates belong to: needed by `within` and `distance`.
  package var canonical: TileID?
  /// Names of the images that there are; nil where that is not known.
  package var availableImages: Set<String>?
  package var heatmapDensity: Double?
  package var lineProgress: Double?
  package var elevation: Double?
  package var skyRadialProgress: Double?
  package var accumulated: ExpressionValue?
  package var globalState: [String: ExpressionValue]?
  /// Stands in for the feature's id, where that is not an unsigned integer.
  package var featureID: ExpressionValue?

  package init(zoom: Double = 0, layer: TileLayer? = nil, feature: Int = -1) {
    self.zoom = zoom
    self.layer = layer
    self.feature = feature
  }
}
