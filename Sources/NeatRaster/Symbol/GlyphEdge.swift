// From distance to coverage, as MapLibre's symbol_sdf shader has it. In the field's own scale (0...255 for
// 0...1 of the shader): fill smoothstep(192/256 - gamma, 192/256 + gamma, distance) halo the same around (6 -
// width / fontScale) / 8, less what lies inside the letter, so that a translucent fill does not show the halo
// through. gamma is half the width of the soft edge: 0.105 over device pixel ratio and font scale, more for a
// blurred halo.

import NeatBase

/// The constants of one paint and pass.
struct GlyphEdge {
  /// coverage = smoothUnit((distance - start) × slope).
  let start: Float
  let slope: Float
  /// The inner edge of a halo; `innerStart` is past every distance where there is none.
  let innerStart: Float
  let innerSlope: Float
  let ink: Ink

  init(_ paint: GlyphPaint, _ pass: GlyphPass, pixelRatio: Float) {
    let outline = GlyphPaint.outline
    let (edge, gamma) = paint.edge(pass, pixelRatio: pixelRatio)
    (start, slope) = GlyphEdge.ramp(edge, gamma)
    switch pass {
    case .fill:
      (innerStart, innerSlope) = (1e6, 1)
      ink = Ink(paint.fill.bits)
    case .halo:
      (innerStart, innerSlope) = GlyphEdge.ramp(outline + gamma, gamma)
      ink = Ink(paint.halo.bits)
    }
  }

  private static func ramp(_ edge: Float, _ gamma: Float) -> (Float, Float) {
    ((edge - gamma) * 255, 1 / (max(gamma, 1e-6) * 2 * 255))
  }

  /// Coverage 0...255 of four distances (0...255).
  @inline(__always) func coverage(_ distance: SIMD4<Float>) -> Pixels4 {
    var alpha = smoothUnit((distance - start) * slope)
    if innerStart < 1e5 { alpha = pointwiseMin(alpha, 1 - smoothUnit((distance - innerStart) * innerSlope)) }
    return roundedBytes(alpha * 255)
  }
}

extension GlyphPaint {
  /// Where the letter's outline is in the field's scale of 0...1.
  package static let outline: Float = 192.0 / 256

  /// The middle of the soft edge and half its width, in the field's scale of 0...1.
  package func edge(_ pass: GlyphPass, pixelRatio: Float) -> (edge: Float, gamma: Float) {
    let soft = 0.105 / pixelRatio
    let scale = max(fontScale, 1e-4)
    return switch pass {
    case .fill: (GlyphPaint.outline, soft / scale * gammaScale)
    case .halo: ((6 - haloWidth / scale) / 8, (haloBlur * 1.19 / 8 + soft) / scale * gammaScale)
    }
  }
}

/// 3t² - 2t³ over t cut to 0...1.
@inline(__always) func smoothUnit(_ value: SIMD4<Float>) -> SIMD4<Float> {
  let t = unit(value)
  return t * t * (3 - 2 * t)
}

/// Cut to 0...1, by masks: a comparison and a blend.
@inline(__always) func unit(_ value: SIMD4<Float>) -> SIMD4<Float> {
  let positive = value.replacing(with: 0, where: value .< 0)
  return positive.replacing(with: 1, where: positive .> 1)
}

/// Rounded to whole numbers; the values must be in 0..<2^22.
@inline(__always) func roundedBytes(_ value: SIMD4<Float>) -> Pixels4 {
  // 1.5 × 2^23: the sum's lowest bits are the rounded number.
  unsafeBitCast(value + 12_582_912, to: Pixels4.self) &- 0x4B40_0000
}

/// The same with a sign, for values in -2^22..<2^22.
@inline(__always) func roundedIntegers(_ value: SIMD4<Float>) -> SIMD4<Int32> {
  unsafeBitCast(value + 12_582_912, to: SIMD4<Int32>.self) &- 0x4B40_0000
}

/// A pixel of a colour whose numbers are cut to 0...1.
@inline(__always) func packed(_ color: SIMD4<Float>) -> UInt32 {
  let bytes = roundedBytes(unit(color) * 255)
  return bytes.x | bytes.y << 8 | bytes.z << 16 | bytes.w << 24
}

/// The numbers of a pixel, 0...1.
@inline(__always) func unpacked(_ pixel: UInt32) -> SIMD4<Float> {
  SIMD4<Float>(SIMD4<Int32>(truncatingIfNeeded: unsafeBitCast(pixel, to: SIMD4<UInt8>.self))) * (1 / 255)
}
