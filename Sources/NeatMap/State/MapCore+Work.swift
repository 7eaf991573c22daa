import NeatBase
import NeatCamera
import NeatStyle
import NeatText

// What a live map has its workers do, and what it looks at before and after.
extension MapCore {
  /// Whether making a view ready takes time: GeoJSON of the style to be read, tiles to be cut or laid out.
  package func hasWork(_ transform: Transform) -> Bool {
    if hasPending { return true }
    return state.withLock { state in
      let labels = transform.labelView
      for (id, hasLabels) in usedSources(state, zoom: transform.camera.zoom) {
        guard let source = state.sources[id] else { continue }
        if source.phase == .waiting, let spec = source.spec.geojson, spec.data.string == nil { return true }
        guard source.phase == .ready, source.geojson != nil || source.isSliced else { continue }
        for tile in cover(source, hasLabels ? labels : transform).tiles
        where source.content(tile.canonical) == nil && source.canBeCut(tile.canonical) { return true }
      }
      return lacksLayouts(state, transform)
    }
  }

  /// Makes ready what is there of a view, and says what it lacks.
  package func prepareWhatIsThere(_ transform: Transform, _ executor: Executor) -> [Need] {
    // What changes meanwhile brings another turn.
    let needs = prepare(transform, executor, rounds: 2)
    guard !needs.isEmpty else { return [] }
    let known = Set(needs)
    return needs + layOutWhatIsThere(transform, executor).filter { !known.contains($0) }
  }

  /// Whether what a need is for has not come since it was found lacking.
  package func stillLacks(_ need: Need) -> Bool {
    state.withLock { state in
      guard state.isWanted(need) else { return false }
      switch need.target {
      case .spriteIndex(let number):
        let sprite = state.style.sprites[number]
        return !sprite.isSettled && sprite.index == nil
      case .spriteSheet(let number):
        let sprite = state.style.sprites[number]
        return !sprite.isSettled && sprite.sheet == nil
      case .tileJSON(let id), .geojson(let id), .image(let id): return state.sources[id]?.phase == .waiting
      case .tile(let id, let tile):
        return state.sources[id]?.content(tile) == nil || state.sources[id]?.isStale(tile) == true
      case .glyphs(let stack, let range):
        return !glyphs.isSettled(
          range: range, fontStack: glyphs.fontStack(stack, server: GlyphServerID(need.owner)))
      }
    }
  }
}

extension Need {
  /// Whether taking it in takes time: decoding, parsing.
  package var isHeavy: Bool {
    switch target {
    case .tile, .geojson, .image, .spriteSheet: true
    case .tileJSON, .spriteIndex, .glyphs: false
    }
  }
}
