import NeatBase
import NeatRaster
import NeatText

/// A text of an ornament, set in lines: shaped as labels are, in the glyphs of the style.
struct OrnamentText {
  private let shaping: Shaping
  private let fontSize: Double
  private let store: GlyphStore

  /// Logical pixels of the lines.
  let size: SIMD2<Double>

  /// - Parameter maxWidth: logical pixels that lines are broken for.
  /// - Returns: nil where there is nothing to draw, or nothing to draw it with.
  init?(
    _ text: String, size fontSize: Double, _ stack: FontStackID, _ store: GlyphStore,
    maxWidth: Double = .infinity, justify: TextJustify = .left
  ) {
    var options = ShapingOptions()
    options.anchor = .topLeft
    options.justify = justify
    options.lineHeight = OrnamentText.lineHeight * oneEm
    options.maxWidth = maxWidth * oneEm / fontSize
    let section = TextSection(text: text, fontStack: stack)
    guard let shaping = shapeText([section], store: store, images: { _ in nil }, options: options),
      shaping.glyphs.contains(where: { $0.glyph >= 0 })
    else { return nil }
    self.shaping = shaping
    self.fontSize = fontSize
    self.store = store
    size = SIMD2(shaping.right - shaping.left, shaping.bottom - shaping.top) * (fontSize / oneEm)
  }

  private static let lineHeight = 1.2

  /// Draws it with its top left corner at a place in logical pixels.
  func draw(
    on canvas: OrnamentCanvas, at place: SIMD2<Double>, _ color: Premultiplied,
    halo: Premultiplied = .transparent, haloWidth: Double = 0, _ scratch: RasterScratch
  ) {
    let em = fontSize / oneEm
    let corner = place - SIMD2(shaping.left, shaping.top) * em
    var quads: [GlyphQuad] = []
    quads.reserveCapacity(shaping.glyphs.count)
    for line in shaping.lines {
      for glyph in shaping.glyphs[line.range] where glyph.glyph >= 0 {
        let field = store.glyph(glyph.glyph)
        guard let pixels = field.pixels, field.bitmapWidth > 0, field.bitmapHeight > 0 else { continue }
        let scale = Double(glyph.scale)
        let border = Double(Glyph.border)
        let texel = SIMD2(
          Double(glyph.x) + (Double(glyph.metrics.left) - border) * scale,
          Double(glyph.y) - (Double(glyph.metrics.top) + border) * scale)
        let at = (corner + texel * em) * canvas.scale
        quads.append(
          GlyphQuad(
            bitmap: pixels, width: Int(field.bitmapWidth), height: Int(field.bitmapHeight),
            map: Projection(scale: scale * em * canvas.scale, x: at.x, y: at.y), paint: 0))
      }
    }
    let paint = GlyphPaint(
      fill: color, halo: halo, haloWidth: Float(haloWidth), fontScale: Float(em))
    withUnsafePointer(to: paint) { paint in
      let paints = UnsafeBufferPointer(start: paint, count: 1)
      quads.withUnsafeBufferPointer { quads in
        for pass in [GlyphPass.halo, .fill] {
          drawGlyphs(
            quads, paints: paints, pass: pass, pixelRatio: Float(canvas.scale), band: canvas.band, scratch)
        }
      }
    }
  }
}
