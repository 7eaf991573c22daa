import NeatBase

/// One unit of a label: a character, an image, or a glyph that a font's shaping chose.
struct LabelItem: BitwiseCopyable {
  enum Kind: UInt8 {
    case text, image
    /// A character that a font shapes together with its neighbours; the first of a cluster carries the
    /// cluster's advance.
    case shaped
    /// A glyph out of such a run.
    case shapedGlyph
  }

  var code: UInt32
  /// Handle of the glyph; index in `Label.images` for an image; -1 where there is none.
  var glyph: Int32 = -1
  var section: Int32
  /// In 24ths of an em before the section's scale.
  var advance: Float = 0
  var offsetX: Float = 0
  /// Upwards.
  var offsetY: Float = 0
  var properties: CharacterProperties
  var kind: Kind
  /// Whether letter spacing follows it.
  var isSpaced = false
}

/// What the loops need of a section.
struct SectionStyle: BitwiseCopyable {
  var scale: Double
  var fontStack: FontStackID
  var align: SectionAlign
}

/// A label on its way: its units in logical order, then line by line in the order of drawing.
struct Label {
  var items: [LabelItem] = []
  var styles: [SectionStyle] = []
  var images: [PositionedImage] = []
  /// Properties that any of the items has.
  var properties: CharacterProperties = []
  /// Whether `items` no longer spell the first section's text.
  var isRewritten = false
  var hasImages = false

  /// First and last stand-in for images in text.
  static let firstImageCode: UInt32 = 0xE000
  static let lastImageCode: UInt32 = 0xF8FF

  init(_ sections: [TextSection], images find: (String) -> ImagePosition?) {
    styles.reserveCapacity(sections.count)
    if sections.count == 1 {
      items.reserveCapacity(min(sections[0].text.utf8.count, ShapingLimits.maxTextLength))
    }
    var imageCode = Label.firstImageCode
    let table = characterTable
    for (number, section) in sections.enumerated() {
      let index = Int32(truncatingIfNeeded: number)
      if let name = section.imageName {
        styles.append(SectionStyle(scale: 1, fontStack: -1, align: section.verticalAlign))
        guard !name.isEmpty, imageCode <= Label.lastImageCode, items.count < ShapingLimits.maxTextLength
        else { continue }
        var item = LabelItem(code: imageCode, section: index, properties: .neutral, kind: .image)
        if let position = find(name) {
          item.glyph = Int32(images.count)
          images.append(PositionedImage(name: name, position: position))
        }
        items.append(item)
        hasImages = true
        imageCode += 1
        continue
      }
      styles.append(
        SectionStyle(
          scale: section.scale == 0 ? 1 : section.scale, fontStack: section.fontStack,
          align: section.verticalAlign))
      for scalar in section.text.unicodeScalars {
        if items.count >= ShapingLimits.maxTextLength { break }
        let code = scalar.value
        let found = CharacterProperties.of(code, table)
        properties.formUnion(found)
        items.append(LabelItem(code: code, section: index, properties: found, kind: .text))
      }
    }
    isRewritten = sections.count != 1 || hasImages
  }

  /// The characters alone.
  var codes: [UInt32] { items.map { $0.code } }

  /// The label's text in logical order.
  var text: String {
    var view = String.UnicodeScalarView()
    for item in items { view.append(Unicode.Scalar(item.code) ?? "\u{FFFD}") }
    return String(view)
  }

  /// Puts other characters in the items' places.
  mutating func replace(_ codes: [UInt32]) {
    for index in items.indices where items[index].code != codes[index] {
      items[index].code = codes[index]
      if items[index].kind == .text { items[index].properties = CharacterProperties.of(codes[index]) }
      isRewritten = true
    }
  }

  /// Finds glyphs and advances. Images are measured by `layoutTextSize` in pixels.
  mutating func resolve(_ store: GlyphStore, layoutTextSize: Double) {
    items.withUnsafeMutableBufferPointer { items in
      for index in items.indices {
        let section = Int(items[index].section)
        if items[index].kind == .image {
          guard items[index].glyph >= 0 else { continue }
          items[index].advance = Float(
            images[Int(items[index].glyph)].position.displaySize.x * oneEm / layoutTextSize)
          items[index].isSpaced = true
        } else {
          let handle = store.handle(fontStack: styles[section].fontStack, codepoint: items[index].code)
          guard handle >= 0 else { continue }
          items[index].glyph = handle
          items[index].advance = store.glyphPointer(handle).pointee.metrics.advance
          items[index].isSpaced = true
        }
      }
    }
  }
}

/// What one label may hold.
package enum ShapingLimits {
  /// Characters and images in one label; what comes after is not set.
  package static let maxTextLength = 8192
}
