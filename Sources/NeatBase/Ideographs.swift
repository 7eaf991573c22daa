/// Characters that maps may draw by themselves, as there are too many of them to send.
package enum Ideographs {
  /// Ranges of glyphs (first character / 256) that hold nothing but the ideographs of Chinese, Japanese and Korean, and
  /// hangul: U+3400 to U+4CFF, U+4E00 to U+9FFF, U+AC00 to U+D6FF. Those of MapLibre Native.
  package static let ranges: [ClosedRange<Int>] = [0x34...0x4c, 0x4e...0x9f, 0xac...0xd6]
}
