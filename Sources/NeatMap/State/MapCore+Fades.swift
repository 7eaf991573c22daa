import NeatBase
import NeatCamera
import NeatStyle

extension MapCore {
  /// Brings what the raster tiles of a frame come in over, and since when, into `tiles`.
  /// - Parameter isFlat: as in MapLibre GL JS, nothing comes in slowly over a terrain.
  func fade(
    _ tiles: inout [String: [TileInFrame]], _ pictures: inout [String: PictureInFrame],
    _ step: inout FrameStep, isFlat: Bool, _ state: State, _ transform: Transform, _ evaluator: Evaluator
  ) {
    let now = step.history.clock.now
    // What the first frame has is there with it, and a map whose labels do not fade shows single views.
    let isSeen = isFlat && step.audience == .present && step.fadeMS > 0 && step.history.labels != nil
    let durations = fadeDurations(state, transform, evaluator)
    for (id, duration) in durations {
      guard let source = state.sources[id] else { continue }
      if pictures[id] != nil {
        let age = step.history.tiles.age(
          of: .world, in: source.number, over: duration, now: now, isSeen: isSeen)
        pictures[id]?.age = age
        step.fadesTiles = step.fadesTiles || age < duration
      }
      var below = TilesBelow(source)
      for place in tiles[id]?.indices ?? 0..<0 {
        guard let tile = tiles[id]?[place], tile.raster != nil else { continue }
        let drawn = tile.id.canonical
        let age = step.history.tiles.age(
          of: drawn, in: source.number, over: duration, now: now, isSeen: isSeen)
        guard age < duration else { continue }
        step.fadesTiles = true
        tiles[id]?[place].age = age
        tiles[id]?[place].under = tilesUnder(tile, source, &below, transform).map {
          var under = tileInFrame($0, id, state, transform, [:])
          // One that comes in itself goes on to.
          under.age = step.history.tiles.knownAge(
            of: $0.drawn.canonical, in: source.number, over: duration, now: now)
          return under
        }
      }
    }
    guard !step.history.tiles.isEmpty else { return }
    let sources = Dictionary(state.sources.values.map { ($0.number, $0) }) { first, _ in first }
    step.history.tiles.keep { number, tile in
      sources[number].map { $0.image != nil || $0.content(tile) != nil } ?? false
    }
  }

  /// What the ground of a tile that comes in shows without it.
  private func tilesUnder(
    _ tile: TileInFrame, _ source: SourceState, _ below: inout TilesBelow, _ transform: Transform
  ) -> [TileInView] {
    let lowest = source.lowestStandIn(transform)
    var above: TileInView?
    if tile.id.canonical.z > lowest {
      let parent = OverscaledTileID(canonical: tile.id.canonical.ancestor(1), wrap: tile.id.wrap)
      above = tileInView(parent, source, lowest).map {
        TileInView(wanted: tile.wanted, drawn: $0.drawn, content: $0.content)
      }
    }
    // An ancestor that stands in comes in over one of its own alone.
    let isItself = tile.id.canonical == tile.wanted.canonical
    return (isItself ? below.tiles(tile.wanted, above) { _ in true } : nil) ?? above.map { [$0] } ?? []
  }

  /// The longest fading of the layers of each source's pictures, in milliseconds.
  private func fadeDurations(_ state: State, _ transform: Transform, _ evaluator: Evaluator) -> [String:
    Double]
  {
    let zoom = transform.camera.zoom
    var durations: [String: Double] = [:]
    for layer in state.style.document.layers where layer.type == .raster {
      guard let source = layer.source, layer.isVisible(zoom: zoom, evaluator) else { continue }
      let duration = layer.fadeDuration(evaluator, at: .camera(zoom: zoom))
      durations[source] = max(duration, durations[source] ?? 0)
    }
    return durations
  }
}

extension StyleLayer {
  /// Milliseconds: a map whose tiles come in for longer would not come to rest.
  static let longestFade = 60_000.0

  /// Milliseconds that a tile of a raster layer takes to come in.
  func fadeDuration(_ evaluator: Evaluator, at camera: EvaluationPoint) -> Double {
    let duration = self[.rasterFadeDuration].number(evaluator, at: camera)
    return duration > 0 ? min(duration, StyleLayer.longestFade) : 0
  }
}
