import NeatBase
import NeatLayout
import NeatStyle

/// The symbol layers of a view, from the top of the style down, and the tiles that they have labels of. Tiles
/// stand in the order of placement, deeper ones first, each once.
struct LabelScene {
  struct Layer {
    /// Place in the style.
    let index: Int
    let source: String
    /// As the style says, and as it is shown.
    let target: StyleLayer
    let shown: StyleLayer
    let tiles: Range<Int>
  }

  private(set) var layers: [Layer] = []
  private(set) var tiles: [(bucket: SymbolBucket, id: OverscaledTileID)] = []

  /// `before`: what the last frame had, about.
  init(_ builder: FrameBuilder, like before: LabelHistory?) {
    layers.reserveCapacity(before?.layers.count ?? 0)
    tiles.reserveCapacity(before?.layers.reduce(0) { $0 + $1.tiles.count } ?? 0)
    let zoom = builder.transform.camera.zoom
    var orders: [(source: String, places: [Int])] = []
    for index in builder.style.layers.indices.reversed() {
      let layer = builder.style.layers[index]
      guard layer.type == .symbol, !builder.twins.isFollower(index), let source = layer.source,
        layer.isVisible(zoom: zoom, builder.evaluator)
      else { continue }
      let found = builder.labelTiles[source] ?? []
      let known = orders.firstIndex { $0.source == source }
      if known == nil { orders.append((source, LabelScene.order(found))) }
      let start = tiles.count
      for place in orders[known ?? orders.count - 1].places {
        guard case .symbol(let bucket)? = found[place].layout?.buckets[index] else { continue }
        tiles.append((bucket, found[place].id))
      }
      layers.append(
        Layer(
          index: index, source: source, target: builder.target[index], shown: layer,
          tiles: start..<tiles.count))
    }
  }

  /// The places of the tiles: a tile may stand in for several others.
  private static func order(_ tiles: [TileInFrame]) -> [Int] {
    var places = tiles.indices.sorted { tiles[$0].id.isPlaced(before: tiles[$1].id) }
    var last: OverscaledTileID?
    places.removeAll { place in
      defer { last = tiles[place].id }
      return tiles[place].id == last
    }
    return places
  }
}
