import NeatBase

/// Which text is drawn from font files.
package enum GlyphRasterization: Sendable {
  /// What no glyph server draws.
  case whereNeeded
  /// None.
  case none
  /// Ideographs and hangul, and what no glyph server draws: glyph servers are not asked for their ranges.
  case ideographs
  /// All: no glyph server is asked.
  case all

  /// Whether fonts draw a range (first character / 256), whatever a glyph server has.
  func isOfFonts(_ range: Int) -> Bool {
    switch self {
    case .whereNeeded, .none: false
    case .ideographs: Ideographs.ranges.contains { $0.contains(range) }
    case .all: true
    }
  }
}
