import NeatBase
import NeatCamera

/// The tiles below one that is still to come: where a map is zoomed out they are there, and stand in for it until then,
/// as in MapLibre GL JS. Of views whose tiles are all there, or are not to be had, there are none: their pictures do not
/// depend on what was drawn before.
struct TilesBelow {
  /// Levels below the tile that is asked for.
  static let levels = 3
  /// Tiles of one source in a view: a cache may hold hundreds, each of them as much work as one of the view's own.
  static let limit = 64

  private let source: SourceState
  private let deepest: UInt8
  private var left = TilesBelow.limit

  init(_ source: SourceState) {
    self.source = source
    deepest = min(source.cover.maxZoom, TileID.maxZoom)
  }

  /// What stands in for a tile that is still to come: nil where it is there, or known not to be had, or nothing below
  /// it is there.
  /// - Parameters:
  ///   - other: what stands in otherwise.
  ///   - isReady: whether a tile of vectors is laid out, as a whole and as the style is now.
  mutating func standIns(
    _ tile: OverscaledTileID, _ other: TileInView?, isReady: (OverscaledTileID) -> Bool
  ) -> [TileInView]? {
    guard tile.canonical.z < deepest, other?.drawn.canonical != tile.canonical else { return nil }
    switch source.content(tile.canonical) ?? source.content(source.loadable(tile.canonical)) {
    case nil, .vector?: return tiles(tile, other, isReady)
    default: return nil
    }
  }

  /// What shows the ground of a tile: those below it that are there, and between them `other`. Nil where none is.
  mutating func tiles(
    _ tile: OverscaledTileID, _ other: TileInView?, _ isReady: (OverscaledTileID) -> Bool
  ) -> [TileInView]? {
    var found: [TileInView] = []
    return add(tile.canonical, tile.wrap, other, TilesBelow.levels, isReady, &found) ? found : nil
  }

  /// Adds what shows the ground of a tile, where one below it does; whether one does.
  private mutating func add(
    _ tile: TileID, _ wrap: Int32, _ other: TileInView?, _ levels: Int, _ isReady: (OverscaledTileID) -> Bool,
    _ found: inout [TileInView]
  ) -> Bool {
    guard levels > 0, left > 0, tile.z < deepest else { return false }
    let start = found.count
    var isThere = false
    for child in (0..<4).map(tile.child) {
      let id = OverscaledTileID(canonical: child, wrap: wrap)
      let content = source.content(child)
      switch content {
      case .vector? where isReady(id.unwrapped), .raster?, .elevation?:
        found += content.map { [TileInView(wanted: id, drawn: id, content: $0)] } ?? []
        left -= 1
        isThere = true
        continue
      default: break
      }
      if add(child, wrap, other, levels - 1, isReady, &found) {
        isThere = true
      } else if let other {
        found.append(TileInView(wanted: id, drawn: other.drawn, content: other.content))
      }
    }
    if !isThere { found.removeSubrange(start...) }
    return isThere
  }
}
