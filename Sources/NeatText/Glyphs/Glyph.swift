import NeatBase

/// An interned font stack: the names of its fonts joined by commas. Valid in the store that gave it.
package typealias FontStackID = Int32

/// An interned address that glyph ranges are asked of. Valid in the store that gave it; 0: nobody serves them.
package typealias GlyphServerID = Int32

/// The measures of a glyph in 24ths of an em, as glyph PBFs hold them.
package struct GlyphMetrics: Hashable, Sendable, BitwiseCopyable {
  /// Width and height of the shape, without the border of its distance field.
  package var width: Float
  package var height: Float
  /// From the pen to the left edge of the shape.
  package var left: Float
  /// Minus the distance from the top edge of the shape down to the ascender line.
  package var top: Float
  package var advance: Float

  package init(width: Float, height: Float, left: Float, top: Float, advance: Float) {
    self.width = width
    self.height = height
    self.left = left
    self.top = top
    self.advance = advance
  }

  package static let zero = GlyphMetrics(width: 0, height: 0, left: 0, top: 0, advance: 0)
}

/// A glyph of a `GlyphStore`: measures and distance field.
package struct Glyph: Sendable, BitwiseCopyable {
  /// Pixels around the shape on each side of the bitmap.
  package static let border = 3

  /// Number of the glyph in its store, never reused.
  package var handle: Int32
  /// The character it draws; 0 where a font's shaping chose it by its index.
  package var codepoint: UInt32
  package var metrics: GlyphMetrics
  /// Size of the distance field in pixels, the border included; 0 where there is nothing to draw.
  package var bitmapWidth: Int32
  package var bitmapHeight: Int32
  /// `bitmapWidth * bitmapHeight` bytes, rows from the top: 192 on the outline, one pixel is 32 more inside.
  /// Lives as long as the store.
  package nonisolated(unsafe) var pixels: UnsafePointer<UInt8>?
  /// The picture of a glyph that has colours of its own, in place of `pixels`: `bitmapWidth * bitmapHeight`
  /// premultiplied RGBA texels without a border. Lives as long as the store.
  package nonisolated(unsafe) var colors: UnsafePointer<UInt32>?
  /// Texels of `colors` for a 24th of an em.
  package var texelsPerUnit: Float = 1
  /// Whether it was drawn from a font file rather than sent by a glyph server.
  package var isFromFont: Bool

  package init(
    handle: Int32, codepoint: UInt32, metrics: GlyphMetrics, bitmapWidth: Int32, bitmapHeight: Int32,
    pixels: UnsafePointer<UInt8>?,
    isFromFont: Bool = false
  ) {
    self.handle = handle
    self.codepoint = codepoint
    self.metrics = metrics
    self.bitmapWidth = bitmapWidth
    self.bitmapHeight = bitmapHeight
    self.pixels = pixels
    self.isFromFont = isFromFont
  }
}
