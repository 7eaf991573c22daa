import NeatBase
import NeatCamera
import NeatStyle

/// What the last views were found to need: turns, frames and reports of a view ask for the same again and again.
final class ViewMemory: Sendable {
  /// A source that a view draws from, and whether labels are among what it gives.
  typealias UsedSource = (id: String, hasLabels: Bool)

  private struct Used {
    let version: UInt64
    let zoom: Double
    let sources: [UsedSource]
  }

  private struct Facts {
    let version: UInt64
    let facts: StyleFacts
  }

  private struct Covered {
    let cover: TileCover
    let view: LabelView
    let tiles: [OverscaledTileID]
    let isWhole: Bool
  }

  private struct State {
    var used: Used?
    var facts: Facts?
    var covered: [Covered] = []
    /// The place in `covered` that is written next.
    var next = 0
    var missingImages: [MissingImage: Missing] = [:]
    var undeclared: [Undeclared] = []
  }

  private struct Undeclared {
    let version: UInt64
    let source: String
    let declared: Set<String>?
    let layers: [Int]
  }

  private struct MissingImage: Hashable {
    let name: String
    let layer: String?
  }

  /// Covers that are known: of a few sources, with and without the margin around the view.
  private static let limit = 16
  private static let imageLimit = 256
  private static let sourceLimit = 16

  private let state = Locked(State())

  /// The sources of a version of the style at a zoom.
  func sources(_ version: UInt64, zoom: Double, _ make: () -> [UsedSource]) -> [UsedSource] {
    let known = state.withLock { $0.used.flatMap { $0.version == version && $0.zoom == zoom ? $0 : nil } }
    if let known { return known.sources }
    let made = Used(version: version, zoom: zoom, sources: make())
    state.withLock { $0.used = made }
    return made.sources
  }

  /// What a version of the style's document says for all views.
  func facts(_ version: UInt64, _ style: Style) -> StyleFacts {
    let known = state.withLock { $0.facts.flatMap { $0.version == version ? $0.facts : nil } }
    if let known { return known }
    let made = StyleFacts(style)
    state.withLock { $0.facts = Facts(version: version, facts: made) }
    return made
  }

  /// The tiles, nearest to the centre first, and whether they are all that the view needs.
  func covering(_ cover: TileCover, _ transform: Transform) -> (tiles: [OverscaledTileID], isWhole: Bool) {
    let view = LabelView(transform)
    let known = state.withLock { state -> (tiles: [OverscaledTileID], isWhole: Bool)? in
      for entry in state.covered where entry.view == view && entry.cover == cover {
        return (entry.tiles, entry.isWhole)
      }
      return nil
    }
    if let known { return known }
    let (tiles, isWhole) = cover.covering(transform)
    let made = Covered(cover: cover, view: view, tiles: tiles, isWhole: isWhole)
    state.withLock { state in
      if state.covered.count < ViewMemory.limit {
        state.covered.append(made)
      } else {
        state.covered[state.next] = made
      }
      state.next = (state.next + 1) % ViewMemory.limit
    }
    return (tiles, isWhole)
  }

  /// What a report says of an image that is missing.
  func missingImage(_ name: String, layer: String?) -> Missing {
    state.withLock { state in
      let key = MissingImage(name: name, layer: layer)
      if let known = state.missingImages[key] { return known }
      let made = Missing(image: name, layer: layer)
      if state.missingImages.count >= ViewMemory.imageLimit { state.missingImages.removeAll() }
      state.missingImages[key] = made
      return made
    }
  }

  /// Layers of a version of the style, by place, whose data their source does not say to have: of a source and what it
  /// says to have.
  func undeclared(
    _ version: UInt64, _ source: String, _ declared: Set<String>?, _ make: () -> [Int]
  ) -> [Int] {
    let known = state.withLock { state in
      state.undeclared.first { $0.version == version && $0.source == source && $0.declared == declared }
    }
    if let known { return known.layers }
    let made = Undeclared(version: version, source: source, declared: declared, layers: make())
    state.withLock { state in
      state.undeclared.removeAll { $0.source == source }
      if state.undeclared.count >= ViewMemory.sourceLimit { state.undeclared.removeAll() }
      state.undeclared.append(made)
    }
    return made.layers
  }

  func removeAll() { state.withLock { $0 = State() } }
}

extension MapCore {
  /// The tiles of a source that a view needs.
  func cover(_ source: SourceState, _ transform: Transform) -> (tiles: [OverscaledTileID], isWhole: Bool) {
    guard let ground = transform.ground else { return viewMemory.covering(source.cover, transform) }
    var cover = source.cover
    if ground.source == source.id {
      // The ground has twice as many points as it takes samples of its source's tiles.
      cover.tileSize *= exp2(Double(TerrainHeights.levels))
      cover.roundsZoom = false
    }
    return cover.covering(transform)
  }
}
