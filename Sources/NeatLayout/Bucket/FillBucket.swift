import NeatBase
import NeatMesh
import NeatStyle
import NeatTile

/// The polygons that a fill layer draws of one tile. Geometry stays in the tile's own columns; the bucket
/// holds which features, in drawing order.
package final class FillBucket: Sendable {
  package let layer: TileLayer
  package let features: [UInt32]
  package let bounds: [FeatureBounds]
  package let color: ColorPaint
  package let opacity: NumberPaint
  package let outlineColor: ColorPaint
  package let hasOutlineColor: Bool
  package let pattern: ImagePaint
  package let meshes = MeshCache<FillMesh>()

  package init?(
    _ layer: TileLayer, selected: [UInt32], style: StyleLayer, states: FeatureStateTable? = nil,
    _ evaluator: Evaluator
  ) {
    var features = selected.filter { layer.types[Int($0)] == GeometryType.polygon.rawValue }
    guard !features.isEmpty else { return nil }
    evaluator.bind(layer: layer)
    FeatureSelection.sort(&features, by: style.isSet(.fillSortKey) ? style[.fillSortKey] : nil, evaluator)
    var color = ColorPaint(style[.fillColor])
    var opacity = NumberPaint(style[.fillOpacity])
    var outlineColor = ColorPaint(style[.fillOutlineColor])
    var pattern = ImagePaint(style[.fillPattern])
    for feature in features {
      evaluator.feature = Int(feature)
      states?.select(Int(feature), evaluator)
      color.append(evaluator)
      opacity.append(evaluator)
      outlineColor.append(evaluator)
      pattern.append(evaluator)
    }
    self.layer = layer
    self.features = features
    bounds = features.map { layer.bounds(Int($0)) }
    self.color = color
    self.opacity = opacity
    self.outlineColor = outlineColor
    hasOutlineColor = style.isSet(.fillOutlineColor)
    self.pattern = pattern
  }
}
