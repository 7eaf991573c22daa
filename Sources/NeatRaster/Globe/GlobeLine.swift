// Lines on the globe: the triangles of their mesh, divided until no edge is longer than a step of the sphere, their
// corners moved out from the line in the tile and then projected, cut to the tile's square and to what is seen.
// Widths grow with the latitude as the Mercator plane does, so that a line is as wide everywhere.

import NeatBase

/// Where a tile's lines lie on a globe.
package struct LineGlobe: Sendable {
  package let tile: GlobeTile
  /// Of the layer, in tile units.
  package let move: SIMD2<Double>
  let low: SIMD2<Double>
  let high: SIMD2<Double>
  let step: Double

  package init(_ tile: GlobeTile, wanted: GlobeTile, move: SIMD2<Double>) {
    self.tile = tile
    self.move = move
    let shift = (tile.origin.x - wanted.origin.x).rounded()
    var low = (wanted.origin + SIMD2(shift, 0) - tile.origin) / tile.unit
    var high = low + wanted.unit / tile.unit * TileUnits.extent
    if wanted.isNorthmost { low.y = -.infinity }
    if wanted.isSouthmost { high.y = .infinity }
    (self.low, self.high) = (low, high)
    step = max(TileUnits.extent / max(2, exp2(8 - Double(tile.id.z))), 1)
  }
}

/// A corner of a line's triangle on its way to the screen.
private struct LineCorner {
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
    _ globe: LineGlobe
  ) {
    let vertices = mesh.vertices + Int(piece.vertexOffset)
    var first = Int(piece.firstIndex)
    while first < Int(piece.endIndex) {
      let end = min(first + LineContents.chunkIndices, Int(piece.endIndex))
      var box = GlobeChunk(first: soup.count)
      for triangle in stride(from: first, to: end, by: 3) {
        let corners = (0..<3).map {
          LineContents.corner(vertices[Int(mesh.indices[triangle + $0])], view, shade, offset, globe)
        }
        divide(corners[0], corners[1], corners[2], LineContents.deepest, view, globe, &box)
      }
      first = end
      if soup.count == box.first { continue }
      if box.high.x < 0 || box.high.y < 0 || box.low.x > view.width || box.low.y > view.height {
        soup.removeLast(soup.count - box.first)
        continue
      }
      chunks.append(
        LineChunk(
          minX: box.low.x, minY: box.low.y, maxX: box.high.x, maxY: box.high.y,
          shade: Int32(shades.count - 1), first: Int32(box.first), end: Int32(soup.count),
          base: LineChunk.soup))
    }
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

  private mutating func divide(
    _ a: LineCorner, _ b: LineCorner, _ c: LineCorner, _ depth: Int, _ view: LineView, _ globe: LineGlobe,
    _ box: inout GlobeChunk
  ) {
    func square(_ p: LineCorner, _ q: LineCorner) -> Double {
      let way = p.line - q.line
      return (way * way).sum()
    }
    let (ab, bc, ca) = (square(a, b), square(b, c), square(c, a))
    let longest = max(ab, bc, ca)
    guard longest > globe.step * globe.step, depth > 0 else { return add([a, b, c], view, globe, &box) }
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
    _ triangle: [LineCorner], _ view: LineView, _ globe: LineGlobe, _ box: inout GlobeChunk
  ) {
    // `base` and `place` are ways from the line until here, measured at the equator.
    var ring = triangle.map { corner in
      var corner = corner
      let wide = globe.tile.thickness(corner.line.y) / globe.tile.surface.pixelScale
      corner.wide = wide
      corner.base = corner.line + corner.base * wide + globe.move
      corner.place = corner.line + corner.place * wide + globe.move
      return corner
    }
    for side in 0..<4 where !ring.isEmpty { LineContents.cut(&ring, side, globe) }
    if ring.count < 3 { return }
    var corners = ring.map { LineContents.projected($0, view, globe) }
    LineContents.clip(&corners, SIMD2(Double(view.width), Double(view.height)), isGlobe: true)
    if corners.count < 3 { return }
    for corner in 1..<corners.count - 1 {
      let out = soup.extend(3)
      for (place, point) in [corners[0], corners[corner], corners[corner + 1]].enumerated() {
        out[place] = LineContents.vertex(point)
        box.low = pointwiseMin(box.low, SIMD2(out[place].x, out[place].y))
        box.high = pointwiseMax(box.high, SIMD2(out[place].x, out[place].y))
      }
    }
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

  private static func projected(_ corner: LineCorner, _ view: LineView, _ globe: LineGlobe) -> Corner {
    let p = globe.tile.project(corner.place.x, corner.place.y)
    let q = globe.tile.project(corner.base.x, corner.base.y)
    let side = corner.base + corner.up * (corner.ny < 0 ? -corner.wide : corner.wide)
    let e = globe.tile.project(side.x, side.y)
    // The extrusion's length on the screen, as if w did not change over it.
    let w = e.w - q.w
    let x = e.x - q.x - w * Double(view.width) / 2, y = e.y - q.y - w * Double(view.height) / 2
    let seen = (x * x + y * y).squareRoot() / abs(e.w) / view.pixelRatio
    let reach = (corner.up * corner.up).sum().squareRoot() / view.unitsPerPixel
    let gamma = seen > 1e-9 ? reach / seen : 1
    return Corner(p.x, p.y, p.w, corner.nx, corner.ny, corner.distance, gamma, p.z)
  }
}

/// Triangles that become one chunk.
struct GlobeChunk {
  let first: Int
  var low = SIMD2<Float>(repeating: .infinity)
  var high = SIMD2<Float>(repeating: -.infinity)

  init(first: Int) { self.first = first }
}
