import NeatBase
import NeatCamera
import NeatStyle
import NeatTile

/// A tile that a view is drawn from, and what it draws of it.
struct LayoutInView {
  let tile: VectorTile
  /// The first and the last copy of the world that it is shown in.
  var wraps: ClosedRange<Int32>
  /// By their places in the style; nil: all of the source.
  var layers: Set<Int>?
}

extension MapCore {
  /// The tiles of vectors that a view is drawn from. Of those that only give labels to it, as they lie in its
  /// margin, the layers of symbols: the others would be most of the work of a single tile.
  /// - Parameter transform: over the ground, where there is one.
  func layoutsInView(_ state: State, _ transform: Transform) -> [LayoutKey: LayoutInView] {
    layoutsInView(tilesInView(state, transform), state, transform)
  }

  /// The same of some of its tiles.
  func layoutsInView(_ tiles: [String: [TileInView]], _ state: State, _ transform: Transform)
    -> [LayoutKey: LayoutInView]
  {
    var result: [LayoutKey: LayoutInView] = [:]
    for (id, tiles) in tiles {
      let symbols = transform.labelMargin == 0 ? nil : facts(state).symbolLayers(of: id)
      let inView = symbols == nil ? [] : Set(state.sources[id].map { cover($0, transform).tiles } ?? [])
      for tile in tiles {
        guard case .vector(let vector) = tile.content else { continue }
        let layers = inView.contains(tile.wanted) ? nil : symbols
        // A tile may stand in for several.
        let key = LayoutKey(source: id, id: tile.drawn.unwrapped)
        result[key, default: LayoutInView(vector, wrap: tile.drawn.wrap, layers)].add(tile.drawn.wrap, layers)
      }
    }
    return result
  }
}

extension LayoutInView {
  fileprivate init(_ tile: VectorTile, wrap: Int32, _ layers: Set<Int>?) {
    self.init(tile: tile, wraps: wrap...wrap, layers: layers)
  }

  fileprivate mutating func add(_ wrap: Int32, _ more: Set<Int>?) {
    wraps = min(wraps.lowerBound, wrap)...max(wraps.upperBound, wrap)
    if more == nil { layers = nil }
  }
}

extension [StyleLayer] {
  /// The places of those that are as asked for.
  func places(where isMeant: (StyleLayer) -> Bool) -> [Int] { indices.filter { isMeant(self[$0]) } }
}
