import NeatBase

/// Which tiles of a source a view needs.
package struct TileCover: Equatable, Sendable {
  /// Edge of the source's tiles in logical pixels.
  package var tileSize = TileUnits.pixels
  package var minZoom: UInt8 = 0
  package var maxZoom: UInt8 = 22
  /// Rasters take the nearest zoom, vectors the one below.
  package var roundsZoom = false
  /// Vectors beyond `maxZoom` are laid out anew for each zoom level.
  package var reparsesOverscaled = true
  package var bounds: (west: Double, south: Double, east: Double, north: Double)?
  /// Whether the world repeats to the east and west.
  package var wraps = true

  /// Tiles of one view at most; a view that would need more gets those nearest to its centre.
  package static let limit = 1024

  package init() {}

  package static func == (a: TileCover, b: TileCover) -> Bool {
    a.tileSize == b.tileSize && a.minZoom == b.minZoom && a.maxZoom == b.maxZoom
      && a.roundsZoom == b.roundsZoom && a.reparsesOverscaled == b.reparsesOverscaled && a.wraps == b.wraps
      && a.bounds?.west == b.bounds?.west && a.bounds?.south == b.bounds?.south
      && a.bounds?.east == b.bounds?.east && a.bounds?.north == b.bounds?.north
  }

  /// The zoom of the tiles that the camera asks for, before the source's range.
  package func zoom(for camera: Camera) -> Int {
    let zoom = camera.zoom + log2(TileUnits.pixels / tileSize)
    return max(0, Int(bounded: (roundsZoom ? zoom.rounded(.toNearestOrAwayFromZero) : zoom.rounded(.down))))
  }

  /// The tiles, nearest to the centre first.
  package func tiles(_ transform: Transform) -> [OverscaledTileID] { covering(transform).tiles }

  /// The tiles, nearest to the centre first, and whether they are all that the view needs.
  package func covering(_ transform: Transform) -> (tiles: [OverscaledTileID], isWhole: Bool) {
    if let globe = transform.globe { return covering(transform, globe) }
    return coveringPlane(transform)
  }

  func coveringPlane(_ transform: Transform) -> (tiles: [OverscaledTileID], isWhole: Bool) {
    if TileCover.varies(transform) { return detailed(transform) }
    let actual = min(zoom(for: transform.camera), Int(TileID.maxZoom))
    guard actual >= Int(minZoom) else { return ([], true) }
    let z = UInt8(min(actual, Int(maxZoom)))
    let overscaled = reparsesOverscaled ? UInt8(max(Int(z), actual)) : z
    let count = Double(UInt64(1) << UInt64(z))
    guard let ground = visibleGround(transform),
      let area = ConvexArea(ground.map { $0 / transform.worldSize * count })
    else { return ([], true) }
    var search = Search(
      z: z, overscaled: overscaled, count: count, middle: transform.center / transform.worldSize * count)
    // Of a view of very many tiles no more is looked at than what gives those that are kept.
    var reach = TileCover.searchReach
    let isLarge = area.boxSize(rows: count) > 4 * reach * reach
    collect(isLarge ? area.cut(around: search.middle, reach: reach) : area, &search)
    while isLarge, search.found.count < TileCover.limit, reach < TileCover.maxSearchReach {
      reach *= 2
      search.found.removeAll()
      collect(area.cut(around: search.middle, reach: reach), &search)
    }
    search.found.sort { a, b in
      a.distance != b.distance
        ? a.distance < b.distance
        : (a.id.wrap, a.id.canonical.y, a.id.canonical.x) < (b.id.wrap, b.id.canonical.y, b.id.canonical.x)
    }
    let isSeen = !isLarge || area.isWithin(reach, of: search.middle)
    return (
      search.found.prefix(TileCover.limit).map(\.id), isSeen && search.found.count <= TileCover.limit
    )
  }

  /// Tiles around the centre that are looked at where a view has very many, to each side.
  private static let searchReach = 128.0
  private static let maxSearchReach = 512.0

  /// Tiles as they are found.
  private struct Search {
    let z: UInt8
    let overscaled: UInt8
    /// Tiles along the edge of the world.
    let count: Double
    /// The camera's centre, in tiles.
    let middle: SIMD2<Double>
    var found: [(id: OverscaledTileID, distance: Double)] = []
  }

  private func collect(_ area: ConvexArea?, _ search: inout Search) {
    guard let area else { return }
    let count = search.count
    let firstWrap = wraps ? max(-3, Int(bounded: (area.low.x / count).rounded(.down))) : 0
    let lastWrap = wraps ? min(3, Int(bounded: (area.high.x / count).rounded(.up)) - 1) : 0
    guard firstWrap <= lastWrap else { return }
    for wrap in firstWrap...lastWrap { collect(area, wrap, &search) }
  }

  /// The tiles of one of the worlds that stand side by side.
  private func collect(_ area: ConvexArea, _ wrap: Int, _ search: inout Search) {
    let shift = Double(wrap) * search.count
    let last = search.count - 1
    let (low, high) = (area.low, area.high)
    let x0 = max(0, (low.x - shift).rounded(.down)), x1 = min(last, (high.x - shift).rounded(.up) - 1)
    let y0 = max(0, low.y.rounded(.down)), y1 = min(last, high.y.rounded(.up) - 1)
    guard x0 <= x1, y0 <= y1 else { return }
    for y in Int(bounded: y0)...Int(bounded: y1) {
      for x in Int(bounded: x0)...Int(bounded: x1) {
        let corner = SIMD2(Double(x) + shift, Double(y))
        guard area.overlaps(square: corner) else { continue }
        let tile = TileID(z: search.z, x: UInt32(x), y: UInt32(y))
        guard isWithinBounds(tile) else { continue }
        let away = corner + 0.5 - search.middle
        let id = OverscaledTileID(canonical: tile, overscaledZ: search.overscaled, wrap: Int32(wrap))
        search.found.append((id, (away * away).sum()))
      }
    }
  }

  /// Whether a tile touches the source's bounds.
  package func isWithinBounds(_ tile: TileID) -> Bool {
    guard let bounds else { return true }
    let count = Double(UInt64(1) << UInt64(tile.z))
    let x0 = (Mercator.x(lon: max(-180, bounds.west)) * count).rounded(.down)
    let x1 = (Mercator.x(lon: min(180, bounds.east)) * count).rounded(.up)
    let y0 = (Mercator.y(lat: min(Mercator.maxLatitude, bounds.north)) * count).rounded(.down)
    let y1 = (Mercator.y(lat: max(-Mercator.maxLatitude, bounds.south)) * count).rounded(.up)
    return Double(tile.x) >= x0 && Double(tile.x) < x1 && Double(tile.y) >= y0 && Double(tile.y) < y1
  }

  /// The ground in view as a convex polygon in world coordinates; the sky and what lies farther than ground is
  /// looked at is cut off.
  private func visibleGround(_ transform: Transform) -> [SIMD2<Double>]? {
    let ground = transform.corners.map { transform.world(screen: $0) }
    if transform.isFlat || ground.allSatisfy({ $0 != nil }) && transform.camera.pitch <= 60 {
      return ground.compactMap { $0 }
    }
    return ConvexArea.ground(of: transform)
  }
}

extension ConvexArea {
  fileprivate func isWithin(_ reach: Double, of middle: SIMD2<Double>) -> Bool {
    min(low.x - middle.x, low.y - middle.y) >= -reach && max(high.x - middle.x, high.y - middle.y) <= reach
  }

  /// Squares of the box around it, within the rows of the world.
  fileprivate func boxSize(rows: Double) -> Double {
    (high.x - low.x) * max(0, min(high.y, rows) - max(low.y, 0))
  }
}
