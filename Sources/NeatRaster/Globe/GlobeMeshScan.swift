// The mesh of low zooms on the screen: triangles whose corners are rounded to 1/16 pixel (what the reference's
// rasterizer has), so that the globe's outline and what its pixels show are the same. A pixel of a triangle takes the
// place that lies there in perspective, and the moves to the places right of it and below it in the same triangle's
// plane, even where that ends before: they say how large textures are seen, as within blocks of two by two pixels.

import NeatBase

struct GlobeMeshScan {
  /// The pixels that are looked for.
  let columns: Int
  let rows: Range<Int>
  /// Takes a pixel with its place on the unit square and the moves right (x, y) and down (z, w).
  typealias Pixel = (_ x: Int, _ y: Int, _ place: SIMD2<Double>, _ moves: SIMD4<Double>) -> Void

  /// A corner: (x·w, y·w, w, w times the side of the horizon), and its place in cells.
  fileprivate struct Corner: BitwiseCopyable {
    var pixel: SIMD4<Double>
    var place: SIMD2<Double>

    func mixed(_ other: Corner, _ t: Double) -> Corner {
      Corner(pixel: pixel + (other.pixel - pixel) * t, place: place + (other.place - place) * t)
    }
  }

  /// The mesh as one surface shows it; made once for all bands.
  final class Grid: Sendable {
    fileprivate let corners: [Corner]
    fileprivate let cells: [Cell]

    fileprivate init(_ surface: GlobeSurface) {
      let count = GlobeMesh.cells, side = count + 1
      var corners: [Corner] = []
      corners.reserveCapacity(side * side + 2 * count)
      func add(_ p: SIMD3<Double>, _ place: SIMD2<Double>) {
        let at = surface.project(p, plane: place / Double(count))
        corners.append(Corner(pixel: SIMD4(at.x, at.y, at.w, at.z * at.w), place: place))
      }
      for y in 0...count {
        for x in 0...count { add(GlobeMesh.corner(x, y), SIMD2(Double(x), Double(y))) }
      }
      // A pole is as many corners as there are columns.
      for x in 0..<count { add(SIMD3(0, 1, 0), SIMD2(Double(x + 1), -1)) }
      for x in 0..<count { add(SIMD3(0, -1, 0), SIMD2(Double(x + 1), Double(count + 1))) }
      var cells: [Cell] = []
      func add(_ a: Int, _ b: Int, _ c: Int, _ d: Int) {
        if let cell = Cell(SIMD4(a, b, c, d), corners) { cells.append(cell) }
      }
      for y in 0..<count {
        for x in 0..<count {
          let first = y * side + x
          add(first, first + side, first + 1, first + side + 1)
        }
      }
      let (north, south) = (side * side, side * side + count)
      for x in 0..<count {
        add(north + x, x, x + 1, -1)
        add(count * side + x, south + x, count * side + x + 1, -1)
      }
      self.corners = corners
      self.cells = cells
    }
  }

  /// Two triangles, a b c and c b d, or one where d is below 0, some of which may be seen, and the rows that they touch.
  fileprivate struct Cell: BitwiseCopyable {
    let indices: SIMD4<Int32>
    let top: Double
    let bottom: Double

    init?(_ indices: SIMD4<Int>, _ corners: [Corner]) {
      self.indices = SIMD4<Int32>(truncatingIfNeeded: indices)
      var (top, bottom, isSeen) = (Double.infinity, -Double.infinity, false)
      for lane in 0..<4 where indices[lane] >= 0 {
        let pixel = corners[indices[lane]].pixel
        isSeen = isSeen || pixel.w >= 0
        let y = pixel.z > 0 ? pixel.y / pixel.z : .nan
        // One that is behind the eye may lead anywhere.
        top = y.isNaN ? -.infinity : min(top, y)
        bottom = y.isNaN ? .infinity : max(bottom, y)
      }
      guard isSeen else { return nil }
      (self.top, self.bottom) = (top, bottom)
    }
  }

  static func grid(_ surface: GlobeSurface) -> Grid {
    surface.derived.withLock { known in
      if let grid = known as? Grid { return grid }
      let made = Grid(surface)
      known = made
      return made
    }
  }

  func draw(_ surface: GlobeSurface, _ body: Pixel) {
    let grid = GlobeMeshScan.grid(surface)
    let (top, bottom) = (Double(rows.lowerBound) - 1, Double(rows.upperBound) + 1)
    grid.corners.withUnsafeBufferPointer { corners in
      for cell in grid.cells where cell.bottom >= top && cell.top <= bottom {
        let (a, b, c) = (
          corners[Int(cell.indices.x)], corners[Int(cell.indices.y)], corners[Int(cell.indices.z)]
        )
        triangle(a, b, c, body)
        if cell.indices.w >= 0 { triangle(c, b, corners[Int(cell.indices.w)], body) }
      }
    }
  }

  /// The part of a triangle this side of the horizon.
  private func triangle(_ a: Corner, _ b: Corner, _ c: Corner, _ body: Pixel) {
    let sides = SIMD3(a.pixel.w, b.pixel.w, c.pixel.w)
    if sides.max() < 0 { return }
    if sides.min() >= 0 { return scan(a, b, c, body) }
    // Whether it is seen from behind is told by all of it, not by what is left.
    if let p = Self.snapped(a), let q = Self.snapped(b), let r = Self.snapped(c) {
      guard PixelEdge.doubleArea(p, q, r) < 0 else { return }
    }
    let ring = [a, b, c].convexPart {
      $0.pixel.w
    } between: { p, q, t in
      p.mixed(q, t)
    }
    guard ring.count > 2 else { return }
    for number in 2..<ring.count { scan(ring[0], ring[number - 1], ring[number], body) }
  }

  private static let limit = 1_048_576.0

  /// In 1/16 pixel.
  @inline(__always) private static func snapped(_ corner: Corner) -> SIMD2<Int64>? {
    guard corner.pixel.z > 1e-9 else { return nil }
    let at = (SIMD2(corner.pixel.x, corner.pixel.y) / corner.pixel.z * 16).rounded(.toNearestOrEven)
    guard abs(at.x) < limit, abs(at.y) < limit else { return nil }
    return SIMD2(Int64(saturating: at.x), Int64(saturating: at.y))
  }

  /// Of deep zooms a triangle is larger than the view, and some of its corners are behind the eye: what is near the
  /// view is cut out of it.
  private func scan(_ a: Corner, _ b: Corner, _ c: Corner, _ body: Pixel) {
    if let p = Self.snapped(a), let q = Self.snapped(b), let r = Self.snapped(c) {
      return fill(a, b, c, p, q, r, body)
    }
    guard SIMD3(a.pixel.z, b.pixel.z, c.pixel.z).max() > 0 else { return }
    var ring = [a, b, c]
    for side in 0..<5 where ring.count > 2 {
      ring = ring.convexPart {
        HomogeneousClip.room($0.pixel.x, $0.pixel.y, $0.pixel.z, side, reach: Self.reach, nearW: 1e-8)
      } between: { p, q, t in
        p.mixed(q, t)
      }
    }
    guard ring.count > 2 else { return }
    for number in 2..<ring.count {
      let (b, c) = (ring[number - 1], ring[number])
      guard let p = Self.snapped(ring[0]), let q = Self.snapped(b), let r = Self.snapped(c) else { continue }
      fill(ring[0], b, c, p, q, r, body)
    }
  }

  /// Pixels from the frame's corner, within what `snapped` takes.
  private static let reach = 60_000.0

  private func fill(
    _ a: Corner, _ b: Corner, _ c: Corner, _ p: SIMD2<Int64>, _ q: SIMD2<Int64>, _ r: SIMD2<Int64>,
    _ body: Pixel
  ) {
    // Clockwise on the screen: seen from behind.
    guard let triangle = PixelTriangle(p, q, r, bits: 4, columns: columns, rows: rows) else { return }
    let plane = Plane(a, b, c, p, q, r)
    triangle.eachRow { y, low, high in
      for x in low...high {
        let place = plane.place(x, y)
        let base = plane.place(x & ~1, y | 1)
        let across = plane.place(x & ~1 + 1, y | 1) - base, down = base - plane.place(x & ~1, y & ~1)
        body(x, y, place, SIMD4(across.x, across.y, down.x, down.y))
      }
    }
  }

  /// Places over the screen: 1 / w and place / w are linear there.
  private struct Plane {
    let start: SIMD2<Double>
    let linear: SIMD3<Double>
    let linearX: SIMD3<Double>
    let linearY: SIMD3<Double>

    init(
      _ a: Corner, _ b: Corner, _ c: Corner, _ p: SIMD2<Int64>, _ q: SIMD2<Int64>, _ r: SIMD2<Int64>
    ) {
      func values(_ corner: Corner) -> SIMD3<Double> {
        SIMD3(corner.place.x, corner.place.y, 1) / corner.pixel.z
      }
      func pixels(_ v: SIMD2<Int64>) -> SIMD2<Double> { SIMD2(Double(v.x), Double(v.y)) / 16 }
      start = pixels(p)
      let (u, v) = (pixels(q &- p), pixels(r &- p))
      let scale = 1 / (u.x * v.y - u.y * v.x)
      linear = values(a)
      let (d1, d2) = (values(b) - linear, values(c) - linear)
      linearX = (d1 * v.y - d2 * u.y) * scale
      linearY = (d2 * u.x - d1 * v.x) * scale
    }

    /// On the unit square.
    @inline(__always) func place(_ x: Int, _ y: Int) -> SIMD2<Double> {
      let dx = Double(x) + 0.5 - start.x, dy = Double(y) + 0.5 - start.y
      let at = linear + linearX * dx + linearY * dy
      return SIMD2(at.x, at.y) / (at.z * Double(GlobeMesh.cells))
    }
  }
}
