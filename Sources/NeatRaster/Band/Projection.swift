import NeatBase

/// Tile units (z = 0) to frame pixels: an affine map, or a homography where the camera is pitched.
///
/// x = (xx·u + xy·v + x0) / w, y = (yx·u + yy·v + y0) / w, w = wx·u + wy·v + w0, for the tile point (u, v).
package struct Projection: Hashable, Sendable, BitwiseCopyable {
  package var xx, xy, x0: Double
  package var yx, yy, y0: Double
  package var wx, wy, w0: Double

  /// An affine map: scale by (xx, yx; xy, yy), then translate.
  package init(xx: Double, xy: Double, x0: Double, yx: Double, yy: Double, y0: Double) {
    (self.xx, self.xy, self.x0) = (xx, xy, x0)
    (self.yx, self.yy, self.y0) = (yx, yy, y0)
    (wx, wy, w0) = (0, 0, 1)
  }

  /// Scale, then translate.
  package init(scale: Double, x: Double = 0, y: Double = 0) {
    self.init(xx: scale, xy: 0, x0: x, yx: 0, yy: scale, y0: y)
  }

  /// From a column-major 4×4 matrix that takes (u, v, 0, 1) to clip space, for a frame of `width` by `height`
  /// pixels whose top row is y = 1 in clip space.
  package init(clip m: [Double], width: Double, height: Double) {
    precondition(m.count == 16)
    (wx, wy, w0) = (m[3], m[7], m[15])
    xx = (m[0] + wx) * width / 2
    xy = (m[4] + wy) * width / 2
    x0 = (m[12] + w0) * width / 2
    yx = (wx - m[1]) * height / 2
    yy = (wy - m[5]) * height / 2
    y0 = (w0 - m[13]) * height / 2
    if wx == 0 && wy == 0 && w0 != 0 && w0 != 1 {
      (xx, xy, x0, yx, yy, y0, w0) = (xx / w0, xy / w0, x0 / w0, yx / w0, yy / w0, y0 / w0, 1)
    }
  }

  /// Whether w is 1 everywhere.
  package var isAffine: Bool { wx == 0 && wy == 0 && w0 == 1 }

  /// The same map followed by a move in pixels (affine or not).
  package func translated(x: Double, y: Double) -> Projection {
    var copy = self
    copy.xx += x * wx
    copy.xy += x * wy
    copy.x0 += x * w0
    copy.yx += y * wx
    copy.yy += y * wy
    copy.y0 += y * w0
    return copy
  }

  /// The same map after a move in tile units.
  package func movingTile(u: Double, v: Double) -> Projection {
    var copy = self
    copy.x0 += xx * u + xy * v
    copy.y0 += yx * u + yy * v
    copy.w0 += wx * u + wy * v
    return copy
  }

  /// (x·w, y·w, w).
  @inline(__always) package func homogeneous(_ u: Double, _ v: Double) -> SIMD4<Double> {
    SIMD4(xx * u + xy * v + x0, yx * u + yy * v + y0, wx * u + wy * v + w0, 0)
  }

  /// Pixels. Meaningful only where w is positive.
  @inline(__always) package func callAsFunction(_ u: Double, _ v: Double) -> SIMD2<Double> {
    let p = homogeneous(u, v)
    return isAffine ? SIMD2(p.x, p.y) : SIMD2(p.x / p.z, p.y / p.z)
  }

  /// The map back from pixels to tile units, or nil where there is none.
  package var inverse: Projection? {
    let determinant = xx * (yy * w0 - y0 * wy) - xy * (yx * w0 - y0 * wx) + x0 * (yx * wy - yy * wx)
    guard determinant.isFinite && determinant != 0 else { return nil }
    var result = Projection(
      xx: (yy * w0 - y0 * wy) / determinant, xy: (x0 * wy - xy * w0) / determinant,
      x0: (xy * y0 - x0 * yy) / determinant,
      yx: (y0 * wx - yx * w0) / determinant, yy: (xx * w0 - x0 * wx) / determinant,
      y0: (x0 * yx - xx * y0) / determinant)
    if !isAffine {
      result.wx = (yx * wy - yy * wx) / determinant
      result.wy = (xy * wx - xx * wy) / determinant
      result.w0 = (xx * yy - xy * yx) / determinant
    }
    return result
  }

  /// This map, and then a scaling and a move of what it gives: a pattern's pixels from tile units, for
  /// `PatternPaint.map`.
  package func scaled(_ scaleX: Double, _ scaleY: Double, x: Double = 0, y: Double = 0) -> Projection {
    var copy = self
    (copy.xx, copy.xy, copy.x0) = (xx * scaleX, xy * scaleX, x0 * scaleX)
    (copy.yx, copy.yy, copy.y0) = (yx * scaleY, yy * scaleY, y0 * scaleY)
    return copy.translated(x: x, y: y)
  }
}
