import NeatBase
import NeatCamera
import NeatStyle
import NeatTile

extension SourceState {
  /// What cannot be read of a tile, a problem for each of its layers.
  /// - Parameters:
  ///   - data: a tile that is loaded, or a slice of one.
  ///   - layers: those that are of interest; what cannot be told from the others always is.
  func faults(
    of data: VectorTile, _ tile: TileID, _ options: MapCore.Options, layers: (String) -> Bool = { _ in true }
  ) -> [MapProblem] {
    guard let faults = data.faults, !faults.isEmpty else { return [] }
    let id = loadable(tile)
    let address = request(id, pixelRatio: options.pixelRatio)?.words
    return faults.found.filter { $0.layer.map(layers) ?? true }.map { fault in
      var problem = MapProblem(fault.first, resource: address ?? self.id, part: .tile, source: self.id)
      problem.tile = id
      if fault.count > 1 { problem.message += ", and \(fault.count - 1) more" }
      return problem
    }
  }
}

extension Report {
  /// What cannot be read within a tile. The tile is what it is: the next picture has no more of it.
  mutating func addFaults(_ problems: [MapProblem]) {
    for problem in problems {
      add(Missing(.tile, problem, source: problem.source, tile: problem.tile, isFailure: false))
    }
  }
}

extension MapCore {
  /// Makes problems of what cannot be read within tiles, each once.
  func reportFaults(_ problems: [MapProblem]) {
    if problems.isEmpty { return }
    state.withLock { state in for problem in problems { state.log.addFault(problem) } }
    logProblems()
  }

  /// Layers may have been read just now, to be laid out.
  func reportFaults(ofTiles tiles: [(data: VectorTile, source: String, tile: TileID)]) {
    let broken = tiles.filter { $0.data.faults?.isEmpty == false }
    if broken.isEmpty { return }
    let names = Set(broken.map(\.source))
    let sources = state.withLock { state in state.sources.filter { names.contains($0.key) } }
    reportFaults(broken.flatMap { sources[$0.source]?.faults(of: $0.data, $0.tile, options) ?? [] })
  }
}

/// Which layers of a source's tiles a view shows.
struct ShownTileLayers {
  /// With nil where a layer of the style names none, and shows the only one of a tile.
  private var names: Set<String?> = []
  /// Of the tiles in the margin, only labels are.
  private var labels: Set<String?> = []
  private let tilesInView: Set<TileID>

  /// - Parameter tiles: those in view, as they are loaded.
  init(
    _ source: String, _ state: MapCore.State, zoom: Double, inView tiles: Set<TileID>, _ evaluator: Evaluator
  ) {
    tilesInView = tiles
    for layer in state.style.document.layers where layer.source == source {
      guard layer.isVisible(zoom: zoom, evaluator) else { continue }
      names.insert(layer.sourceLayer)
      if layer.type == .symbol { labels.insert(layer.sourceLayer) }
    }
  }

  func contains(_ name: String, of data: VectorTile, _ tile: TileID) -> Bool {
    let shown = tilesInView.contains(tile) ? names : labels
    return shown.contains(name) || data.entries.count == 1 && shown.contains(nil)
  }
}
