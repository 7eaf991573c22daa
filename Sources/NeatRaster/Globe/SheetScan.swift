// Flat triangles by which something round lies on a globe in a few steps, a kernel of a heatmap or a circle. As the
// reference's rasterizer has it, a triangle is cut where it goes behind the horizon, its corners are rounded to 1/256
// of a pixel, and the pixels whose centres are inside belong to it: those on an edge to one of two triangles.

import NeatBase

struct SheetScan {
  /// The pixels, or the cells of a field, that are looked for.
  let columns: Int
  let rows: Range<Int>
  /// Frame pixels that one of them has.
  var cell = SIMD2<Double>(1, 1)

  struct Corner: BitwiseCopyable {
    /// (x·w, y·w, side of the horizon, w) in frame pixels.
    var position: SIMD4<Double>
    /// What is linear in perspective.
    var place: SIMD2<Double>
  }

  private static let near = 1e-6
  /// Cells; what reaches farther is cut first.
  private static let limit = 16384.0

  func draw(_ a: Corner, _ b: Corner, _ c: Corner, _ body: (_ x: Int, _ y: Int, SIMD2<Double>) -> Void) {
    // What is behind the eye is behind the horizon too.
    guard min(a.position.w, b.position.w, c.position.w) > Self.near else { return }
    let sides = SIMD3(a.position.z, b.position.z, c.position.z)
    guard sides.max() >= 0, let plane = Plane(pixel(a), pixel(b), pixel(c), a, b, c) else { return }
    var ring = [a.position, b.position, c.position]
    if sides.min() < 0 { ring = cut(ring) { $0.z } }
    let reach = SIMD2(repeating: Self.limit) * cell
    if ring.contains(where: { abs($0.x) > reach.x * $0.w || abs($0.y) > reach.y * $0.w }) {
      ring = cut(ring) { reach.x * $0.w - $0.x }
      ring = cut(ring) { reach.x * $0.w + $0.x }
      ring = cut(ring) { reach.y * $0.w - $0.y }
      ring = cut(ring) { reach.y * $0.w + $0.y }
    }
    guard ring.count > 2 else { return }
    let points = ring.map(snapped)
    for number in 2..<points.count { scan(points[0], points[number - 1], points[number], plane, body) }
  }

  private func cut(_ ring: [SIMD4<Double>], _ distance: (SIMD4<Double>) -> Double) -> [SIMD4<Double>] {
    ring.convexPart(distance) { $0 + ($1 - $0) * $2 }
  }

  private func pixel(_ corner: Corner) -> SIMD2<Double> {
    SIMD2(corner.position.x, corner.position.y) / corner.position.w / cell
  }

  private func snapped(_ position: SIMD4<Double>) -> SIMD2<Int64> {
    let at = SIMD2(position.x, position.y) / position.w / cell * 256
    return SIMD2(
      Int64(saturating: at.x.rounded(.toNearestOrEven)), Int64(saturating: at.y.rounded(.toNearestOrEven)))
  }

  private func scan(
    _ p: SIMD2<Int64>, _ q: SIMD2<Int64>, _ r: SIMD2<Int64>, _ plane: Plane,
    _ body: (Int, Int, SIMD2<Double>) -> Void
  ) {
    let area = PixelEdge.doubleArea(p, q, r)
    if area == 0 { return }
    let (q, r) = area < 0 ? (q, r) : (r, q)
    guard let triangle = PixelTriangle(p, q, r, bits: 8, columns: columns, rows: rows) else { return }
    triangle.eachRow { y, low, high in
      for x in low...high { body(x, y, plane.place(x, y)) }
    }
  }

  /// What is linear on the screen over a whole triangle: 1 / w and place / w.
  private struct Plane {
    let start: SIMD2<Double>
    let linear, linearX, linearY: SIMD3<Double>

    init?(
      _ p: SIMD2<Double>, _ q: SIMD2<Double>, _ r: SIMD2<Double>, _ a: Corner, _ b: Corner, _ c: Corner
    ) {
      func values(_ corner: Corner) -> SIMD3<Double> {
        SIMD3(corner.place.x, corner.place.y, 1) / corner.position.w
      }
      let (u, v) = (q - p, r - p)
      let area = u.x * v.y - u.y * v.x
      guard area != 0, area.isFinite else { return nil }
      start = p
      linear = values(a)
      let (d1, d2) = (values(b) - linear, values(c) - linear)
      linearX = (d1 * v.y - d2 * u.y) / area
      linearY = (d2 * u.x - d1 * v.x) / area
    }

    @inline(__always) func place(_ x: Int, _ y: Int) -> SIMD2<Double> {
      let at = linear + linearX * (Double(x) + 0.5 - start.x) + linearY * (Double(y) + 0.5 - start.y)
      return SIMD2(at.x, at.y) / at.z
    }
  }
}
