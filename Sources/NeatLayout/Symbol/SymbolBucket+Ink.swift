import NeatBase
import NeatPlacement
import NeatStyle

extension SymbolBucket {
  /// What is drawn of each symbol where the map is seen from straight above.
  package func inks(zoom: Double, _ evaluator: Evaluator) -> @Sendable (SymbolInstance) -> LabelInk {
    let textSize = textSize.frameSize(zoom: zoom, evaluator)
    let iconSize = iconSize.frameSize(zoom: zoom, evaluator)
    return { self.ink(of: $0, textSize, iconSize) }
  }

  private func ink(of instance: SymbolInstance, _ textSize: FrameSize, _ iconSize: FrameSize) -> LabelInk {
    var ink = LabelInk()
    let texts = [instance.leftText, instance.centerText, instance.rightText, instance.verticalText]
    for (position, number) in texts.enumerated() where number >= 0 && !texts[..<position].contains(number) {
      let symbol = geometry.texts[Int(number)]
      let scale = textSize.size(symbol) / Float(oneEm)
      ink.textScale = scale
      let first = Int(symbol.glyphStart)
      var bounds = Bounds()
      for index in first..<first + Int(symbol.glyphCount) {
        let glyph = glyphQuads[index]
        bounds.add(glyph.topLeft, glyph.topRight, glyph.bottomLeft, glyph.bottomRight)
      }
      guard !bounds.isEmpty else { continue }
      if layout.textAlongLine {
        // Letters on bends go further at the ends.
        ink.onLine = max(ink.onLine, (bounds.reach + Float(LineWalk.longestSpread)) * scale)
      } else {
        // A vertical text is turned by a right angle.
        ink.text = bounds.rect(scale: scale, isTurned: position == 3).joined(ink.text)
      }
    }
    for (position, number) in [instance.icon, instance.verticalIcon].enumerated() where number >= 0 {
      let symbol = geometry.icons[Int(number)]
      let size = iconSize.size(symbol)
      let first = Int(symbol.glyphStart)
      var bounds = Bounds()
      for index in first..<first + Int(symbol.glyphCount) {
        let quad = iconQuads[index]
        let scale = SIMD2(max(quad.minScale.x, size), max(quad.minScale.y, size))
        bounds.add(
          quad.topLeft * scale + quad.fixedLow,
          quad.topRight * scale + SIMD2(quad.fixedHigh.x, quad.fixedLow.y),
          quad.bottomLeft * scale + SIMD2(quad.fixedLow.x, quad.fixedHigh.y),
          quad.bottomRight * scale + quad.fixedHigh)
      }
      guard !bounds.isEmpty else { continue }
      if layout.iconAlongLine {
        // It turns with the line.
        let reach = bounds.reach
        ink.icon = CollisionRect(-reach, -reach, reach, reach).joined(ink.icon)
      } else {
        ink.icon = bounds.rect(scale: 1, isTurned: position == 1).joined(ink.icon)
      }
    }
    return ink
  }
}

/// The bounds of quads.
private struct Bounds {
  private var low = SIMD2<Float>(repeating: .infinity)
  private var high = SIMD2<Float>(repeating: -.infinity)

  var isEmpty: Bool { !(low.x <= high.x) }

  @inline(__always)
  mutating func add(_ a: SIMD2<Float>, _ b: SIMD2<Float>, _ c: SIMD2<Float>, _ d: SIMD2<Float>) {
    low = pointwiseMin(low, pointwiseMin(pointwiseMin(a, b), pointwiseMin(c, d)))
    high = pointwiseMax(high, pointwiseMax(pointwiseMax(a, b), pointwiseMax(c, d)))
  }

  /// How far from the anchor the corner lies that is farthest.
  var reach: Float {
    let far = pointwiseMax(-low, high)
    return (far.x * far.x + far.y * far.y).squareRoot()
  }

  func rect(scale: Float, isTurned: Bool) -> CollisionRect {
    let (a, b) = (low * scale, high * scale)
    return isTurned ? CollisionRect(-b.y, a.x, -a.y, b.x) : CollisionRect(a.x, a.y, b.x, b.y)
  }
}
