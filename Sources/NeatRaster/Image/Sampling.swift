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
  switch edge {
  case .clamp where view.width >= 2 && view.height >= 2:
    let column = TexelPair(x, of: view.width), row = TexelPair(y, of: view.height)
    return inner(view, column.first, row.first, TexelWeights(column.share, row.share))
  case .transparent where isInner(x &>> 8, view.width) && isInner(y &>> 8, view.height):
    return inner(view, x &>> 8, y &>> 8, TexelWeights(x & 255, y & 255))
  default:
    return anywhere(view, x &>> 8, y &>> 8, TexelWeights(x & 255, y & 255), edge)
  }
}

/// The two texels of a row or column, of at least two, that places are between, and how much of the second they take in
/// 1/256: at the outermost place, all.
private struct TexelPair {
  let first, share: SIMD4<Int32>

  @inline(__always) init(_ place: SIMD4<Int32>, of count: Int) {
    let at = clamped(place, to: (count &- 1) &<< 8)
    first = clamped(at &>> 8, to: count &- 2)
    share = at &- first &<< 8
  }
}

/// What four pixels take of the texels around them, in 1/256.
private struct TexelWeights {
  let above, aboveRight, below, belowRight: Pixels4

  /// - Parameters:
  ///   - x, y: from the upper left texel, 0 to 256.
  @inline(__always) init(_ x: SIMD4<Int32>, _ y: SIMD4<Int32>) {
    let (fx, fy) = (Pixels4(truncatingIfNeeded: x), Pixels4(truncatingIfNeeded: y))
    belowRight = (fx &* fy &+ 128) &>> 8
    aboveRight = fx &- belowRight
    below = fy &- belowRight
    above = 256 &- fx &- fy &+ belowRight
  }
}

/// Where all four texels of each pixel are the picture's: two beside each other are read at once.
@inline(__always) private func inner(
  _ view: TextureView, _ column: SIMD4<Int32>, _ row: SIMD4<Int32>, _ weights: TexelWeights
) -> Pixels4 {
  let first = pairs(view, column[0], row[0], column[1], row[1])
  let second = pairs(view, column[2], row[2], column[3], row[3])
  let above = SIMD8(lowHalf: first.above, highHalf: second.above)
  let below = SIMD8(lowHalf: first.below, highHalf: second.below)
  return blend4(
    above.evenHalf, weights.above, above.oddHalf, weights.aboveRight, below.evenHalf, weights.below,
    below.oddHalf, weights.belowRight)
}

/// The upper and the lower two texels of two pixels.
@inline(__always) private func pairs(_ view: TextureView, _ x0: Int32, _ y0: Int32, _ x1: Int32, _ y1: Int32)
  -> (
    above: Pixels4, below: Pixels4
  )
{
  let a = UnsafeRawPointer(view.pixels + (Int(y0) &* view.stride &+ Int(x0)))
  let b = UnsafeRawPointer(view.pixels + (Int(y1) &* view.stride &+ Int(x1)))
  let next = 4 &* view.stride
  return (
    unsafeBitCast(
      SIMD2(a.loadUnaligned(as: UInt64.self), b.loadUnaligned(as: UInt64.self)), to: Pixels4.self),
    unsafeBitCast(
      SIMD2((a + next).loadUnaligned(as: UInt64.self), (b + next).loadUnaligned(as: UInt64.self)),
      to: Pixels4.self)
  )
}

/// A row of pixels that runs along the rows of a texture: what is the same for all of them is made once.
struct LinearRow {
  private let above: UnsafePointer<UInt32>
  private let stride: Int
  private let width: Int
  private let down: SIMD4<Int32>

  /// - Parameter v: of the row. Nil for a texture of one row or column.
  init?(_ view: TextureView, v: Float) {
    guard view.width >= 2, view.height >= 2 else { return nil }
    let row = TexelPair(fixedPoint(SIMD4(repeating: v - 0.5), view.height), of: view.height)
    above = view.pixels + Int(row.first[0]) &* view.stride
    (stride, width, down) = (view.stride, view.width, row.share)
  }

  /// As `sampleLinear` with `.clamp`.
  @inline(__always) func sample(_ u: SIMD4<Float>) -> Pixels4 {
    let column = TexelPair(fixedPoint(u - 0.5, width), of: width)
    let row = TextureView(pixels: above, stride: stride, width: width, height: 2)
    return inner(row, column.first, .zero, TexelWeights(column.share, down))
  }
}

/// The same at edges, and of pictures of one row or column.
@inline(never) private func anywhere(
  _ view: TextureView, _ column: SIMD4<Int32>, _ row: SIMD4<Int32>, _ weights: TexelWeights,
  _ edge: TextureEdge
) -> Pixels4 {
  func texels(_ right: Int, _ down: Int) -> Pixels4 {
    var four = Pixels4.zero
    for lane in 0..<4 {
      let (x, y) = (Int(column[lane]) &+ right, Int(row[lane]) &+ down)
      switch edge {
      case .clamp: four[lane] = texel(view, min(max(x, 0), view.width &- 1), min(max(y, 0), view.height &- 1))
      case .transparent: four[lane] = texel(view, x, y)
      }
    }
    return four
  }
  return blend4(
    texels(0, 0), weights.above, texels(1, 0), weights.aboveRight, texels(0, 1), weights.below, texels(1, 1),
    weights.belowRight)
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

/// Cut to 0...last.
@inline(__always) private func clamped(_ value: SIMD4<Int32>, to last: Int) -> SIMD4<Int32> {
  let last = SIMD4(repeating: Int32(truncatingIfNeeded: last))
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
  let la = bothHalves(wa)
  let lb = bothHalves(wb)
  let lc = bothHalves(wc)
  let ld = bothHalves(wd)
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
