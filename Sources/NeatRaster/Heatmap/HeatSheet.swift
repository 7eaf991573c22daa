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

  fileprivate func corner(_ x: Int, _ y: Int) -> SheetScan.Corner {
    SheetScan.Corner(position: corners[y * side + x], place: SIMD2(lines[x], lines[y]) * reach)
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
    let scan = SheetScan(columns: width, rows: rows, cell: SIMD2<Double>(cell))
    func add(_ a: SheetScan.Corner, _ b: SheetScan.Corner, _ c: SheetScan.Corner) {
      scan.draw(a, b, c) { x, y, place in
        values[y * width + x] += peak * expf(Float(-4.5 * (place * place).sum()))
      }
    }
    for y in 0..<sheet.side - 1 {
      for x in 0..<sheet.side - 1 {
        let (a, b) = (sheet.corner(x, y), sheet.corner(x + 1, y))
        let (c, d) = (sheet.corner(x + 1, y + 1), sheet.corner(x, y + 1))
        add(a, b, c)
        add(a, c, d)
      }
    }
  }
}
