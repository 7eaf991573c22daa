import NeatBase
import NeatCamera
import NeatRaster

extension GlobeTile {
  /// The square of `pixels` logical pixels to each side of a place, as it lies on the globe: from the unit disc
  /// (x east, y south) to device pixels, and the side of the horizon over it. Nil behind the eye.
  func disc(_ center: SIMD2<Double>, pixels: Double, unitsPerPixel: Double) -> (
    map: Projection, side: SIMD3<Double>, cap: GlobeDisc.Cap?
  )? {
    let square = place(center.x, center.y)
    let p = GlobeSurface.sphere(square)
    var right = SIMD3(p.z, 0, -p.x)
    let length = (right * right).sum().squareRoot()
    guard length > 0 else { return nil }
    right /= length
    let down = SIMD3(
      right.y * p.z - right.z * p.y, right.z * p.x - right.x * p.z, right.x * p.y - right.y * p.x)
    let reach = tan(min(pixels / surface.radius, 1.5))
    // All corners are as far from the sphere's middle: brought back onto it together.
    let k = 1 / (1 + 2 * reach * reach).squareRoot()
    let flat = SIMD2(pixels * unitsPerPixel * unit, 0)
    func row(_ x: Double, _ y: Double) -> SIMD4<Double> {
      let q = (p + right * (reach * x) + down * (reach * y)) * k
      return surface.project(q, plane: square + SIMD2(flat.x * x, flat.x * y))
    }
    let middle = row(0, 0)
    guard middle.w > 0 else { return nil }
    let (u, v) = (row(1, 0) - middle, row(0, 1) - middle)
    var map = Projection(xx: u.x, xy: v.x, x0: middle.x, yx: u.y, yy: v.y, y0: middle.y)
    (map.wx, map.wy, map.w0) = (u.w, v.w, middle.w)
    let cap = GlobeDisc.Cap(surface, center: p, right: right, down: down, angle: pixels / surface.radius)
    return (map, SIMD3(u.z, v.z, middle.z), surface.isWhole ? cap : nil)
  }
}
