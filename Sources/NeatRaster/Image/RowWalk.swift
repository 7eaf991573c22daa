import NeatBase

/// Texels under the pixels of one row. Starts at a pixel that must not depend on the band, so that rounding
/// does not either.
struct RowWalk {
  private let u: Float, v: Float, w: Float
  private let ux: Float, vx: Float, wx: Float
  private let isAffine: Bool

  @inline(__always) init(_ map: InverseMap, _ y: Int, _ x: Int) {
    let cx = Double(x) + 0.5
    let cy = Double(y) + 0.5
    u = Float(map.ux * cx + map.uy * cy + map.u0)
    v = Float(map.vx * cx + map.vy * cy + map.v0)
    w = Float(map.wx * cx + map.wy * cy + map.w0)
    (ux, vx, wx) = (Float(map.ux), Float(map.vx), Float(map.wx))
    isAffine = map.isAffine
  }

  /// Texel positions (corners at whole numbers) under four pixels from `offset` pixels past the start.
  @inline(__always) func texels(_ offset: Int) -> (SIMD4<Float>, SIMD4<Float>) {
    let x = SIMD4<Float>(0, 1, 2, 3) + Float(offset)
    if isAffine { return (u + x * ux, v + x * vx) }
    let inverse = 1 / (w + x * wx)
    return ((u + x * ux) * inverse, (v + x * vx) * inverse)
  }

  /// How many texels a step of one pixel to the right, or down, moves at most, four pixels from `offset` on
  /// taken together. Selects the mipmap level.
  @inline(__always) func texelsPerPixel(_ offset: Int, _ map: InverseMap) -> Float {
    let x = Float(offset) + 1.5
    let inverse = isAffine ? 1 : 1 / (w + x * wx)
    let uu = (u + x * ux) * inverse
    let vv = (v + x * vx) * inverse
    let dux = (ux - uu * wx) * inverse
    let dvx = (vx - vv * wx) * inverse
    let duy = (Float(map.uy) - uu * Float(map.wy)) * inverse
    let dvy = (Float(map.vy) - vv * Float(map.wy)) * inverse
    return max(dux * dux + dvx * dvx, duy * duy + dvy * dvy).squareRoot()
  }

  /// What a pixel `offset` pixels past the start covers, with its neighbours to the right and above.
  @inline(__always) func footprint(_ offset: Int, _ map: InverseMap) -> Footprint {
    let x = Float(offset)
    let base = SIMD3(u + x * ux, v + x * vx, isAffine ? 1 : w + x * wx)
    func texel(_ at: SIMD3<Float>) -> SIMD2<Float> { SIMD2(at.x, at.y) / at.z }
    let place = texel(base)
    let right = texel(base + SIMD3(ux, vx, isAffine ? 0 : wx)) - place
    let up = texel(base - SIMD3(Float(map.uy), Float(map.vy), isAffine ? 0 : Float(map.wy))) - place
    return Footprint(right: right, down: up, limit: Footprint.limit)
  }
}
