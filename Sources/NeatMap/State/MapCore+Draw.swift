import NeatBase
import NeatCamera
import NeatLayout
import NeatRaster
import NeatStyle
import NeatTile

extension MapCore {
  /// Everything that a view still lacks: resources first, then, with the tiles there, the glyphs that laying
  /// them out asks for.
  ///
  /// - Parameters:
  ///   - rounds: how often it is begun again where another thread changes what it began with (a sprite
  ///     arrives). Whoever gives a number hears of changes by itself.
  ///   - extent: what of its tiles is laid out.
  ///   - drafts: what earlier calls for the same picture laid out of tiles whose glyphs were to come.
  package func prepare(
    _ transform: Transform, _ executor: Executor, rounds: Int = .max, extent: LayoutExtent = .tiles,
    drafts: LayoutDrafts? = nil
  ) -> [Need] {
    defer { logProblems() }
    makePending()
    for _ in 0..<rounds {
      let needs = needs(for: transform)
      guard needs.isEmpty else { return permitted(needs) }
      if cutTiles(transform, executor), let more = layOut(transform, executor, extent, drafts: drafts) {
        return permitted(more)
      }
    }
    return []
  }

  /// Keeps what a view uses, from its preparation to its frame, from being dropped to make room for other
  /// threads' views.
  package func keepingView<T>(_ body: () throws(NeatError) -> T) throws(NeatError) -> T {
    let view = state.withLock { $0.clock.begin() }
    defer { state.withLock { $0.clock.end(view) } }
    return try body()
  }

  /// The draw commands of a view, from what is there. `step`: of a map whose frames follow each other. `puck`:
  /// what stands above all layers. `debug`: what it shows of how it is made.
  package func frame(
    _ transform: Transform, step: FrameStep? = nil, puck: PuckScene? = nil, debug: DebugOptions = [],
    executor: Executor = .inline
  ) -> Frame {
    Trace.span("frame", .frame) {
      var builder = frameBuilder(transform, step: step, debug: debug, work: executor.work?.again())
      builder.puck = puck
      return builder.build(executor)
    }
  }

  /// A builder that holds what a view is drawn from, and is not affected by later changes.
  /// - Parameters:
  ///   - step: how the frame follows those before; nil: it is on its own.
  ///   - work: what its evaluations may take together; nil: what an image may.
  ///   - isFlat: whether the ground is drawn flat, whatever the style says, and patterns go over at once: for GPUs.
  func frameBuilder(
    _ view: Transform, step: FrameStep? = nil, isFlat: Bool = false, debug: DebugOptions = [],
    work: WorkLedger? = nil
  ) -> FrameBuilder {
    let work = work ?? imageWork()
    var step = step
    step?.begin()
    let memory = frameMemories.take()
    let (heights, hasSkirts, elevation) = state.withLock {
      (view.hasTerrain ? terrainHeights($0) : nil, $0.hasTerrainSkirts, $0.centerElevation)
    }
    // Its tiles are those of the ground, also where that is drawn flat: they are what is loaded.
    let ground = MapCore.grounded(view, heights, elevation)
    let transform = isFlat ? view : ground
    var builder = state.withLock { state in
      var tiles: [String: [TileInFrame]] = [:]
      var labelTiles: [String: [TileInFrame]] = [:]
      var pictures: [String: PictureInFrame] = [:]
      let inView = tilesInView(state, ground, isDrawn: true)
      for (source, views) in inView {
        var elevations: [TileID: DEMTile] = [:]
        for view in views {
          if case .elevation(let dem) = view.content { elevations[view.drawn.canonical] = dem }
        }
        let all = views.map { tileInFrame($0, source, state, transform, elevations) }
        labelTiles[source] = all
        tiles[source] = all
        if transform.labelMargin > 0, let state = state.sources[source] {
          let inView = Set(cover(state, ground).tiles)
          tiles[source] = zip(views, all).filter { inView.contains($0.0.wanted) }.map(\.1)
        }
      }
      for (id, source) in state.sources {
        if let image = source.image, case .image(let spec) = source.spec.kind {
          pictures[id] = PictureInFrame(tile: image, corners: spec.coordinates)
        }
      }
      let evaluator = memory.evaluator(
        globalState: state.style.globalState, options.evaluation, work)
      var crossFade: CrossFade?
      if var following = step {
        crossFade = self.crossFade(
          &following, canFade: heights == nil && !isFlat, state, transform, evaluator, tiles)
        fade(&tiles, &pictures, &following, isFlat: heights == nil, state, transform, evaluator)
        step = following
      }
      let camera = EvaluationPoint.camera(zoom: transform.camera.zoom)
      var builder = FrameBuilder(
        style: state.style.transitions.shown(state.style.document, evaluator, at: camera),
        target: state.style.document.layers, facts: facts(state),
        isChanging: !state.style.transitions.isEmpty,
        transform: transform, images: state.style.images, glyphs: glyphs, tiles: tiles,
        labelTiles: labelTiles, imageSources: pictures, memory: memory, memories: frameMemories,
        options: options, states: state.style.featureStates, evaluator: evaluator,
        report: takeReport(&state, transform, inView))
      builder.debug = debug
      builder.step = step
      builder.crossFade = crossFade
      if !builder.isChanging, !debug.contains(.overdraw) {
        builder.pictureVersion = GroundPictureVersion(
          style: state.style.version, images: state.style.images.version,
          states: state.style.featureStates.version)
      }
      if !debug.isDisjoint(with: [.tileBorders, .parseStatus, .timestamps]) {
        builder.debugTiles = debugTiles(state, tiles, zoom: transform.camera.zoom)
      }
      return builder
    }
    if !isFlat { builder.fog = builder.rootFog() }
    if transform.ground != nil {
      builder.terrain = heights.map {
        TerrainScene(
          $0, transform, hasSkirts: hasSkirts, fog: builder.fog, memory: options.memory)
      }
      frameMemories.groundPictures.beginFrame()
    }
    builder.reportPatterns()
    builder.reportStyle(isFlat: isFlat)
    return builder
  }

  func tileInFrame(
    _ tile: TileInView, _ source: String, _ state: State, _ transform: Transform,
    _ elevations: [TileID: DEMTile]
  ) -> TileInFrame {
    var key = LayoutKey(source: source, id: tile.drawn)
    key.id.wrap = 0
    var raster: RasterTile?
    if case .raster(let found) = tile.content { raster = found }
    var dem: DEMInFrame?
    if case .elevation(let found) = tile.content {
      dem = DEMInFrame(tile: found, neighbours: DEMNeighbours(tile.drawn.canonical, in: elevations))
    }
    let projection = transform.rasterProjection(tile.drawn)
    let clip =
      tile.wanted.canonical == tile.drawn.canonical ? projection : transform.rasterProjection(tile.wanted)
    return TileInFrame(
      id: tile.drawn, wanted: tile.wanted, layout: state.layouts.entries[key]?.layout, raster: raster,
      dem: dem,
      projection: projection, clip: clip,
      rasterProjection: transform.onPixelGrid(projection, tile.drawn),
      rasterClip: transform.onPixelGrid(clip, tile.wanted),
      globe: transform.globeTile(tile.drawn), wantedGlobe: transform.globeTile(tile.wanted),
      isDeepest: state.sources[source].map { $0.cover.maxZoom <= tile.drawn.canonical.z } ?? false)
  }
}
