import NeatBase
import NeatMesh
import NeatStyle
import NeatTile

/// The polygons that a fill layer draws of one tile. Geometry stays in the tile's own columns; the bucket
/// holds which features, in drawing order.
package final class FillBucket: Sendable {
  package let layer: TileLayer
  package let features: [UInt32]
  /// Where they lie, in the layer's units: x0, y0, x1, y1.
  package let boxes: [SIMD4<Int32>]
  package let color: ColorPaint
  package let opacity: NumberPaint
  package let outlineColor: ColorPaint
  package let hasOutlineColor: Bool
  package let pattern: ImagePaint
  package let meshes = MeshCache<FillMesh>()

  package init?(_ input: BucketInput) {
    let (layer, style, evaluator) = (input.layer, input.style, input.evaluator)
    var features = input.selected { $0 == .polygon }
    guard !features.isEmpty else { return nil }
    input.sort(&features, by: .fillSortKey)
    var color = ColorPaint(style[.fillColor])
    var opacity = NumberPaint(style[.fillOpacity])
    var outlineColor = ColorPaint(style[.fillOutlineColor])
    var pattern = ImagePaint(style[.fillPattern])
    for feature in features {
      let point = input.point(feature)
      color.append(evaluator, at: point)
      opacity.append(evaluator, at: point)
      outlineColor.append(evaluator, at: point)
      pattern.append(evaluator, at: point)
      guard evaluator.mayContinue() else { return nil }
    }
    self.layer = layer
    self.features = features
    boxes = features.map { layer.box(layer.pointRange(of: Int($0))) }
    self.color = color
    self.opacity = opacity
    self.outlineColor = outlineColor
    hasOutlineColor = style.isSet(.fillOutlineColor)
    self.pattern = pattern
    assert(boxes.count == features.count, "a box for each feature")
  }
}
