// The rectangles that a label's glyphs and a symbol's icon are drawn by, around the anchor: in 24ths of an em
// (text) or pixels (icon), to be scaled, turned and projected in a frame. Semantics of MapLibre's
// getGlyphQuads and getIconQuads.
import NeatBase
import NeatPlacement
import NeatText

/// One glyph, or one image within a text.
package struct GlyphQuad: Sendable {
  /// Corners, 24ths of an em from the anchor (from the glyph's place on the line, for labels along lines).
  /// They span the bitmap and one pixel more on each side.
  package var topLeft: SIMD2<Float>
  package var topRight: SIMD2<Float>
  package var bottomLeft: SIMD2<Float>
  package var bottomRight: SIMD2<Float>
  /// The glyph in its store; -1 for an image.
  package var glyph: Int32
  /// The image's number; -1 for a glyph.
  package var image: Int32
  /// Whether it is drawn as a picture: an image, or a glyph that has colours of its own.
  package var isPicture: Bool
  /// Left, top, right, bottom in image pixels, with a pixel around.
  package var texture: SIMD4<Float>
  package var isSDFImage: Bool
  /// The colour that its section of the text sets, an index of `SymbolBucket.colorOverrides`; -1 for the
  /// layer's.
  package var colorOverride: Int32

  /// What its ink covers, but for the outermost part, which few letters fill.
  var letterBox: LetterBox {
    let low = pointwiseMin(pointwiseMin(topLeft, topRight), pointwiseMin(bottomLeft, bottomRight))
    let high = pointwiseMax(pointwiseMax(topLeft, topRight), pointwiseMax(bottomLeft, bottomRight))
    let edge = SIMD2<Double>(repeating: isPicture ? 1 : Double(Glyph.border) + 1.5)
    return LetterBox(low: SIMD2<Double>(low) + edge, high: SIMD2<Double>(high) - edge)
  }
}

/// An icon, or one of the parts of a stretched one.
package struct IconQuad: Sendable {
  /// Corners, pixels from the anchor before `icon-size`.
  package var topLeft: SIMD2<Float>
  package var topRight: SIMD2<Float>
  package var bottomLeft: SIMD2<Float>
  package var bottomRight: SIMD2<Float>
  /// Pixels that are added after `icon-size` to the left and top, and to the right and bottom corners: the
  /// parts that do not stretch.
  package var fixedLow: SIMD2<Float>
  package var fixedHigh: SIMD2<Float>
  package var minScale: SIMD2<Float>
  /// Left, top, right, bottom in image pixels; reaches a pixel beyond the image at its outer edges.
  package var texture: SIMD4<Float>
  package var image: Int32
  package var isSDF: Bool
}

/// Positions are kept in 32nds, as MapLibre's vertices hold them.
@inline(__always) private func snap(_ p: SIMD2<Double>) -> SIMD2<Float> {
  SIMD2(Float((p.x * 32).rounded() / 32), Float((p.y * 32).rounded() / 32))
}

/// How a text's glyphs become quads.
struct GlyphQuadOptions {
  var textOffset: SIMD2<Double>
  var alongLine: Bool
  /// Radians.
  var rotation: Double
  var allowsVertical: Bool
}

extension SymbolBuilder {
  /// Appends a shaped text's quads and their offsets along the line.
  mutating func addGlyphQuads(_ shaping: Shaping, _ options: GlyphQuadOptions) {
    let s = sin(options.rotation), c = cos(options.rotation)
    for line in shaping.lines {
      for glyph in shaping.glyphs[line.range] {
        guard let rect = glyphRect(glyph, shaping) else { continue }
        let half = Double(glyph.metrics.advance * glyph.scale) / 2
        let quad = GlyphRect(
          rect: rect, glyph: glyph, half: half, lineOffset: Double(line.lineOffset), shaping: shaping)
        var corners = quad.corners(options)
        if options.rotation != 0 {
          for i in 0..<4 {
            corners[i] = SIMD2(corners[i].x * c - corners[i].y * s, corners[i].x * s + corners[i].y * c)
          }
        }
        if options.alongLine { for i in 0..<4 { corners[i].y += Double(glyph.y) } }
        let image = glyph.image >= 0 ? shaping.images[Int(glyph.image)].position : nil
        let picture = image == nil ? store.glyph(glyph.glyph) : nil
        glyphQuads.append(
          GlyphQuad(
            topLeft: snap(corners[0]), topRight: snap(corners[1]), bottomLeft: snap(corners[2]),
            bottomRight: snap(corners[3]),
            glyph: glyph.glyph, image: image?.id ?? -1,
            isPicture: image != nil || picture?.colors != nil,
            texture: image.map { SIMD4(-1, -1, $0.paddedWidth - 1, $0.paddedHeight - 1) }
              ?? picture.map { SIMD4(-1, -1, Float($0.bitmapWidth) + 1, Float($0.bitmapHeight) + 1) }
              ?? .zero,
            isSDFImage: image?.isSDF ?? false,
            colorOverride: sectionColors.indices.contains(Int(glyph.sectionIndex))
              ? sectionColors[Int(glyph.sectionIndex)] : -1))
        geometry.glyphOffsets.append(options.alongLine ? glyph.x + Float(half) : 0)
      }
    }
  }

  /// Width and height in texture pixels with a pixel of padding, its pixel ratio and the border around the
  /// shape; nil for blanks.
  private func glyphRect(_ glyph: PositionedGlyph, _ shaping: Shaping) -> (
    size: SIMD2<Double>, ratio: Double, border: Double
  )? {
    if glyph.image >= 0 {
      let image = shaping.images[Int(glyph.image)].position
      return (
        SIMD2(Double(image.paddedWidth), Double(image.paddedHeight)), image.pixelRatio,
        Double(ImagePosition.padding) / image.pixelRatio
      )
    }
    guard glyph.glyph >= 0 else { return nil }
    let bitmap = store.glyph(glyph.glyph)
    guard bitmap.bitmapWidth > 0, bitmap.bitmapHeight > 0 else { return nil }
    let size = SIMD2(Double(bitmap.bitmapWidth) + 2, Double(bitmap.bitmapHeight) + 2)
    guard bitmap.colors != nil else { return (size, 1, Double(Glyph.border) + 1) }
    let ratio = Double(bitmap.texelsPerUnit)
    return (size, ratio, 1 / ratio)
  }
}

private struct GlyphRect {
  let rect: (size: SIMD2<Double>, ratio: Double, border: Double)
  let glyph: PositionedGlyph
  let half: Double
  let lineOffset: Double
  let shaping: Shaping

  /// How far below the line's middle a glyph's baseline lies.
  private static let baseline = -17.0

  func corners(_ options: GlyphQuadOptions) -> (InlineArray<4, SIMD2<Double>>) {
    let scale = Double(glyph.scale)
    var raise = 0.0
    if options.allowsVertical, shaping.verticalizable {
      // Images and scaled glyphs stand in the middle of a vertical line.
      let scaled = (scale - 1) * oneEm
      let image = (oneEm - Double(glyph.metrics.width) * scale) / 2
      raise = lineOffset / 2 - (glyph.image >= 0 ? -image : scaled)
    }
    var place =
      options.alongLine
      ? SIMD2<Double>.zero
      : SIMD2(Double(glyph.x) + half + options.textOffset.x, Double(glyph.y) + options.textOffset.y - raise)
    let upright = (options.alongLine || options.allowsVertical) && glyph.vertical
    let target = place
    if upright { place = .zero }
    let low = SIMD2(
      (Double(glyph.metrics.left) - rect.border) * scale - half + place.x,
      (-Double(glyph.metrics.top) - rect.border) * scale + place.y)
    let high = low + rect.size * (scale / rect.ratio)
    var corners: InlineArray<4, SIMD2<Double>> = [low, SIMD2(high.x, low.y), SIMD2(low.x, high.y), high]
    guard upright else { return corners }
    // An upright glyph of a label that is turned by 90° is turned back about the middle of its own square.
    let centre = SIMD2(-half, half - GlyphRect.baseline)
    let halfWidth = oneEm / 2 - half
    let correction = SIMD2(5 - GlyphRect.baseline - halfWidth, glyph.image >= 0 ? -halfWidth : 0) + target
    for i in 0..<4 {
      let d = corners[i] - centre
      corners[i] = centre + SIMD2(d.y, -d.x) + correction
    }
    return corners
  }
}

/// A cut through an image along one axis: so far in its fixed and in its stretched parts, in image pixels.
private struct StretchCut {
  var fixed: Double
  var stretch: Double
}

/// One axis of an icon that may stretch.
private struct StretchAxis {
  var zones: [SIMD2<Double>]
  var imageSize: Double
  var iconLow: Double
  var iconSize: Double
  var stretchSize = 0.0
  var stretchOffset = 0.0
  var contentStretch = 0.0
  var fixedOffset = 0.0
  var contentFixed = 0.0

  init(zones: [SIMD2<Double>]?, imageSize: Double, low: Double, high: Double, content: SIMD2<Double>?) {
    self.zones = zones ?? [SIMD2(0, imageSize)]
    self.imageSize = imageSize
    iconLow = low
    iconSize = high - low
    stretchSize = self.zones.reduce(0) { $0 + $1.y - $1.x }
    contentStretch = stretchSize
    contentFixed = imageSize - stretchSize
    if let content {
      stretchOffset = within(0, content.x)
      contentStretch = within(content.x, content.y)
      fixedOffset = content.x - stretchOffset
      contentFixed = content.y - content.x - contentStretch
    }
  }

  private func within(_ low: Double, _ high: Double) -> Double {
    zones.reduce(0) { $0 + max(low, min(high, $1.y)) - max(low, min(high, $1.x)) }
  }

  func position(_ cut: StretchCut) -> Double {
    contentStretch == 0 ? iconLow : (cut.stretch - stretchOffset) / contentStretch * iconSize + iconLow
  }

  func fixed(_ cut: StretchCut) -> Double {
    stretchSize == 0
      ? cut.fixed - fixedOffset : cut.fixed - fixedOffset - contentFixed * cut.stretch / stretchSize
  }

  /// The whole image with a pixel around it.
  var outer: [StretchCut] {
    [StretchCut(fixed: 0, stretch: -1), StretchCut(fixed: 0, stretch: imageSize + 1)]
  }

  var cuts: [StretchCut] {
    var cuts = [StretchCut(fixed: -1, stretch: 0)]
    for zone in zones {
      let last = cuts[cuts.count - 1]
      cuts.append(StretchCut(fixed: zone.x - last.stretch, stretch: last.stretch))
      cuts.append(StretchCut(fixed: zone.x - last.stretch, stretch: last.stretch + zone.y - zone.x))
    }
    cuts.append(StretchCut(fixed: imageSize - stretchSize + 1, stretch: stretchSize))
    return cuts
  }
}

/// The quads of an icon.
/// - Parameters:
///   - rotation: radians.
///   - fitsText: whether `icon-text-fit` is set, which stretches the image.
package func iconQuads(_ icon: PositionedIcon, rotation: Double, fitsText: Bool) -> [IconQuad] {
  let image = icon.image
  let width = Double(image.paddedWidth) - 2, height = Double(image.paddedHeight) - 2
  let content = fitsText ? image.content : nil
  var icon = icon
  if content != nil, image.textFitWidth != nil || image.textFitHeight != nil {
    (icon.left, icon.top, icon.right, icon.bottom) = applyTextFit(icon)
  }
  let x = StretchAxis(
    zones: image.stretchX, imageSize: width, low: icon.left, high: icon.right,
    content: content.map { SIMD2($0.x, $0.z) })
  let y = StretchAxis(
    zones: image.stretchY, imageSize: height, low: icon.top, high: icon.bottom,
    content: content.map { SIMD2($0.y, $0.w) })
  let stretches = fitsText && (image.stretchX != nil || image.stretchY != nil)
  let xCuts = stretches ? x.cuts : x.outer, yCuts = stretches ? y.cuts : y.outer
  let s = sin(rotation), c = cos(rotation)
  func corner(_ px: Double, _ py: Double) -> SIMD2<Float> {
    snap(rotation == 0 ? SIMD2(px, py) : SIMD2(px * c - py * s, px * s + py * c))
  }
  var quads: [IconQuad] = []
  for i in 0..<(xCuts.count - 1) {
    for j in 0..<(yCuts.count - 1) {
      let left = xCuts[i], right = xCuts[i + 1], top = yCuts[j], bottom = yCuts[j + 1]
      let l = x.position(left), r = x.position(right), t = y.position(top), b = y.position(bottom)
      quads.append(
        IconQuad(
          topLeft: corner(l, t), topRight: corner(r, t), bottomLeft: corner(l, b), bottomRight: corner(r, b),
          fixedLow: SIMD2(Float(x.fixed(left) / image.pixelRatio), Float(y.fixed(top) / image.pixelRatio)),
          fixedHigh: SIMD2(
            Float(x.fixed(right) / image.pixelRatio), Float(y.fixed(bottom) / image.pixelRatio)),
          minScale: SIMD2(
            x.iconSize == 0 ? 0 : Float(x.contentFixed / image.pixelRatio / x.iconSize),
            y.iconSize == 0 ? 0 : Float(y.contentFixed / image.pixelRatio / y.iconSize)),
          texture: SIMD4(
            Float(left.stretch + left.fixed), Float(top.stretch + top.fixed),
            Float(right.stretch + right.fixed),
            Float(bottom.stretch + bottom.fixed)),
          image: image.id, isSDF: image.isSDF))
    }
  }
  return quads
}
