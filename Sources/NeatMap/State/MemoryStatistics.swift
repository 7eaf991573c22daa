import NeatBase

/// What a map's memory goes to, about.
package struct MemoryStatistics: Sendable {
  package struct Part: Sendable, Hashable {
    package var count = 0
    package var bytes = 0
  }

  /// Decoded tiles by source.
  package var tiles: [String: Part] = [:]
  /// Tiles that are laid out, with their meshes.
  package var layouts = Part()
  /// Images of sprites and of the host.
  package var images = Part()
}

extension MapCore {
  package var memoryStatistics: MemoryStatistics {
    state.withLock { state in
      var result = MemoryStatistics()
      for (id, source) in state.sources {
        result.tiles[id] = MemoryStatistics.Part(count: source.tiles.count, bytes: source.tiles.cost)
      }
      result.layouts = MemoryStatistics.Part(
        count: state.layouts.entries.count, bytes: state.layouts.entries.cost)
      for name in state.style.images.names {
        guard let image = state.style.images[name] else { continue }
        result.images.count += 1
        result.images.bytes += image.byteCount
      }
      return result
    }
  }
}
