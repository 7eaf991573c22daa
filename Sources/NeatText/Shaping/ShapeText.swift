// A label is set as MapLibre's renderers set it: characters and images in logical order, broken into lines,
// put into visual order, placed one after the other, justified within the block and moved so that its anchor
// stands at the origin. All lengths are in 24ths of an em, y downwards.
import NeatBase

/// Where the baseline's row of glyphs begins relative to the middle of a line, in 24ths of an em.
package let shapingDefaultOffset = -17.0

/// Sets a label in lines, or nil where there is nothing to draw. Glyphs that the store does not hold are left
/// out: ask for `missingRanges` before. At most `ShapingLimits.maxTextLength` characters are set.
package func shapeText(
  _ sections: [TextSection], store: GlyphStore, images: (String) -> ImagePosition?, options: ShapingOptions
) -> Shaping? {
  var label = Label(sections, images: images)
  if label.items.isEmpty { return nil }
  label.joinArabicLetters(store)
  if options.writingMode == .vertical {
    var codes = label.codes
    verticalizePunctuation(&codes)
    label.replace(codes)
  }
  label.resolve(store, layoutTextSize: options.layoutTextSize)
  let text = label.isRewritten ? label.text : sections[0].text
  let isPlain = label.properties.isDisjoint(with: [
    .rightToLeft, .bidiControl, .paragraphEnd, .needsShaping, .mark, .emoji,
  ])
  let layout = isPlain ? ComplexLayout() : label.prepareComplex(store)
  var ends = label.lineBreaks(spacing: options.letterSpacing, maxWidth: options.maxWidth)
  if layout.isNeeded {
    if layout.bidi != nil { ends = label.withParagraphEnds(ends) }
    let codes = label.codes
    var arranged: [LabelItem] = []
    arranged.reserveCapacity(label.items.count)
    var start = 0
    for line in ends.indices {
      label.arrange(start..<ends[line], layout, store, codes: codes, into: &arranged)
      start = ends[line]
      ends[line] = arranged.count
    }
    label.items = arranged
  }
  var setter = LineSetter(
    options: options, itemCount: label.items.count, lineCount: ends.count)
  label.items.withUnsafeBufferPointer { items in
    label.styles.withUnsafeBufferPointer { styles in
      var start = 0
      for end in ends {
        setter.add(
          UnsafeBufferPointer(rebasing: items[start..<end]), styles: styles, images: label.images,
          store: store)
        start = end
      }
    }
  }
  if setter.glyphs.isEmpty { return nil }
  return setter.finish(text: text, images: label.images)
}

/// Places the items of lines one below the other.
private struct LineSetter {
  let options: ShapingOptions
  let justify: Double
  /// Em units for a pixel of an image.
  let imageFactor: Double
  var glyphs: [PositionedGlyph] = []
  var lines: [PositionedLine] = []
  var y = 0.0
  var maxLineLength = 0.0
  var maxLineHeight = 0.0
  var iconsInText = false
  var verticalizable = false

  init(options: ShapingOptions, itemCount: Int, lineCount: Int) {
    self.options = options
    justify = options.justify == .right ? 1 : options.justify == .left ? 0 : 0.5
    imageFactor = oneEm / options.layoutTextSizeThisZoom
    glyphs.reserveCapacity(itemCount)
    lines.reserveCapacity(lineCount)
  }

  /// How large the largest things of a line are.
  private struct LineSize {
    var maxScale = 0.0
    var contentHeight = 0.0
    var contentWidth = 0.0
  }

  mutating func add(
    _ untrimmed: UnsafeBufferPointer<LabelItem>, styles: UnsafeBufferPointer<SectionStyle>,
    images: [PositionedImage], store: GlyphStore
  ) {
    let items = trimmed(untrimmed)
    let first = glyphs.count
    guard !items.isEmpty else {
      // An empty line still feeds the line.
      lines.append(PositionedLine(start: Int32(first), end: Int32(first), lineOffset: 0))
      y += options.lineHeight
      return
    }
    let size = measure(items, styles, images)
    var x = 0.0
    var imageOffset = 0.0
    var lastEnd = 0.0
    for item in items {
      let style = styles[Int(item.section)]
      if item.kind == .image {
        iconsInText = true
        guard item.glyph >= 0 else { continue }
        lastEnd = addImage(
          item, style, images[Int(item.glyph)].position.displaySize, size, x: &x, &imageOffset)
      } else if item.glyph >= 0 {
        lastEnd = addText(item, style, store.glyphPointer(item.glyph), size, x: &x)
      }
    }
    if glyphs.count > first {
      maxLineLength = max(x - options.letterSpacing, maxLineLength)
      let indent = lastEnd * justify
      if indent != 0 {
        glyphs.withUnsafeMutableBufferPointer { glyphs in
          for index in first..<glyphs.count { glyphs[index].x -= Float(indent) }
        }
      }
    }
    let offset = max(imageOffset, (size.maxScale - 1) * oneEm)
    lines.append(PositionedLine(start: Int32(first), end: Int32(glyphs.count), lineOffset: Float(offset)))
    let height = options.lineHeight * size.maxScale + imageOffset
    y += height
    maxLineHeight = max(height, maxLineHeight)
  }

  private func trimmed(_ items: UnsafeBufferPointer<LabelItem>) -> UnsafeBufferPointer<LabelItem> {
    var low = 0
    var high = items.count
    while low < high && items[low].properties.contains(.whitespace) { low += 1 }
    while low < high && items[high - 1].properties.contains(.whitespace) { high -= 1 }
    return UnsafeBufferPointer(rebasing: items[low..<high])
  }

  private func measure(
    _ items: UnsafeBufferPointer<LabelItem>, _ styles: UnsafeBufferPointer<SectionStyle>,
    _ images: [PositionedImage]
  ) -> LineSize {
    var size = LineSize()
    if styles.count == 1 && images.isEmpty {
      size.maxScale = styles[0].scale
    } else {
      for item in items {
        size.maxScale = max(size.maxScale, styles[Int(item.section)].scale)
        guard item.kind == .image, item.glyph >= 0 else { continue }
        let display = images[Int(item.glyph)].position.displaySize
        size.contentWidth = max(size.contentWidth, display.x * imageFactor)
        size.contentHeight = max(size.contentHeight, display.y * imageFactor)
      }
    }
    size.contentWidth = max(size.contentWidth, size.maxScale * oneEm)
    size.contentHeight = max(size.contentHeight, size.maxScale * oneEm)
    return size
  }

  /// Whether an item stands upright.
  @inline(__always)
  private func isVertical(_ properties: CharacterProperties) -> Bool {
    if options.writingMode == .horizontal { return false }
    return options.allowVerticalPlacement
      ? properties.isDisjoint(with: [.whitespace, .arabic]) : properties.contains(.upright)
  }

  /// Appends a glyph and returns where it ends.
  @inline(__always)
  private mutating func addText(
    _ item: LabelItem, _ style: SectionStyle, _ glyph: UnsafePointer<Glyph>, _ size: LineSize, x: inout Double
  ) -> Double {
    let vertical = item.kind == .text && isVertical(item.properties)
    let own = style.scale * oneEm
    let offset = vertical ? size.contentWidth - own : (size.contentHeight - own) * alignFactor(style.align)
    let metrics = glyph.pointee.metrics
    let advance = (item.kind == .shapedGlyph ? Double(item.advance) : Double(metrics.advance)) * style.scale
    glyphs.append(
      PositionedGlyph(
        codepoint: item.code, glyph: item.glyph, image: -1, sectionIndex: item.section,
        fontStack: style.fontStack,
        x: Float(x + Double(item.offsetX) * style.scale),
        y: Float(y + shapingDefaultOffset + offset - Double(item.offsetY) * style.scale),
        scale: Float(style.scale), metrics: metrics,
        vertical: vertical))
    let end = x + advance
    if vertical {
      verticalizable = true
      x += own + options.letterSpacing
    } else {
      x = end + (item.isSpaced ? options.letterSpacing : 0)
    }
    return end
  }

  /// Appends an image and returns where it ends.
  private mutating func addImage(
    _ item: LabelItem, _ style: SectionStyle, _ display: SIMD2<Double>, _ size: LineSize, x: inout Double,
    _ imageOffset: inout Double
  ) -> Double {
    let vertical = isVertical(item.properties)
    let scale = style.scale * imageFactor
    let offset =
      vertical
      ? size.contentWidth - display.y * scale
      : (size.contentHeight - display.y * scale) * alignFactor(style.align)
    // An image larger than the line's largest em pushes the line down.
    imageOffset = max(imageOffset, (vertical ? display.x : display.y) * scale - oneEm * size.maxScale)
    let advance = vertical ? display.y : display.x
    let metrics = GlyphMetrics(
      width: Float(display.x), height: Float(display.y), left: Float(ImagePosition.padding),
      top: -Float(Glyph.border),
      advance: Float(advance))
    glyphs.append(
      PositionedGlyph(
        codepoint: item.code, glyph: -1, image: item.glyph, sectionIndex: item.section, fontStack: -1,
        x: Float(x),
        y: Float(y + shapingDefaultOffset + offset), scale: Float(scale), metrics: metrics, vertical: vertical
      ))
    let end = x + advance * scale
    if vertical { verticalizable = true }
    x = end + options.letterSpacing
    return end
  }

  /// Moves the block to its anchor.
  consuming func finish(text: String, images: [PositionedImage]) -> Shaping {
    let horizontal = options.anchor.horizontalAlign
    let vertical = options.anchor.verticalAlign
    let shiftX = Float((justify - horizontal) * maxLineLength)
    let shiftY =
      maxLineHeight != options.lineHeight
      ? Float(-y * vertical - shapingDefaultOffset)
      : Float(-vertical * Double(lines.count) * options.lineHeight + 0.5 * options.lineHeight)
    glyphs.withUnsafeMutableBufferPointer { glyphs in
      for index in glyphs.indices {
        glyphs[index].x += shiftX
        glyphs[index].y += shiftY
      }
    }
    let top = options.translate.y - vertical * y
    let left = options.translate.x - horizontal * maxLineLength
    return Shaping(
      glyphs: glyphs, lines: lines, images: images, top: top, bottom: top + y, left: left,
      right: left + maxLineLength,
      writingMode: options.writingMode, text: text, iconsInText: iconsInText, verticalizable: verticalizable)
  }
}

@inline(__always)
private func alignFactor(_ align: SectionAlign) -> Double {
  switch align {
  case .top: 0
  case .center: 0.5
  case .bottom: 1
  }
}
