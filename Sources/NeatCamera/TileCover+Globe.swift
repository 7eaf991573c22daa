// The tiles that are seen of a globe: the pyramid is gone down from the world's one tile, and what a ball around a
// tile's part of the sphere says is beside the view or behind the horizon is left out. While the globe goes over into
// the plane, the tiles of both are taken.

import NeatBase

extension TileCover {
  func covering(_ transform: Transform, _ globe: GlobeSurface) -> (tiles: [OverscaledTileID], isWhole: Bool) {
    let actual = min(zoom(for: transform.camera), Int(TileID.maxZoom))
    guard actual >= Int(minZoom) else { return ([], true) }
    let z = UInt8(min(actual, Int(maxZoom)))
    let overscaled = reparsesOverscaled ? UInt8(max(Int(z), actual)) : z
    let view = GlobeSight(globe, transform.size)
    var found: [(id: OverscaledTileID, distance: Double)] = []
    var isWhole = true
    var waiting = [TileID.world]
    let middle = globe.center
    while let tile = waiting.popLast() {
      guard view.sees(tile) else { continue }
      if tile.z < z {
        // Nearest last, so that it is taken up first.
        for child in 0..<4 {
          let x = 2 * tile.x + UInt32(child & 1), y = 2 * tile.y + UInt32(child >> 1)
          waiting.append(TileID(z: tile.z + 1, x: x, y: y))
        }
        continue
      }
      guard isWithinBounds(tile) else { continue }
      guard found.count < 4 * TileCover.limit else {
        isWhole = false
        break
      }
      let count = Double(UInt64(1) << UInt64(z))
      let place = (SIMD2(Double(tile.x), Double(tile.y)) + 0.5) / count
      // The copy of the tile that is nearest to the centre.
      let wrap = (middle.x - place.x).rounded()
      let away = (place + SIMD2(wrap, 0) - middle) * count
      let id = OverscaledTileID(canonical: tile, overscaledZ: overscaled, wrap: Int32(saturating: wrap))
      found.append((id, (away * away).sum()))
    }
    if transform.globeness < 1 {
      let known = Set(found.map(\.id.canonical))
      let plane = coveringPlane(transform)
      isWhole = isWhole && plane.isWhole
      for id in plane.tiles where !known.contains(id.canonical) && found.allSatisfy({ $0.id != id }) {
        found.append((id, .infinity))
      }
    }
    found.sort { a, b in
      a.distance != b.distance
        ? a.distance < b.distance
        : (a.id.canonical.y, a.id.canonical.x) < (b.id.canonical.y, b.id.canonical.x)
    }
    return (found.prefix(TileCover.limit).map(\.id), isWhole && found.count <= TileCover.limit)
  }
}

/// What is seen of the sphere: the half-spaces of the view's edges and of the horizon.
struct GlobeSight {
  private var planes: [SIMD4<Double>] = []

  init(_ globe: GlobeSurface, _ size: ViewSize) {
    let (a, b, c, d) = globe.sphere
    let x = SIMD4(a.x, b.x, c.x, d.x), y = SIMD4(a.y, b.y, c.y, d.y), w = SIMD4(a.w, b.w, c.w, d.w)
    let (width, height) = (Double(size.deviceWidth), Double(size.deviceHeight))
    for plane in [x, w * width - x, y, w * height - y] {
      let length = (plane.x * plane.x + plane.y * plane.y + plane.z * plane.z).squareRoot()
      if length > 0 { planes.append(plane / length) }
    }
    planes.append(globe.horizon)
  }

  /// Whether a tile may be seen.
  func sees(_ tile: TileID) -> Bool {
    guard tile.z > 1 else { return true }
    let count = Double(UInt64(1) << UInt64(tile.z))
    func place(_ u: Double, _ v: Double) -> SIMD3<Double> {
      GlobeSurface.sphere(SIMD2(Double(tile.x) + u, Double(tile.y) + v) / count)
    }
    let middle = place(0.5, 0.5)
    var points: [SIMD3<Double>] = []
    for (u, v) in [(0.0, 0.0), (0.5, 0), (1, 0), (1, 0.5), (1, 1), (0.5, 1), (0, 1), (0, 0.5)] {
      points.append(place(u, v))
    }
    if tile.y == 0 { points.append(SIMD3(0, 1, 0)) }
    if Double(tile.y) + 1 == count { points.append(SIMD3(0, -1, 0)) }
    for plane in planes {
      func distance(_ p: SIMD3<Double>) -> Double { plane.x * p.x + plane.y * p.y + plane.z * p.z + plane.w }
      // The patch bulges beyond its corners and middles by no more than these do beyond their neighbours.
      var best = distance(middle)
      var worst = best
      for point in points {
        best = max(best, distance(point))
        worst = min(worst, distance(point))
      }
      if best < -0.1 * (best - worst) { return false }
    }
    return true
  }
}
