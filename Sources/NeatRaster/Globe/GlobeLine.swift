// Lines on the globe: the triangles of their mesh, divided until no edge is longer than a step of the sphere, their
// corners moved out from the line in the tile and then projected, cut to the tile's square and to what is seen.
// Widths grow with the latitude as the Mercator plane does, so that a line is as wide everywhere.

import NeatBase

/// Where a tile's lines lie on a globe.
package struct LineGlobe: BitwiseCopyable, Sendable {
  let map: GlobeMap
  private let origin: SIMD2<Double>
  let unit: Double
  /// Of the layer, in tile units.
  let move: SIMD2<Double>
  let low: SIMD2<Double>
  let high: SIMD2<Double>
  let step: Double

  package init(_ tile: GlobeTile, wanted: GlobeTile, move: SIMD2<Double>) {
    (map, origin, unit) = (tile.surface.map, tile.origin, tile.unit)
    self.move = move
    let shift = (tile.origin.x - wanted.origin.x).rounded()
    var low = (wanted.origin + SIMD2(shift, 0) - tile.origin) / tile.unit
    var high = low + wanted.unit / tile.unit * TileUnits.extent
    if wanted.isNorthmost { low.y = -.infinity }
    if wanted.isSouthmost { high.y = .infinity }
    (self.low, self.high) = (low, high)
    step = max(TileUnits.extent / max(2, exp2(8 - Double(tile.id.z))), 1)
  }

  /// Of the unit square.
  @inline(__always) func place(_ units: SIMD2<Double>) -> SIMD2<Double> { origin + units * unit }
}

/// A corner of a line's triangle on its way to the screen.
private struct LineCorner: BitwiseCopyable {
  /// Tile units: the line, the corner without and with its extrusion.
  var line: SIMD2<Double>
  var base: SIMD2<Double>
  var place: SIMD2<Double>
  /// From the line to the side that is "up", the same over the line's width, before it is widened.
  var up: SIMD2<Double>
  var wide = 1.0
  /// Across and along the line.
  var nx: Double
  var ny: Double
  var distance: Double

  static func mixed(_ a: LineCorner, _ b: LineCorner, _ t: Double) -> LineCorner {
    LineCorner(
      line: a.line + (b.line - a.line) * t, base: a.base + (b.base - a.base) * t,
      place: a.place + (b.place - a.place) * t, up: a.up + (b.up - a.up) * t,
      wide: a.wide + (b.wide - a.wide) * t,
      nx: a.nx + (b.nx - a.nx) * t, ny: a.ny + (b.ny - a.ny) * t,
      distance: a.distance + (b.distance - a.distance) * t)
  }
}

extension LineContents {
  /// Divisions of one triangle at most: 2 to this many.
  private static let deepest = 14

  mutating func addGlobe(
    _ mesh: LineMesh, _ piece: LinePiece, _ view: LineView, _ shade: LineShade, offset: Float,
    reach: Float, _ globe: LineGlobe
  ) {
    let vertices = UnsafePointer(mesh.vertices + Int(piece.vertexOffset))
    let cull = GlobeLineCull(globe, view, reach: reach)
    var first = Int(piece.firstIndex)
    withUnsafeTemporaryAllocation(of: CornerCache.Entry.self, capacity: CornerCache.count) { memory in
      let cache = CornerCache(memory)
      while first < Int(piece.endIndex) {
        let end = min(first + LineContents.chunkIndices, Int(piece.endIndex))
        let range = first..<end
        first = end
        if cull.misses(vertices, mesh.indices, range) { continue }
        addGlobe(vertices, mesh.indices, range, cache, view, shade, offset, globe)
      }
    }
  }

  private mutating func addGlobe(
    _ vertices: UnsafePointer<LineVertex>, _ indices: UnsafePointer<UInt16>, _ range: Range<Int>,
    _ cache: CornerCache, _ view: LineView, _ shade: LineShade, _ offset: Float, _ globe: LineGlobe
  ) {
    var box = GlobeChunk(first: soup.count)
    let step = Float(globe.step * globe.step)
    let size = SIMD2(Double(view.width), Double(view.height))
    for triangle in stride(from: range.lowerBound, to: range.upperBound, by: 3) {
      let (i, j, k) = (indices[triangle], indices[triangle + 1], indices[triangle + 2])
      let (u, v, w) = (vertices + Int(i), vertices + Int(j), vertices + Int(k))
      func corner(_ vertex: UnsafePointer<LineVertex>) -> LineCorner {
        LineContents.corner(vertex.pointee, view, shade, offset, globe)
      }
      func square(_ p: UnsafePointer<LineVertex>, _ q: UnsafePointer<LineVertex>) -> Float {
        let way = p.pointee.position - q.pointee.position
        return (way * way).sum()
      }
      guard max(square(u, v), square(v, w), square(w, u)) <= step else {
        divide(corner(u), corner(v), corner(w), LineContents.deepest, view, globe, &box)
        continue
      }
      cache.find(i, size) { ReadyCorner(corner(u), view, globe) }
      cache.find(j, size) { ReadyCorner(corner(v), view, globe) }
      cache.find(k, size) { ReadyCorner(corner(w), view, globe) }
      let (a, b, c) = (cache.seen(i), cache.seen(j), cache.seen(k))
      guard a.pointee.key == Int32(i), b.pointee.key == Int32(j), c.pointee.key == Int32(k) else {
        // Two of them have the same place.
        add(
          ReadyCorner(corner(u), view, globe), ReadyCorner(corner(v), view, globe),
          ReadyCorner(corner(w), view, globe), view, globe, &box)
        continue
      }
      if a.pointee.isWhole, b.pointee.isWhole, c.pointee.isWhole {
        put(a.pointee.vertex, b.pointee.vertex, c.pointee.vertex, &box)
      } else {
        add(a.pointee.corner, b.pointee.corner, c.pointee.corner, view, globe, &box)
      }
    }
    if soup.count == box.first { return }
    if box.high.x < 0 || box.high.y < 0 || box.low.x > view.width || box.low.y > view.height {
      soup.removeLast(soup.count - box.first)
      return
    }
    add(
      LineChunk(
        minX: box.low.x, minY: box.low.y, maxX: box.high.x, maxY: box.high.y,
        shade: Int32(shades.count - 1), first: Int32(box.first), end: Int32(soup.count),
        base: LineChunk.soup), view)
  }

  private static func corner(
    _ vertex: LineVertex, _ view: LineView, _ shade: LineShade, _ offset: Float, _ globe: LineGlobe
  ) -> LineCorner {
    let line = SIMD2<Double>(vertex.position)
    let out =
      SIMD2(Double(vertex.extrude.x), Double(vertex.extrude.y)) * (Double(shade.outset) * view.unitsPerPixel)
    let aside = offset == 0 ? .zero : view.offset(vertex, offset)
    return LineCorner(
      line: line, base: aside, place: aside + out,
      up: vertex.isUp ? out : SIMD2(0, 0) - out, nx: vertex.isRound ? 1 : 0,
      ny: vertex.isUp ? 1 : -1, distance: Double(vertex.distance))
  }

  @inline(__always) private static func square(_ p: LineCorner, _ q: LineCorner) -> Double {
    let way = p.line - q.line
    return (way * way).sum()
  }

  /// Whether a triangle is flat enough to be drawn as one.
  private static func isSmall(_ a: LineCorner, _ b: LineCorner, _ c: LineCorner, _ globe: LineGlobe) -> Bool {
    max(square(a, b), square(b, c), square(c, a)) <= globe.step * globe.step
  }

  private mutating func divide(
    _ a: LineCorner, _ b: LineCorner, _ c: LineCorner, _ depth: Int, _ view: LineView, _ globe: LineGlobe,
    _ box: inout GlobeChunk
  ) {
    guard depth > 0, !LineContents.isSmall(a, b, c, globe) else {
      return add(
        ReadyCorner(a, view, globe), ReadyCorner(b, view, globe), ReadyCorner(c, view, globe), view, globe,
        &box)
    }
    let (ab, bc) = (LineContents.square(a, b), LineContents.square(b, c))
    let longest = max(ab, bc, LineContents.square(c, a))
    if longest == ab {
      let m = LineCorner.mixed(a, b, 0.5)
      divide(a, m, c, depth - 1, view, globe, &box)
      divide(m, b, c, depth - 1, view, globe, &box)
    } else if longest == bc {
      let m = LineCorner.mixed(b, c, 0.5)
      divide(a, b, m, depth - 1, view, globe, &box)
      divide(a, m, c, depth - 1, view, globe, &box)
    } else {
      let m = LineCorner.mixed(c, a, 0.5)
      divide(a, b, m, depth - 1, view, globe, &box)
      divide(m, b, c, depth - 1, view, globe, &box)
    }
  }

  private mutating func add(
    _ a: ReadyCorner, _ b: ReadyCorner, _ c: ReadyCorner, _ view: LineView, _ globe: LineGlobe,
    _ box: inout GlobeChunk
  ) {
    let size = SIMD2(Double(view.width), Double(view.height))
    var corners: [Corner]
    if a.isInside, b.isInside, c.isInside {
      // Behind the horizon.
      if max(a.seen[7], b.seen[7], c.seen[7]) < 0 { return }
      corners = [a.seen, b.seen, c.seen]
    } else {
      var ring = [a.corner, b.corner, c.corner]
      for side in 0..<4 where !ring.isEmpty { LineContents.cut(&ring, side, globe) }
      if ring.count < 3 { return }
      corners = ring.map { LineContents.projected($0, GlobePoint(globe.place($0.line)), view, globe) }
    }
    LineContents.clip(&corners, size, isGlobe: true)
    if corners.count < 3 { return }
    for corner in 1..<corners.count - 1 {
      put(
        LineContents.vertex(corners[0]), LineContents.vertex(corners[corner]),
        LineContents.vertex(corners[corner + 1]), &box)
    }
  }

  @inline(__always)
  private mutating func put(_ a: SoupVertex, _ b: SoupVertex, _ c: SoupVertex, _ box: inout GlobeChunk) {
    let out = soup.extend(3)
    (out[0], out[1], out[2]) = (a, b, c)
    box.add(a)
    box.add(b)
    box.add(c)
  }

  /// Cuts a ring to one side of the tile's square.
  private static func cut(_ ring: inout [LineCorner], _ side: Int, _ globe: LineGlobe) {
    func distance(_ corner: LineCorner) -> Double {
      switch side {
      case 0: corner.place.x - globe.low.x
      case 1: globe.high.x - corner.place.x
      case 2: corner.place.y - globe.low.y
      default: globe.high.y - corner.place.y
      }
    }
    if ring.allSatisfy({ distance($0) >= 0 }) { return }
    var next: [LineCorner] = []
    for index in ring.indices {
      let (a, b) = (ring[index], ring[index + 1 == ring.count ? 0 : index + 1])
      let (da, db) = (distance(a), distance(b))
      if da >= 0 { next.append(a) }
      if (da >= 0) != (db >= 0) { next.append(.mixed(a, b, da / (da - db))) }
    }
    ring = next
  }

  /// - Parameter point: of the corner's line.
  fileprivate static func projected(
    _ corner: LineCorner, _ point: GlobePoint, _ view: LineView, _ globe: LineGlobe
  ) -> Corner {
    func near(_ place: SIMD2<Double>) -> SIMD4<Double> {
      globe.map.project(point.moved((place - corner.line) * globe.unit))
    }
    let p = near(corner.place)
    let q = near(corner.base)
    // A corner of the mesh itself lies on the line's edge; one between two of them may lie within.
    let isEdge = abs(corner.ny) == 1
    let e = isEdge ? p : near(corner.base + corner.up * (corner.ny < 0 ? -corner.wide : corner.wide))
    // The extrusion's length on the screen, as if w did not change over it.
    let w = e.w - q.w
    let x = e.x - q.x - w * Double(view.width) / 2, y = e.y - q.y - w * Double(view.height) / 2
    let seen = (x * x + y * y).squareRoot() / abs(e.w) / view.pixelRatio
    let reach = (corner.up * corner.up).sum().squareRoot() / view.unitsPerPixel
    let gamma = seen > 1e-9 ? reach / seen : 1
    return Corner(p.x, p.y, p.w, corner.nx, corner.ny, corner.distance, gamma, p.z)
  }
}

/// A corner that is widened for its latitude and projected.
private struct ReadyCorner: BitwiseCopyable {
  var corner: LineCorner
  /// Whether it lies in the tile's square.
  var isInside: Bool
  var seen: Corner

  init(_ flat: LineCorner, _ view: LineView, _ globe: LineGlobe) {
    let point = GlobePoint(globe.place(flat.line))
    corner = flat
    // `base` and `place` were ways from the line until here, measured at the equator.
    let wide = globe.map.thickness(stretch: point.stretch) / globe.map.pixelScale
    corner.wide = wide
    corner.base = flat.line + flat.base * wide + globe.move
    corner.place = flat.line + flat.place * wide + globe.move
    let (place, low, high) = (corner.place, globe.low, globe.high)
    isInside = place.x >= low.x && place.x <= high.x && place.y >= low.y && place.y <= high.y
    seen = LineContents.projected(corner, point, view, globe)
  }
}

/// The corners that were found last: triangles that follow each other share them.
private struct CornerCache {
  static let count = 16

  struct Entry: BitwiseCopyable {
    var key: Int32
    /// In the tile's square, before the horizon and near the frame: `vertex` is all that is needed of it.
    var isWhole: Bool
    var vertex: SoupVertex
    var corner: ReadyCorner
  }

  private let memory: UnsafeMutablePointer<Entry>

  /// - Parameter memory: `count` entries, which nobody else uses.
  init(_ memory: UnsafeMutableBufferPointer<Entry>) {
    self.memory = memory.baseAddress!
    for slot in 0..<CornerCache.count { self.memory[slot].key = -1 }
  }

  @inline(__always) func seen(_ key: UInt16) -> UnsafePointer<Entry> {
    UnsafePointer(memory + Int(key) % CornerCache.count)
  }

  @inline(__always) func find(_ key: UInt16, _ size: SIMD2<Double>, _ make: () -> ReadyCorner) {
    let entry = memory + Int(key) % CornerCache.count
    if entry.pointee.key == Int32(key) { return }
    let made = make()
    let isWhole = made.isInside && LineContents.isWhollySeen(made.seen, size)
    entry.initialize(
      to: Entry(
        key: Int32(key), isWhole: isWhole, vertex: LineContents.vertex(made.seen), corner: made))
  }
}

/// Triangles that become one chunk.
struct GlobeChunk {
  let first: Int
  var low = SIMD2<Float>(repeating: .infinity)
  var high = SIMD2<Float>(repeating: -.infinity)

  init(first: Int) { self.first = first }

  @inline(__always) mutating func add(_ vertex: SoupVertex) {
    let place = SIMD2(vertex.x, vertex.y)
    low = place.replacing(with: low, where: low .< place)
    high = place.replacing(with: high, where: high .> place)
  }
}
