import NeatBase
import NeatPlacement
import NeatStyle
import NeatText

/// Layout properties of one feature. Lengths of text are in 24ths of an em, those of icons in pixels before
/// `icon-size`.
struct SymbolFeatureValues {
  /// Pixels: at the tile's zoom + 1 (boxes), at the tile's zoom, and at zoom 18 (anchors, so that they do not
  /// move between zooms).
  var textSize = 16.0
  var textSizeThisZoom = 16.0
  var textSizeForAnchors = 16.0
  var textSizes = SIMD2<Float>(16, 16)
  var iconSize = 1.0
  var iconSizes = SIMD2<Float>(1, 1)
  var lineHeight = 1.2 * oneEm
  var letterSpacing = 0.0
  var maxWidth = Double.infinity
  var textAnchor = TextAnchor.center
  /// Nil for `auto`.
  var justify: TextJustify? = .center
  var textOffset = SIMD2<Double>.zero
  /// Places to try; empty where the layer has no variable anchors.
  var choices: [AnchorChoice] = []
  /// Degrees.
  var textRotate = 0.0
  var iconRotate = 0.0
  /// CSS pixels.
  var textPadding = 2.0
  /// Top, right, bottom, left; CSS pixels.
  var iconPadding = SIMD4<Double>(repeating: 2)
  var iconOffset = SIMD2<Double>.zero
  var iconAnchor = TextAnchor.center

  /// What is read here.
  static let properties: [Property] = [
    .textSize, .iconSize, .textLineHeight, .textLetterSpacing, .textMaxWidth, .textAnchor, .textJustify,
    .textRadialOffset, .textOffset,
    .textVariableAnchor, .textVariableAnchorOffset, .textRotate, .iconRotate, .textPadding, .iconPadding,
    .iconOffset, .iconAnchor,
  ]

  /// The properties of the point's feature, at its zoom.
  init(
    _ layer: StyleLayer, _ layout: SymbolLayerLayout, _ textSize: SymbolSize, _ iconSize: SymbolSize,
    _ e: Evaluator, at point: EvaluationPoint
  ) {
    readSizes(textSize, iconSize, e, at: point)
    lineHeight = layer[.textLineHeight].number(e, at: point) * oneEm
    letterSpacing = layer[.textLetterSpacing].number(e, at: point) * oneEm
    maxWidth = layout.placement == .point ? layer[.textMaxWidth].number(e, at: point) * oneEm : .infinity
    textAnchor = TextAnchor(rawValue: UInt8(clamping: layer[.textAnchor].enumIndex(e, at: point))) ?? .center
    if layout.textAlongLine {
      justify = .center
    } else {
      let index = layer[.textJustify].enumIndex(e, at: point)
      justify = index <= 0 ? nil : TextJustify(rawValue: UInt8(clamping: index - 1))
    }
    readAnchors(layer, e, at: point)
    textRotate = layer[.textRotate].number(e, at: point)
    iconRotate = layer[.iconRotate].number(e, at: point)
    textPadding = layer[.textPadding].number(e, at: point)
    iconPadding = layer[.iconPadding].padding(e, at: point)
    iconOffset = layer[.iconOffset].numbers2(e, at: point)
    iconAnchor = TextAnchor(rawValue: UInt8(clamping: layer[.iconAnchor].enumIndex(e, at: point))) ?? .center
  }

  private mutating func readSizes(
    _ text: SymbolSize, _ icon: SymbolSize, _ e: Evaluator, at point: EvaluationPoint
  ) {
    let zoom = point.zoom
    func at(_ value: PropertyValue, _ zoom: Double) -> Double { value.size(e, at: point.at(zoom: zoom)) }
    textSize = at(text.value, zoom + 1)
    textSizeThisZoom = text.value.isZoomConstant ? textSize : at(text.value, zoom)
    textSizeForAnchors = text.value.isZoomConstant ? textSize : at(text.value, 18)
    iconSize = at(icon.value, zoom + 1)
    func range(_ size: SymbolSize, _ whole: Double) -> SIMD2<Float> {
      size.value.kind == .composite
        ? SIMD2(Float(at(size.value, size.lowerZoom)), Float(at(size.value, size.upperZoom)))
        : SIMD2(repeating: Float(whole))
    }
    textSizes = range(text, textSize)
    iconSizes = range(icon, iconSize)
  }

  private mutating func readAnchors(_ layer: StyleLayer, _ e: Evaluator, at point: EvaluationPoint) {
    let radial = layer[.textRadialOffset].number(e, at: point) * oneEm
    if layer.isSet(.textVariableAnchorOffset) {
      choices = layer[.textVariableAnchorOffset].anchorOffsets(e, at: point).compactMap { entry in
        guard let index = NeatStyle.AnchorOffset.anchors.firstIndex(of: entry.anchor),
          let anchor = TextAnchor(rawValue: UInt8(index))
        else {
          return nil
        }
        var offset = SIMD2(Float(entry.x * oneEm), Float(entry.y * oneEm))
        if anchor.verticalAlign == 0 { offset.y -= 7 }
        if anchor.verticalAlign == 1 { offset.y += 7 }
        return AnchorChoice(anchor: anchor, offset: offset)
      }
    } else if layer.isSet(.textVariableAnchor) {
      let isRadial = layer.isSet(.textRadialOffset)
      let offset = isRadial ? .zero : layer[.textOffset].numbers2(e, at: point) * oneEm
      for index in layer[.textVariableAnchor].enumIndices(e, at: point) {
        guard let anchor = TextAnchor(rawValue: UInt8(clamping: index)) else { continue }
        choices.append(
          AnchorChoice(
            anchor: anchor,
            offset: isRadial
              ? anchor.offset(radial: Float(radial))
              : anchor.offset(text: SIMD2(Float(offset.x), Float(offset.y)))))
      }
    }
    guard choices.isEmpty else { return }
    if radial != 0 {
      let offset = textAnchor.offset(radial: Float(radial))
      textOffset = SIMD2(Double(offset.x), Double(offset.y))
    } else {
      textOffset = layer[.textOffset].numbers2(e, at: point) * oneEm
    }
  }
}

/// A feature's text and icon, set.
final class ShapedSymbol {
  let horizontal: [(justify: TextJustify, shaping: Shaping)]
  let vertical: Shaping?
  let icon: PositionedIcon?
  let verticalIcon: PositionedIcon?

  init(
    horizontal: [(justify: TextJustify, shaping: Shaping)] = [], vertical: Shaping? = nil,
    icon: PositionedIcon? = nil, verticalIcon: PositionedIcon? = nil
  ) {
    self.horizontal = horizontal
    self.vertical = vertical
    self.icon = icon
    self.verticalIcon = verticalIcon
  }

  /// Decides boxes: all justifications have the same one.
  var first: Shaping? { horizontal.first?.shaping }
  var isEmpty: Bool { horizontal.isEmpty && vertical == nil && icon == nil }
}

extension PropertyValue {
  /// A size; the default where the style's own is no number.
  func size(_ evaluator: Evaluator, at point: EvaluationPoint) -> Double {
    let size = number(evaluator, at: point)
    return size.isFinite ? size : PropertyValue.defaultValue(of: property).number(evaluator, at: point)
  }
}
