import NeatBase
import NeatCamera
import NeatTile

// Memory given back when the host asks for it: all that can be loaded, cut, laid out or drawn again, but not
// what a view shows.
extension MapCore {
  /// Drops decoded tiles, layouts, cut GeoJSON and atlases. What `transform` shows stays, and so does what is
  /// being drawn at the moment: neither asks for anything anew.
  package func reduceMemory(keeping transform: Transform?) {
    viewMemory.removeAll()
    state.withLock { state in
      // What the last view used counts as used no more, unless it is the one to keep.
      state.clock.tick()
      if let transform { touchView(&state, transform) }
      for source in state.sources.values { source.geojson?.dropCuts() }
    }
    dropUnused()
  }

  /// Drops what can be loaded, laid out or drawn again and that neither the last view nor a view under way uses: for
  /// those who need room.
  func dropUnused() {
    frameMemories.removeAll()
    state.withLock { state in
      let oldest = state.clock.oldestInUse
      for id in state.sources.keys {
        state.sources[id]?.tiles.drop(unusedSince: oldest) { $0.content.isDecoded }
      }
      state.layouts.entries.drop(unusedSince: oldest)
      state.style.dropGoneImages()
    }
    meshResources.removeAll()
  }

  private func touchView(_ state: inout State, _ transform: Transform) {
    let now = state.clock.now
    let shown = tilesInView(state, transform, isDrawn: true)
    for (id, tiles) in tilesInView(state, transform) {
      for tile in tiles + (shown[id] ?? []) {
        let wanted = tile.wanted.canonical
        let origin = state.sources[id]?.loadable(wanted) ?? wanted
        // An ancestor stands in; it was cut out of a tile that may be cut again.
        for known in [tile.drawn.canonical, wanted, origin] {
          state.sources[id]?.tiles.touch(known, use: now)
        }
        state.layouts.entries.touch(LayoutKey(source: id, id: tile.drawn.unwrapped), use: now)
      }
    }
  }

  /// Bytes that decoded tiles and layouts take, about.
  package var cachedBytes: Int {
    state.withLock { state in
      state.sources.values.reduce(state.layouts.entries.cost) { $0 + $1.tiles.cost }
    }
  }
}

extension TileContent {
  /// Whether there is something to give back; that a tile is not to be had is known for longer.
  fileprivate var isDecoded: Bool {
    switch self {
    case .vector, .raster, .elevation: true
    case .empty, .absent, .unreachable: false
    }
  }
}
