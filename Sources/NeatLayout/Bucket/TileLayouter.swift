import NeatBase
import NeatStyle
import NeatText
import NeatTile

/// What laying out a tile looks at besides the tile.
package struct LayoutInput: Sendable {
  package var style: Style
  /// Only layers that draw from this source are laid out.
  package var source: String
  /// Of these, those at such places in the style; nil: all.
  package var layers: Set<Int>?
  /// The parts of the tile that lines and fills are laid out in, by the layer's position; without one: all of it.
  package var parts: [Int: TilePart] = [:]
  package var id: OverscaledTileID
  package var globalState: [String: ExpressionValue]?
  package var availableImages: Set<String>?
  /// The states of the source's features, by source layer and feature id.
  package var featureStates: [String: [String: FeatureState]] = [:]
  package var promoteID: SourceSpec.PromoteID?
  /// Whose glyphs texts are laid out with.
  package var glyphServer: GlyphServerID = 0
  /// What one evaluation may take.
  package var evaluation = EvaluationBudget()
  /// What the layouts of a view may take together, and until when.
  package var work: WorkLedger?

  package init(style: Style, source: String, id: OverscaledTileID) {
    self.style = style
    self.source = source
    self.id = id
  }
}

/// Lays a decoded tile out for a style.
package struct TileLayouter {
  package let input: LayoutInput
  package let tile: VectorTile
  let evaluator: Evaluator
  private var zoom: Double { Double(input.id.overscaledZ) }

  /// Of how many expressions a piece's evaluator finds the frame at once: those of a few layers.
  private static let recentCount = 128

  package init(_ input: LayoutInput, _ tile: VectorTile) {
    self.input = input
    self.tile = tile
    evaluator = Evaluator(recentCount: TileLayouter.recentCount, budget: input.evaluation)
    evaluator.ledger = input.work
    evaluator.globalState = input.globalState
    evaluator.availableImages = input.availableImages
  }

  /// The buckets of every layer but the symbol layers, by position in the style, and why there are none of
  /// layers that cannot be laid out.
  package func geometryBuckets() -> (buckets: [Int: LayerBucket], faults: [Int: NeatError]) {
    var buckets: [Int: LayerBucket] = [:]
    var faults: [Int: NeatError] = [:]
    for piece in pieces(&faults) where !piece.isOfSymbols { addGeometry(piece, to: &buckets, &faults) }
    return (buckets, faults)
  }

  /// Why nothing more is laid out: the work has taken too much, or too long. Nil while it goes on.
  package var end: NeatError? { input.work.flatMap { work in work.end.map(work.error) } }

  /// The expressions of some layers that went past a budget since the last call, by position in the style.
  package func takeOverruns(of layers: [Int]) -> [Int: [PropertyOverrun]] {
    evaluator.settleWork()
    let overruns = evaluator.takeOverruns()
    if overruns.isEmpty { return [:] }
    var result: [Int: [PropertyOverrun]] = [:]
    for index in layers {
      let found = overruns.flatMap(input.style.layers[index].overruns)
      if !found.isEmpty { result[index] = found }
    }
    return result
  }

  /// Adds the buckets of a piece's layers, by position in the style, and why there are none of layers that
  /// cannot be laid out. Those of the layers that the work does not come to are left out.
  package func addGeometry(
    _ piece: LayoutPiece, to buckets: inout [Int: LayerBucket], _ faults: inout [Int: NeatError]
  ) {
    var selected: [UInt32]?
    var lines: LineBucket?
    for index in piece.layers {
      let layer = input.style.layers[index]
      let selection = BucketInput(
        piece.data, style: layer, tile: input.id, states: input.states(layer), selected: selected,
        among: piece.candidates, part: piece.part, evaluator)
      selected = selection.selected
      guard !selection.selected.isEmpty else { return }
      do throws(NeatError) {
        try MemoryReserve.hold()
        let bucket = try bucket(selection, like: lines)
        // It may lack features.
        if end != nil { return }
        if case .line(let made)? = bucket { lines = made }
        buckets[index] = bucket
      } catch {
        faults[index] = error
      }
    }
  }

  /// Phase one of a symbol layer: which features show what, and which glyphs that takes; nil where none does.
  package func symbolRequest(_ piece: LayoutPiece, _ glyphs: GlyphStore) -> SymbolLayoutRequest? {
    assert(piece.isOfSymbols && piece.layers.count == 1, "symbol layers are pieces of their own")
    let request = SymbolLayoutRequest(
      layer: input.style.layers[piece.layers[0]], tileLayer: piece.data, tile: input.id, store: glyphs,
      server: input.glyphServer, evaluator: evaluator)
    return request.isEmpty ? nil : request
  }

  /// Phase two, when the glyphs are there (or known not to be); nil where nothing is shown.
  package func symbolBucket(
    _ request: SymbolLayoutRequest, images: [String: ImagePosition], glyphs: GlyphStore, pixelRatio: Double
  ) -> LayerBucket? {
    let bucket = request.layout(images: images, store: glyphs, evaluator: evaluator, pixelRatio: pixelRatio)
    return bucket.isEmpty ? nil : .symbol(bucket)
  }

  private func bucket(_ selection: BucketInput, like lines: LineBucket?) throws(NeatError) -> LayerBucket? {
    switch selection.style.type {
    case .fill: FillBucket(selection).map(LayerBucket.fill)
    case .circle, .heatmap: CircleBucket(selection).map(LayerBucket.circle)
    case .line: try LineBucket(selection, like: lines).map(LayerBucket.line)
    case .fillExtrusion: ExtrusionBucket(selection).map(LayerBucket.extrusion)
    default: nil
    }
  }

  /// The layers of the source that draw at the tile's zoom, by position in the style.
  package func layers() -> [(Int, StyleLayer)] {
    input.style.layers.enumerated().filter { index, layer in
      layer.source == input.source && input.layers?.contains(index) != false
        && zoom >= layer.minZoom.rounded(.down) && zoom < layer.maxZoom
        && layer.visibility.enumIndex(evaluator, at: .camera(zoom: zoom)) == 0
    }
  }

  /// The tile's data for a style layer; GeoJSON has one layer only. Throws where it cannot be read.
  func data(for layer: StyleLayer) throws(NeatError) -> TileLayer? {
    guard let name = layer.sourceLayer else { return try tile.onlyLayer() }
    if let data = try tile.layer(name) { return data }
    return tile.entries.first?.name == TileLayer.geoJSONName ? try tile.onlyLayer() : nil
  }
}

extension LayoutInput {
  /// The states of the features that a layer draws; nil where there are none.
  package func states(_ layer: StyleLayer) -> FeatureStateTable? {
    guard !featureStates.isEmpty else { return nil }
    let name = layer.sourceLayer ?? TileLayer.geoJSONName
    return featureStates[name].map {
      FeatureStateTable(states: $0, promoted: promoteID?.property(ofLayer: name))
    }
  }
}

extension TileLayer {
  /// The name of the one layer of tiles cut from GeoJSON.
  package static let geoJSONName = "_geojsonTileLayer"
}
