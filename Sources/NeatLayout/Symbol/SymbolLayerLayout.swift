import NeatBase
import NeatPlacement
import NeatStyle
import NeatText

package enum SymbolPlacementKind: UInt8, Sendable {
  case point = 0, line, lineCenter
}

/// A symbol layer's properties that are the same for all of its features, `auto` resolved, at one zoom.
package struct SymbolLayerLayout: Sendable {
  package var placement = SymbolPlacementKind.point
  /// CSS pixels.
  package var spacing = 250.0
  /// Radians.
  package var textMaxAngle = Double.pi / 4
  package var textKeepUpright = true
  package var iconKeepUpright = false
  package var textRotateWithMap = false
  package var textPitchWithMap = false
  package var iconRotateWithMap = false
  package var iconPitchWithMap = false
  package var textAlongLine = false
  package var iconAlongLine = false
  /// `viewport-glyph`: glyphs follow the line without turning with it.
  package var glyphsStandUpright = false
  package var iconTextFit = IconTextFit.none
  /// Whether point labels choose among several anchors.
  package var hasVariableAnchors = false
  /// Top, right, bottom, left; CSS pixels.
  package var iconTextFitPadding = SIMD4<Double>.zero
  package var writingModes: [WritingMode] = []
  package var sortsByKey = false
  package var sortsByY = false
  package var canOverlap = false
  /// What placement reads.
  package var settings = SymbolPlacementSettings()

  package var allowsVertical: Bool { writingModes.contains(.vertical) }

  /// The layer's properties at the point's zoom.
  package init(_ layer: StyleLayer, _ e: Evaluator, at point: EvaluationPoint) {
    placement =
      SymbolPlacementKind(rawValue: UInt8(clamping: layer[.symbolPlacement].enumIndex(e, at: point)))
      ?? .point
    spacing = max(1, layer[.symbolSpacing].number(e, at: point))
    textMaxAngle = layer[.textMaxAngle].number(e, at: point) * .pi / 180
    textKeepUpright = layer[.textKeepUpright].bool(e, at: point)
    iconKeepUpright = layer[.iconKeepUpright].bool(e, at: point)
    let alongLine = placement != .point
    func rotates(_ property: Property) -> Bool {
      let value = layer[property].enumValue(e, at: point)
      return value == "map" || (value == "auto" && alongLine)
    }
    func pitches(_ property: Property, _ rotation: Bool) -> Bool {
      let value = layer[property].enumValue(e, at: point)
      return value == "map" || (value == "auto" && rotation)
    }
    textRotateWithMap = rotates(.textRotationAlignment)
    iconRotateWithMap = rotates(.iconRotationAlignment)
    textPitchWithMap = pitches(.textPitchAlignment, textRotateWithMap)
    iconPitchWithMap = pitches(.iconPitchAlignment, iconRotateWithMap)
    textAlongLine = alongLine && layer[.textRotationAlignment].enumValue(e, at: point) != "viewport"
    iconAlongLine = alongLine && iconRotateWithMap
    glyphsStandUpright = layer[.textRotationAlignment].enumValue(e, at: point) == "viewport-glyph"
    iconTextFit = IconTextFit(rawValue: UInt8(clamping: layer[.iconTextFit].enumIndex(e, at: point))) ?? .none
    hasVariableAnchors =
      !textAlongLine && (layer.isSet(.textVariableAnchor) || layer.isSet(.textVariableAnchorOffset))
    iconTextFitPadding = layer[.iconTextFitPadding].padding(e, at: point)
    if placement == .point {
      for index in layer[.textWritingMode].enumIndices(e, at: point) {
        let mode: WritingMode = index == 0 ? .horizontal : .vertical
        if !writingModes.contains(mode) { writingModes.append(mode) }
      }
    }
    readSettings(layer, e, at: point)
  }

  private mutating func readSettings(_ layer: StyleLayer, _ e: Evaluator, at point: EvaluationPoint) {
    func overlap(_ property: Property, _ allow: Property) -> OverlapMode {
      let index = layer[property].isSet ? layer[property].enumIndex(e, at: point) : -1
      return OverlapMode(
        rawValue: index < 0 ? (layer[allow].bool(e, at: point) ? 1 : 0) : UInt8(clamping: index))
        ?? .never
    }
    settings.textOptional = layer[.textOptional].bool(e, at: point)
    settings.iconOptional = layer[.iconOptional].bool(e, at: point)
    settings.textOverlap = overlap(.textOverlap, .textAllowOverlap)
    settings.iconOverlap = overlap(.iconOverlap, .iconAllowOverlap)
    settings.textIgnorePlacement = layer[.textIgnorePlacement].bool(e, at: point)
    settings.iconIgnorePlacement = layer[.iconIgnorePlacement].bool(e, at: point)
    settings.textRotateWithMap = textRotateWithMap
    settings.textPitchWithMap = textPitchWithMap
    settings.hasIconTextFit = iconTextFit != .none
    settings.textPadding = layer[.textPadding].number(e, at: point)
    settings.textTranslate = layer[.textTranslate].numbers2(e, at: point)
    settings.textTranslateViewport = layer[.textTranslateAnchor].enumIndex(e, at: point) == 1
    settings.iconTranslate = layer[.iconTranslate].numbers2(e, at: point)
    settings.iconTranslateViewport = layer[.iconTranslateAnchor].enumIndex(e, at: point) == 1
    settings.writingModes = writingModes
    let order = layer[.symbolZOrder].enumValue(e, at: point)
    sortsByKey = order != "viewport-y" && layer.isSet(.symbolSortKey)
    settings.placesByViewportY = order == "viewport-y"
    settings.sortsAcrossTiles = sortsByKey
    canOverlap =
      settings.textOverlap != .never || settings.iconOverlap != .never || settings.textIgnorePlacement
      || settings.iconIgnorePlacement
    sortsByY = canOverlap && (order == "viewport-y" || (order == "auto" && !sortsByKey))
  }
}
