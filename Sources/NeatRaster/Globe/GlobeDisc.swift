// Circles that lie on the globe: the square around one is a sheet of three by three squares whose corners lie on the
// sphere, each of two flat triangles, as MapLibre GL JS draws it. Their shading is that of circles that face the viewer.

import NeatBase

/// A circle on the ground of a globe.
package struct GlobeDisc: Sendable {
  /// (x·w, y·w, side of the horizon, w) of the sheet's corners, row by row.
  package var corners: [SIMD4<Double>]
  /// Its centre is not looked at.
  package var circle: Circle

  /// Where the edges of the squares lie, of the circle's radius, border and all.
  package static var lines: [Double] { HeatSheet.roundLines }

  package init(corners: [SIMD4<Double>], circle: Circle) {
    precondition(corners.count == GlobeDisc.lines.count * GlobeDisc.lines.count, "corners of no sheet")
    (self.corners, self.circle) = (corners, circle)
  }

  package func draw(_ band: Band) {
    let size = circle.radius + max(circle.strokeWidth, 0)
    guard size > 0, size < 65536 else { return }
    let blur = max(circle.blur, 1 / size)
    let hasStroke = circle.strokeWidth >= 0.01
    let strokeStart = max(circle.radius, 0) / size - blur
    eachPixel(SheetScan(columns: band.width, rows: band.y0..<band.y1)) { x, y, place in
      let distance = Float((place * place).sum().squareRoot())
      let coverage = GlobeDisc.byte((1 - distance) / blur, 255)
      guard coverage > 0 else { return }
      var color = circle.fill.bits
      if hasStroke {
        color = Texel.mix(color, circle.stroke.bits, GlobeDisc.byte((distance - strokeStart) / blur, 256))
      }
      let pixel = band.row(y) + x
      pixel.pointee = Blend.over(pixel.pointee, color, coverage: coverage)
    }
  }

  private func eachPixel(_ scan: SheetScan, _ body: (Int, Int, SIMD2<Double>) -> Void) {
    let lines = GlobeDisc.lines
    func corner(_ x: Int, _ y: Int) -> SheetScan.Corner {
      SheetScan.Corner(position: corners[y * lines.count + x], place: SIMD2(lines[x], lines[y]))
    }
    for y in 0..<lines.count - 1 {
      for x in 0..<lines.count - 1 {
        scan.draw(corner(x, y), corner(x + 1, y), corner(x + 1, y + 1), body)
        scan.draw(corner(x, y), corner(x + 1, y + 1), corner(x, y + 1), body)
      }
    }
  }

  private static func byte(_ value: Float, _ scale: Float) -> UInt32 {
    let t = min(max(value, 0), 1)
    return UInt32(saturating: (t * t * (3 - 2 * t) * scale).rounded())
  }
}
