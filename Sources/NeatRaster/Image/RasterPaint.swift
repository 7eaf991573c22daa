// The raster layer's colour adjustments, in MapLibre's order: hue, saturation, contrast, brightness, then
// opacity. Each is linear in red, green and blue, so that all together are one 3×3 matrix and an offset,
// applied to the straight colour.
import NeatBase

/// The paint properties of a raster layer. The defaults change nothing.
package struct RasterPaint: Sendable, Equatable {
  /// 0...1.
  package var opacity: Float = 1
  /// Degrees.
  package var hueRotate: Float = 0
  /// -1...1.
  package var saturation: Float = 0
  /// -1...1.
  package var contrast: Float = 0
  /// 0...1.
  package var brightnessMin: Float = 0
  /// 0...1.
  package var brightnessMax: Float = 1
  /// raster-resampling nearest.
  package var isNearest = false
  /// Whether a pixel that is seen aslant is the mean of several samples.
  package var isAnisotropic = false
  /// Whether pixels add up with those that are there: of pictures whose opacities are shares of one.
  package var isAdded = false

  /// How many at most.
  var samples: Float { isAnisotropic && !isNearest ? Footprint.limit : 1 }

  package init() {}

  var changesColor: Bool {
    hueRotate != 0 || saturation != 0 || contrast != 0 || brightnessMin != 0 || brightnessMax != 1
  }
}

/// out = matrix · rgb + offset, components in 0...1; columns are what red, green and blue contribute.
package struct ColorTransform {
  package var red: SIMD4<Float>
  package var green: SIMD4<Float>
  package var blue: SIMD4<Float>
  package var offset: SIMD4<Float>

  package init(_ paint: RasterPaint) {
    let angle = paint.hueRotate * .pi / 180
    let (s, c) = (sin(angle), cos(angle))
    let root = Float(3).squareRoot()
    let a = (2 * c + 1) / 3
    let b = (-root * s - c + 1) / 3
    let d = (root * s - c + 1) / 3
    // Rows (a, b, d), (d, a, b), (b, d, a).
    red = SIMD4(a, d, b, 0)
    green = SIMD4(b, a, d, 0)
    blue = SIMD4(d, b, a, 0)
    offset = .zero
    let saturation = paint.saturation > 0 ? 1 - 1 / (1.001 - paint.saturation) : -paint.saturation
    func saturated(_ v: SIMD4<Float>) -> SIMD4<Float> {
      let average = (v.x + v.y + v.z) / 3
      return v + (SIMD4(average, average, average, 0) - v) * saturation
    }
    (red, green, blue) = (saturated(red), saturated(green), saturated(blue))
    let contrast = paint.contrast > 0 ? 1 / (1 - min(paint.contrast, 0.9999)) : 1 + paint.contrast
    scale(contrast, 0.5 - 0.5 * contrast)
    scale(paint.brightnessMax - paint.brightnessMin, paint.brightnessMin)
  }

  private mutating func scale(_ factor: Float, _ shift: Float) {
    (red, green, blue) = (red * factor, green * factor, blue * factor)
    offset = offset * factor + SIMD4(shift, shift, shift, 0)
  }

  /// A premultiplied pixel, transformed and premultiplied again.
  @inline(__always) func callAsFunction(_ pixel: UInt32) -> UInt32 {
    let alpha = Float(pixel >> 24)
    if alpha == 0 { return 0 }
    let r = Float(pixel & 255)
    let g = Float(pixel >> 8 & 255)
    let b = Float(pixel >> 16 & 255)
    // The straight colour times alpha is the premultiplied one: only the offset needs alpha.
    let sum = red * r + green * g + blue * b + offset * alpha
    let low = sum.replacing(with: 0, where: sum .< 0)
    let value = roundedBytes(low.replacing(with: alpha, where: low .> alpha))
    return value.x | value.y << 8 | value.z << 16 | (pixel & 0xFF00_0000)
  }
}
