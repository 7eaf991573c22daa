// What a layer of lines looks like. Widths are CSS pixels, as the style has them.
import NeatBase

/// The paint of one feature.
package struct LinePaint: Sendable, BitwiseCopyable {
  /// Colour and opacity. Ignored, but for its alpha, where a gradient or a pattern gives the colour.
  package var color: Premultiplied
  package var width: Float
  package var gapWidth: Float
  package var offset: Float
  package var blur: Float
  /// The width at the integer zoom below: what dashes and patterns are measured in.
  package var floorWidth: Float

  package init(
    color: Premultiplied, width: Float, gapWidth: Float = 0, offset: Float = 0, blur: Float = 0,
    floorWidth: Float? = nil
  ) {
    self.color = color
    self.width = width
    self.gapWidth = gapWidth
    self.offset = offset
    self.blur = blur
    self.floorWidth = floorWidth ?? width
  }

  /// From the line's middle to its outer edge, in CSS pixels.
  @inline(__always) package func outset(softness: Float) -> Float {
    let gap = max(gapWidth, 0) / 2
    return gap + width / 2 * (gap > 0 ? 2 : 1) + softness / 2
  }
}

/// One value for all features of a mesh, or one each, indexed by `LinePiece.feature`.
package enum PerFeature<Value: Sendable>: Sendable {
  case same(Value)
  case each([Value])

  @inline(__always) subscript(_ feature: Int) -> Value {
    switch self {
    case .same(let value): value
    case .each(let values): values[feature]
    }
  }
}

/// Colours along a line: `colors` holds rows of `width` premultiplied colours.
package struct LineGradient: Sendable {
  package var colors: [UInt32]
  package var width: Int
  /// Nearest colour instead of mixing two (a `step` expression).
  package var isStep: Bool
  /// The row of each line of the mesh, which covers the part of the line in the tile; empty where one row covers
  /// all of each line.
  package var rowOfLine: [Int32]

  /// `colors` must not be empty and hold whole rows.
  package init(colors: [UInt32], width: Int, isStep: Bool = false, rowOfLine: [Int32] = []) {
    precondition(width > 0 && !colors.isEmpty && colors.count % width == 0)
    assert(rowOfLine.allSatisfy { $0 >= 0 && Int($0) < colors.count / width }, "a row for each line")
    self.colors = colors
    self.width = width
    self.isStep = isStep
    self.rowOfLine = rowOfLine
  }
}

/// A picture repeated along a line, as high as the line is wide.
package struct LinePattern: Sendable {
  package var image: PatternImage
  /// Picture pixels for a CSS pixel.
  package var pixelRatio: Float

  package init(_ image: PatternImage, pixelRatio: Float = 1) {
    self.image = image
    self.pixelRatio = pixelRatio
  }
}

package struct LineStyle: Sendable {
  package var paint: PerFeature<LinePaint>
  /// Device pixels for a CSS pixel.
  package var pixelRatio: Float = 1
  /// How soft an edge is, in CSS pixels; nil: one device pixel.
  package var edgeWidth: Float?
  var softness: Float { edgeWidth ?? 1 / pixelRatio }
  /// Tile units for a CSS pixel at the map's zoom.
  package var unitsPerPixel: Double
  /// CSS pixels for a tile unit at the map's integer zoom: what dashes and patterns run along. 1 /
  /// `unitsPerPixel` where the zoom is whole.
  package var integerPixelsPerUnit: Float
  /// Nil draws a line without dashes.
  package var dash: PerFeature<LineDash?> = .same(nil)
  /// Smallest of the scales that dashes are cross-faded between; 1 without fading.
  package var dashFadeScale: Float = 1
  package var gradient: LineGradient?
  /// A layer with patterns leaves out features that have none.
  package var pattern: PerFeature<LinePattern?>?
  /// Where dashes and patterns are on their way to these: from which, and how far.
  package var fade: LineFade?

  package init(paint: PerFeature<LinePaint>, unitsPerPixel: Double, integerPixelsPerUnit: Float? = nil) {
    self.paint = paint
    self.unitsPerPixel = unitsPerPixel
    self.integerPixelsPerUnit = integerPixelsPerUnit ?? Float(1 / unitsPerPixel)
  }

  /// Periods of a dash of `length` (in line widths) for a tile unit, and half the softness of its ends in periods.
  func dashMeasures(length: Float, _ shade: LineShade) -> (periods: Float, gamma: Float) {
    let length = max(length, 1e-6)
    return (
      integerPixelsPerUnit / length / shade.floorWidth,
      softness / (length * dashFadeScale) / 2 / shade.floorWidth
    )
  }
}

/// A paint made ready for pixels: lengths relative to the outset, the distance of the line's outer edge from
/// its middle.
struct LineShade: BitwiseCopyable {
  var color: UInt32
  var feature: Int32
  var line: Int32
  /// CSS pixels.
  var outset: Float
  var inset: Float
  var blur: Float
  /// 255 · outset / blur: coverage lost from the middle to the edge.
  var slope: Float
  /// 255 · (1 - inset / blur): coverage in the middle, where there is a gap.
  var gap: Float
  var hasGap: Bool
  var floorWidth: Float
  var outsetPixels: Float
  /// Line progress = start + distance · scale.
  var progressStart: Float
  var progressScale: Float
  /// Place along the part of the line in the tile = distance · partScale.
  var partScale: Float

  /// Nil where nothing would show.
  init?(_ paint: LinePaint, _ piece: LinePieceInfo, pixelRatio: Float, softness: Float) {
    guard paint.width > 0, paint.width < 1e5, paint.gapWidth < 1e5, paint.blur < 1e6,
      !paint.color.isTransparent
    else { return nil }
    let edge = softness / 2
    let gapWidth = max(paint.gapWidth, 0) / 2
    hasGap = gapWidth > 0
    inset = gapWidth + (hasGap ? edge : 0)
    outset = paint.outset(softness: softness)
    blur = max(paint.blur, 0) + softness
    slope = 255 * outset / blur
    gap = 255 * (1 - inset / blur)
    color = paint.color.bits
    floorWidth = max(paint.floorWidth, 1e-3)
    outsetPixels = outset * pixelRatio
    feature = piece.feature
    line = piece.line
    progressStart = piece.progressStart
    progressScale = piece.progressScale
    partScale = piece.partScale
  }
}

/// What a shade keeps of its piece of the mesh.
struct LinePieceInfo {
  var feature: Int32
  var line: Int32
  var progressStart: Float
  var progressScale: Float
  var partScale: Float
}
