// The tiles that are seen of a globe: the pyramid is gone down from the world's one tile, and what a ball around a
// tile's part of the sphere says is beside the view or behind the horizon is left out. From zoom 5 on, far tiles are
// coarser than near ones. While the globe goes over into the plane, the tiles of both are taken.

import NeatBase

extension TileCover {
  func covering(_ transform: Transform, _ globe: GlobeSurface) -> (tiles: [OverscaledTileID], isWhole: Bool) {
    let actual = min(zoom(for: transform.camera), Int(TileID.maxZoom))
    // Zooms are the same everywhere while a globe shows few of its tiles.
    let depths = actual > 4 ? GlobeDepths(self, transform) : nil
    guard actual >= Int(minZoom) || depths != nil else { return ([], true) }
    let view = GlobeSight(globe, transform.size)
    var found: [(id: OverscaledTileID, distance: Double)] = []
    var isWhole = true
    var waiting = [TileID.world]
    let middle = globe.center
    while let tile = waiting.popLast() {
      guard view.sees(tile) else { continue }
      let wanted = depths?.zoom(tile) ?? actual
      if Int(tile.z) < min(wanted, Int(maxZoom)) {
        // Nearest last, so that it is taken up first.
        for quarter in 0..<4 as Range<UInt32> { waiting.append(tile.child(quarter)) }
        continue
      }
      guard tile.z >= minZoom, isWithinBounds(tile) else { continue }
      guard found.count < 4 * TileCover.limit else {
        isWhole = false
        break
      }
      let z = tile.z
      let isOver = reparsesOverscaled && z == maxZoom
      let overscaled = UInt8(clamping: max(Int(z), isOver ? min(wanted, Int(TileID.maxZoom)) : 0))
      let count = Double(UInt64(1) << UInt64(z))
      let place = (SIMD2(Double(tile.x), Double(tile.y)) + 0.5) / count
      // The copy of the tile that is nearest to the centre.
      let wrap = (middle.x - place.x).rounded()
      let away = place + SIMD2(wrap, 0) - middle
      let id = OverscaledTileID(canonical: tile, overscaledZ: overscaled, wrap: Int32(saturating: wrap))
      found.append((id, (away * away).sum()))
    }
    if transform.globeness < 1 {
      let known = Set(found.map(\.id.canonical))
      // No place is to be covered twice, by tiles of different zooms.
      var above: Set<TileID> = []
      for id in known {
        for levels in 0...id.z {
          if !above.insert(id.ancestor(levels)).inserted { break }
        }
      }
      let plane = coveringPlane(transform)
      isWhole = isWhole && plane.isWhole
      for id in plane.tiles where !above.contains(id.canonical) {
        if (0...id.canonical.z).contains(where: { known.contains(id.canonical.ancestor($0)) }) { continue }
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

/// The zooms that tiles of a globe should have by their distance from the eye, which is measured on the plane, as MapLibre
/// GL JS does it: around the world, and over the poles.
private struct GlobeDepths {
  private let detail: TileDetail
  /// The place below the eye, in worlds.
  private let eye: SIMD2<Double>
  private let rounds: Bool

  init(_ cover: TileCover, _ transform: Transform) {
    let distance = transform.cameraToCenterDistance / transform.worldSize
    let (pitch, heading) = (transform.camera.pitch * .pi / 180, transform.camera.heading * .pi / 180)
    eye =
      transform.center / transform.worldSize + SIMD2(-sin(heading), cos(heading)) * (sin(pitch) * distance)
    detail = TileDetail(
      requested: transform.camera.zoom + log2(TileUnits.pixels / cover.tileSize),
      fall: abs(cos(pitch)) * distance, reach: distance, fieldOfView: transform.camera.fieldOfView)
    rounds = cover.roundsZoom
  }

  func zoom(_ tile: TileID) -> Int {
    let size = 1 / Double(UInt64(1) << UInt64(tile.z))
    let (x, y) = (Double(tile.x) * size, Double(tile.y) * size)
    let along = min(
      GlobeDepths.way(eye, x, y, size), GlobeDepths.way(eye, x + 0.5, -y - size, size),
      GlobeDepths.way(eye, x + 0.5, 2 - y - size, size))
    let zoom = detail.zoom(along: along)
    return max(0, Int(bounded: rounds ? zoom.rounded(.toNearestOrAwayFromZero) : zoom.rounded(.down)))
  }

  /// From a point to a square, along the axis that is longer.
  private static func way(_ point: SIMD2<Double>, _ x: Double, _ y: Double, _ size: Double) -> Double {
    let (right, down) = (point.x - x, point.y - y)
    var across = 0.0
    if right < 0 {
      across = min(-right, 1 + right - size)
    } else if right > size {
      across = min(max(right - size, 0), 1 - right)
    }
    return max(across, down < 0 ? -down : max(0, down - size))
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
