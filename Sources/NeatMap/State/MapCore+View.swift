import NeatBase
import NeatCamera
import NeatTile

/// A tile that a view shows, and the data it is drawn from.
struct TileInView: Sendable {
  /// The tile asked for.
  let wanted: OverscaledTileID
  /// The tile whose data is drawn: the same, or an ancestor that stands in.
  let drawn: OverscaledTileID
  let content: TileContent
}

extension MapCore {
  /// The tiles of each used source that there is data for; of sources that give labels, those of the margin
  /// around the view too.
  /// - Parameter isDrawn: for a frame, not tiles that are not laid out yet: what stood in for them goes on to.
  func tilesInView(_ state: State, _ transform: Transform, isDrawn: Bool = false) -> [String: [TileInView]] {
    var result: [String: [TileInView]] = [:]
    let labels = transform.labelView
    for (id, hasLabels) in usedSources(state, zoom: transform.camera.zoom) {
      guard let source = state.sources[id], source.phase == .ready else { continue }
      let view = hasLabels ? labels : transform
      if source.geojson != nil {
        let tiles = cover(source, view).tiles
        var found: [TileInView] = []
        found.reserveCapacity(tiles.count)
        for tile in tiles {
          guard let content = source.content(tile.canonical), case .vector = content else { continue }
          found.append(TileInView(wanted: tile, drawn: tile, content: content))
        }
        result[id] = found
      } else if source.spec.hasTiles {
        let lowest = source.lowestStandIn(transform)
        let tiles = cover(source, view).tiles
        var found: [TileInView] = []
        found.reserveCapacity(tiles.count)
        var below = isDrawn && state.showsTilesBelow ? TilesBelow(source) : nil
        for tile in tiles {
          let inView = tileInView(tile, source, lowest) { drawn in
            !isDrawn || state.layouts.entries[LayoutKey(source: id, id: drawn.unwrapped)] != nil
          }
          let standIns = below?.standIns(tile, inView) { drawn in
            // Nothing is laid out for the time until others come.
            let entry = state.layouts.entries[LayoutKey(source: id, id: drawn.unwrapped)]
            return entry != nil && LayoutLack(entry, wanted: nil) == nil
          }
          if let standIns { found += standIns } else if let inView { found.append(inView) }
        }
        result[id] = found
      }
    }
    return result
  }

  func tileInView(
    _ tile: OverscaledTileID, _ source: SourceState, _ lowest: UInt8,
    isReady: (OverscaledTileID) -> Bool = { _ in true }
  ) -> TileInView? {
    var canonical = tile.canonical
    if source.content(canonical) == nil {
      switch source.content(source.loadable(canonical)) {
      case .absent?, .unreachable?: canonical = source.loadable(canonical)
      default: break
      }
    }
    while true {
      let content = source.content(canonical)
      switch content {
      case .vector?:
        let z = canonical == tile.canonical ? tile.overscaledZ : canonical.z
        let drawn = OverscaledTileID(canonical: canonical, overscaledZ: z, wrap: tile.wrap)
        guard isReady(drawn) else {
          guard canonical.z > lowest else { return nil }
          canonical = canonical.ancestor(1)
          continue
        }
        return content.map { TileInView(wanted: tile, drawn: drawn, content: $0) }
      case .raster?, .elevation?:
        let drawn = OverscaledTileID(canonical: canonical, wrap: tile.wrap)
        return content.map { TileInView(wanted: tile, drawn: drawn, content: $0) }
      case .empty?: return nil
      // Not to be had, or still to come.
      case .absent?, .unreachable?, nil:
        guard canonical.z > lowest, !source.isSparse(canonical) else { return nil }
        canonical = canonical.ancestor(1)
      }
    }
  }
}
