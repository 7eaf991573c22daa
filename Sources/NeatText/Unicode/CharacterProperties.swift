import NeatBase

/// What shaping asks of a character: one table look-up.
package struct CharacterProperties: OptionSet, Sendable, BitwiseCopyable {
  package let rawValue: UInt16
  package init(rawValue: UInt16) { self.rawValue = rawValue }

  /// A line may break after it without a space.
  package static let ideographicBreak = CharacterProperties(rawValue: 1)
  /// Stands upright in vertical lines.
  package static let upright = CharacterProperties(rawValue: 2)
  /// Upright or rotated in vertical lines, as its neighbours are.
  package static let neutral = CharacterProperties(rawValue: 4)
  /// Of a script written from right to left.
  package static let rightToLeft = CharacterProperties(rawValue: 8)
  package static let arabic = CharacterProperties(rawValue: 16)
  /// Of a script that letter spacing would tear apart.
  package static let cursive = CharacterProperties(rawValue: 32)
  /// A mark that combines with the character before.
  package static let mark = CharacterProperties(rawValue: 64)
  /// Of a script that needs a font's own shaping rules: Indic, Tibetan, Myanmar, Khmer.
  package static let needsShaping = CharacterProperties(rawValue: 128)
  /// JavaScript's `\s`.
  package static let whitespace = CharacterProperties(rawValue: 256)
  /// A line may break after it.
  package static let breakable = CharacterProperties(rawValue: 512)
  /// Steers the bidirectional algorithm and is not drawn.
  package static let bidiControl = CharacterProperties(rawValue: 1024)
  /// Ends a paragraph.
  package static let paragraphEnd = CharacterProperties(rawValue: 2048)
  /// Of a script that puts no spaces between words: Thai, Lao, Burmese, Khmer. A dictionary knows where words end.
  package static let dictionary = CharacterProperties(rawValue: 4096)
  /// Emoji and what joins them into one: fonts decide what a sequence looks like.
  package static let emoji = CharacterProperties(rawValue: 8192)

  /// Rotated with the line in vertical lines.
  package var hasRotatedOrientation: Bool { isDisjoint(with: [.upright, .neutral]) }

  /// Characters above hold no properties but those of the last row.
  static let tableSize = 0x40000

  package static func of(_ codepoint: UInt32) -> CharacterProperties {
    codepoint < UInt32(tableSize) ? CharacterProperties(rawValue: characterTable[Int(codepoint)]) : []
  }
}

/// Properties by character. Zeroed memory of the system's: pages that hold none cost nothing.
nonisolated(unsafe) let characterTable: UnsafePointer<UInt16> = {
  let table = calloc(CharacterProperties.tableSize, MemoryLayout<UInt16>.stride)!.assumingMemoryBound(
    to: UInt16.self)
  func set(_ property: CharacterProperties, _ ranges: [ClosedRange<UInt32>]) {
    for range in ranges {
      var codepoint = Int(range.lowerBound)
      let last = min(Int(range.upperBound), CharacterProperties.tableSize - 1)
      while codepoint <= last {
        table[codepoint] |= property.rawValue
        codepoint += 1
      }
    }
  }
  func set(_ property: CharacterProperties, each codepoints: [UInt32]) {
    for codepoint in codepoints { table[Int(codepoint)] |= property.rawValue }
  }
  set(.ideographicBreak, CharacterRanges.ideographicBreak)
  set(.upright, CharacterRanges.upright)
  set(.neutral, CharacterRanges.neutral)
  set(.rightToLeft, CharacterRanges.rightToLeft)
  set(.arabic, CharacterRanges.arabic)
  set(.cursive, CharacterRanges.cursive)
  set(.mark, CharacterRanges.mark)
  set(.needsShaping, [0x900...0xDFF, 0xF00...0x109F, 0x1780...0x17FF])
  set(.dictionary, [0xE00...0xEFF, 0x1000...0x109F, 0x1780...0x17FF, 0xA9E0...0xA9FF, 0xAA60...0xAA7F])
  // Skin tones and flags are within; ZWJ joins whatever stands around it.
  set(.emoji, [0x231A...0x231B, 0x23E9...0x23FA, 0x2600...0x27BF, 0x2B05...0x2B55, 0x1F000...0x1FAFF])
  set(.emoji, each: [0x2194, 0x21A9, 0x21AA, 0x3030, 0x303D, 0x3297, 0x3299])
  set(.whitespace, [0x9...0xD, 0x2000...0x200A])
  set(.whitespace, each: [0x20, 0xA0, 0x1680, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000, 0xFEFF])
  set(
    .breakable, each: [0xA, 0x20, 0x26, 0x29, 0x2B, 0x2D, 0x2F, 0xAD, 0xB7, 0x200B, 0x2010, 0x2013, 0x2027])
  set(.bidiControl, [0x202A...0x202E, 0x2066...0x2069])
  set(.bidiControl, each: [0x61C, 0x200E, 0x200F])
  set(.paragraphEnd, each: [0xA, 0xD, 0x1C, 0x1D, 0x1E, 0x85, 0x2029])
  return UnsafePointer(table)
}()

/// Questions that symbol layout asks of a whole label.
package enum TextProperties {
  /// Whether a label may stand upright: one upright character is enough.
  package static func allowsVerticalWritingMode(_ text: String) -> Bool {
    text.unicodeScalars.contains { CharacterProperties.of($0.value).contains(.upright) }
  }

  /// Whether letters may be spaced: not where they join.
  package static func allowsLetterSpacing(_ text: String) -> Bool {
    !text.unicodeScalars.contains { CharacterProperties.of($0.value).contains(.cursive) }
  }

  /// The expression `is-supported-script`: whether all of a text can be drawn properly without a font's own
  /// shaping rules.
  package static func isSupportedScript(_ text: String) -> Bool {
    !text.unicodeScalars.contains { CharacterProperties.of($0.value).contains(.needsShaping) }
  }
}
