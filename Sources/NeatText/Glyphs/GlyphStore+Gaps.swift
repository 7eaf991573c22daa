// What a text lacks: the characters that nothing can draw, and the ranges whose loading failed.
import CHarfBuzz
import NeatBase
import Synchronization

/// What texts of one font stack lack.
package struct GlyphGaps: Sendable {
  /// Characters kept of one layer in one tile.
  package static let maxCharacters = 256

  /// Characters that neither a loaded range nor a font has.
  package var characters: Set<UInt32> = []
  /// Ranges (first character / 256) that could not be had.
  package var ranges: Set<Int> = []

  package init() {}

  package var isEmpty: Bool { characters.isEmpty && ranges.isEmpty }
}

extension GlyphStore {
  /// Whether font files stand in for what ranges lack.
  package var hasFontFiles: Bool { hasFonts.load(ordering: .relaxed) }

  /// Why a range could not be had; nil where nobody was asked for it.
  package func fault(range: Int, fontStack: FontStackID) -> NeatError? {
    lock.withLock { _ in faults[RangeOfStack(stack: fontStack, range: range)]?.error }
  }

  /// Adds what a text lacks. Where ranges are still to come, their characters count as there.
  package func findGaps(in text: String, fontStack: FontStackID, _ gaps: inout GlyphGaps) {
    guard let stack = pages(of: fontStack) else { return }
    for scalar in text.unicodeScalars {
      let code = scalar.value
      let slot = stack.pointee.page(Int(code >> 8))?[Int(code & 255)].load(ordering: .acquiring) ?? 0
      if slot > 0 { continue }
      guard isDrawn(scalar) else { continue }
      let range = Int(code >> 8)
      let state = range < GlyphStore.servedRanges ? stack.pointee.state(range) : .loaded
      if state == .unknown { continue }
      if state == .missing, let fault = fault(range: range, fontStack: fontStack) {
        gaps.ranges.insert(range)
        if fault.code != .notFound { continue }
      }
      if gaps.characters.count >= GlyphGaps.maxCharacters || gaps.characters.contains(code) { continue }
      if slot == 0, fontIndex(fontStack, code) != nil { continue }
      if isServedJoined(scalar, stack) { continue }
      gaps.characters.insert(code)
    }
  }

  /// Whether glyphs of the letter's joined forms are there.
  private func isServedJoined(_ scalar: Unicode.Scalar, _ stack: UnsafeMutablePointer<StackPages>) -> Bool {
    guard scalar.value >= 0x600, isArabicJoining(scalar.value) else { return false }
    return presentationForms(of: String(scalar)).contains { code in
      (stack.pointee.page(Int(code >> 8))?[Int(code & 255)].load(ordering: .acquiring) ?? 0) > 0
    }
  }

  private func isDrawn(_ scalar: Unicode.Scalar) -> Bool {
    guard scalar.value > 0x20 else { return false }
    if CharacterProperties.of(scalar.value).isDisjoint(with: [.whitespace, .bidiControl, .paragraphEnd]) {
      let properties = scalar.properties
      return !properties.isDefaultIgnorableCodePoint && !properties.isNoncharacterCodePoint
        && properties.generalCategory != .control
    }
    return false
  }
}

/// A range of 256 characters of a stack.
struct RangeOfStack: Hashable {
  var stack: FontStackID
  var range: Int
}

/// The ISO 15924 code of a character's script, such as `Arab`.
package func scriptCode(_ codepoint: UInt32) -> String {
  let tag = hb_script_to_iso15924_tag(hb_unicode_script(hb_unicode_funcs_get_default(), codepoint))
  return String(decoding: [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: tag >> $0) }, as: UTF8.self)
}
