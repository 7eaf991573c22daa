import NeatBase

/// What shaping asks of a character: a look-up in two steps.
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
  /// Characters of a block of the table; a power of two, by which `tableSize` can be divided twice.
  static let blockSize = 64

  /// Makes the table that every label waits for, unless it is there.
  package static func makeTable() { FirstUse.note(Int(characterTable[0])) }

  package static func of(_ codepoint: UInt32) -> CharacterProperties { of(codepoint, characterTable) }

  /// The same, for those who look up many and hold the table.
  @inline(__always)
  static func of(_ codepoint: UInt32, _ table: UnsafePointer<UInt16>) -> CharacterProperties {
    guard codepoint < UInt32(tableSize) else { return [] }
    let size = UInt32(blockSize)
    let block = Int(table[Int(codepoint / size)])
    return CharacterProperties(rawValue: table[block * blockSize + Int(codepoint % size)])
  }
}

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
