import NeatBase
import NeatTestSupport
import NeatText
import Testing

private func set(
  _ text: String, _ store: GlyphStore, _ stack: FontStackID,
  _ change: (inout ShapingOptions) -> Void = { _ in }
) -> Shaping? {
  var options = ShapingOptions()
  change(&options)
  return shapeText(
    [TextSection(text: text, fontStack: stack)], store: store, images: { _ in nil }, options: options)
}

/// The characters of each line from left to right.
private func lines(_ shaping: Shaping?) -> [[UInt32]] {
  guard let shaping else { return [] }
  return shaping.lines.map { line in shaping.glyphs[line.range].sorted { $0.x < $1.x }.map { $0.codepoint } }
}

private func spelled(_ text: String) -> [UInt32] { text.unicodeScalars.map { $0.value } }

private func store(holding text: String) throws -> (GlyphStore, FontStackID) {
  let (store, stack) = try plainStore()
  for scalar in text.unicodeScalars where scalar.value != 10 {
    let metrics = GlyphMetrics(width: 8, height: 12, left: 1, top: -8, advance: 10)
    try store.insert(codepoint: scalar.value, fontStack: stack, metrics: metrics)
  }
  return (store, stack)
}

struct TextTests {
  @Test func nothingToDrawIsNoShaping() throws {
    let (store, stack) = try plainStore()
    #expect(set("", store, stack) == nil)
    #expect(set("  \n ", store, stack) == nil)
    #expect(set("ЖЖ", store, stack) == nil)
    #expect(shapeText([], store: store, images: { _ in nil }, options: ShapingOptions()) == nil)
  }

  @Test func anchorsMoveTheBlock() throws {
    let (store, stack) = try plainStore()
    for anchor in TextAnchor.allCases {
      let shaping = try #require(
        set("ab cd", store, stack) {
          $0.anchor = anchor
          $0.justify = anchor.justify
          $0.maxWidth = 20
          $0.translate = SIMD2(3, 5)
        })
      #expect(shaping.lines.count == 2)
      #expect(shaping.left == 3 - 20 * anchor.horizontalAlign)
      #expect(shaping.right == shaping.left + 20)
      #expect(shaping.top == 5 - 48 * anchor.verticalAlign)
      #expect(shaping.bottom == shaping.top + 48)
    }
  }

  @Test func linesAreJustified() throws {
    let (store, stack) = try plainStore()
    for (justify, x) in [(TextJustify.left, Float(-20)), (.center, -10), (.right, 0)] {
      let shaping = try #require(
        set("abcd\nef", store, stack) {
          $0.justify = justify
        })
      #expect(shaping.glyphs[4].x == x)
    }
  }

  @Test func whiteSpaceAtLineEndsIsTrimmed() throws {
    let (store, stack) = try plainStore()
    let shaping = try #require(set("  ab\t cd  ", store, stack) { $0.maxWidth = 20 })
    #expect(lines(shaping) == [spelled("ab"), spelled("cd")])
  }

  @Test func hebrewReadsFromTheRight() throws {
    let (store, stack) = try store(holding: "אבגד()")
    #expect(lines(set("אבגד", store, stack)) == [spelled("דגבא")])
    #expect(lines(set("ab אב cd", store, stack)) == [spelled("ab בא cd")])
    // Brackets turn around.
    #expect(lines(set("א(ב)", store, stack)) == [spelled("(ב)א")])
  }

  @Test func rightToLeftLinesBreakInReadingOrder() throws {
    let (store, stack) = try store(holding: "אבגד")
    let shaping = set("אבגד דגבא", store, stack) { $0.maxWidth = 45 }
    #expect(lines(shaping) == [spelled("דגבא"), spelled("אבגד")])
  }

  @Test func paragraphsEndLines() throws {
    let (store, stack) = try store(holding: "אב")
    #expect(lines(set("ab\u{1c}אב\ncd", store, stack)) == [spelled("ab"), spelled("בא"), spelled("cd")])
  }

  /// Thai, Lao, Khmer and Burmese have no spaces between words; dictionaries know where a line may end.
  @Test func scriptsWithoutSpacesBreakBetweenWords() throws {
    let texts: [[String]] = [
      ["ประเทศ", "ไทย", "ยินดี", "ต้อนรับ", "นัก", "ท่อง", "เที่ยว"],
      ["ປະເທດ", "ລາວ", "ຍິນດີ", "ຕ້ອນຮັບ"],
      ["ព្រះ", "រាជាណាចក្រ", "កម្ពុជា"],
      ["မြန်မာ", "နိုင်ငံ", "ရန်ကုန်", "မြို့"],
    ]
    for words in texts {
      let text = words.joined()
      let (store, stack) = try store(holding: text)
      let shaping = try #require(set(text, store, stack) { $0.maxWidth = 60 })
      let lines = shaping.lines.map { line in
        String(
          String.UnicodeScalarView(
            shaping.glyphs[line.range].compactMap { Unicode.Scalar($0.codepoint) }))
      }
      #expect(lines.count > 1, "\(text)")
      #expect(lines.joined() == text)
      // Each line is made of whole words, as many as there may be.
      var rest = words[...]
      for line in lines {
        var left = Substring(line)
        while !left.isEmpty, let word = rest.first, left.hasPrefix(word) {
          left.removeFirst(word.count)
          rest.removeFirst()
        }
        #expect(left.isEmpty, "\(lines)")
      }
    }
    let (store, stack) = try store(holding: "ไทย")
    #expect(set("ไทย", store, stack) { $0.maxWidth = 10 }?.lines.count == 1)
  }

  @Test func controlsOfDirectionAreNotDrawn() throws {
    let (store, stack) = try store(holding: "אב\u{200f}\u{202b}\u{202c}")
    #expect(lines(set("\u{200f}א\u{202b}ב\u{202c}", store, stack)) == [spelled("בא")])
  }

  @Test func arabicLettersJoinIntoPresentationForms() throws {
    let (store, stack) = try store(holding: "ﺳﻼﻡﻢسلام")
    // Seen initial, lam-alef ligature final, meem isolated, read from the right.
    #expect(lines(set("سلام", store, stack)) == [[0xFEE1, 0xFEFC, 0xFEB3]])
  }

  @Test func marksStayBehindTheirBase() throws {
    let (store, stack) = try store(holding: "שׁב")
    #expect(set("ש\u{5c1}ב", store, stack)?.glyphs.map { $0.codepoint } == [0x5D1, 0x5E9, 0x5C1])
  }

  @Test func verticalLabelsStandUpright() throws {
    let (store, stack) = try store(holding: "三︵︶()a")
    let shaping = try #require(
      set("三(三)", store, stack) {
        $0.writingMode = .vertical
        $0.allowVerticalPlacement = true
      })
    #expect(shaping.verticalizable)
    #expect(shaping.glyphs.map { $0.codepoint } == spelled("三︵三︶"))
    #expect(shaping.glyphs.allSatisfy { $0.vertical })
    #expect(shaping.right - shaping.left == 96)
    let latin = try #require(set("(a)", store, stack) { $0.writingMode = .vertical })
    #expect(!latin.verticalizable)
    #expect(latin.glyphs.map { $0.codepoint } == spelled("(a)"))
  }

  @Test func whatScriptsAllow() {
    #expect(TextProperties.allowsVerticalWritingMode("a三"))
    #expect(!TextProperties.allowsVerticalWritingMode("abc"))
    #expect(TextProperties.allowsLetterSpacing("abc"))
    #expect(!TextProperties.allowsLetterSpacing("a س"))
    #expect(CharacterProperties.of(0x5D0).contains(.rightToLeft))
    #expect(!CharacterProperties.of(0x44F).contains(.rightToLeft))
    #expect(TextProperties.isSupportedScript("Zürich سلام"))
    #expect(!TextProperties.isSupportedScript("हिन्दी"))
    #expect(CharacterProperties.of(0xFFFF_FFFF).isEmpty)
  }

  /// Blocks of characters that are alike are one in the table: what begins or ends within a block must not reach
  /// its neighbours.
  @Test func characterPropertiesEndWhereTheirRangesDo() {
    func has(_ property: CharacterProperties, _ codepoints: UInt32...) -> [Bool] {
      codepoints.map { CharacterProperties.of($0).contains(property) }
    }
    #expect(
      has(.ideographicBreak, 0x4DBF, 0x4DC0, 0x4DFF, 0x4E00, 0xA4C6, 0xA4C7) == [
        true, false, false, true, true, false,
      ])
    #expect(has(.upright, 0xABFF, 0xAC00, 0xB000, 0xD7FB, 0xD7FC) == [false, true, true, true, false])
    #expect(
      has(.upright, 0x1FFFF, 0x20000, 0x30000, 0x3134A, 0x3134B, 0x3FFFF) == [
        false, true, true, true, false, false,
      ])
    #expect(has(.neutral, 0xDFFF, 0xE000, 0xF000, 0xF8FF, 0xF900) == [false, true, true, true, false])
    #expect(
      has(.whitespace, 0x1F, 0x20, 0x21, 0x2000, 0x200A, 0x200B) == [false, true, false, true, true, false])
    #expect(has(.emoji, 0x1EFFF, 0x1F000, 0x1FAFF, 0x1FB00) == [false, true, true, false])
  }

  @Test func largerSectionsPushTheLineDown() throws {
    let (store, stack) = try plainStore()
    let sections = [
      TextSection(text: "ab", fontStack: stack), TextSection(text: "cd", scale: 2, fontStack: stack),
    ]
    let shaping = try #require(
      shapeText(sections, store: store, images: { _ in nil }, options: ShapingOptions()))
    #expect(shaping.lines[0].lineOffset == 24)
    #expect(shaping.bottom - shaping.top == 48)
    #expect(shaping.right - shaping.left == 60)
    #expect(shaping.glyphs[0].y - shaping.glyphs[2].y == 24)
    #expect(shaping.text == "abcd")
  }

  @Test func theFirstCharacterOfARunFromTheRightIsInTheStyleOfTheNext() throws {
    let (store, stack) = try store(holding: "אבגד")
    let sections = [
      TextSection(text: "אב", scale: 2, fontStack: stack), TextSection(text: " ", fontStack: stack),
      TextSection(text: "cd", scale: 0.5, fontStack: stack), TextSection(text: " ", fontStack: stack),
      TextSection(text: "גד", scale: 2, fontStack: stack),
    ]
    let shaping = try #require(
      shapeText(sections, store: store, images: { _ in nil }, options: ShapingOptions()))
    #expect(lines(shaping) == [spelled("דג cd בא")])
    // The space before the second word begins its run; the one after the first word does not.
    let spaces = shaping.glyphs.filter { $0.codepoint == 0x20 }.sorted { $0.x < $1.x }
    #expect(spaces.map(\.scale) == [2, 1] && spaces.map(\.sectionIndex) == [4, 1])
    #expect(shaping.right - shaping.left == 40 + 20 + 10 + 10 + 40)
  }

  @Test func missingImagesLeaveNoRoom() throws {
    let (store, stack) = try plainStore()
    let sections = [
      TextSection(text: "ab", fontStack: stack), TextSection(text: "", fontStack: stack, imageName: "none"),
    ]
    let shaping = try #require(
      shapeText(sections, store: store, images: { _ in nil }, options: ShapingOptions()))
    #expect(shaping.iconsInText)
    #expect(shaping.images.isEmpty)
    #expect(shaping.right - shaping.left == 20)
  }

  @Test func textBeyondTheLimitIsCutOff() throws {
    let (store, stack) = try plainStore()
    let limit = ShapingLimits.maxTextLength
    let shaping = try #require(set(String(repeating: "a", count: limit + 5), store, stack))
    #expect(shaping.glyphs.count == limit)
    let words = String(repeating: "ab ", count: limit)
    let start = clock()
    let broken = try #require(set(words, store, stack) { $0.maxWidth = 100 })
    #expect(broken.lines.count > 500)
    // A quadratic search takes seconds here in a debug build.
    #expect(Double(clock() - start) / Double(CLOCKS_PER_SEC) < 1)
  }

  @Test func breaksAreThoseOfAnExhaustiveSearch() throws {
    let (store, stack) = try plainStore()
    var random = SplitMix(seed: 1)
    for _ in 0..<200 {
      let words = (0..<Int.random(in: 1...9, using: &random)).map { _ in
        String(repeating: "x", count: Int.random(in: 1...8, using: &random))
      }
      let width = Double(Int.random(in: 3...12, using: &random) * 10)
      let shaping = try #require(set(words.joined(separator: " "), store, stack) { $0.maxWidth = width })
      let total = Double(words.reduce(0) { $0 + $1.count } + words.count - 1) * 10
      let target = total / max(1, (total / width).rounded(.up))
      var best = Double.infinity
      for mask in 0..<(1 << (words.count - 1)) { best = min(best, badness(words, mask, target)) }
      var mask = 0
      var word = 0
      for line in shaping.lines.dropLast() {
        word += shaping.glyphs[line.range].filter { $0.codepoint == 0x20 }.count + 1
        mask |= 1 << (word - 1)
      }
      #expect(badness(words, mask, target) == best)
    }
  }

  /// The badness of breaking after the words whose bits are set. Spaces have no width here, as in the search.
  private func badness(_ words: [String], _ mask: Int, _ target: Double) -> Double {
    var sum = 0.0
    var width = 0.0
    for (index, word) in words.enumerated() {
      width += Double(word.count) * 10
      let isLast = index == words.count - 1
      guard isLast || mask & (1 << index) != 0 else { continue }
      let raggedness = (width - target) * (width - target)
      sum += !isLast ? raggedness : width < target ? raggedness / 2 : raggedness * 2
      width = 0
    }
    return sum
  }
}

struct IconTests {
  private let image = ImagePosition(paddedWidth: 22, paddedHeight: 12, pixelRatio: 2)

  private func text() throws -> Shaping {
    let (store, stack) = try plainStore()
    return try #require(set("abcd", store, stack))
  }

  @Test func iconsStandAtTheirAnchor() {
    let icon = shapeIcon(image, offset: SIMD2(1, 2), anchor: .topLeft)
    #expect([icon.left, icon.top, icon.right, icon.bottom] == [1, 2, 11, 7])
    let centred = shapeIcon(image, offset: .zero, anchor: .center)
    #expect([centred.left, centred.top, centred.right, centred.bottom] == [-5, -2.5, 5, 2.5])
  }

  @Test func iconsFitTheirText() throws {
    let text = try text()
    let icon = shapeIcon(image, offset: .zero, anchor: .left)
    let both = fitIconToText(
      icon, text: text, fit: .both, padding: SIMD4(1, 2, 3, 4), offset: SIMD2(10, 0), fontScale: 0.5)
    #expect([both.left, both.top, both.right, both.bottom] == [-4, -7, 22, 9])
    let width = fitIconToText(icon, text: text, fit: .width, padding: .zero, offset: .zero, fontScale: 1)
    #expect([width.left, width.top, width.right, width.bottom] == [-20, -2.5, 20, 2.5])
    let height = fitIconToText(icon, text: text, fit: .height, padding: .zero, offset: .zero, fontScale: 1)
    #expect([height.left, height.top, height.right, height.bottom] == [-5, -12, 5, 12])
  }

  @Test func contentAndProportionsAreKept() throws {
    var image = image
    image.content = SIMD4(2, 2, 18, 8)
    image.textFitWidth = .proportional
    image.textFitHeight = .proportional
    let icon = fitIconToText(
      shapeIcon(image, offset: .zero, anchor: .center), text: try text(), fit: .both, padding: .zero,
      offset: .zero, fontScale: 1)
    #expect(icon.collisionPadding == SIMD4(1, 1, 1, 1))
    let box = applyTextFit(icon)
    #expect(box.right - box.left == 64)
    #expect(box.bottom - box.top == 24)
  }
}
