// What the symbol layer draws: signed distance fields (glyphs, and icons of SDF sprites) and coloured icons,
// as quads that the caller has placed. A distance field is 8 bits a texel, 192 on the outline, falling by 32
// a texel outwards, with a border of 3 texels (MapLibre's glyph format).

import NeatBase

/// One distance-field quad. The bitmap must outlive the drawing.
package struct GlyphQuad: @unchecked Sendable, BitwiseCopyable {  // what it points to is not written to
  /// `height` rows of `width` texels, `stride` bytes apart.
  package var bitmap: UnsafePointer<UInt8>
  package var stride: Int32
  package var width: Int32
  package var height: Int32
  /// Which of the paints it is drawn with.
  package var paint: Int32
  /// Texels to pixels; texel (0, 0) is the corner of the border.
  package var map: Projection
  /// The texels to draw. Outside the bitmap the field is 0.
  package var rect: TexelRect
  package var half: QuadHalf
  var bounds: PixelBounds

  /// - Parameter rect: nil for the whole bitmap, with the half texel around it that bilinear sampling
  ///   touches.
  package init(
    bitmap: UnsafePointer<UInt8>, stride: Int? = nil, width: Int, height: Int, map: Projection,
    rect: TexelRect? = nil, half: QuadHalf = .whole, paint: Int
  ) {
    self.bitmap = bitmap
    self.stride = Int32(stride ?? width)
    self.width = Int32(width)
    self.height = Int32(height)
    self.map = map
    self.paint = Int32(paint)
    self.half = half
    self.rect = rect ?? TexelRect(u0: -0.5, v0: -0.5, u1: Float(width) + 0.5, v1: Float(height) + 0.5)
    bounds = PixelBounds(map, self.rect)
  }
}

/// How a symbol's distance fields are coloured.
package struct GlyphPaint: Sendable, BitwiseCopyable {
  /// Fill and halo, opacity and fading included.
  package var fill: Premultiplied
  package var halo: Premultiplied
  /// Halo width and blur in pixels, at least 0.
  package var haloWidth: Float
  package var haloBlur: Float
  /// Size of the drawn text over 24 (glyphs), or icon-size (icons).
  package var fontScale: Float
  /// Widens the soft edge where perspective makes the symbol smaller: clip-space w over cos(pitch) × camera
  /// distance, 1 for symbols in the viewport's plane.
  package var gammaScale: Float

  package init(
    fill: Premultiplied, halo: Premultiplied = .transparent, haloWidth: Float = 0, haloBlur: Float = 0,
    fontScale: Float,
    gammaScale: Float = 1
  ) {
    self.fill = fill
    self.halo = halo
    self.haloWidth = haloWidth
    self.haloBlur = haloBlur
    self.fontScale = fontScale
    self.gammaScale = gammaScale
  }
}

package enum GlyphPass: Sendable {
  case halo, fill
}

/// A coloured icon, or a piece of one. The pixels must outlive the drawing.
package struct IconQuad: @unchecked Sendable, BitwiseCopyable {  // what it points to is not written to
  /// Premultiplied texels, `height` rows of `width`, `stride` texels apart.
  package var pixels: UnsafePointer<UInt32>
  package var stride: Int32
  package var width: Int32
  package var height: Int32
  /// Texels to pixels.
  package var map: Projection
  /// The texels to draw; outside the picture there is nothing, so that a rectangle one texel larger than it
  /// gives soft edges.
  package var rect: TexelRect
  package var half: QuadHalf
  /// 0...255.
  package var opacity: UInt8
  /// Take the nearest texel instead of blending four.
  package var isNearest: Bool
  var bounds: PixelBounds

  package init(
    pixels: UnsafePointer<UInt32>, stride: Int? = nil, width: Int, height: Int, map: Projection,
    rect: TexelRect? = nil, half: QuadHalf = .whole, opacity: Float = 1, isNearest: Bool = false
  ) {
    self.pixels = pixels
    self.stride = Int32(stride ?? width)
    self.width = Int32(width)
    self.height = Int32(height)
    self.map = map
    self.rect = rect ?? TexelRect(u0: -1, v0: -1, u1: Float(width) + 1, v1: Float(height) + 1)
    self.opacity = UInt8(saturating: min(max(opacity, 0), 1) * 255 + 0.5)
    self.isNearest = isNearest
    self.half = half
    bounds = PixelBounds(map, self.rect)
  }
}
