import NeatBase
import NeatCamera
import NeatStyle

extension MapCore {
  /// The tiles whose edges are shown: those of one source, as one over the other could not be read. Vector sources come
  /// before others, and deeper ones before less deep ones.
  func debugTiles(_ state: State, _ tiles: [String: [TileInFrame]], zoom: Double) -> [DebugTile] {
    let used = usedSources(state, zoom: zoom).map(\.0)
    var chosen: (source: SourceState, isVector: Bool, depth: UInt8)?
    // In the style's order, so that one of several alike is always the same.
    for layer in state.style.document.layers {
      guard let id = layer.source, used.contains(id), let source = state.sources[id], tiles[id] != nil else {
        continue
      }
      let isVector = if case .vector = source.spec.kind { true } else { false }
      let depth = source.cover.maxZoom
      if let best = chosen, (best.isVector && !isVector) || (best.isVector == isVector && best.depth >= depth)
      {
        continue
      }
      chosen = (source, isVector, depth)
    }
    guard let source = chosen?.source else { return [] }
    var seen: Set<OverscaledTileID> = []
    return (tiles[source.id] ?? []).compactMap { tile in
      guard seen.insert(tile.id).inserted else { return nil }
      let came = source.tiles[tile.id.canonical]?.came
      return DebugTile(
        id: tile.id, size: source.cover.tileSize, byteCount: came?.byteCount ?? 0, cameAt: came?.date)
    }
  }
}
