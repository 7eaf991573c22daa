import NeatBase
import NeatTestSupport
import NeatText
import Testing

struct ColorGlyphTests {
  private func store(_ font: String) throws -> (GlyphStore, FontStackID) {
    let store = GlyphStore()
    try store.addFont(try FontFace(parsing: ColorFonts.bytes(font)))
    return (store, store.fontStack("Any"))
  }

  private func texel(_ glyph: Glyph, _ x: Int, _ y: Int) throws -> [UInt8] {
    let colors = try #require(glyph.colors)
    let texel = colors[y * Int(glyph.bitmapWidth) + x]
    return [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: texel >> $0) }
  }

  @Test func layersAreLaidOverEachOther() throws {
    let (store, stack) = try store(ColorFonts.layers)
    let glyph = try #require(store.glyph(fontStack: stack, codepoint: 0x1F534))
    #expect(glyph.pixels == nil)
    #expect(glyph.texelsPerUnit == 2)
    #expect(glyph.metrics.advance == 24)
    #expect(abs(glyph.metrics.width - 19.2) <= 1)
    let (width, height) = (Int(glyph.bitmapWidth), Int(glyph.bitmapHeight))
    #expect(try texel(glyph, width / 2, height / 2) == [0, 0, 255, 255])
    #expect(try texel(glyph, 3, 3) == [255, 0, 0, 255])
  }

  @Test func strikesAreReduced() throws {
    let (store, stack) = try store(ColorFonts.strikes)
    let glyph = try #require(store.glyph(fontStack: stack, codepoint: 0x1F534))
    // 77 of 96 pixels an em, at 48.
    #expect(glyph.texelsPerUnit == 2)
    #expect([glyph.bitmapWidth, glyph.bitmapHeight] == [39, 39])
    #expect(glyph.metrics.left == 2.5)
    #expect(glyph.metrics.width == 19.25)
    #expect(glyph.metrics.advance == 24)
    #expect(try texel(glyph, 2, 20) == [255, 0, 0, 255])
    #expect(try texel(glyph, 30, 20) == [0, 128, 0, 128])
    // The last texels are covered by half.
    #expect(try texel(glyph, 38, 20) == [0, 64, 0, 64])
  }

  @Test func smallStrikesStayAsTheyAre() throws {
    let (store, stack) = try store(ColorFonts.sbix)
    let glyph = try #require(store.glyph(fontStack: stack, codepoint: 0x1F534))
    #expect(abs(glyph.texelsPerUnit - 32.0 / 24) < 1e-6)
    #expect([glyph.bitmapWidth, glyph.bitmapHeight] == [26, 26])
    #expect(try texel(glyph, 2, 13) == [255, 0, 0, 255])
    // What it has no bitmap of is another font's.
    #expect(store.glyph(fontStack: stack, codepoint: 0x1F1E9) == nil)
  }

  /// Outlines and coloured layers of one font are each at their own size.
  @Test func outlinesKeepTheirSize() throws {
    let (store, stack) = try store(ColorFonts.layers)
    for _ in 0..<2 {
      let letter = try #require(store.glyph(fontStack: stack, codepoint: 0x1F1E9))
      #expect(letter.colors == nil)
      #expect(letter.metrics.advance == 24)
      _ = store.glyph(fontStack: stack, codepoint: 0x1F534)
    }
  }

  @Test(arguments: ["layers", "strikes", "sbix"])
  func aSequenceIsOneGlyph(font: String) throws {
    let fonts = ["layers": ColorFonts.layers, "strikes": ColorFonts.strikes, "sbix": ColorFonts.sbix]
    let (store, stack) = try store(try #require(fonts[font]))
    let shaping = try #require(
      shapeText(
        [TextSection(text: "\u{1F1E9}\u{1F1EA}\u{1F534}", fontStack: stack)], store: store,
        images: { _ in nil },
        options: ShapingOptions()))
    #expect(shaping.glyphs.count == 2)
    for glyph in shaping.glyphs { #expect(store.glyph(glyph.glyph).colors != nil) }
    #expect(shaping.glyphs[1].x - shaping.glyphs[0].x == 24)
    #expect(shaping.right - shaping.left == 48)
  }

  /// Bytes turned around anywhere in the file: an error or another picture, and nothing worse.
  @Test func brokenFontsAreRefusedOrDrawn() throws {
    var generator = SplitMix(seed: 9)
    for font in [ColorFonts.layers, ColorFonts.strikes, ColorFonts.sbix] {
      let bytes = ColorFonts.bytes(font)
      for _ in 0..<400 {
        var broken = bytes
        for _ in 0..<4 {
          let place = Int.random(in: 0..<broken.count, using: &generator)
          broken[place] = UInt8.random(in: 0...255, using: &generator)
        }
        guard let face = try? FontFace(parsing: broken) else { continue }
        let store = GlyphStore()
        try store.addFont(face)
        for code: UInt32 in [0x1F534, 0x1F1E9] {
          guard let glyph = store.glyph(fontStack: store.fontStack("Any"), codepoint: code) else { continue }
          #expect(Int(glyph.bitmapWidth) <= FontFace.maxColorSize)
          #expect(Int(glyph.bitmapHeight) <= FontFace.maxColorSize)
        }
      }
    }
  }
}
