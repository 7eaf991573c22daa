// A disc that lies on the ground, as a camera of any pitch sees it: every pixel is taken back to the ground, where
// its distance from the centre tells whether it is inside. Over the length of that distance's gradient it is a
// distance in pixels, by which edge and border are smoothed. So a ring is as sharp at the horizon as under the
// eye, and one whose centre is behind the eye is drawn like any other.
import NeatBase

/// One disc of the ground. Its radius is in units of the ground, its border in pixels, inside the edge.
package struct GroundDisc: Sendable, BitwiseCopyable {
  /// Units of the ground, with the disc's centre at their origin, to pixels.
  package var map: Projection
  package var radius: Double
  package var borderWidth: Float
  package var fill: Premultiplied
  package var border: Premultiplied

  package init(
    map: Projection, radius: Double, borderWidth: Float = 0, fill: Premultiplied,
    border: Premultiplied = .transparent
  ) {
    self.map = map
    self.radius = radius
    self.borderWidth = borderWidth
    self.fill = fill
    self.border = border
  }

  package func draw(_ band: Band) {
    guard radius > 0, radius.isFinite, !(fill.isTransparent && border.isTransparent),
      let inverse = InverseMap(unit)
    else { return }
    let rows = bounds(band)
    let disc = GroundDiscRow(self, inverse)
    for y in rows.lowerBound..<max(rows.lowerBound, rows.upperBound) { disc.draw(band.row(y), y, band.width) }
  }

  /// Units of the radius to pixels.
  private var unit: Projection {
    var copy = map
    (copy.xx, copy.xy, copy.yx, copy.yy) = (
      map.xx * radius, map.xy * radius, map.yx * radius, map.yy * radius
    )
    (copy.wx, copy.wy) = (map.wx * radius, map.wy * radius)
    return copy
  }

  /// Rows that the disc may touch: those of a square around it, all where a corner is behind the eye.
  private func bounds(_ band: Band) -> Range<Int> {
    let unit = unit
    var (low, high) = (Double.infinity, -Double.infinity)
    for (u, v) in [(-1.0, -1.0), (1, -1), (1, 1), (-1, 1)] {
      let p = unit.homogeneous(u, v)
      guard p.z > 1e-9 else { return band.y0..<band.y1 }
      low = min(low, p.y / p.z)
      high = max(high, p.y / p.z)
    }
    guard low.isFinite, high.isFinite else { return band.y0..<band.y0 }
    let first = max(band.y0, Int(bounded: low.rounded(.down)) - 1)
    return first..<max(first, min(band.y1, Int(bounded: high.rounded(.up)) + 1))
  }
}

/// A disc ready to draw.
private struct GroundDiscRow {
  let inverse: InverseMap
  let borderWidth: Float
  let fill: UInt32
  let border: UInt32

  init(_ disc: GroundDisc, _ inverse: InverseMap) {
    self.inverse = inverse
    // Below a hundredth of a pixel there is no border.
    borderWidth = disc.borderWidth >= 0.01 ? disc.borderWidth : 0
    (fill, border) = (disc.fill.bits, disc.border.bits)
  }

  func draw(_ row: UnsafeMutablePointer<UInt32>, _ y: Int, _ width: Int) {
    let range = span(y, width)
    let m = inverse
    let cy = Double(y) + 0.5, cx = Double(range.lowerBound) + 0.5
    let u0 = Float(m.ux * cx + m.uy * cy + m.u0), ux = Float(m.ux), uy = Float(m.uy)
    let v0 = Float(m.vx * cx + m.vy * cy + m.v0), vx = Float(m.vx), vy = Float(m.vy)
    let w0 = Float(m.wx * cx + m.wy * cy + m.w0), wx = Float(m.wx), wy = Float(m.wy)
    var x = range.lowerBound
    while x < range.upperBound {
      let along = SIMD4<Float>(0, 1, 2, 3) + Float(x &- range.lowerBound)
      let w = w0 + along * wx
      let scale = 1 / w
      let u = (u0 + along * ux) * scale, v = (v0 + along * vx) * scale
      let distance = (u * u + v * v).squareRoot()
      // How fast the distance grows in x and in y, times itself.
      let gx = (u * (ux - u * wx) + v * (vx - v * wx)) * scale
      let gy = (u * (uy - u * wy) + v * (vy - v * wy)) * scale
      let slope = (gx * gx + gy * gy).squareRoot()
      // Pixels from the edge inwards; the centre itself, where there is no slope, is far inside.
      let floor = SIMD4<Float>(repeating: 1e-20)
      var inside = (1 - distance) * distance / slope.replacing(with: floor, where: slope .< floor)
      inside.replace(with: 1e6, where: distance .< 1e-6)
      var cover = smoothUnit(inside + 0.5)
      cover.replace(with: 0, where: w .<= 0)
      let coverage = roundedBytes(cover * 255)
      if coverage != .zero {
        let count = min(4, range.upperBound &- x)
        let old = loadSome(row + x, count)
        var next = Blend.over4(old, Pixels4(repeating: fill), coverage: coverage)
        if borderWidth > 0 {
          let rim = roundedBytes(cover * (1 - smoothUnit(inside - borderWidth + 0.5)) * 255)
          next = Blend.over4(next, Pixels4(repeating: border), coverage: rim)
        }
        storeSome(next, row + x, count)
      }
      x &+= 4
    }
  }

  /// Pixels of a row between the edges, and two more: where u² + v² = w² on the ground is a quadratic equation
  /// in x. All where the row crosses the disc's edge at the horizon.
  private func span(_ y: Int, _ width: Int) -> Range<Int> {
    let m = inverse
    let cy = Double(y) + 0.5
    let u = m.uy * cy + m.u0, v = m.vy * cy + m.v0, w = m.wy * cy + m.w0
    let a = m.ux * m.ux + m.vx * m.vx - m.wx * m.wx
    let b = m.ux * u + m.vx * v - m.wx * w
    let c = u * u + v * v - w * w
    guard a > 0 else { return 0..<width }
    let root = b * b - a * c
    // The edge of the row above or below may still reach in by half a pixel.
    let reach = root > 0 ? root.squareRoot() / a : 0
    if root <= 0, c / a - (b / a) * (b / a) > 4 { return 0..<0 }
    let left = Int(bounded: (-b / a - reach).rounded(.down)) - 3
    let right = Int(bounded: (-b / a + reach).rounded(.up)) + 3
    let first = min(max(left, 0), width)
    return first..<min(max(right, first), width)
  }
}
