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
  /// Whose first lines are put together to its own: a range of `SymbolLayoutRequest.pieces`. Empty for what was
  /// not merged.
  var pieces: Range<Int32> = 0..<0

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
  /// Numbers of the tile layer's features whose lines were put together.
  private(set) var pieces: [UInt32] = []
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
    if layout.placement == .line { mergeLines() }
    if layout.sortsByKey {
      // A stable sort, so that equal keys keep the order of the source.
      let order = features.indices.sorted {
        features[$0].sortKey != features[$1].sortKey ? features[$0].sortKey < features[$1].sortKey : $0 < $1
      }
      features = order.map { features[$0] }
    }
  }

  /// Takes those out whose lines became part of another's.
  private mutating func mergeLines() {
    let places = TilePlaces(tileLayer)
    var starts: [SIMD2<Int32>] = [], ends: [SIMD2<Int32>] = []
    starts.reserveCapacity(features.count)
    ends.reserveCapacity(features.count)
    for feature in features {
      let line = places.firstLine(of: feature.index)
      starts.append(places.whole(line.lowerBound))
      ends.append(places.whole(line.upperBound - 1))
    }
    let chains = NeatLayout.mergeLines(
      starts: starts, ends: ends, texts: features.map { $0.text?.number ?? -1 })
    // Before any is moved.
    for i in features.indices where chains.heads[i] >= 0 {
      var piece = chains.heads[i]
      if piece == Int32(i), chains.next[i] < 0 { continue }
      let first = Int32(pieces.count)
      while piece >= 0 {
        pieces.append(UInt32(features[Int(piece)].index))
        piece = chains.next[Int(piece)]
      }
      features[i].pieces = first..<Int32(pieces.count)
    }
    var kept = 0
    for i in features.indices where chains.heads[i] >= 0 {
      if kept < i { features.swapAt(kept, i) }
      kept += 1
    }
    features.removeSubrange(kept...)
  }

  /// A feature's lines in tile units; those that were put together are one.
  func lines(of feature: SymbolFeature) -> [[SIMD2<Double>]] {
    let places = TilePlaces(tileLayer)
    var lines = places.lines(of: feature.index)
    if !feature.pieces.isEmpty, !lines.isEmpty {
      lines[0] = places.line(pieces[Int(feature.pieces.lowerBound)..<Int(feature.pieces.upperBound)])
    }
    return lines
  }

  package var isEmpty: Bool { features.isEmpty }
  package var featureCount: Int { features.count }
}
