import NeatBase
import NeatImage
import NeatJSON
import NeatRaster
import NeatStyle
import NeatText
import NeatTile

extension MapCore {
  /// Takes in a resource, decoding it on the calling thread; whether there was one that can be used. What
  /// cannot be used becomes a problem; the map goes on without it. Where the source that it is for has gone
  /// meanwhile, or begun anew, it is dropped, and says nothing.
  @discardableResult package func deliver(_ need: Need, _ result: ResourceResult) -> Bool {
    guard isWanted(need) else { return false }
    switch result {
    case .failed(let error): settleWithout(need, MapProblem(error, resource: need.request.url))
    case .missing:
      if need.isTileOfArchive {
        settleEmpty(need)
        break
      }
      let problem = MapProblem(
        resource: need.request.url, message: "\(need.request.kind.name) not found", code: .notFound)
      // Tiles that a server does not have are in order where its data is sparse: each picture's report has
      // them.
      settleWithout(need, problem, isReported: need.tile == nil)
    case .empty: settleEmpty(need)
    case .data(let bytes):
      do throws(NeatError) {
        try Trace.span("read", .data, need.words) { () throws(NeatError) in try take(need, bytes) }
        return true
      } catch {
        settleWithout(need, MapProblem(error, resource: need.request.words))
      }
    }
    return false
  }

  /// Whether what a need was for is still there, and the same.
  package func isWanted(_ need: Need) -> Bool { state.withLock { $0.isWanted(need) } }

  private func take(_ need: Need, _ bytes: [UInt8]) throws(NeatError) {
    try MemoryReserve.hold()
    switch need.target {
    case .spriteIndex(let number):
      let index = try JSON.parse(bytes)
      takeSprite(number, need, index: index, sheet: nil)
    case .spriteSheet(let number):
      let sheet = try decodeImage(bytes, limits: ImageLimits(memory: options.memory))
      takeSprite(number, need, index: nil, sheet: sheet)
    case .tileJSON(let id):
      let json = try JSON.parse(bytes)
      try TileSet.check(json)
      let hasTiles = state.withLock { state in
        // Another view may have asked for the same, and been first.
        guard state.isWanted(need), state.sources[id]?.phase == .waiting else { return true }
        state.sources[id]?.takeTileJSON(json, base: need.request.url)
        state.layouts.generation += 1
        return state.sources[id]?.tileSet.templates.isEmpty != true
      }
      guard hasTiles else { throw NeatError(.json, "a TileJSON without \"tiles\"", offset: json.offset) }
    case .geojson(let id):
      guard let source = state.withLock({ $0.sources[id] }), source.phase == .waiting,
        let spec = source.spec.geojson
      else { return }
      setGeoJSON(
        try geojsonTiles(bytes, spec, unpackedLimit: options.unpackedLimitBytes), source: id,
        answering: need)
    case .image(let id):
      let image = try RasterTile(decoding: bytes, memory: options.memory)
      answer(need) { state in
        // The application may have given another one meanwhile.
        guard state.sources[id]?.phase == .waiting else { return }
        state.sources[id]?.image = image
        state.sources[id]?.phase = .ready
      }
    case .tile(let id, let tile):
      guard let source = state.withLock({ $0.sources[id] }) else { return }
      if let custom = source.spec.custom { return try takeCustom(need, tile, bytes, custom) }
      let content = try source.decode(
        bytes, layers: source.layers(shownBy: style, at: tile.z), memory: options.memory)
      let hold = try content.hold(options.memory, "a vector tile of \(bytes.count) bytes")
      var faults: [MapProblem] = []
      if case .vector(let vector) = content { faults = source.faults(of: vector, tile, options) }
      let came = StoredTile.Coming(byteCount: bytes.count, date: options.date())
      answer(need) { state in
        state.sources[id]?.store(content, for: tile, use: state.clock.now, came: came, hold: hold)
        for fault in faults { state.log.addFault(fault) }
      }
      if !faults.isEmpty { logProblems() }
    case .glyphs(let stack, let range):
      try glyphs.load(
        range: range, fontStack: glyphs.fontStack(stack, server: GlyphServerID(need.owner)), pbf: bytes,
        now: options.now())
    }
  }

  /// Takes a part of a sprite; with both, its images are cut. The second part is not noted before they are
  /// there, so that no view takes the sprite for complete without them.
  private func takeSprite(_ number: Int, _ need: Need, index: JSON?, sheet: PixelImage?) {
    let whole = state.withLock { state -> (SpriteState, JSON, PixelImage)? in
      guard state.isWanted(need), !state.style.sprites[number].isSettled else { return nil }
      let sprite = state.style.sprites[number]
      if let index = index ?? sprite.index, let sheet = sheet ?? sprite.sheet {
        return (sprite, index, sheet)
      }
      state.style.changeSprite(number) { sprite in
        if let index { sprite.index = index }
        if let sheet { sprite.sheet = sheet }
      }
      return nil
    }
    guard let (sprite, index, sheet) = whole else { return }
    var faults: [NeatError] = []
    let images = Sprite.cut(
      index: index, sheet: sheet, prefix: sprite.prefix, memory: options.memory, problems: &faults)
    answer(need) { state in
      // Another thread may have been first.
      guard !state.style.sprites[number].isSettled else { return }
      state.style.settleSprite(number, index: index, images)
      for fault in faults { state.log.add(MapProblem(fault, resource: sprite.url, part: .sprite)) }
      // Tiles that did not wait for it were laid out without its images.
      state.staleLayersOfImages()
    }
  }

  /// Changes what a need was for, unless that has gone meanwhile.
  func answer(_ need: Need, _ change: (inout State) -> Void) {
    state.withLock { state in if state.isWanted(need) { change(&state) } }
  }

  /// Takes a source's data.
  /// - Parameters:
  ///   - number: of the source that is meant, where another one of its name is not.
  ///   - need: what the data answers, where it was asked for.
  ///   - isFirst: only where it has none yet, since several views may have asked for it.
  func setGeoJSON(
    _ tiles: GeoJSONTiles, source id: String, number: UInt64? = nil, answering need: Need? = nil,
    isFirst: Bool = true
  ) {
    state.withLock { state in
      if let need, !state.isWanted(need) { return }
      if let number, state.sources[id]?.number != number { return }
      if isFirst, state.sources[id]?.phase != .waiting { return }
      state.sources[id]?.geojson = tiles
      state.sources[id]?.phase = .ready
      state.sources[id]?.tiles.removeAll()
      state.dropLayouts(of: id)
    }
  }

  private func settleEmpty(_ need: Need) {
    guard case .tile(let id, let tile) = need.target else {
      let words = "\(need.request.kind.name) is empty"
      return settleWithout(need, MapProblem(resource: need.request.url, message: words, code: .notFound))
    }
    answer(need) { state in
      state.sources[id]?.store(.empty, for: tile, use: state.clock.now)
      if state.sources[id]?.spec.custom != nil { state.renewCustom(tile, source: id, options.cacheBytes) }
    }
  }

  /// The resource is not to be had: the map goes on without it.
  private func settleWithout(_ need: Need, _ problem: MapProblem, isReported: Bool = true) {
    let problem = problem.of(need)
    if isReported { report(problem) }
    if problem.code == .outOfMemory, !MemoryBudget.isRefusal(problem.message) {
      state.withLock { $0.shortage = $0.shortage ?? problem }
    }
    let fault = PastFault(problem, since: options.now())
    switch need.target {
    case .spriteIndex(let number), .spriteSheet(let number):
      answer(need) { state in
        guard !state.style.sprites[number].isSettled else { return }
        let imagesWent = state.style.changeSprite(number) { sprite in
          sprite.isSettled = true
          sprite.fault = fault
        }
        if imagesWent { state.staleLayersOfImages() }
      }
    case .tileJSON(let id), .geojson(let id), .image(let id): answer(need) { $0.fail(source: id, fault) }
    case .tile(let id, let tile):
      let content = problem.isPassing ? TileContent.unreachable : .absent
      answer(need) { state in
        state.sources[id]?.settleStale(tile)
        // What another view has is better than nothing.
        if state.sources[id]?.content(tile) == nil {
          state.sources[id]?.store(content, for: tile, use: state.clock.now, fault: fault)
        }
      }
    case .glyphs(let stack, let range):
      glyphs.markMissing(
        range: range, fontStack: glyphs.fontStack(stack, server: GlyphServerID(need.owner)),
        fault: NeatError(problem.code, problem.message, resource: problem.resource), now: fault.since)
    }
  }
}

extension Need {
  /// An archive that does not hold a tile says that it is empty.
  package var isTileOfArchive: Bool {
    guard case .tile = target else { return false }
    return request.url.hasPrefix("mbtiles://") || request.url.hasPrefix("pmtiles://")
  }
}

extension MapCore.State {
  /// Whether what a need was for is still there, and the same.
  func isWanted(_ need: Need) -> Bool {
    switch need.target {
    case .spriteIndex(let number), .spriteSheet(let number):
      style.sprites.indices.contains(number) && style.sprites[number].number == need.owner
    case .tileJSON(let id), .geojson(let id), .image(let id), .tile(source: let id, _):
      sources[id]?.number == need.owner
    case .glyphs: style.glyphServer != 0 && UInt64(style.glyphServer) == need.owner
    }
  }

  /// A source's data cannot be had; what another view has got stays.
  mutating func fail(source id: String, _ fault: PastFault) {
    guard sources[id]?.phase == .waiting || sources[id]?.phase == .failed && sources[id]?.fault == nil else {
      return
    }
    sources[id]?.phase = .failed
    sources[id]?.fault = fault
  }
}

extension SourceState {
  mutating func takeTileJSON(_ json: JSON, base: String) {
    tileSet = TileSet(json, base: base, source: spec)
    phase = tileSet.templates.isEmpty ? .failed : .ready
  }

  /// The layers of a vector source's tiles that a style shows at a zoom. What a query, another style or a
  /// deeper zoom wants besides is read when it is asked for.
  func layers(shownBy style: Style, at zoom: UInt8) -> Set<String> {
    var names: Set<String> = []
    for layer in style.layers where layer.source == id {
      guard let name = layer.sourceLayer, layer.minZoom.rounded(.down) <= Double(zoom),
        layer.maxZoom > Double(zoom)
      else { continue }
      names.insert(name)
    }
    return names
  }

  /// - Parameter layers: of a vector tile, those that are read at once; nil for all.
  /// - Parameter memory: what the tile is taken from.
  func decode(_ bytes: [UInt8], layers: Set<String>? = nil, memory: MemoryBudget) throws(NeatError)
    -> TileContent
  {
    if bytes.isEmpty { return .empty }
    switch spec.kind {
    case .vector:
      return .vector(
        try decodeTile(
          bytes, as: tileSet.tileEncoding == "mlt" ? .mlt : .mvt, options: MVTOptions(layers: layers)))
    case .raster: return .raster(try RasterTile(decoding: bytes, mipmaps: true, memory: memory))
    case .rasterDEM:
      return .elevation(try DEMTile(decoding: bytes, encoding: elevationEncoding, memory: memory))
    default: return .empty
    }
  }
}
