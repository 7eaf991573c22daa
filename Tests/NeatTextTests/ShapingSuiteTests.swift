import NeatBase
import NeatJSON
import NeatText
import Testing

/// The public shaping suite: positions of glyphs and images, exactly.
@Suite(.enabled(if: SharedData.isAvailable, "no ../shared"))
struct ShapingSuiteTests {
  private func check(
    _ name: String, _ sections: [TextSection], _ store: GlyphStore, _ change: (inout ShapingOptions) -> Void
  ) throws {
    var options = ShapingOptions()
    options.maxWidth = 15 * oneEm
    change(&options)
    let images: [String: ImagePosition] = [
      "square": ImagePosition(paddedWidth: 16, paddedHeight: 16),
      "tall": ImagePosition(paddedWidth: 16, paddedHeight: 32),
      "wide": ImagePosition(paddedWidth: 32, paddedHeight: 16),
    ]
    let expected = try #require(SharedData.json("conformance/symbol-shaping/text-shaping-\(name).json"))
    let shaping = try #require(shapeText(sections, store: store, images: { images[$0] }, options: options))
    #expect(shaping.text == expected["text"]?.string)
    #expect(shaping.top == expected["top"]?.number)
    #expect(shaping.bottom == expected["bottom"]?.number)
    #expect(shaping.left == expected["left"]?.number)
    #expect(shaping.right == expected["right"]?.number)
    #expect(Double(shaping.writingMode.rawValue) == expected["writingMode"]?.number)
    #expect(shaping.iconsInText == expected["iconsInText"]?.bool)
    #expect(shaping.verticalizable == expected["verticalizable"]?.bool)
    let lines = try #require(expected["positionedLines"])
    try #require(lines.count == shaping.lines.count)
    for (line, expectedLine) in zip(shaping.lines, lines.elements) {
      #expect(Double(line.lineOffset) == expectedLine["lineOffset"]?.number)
      let expectedGlyphs = try #require(expectedLine["positionedGlyphs"])
      try #require(line.range.count == expectedGlyphs.count)
      for (glyph, wanted) in zip(shaping.glyphs[line.range], expectedGlyphs.elements) {
        #expect(Double(glyph.codepoint) == wanted["glyph"]?.number)
        #expect(Double(glyph.x) == wanted["x"]?.number)
        #expect(Double(glyph.y) == wanted["y"]?.number)
        #expect(Double(glyph.scale) == wanted["scale"]?.number)
        #expect(glyph.vertical == wanted["vertical"]?.bool)
        #expect(Double(glyph.sectionIndex) == wanted["sectionIndex"]?.number)
        #expect(
          (glyph.image < 0 ? nil : shaping.images[Int(glyph.image)].name) == wanted["imageName"]?.string)
        #expect((glyph.image < 0 ? store.name(of: glyph.fontStack) : "") == wanted["fontStack"]?.string)
        let metrics = try #require(wanted["metrics"])
        #expect(Double(glyph.metrics.width) == metrics["width"]?.number)
        #expect(Double(glyph.metrics.height) == metrics["height"]?.number)
        #expect(Double(glyph.metrics.left) == metrics["left"]?.number)
        #expect(Double(glyph.metrics.top) == metrics["top"]?.number)
        #expect(Double(glyph.metrics.advance) == metrics["advance"]?.number)
        if glyph.image >= 0 {
          let position = shaping.images[Int(glyph.image)].position
          #expect(Double(position.paddedWidth) == wanted["rect"]?["w"]?.number)
          #expect(Double(position.paddedHeight) == wanted["rect"]?["h"]?.number)
        }
      }
    }
  }

  @Test(arguments: [
    ("default", "abcde", 15.0, 0.0), ("spacing", "abcde", 15, 3), ("linebreak", "abcde abcde", 4, 0),
    ("newline", "abcde\nabcde", 15, 0),
    ("newlines-in-middle", "abcde\n\nabcde", 15, 0), ("null", "hi\0", 15, 0),
    ("break-before-bracket", "oooooooo(aaaaaaaaa)", 5, 0),
    ("zero-width-space", "三三\u{200b}三三\u{200b}三三\u{200b}三三三三三三\u{200b}三三", 5, 0),
  ])
  func plainTextMatchesTheSuite(_ name: String, _ text: String, _ ems: Double, _ spacing: Double) throws {
    let (store, stack) = try #require(try SharedData.testStore())
    try check(name, [TextSection(text: text, fontStack: stack)], store) {
      $0.maxWidth = ems * oneEm
      $0.letterSpacing = spacing
    }
  }

  @Test(arguments: [false, true])
  func imagesInTextMatchTheSuite(_ vertical: Bool) throws {
    let (store, stack) = try #require(try SharedData.testStore())
    func text(_ text: String) -> TextSection { TextSection(text: text, fontStack: stack) }
    func image(_ name: String) -> TextSection { TextSection(text: "", fontStack: stack, imageName: name) }
    let first = text(vertical ? "三" : "Foo")
    let middle = text(vertical ? "\u{200b}" : "\n")
    let last = text(vertical ? "三" : " bar")
    let sections = [first, image("square"), image("wide"), middle, image("tall"), image("square"), last]
    try check(vertical ? "images-vertical" : "images-horizontal", sections, store) {
      $0.maxWidth = 5 * oneEm
      if vertical {
        $0.writingMode = .vertical
        $0.allowVerticalPlacement = true
      }
    }
  }
}
