import NeatBase

extension TextAnchor {
  /// The distance in 24ths of an em that the baseline lies below the top of a shaped line.
  private static let baseline: Float = 7

  /// The label's offset (24ths of an em) from a radial offset: away from the anchor point in the direction
  /// that the anchor implies.
  package func offset(radial: Float) -> SIMD2<Float> {
    let radius = max(0, radial)
    let diagonal = radius / Float(2).squareRoot()
    var offset = SIMD2<Float>.zero
    switch self {
    case .topLeft, .topRight: offset.y = diagonal - TextAnchor.baseline
    case .bottomLeft, .bottomRight: offset.y = TextAnchor.baseline - diagonal
    case .top: offset.y = radius - TextAnchor.baseline
    case .bottom: offset.y = TextAnchor.baseline - radius
    case .center, .left, .right: break
    }
    switch self {
    case .topLeft, .bottomLeft: offset.x = diagonal
    case .topRight, .bottomRight: offset.x = -diagonal
    case .left: offset.x = radius
    case .right: offset.x = -radius
    case .center, .top, .bottom: break
    }
    return offset
  }

  /// The label's offset (24ths of an em) from a `text-offset` used with variable anchors: its amounts, away
  /// from the anchor point.
  package func offset(text: SIMD2<Float>) -> SIMD2<Float> {
    let amount = SIMD2(abs(text.x), abs(text.y))
    var offset = SIMD2<Float>.zero
    if verticalAlign == 0 { offset.y = amount.y - TextAnchor.baseline }
    if verticalAlign == 1 { offset.y = TextAnchor.baseline - amount.y }
    if horizontalAlign == 0 { offset.x = amount.x }
    if horizontalAlign == 1 { offset.x = -amount.x }
    return offset
  }
}

/// One of the places to try for a label with variable anchors.
package struct AnchorChoice: Sendable, Equatable {
  package var anchor: TextAnchor
  /// 24ths of an em.
  package var offset: SIMD2<Float>

  package init(anchor: TextAnchor, offset: SIMD2<Float>) {
    self.anchor = anchor
    self.offset = offset
  }
}

/// The glyphs (or the icon) of one label in one orientation and justification: ranges of its geometry's
/// arrays.
package struct PlacedSymbol: Sendable {
  /// Tile units.
  package var anchor: SIMD2<Float>
  package var glyphStart: Int32
  package var glyphCount: Int32
  package var lineStart: Int32
  package var lineLength: Int32
  /// The segment of the line on which the anchor lies.
  package var segment: Int32
  /// Size in pixels (text) or as a factor (icon) at the two ends of the zoom range; equal or unused as
  /// `SizeKind` says.
  package var lowerSize: Float
  package var upperSize: Float
  /// 24ths of an em along and across the line.
  package var lineOffset: SIMD2<Float>
  package var writingMode: WritingMode
  package var feature: Int32

  package init(
    anchor: SIMD2<Float>, glyphStart: Int32, glyphCount: Int32, lineStart: Int32 = 0, lineLength: Int32 = 0,
    segment: Int32 = 0,
    lowerSize: Float,
    upperSize: Float, lineOffset: SIMD2<Float> = .zero, writingMode: WritingMode = .horizontalOnly,
    feature: Int32 = 0
  ) {
    self.anchor = anchor
    self.glyphStart = glyphStart
    self.glyphCount = glyphCount
    self.lineStart = lineStart
    self.lineLength = lineLength
    self.segment = segment
    self.lowerSize = lowerSize
    self.upperSize = upperSize
    self.lineOffset = lineOffset
    self.writingMode = writingMode
    self.feature = feature
  }
}

/// One place where a label and its icon could stand. Indices are -1 where there is none.
package struct SymbolInstance: Sendable {
  /// Tile units.
  package var anchor: SIMD2<Float>
  /// Hash of the text, or of the icon's name where there is none: by which a label is found again in another
  /// tile.
  package var key: UInt64 = 0
  package var feature: Int32 = 0
  /// Boxes of `SymbolGeometry.boxes`.
  package var textBox: Int32 = -1
  package var verticalTextBox: Int32 = -1
  package var iconBox: Int32 = -1
  package var verticalIconBox: Int32 = -1
  /// Placed symbols of the text (by justification) and of the icon.
  package var leftText: Int32 = -1
  package var centerText: Int32 = -1
  package var rightText: Int32 = -1
  package var verticalText: Int32 = -1
  package var icon: Int32 = -1
  package var verticalIcon: Int32 = -1
  package var hasHorizontalGlyphs = false
  package var hasVerticalGlyphs = false
  package var hasIconQuads = false
  /// Diameter in pixels of the circles along the line; negative for labels with a box.
  package var circleDiameter: Float = -1
  /// Pixels a 24th of an em in the text's box.
  package var textBoxScale: Float = 1
  package var anchorOffsetStart: Int32 = 0
  package var anchorOffsetEnd: Int32 = 0
  package var sortKey: Float = 0

  package init(anchor: SIMD2<Float>) { self.anchor = anchor }

  /// The placed text for a justification, any text where there is none of that.
  @inline(__always) package func text(_ justification: TextJustify) -> Int32 {
    let exact =
      switch justification {
      case .left: leftText
      case .center: centerText
      case .right: rightText
      }
    return exact >= 0 ? exact : max(leftText, centerText, rightText)
  }
}

/// Where a size comes from when a frame is drawn.
package enum SizeKind: UInt8, Sendable {
  /// The same for all features and zooms, or a function of zoom alone: the frame's size counts.
  case shared = 0
  /// A feature's `lowerSize`.
  case feature
  /// Between a feature's `lowerSize` and `upperSize`.
  case composite
}

/// A size for one frame.
package struct FrameSize: Sendable {
  package var kind: SizeKind
  package var shared: Float
  package var factor: Float

  package init(kind: SizeKind, shared: Float, factor: Float = 0) {
    self.kind = kind
    self.shared = shared
    self.factor = factor
  }

  @inline(__always) package func size(_ symbol: PlacedSymbol) -> Float {
    switch kind {
    case .shared: shared
    case .feature: symbol.lowerSize
    case .composite: symbol.lowerSize + (symbol.upperSize - symbol.lowerSize) * factor
    }
  }
}

/// The labels of one tile and layer, flat. Immutable once laid out.
package struct SymbolGeometry: Sendable {
  package var instances: [SymbolInstance] = []
  /// Pixels around the anchor, paddings included.
  package var boxes: [CollisionRect] = []
  package var texts: [PlacedSymbol] = []
  package var icons: [PlacedSymbol] = []
  /// 24ths of an em along the line, one a glyph of `texts`.
  package var glyphOffsets: [Float] = []
  /// Tile units.
  package var lineVertices: [SIMD2<Float>] = []
  package var anchorOffsets: [AnchorChoice] = []

  package init() {}

  package var hasText: Bool { !texts.isEmpty }
  package var hasIcons: Bool { !icons.isEmpty }
}
