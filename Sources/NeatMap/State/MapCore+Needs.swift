import NeatBase
import NeatCamera
import NeatStyle
import NeatText

extension MapCore {
  /// The resources that a view lacks now; more may follow when these are delivered (tiles after their
  /// TileJSON, glyphs after their tiles). Empty: the view can be drawn in full.
  package func needs(for transform: Transform) -> [Need] {
    readInlineData(zoom: transform.camera.zoom)
    let transform = grounded(transform)
    let first = state.withLock { state -> [Need] in
      state.clock.tick()
      var needs: [Need] = []
      spriteNeeds(state, &needs)
      let labels = transform.labelView
      for used in usedSources(state, zoom: transform.camera.zoom) {
        let id = used.id
        if let need = state.sources[id]?.metadataNeed(base: state.style.base) {
          needs.append(need)
        } else if state.sources[id]?.isReadyForTiles == true {
          tileNeeds(&state, id, used.hasLabels ? labels : transform, &needs)
        }
      }
      return needs
    }
    return first
  }

  /// Reads the GeoJSON that stands in the style itself, of sources that are used for the first time.
  private func readInlineData(zoom: Double) {
    let waiting = state.withLock { state in
      usedSources(state, zoom: zoom).compactMap { used -> (String, UInt64, SourceSpec.GeoJSONSource)? in
        let id = used.id
        guard let source = state.sources[id], source.phase == .waiting, let spec = source.spec.geojson,
          spec.data.string == nil
        else {
          return nil
        }
        return (id, source.number, spec)
      }
    }
    for (id, number, spec) in waiting {
      do throws(NeatError) {
        setGeoJSON(
          try geojsonTiles(spec.data.sourceBytes, spec), source: id, number: number)
      } catch {
        let problem = MapProblem(error, resource: id, part: .source, source: id)
        // Another source of its name may have taken its place.
        let isThere = state.withLock { state in
          guard state.sources[id]?.number == number else { return false }
          state.fail(source: id, PastFault(problem, since: options.now()))
          return true
        }
        if isThere { report(problem) }
      }
    }
  }

  private func spriteNeeds(_ state: State, _ needs: inout [Need]) {
    for (number, sprite) in state.style.sprites.enumerated() where !sprite.isSettled {
      if sprite.index == nil {
        let url = ResourceAddress.sprite(sprite.url, pixelRatio: options.pixelRatio, suffix: ".json")
        needs.append(
          Need(.spriteIndex(number), ResourceRequest(kind: .spriteJSON, url: url), owner: sprite.number))
      }
      if sprite.sheet == nil {
        let url = ResourceAddress.sprite(sprite.url, pixelRatio: options.pixelRatio, suffix: ".png")
        needs.append(
          Need(.spriteSheet(number), ResourceRequest(kind: .spriteImage, url: url), owner: sprite.number))
      }
    }
  }

  /// Sources that a visible layer draws from at a zoom, in the style's order, and whether labels are among
  /// what they give.
  func usedSources(_ state: State, zoom: Double) -> [ViewMemory.UsedSource] {
    viewMemory.sources(state.style.version, zoom: zoom) { findUsedSources(state, zoom: zoom) }
  }

  private func findUsedSources(_ state: State, zoom: Double) -> [ViewMemory.UsedSource] {
    let style = state.style.document
    var evaluator: Evaluator?
    return facts(state).sources(zoom: zoom) { place in
      let known = evaluator ?? self.evaluator(state)
      evaluator = known
      return style.layers[place].isVisible(zoom: zoom, known)
    }
  }

  /// What the style says for all views.
  func facts(_ state: State) -> StyleFacts {
    viewMemory.facts(state.style.documentVersion, state.style.document)
  }

  private func tileNeeds(_ state: inout State, _ id: String, _ transform: Transform, _ needs: inout [Need]) {
    var used: [TileID] = []
    var isWhole = true
    if let source = state.sources[id] {
      isWhole = tileNeeds(source, state.prefetchLevels, transform, &needs, &used)
    }
    if !isWhole { state.log.add(.tooManyTiles(id)) }
    // Once, and when nobody looks at the source: to reach into a table has its price, and to change one that is
    // looked at would copy all of it.
    let (now, oldest) = (state.clock.now, state.clock.oldestInUse)
    state.sources[id]?.use(used, now, cacheBytes: options.cacheBytes, keeping: oldest)
    if needs.count < 2 { return }
    var seen: Set<Need> = []
    needs = needs.filter { seen.insert($0).inserted }
  }

  /// Adds the tiles that a view lacks, and those that it uses; whether they are all that it needs.
  private func tileNeeds(
    _ source: SourceState, _ prefetchLevels: UInt8, _ transform: Transform, _ needs: inout [Need],
    _ used: inout [TileID]
  ) -> Bool {
    let lowest = source.lowestStandIn(transform)
    var (tiles, isWhole) = cover(source, transform)
    if let ground = transform.ground, ground.source == source.id {
      tiles += TerrainHeights.above(tiles, source.tileSet.minZoom)
      if let eye = ground.eyeTile { tiles.append(OverscaledTileID(canonical: eye)) }
    }
    used.reserveCapacity(2 * tiles.count)
    needs += prefetchNeeds(source, tiles, prefetchLevels)
    for tile in tiles {
      var wanted: TileID? = source.loadable(tile.canonical)
      if wanted != tile.canonical, source.content(tile.canonical) != nil {
        used.append(tile.canonical)
      }
      while let next = wanted {
        wanted = nil
        switch source.content(next) {
        case nil:
          if let request = source.request(next, pixelRatio: options.pixelRatio) {
            needs.append(Need(.tile(source: source.id, next), request, owner: source.number))
          }
        case .absent?:
          // It is known as long as it is looked for: where a view takes more than is kept, it would be
          // forgotten, and asked for again in each turn.
          used.append(next)
          if next.z > lowest, !source.isSparse(next) { wanted = next.ancestor(1) }
        default:
          used.append(next)
          if source.isStale(next), let request = source.request(next, pixelRatio: options.pixelRatio) {
            needs.append(Need(.tile(source: source.id, next), request, owner: source.number))
          }
        }
      }
    }
    return isWhole
  }

  /// Tiles some zooms lower, which are there sooner and stand in until the view's own come.
  private func prefetchNeeds(_ source: SourceState, _ tiles: [OverscaledTileID], _ levels: UInt8) -> [Need] {
    // An application is asked for no more than what is shown.
    guard levels > 0, source.spec.custom == nil else { return [] }
    var seen: Set<TileID> = []
    return tiles.compactMap { tile in
      let wanted = source.loadable(tile.canonical)
      guard wanted.z >= source.tileSet.minZoom &+ levels, source.content(wanted) == nil else { return nil }
      let lower = wanted.ancestor(levels)
      guard source.content(lower) == nil, seen.insert(lower).inserted,
        let request = source.tileSet.request(lower, pixelRatio: options.pixelRatio)
      else { return nil }
      return Need(.tile(source: source.id, lower), request, owner: source.number)
    }
  }

  /// Says of each need whether files of this machine may answer it.
  func permitted(_ needs: [Need]) -> [Need] {
    let foreign: Set<String>
    switch options.fileAccess {
    case .all: return needs
    case .none: foreign = []
    case .unlessNamedByServer:
      foreign = state.withLock { state in
        Set(state.sources.values.filter(\.tileSet.isNamedByServer).map(\.id))
      }
      if foreign.isEmpty { return needs }
    }
    return needs.map { need in
      var need = need
      if case .tile(let id, _) = need.target {
        need.request.allowsFiles = options.fileAccess == .unlessNamedByServer && !foreign.contains(id)
      } else {
        need.request.allowsFiles = options.fileAccess == .unlessNamedByServer
      }
      return need
    }
  }
}
