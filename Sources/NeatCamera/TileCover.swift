import NeatBase

/// Which tiles of a source a view needs.
package struct TileCover {
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

  /// The zoom of the tiles that the camera asks for, before the source's range.
  package func zoom(for camera: Camera) -> Int {
    let zoom = camera.zoom + log2(TileUnits.pixels / tileSize)
    return max(0, Int(bounded: (roundsZoom ? zoom.rounded(.toNearestOrAwayFromZero) : zoom.rounded(.down))))
  }

  /// The tiles, nearest to the centre first.
  package func tiles(_ transform: Transform) -> [OverscaledTileID] {
    let actual = min(zoom(for: transform.camera), Int(TileID.maxZoom))
    guard actual >= Int(minZoom) else { return [] }
    let z = UInt8(min(actual, Int(maxZoom)))
    let overscaled = reparsesOverscaled ? UInt8(max(Int(z), actual)) : z
    guard let area = visibleArea(transform) else { return [] }
    let count = Double(UInt64(1) << UInt64(z))
    let scaled = area.map { $0 / transform.worldSize * count }
    let low = scaled.reduce(scaled[0]) { pointwiseMin($0, $1) }
    let high = scaled.reduce(scaled[0]) { pointwiseMax($0, $1) }
    let firstWrap = wraps ? max(-3, Int(bounded: (low.x / count).rounded(.down))) : 0
    let lastWrap = wraps ? min(3, Int(bounded: (high.x / count).rounded(.up)) - 1) : 0
    guard firstWrap <= lastWrap else { return [] }
    var found: [(id: OverscaledTileID, distance: Double)] = []
    let middle = transform.center / transform.worldSize * count
    for wrap in firstWrap...lastWrap {
      let shift = Double(wrap) * count
      collect(
        scaled, low: low, high: high, z: z, overscaled: overscaled, wrap: wrap, shift: shift, middle: middle,
        into: &found)
    }
    found.sort { a, b in
      a.distance != b.distance
        ? a.distance < b.distance
        : (a.id.wrap, a.id.canonical.y, a.id.canonical.x) < (b.id.wrap, b.id.canonical.y, b.id.canonical.x)
    }
    return found.prefix(TileCover.limit).map(\.id)
  }

  private func collect(
    _ area: [SIMD2<Double>], low: SIMD2<Double>, high: SIMD2<Double>, z: UInt8, overscaled: UInt8, wrap: Int,
    shift: Double,
    middle: SIMD2<Double>,
    into found: inout [(id: OverscaledTileID, distance: Double)]
  ) {
    let last = Double(UInt64(1) << UInt64(z)) - 1
    let x0 = max(0, (low.x - shift).rounded(.down)), x1 = min(last, (high.x - shift).rounded(.up) - 1)
    let y0 = max(0, low.y.rounded(.down)), y1 = min(last, high.y.rounded(.up) - 1)
    guard x0 <= x1, y0 <= y1, (x1 - x0 + 1) * (y1 - y0 + 1) <= 262_144 else { return }
    for y in Int(bounded: y0)...Int(bounded: y1) {
      for x in Int(bounded: x0)...Int(bounded: x1) {
        let corner = SIMD2(Double(x) + shift, Double(y))
        guard ConvexArea.intersects(area, square: corner) else { continue }
        let tile = TileID(z: z, x: UInt32(x), y: UInt32(y))
        guard isWithinBounds(tile) else { continue }
        let away = corner + 0.5 - middle
        found.append(
          (OverscaledTileID(canonical: tile, overscaledZ: overscaled, wrap: Int32(wrap)), (away * away).sum())
        )
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

  /// The ground in view as a convex polygon in world coordinates; the sky and what lies farther than the
  /// horizon's limit is cut off.
  private func visibleArea(_ transform: Transform) -> [SIMD2<Double>]? {
    let width = Double(transform.size.deviceWidth)
    let height = Double(transform.size.deviceHeight)
    let corners = [SIMD2(0, 0), SIMD2(width, 0), SIMD2(width, height), SIMD2(0, height)]
    let ground = corners.map { transform.world(screen: $0) }
    if transform.isFlat || ground.allSatisfy({ $0 != nil }) && transform.camera.pitch <= 60 {
      return ground.compactMap { $0 }
    }
    return ConvexArea.ground(of: transform)
  }
}

/// Tests on convex polygons.
enum ConvexArea {
  /// Whether the unit square at `corner` and the polygon overlap: no edge of either separates them.
  static func intersects(_ polygon: [SIMD2<Double>], square corner: SIMD2<Double>) -> Bool {
    let low = polygon.reduce(polygon[0]) { pointwiseMin($0, $1) }
    let high = polygon.reduce(polygon[0]) { pointwiseMax($0, $1) }
    guard low.x < corner.x + 1, high.x > corner.x, low.y < corner.y + 1, high.y > corner.y else {
      return false
    }
    let square = [corner, corner + SIMD2(1, 0), corner + SIMD2(1, 1), corner + SIMD2(0, 1)]
    for index in polygon.indices {
      let a = polygon[index], b = polygon[(index + 1) % polygon.count]
      let normal = SIMD2(b.y - a.y, a.x - b.x)
      func side(_ p: SIMD2<Double>) -> Double { ((p - a) * normal).sum() }
      let own = polygon.map(side)
      let other = square.map(side)
      if other.min()! >= own.max()! || other.max()! <= own.min()! { return false }
    }
    return true
  }

  /// The ground polygon of a tilted view: the screen's outline from below up to where the ground is still
  /// within ten times the centre's distance.
  static func ground(of transform: Transform) -> [SIMD2<Double>]? {
    let width = Double(transform.size.deviceWidth)
    let height = Double(transform.size.deviceHeight)
    let farthest = 10 * transform.cameraToCenterDistance
    func reach(_ bottom: SIMD2<Double>, _ top: SIMD2<Double>) -> SIMD2<Double>? {
      var (near, far) = (0.0, 1.0)
      func ground(_ t: Double) -> SIMD2<Double>? {
        guard let hit = transform.world(screen: bottom + (top - bottom) * t) else { return nil }
        let away = hit - transform.center
        return (away * away).sum().squareRoot() <= farthest ? hit : nil
      }
      if let hit = ground(1) { return hit }
      guard ground(0) != nil else { return nil }
      for _ in 0..<40 {
        let middle = (near + far) / 2
        if ground(middle) != nil { near = middle } else { far = middle }
      }
      return ground(near)
    }
    let corners = [SIMD2(0, 0), SIMD2(width, 0), SIMD2(width, height), SIMD2(0, height)]
    let known = corners.filter { transform.world(screen: $0) != nil }
    guard !known.isEmpty else { return nil }
    guard let topLeft = reach(corners[3], corners[0]), let topRight = reach(corners[2], corners[1]),
      let bottomRight = transform.world(screen: corners[2]),
      let bottomLeft = transform.world(screen: corners[3])
    else { return nil }
    return [topLeft, topRight, bottomRight, bottomLeft]
  }
}
