import NeatBase
import NeatCamera
import NeatRaster

extension GlobeTile {
  /// The corners of a circle's sheet: what lies `pixels` logical pixels to each side of a place. Nil behind the horizon.
  func disc(_ center: SIMD2<Double>, pixels: Double, unitsPerPixel: Double, height: Double = 0)
    -> [SIMD4<Double>]?
  {
    let corner = around(center, pixels: pixels, unitsPerPixel: unitsPerPixel, height: height)
    let corners = GlobeDisc.lines.flatMap { y in GlobeDisc.lines.map { x in corner(x, y) } }
    return corners.contains { $0.z >= 0 } ? corners : nil
  }

  /// What lies shares of so many logical pixels east and south of a place.
  private func around(_ center: SIMD2<Double>, pixels: Double, unitsPerPixel: Double, height: Double = 0)
    -> (Double, Double) -> SIMD4<Double>
  {
    let square = place(center.x, center.y)
    let p = GlobeSurface.sphere(square)
    let (right, down) = GlobeSurface.axes(p)
    let angle = pixels / surface.radius, flat = pixels * unitsPerPixel * unit
    func way(_ share: Double) -> Double { tan(min(max(angle * share, -1.5), 1.5)) }
    return { x, y in
      let q = p + right * way(x) + down * way(y)
      return surface.project(
        q / (q * q).sum().squareRoot(), plane: square + SIMD2(x, y) * flat, height: height)
    }
  }

  /// A heatmap's kernel around a place. Nil where it is behind the horizon or shows nothing.
  /// - Parameter pixels: logical pixels of a kernel unit.
  func sheet(_ center: SIMD2<Double>, pixels: Double, weight: Float, unitsPerPixel: Double) -> HeatSheet? {
    guard pixels > 0, pixels < 65536, let reach = HeatSheet.reach(weight: weight) else { return nil }
    let corner = around(center, pixels: reach * pixels, unitsPerPixel: unitsPerPixel)
    let sheet = HeatSheet(lines: HeatSheet.roundLines, reach: reach, weight: weight, corner)
    return sheet.corners.contains { $0.z >= 0 } ? sheet : nil
  }
}
