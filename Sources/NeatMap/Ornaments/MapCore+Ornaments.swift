import NeatBase
import NeatLayout
import NeatStyle
import NeatText

/// The words of a map's ornaments, and what they are drawn in.
package struct OrnamentWords: Sendable {
  /// One line; empty for none.
  package let attribution: String
  /// As a glyph server is asked for it.
  let fontStack: String
  let stack: FontStackID
  /// No others have the same.
  let id = ContentID.next()

  /// What a scale bar may say, beside the attribution.
  private static let scaleBarText = "0123456789. kmftinm"

  /// All characters that may be drawn.
  fileprivate func text(_ ornaments: Ornaments) -> String {
    (ornaments.scaleBar.place.visibility == .hidden ? "" : OrnamentWords.scaleBarText)
      + (ornaments.attribution.place.visibility == .hidden || ornaments.attribution.isCompact
        ? "" : attribution)
  }

  /// Whether these say the same in the same font.
  package func isSame(as other: OrnamentWords) -> Bool {
    attribution == other.attribution && stack == other.stack
  }
}

// Words of ornaments are drawn in the first font that the style's own labels name: a glyph server need not
// have any other.
extension MapCore {
  /// Differs where the style, or what its layers show, has changed.
  package var ornamentVersion: UInt64 { state.withLock { $0.style.version } }

  package func ornamentWords(_ ornaments: Ornaments) -> OrnamentWords {
    var text = ""
    if ornaments.attribution.place.visibility != .hidden {
      text = ornaments.attribution.text ?? AttributionHTML.line(attributions)
    }
    let (style, server) = state.withLock { ($0.style.document, $0.style.glyphServer) }
    let fonts = MapCore.labelFonts(of: style).joined(separator: ",")
    return OrnamentWords(
      attribution: text, fontStack: fonts, stack: glyphs.fontStack(fonts, server: server))
  }

  /// What is still to come before the words can be drawn.
  package func ornamentNeeds(_ ornaments: Ornaments, _ words: OrnamentWords) -> [Need] {
    let ranges = glyphs.missingRanges(for: words.text(ornaments), fontStack: words.stack)
    guard !ranges.isEmpty else { return [] }
    let needs = permitted(glyphNeeds(ranges.map { GlyphRangeKey(fontStack: words.fontStack, range: $0) }))
    if needs.isEmpty {
      // Nobody serves glyphs: fonts or nothing.
      for range in ranges { glyphs.markMissing(range: range, fontStack: words.stack) }
    }
    return needs
  }

  /// Adds what the words lack.
  package func reportOrnaments(_ ornaments: Ornaments, _ words: OrnamentWords, in report: inout Report) {
    let text = words.text(ornaments)
    var gaps = GlyphGaps()
    glyphs.findGaps(in: text, fontStack: words.stack, &gaps)
    let ranges = gaps.ranges.union(glyphs.missingRanges(for: text, fontStack: words.stack))
    let server = state.withLock { $0.style.glyphServer }
    for range in ranges.sorted() {
      reportRange(
        GlyphRangeKey(fontStack: words.fontStack, range: range), server: server, layer: nil, &report)
    }
    var scripts: [String: Set<UInt32>] = [:]
    for code in gaps.characters { scripts[scriptCode(code), default: []].insert(code) }
    for (script, codes) in scripts.sorted(by: { $0.key < $1.key }) {
      report.addCharacters(stack: words.fontStack, script: script, codes, layer: nil)
    }
  }

  /// The font that the style's labels begin with.
  private static func labelFonts(of style: Style) -> [String] {
    guard let layers = style.original["layers"] else { return defaultFonts }
    for layer in layers.elements where layer["type"]?.string == "symbol" {
      guard let fonts = layer["layout"]?["text-font"], fonts.isArray else { continue }
      let names = fonts.elements.map(\.string)
      guard let first = names.first, first != "literal", names.allSatisfy({ $0 != nil }) else { continue }
      return names.compactMap { $0 }
    }
    return defaultFonts
  }

  /// The specification's `text-font`.
  private static let defaultFonts = ["Open Sans Regular", "Arial Unicode MS Regular"]
}
