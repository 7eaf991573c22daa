// What is drawn of a symbol layer in one frame: glyphs and icons in device pixels, in drawing order (all
// icons of the layer, then all texts). Corners are projected here, so that a renderer needs neither tiles nor
// camera.
import NeatBase
import NeatPlacement
import NeatStyle

/// How a label or a distance-field icon is painted. Colours are not premultiplied.
package struct SymbolInk: Sendable, Equatable {
  package var fill: Color
  package var halo: Color
  /// CSS pixels.
  package var haloWidth: Float
  package var haloBlur: Float
  package var opacity: Float

  package init(
    fill: Color, halo: Color = .transparent, haloWidth: Float = 0, haloBlur: Float = 0, opacity: Float = 1
  ) {
    self.fill = fill
    self.halo = halo
    self.haloWidth = haloWidth
    self.haloBlur = haloBlur
    self.opacity = opacity
  }

  package var hasHalo: Bool { haloWidth > 0 && halo.a > 0 && opacity > 0 }
}

/// A quadrilateral on the screen, device pixels, y down.
package struct ScreenQuad: Sendable, Equatable {
  package var topLeft: SIMD2<Float>
  package var topRight: SIMD2<Float>
  package var bottomLeft: SIMD2<Float>
  package var bottomRight: SIMD2<Float>
  /// How far away the corners are, in any unit, in the order above; all the same for what faces the viewer.
  package var depths: SIMD4<Float>

  package init(
    topLeft: SIMD2<Float>, topRight: SIMD2<Float>, bottomLeft: SIMD2<Float>, bottomRight: SIMD2<Float>,
    depths: SIMD4<Float> = .one
  ) {
    self.topLeft = topLeft
    self.topRight = topRight
    self.bottomLeft = bottomLeft
    self.bottomRight = bottomRight
    self.depths = depths
  }

  package var low: SIMD2<Float> {
    pointwiseMin(pointwiseMin(topLeft, topRight), pointwiseMin(bottomLeft, bottomRight))
  }
  package var high: SIMD2<Float> {
    pointwiseMax(pointwiseMax(topLeft, topRight), pointwiseMax(bottomLeft, bottomRight))
  }
}

/// A glyph to draw.
package struct GlyphInstance: Sendable {
  /// Spans the glyph's bitmap and one pixel of it more on each side.
  package var quad: ScreenQuad
  /// The glyph in its `GlyphStore`.
  package var glyph: Int32
  /// Index in `SymbolFrame.inks`.
  package var ink: Int32
  /// CSS pixels a pixel of the distance field (text size / 24, perspective included).
  package var fontScale: Float
  /// Multiplies the width of the edge's gradient; other than 1 for text that lies on a tilted map.
  package var gammaScale: Float
}

/// An icon to draw, or a part of one.
package struct IconInstance: Sendable {
  package var quad: ScreenQuad
  /// Left, top, right, bottom in image pixels; may reach a pixel beyond the image, where it is transparent.
  package var texture: SIMD4<Float>
  /// `ImagePosition.id`; -1 for a glyph.
  package var image: Int32
  /// The glyph that has colours of its own, in its store; -1 for an image.
  package var glyph: Int32 = -1
  package var ink: Int32
  package var fontScale: Float
  package var gammaScale: Float
  /// A distance field, to be painted with the ink's colours; else pixels, of which only the ink's opacity
  /// counts.
  package var isSDF: Bool
  /// Sample between pixels; else take the nearest one.
  package var isSmooth: Bool
}

/// One layer's symbols in one frame.
package struct SymbolFrame: Sendable {
  package var icons: [IconInstance] = []
  /// Parts of `icons` that are drawn together: within one, all halos come before all fills.
  package var iconRuns: [Range<Int>] = []
  package var glyphs: [GlyphInstance] = []
  /// Images within texts.
  package var textImages: [IconInstance] = []
  /// Parts of `glyphs` and `textImages`: within one, all halos, then all fills, then the images.
  package var textRuns: [TextRun] = []
  package var inks: [SymbolInk] = []
  /// Of the label along a line that is being added.
  var lineGlyphs: [GlyphOnLine] = []
  /// What it was made of; empty afterwards.
  fileprivate var parts: [SymbolFramePart] = []
  fileprivate var pieces: [Piece] = []
  fileprivate var order: [Int] = []

  package struct TextRun: Sendable {
    package var glyphs: Range<Int>
    package var images: Range<Int>
  }

  package init() {}

  package var isEmpty: Bool { icons.isEmpty && glyphs.isEmpty && textImages.isEmpty }

  /// Empties it, and keeps its memory.
  mutating func removeAll() {
    icons.removeAll(keepingCapacity: true)
    iconRuns.removeAll(keepingCapacity: true)
    glyphs.removeAll(keepingCapacity: true)
    textImages.removeAll(keepingCapacity: true)
    textRuns.removeAll(keepingCapacity: true)
    inks.removeAll(keepingCapacity: true)
    lineGlyphs.removeAll(keepingCapacity: true)
  }
}

/// A placed bucket in the frame.
package struct SymbolFrameTile {
  package var bucket: SymbolBucket
  /// Of each symbol; text and icon are drawn where they stand.
  package var states: [SymbolState]
  /// Of those with states in which something stands, the numbers.
  package var standing: [Int32]
  /// Of each symbol, where labels fade; else empty.
  package var ids: [UInt32]
  package var tile: PlacementTile
  /// The bucket's layer as the frame shows it: with what transitions make of its paint properties.
  package var layer: StyleLayer

  package init(bucket: SymbolBucket, states: [SymbolState], tile: PlacementTile, layer: StyleLayer) {
    self.init(
      bucket: bucket, states: states, standing: SymbolFrameTile.standing(states), ids: [], tile: tile,
      layer: layer)
  }

  package init(
    bucket: SymbolBucket, states: [SymbolState], standing: [Int32], ids: [UInt32], tile: PlacementTile,
    layer: StyleLayer
  ) {
    self.bucket = bucket
    self.states = states
    self.standing = standing
    self.ids = ids
    self.tile = tile
    self.layer = layer
  }
}

extension SymbolFrameTile {
  private static func standing(_ states: [SymbolState]) -> [Int32] {
    var numbers: [Int32] = []
    states.withUnsafeBufferPointer { states in
      for number in states.indices where states[number].text || states[number].icon {
        numbers.append(Int32(number))
      }
    }
    return numbers
  }
}

extension SymbolFrame {
  /// Builds the frame of one layer from all of its tiles.
  /// - Parameters:
  ///   - fade: how far labels have come in or gone out; nil: all that stands is there.
  ///   - featureState: looked up for features whose paint depends on it.
  ///   - spreadsLetters: whether letters that a bend lays on each other are moved apart.
  ///   - memory: a frame that nobody needs any more.
  package init(
    tiles: [SymbolFrameTile], view: PlacementView, evaluator: Evaluator, fade: LabelFade? = nil,
    featureState: ((SymbolBucket, Int) -> FeatureState?)? = nil, spreadsLetters: Bool = true,
    reusing memory: consuming SymbolFrame = SymbolFrame()
  ) {
    memory.removeAll()
    var (order, parts, pieces) = (memory.order, memory.parts, memory.pieces)
    (memory.order, memory.parts, memory.pieces) = ([], [], [])
    SymbolFrame.drawOrder(tiles, view, &order)
    for number in order { parts.append(SymbolFramePart(tiles[number], view: view, evaluator: evaluator)) }
    SymbolFrame.findPieces(parts, view, &pieces)
    var builder = SymbolFrameBuilder(
      view: view, evaluator: evaluator, fade: fade, featureState: featureState,
      spreadsLetters: spreadsLetters, frame: consume memory)
    for piece in pieces {
      let start = builder.frame.icons.count
      builder.begin(parts[piece.part], .icon)
      for number in piece.instances { builder.addIcon(parts[piece.part], Int(number)) }
      if builder.frame.icons.count > start {
        builder.frame.iconRuns.append(start..<builder.frame.icons.count)
      }
    }
    for piece in pieces {
      let start = builder.frame.glyphs.count, images = builder.frame.textImages.count
      builder.begin(parts[piece.part], .text)
      for number in piece.instances { builder.addText(parts[piece.part], Int(number)) }
      if builder.frame.glyphs.count > start || builder.frame.textImages.count > images {
        builder.frame.textRuns.append(
          TextRun(glyphs: start..<builder.frame.glyphs.count, images: images..<builder.frame.textImages.count)
        )
      }
    }
    self = builder.frame
    order.removeAll(keepingCapacity: true)
    parts.removeAll(keepingCapacity: true)
    pieces.removeAll(keepingCapacity: true)
    (self.order, self.parts, self.pieces) = (order, parts, pieces)
  }

  /// Tiles from the far to the near side of the view; coarser tiles above finer ones.
  private static func drawOrder(
    _ tiles: [SymbolFrameTile], _ view: PlacementView, _ order: inout [Int]
  ) {
    let s = -sin(view.bearing), c = cos(view.bearing)
    func turned(_ id: OverscaledTileID) -> SIMD2<Double> {
      let x = Double(id.canonical.x), y = Double(id.canonical.y)
      return SIMD2(c * x - s * y, s * x + c * y)
    }
    order.append(contentsOf: tiles.indices)
    if tiles.count == 1 { return }
    order.sort { l, r in
      let a = tiles[l].tile.id, b = tiles[r].tile.id
      if a.overscaledZ != b.overscaledZ { return a.overscaledZ > b.overscaledZ }
      if a.wrap != b.wrap { return a.wrap < b.wrap }
      let p = turned(a), q = turned(b)
      if p.y != q.y { return p.y < q.y }
      return p.x != q.x ? p.x < q.x : l < r
    }
  }

  fileprivate struct Piece {
    var part: Int
    var instances: [Int32]
    /// Pieces are drawn in the order of these.
    var key: Float = 0
  }

  /// What is drawn together: a tile's symbols, or (where symbol-sort-key orders what overlaps) those of one
  /// key.
  private static func findPieces(
    _ parts: [SymbolFramePart], _ view: PlacementView, _ pieces: inout [Piece]
  ) {
    for (number, part) in parts.enumerated() {
      let layout = part.bucket.layout, instances = part.bucket.geometry.instances
      let standing = part.standing
      if layout.sortsByKey, layout.canOverlap {
        for index in standing {
          let key = instances[Int(index)].sortKey
          if let last = pieces.last, last.part == number, last.key == key {
            pieces[pieces.count - 1].instances.append(index)
          } else {
            pieces.append(Piece(part: number, instances: [index], key: key))
          }
        }
      } else if !standing.isEmpty {
        let order = layout.sortsByY ? sortedByViewportY(instances, standing, bearing: view.bearing) : standing
        pieces.append(Piece(part: number, instances: order))
      }
    }
    guard pieces.contains(where: { $0.key != 0 }) else { return }
    let found = pieces
    let order = found.indices.sorted {
      found[$0].key != found[$1].key ? found[$0].key < found[$1].key : $0 < $1
    }
    for (place, number) in order.enumerated() { pieces[place] = found[number] }
  }
}
