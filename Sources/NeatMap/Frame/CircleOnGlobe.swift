import NeatBase
import NeatCamera
import NeatRaster

extension GlobeTile {
  /// The square of `pixels` logical pixels to each side of a place, as it lies on the globe: from the unit disc
  /// (x east, y south) to device pixels, and the side of the horizon over it. Nil behind the eye.
  func disc(_ center: SIMD2<Double>, pixels: Double, unitsPerPixel: Double, height: Double = 0) -> (
    map: Projection, side: SIMD3<Double>, cap: GlobeDisc.Cap?
  )? {
    let square = place(center.x, center.y)
    let p = GlobeSurface.sphere(square)
    let (right, down) = GlobeSurface.axes(p)
    let reach = tan(min(pixels / surface.radius, 1.5))
    // All corners are as far from the sphere's middle: brought back onto it together.
    let k = 1 / (1 + 2 * reach * reach).squareRoot()
    let flat = SIMD2(pixels * unitsPerPixel * unit, 0)
    func row(_ x: Double, _ y: Double) -> SIMD4<Double> {
      let q = (p + right * (reach * x) + down * (reach * y)) * k
      return surface.project(q, plane: square + SIMD2(flat.x * x, flat.x * y), height: height)
    }
    let middle = row(0, 0)
    guard middle.w > 0 else { return nil }
    let (u, v) = (row(1, 0) - middle, row(0, 1) - middle)
    var map = Projection(xx: u.x, xy: v.x, x0: middle.x, yx: u.y, yy: v.y, y0: middle.y)
    (map.wx, map.wy, map.w0) = (u.w, v.w, middle.w)
    let cap = GlobeDisc.Cap(surface, center: p, right: right, down: down, angle: pixels / surface.radius)
    return (map, SIMD3(u.z, v.z, middle.z), surface.isWhole && height == 0 ? cap : nil)
  }

  /// A heatmap's kernel around a place. Nil where it is behind the horizon or shows nothing.
  /// - Parameter pixels: logical pixels of a kernel unit.
  func sheet(_ center: SIMD2<Double>, pixels: Double, weight: Float, unitsPerPixel: Double) -> HeatSheet? {
    guard pixels > 0, pixels < 65536, let reach = HeatSheet.reach(weight: weight) else { return nil }
    let square = place(center.x, center.y)
    let p = GlobeSurface.sphere(square)
    let (right, down) = GlobeSurface.axes(p)
    let angle = reach * pixels / surface.radius, flat = reach * pixels * unitsPerPixel * unit
    func way(_ share: Double) -> Double { tan(min(max(angle * share, -1.5), 1.5)) }
    let sheet = HeatSheet(lines: HeatSheet.roundLines, reach: reach, weight: weight) { x, y in
      let q = p + right * way(x) + down * way(y)
      return surface.project(q / (q * q).sum().squareRoot(), plane: square + SIMD2(x, y) * flat)
    }
    return sheet.corners.contains { $0.z >= 0 } ? sheet : nil
  }
}
