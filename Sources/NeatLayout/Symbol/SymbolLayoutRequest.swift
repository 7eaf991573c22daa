// Layout of symbols in two phases. `SymbolLayoutRequest` selects a tile's features and evaluates what they
// show; `needs` then says which glyph ranges and images must be there. When the caller has loaded (or given
// up on) them, `layout` makes the bucket. Semantics of MapLibre's SymbolBucket.populate and
// performSymbolLayout.
import NeatBase
import NeatPlacement
import NeatStyle
import NeatText
import NeatTile

/// A feature that shows a text, an icon or both.
struct SymbolFeature: Sendable {
  var index: Int
  var type: GeometryType
  var text: SymbolText?
  var icon: String?
  var sortKey: Float = 0
  /// Tile units (0..<`TileUnits.extent`).
  var lines: [[SIMD2<Double>]] = []

  /// FNV-1a of the text; of the names of icon and images where there is no text. An icon beside a text does not
  /// count, since many styles show another one from some zoom on.
  var labelKey: UInt64 {
    if let text, !text.string.isEmpty { return text.key }
    let names = (text?.sections.compactMap(\.imageName) ?? []) + [icon].compactMap { $0 }
    return names.reduce(SymbolText.emptyKey) {
      SymbolText.key($1, after: ($0 ^ 0x1_00) &* SymbolText.prime)
    }
  }
}

/// What a layer in a tile waits for.
package struct SymbolNeeds: Sendable {
  /// Glyph ranges (first character / 256) by font stack, without those that the store has or knows to be
  /// missing.
  package var ranges: [FontStackID: Set<Int>] = [:]
  /// Names of all images that are used, present or not.
  package var images: Set<String> = []

}

package struct SymbolLayoutRequest: Sendable {
  /// Most features of a layer in one tile that become symbols.
  package static let maxFeatures = 65536

  package let layer: StyleLayer
  package let tileLayer: TileLayer
  package let tile: OverscaledTileID
  package let layout: SymbolLayerLayout
  package let needs: SymbolNeeds
  var features: [SymbolFeature]
  /// The layer without a feature, at the tile's zoom.
  let point: EvaluationPoint

  /// The zoom that layout properties are evaluated at.
  var zoom: Double { Double(tile.overscaledZ) }

  /// Selects the features and evaluates texts and icons. `server`: whose glyphs the texts are drawn with.
  package init(
    layer: StyleLayer, tileLayer: TileLayer, tile: OverscaledTileID, store: GlyphStore,
    server: GlyphServerID = 0, evaluator: Evaluator
  ) {
    self.layer = layer
    self.tileLayer = tileLayer
    self.tile = tile
    point = .layer(tileLayer, tile: tile.canonical, zoom: Double(tile.overscaledZ))
    layout = SymbolLayerLayout(layer, evaluator, at: point)
    var reader = SymbolFeatureReader(
      layer: layer, tileLayer: tileLayer, layout: layout, store: store, server: server,
      evaluator: evaluator, point: point)
    reader.read()
    needs = reader.needs
    features = reader.takeFeatures()
    assert(features.count <= SymbolLayoutRequest.maxFeatures, "features are bounded")
    var lines = reader.takeLines()
    assert(lines.count == features.count, "lines for each feature")
    if layout.placement == .line { mergeLines(&lines, texts: features.map { $0.text?.number ?? -1 }) }
    for i in features.indices { features[i].lines = lines[i] }
    if layout.placement == .line { features.removeAll { $0.lines.isEmpty } }
    if layout.sortsByKey {
      // A stable sort, so that equal keys keep the order of the source.
      let order = features.indices.sorted {
        features[$0].sortKey != features[$1].sortKey ? features[$0].sortKey < features[$1].sortKey : $0 < $1
      }
      features = order.map { features[$0] }
    }
  }

  package var isEmpty: Bool { features.isEmpty }
  package var featureCount: Int { features.count }
}

/// A feature's parts in tile units, rounded and bounded as vertices are: to a tile more on either side.
func tileLines(_ layer: TileLayer, _ feature: Int) -> [[SIMD2<Double>]] {
  let scale = TileUnits.extent / Double(max(1, layer.extent))
  let limit = SIMD2(repeating: TileUnits.extent * 2)
  // Most extents divide that of the layout.
  let isWhole = scale == scale.rounded()
  let parts = layer.parts(of: feature)
  var lines: [[SIMD2<Double>]] = []
  lines.reserveCapacity(parts.count)
  for part in parts {
    let range = layer.pointRange(ofPart: part)
    guard !range.isEmpty else { continue }
    let line = [SIMD2<Double>](unsafeUninitializedCapacity: range.count) { line, count in
      for i in range {
        let p = layer.points[i]
        var place = SIMD2(Double(p.x), Double(p.y)) * scale
        if !isWhole { place = SIMD2(place.x.rounded(), place.y.rounded()) }
        line.initializeElement(at: count, to: pointwiseMin(pointwiseMax(place, -limit), limit))
        count += 1
      }
    }
    lines.append(line)
  }
  return lines
}
