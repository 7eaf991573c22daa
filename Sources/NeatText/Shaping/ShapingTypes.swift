import NeatBase

/// Where a smaller section stands in a line that is higher than itself.
package enum SectionAlign: UInt8, Sendable, BitwiseCopyable {
  case bottom, center, top
}

/// A stretch of a label of one font and size, or one image in it.
package struct TextSection: Sendable {
  package var text: String
  /// Size relative to the label's own.
  package var scale: Double
  package var fontStack: FontStackID
  /// Set for an image; `text`, `scale` and `fontStack` do not count then.
  package var imageName: String?
  /// Overrides the layer's text colour; shaping carries it by the section's index only.
  package var color: Color?
  package var verticalAlign: SectionAlign

  package init(
    text: String, scale: Double = 1, fontStack: FontStackID, imageName: String? = nil, color: Color? = nil,
    verticalAlign: SectionAlign = .bottom
  ) {
    self.text = text
    self.scale = scale
    self.fontStack = fontStack
    self.imageName = imageName
    self.color = color
    self.verticalAlign = verticalAlign
  }
}

/// How a label is set. Lengths are in 24ths of an em.
package struct ShapingOptions: Sendable {
  /// Width that lines are broken for; infinite for labels that are not broken (those along lines).
  package var maxWidth: Double = .infinity
  package var lineHeight: Double = oneEm
  package var anchor: TextAnchor = .center
  package var justify: TextJustify = .center
  package var letterSpacing: Double = 0
  package var translate: SIMD2<Double> = .zero
  package var writingMode: WritingMode = .horizontal
  /// Whether `text-writing-mode` allows the label to stand upright at a point.
  package var allowVerticalPlacement = false
  /// Text size in pixels at the zoom of the tile + 1, which line breaking measures images by.
  package var layoutTextSize: Double = 16
  /// Text size in pixels at the zoom of the tile, which images are drawn by.
  package var layoutTextSizeThisZoom: Double = 16

  package init() {}
}

/// How an image's content area is kept in proportion when it is stretched to its text.
package enum TextFit: UInt8, Sendable {
  case stretchOrShrink, stretchOnly, proportional
}

/// What shaping must know of an image.
package struct ImagePosition: Sendable, Hashable {
  /// A number of the caller's, handed through.
  package var id: Int32
  /// Size in the atlas, with a pixel of padding on each side, in image pixels.
  package var paddedWidth: Float
  package var paddedHeight: Float
  package var pixelRatio: Double
  /// Parts that stretch, from and to in image pixels; nil where everything does.
  package var stretchX: [SIMD2<Double>]?
  package var stretchY: [SIMD2<Double>]?
  /// Left, top, right, bottom of the area that text covers, in image pixels.
  package var content: SIMD4<Double>?
  package var textFitWidth: TextFit?
  package var textFitHeight: TextFit?
  package var isSDF: Bool

  package init(
    id: Int32 = 0, paddedWidth: Float, paddedHeight: Float, pixelRatio: Double = 1, isSDF: Bool = false
  ) {
    self.id = id
    self.paddedWidth = paddedWidth
    self.paddedHeight = paddedHeight
    self.pixelRatio = pixelRatio
    self.isSDF = isSDF
  }

  /// Pixels around an image in the atlas.
  package static let padding = 1

  /// Size without the padding in logical pixels.
  package var displaySize: SIMD2<Double> {
    SIMD2((Double(paddedWidth) - 2) / pixelRatio, (Double(paddedHeight) - 2) / pixelRatio)
  }
}

/// A glyph or image at its place in a label.
package struct PositionedGlyph: Sendable, BitwiseCopyable {
  /// The character, an image's stand-in (U+E000 and on), or 0 for a glyph that a font's shaping chose.
  package var codepoint: UInt32
  /// The glyph in its store; -1 for an image.
  package var glyph: Int32
  /// Index in `Shaping.images`; -1 for text.
  package var image: Int32
  package var sectionIndex: Int32
  package var fontStack: FontStackID
  /// The pen relative to the label's anchor, in 24ths of an em; y grows downwards.
  package var x: Float
  package var y: Float
  package var scale: Float
  package var metrics: GlyphMetrics
  /// Whether it stands upright in a vertical label.
  package var vertical: Bool
}

package struct PositionedLine: Sendable, BitwiseCopyable {
  /// The line's part of `Shaping.glyphs`.
  package var start: Int32
  package var end: Int32
  /// How far glyphs are pushed down by what is larger than an em in the line, in 24ths of an em.
  package var lineOffset: Float

  package var range: Range<Int> { Int(start)..<Int(end) }
}

/// An image in a label.
package struct PositionedImage: Sendable {
  package var name: String
  package var position: ImagePosition
}

/// A label set in lines. Lengths are in 24ths of an em.
package struct Shaping: Sendable {
  package var glyphs: [PositionedGlyph]
  package var lines: [PositionedLine]
  package var images: [PositionedImage]
  package var top: Double
  package var bottom: Double
  package var left: Double
  package var right: Double
  package var writingMode: WritingMode
  /// What was set, in logical order; images are U+E000 and on.
  package var text: String
  /// Whether the label asked for images, found or not.
  package var iconsInText: Bool
  /// Whether a glyph stands upright in a vertical label.
  package var verticalizable: Bool
}
