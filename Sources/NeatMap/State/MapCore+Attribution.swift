import NeatBase
import NeatStyle

extension MapCore {
  /// Whom the data of the view's sources is owed to: the texts of the style and, as far as they are loaded,
  /// of TileJSON and archives; in the order of the style's sources, of those that a layer draws from, none
  /// twice and none that is part of another.
  package var attributions: [String] {
    let texts = state.withLock { state in
      sourcesInUse(state).compactMap { id in
        state.sources[id].flatMap { $0.attribution.isEmpty ? nil : $0.attribution }
      }
    }
    return AttributionHTML.withoutParts(texts)
  }

  /// What is still to be loaded of the sources in use before all attributions are known.
  package var attributionNeeds: [Need] {
    state.withLock { state in
      sourcesInUse(state).compactMap { id in
        guard let source = state.sources[id], source.attribution.isEmpty, source.spec.tiled != nil else {
          return nil
        }
        return source.metadataNeed(base: state.style.base)
      }
    }
  }

  /// Sources that a layer which is not hidden draws from at any zoom, in the style's order.
  private func sourcesInUse(_ state: State) -> [String] {
    let evaluator = self.evaluator(state)
    var used = Set(
      state.style.document.layers.lazy.filter {
        $0.visibility.enumIndex(evaluator, at: .camera(zoom: 0)) == 0
      }
      .compactMap(\.source))
    if let terrain = state.style.document.terrain?.source { used.insert(terrain) }
    return state.style.document.sources.map(\.id).filter(used.contains)
  }
}

extension SourceState {
  /// The style's own text wins over that of the TileJSON.
  var attribution: String { tileSet.attribution ?? spec.geojson?.attribution ?? "" }
}
