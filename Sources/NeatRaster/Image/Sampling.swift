// Bilinear sampling of premultiplied 8-bit pixels, four at a time. Positions are rounded to 1/256 texel, as
// GPUs do, and the four weights of a pixel sum to 256, so that each channel is one sum of products in a
// 16-bit lane with a single rounding.

import NeatBase

/// Premultiplied texels in memory that somebody else owns.
struct TextureView: BitwiseCopyable {
  var pixels: UnsafePointer<UInt32>
  var stride: Int
  var width: Int
  var height: Int
}

/// What lies beyond the edge of a texture.
enum TextureEdge {
  /// The nearest texel.
  case clamp
  /// Nothing.
  case transparent
}

/// Four pixels, blended each from four texels around (u, v) (corners at whole numbers).
@inline(__always) func sampleLinear(
  _ view: TextureView, _ u: SIMD4<Float>, _ v: SIMD4<Float>, _ edge: TextureEdge
) -> Pixels4 {
  let x = fixedPoint(u - 0.5, view.width)
  let y = fixedPoint(v - 0.5, view.height)
  let ix = x &>> 8
  let iy = y &>> 8
  var c00 = Pixels4.zero
  var c10 = Pixels4.zero
  var c01 = Pixels4.zero
  var c11 = Pixels4.zero
  switch edge {
  case .clamp:
    let left = clampedIndex(ix, view.width)
    let right = clampedIndex(ix &+ 1, view.width)
    let top = clampedIndex(iy, view.height)
    let bottom = clampedIndex(iy &+ 1, view.height)
    for lane in 0..<4 {
      let above = view.pixels + Int(top[lane]) &* view.stride
      let below = view.pixels + Int(bottom[lane]) &* view.stride
      c00[lane] = above[Int(left[lane])]
      c10[lane] = above[Int(right[lane])]
      c01[lane] = below[Int(left[lane])]
      c11[lane] = below[Int(right[lane])]
    }
  case .transparent where isInner(ix, view.width) && isInner(iy, view.height):
    for lane in 0..<4 {
      let above = view.pixels + (Int(iy[lane]) &* view.stride &+ Int(ix[lane]))
      c00[lane] = above[0]
      c10[lane] = above[1]
      c01[lane] = above[view.stride]
      c11[lane] = above[view.stride &+ 1]
    }
  case .transparent:
    for lane in 0..<4 {
      let (x0, y0) = (Int(ix[lane]), Int(iy[lane]))
      c00[lane] = texel(view, x0, y0)
      c10[lane] = texel(view, x0 &+ 1, y0)
      c01[lane] = texel(view, x0, y0 &+ 1)
      c11[lane] = texel(view, x0 &+ 1, y0 &+ 1)
    }
  }
  let fx = Pixels4(truncatingIfNeeded: x & 255)
  let fy = Pixels4(truncatingIfNeeded: y & 255)
  let w11 = (fx &* fy &+ 128) &>> 8
  let w10 = fx &- w11
  let w01 = fy &- w11
  let w00 = 256 &- fx &- fy &+ w11
  return blend4(c00, w00, c10, w10, c01, w01, c11, w11)
}

/// Four pixels, each the texel that (u, v) lies in.
@inline(__always) func sampleNearest(
  _ view: TextureView, _ u: SIMD4<Float>, _ v: SIMD4<Float>, _ edge: TextureEdge
) -> Pixels4 {
  let ix = fixedPoint(u, view.width) &>> 8
  let iy = fixedPoint(v, view.height) &>> 8
  var result = Pixels4.zero
  for lane in 0..<4 {
    let (x, y) = (Int(ix[lane]), Int(iy[lane]))
    switch edge {
    case .clamp:
      result[lane] =
        view.pixels[min(max(y, 0), view.height &- 1) &* view.stride &+ min(max(x, 0), view.width &- 1)]
    case .transparent: result[lane] = texel(view, x, y)
    }
  }
  return result
}

/// Cut to 0..<size, whatever the value.
@inline(__always) private func clampedIndex(_ value: SIMD4<Int32>, _ size: Int) -> SIMD4<Int32> {
  let last = SIMD4(repeating: Int32(truncatingIfNeeded: size &- 1))
  let low = value.replacing(with: 0, where: value .< 0)
  return low.replacing(with: last, where: low .> last)
}

/// Whether all four, and their right neighbours, are in 0..<size.
@inline(__always) private func isInner(_ value: SIMD4<Int32>, _ size: Int) -> Bool {
  // One unsigned comparison a lane: negative numbers are large.
  let last = UInt32(truncatingIfNeeded: size &- 1)
  let v = unsafeBitCast(value, to: SIMD4<UInt32>.self)
  return v[0] < last && v[1] < last && v[2] < last && v[3] < last
}

@inline(__always) private func texel(_ view: TextureView, _ x: Int, _ y: Int) -> UInt32 {
  x >= 0 && x < view.width && y >= 0 && y < view.height ? view.pixels[y &* view.stride &+ x] : 0
}

/// Texels in 1/256, cut to two texels around the texture.
@inline(__always) private func fixedPoint(_ value: SIMD4<Float>, _ size: Int) -> SIMD4<Int32> {
  let limit = Float(size) + 1
  let low = value.replacing(with: -2, where: value .< -2)
  return roundedIntegers(low.replacing(with: limit, where: low .> limit) * 256)
}

/// (a·wa + b·wb + c·wc + d·wd) / 256 in each channel; weights sum to 256, so sums stay below 65,536.
@inline(__always) private func blend4(
  _ a: Pixels4, _ wa: Pixels4, _ b: Pixels4, _ wb: Pixels4, _ c: Pixels4, _ wc: Pixels4, _ d: Pixels4,
  _ wd: Pixels4
) -> Pixels4 {
  let low = Pixels4(repeating: 0x00FF_00FF)
  let la = lanes(wa | (wa &<< 16))
  let lb = lanes(wb | (wb &<< 16))
  let lc = lanes(wc | (wc &<< 16))
  let ld = lanes(wd | (wd &<< 16))
  let rb = lanes(a & low) &* la &+ lanes(b & low) &* lb &+ lanes(c & low) &* lc &+ lanes(d & low) &* ld &+ 128
  let ga =
    lanes((a &>> 8) & low) &* la &+ lanes((b &>> 8) & low) &* lb &+ lanes((c &>> 8) & low) &* lc &+ lanes(
      (d &>> 8) & low) &* ld &+ 128
  return words(rb &>> 8) | (words(ga &>> 8) &<< 8)
}

/// Stores the first `count` of four pixels.
@inline(__always) func storeSome(_ value: Pixels4, _ pixels: UnsafeMutablePointer<UInt32>, _ count: Int) {
  assert(count >= 1 && count <= 4, "one to four pixels")
  if count == 4 {
    Blend.store4(value, pixels)
  } else {
    for lane in 0..<count { pixels[lane] = value[lane] }
  }
}

/// Loads up to four pixels, without touching what lies behind them.
@inline(__always) func loadSome(_ pixels: UnsafePointer<UInt32>, _ count: Int) -> Pixels4 {
  assert(count >= 1 && count <= 4, "one to four pixels")
  if count == 4 { return Blend.load4(pixels) }
  var value = Pixels4.zero
  for lane in 0..<count { value[lane] = pixels[lane] }
  return value
}
