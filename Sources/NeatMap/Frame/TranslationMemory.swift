import NeatBase
import NeatCamera
import NeatStyle

/// The translation of the layer at hand, which is the same for all of its tiles in a frame.
struct TranslationMemory {
  private var layer = -1
  private var property: Property?
  private var offset = SIMD2<Double>.zero
  private var isViewport = false

  mutating func forget() { (layer, property) = (-1, nil) }

  /// As a move in layout units of a tile.
  mutating func move(
    _ layer: LayerInFrame, _ property: Property, _ anchor: Property, _ evaluator: Evaluator,
    _ transform: Transform, _ tile: OverscaledTileID
  ) -> SIMD2<Double> {
    guard layer.style.isSet(property) else { return .zero }
    if self.layer != layer.index || self.property != property {
      (self.layer, self.property) = (layer.index, property)
      (offset, isViewport) = layer.translation(property, anchor, evaluator, transform)
    }
    return transform.tileTranslation(offset, isViewport: isViewport, tile: tile)
  }
}
