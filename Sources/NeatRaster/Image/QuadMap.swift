// Textured quads: texels to pixels is a `Projection` (texel units, (0, 0) the picture's top left corner,
// (width, height) its bottom right one); drawing needs the way back. Inside a row, all of u·w, v·w and w are
// linear in x, so the part of a row that a quad covers is an interval found by solving linear inequalities,
// affine or not.
import NeatBase

extension Projection {
  /// The map that takes the rectangle (0, 0)...(width, height) to the quad with these corners, in pixels:
  /// affine where the quad is a parallelogram (to a thousandth of a pixel), else a homography (Heckbert,
  /// Fundamentals of Texture Mapping, 1989). Nil where the quad has no such map.
  package init?(
    width: Double, height: Double, topLeft a: SIMD2<Double>, topRight b: SIMD2<Double>,
    bottomRight c: SIMD2<Double>,
    bottomLeft d: SIMD2<Double>
  ) {
    guard width > 0, height > 0 else { return nil }
    let skew = a - b + c - d
    if abs(skew.x) < 1e-3 && abs(skew.y) < 1e-3 {
      self.init(
        xx: (b.x - a.x) / width, xy: (d.x - a.x) / height, x0: a.x, yx: (b.y - a.y) / width,
        yy: (d.y - a.y) / height, y0: a.y)
      return
    }
    let right = b - c
    let left = d - c
    let determinant = right.x * left.y - left.x * right.y
    guard determinant != 0, determinant.isFinite else { return nil }
    let g = (skew.x * left.y - left.x * skew.y) / determinant
    let h = (right.x * skew.y - skew.x * right.y) / determinant
    self.init(
      xx: (b.x - a.x + g * b.x) / width, xy: (d.x - a.x + h * d.x) / height, x0: a.x,
      yx: (b.y - a.y + g * b.y) / width,
      yy: (d.y - a.y + h * d.y) / height, y0: a.y)
    wx = g / width
    wy = h / height
  }

  /// Whether texel columns stay vertical and rows horizontal, without mirroring.
  var isAxisAligned: Bool {
    isAffine && xy == 0 && yx == 0 && xx > 1e-6 && yy > 1e-6 && x0.isFinite && y0.isFinite
  }
}

extension SIMD2<Double> {
  /// Pixels, rounded to 1/256 as `fixed256` does.
  var snapped: SIMD2<Double> { (self * 256).rounded(.toNearestOrEven) / 256 }
}

/// Pixels to texels: u = (ux·x + uy·y + u0) / w and so on, w positive in front of the camera.
struct InverseMap {
  var ux, uy, u0: Double
  var vx, vy, v0: Double
  var wx, wy, w0: Double
  let isAffine: Bool

  /// Nil where the map flattens the plane.
  init?(_ p: Projection) {
    ux = p.yy * p.w0 - p.y0 * p.wy
    uy = p.x0 * p.wy - p.xy * p.w0
    u0 = p.xy * p.y0 - p.x0 * p.yy
    vx = p.y0 * p.wx - p.yx * p.w0
    vy = p.xx * p.w0 - p.x0 * p.wx
    v0 = p.x0 * p.yx - p.xx * p.y0
    wx = p.yx * p.wy - p.yy * p.wx
    wy = p.xy * p.wx - p.xx * p.wy
    w0 = p.xx * p.yy - p.xy * p.yx
    isAffine = p.isAffine
    // The determinant scales all nine alike: dividing by it gives w the sign it has in front of the camera,
    // and 1 where the map is affine.
    let determinant = p.xx * ux + p.xy * vx + p.x0 * wx
    guard determinant != 0, determinant.isFinite else { return nil }
    let scale = 1 / determinant
    (ux, uy, u0, vx, vy, v0) = (ux * scale, uy * scale, u0 * scale, vx * scale, vy * scale, v0 * scale)
    (wx, wy, w0) = isAffine ? (0, 0, 1) : (wx * scale, wy * scale, w0 * scale)
  }

  /// Pixels of `lower..<upper` in row `y` whose centres fall on texels u0...u1, v0...v1.
  /// - Parameter half: of the rectangle, along the diagonal from its top right to its bottom left corner.
  func span(_ y: Int, _ lower: Int, _ upper: Int, _ rect: TexelRect, half: QuadHalf = .whole) -> Range<Int> {
    let cy = Double(y) + 0.5
    let u = uy * cy + self.u0
    let v = vy * cy + self.v0
    let w = wy * cy + self.w0
    var low = Double(lower) + 0.5
    var high = Double(upper) - 0.5
    // Keeps what makes slope·x + offset >= 0.
    func cut(_ slope: Double, _ offset: Double) {
      if slope > 0 {
        low = max(low, -offset / slope)
      } else if slope < 0 {
        high = min(high, -offset / slope)
      } else if offset < 0 {
        high = -.infinity
      }
    }
    cut(ux - Double(rect.u0) * wx, u - Double(rect.u0) * w)
    cut(Double(rect.u1) * wx - ux, Double(rect.u1) * w - u)
    cut(vx - Double(rect.v0) * wx, v - Double(rect.v0) * w)
    cut(Double(rect.v1) * wx - vx, Double(rect.v1) * w - v)
    if half != .whole {
      // Where (u - u0) / width + (v - v0) / height is at most 1, or more.
      let (u0, v0) = (Double(rect.u0), Double(rect.v0))
      let (width, height) = (Double(rect.u1) - u0, Double(rect.v1) - v0)
      let slope = wx - (ux - u0 * wx) / width - (vx - v0 * wx) / height
      let offset = w - (u - u0 * w) / width - (v - v0 * w) / height
      if half == .upper { cut(slope, offset) } else { cut(-slope, -offset - 1e-9) }
    }
    if !isAffine { cut(wx, w - 1e-9) }
    guard low <= high else { return lower..<lower }
    let first = Int(bounded: (low - 0.5).rounded(.up))
    let last = Int(bounded: (high - 0.5).rounded(.down))
    return first <= last ? first..<(last + 1) : lower..<lower
  }
}

/// Which part of a quad is drawn. Quads that are not flat are two triangles, each with a map of its own.
package enum QuadHalf: UInt8, Sendable, BitwiseCopyable {
  case whole
  /// Above the diagonal from the top right to the bottom left corner.
  case upper
  case lower
}

/// A part of a texture in texels; may pass its edges, where there is nothing.
package struct TexelRect: Sendable, BitwiseCopyable {
  package var u0, v0, u1, v1: Float

  package init(u0: Float, v0: Float, u1: Float, v1: Float) {
    (self.u0, self.v0, self.u1, self.v1) = (u0, v0, u1, v1)
  }
}

/// Pixels that a quad may touch: `x0..<x1`, `y0..<y1`.
struct PixelBounds: BitwiseCopyable {
  var x0, y0, x1, y1: Int32

  /// The hull of a texel rectangle on the frame; everything where a corner is behind the camera.
  init(_ map: Projection, _ rect: TexelRect) {
    var low = SIMD2<Double>(repeating: .infinity)
    var high = SIMD2<Double>(repeating: -.infinity)
    for (u, v) in [(rect.u0, rect.v0), (rect.u1, rect.v0), (rect.u1, rect.v1), (rect.u0, rect.v1)] {
      let p = map.homogeneous(Double(u), Double(v))
      guard p.z > 1e-9 else {
        (x0, y0, x1, y1) = (-1 << 24, -1 << 24, 1 << 24, 1 << 24)
        return
      }
      let point = SIMD2(p.x, p.y) / p.z
      low = pointwiseMin(low, point)
      high = pointwiseMax(high, point)
    }
    guard low.x.isFinite, low.y.isFinite, high.x.isFinite, high.y.isFinite else {
      (x0, y0, x1, y1) = (0, 0, 0, 0)
      return
    }
    func clamped(_ value: Double) -> Int32 { Int32(saturating: min(max(value, -16_777_216), 16_777_216)) }
    (low, high) = (low.snapped, high.snapped)
    (x0, x1) = (clamped((low.x - 0.5).rounded(.up)), clamped((high.x - 0.5).rounded(.up)))
    (y0, y1) = (clamped((low.y + 0.5).rounded(.down)), clamped((high.y + 0.5).rounded(.down)))
  }
}
