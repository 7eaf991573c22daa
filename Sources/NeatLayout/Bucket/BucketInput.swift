import NeatBase
import NeatStyle
import NeatTile

/// What a bucket is made of: the features of a tile's layer that a style layer draws, and what their values
/// are evaluated with.
package struct BucketInput {
  package let layer: TileLayer
  package let style: StyleLayer
  package let tile: OverscaledTileID
  /// Indices of the features that pass the style layer's filter, in tile order.
  package let selected: [UInt32]
  /// The part of the tile outside of which lines need not be laid out; nil: there is none.
  let part: TilePart?
  package let states: FeatureStateTable?
  package let evaluator: Evaluator
  /// The layer without a feature, at the tile's zoom.
  package let point: EvaluationPoint

  /// - Parameters:
  ///   - selected: what passes the style layer's filter, where that is known.
  ///   - candidates: the features that are asked whether they pass; nil: all.
  package init(
    _ layer: TileLayer, style: StyleLayer, tile: OverscaledTileID, states: FeatureStateTable? = nil,
    selected: [UInt32]? = nil, among candidates: [UInt32]? = nil, part: TilePart? = nil,
    _ evaluator: Evaluator
  ) {
    let point = EvaluationPoint.layer(layer, tile: tile.canonical, zoom: Double(tile.overscaledZ))
    self.layer = layer
    self.style = style
    self.tile = tile
    self.states = states
    self.evaluator = evaluator
    self.point = point
    self.part = part
    self.selected =
      selected ?? FeatureSelection.features(for: style, among: candidates, evaluator, at: point)
    assert(self.selected.last.map { $0 < layer.featureCount } ?? true, "features are those of the layer")
  }

  /// Where a feature's values are evaluated.
  func point(_ feature: UInt32) -> EvaluationPoint { point.feature(feature, states) }

  /// The selected features of some geometry types.
  func selected(where isWanted: (GeometryType) -> Bool) -> [UInt32] {
    selected.filter { isWanted(layer.geometryType(Int($0))) }
  }

  /// Sorts features by a sort key of the style layer, stably; without it they stay in tile order.
  func sort(_ features: inout [UInt32], by key: Property) {
    guard style.isSet(key), features.count > 1 else { return }
    FeatureSelection.sort(&features, by: style[key], evaluator, at: point)
  }
}
