// A kernel that is seen in perspective: one square of the tilted plane, or on a globe a sheet of three by three squares
// whose corners lie on the sphere, each of two flat triangles, as MapLibre GL JS draws it. Kernel units run linearly (in
// perspective) over a triangle, so that large kernels bend with the globe in these steps.
import NeatBase

package struct HeatSheet: Sendable {
  /// Where the edges of the squares lie, of the kernel's half side: on the plane, and on a globe, where that is counted
  /// in sevenths.
  package static let flatLines: [Double] = [-1, 1]
  package static let roundLines: [Double] = [-1, -3.0 / 7, 3.0 / 7, 1]

  private let lines: [Double]
  var side: Int { lines.count }
  /// (x·w, y·w, side of the horizon, w) of the corners, row by row; in device pixels.
  package private(set) var corners: [SIMD4<Double>]
  /// Kernel units at the sheet's edge.
  package let reach: Double
  package let weight: Float

  /// The reach of a kernel of a weight, in its own units; nil where it shows nothing.
  package static func reach(weight: Float) -> Double? {
    let peak = Double(weight) * Kernel.factor
    guard peak > Kernel.zero, peak < 1e30 else { return nil }
    return (-2 * log(Kernel.zero / peak)).squareRoot() / 3
  }

  /// - Parameter corner: where a corner lies, from its place within -1...1.
  package init(
    lines: [Double], reach: Double, weight: Float, _ corner: (_ x: Double, _ y: Double) -> SIMD4<Double>
  ) {
    (self.lines, self.reach, self.weight) = (lines, reach, weight)
    corners = []
    corners.reserveCapacity(lines.count * lines.count)
    for y in lines {
      for x in lines { corners.append(corner(x, y)) }
    }
  }

  fileprivate func corner(_ x: Int, _ y: Int) -> HeatCorner {
    HeatCorner(position: corners[y * side + x], place: SIMD2(lines[x], lines[y]) * reach)
  }

  fileprivate enum Kernel {
    static let factor = 0.3989422804014327
    static let zero = 1.0 / 255 / 16
  }
}

extension HeatField {
  /// Adds a kernel's sheet to the rows of cells `rows`.
  package func add(_ sheet: HeatSheet, rows: Range<Int>) {
    assert(rows.lowerBound >= 0 && rows.upperBound <= height, "rows of no field")
    let peak = sheet.weight * Float(HeatSheet.Kernel.factor)
    for y in 0..<sheet.side - 1 {
      for x in 0..<sheet.side - 1 {
        let (a, b) = (sheet.corner(x, y), sheet.corner(x + 1, y))
        let (c, d) = (sheet.corner(x + 1, y + 1), sheet.corner(x, y + 1))
        add(a, b, c, peak, rows)
        add(a, c, d, peak, rows)
      }
    }
  }

  private func add(_ a: HeatCorner, _ b: HeatCorner, _ c: HeatCorner, _ peak: Float, _ rows: Range<Int>) {
    let cell = SIMD2(Double(self.cell.x), Double(self.cell.y))
    guard let t = HeatTriangle(a, b, c, cell) else { return }
    let top = max(rows.lowerBound, t.top), bottom = min(rows.upperBound, t.bottom)
    let left = max(0, t.left), right = min(width, t.right)
    guard top < bottom, left < right else { return }
    for y in top..<bottom {
      let row = values + y * width
      for x in left..<right {
        guard let d = t.distance(Double(x) + 0.5, Double(y) + 0.5) else { continue }
        row[x] += peak * expf(Float(-4.5 * d))
      }
    }
  }
}

private struct HeatCorner {
  var position: SIMD4<Double>
  /// Kernel units.
  var place: SIMD2<Double>
}

/// A triangle over the cells of a field.
private struct HeatTriangle {
  let left, top, right, bottom: Int
  /// Edge by edge: what is positive inside (a·x + b·y + c), and times `scale` the share of a corner.
  private let edges: (SIMD3<Double>, SIMD3<Double>, SIMD3<Double>)
  private let scale: Double
  /// Cells on an edge belong to one of the two triangles that share it.
  private let owns: SIMD3<Double>
  /// By corner: place / w, 1 / w and side / w.
  private let values: (SIMD4<Double>, SIMD4<Double>, SIMD4<Double>)

  init?(_ a: HeatCorner, _ b: HeatCorner, _ c: HeatCorner, _ cell: SIMD2<Double>) {
    let near = 1e-6
    // What is behind the eye is behind the horizon too.
    guard a.position.w > near, b.position.w > near, c.position.w > near,
      max(a.position.z, b.position.z, c.position.z) >= 0
    else { return nil }
    func pixel(_ v: HeatCorner) -> SIMD2<Double> { SIMD2(v.position.x, v.position.y) / v.position.w / cell }
    let (p, q, r) = (pixel(a), pixel(b), pixel(c))
    let area = (q.x - p.x) * (r.y - p.y) - (q.y - p.y) * (r.x - p.x)
    guard area != 0, area.isFinite else { return nil }
    let low = pointwiseMin(pointwiseMin(p, q), r), high = pointwiseMax(pointwiseMax(p, q), r)
    (left, top) = (Int(bounded: low.x.rounded(.down)), Int(bounded: low.y.rounded(.down)))
    (right, bottom) = (Int(bounded: high.x.rounded(.up)), Int(bounded: high.y.rounded(.up)))
    // From the same end in both triangles that share an edge, so that they find the same number but for its sign.
    func edge(_ from: SIMD2<Double>, _ to: SIMD2<Double>) -> SIMD3<Double> {
      let isTurned = (to.x, to.y) < (from.x, from.y)
      let (first, last) = isTurned ? (to, from) : (from, to)
      let (dx, dy) = (last.x - first.x, last.y - first.y)
      let edge = SIMD3(-dy, dx, dy * first.x - dx * first.y)
      return isTurned == (area > 0) ? SIMD3(0, 0, 0) - edge : edge
    }
    edges = (edge(q, r), edge(r, p), edge(p, q))
    scale = 1 / abs(area)
    func own(_ e: SIMD3<Double>) -> Double { e.x > 0 || e.x == 0 && e.y > 0 ? 0 : .leastNonzeroMagnitude }
    owns = SIMD3(own(edges.0), own(edges.1), own(edges.2))
    func value(_ v: HeatCorner) -> SIMD4<Double> {
      SIMD4(v.place.x, v.place.y, 1, v.position.z) / v.position.w
    }
    values = (value(a), value(b), value(c))
  }

  /// The square of the distance from the kernel's middle at a place; nil outside or behind the horizon.
  @inline(__always) func distance(_ x: Double, _ y: Double) -> Double? {
    let at = SIMD3(x, y, 1)
    let share = SIMD3((edges.0 * at).sum(), (edges.1 * at).sum(), (edges.2 * at).sum())
    guard all(share .>= owns) else { return nil }
    let value = (values.0 * share.x + values.1 * share.y + values.2 * share.z) * scale
    guard value.w >= 0, value.z > 0 else { return nil }
    let place = SIMD2(value.x, value.y) / value.z
    return (place * place).sum()
  }
}
