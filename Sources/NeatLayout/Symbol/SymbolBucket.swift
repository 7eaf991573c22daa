import NeatBase
import NeatPlacement
import NeatStyle
import NeatTile

/// The symbols of one layer in one tile: laid out once, then placed and drawn in any number of frames.
/// Immutable.
package final class SymbolBucket: Sendable {
  package let layer: StyleLayer
  package let tileLayer: TileLayer
  package let tile: OverscaledTileID
  /// The layer's layout properties at the tile's zoom.
  package let layout: SymbolLayerLayout
  package let geometry: SymbolGeometry
  /// Glyphs of `geometry.texts` (`glyphStart`, `glyphCount`).
  package let glyphQuads: [GlyphQuad]
  /// Quads of `geometry.icons`.
  package let iconQuads: [IconQuad]
  /// Colours that sections of formatted texts set; `GlyphQuad.colorOverride` counts here.
  package let colorOverrides: [Color]
  package let textSize: SymbolSize
  package let iconSize: SymbolSize
  /// Whether icons are drawn with smooth sampling even where nothing is turned or scaled.
  package let iconsNeedSmoothing: Bool

  init(
    request: SymbolLayoutRequest, layout: SymbolLayerLayout, geometry: SymbolGeometry,
    glyphQuads: [GlyphQuad], iconQuads: [IconQuad],
    colorOverrides: [Color], textSize: SymbolSize, iconSize: SymbolSize, iconsNeedSmoothing: Bool
  ) {
    assert(
      geometry.texts.allSatisfy {
        $0.glyphStart >= 0 && Int($0.glyphStart + $0.glyphCount) <= glyphQuads.count
      },
      "texts have their quads")
    assert(
      geometry.icons.allSatisfy {
        $0.glyphStart >= 0 && Int($0.glyphStart + $0.glyphCount) <= iconQuads.count
      },
      "icons have their quads")
    layer = request.layer
    tileLayer = request.tileLayer
    tile = request.tile
    self.layout = layout
    self.geometry = geometry
    self.glyphQuads = glyphQuads
    self.iconQuads = iconQuads
    self.colorOverrides = colorOverrides
    self.textSize = textSize
    self.iconSize = iconSize
    self.iconsNeedSmoothing = iconsNeedSmoothing
  }

  package var isEmpty: Bool { geometry.instances.isEmpty }

  /// Bytes held, about.
  package var cost: Int {
    geometry.instances.count * MemoryLayout<SymbolInstance>.stride
      + (geometry.texts.count + geometry.icons.count)
      * MemoryLayout<PlacedSymbol>.stride + glyphQuads.count * (MemoryLayout<GlyphQuad>.stride + 4)
      + iconQuads.count
      * MemoryLayout<IconQuad>.stride + geometry.lineVertices.count * 8 + geometry.boxes.count * 16 + 512
  }

  /// The bucket as placement takes it. The evaluator is used for sizes that depend on zoom.
  package func placementBucket(
    matrix: TileMatrix, wrap: Int32 = 0, zoom: Double, evaluator: Evaluator, bucketID: UInt32 = 0,
    group: UInt16 = 0, ids: [UInt32] = []
  ) -> PlacementBucket {
    var id = tile
    id.wrap = wrap
    return PlacementBucket(
      geometry: geometry, tile: PlacementTile(id: id, matrix: matrix),
      textSize: textSize.frameSize(zoom: zoom, evaluator),
      bucketID: bucketID,
      group: group, ids: ids)
  }
}

/// A size property with the zooms between which composite sizes are interpolated.
package struct SymbolSize: Sendable {
  package let value: PropertyValue
  /// Zooms of `PlacedSymbol.lowerSize` and `upperSize`.
  package let lowerZoom: Double
  package let upperZoom: Double

  init(_ value: PropertyValue, tileZoom: Double) {
    self.value = value
    // The stops around the tile's zoom: the curve between them is then exact for all the zooms that the tile
    // is drawn at.
    let stops = value.zoomStops
    guard value.kind == .composite, !stops.isEmpty else {
      lowerZoom = tileZoom
      upperZoom = tileZoom + 1
      return
    }
    let lower = stops.last { $0 <= tileZoom } ?? stops[0]
    lowerZoom = lower
    upperZoom = stops.first { $0 >= tileZoom + 1 && $0 >= lower } ?? stops[stops.count - 1]
    assert(lowerZoom <= upperZoom, "stops ascend")
  }

  package func frameSize(zoom: Double, _ evaluator: Evaluator) -> FrameSize {
    switch value.kind {
    case .constant, .camera:
      return FrameSize(
        kind: .shared, shared: Float(value.size(evaluator, at: .camera(zoom: zoom))))
    case .source: return FrameSize(kind: .feature, shared: 0)
    case .composite:
      let factor =
        upperZoom > lowerZoom
        ? value.interpolationFactor(
          zoom: min(max(zoom, lowerZoom), upperZoom), lower: lowerZoom, upper: upperZoom) : 0
      return FrameSize(kind: .composite, shared: 0, factor: Float(min(max(factor, 0), 1)))
    }
  }
}
