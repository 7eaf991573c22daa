import NeatBase
import NeatText
import Testing

@Suite(.enabled(if: SharedData.isAvailable, "no ../shared"))
struct FontTests {
  private func store(_ fonts: String...) throws -> (GlyphStore, FontStackID) {
    let store = GlyphStore()
    for font in fonts { try store.addFont(try #require(SharedData.font(font))) }
    return (store, store.fontStack("Noto Sans Regular"))
  }

  private func shape(
    _ text: String, _ store: GlyphStore, _ stack: FontStackID,
    _ change: (inout ShapingOptions) -> Void = { _ in }
  )
    -> Shaping?
  {
    var options = ShapingOptions()
    change(&options)
    return shapeText(
      [TextSection(text: text, fontStack: stack)], store: store, images: { _ in nil }, options: options)
  }

  @Test func aFontNamesItselfAndItsGlyphs() throws {
    let face = try #require(SharedData.font("NotoSans-Regular.ttf"))
    #expect(face.name == "Noto Sans Regular")
    #expect(face.glyphIndex(0x41) != 0)
    #expect(face.glyphIndex(0x905) == 0)
    #expect(face.ascender == 26)
  }

  /// Glyphs drawn from a font must be near what the glyph server makes of the same font, so that both mix in
  /// one label.
  @Test func drawnGlyphsAgreeWithThoseOfAGlyphServer() throws {
    let drawn = try store("NotoSans-Regular.ttf")
    let served = GlyphStore()
    let stack = served.fontStack("Noto Sans Regular")
    try served.load(
      range: 0, fontStack: stack,
      pbf: try #require(SharedData.bytes("data/glyphs/Noto Sans Regular/0-255.pbf")))
    var compared = 0
    var sameBox = 0
    var difference = 0
    var pixels = 0
    for codepoint in UInt32(0x21)..<0x7F {
      let mine = try #require(drawn.0.glyph(fontStack: drawn.1, codepoint: codepoint))
      let theirs = try #require(served.glyph(fontStack: stack, codepoint: codepoint))
      compared += 1
      #expect(abs(mine.metrics.advance - theirs.metrics.advance) <= 1)
      #expect(abs(mine.metrics.top - theirs.metrics.top) <= 1)
      #expect(abs(mine.metrics.left - theirs.metrics.left) <= 1)
      guard mine.bitmapWidth == theirs.bitmapWidth && mine.bitmapHeight == theirs.bitmapHeight else {
        continue
      }
      sameBox += 1
      for index in 0..<Int(mine.bitmapWidth * mine.bitmapHeight) {
        difference += abs(Int(mine.pixels![index]) - Int(theirs.pixels![index]))
        pixels += 1
      }
    }
    print(
      "same box: \(sameBox) of \(compared), mean difference \(Double(difference) / Double(max(1, pixels)))")
    #expect(sameBox * 10 >= compared * 9)
    #expect(Double(difference) / Double(max(1, pixels)) < 4)
  }

  @Test func fontsServeTextWithoutAGlyphServer() throws {
    let (store, stack) = try store("NotoSans-Regular.ttf")
    let shaping = try #require(shape("Zürich Київ Αθήνα", store, stack))
    #expect(shaping.glyphs.count == 17)
    #expect(shaping.glyphs.allSatisfy { $0.glyph >= 0 })
  }

  @Test func devanagariIsShapedByItsFont() throws {
    let (store, stack) = try store("NotoSans-Regular.ttf", "NotoSansDevanagari-Regular.ttf")
    // Hindi: the vowel sign i is drawn before its consonant, and consonants join.
    let shaping = try #require(shape("हिन्दी", store, stack))
    #expect(shaping.glyphs.count < 6)
    let vowel = store.glyph(shaping.glyphs[0].glyph)
    let consonant = store.glyph(shaping.glyphs[1].glyph)
    #expect(vowel.handle != consonant.handle)
    #expect(shaping.glyphs[0].x <= shaping.glyphs[1].x)
    #expect(shaping.glyphs.allSatisfy { $0.glyph >= 0 })
    #expect(shaping.right - shaping.left > 30)
  }

  @Test func arabicIsJoinedAndReadsFromTheRight() throws {
    let (store, stack) = try store("NotoSans-Regular.ttf", "NotoNaskhArabic-Regular.ttf")
    let alone = try #require(shape("م", store, stack))
    let shaping = try #require(shape("ممم", store, stack))
    #expect(shaping.glyphs.count == 3)
    // Initial, medial and final forms differ from each other and from the letter alone.
    #expect(Set(shaping.glyphs.map { $0.glyph } + alone.glyphs.map { $0.glyph }).count == 4)
    let mixed = try #require(shape("ab مم", store, stack))
    #expect(mixed.glyphs.prefix(2).map { $0.codepoint } == [0x61, 0x62])
  }

  @Test func marksStandOnTheirBase() throws {
    let (store, stack) = try store("NotoSans-Regular.ttf")
    let plain = try #require(shape("q", store, stack))
    let marked = try #require(shape("q\u{0308}", store, stack))
    #expect(marked.glyphs.count == 2)
    #expect(abs(marked.right - marked.left - (plain.right - plain.left)) < 0.01)
  }

  @Test func longComplexTextBreaksIntoLines() throws {
    let (store, stack) = try store("NotoSans-Regular.ttf", "NotoSansDevanagari-Regular.ttf")
    let text = Array(repeating: "हिन्दी", count: 12).joined(separator: " ")
    let shaping = try #require(shape(text, store, stack) { $0.maxWidth = 10 * oneEm })
    #expect(shaping.lines.count > 2)
    #expect(shaping.right - shaping.left < 14 * oneEm)
  }

  @Test func aFallbackFontSharesTheBaseline() throws {
    let (store, stack) = try store("NotoSans-Regular.ttf", "Roboto-Regular.ttf")
    let roboto = store.fontStack("Roboto Regular")
    let a = try #require(store.glyph(fontStack: stack, codepoint: 0x48))
    let b = try #require(store.glyph(fontStack: roboto, codepoint: 0x48))
    // Each stack is set by the ascender of the font that it names.
    #expect(a.metrics.top - b.metrics.top != 0)
    #expect(store.glyph(fontStack: stack, codepoint: 0x48)?.handle == a.handle)
  }

  @Test func aServedGlyphReplacesADrawnOne() throws {
    let (store, stack) = try store("NotoSans-Regular.ttf")
    let drawn = try #require(store.glyph(fontStack: stack, codepoint: 0x41))
    #expect(drawn.isFromFont)
    try store.load(
      range: 0, fontStack: stack,
      pbf: try #require(SharedData.bytes("data/glyphs/Noto Sans Regular/0-255.pbf")))
    let served = try #require(store.glyph(fontStack: stack, codepoint: 0x41))
    #expect(!served.isFromFont)
    #expect(store.glyph(drawn.handle).codepoint == 0x41)
  }

  @Test func brokenFontsAreRefusedByName() throws {
    #expect(throws: NeatError.self) { try FontFace(parsing: [], resource: "empty.ttf") }
    do {
      _ = try FontFace(parsing: [UInt8](repeating: 7, count: 5000), resource: "noise.ttf")
      Issue.record("noise was taken for a font")
    } catch {
      #expect(error.code == .font)
      #expect(error.resource == "noise.ttf")
    }
    let bytes = try #require(SharedData.bytes("data/ttf/Roboto-Regular.ttf"))
    #expect(throws: NeatError.self) { try FontFace(parsing: bytes, index: 7) }
  }

  @Test func damagedFontsNeitherTrapNorHang() throws {
    let bytes = try #require(SharedData.bytes("data/ttf/NotoSansDevanagari-Regular.ttf"))
    var random = SystemRandomNumberGenerator()
    for round in 0..<40 {
      var damaged =
        round % 4 == 0 ? Array(bytes.prefix(Int.random(in: 0..<bytes.count, using: &random))) : bytes
      for _ in 0..<(round * 4) where !damaged.isEmpty {
        damaged[Int.random(in: 0..<damaged.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      guard let face = try? FontFace(parsing: damaged) else { continue }
      let store = GlyphStore()
      try store.addFont(face)
      _ = shape("हिन्दी abc", store, store.fontStack("x"))
    }
  }
}
