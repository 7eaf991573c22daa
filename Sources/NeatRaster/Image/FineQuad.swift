// A small picture on a quad, as it may lie on tilted ground: every pixel is the mean of eight places in it, two across
// and four down, since ground is foreshortened downwards. So edges of the quad and of what the picture shows are smooth
// at any tilt, without the blur of a mipmap that is small enough for the shorter side.
import NeatBase

/// Draws a texture of a few thousand pixels into a band; a larger one costs eight samples for each of its pixels.
package func drawFineQuad(_ texture: Texture, map: Projection, opacity: Float, band: Band) {
  let alpha = UInt32(saturating: min(max(opacity, 0), 1) * 255 + 0.5)
  guard alpha > 0, let inverse = InverseMap(map) else { return }
  let (width, height) = (Float(texture.width), Float(texture.height))
  let rect = TexelRect(u0: 0, v0: 0, u1: width, v1: height)
  let bounds = PixelBounds(map, rect)
  let top = max(band.y0, Int(bounds.y0) - 1), bottom = min(band.y1, Int(bounds.y1) + 1)
  let left = max(0, Int(bounds.x0) - 1), right = min(band.width, Int(bounds.x1) + 1)
  guard top < bottom, left < right else { return }
  let middle = map(Double(width) / 2, Double(height) / 2)
  let view = texture.level(texture.level(texelsPerPixel: rate(inverse, middle)))
  let scale = SIMD2(Float(view.width) / width, Float(view.height) / height)
  for y in top..<bottom {
    let row = band.row(y)
    for x in left..<right {
      let sampled = mean(view, inverse, Double(x), Double(y), scale)
      guard sampled != 0 else { continue }
      row[x] = Blend.over(row[x], alpha == 255 ? sampled : Blend.scale(sampled, alpha))
    }
  }
}

/// Texels from one sample to the next, at a pixel.
private func rate(_ map: InverseMap, _ at: SIMD2<Double>) -> Float {
  func texel(_ x: Double, _ y: Double) -> SIMD2<Double> {
    let w = map.wx * x + map.wy * y + map.w0
    return SIMD2(map.ux * x + map.uy * y + map.u0, map.vx * x + map.vy * y + map.v0) / w
  }
  let start = texel(at.x, at.y)
  let across = texel(at.x + 0.5, at.y) - start, down = texel(at.x, at.y + 0.25) - start
  return Float(max((across * across).sum(), (down * down).sum()).squareRoot())
}

/// The mean of eight places of a pixel, premultiplied.
private func mean(_ view: TextureView, _ map: InverseMap, _ x: Double, _ y: Double, _ scale: SIMD2<Float>)
  -> UInt32
{
  var low = SIMD4<UInt32>.zero, high = SIMD4<UInt32>.zero
  for column in 0..<2 {
    let cx = x + 0.25 + 0.5 * Double(column)
    let cy = SIMD4(0.125, 0.375, 0.625, 0.875) + y
    let w = map.wx * cx + map.wy * cy + map.w0
    let u = (map.ux * cx + map.uy * cy + map.u0) / w
    let v = (map.vx * cx + map.vy * cy + map.v0) / w
    var pixels = sampleLinear(view, SIMD4<Float>(u) * scale.x, SIMD4<Float>(v) * scale.y, .transparent)
    // Behind the eye there is nothing.
    for lane in 0..<4 where !(w[lane] > 0) { pixels[lane] = 0 }
    low &+= pixels & 0x00FF_00FF
    high &+= (pixels &>> 8) & 0x00FF_00FF
  }
  // Eight bytes of 255 are 2040: sums of two channels in a word do not meet.
  let (rb, ga) = (low.wrappedSum(), high.wrappedSum())
  let half: UInt32 = 0x0004_0004, mask: UInt32 = 0x00FF_00FF
  return ((rb &+ half) &>> 3 & mask) | (((ga &+ half) &>> 3 & mask) &<< 8)
}
