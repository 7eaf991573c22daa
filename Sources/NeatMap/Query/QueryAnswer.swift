import NeatBase
import NeatStyle
import NeatTile

/// What a query found, topmost first.
package struct QueryAnswer: Sendable {
  package let features: [QueriedFeature]
  /// What the view had to do without, where that was asked for.
  package let report: Report?
}

/// A feature of a tile's layer, as a layer of the style draws it.
package struct QueriedFeature: Sendable {
  /// The layer that draws it; nil for what a source holds.
  package let layer: String?
  package let source: String
  /// Of vector sources.
  package let sourceLayer: String?
  package let tile: TileID
  package let data: TileLayer
  /// Its place in `data`.
  package let feature: Int
  /// The property that stands for its id, where the source says so.
  package let promotedID: String?
  package let state: FeatureState
}
