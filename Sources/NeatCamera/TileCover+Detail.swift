// Tiles of several zooms in one view: the farther away, the coarser, after the published behaviour of MapLibre
// GL JS. A tree of tiles is walked from the world down, as long as what is seen of a tile asks for more detail.
import NeatBase

extension TileCover {
  /// Whether far tiles of a view are coarser than near ones: those over a terrain, and of views that reach far.
  static func varies(_ transform: Transform) -> Bool {
    if transform.ground != nil { return true }
    let camera = transform.camera, size = transform.size.logical
    let roll = camera.roll * .pi / 180
    let fov = camera.fieldOfView * (abs(cos(roll)) * size.y + abs(sin(roll)) * size.x) / size.y
    return camera.pitch > min(max(78.5 - fov / 2, 0), 60)
  }

  /// A tile of the walk.
  private struct Step {
    let id: TileID
    let wrap: Int32
    let isWhollySeen: Bool
  }

  /// The tiles of a view whose zooms vary, nearest to the centre first.
  func detailed(_ transform: Transform) -> (tiles: [OverscaledTileID], isWhole: Bool) {
    guard let walk = DetailWalk(self, transform) else { return ([], true) }
    var stack: [Step] = []
    for wrap in wraps ? [-1, 1, -2, 2, -3, 3, 0] : [0] as [Int32] {
      stack.append(Step(id: .world, wrap: wrap, isWhollySeen: false))
    }
    var found: [(id: OverscaledTileID, distance: Double)] = []
    while let step = stack.popLast() {
      let box = walk.box(step.id, step.wrap)
      var isWhollySeen = step.isWhollySeen
      if !isWhollySeen {
        guard let sight = walk.frustum.sight(of: box) else { continue }
        isWhollySeen = sight == .whole
      }
      let wanted = walk.zoom(box)
      if Int(step.id.z) >= min(wanted, Int(maxZoom)) {
        guard step.id.z >= minZoom, isWithinBounds(step.id) else { continue }
        let isOver = reparsesOverscaled && step.id.z == maxZoom
        let z = UInt8(clamping: max(Int(step.id.z), isOver ? min(wanted, Int(TileID.maxZoom)) : 0))
        found.append(
          (
            OverscaledTileID(canonical: step.id, overscaledZ: z, wrap: step.wrap),
            walk.distance(box)
          ))
        // Far more than any view shows.
        if found.count > 16 * TileCover.limit { break }
        continue
      }
      for quarter in 0..<4 as Range<UInt32> {
        stack.append(Step(id: step.id.child(quarter), wrap: step.wrap, isWhollySeen: isWhollySeen))
      }
    }
    found.sort { a, b in
      a.distance != b.distance
        ? a.distance < b.distance
        : (a.id.wrap, a.id.canonical.y, a.id.canonical.x) < (b.id.wrap, b.id.canonical.y, b.id.canonical.x)
    }
    var kept = found.prefix(TileCover.limit).map(\.id)
    kept.sort { walk.order($0, $1) }
    return (kept, found.count <= TileCover.limit)
  }
}

/// A box in the world, x and y in worlds, z in metres.
struct WorldBox {
  var low: SIMD3<Double>
  var high: SIMD3<Double>
}

private struct DetailWalk {
  let frustum: Frustum
  let detail: TileDetail
  /// From where to where what may be seen of a tile without known heights reaches, in metres.
  let culling: ClosedRange<Double>
  let transform: Transform
  /// In worlds.
  let eye: SIMD2<Double>
  let center: SIMD2<Double>
  let rounds: Bool
  /// Tiles along the edge of the world, at the zoom of the centre.
  let nominal: Double

  init?(_ cover: TileCover, _ transform: Transform) {
    guard let frustum = Frustum(transform) else { return nil }
    self.frustum = frustum
    self.transform = transform
    rounds = cover.roundsZoom
    center = transform.center / transform.worldSize
    let distance = transform.cameraToCenterDistance / transform.worldSize
    let (pitch, heading) = (transform.camera.pitch * .pi / 180, transform.camera.heading * .pi / 180)
    eye = center + SIMD2(-sin(heading), cos(heading)) * (sin(pitch) * distance)
    let requested = transform.camera.zoom + log2(TileUnits.pixels / cover.tileSize)
    detail = TileDetail(
      requested: requested, fall: abs(cos(pitch)) * distance, reach: distance,
      fieldOfView: transform.camera.fieldOfView)
    culling =
      transform.elevation...transform.elevation + TileDetail.assumedHeight(transform.camera)
    let whole = rounds ? requested.rounded(.toNearestOrAwayFromZero) : requested.rounded(.down)
    nominal = exp2(min(max(0, whole), Double(cover.maxZoom)))
  }

  func box(_ id: TileID, _ wrap: Int32) -> WorldBox {
    let count = Double(UInt64(1) << UInt64(id.z))
    let (x, y) = (Double(id.x) / count + Double(wrap), Double(id.y) / count)
    let heights = transform.ground?.range(id) ?? culling
    return WorldBox(
      low: SIMD3(x, y, heights.lowerBound), high: SIMD3(x + 1 / count, y + 1 / count, heights.upperBound))
  }

  /// How far the eye is from a box, over the ground.
  private func way(_ box: WorldBox) -> Double {
    let dx = max(box.low.x - eye.x, 0, eye.x - box.high.x)
    let dy = max(box.low.y - eye.y, 0, eye.y - box.high.y)
    return (dx * dx + dy * dy).squareRoot()
  }

  /// The zoom that a tile should have.
  func zoom(_ box: WorldBox) -> Int {
    let zoom = detail.zoom(along: way(box))
    return max(0, Int(bounded: rounds ? zoom.rounded(.toNearestOrAwayFromZero) : zoom.rounded(.down)))
  }

  /// The order in which tiles are drawn, as in MapLibre GL JS: it shows where those of the ground are translucent.
  func order(_ a: OverscaledTileID, _ b: OverscaledTileID) -> Bool {
    let (p, q) = (rank(a.canonical), rank(b.canonical))
    if p != q { return p < q }
    return (a.wrap, a.canonical.z, a.canonical.y, a.canonical.x)
      < (b.wrap, b.canonical.z, b.canonical.y, b.canonical.x)
  }

  private func rank(_ id: TileID) -> Double {
    let away = center * nominal - 0.5 - SIMD2(Double(id.x), Double(id.y))
    return (away * away).sum()
  }

  /// The square of a tile's distance from the centre.
  func distance(_ box: WorldBox) -> Double {
    let away = SIMD2(box.low.x + box.high.x, box.low.y + box.high.y) / 2 - center
    return (away * away).sum()
  }
}

/// What a view sees of the world, as six planes and the box around them.
struct Frustum {
  enum Sight { case whole, partial }

  /// Inside is where (plane · point) is not negative.
  private let planes: [SIMD4<Double>]
  private let bounds: WorldBox

  init?(_ transform: Transform) {
    let clip = transform.projection.scaled(
      transform.worldSize, transform.worldSize, transform.pixelsPerMetre)
    guard let back = clip.inverted() else { return nil }
    let rows = (0..<4).map {
      SIMD4(clip.columns.0[$0], clip.columns.1[$0], clip.columns.2[$0], clip.columns.3[$0])
    }
    planes = [
      rows[3] + rows[0], rows[3] - rows[0], rows[3] + rows[1], rows[3] - rows[1], rows[3] + rows[2],
      rows[3] - rows[2],
    ]
    var box = WorldBox(low: SIMD3(repeating: .infinity), high: SIMD3(repeating: -.infinity))
    for corner in 0..<8 {
      let at = back * SIMD4(corner & 1 == 0 ? -1 : 1, corner & 2 == 0 ? -1 : 1, corner & 4 == 0 ? -1 : 1, 1)
      let point = SIMD3(at.x, at.y, at.z) / at.w
      guard point.x.isFinite, point.y.isFinite, point.z.isFinite else { return nil }
      box.low = pointwiseMin(box.low, point)
      box.high = pointwiseMax(box.high, point)
    }
    bounds = box
  }

  /// How much of a box is seen; nil for nothing.
  func sight(of box: WorldBox) -> Sight? {
    var sight = Sight.whole
    for plane in planes {
      let normal = SIMD3(plane.x, plane.y, plane.z)
      let far = box.high.replacing(with: box.low, where: normal .< 0)
      let near = box.low.replacing(with: box.high, where: normal .< 0)
      if (normal * far).sum() + plane.w < 0 { return nil }
      if (normal * near).sum() + plane.w < 0 { sight = .partial }
    }
    if sight == .whole { return .whole }
    let isAside = bounds.low .> box.high .| bounds.high .< box.low
    return isAside == SIMDMask(repeating: false) ? .partial : nil
  }
}
