/// One em in the units of glyph metrics, shaping and placement: glyphs are drawn at 24 pixels an em. Public
/// as `TileUnits` is.
@inlinable public var oneEm: Double { 24 }

/// The part of a label that stands at its anchor. Raw values are in the order of the specification's
/// `text-anchor`.
package enum TextAnchor: UInt8, Sendable, CaseIterable {
  case center, left, right, top, bottom, topLeft, topRight, bottomLeft, bottomRight

  /// 0 where the left edge stands at the anchor, 1 for the right edge.
  package var horizontalAlign: Double {
    switch self {
    case .left, .topLeft, .bottomLeft: 0
    case .right, .topRight, .bottomRight: 1
    case .center, .top, .bottom: 0.5
    }
  }

  /// 0 where the top edge stands at the anchor, 1 for the bottom edge.
  package var verticalAlign: Double {
    switch self {
    case .top, .topLeft, .topRight: 0
    case .bottom, .bottomLeft, .bottomRight: 1
    case .center, .left, .right: 0.5
    }
  }

  /// What `text-justify: auto` means for this anchor.
  package var justify: TextJustify {
    switch self {
    case .left, .topLeft, .bottomLeft: .left
    case .right, .topRight, .bottomRight: .right
    case .center, .top, .bottom: .center
    }
  }
}

/// How lines stand to each other. `text-justify: auto` is resolved with `TextAnchor.justify` before shaping.
package enum TextJustify: UInt8, Sendable {
  case left, center, right
}

/// How a label's text runs, and what other versions of it there are.
package enum WritingMode: UInt8, Sendable {
  /// An icon: no text.
  case none = 0
  case horizontal
  case vertical
  /// Horizontal, and there is no vertical version to take in its place.
  case horizontalOnly
}
