// Text that a glyph for each character does not do justice: both directions, joining scripts, and scripts
// with rules of their own. Arabic is joined into presentation forms where the glyph server has them; what a
// font file must serve goes through HarfBuzz, once in logical order to measure it for line breaking, and
// again for what falls into each line.
import CHarfBuzz
import NeatBase

/// Neighbouring characters that one font shapes together.
private struct FontRun {
  var range: Range<Int>
  var font: Int
  var face: FontFace
}

/// What line setting must know of a complex label.
struct ComplexLayout {
  var bidi: BidiLevels?
  fileprivate var runs: [FontRun] = []
  /// For each item the number of its run, or -1; empty where there are no runs.
  fileprivate var runOfItem: [Int32] = []

  var isNeeded: Bool { bidi != nil || !runs.isEmpty }
}

extension Label {
  /// Joins Arabic letters where the glyph server's ranges have all the forms that come of it, or no font
  /// could do it.
  mutating func joinArabicLetters(_ store: GlyphStore) {
    guard properties.contains(.arabic) else { return }
    let original = codes
    var joined = original
    guard joinArabic(&joined) else { return }
    if store.hasFonts.load(ordering: .relaxed) {
      for index in joined.indices
      where items[index].kind == .text && joined[index] != original[index] && joined[index] != ligatureFill {
        let stack = styles[Int(items[index].section)].fontStack
        let handle = store.handle(fontStack: stack, codepoint: joined[index])
        let isServed = handle >= 0 && !store.glyph(handle).isFromFont
        if !isServed && store.fontIndex(stack, original[index]) != nil { return }
      }
    }
    var kept: [LabelItem] = []
    kept.reserveCapacity(items.count)
    for index in items.indices {
      if joined[index] == ligatureFill && original[index] != ligatureFill { continue }
      var item = items[index]
      if item.kind == .text && joined[index] != item.code {
        item.code = joined[index]
        item.properties = CharacterProperties.of(joined[index])
      }
      kept.append(item)
    }
    items = kept
    isRewritten = true
  }

  /// Finds directions and the runs that fonts shape, and measures those.
  mutating func prepareComplex(_ store: GlyphStore) -> ComplexLayout {
    var layout = ComplexLayout()
    let complex: CharacterProperties = [.rightToLeft, .bidiControl, .paragraphEnd]
    let hasOtherEnds =
      properties.contains(.paragraphEnd)
      && items.contains { $0.properties.contains(.paragraphEnd) && $0.code != 0xA }
    if !properties.isDisjoint(with: complex.subtracting(.paragraphEnd)) || hasOtherEnds {
      layout.bidi = bidiLevels(codes)
    }
    guard store.hasFonts.load(ordering: .relaxed),
      !properties.isDisjoint(with: [.rightToLeft, .needsShaping, .mark, .emoji])
    else { return layout }
    findRuns(store, &layout)
    for run in layout.runs {
      let rightToLeft = (layout.bidi?.levels[run.range.lowerBound] ?? 0) & 1 != 0
      let shaped = shape(run, run.range, rightToLeft: rightToLeft)
      for index in run.range {
        items[index].kind = .shaped
        items[index].advance = 0
        items[index].isSpaced = false
      }
      for glyph in shaped {
        let index = run.range.lowerBound + Int(glyph.cluster)
        items[index].advance += glyph.advance
        items[index].isSpaced = true
      }
    }
    return layout
  }

  private func findRuns(_ store: GlyphStore, _ layout: inout ComplexLayout) {
    layout.runOfItem = Array(repeating: -1, count: items.count)
    var index = 0
    var lastScript = HB_SCRIPT_COMMON
    while index < items.count {
      defer { index += 1 }
      let item = items[index]
      let open = layout.runs.last.flatMap { $0.range.upperBound == index ? $0 : nil }
      let isJoiner = item.code == 0x200C || item.code == 0x200D
      let continues =
        open.map { items[$0.range.lowerBound].section == item.section && sameLevel(layout, index) } ?? false
      if continues && (isJoiner || (item.properties.contains(.mark) && open!.face.glyphIndex(item.code) != 0))
      {
        extend(&layout, index)
        continue
      }
      guard let (font, face) = shapingFont(store, index) else { continue }
      let script = hb_unicode_script(hb_unicode_funcs_get_default(), item.code)
      let fits = script == lastScript || script == HB_SCRIPT_COMMON || script == HB_SCRIPT_INHERITED
      if continues && open!.font == font && fits {
        extend(&layout, index)
        continue
      }
      lastScript = script
      // A mark is shaped with the base before it.
      let takesBase =
        item.properties.contains(.mark) && index > 0 && items[index - 1].kind == .text
        && layout.runOfItem[index - 1] < 0
        && items[index - 1].section == item.section
        && items[index - 1].properties.isDisjoint(with: [.whitespace, .mark])
        && face.glyphIndex(items[index - 1].code) != 0
      let start = takesBase ? index - 1 : index
      if takesBase { layout.runOfItem[start] = Int32(layout.runs.count) }
      layout.runOfItem[index] = Int32(layout.runs.count)
      layout.runs.append(FontRun(range: start..<index + 1, font: font, face: face))
    }
  }

  private func sameLevel(_ layout: ComplexLayout, _ index: Int) -> Bool {
    guard let bidi = layout.bidi else { return true }
    return bidi.levels[index] == bidi.levels[index - 1] || items[index].properties.contains(.mark)
  }

  private func extend(_ layout: inout ComplexLayout, _ index: Int) {
    let run = layout.runs.count - 1
    layout.runs[run].range = layout.runs[run].range.lowerBound..<index + 1
    layout.runOfItem[index] = Int32(run)
  }

  /// The font that should shape an item, or nil where its glyph is drawn as it is.
  private func shapingFont(_ store: GlyphStore, _ index: Int) -> (index: Int, face: FontFace)? {
    let item = items[index]
    guard item.kind == .text,
      !item.properties.isDisjoint(with: [.rightToLeft, .needsShaping, .mark, .emoji])
    else { return nil }
    let stack = styles[Int(item.section)].fontStack
    if !item.properties.contains(.needsShaping) {
      let handle = store.handle(fontStack: stack, codepoint: item.code)
      if handle >= 0 && !store.glyph(handle).isFromFont { return nil }
    }
    // U+FE0F asks for the coloured form of what has another one too.
    let inColor =
      item.properties.contains(.emoji) && index + 1 < items.count && items[index + 1].code == 0xFE0F
    return store.fontIndex(stack, item.code, inColor: inColor)
  }

  private func shape(_ run: FontRun, _ range: Range<Int>, rightToLeft: Bool) -> [ShapedGlyph] {
    let codes = range.map { items[$0].code }
    return codes.withUnsafeBufferPointer { run.face.shape($0, rightToLeft: rightToLeft) }
  }

  /// The line ends, with those that paragraphs force.
  func withParagraphEnds(_ breaks: [Int]) -> [Int] {
    var result = breaks
    for index in items.indices.dropLast() where items[index].properties.contains(.paragraphEnd) {
      result.append(index + 1)
    }
    result.sort()
    var unique: [Int] = []
    for end in result where end > 0 && unique.last != end { unique.append(end) }
    return unique
  }

  /// Appends a line's items to `output` in the order of drawing.
  mutating func arrange(
    _ line: Range<Int>, _ layout: ComplexLayout, _ store: GlyphStore, codes: [UInt32],
    into output: inout [LabelItem]
  ) {
    var order: [Int32]
    var levels: [Int8]
    if let bidi = layout.bidi {
      (order, levels) = visualOrder(codes, bidi, line: line)
      if styles.count > 1 { adoptSections(order, levels, line, layout) }
    } else {
      order = line.map { Int32($0) }
      levels = Array(repeating: 0, count: line.count)
    }
    var place = 0
    while place < order.count {
      let index = Int(order[place])
      let run = layout.runOfItem.isEmpty ? -1 : layout.runOfItem[index]
      if run < 0 {
        output.append(mirroredItem(index, level: levels[place], store))
        place += 1
        continue
      }
      var low = index
      var high = index
      let level = levels[place]
      while place < order.count && layout.runOfItem[Int(order[place])] == run && levels[place] == level {
        low = min(low, Int(order[place]))
        high = max(high, Int(order[place]))
        place += 1
      }
      let fontRun = layout.runs[Int(run)]
      for glyph in shape(fontRun, low..<high + 1, rightToLeft: level & 1 != 0) where glyph.glyphIndex != 0 {
        var item = items[low + Int(glyph.cluster)]
        item.kind = .shapedGlyph
        item.glyph = store.handle(
          fontStack: styles[Int(item.section)].fontStack, font: fontRun.font, glyphIndex: glyph.glyphIndex)
        item.advance = glyph.advance
        item.offsetX = glyph.offsetX
        item.offsetY = glyph.offsetY
        item.isSpaced = glyph.advance != 0
        output.append(item)
      }
    }
  }

  /// The first character of a run from right to left is in the style of the one after it, as MapLibre has it:
  /// it turns runs around style by style from their ends, and makes what it comes to last a part of the style
  /// before.
  private mutating func adoptSections(
    _ order: [Int32], _ levels: [Int8], _ line: Range<Int>, _ layout: ComplexLayout
  ) {
    var levelOfItem = [Int8](repeating: -1, count: line.count)
    for (place, index) in order.enumerated() { levelOfItem[Int(index) - line.lowerBound] = levels[place] }
    for index in line.dropLast() {
      let place = index - line.lowerBound
      let level = levelOfItem[place]
      let isFirst = place == 0 || levelOfItem[place - 1] != level
      guard level > 0, level & 1 != 0, isFirst, levelOfItem[place + 1] == level else { continue }
      let section = items[index + 1].section
      guard section != items[index].section, items[index].kind == .text, items[index + 1].kind == .text,
        layout.runOfItem.isEmpty || layout.runOfItem[index] < 0
      else { continue }
      // The glyph stays that of its own fonts, whose ranges were asked for; the other section's may not be
      // there.
      items[index].section = section
    }
  }

  /// An item as it is drawn at a level: brackets turn around from right to left.
  private func mirroredItem(_ index: Int, level: Int8, _ store: GlyphStore) -> LabelItem {
    var item = items[index]
    guard level & 1 != 0, item.kind == .text else { return item }
    let code = mirrored(item.code)
    guard code != item.code else { return item }
    let handle = store.handle(fontStack: styles[Int(item.section)].fontStack, codepoint: code)
    item.code = code
    item.glyph = handle
    item.advance = handle < 0 ? 0 : store.glyph(handle).metrics.advance
    item.isSpaced = handle >= 0
    return item
  }
}
