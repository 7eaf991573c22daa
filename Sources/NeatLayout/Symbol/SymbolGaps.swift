import NeatText

/// What the texts of one layer in one tile lack.
package struct SymbolGaps: Sendable {
  package var ranges: Set<GlyphRangeKey> = []
  /// By the names of the font stack.
  package var characters: [String: Set<UInt32>] = [:]

  package var isEmpty: Bool { ranges.isEmpty && characters.isEmpty }
}

extension SymbolLayoutRequest {
  /// What the texts lack, with the glyphs that are there now.
  package func gaps(_ store: GlyphStore) -> SymbolGaps {
    var found: [FontStackID: GlyphGaps] = [:]
    var seen: Set<ObjectIdentifier> = []
    for feature in features {
      guard let text = feature.text, seen.insert(ObjectIdentifier(text)).inserted else { continue }
      for section in text.sections where !section.text.isEmpty {
        var gaps = found[section.fontStack] ?? GlyphGaps()
        store.findGaps(in: section.text, fontStack: section.fontStack, &gaps)
        if !gaps.isEmpty { found[section.fontStack] = gaps }
      }
    }
    var result = SymbolGaps()
    for (stack, gaps) in found {
      let name = store.name(of: stack)
      for range in gaps.ranges { result.ranges.insert(GlyphRangeKey(fontStack: name, range: range)) }
      if !gaps.characters.isEmpty { result.characters[name, default: []].formUnion(gaps.characters) }
    }
    return result
  }
}
