/// 256 code points of a font stack, as glyph servers hand them out: range 0 is U+0000 … U+00FF.
package struct GlyphRangeKey: Hashable, Sendable {
  package var fontStack: String
  package var range: Int

  package init(fontStack: String, range: Int) {
    self.fontStack = fontStack
    self.range = range
  }
}
