import NeatBase
import NeatText
import Testing

/// Whatever the text and the options, shaping ends, and what it gives is consistent.
struct TextFuzzTests {
  private static let alphabets: [ClosedRange<UInt32>] = [
    0x0...0x7F, 0x300...0x36F, 0x590...0x6FF, 0x900...0x97F, 0xE00...0xE7F, 0x2000...0x206F, 0x3000...0x30FF,
    0x4E00...0x4E40,
    0xFB50...0xFEFF, 0x10A00...0x10A5F, 0x0...0xD7FF, 0x10000...0x10FFFF,
  ]

  private func randomText(_ random: inout SystemRandomNumberGenerator) -> String {
    var view = String.UnicodeScalarView()
    for _ in 0..<Int.random(in: 0...40, using: &random) {
      let alphabet = TextFuzzTests.alphabets.randomElement(using: &random)!
      if let scalar = Unicode.Scalar(UInt32.random(in: alphabet, using: &random)) { view.append(scalar) }
      if Bool.random(using: &random) && Bool.random(using: &random) { view.append(" ") }
    }
    return String(view)
  }

  private func check(_ shaping: Shaping, _ store: GlyphStore) {
    var next: Int32 = 0
    for line in shaping.lines {
      #expect(line.start == next && line.end >= line.start)
      next = line.end
    }
    #expect(Int(next) == shaping.glyphs.count)
    for glyph in shaping.glyphs {
      #expect((glyph.glyph >= 0) != (glyph.image >= 0))
      if glyph.image >= 0 {
        #expect(Int(glyph.image) < shaping.images.count)
      } else {
        #expect(store.glyph(glyph.glyph).handle == glyph.glyph)
      }
    }
  }

  private func shapeManyTexts(_ store: GlyphStore, _ stack: FontStackID, rounds: Int) {
    var random = SystemRandomNumberGenerator()
    for _ in 0..<rounds {
      var options = ShapingOptions()
      options.maxWidth = [0, 24, 100, 240, .infinity, -5, .nan].randomElement(using: &random)!
      options.letterSpacing = [0, 0, 3, -30].randomElement(using: &random)!
      options.layoutTextSize = [16, 0, 1e-30, 12].randomElement(using: &random)!
      options.writingMode = Bool.random(using: &random) ? .horizontal : .vertical
      options.allowVerticalPlacement = Bool.random(using: &random)
      options.anchor = TextAnchor.allCases.randomElement(using: &random)!
      let sections = (0..<Int.random(in: 1...3, using: &random)).map { index in
        TextSection(
          text: randomText(&random), scale: [1, 0.5, 2, 0].randomElement(using: &random)!, fontStack: stack,
          imageName: index == 1 ? "dot" : nil)
      }
      for section in sections { _ = store.missingRanges(for: section.text, fontStack: stack, vertical: true) }
      let shaping = shapeText(
        sections, store: store, images: { _ in ImagePosition(paddedWidth: 10, paddedHeight: 10) },
        options: options)
      if let shaping { check(shaping, store) }
    }
  }

  @Test func randomTextWithServedGlyphs() throws {
    let (store, stack) = try plainStore()
    let metrics = GlyphMetrics(width: 5, height: 5, left: 0, top: -10, advance: 7)
    for codepoint in UInt32(0x5D0)..<0x700 {
      try store.insert(codepoint: codepoint, fontStack: stack, metrics: metrics)
    }
    for codepoint in UInt32(0xFE70)..<0xFEFF {
      try store.insert(codepoint: codepoint, fontStack: stack, metrics: metrics)
    }
    shapeManyTexts(store, stack, rounds: 400)
  }

  @Test(.enabled(if: SharedData.isAvailable, "no ../shared"))
  func randomTextWithFonts() throws {
    let store = GlyphStore()
    for font in ["NotoSans-Regular.ttf", "NotoSansDevanagari-Regular.ttf", "NotoNaskhArabic-Regular.ttf"] {
      try store.addFont(try #require(SharedData.font(font)))
    }
    shapeManyTexts(store, store.fontStack("Noto Sans Regular"), rounds: 60)
  }

  @Test(.enabled(if: SharedData.isAvailable, "no ../shared"))
  func fontsServeManyThreads() async throws {
    let store = GlyphStore()
    for font in ["NotoSans-Regular.ttf", "NotoSansDevanagari-Regular.ttf"] {
      try store.addFont(try #require(SharedData.font(font)))
    }
    let stack = store.fontStack("Noto Sans Regular")
    let widths = await withTaskGroup(of: Double.self) { group in
      for _ in 0..<4 {
        group.addTask {
          let sections = [TextSection(text: "Delhi हिन्दी दिल्ली", fontStack: stack)]
          var width = 0.0
          for _ in 0..<50 {
            guard
              let shaping = shapeText(sections, store: store, images: { _ in nil }, options: ShapingOptions())
            else { return -1 }
            width = shaping.right - shaping.left
          }
          return width
        }
      }
      return await group.reduce(into: [Double]()) { $0.append($1) }
    }
    #expect(Set(widths).count == 1)
    #expect(widths[0] > 100)
  }

  @Test(.enabled(if: SharedData.isAvailable, "no ../shared"))
  func moreFontsThanTheLimitAreRefused() throws {
    let store = GlyphStore()
    let face = try #require(SharedData.font("Roboto-Regular.ttf"))
    for _ in 0..<GlyphStore.maxFonts { try store.addFont(face) }
    #expect(throws: NeatError.self) { try store.addFont(face) }
  }
}
