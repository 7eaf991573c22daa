import NeatBase
import NeatPlacement
import NeatStyle

@inline(__always) private func widen(_ v: SIMD2<Float>) -> SIMD2<Double> { SIMD2(Double(v.x), Double(v.y)) }

extension SymbolFrameBuilder {
  // MARK: Text

  mutating func addText(_ part: SymbolFramePart, _ number: Int) {
    let state = part.states[number]
    guard state.text else { return }
    let opacity = opacity(part, number, .text)
    guard opacity > 0 else { return }
    let bucket = part.bucket, instance = bucket.geometry.instances[number]
    if bucket.layout.textAlongLine {
      addTextAlongLine(part, instance, opacity)
      return
    }
    let chosen = textSymbol(bucket, instance, state)
    guard chosen >= 0 else { return }
    let symbol = bucket.geometry.texts[Int(chosen)]
    guard symbol.glyphCount > 0, var pose = pose(symbol, part.text) else { return }
    pose.point += shift(part, instance, state, pose)
    if state.isVertical { pose.turn(atan2(pose.sine, pose.cosine) + .pi / 2) }
    let base = ink(ink(part, feature: symbol.feature, .text), opacity: opacity)
    if frame.inks[Int(base)].opacity <= 0 { return }
    for index in Int(symbol.glyphStart)..<Int(symbol.glyphStart + symbol.glyphCount) {
      add(bucket.glyphQuads[index], bucket, pose, part.text.plane, base)
    }
  }

  private func textSymbol(_ bucket: SymbolBucket, _ instance: SymbolInstance, _ state: SymbolState) -> Int32 {
    if state.isVertical { return instance.verticalText }
    guard state.anchorOffset >= 0 else {
      // A label with variable anchors that found none is outside of the screen, whatever the overlap.
      if instance.anchorOffsetEnd > instance.anchorOffsetStart { return -1 }
      let any = instance.text(.center)
      return any >= 0 ? any : instance.verticalText
    }
    return instance.text(bucket.geometry.anchorOffsets[Int(state.anchorOffset)].anchor.justify)
  }

  /// How far a label moves for the variable anchor that placement took, in plane pixels.
  private func shift(
    _ part: SymbolFramePart, _ instance: SymbolInstance, _ state: SymbolState, _ pose: SymbolPose
  ) -> SIMD2<Double> {
    guard state.anchorOffset >= 0 else { return .zero }
    let geometry = part.bucket.geometry
    let boxNumber = state.isVertical ? instance.verticalTextBox : instance.textBox
    guard boxNumber >= 0, instance.textBoxScale > 0 else { return .zero }
    let box = geometry.boxes[Int(boxNumber)]
    let shift = variableAnchorShift(
      geometry.anchorOffsets[Int(state.anchorOffset)], width: (box.x2 - box.x1) / instance.textBoxScale,
      height: (box.y2 - box.y1) / instance.textBoxScale, textBoxScale: 1)
    let scaled = widen(shift) * (pose.shiftScale * pose.stretch)
    return SIMD2(scaled.x * pose.cosine - scaled.y * pose.sine, scaled.x * pose.sine + scaled.y * pose.cosine)
  }

  private mutating func addTextAlongLine(
    _ part: SymbolFramePart, _ instance: SymbolInstance, _ opacity: Float
  ) {
    let horizontal = instance.text(.center)
    var outcome = LineLabelOutcome.useVertical
    if horizontal >= 0 {
      outcome = addAlongLine(part, part.bucket.geometry.texts[Int(horizontal)], opacity)
    }
    // The upright version stands in where the line runs steeply.
    if outcome == .useVertical, instance.verticalText >= 0 {
      _ = addAlongLine(part, part.bucket.geometry.texts[Int(instance.verticalText)], opacity)
    }
  }

  private mutating func addAlongLine(
    _ part: SymbolFramePart, _ symbol: PlacedSymbol, _ opacity: Float
  ) -> LineLabelOutcome {
    let bucket = part.bucket
    let range = Int(symbol.glyphStart)..<Int(symbol.glyphStart + symbol.glyphCount)
    guard !range.isEmpty else { return .notEnoughRoom }
    let (outcome, scale, gamma) = bucket.geometry.glyphOffsets.withUnsafeBufferPointer { offsets in
      walk(
        part, part.text, symbol, offsets: UnsafeBufferPointer(rebasing: offsets[range]),
        keepUpright: bucket.layout.textKeepUpright,
        // Letters that stand upright do not turn with the line.
        letter: !spreadsLetters || bucket.layout.glyphsStandUpright
          ? nil : { bucket.glyphQuads[range.lowerBound + $0].letterBox })
    }
    guard outcome == .placed else { return outcome }
    let base = ink(ink(part, feature: symbol.feature, .text), opacity: opacity)
    if frame.inks[Int(base)].opacity <= 0 { return outcome }
    for (number, index) in range.enumerated() {
      let glyph = frame.lineGlyphs[number]
      let angle = bucket.layout.glyphsStandUpright ? 0 : glyph.angle
      let plane = part.text.plane
      var pose = SymbolPose(point: glyph.point, scale: scale, gammaScale: gamma, angle: angle)
      // On a globe each glyph is as large as the ground is where it stands.
      if plane.pitchWithMap { pose.stretch = plane.matrix.stretch(plane.tilePoint(glyph.point)) }
      add(bucket.glyphQuads[index], bucket, pose, plane, base)
    }
    return outcome
  }

  @inline(__always)
  private mutating func add(
    _ glyph: GlyphQuad, _ bucket: SymbolBucket, _ pose: SymbolPose, _ plane: LabelPlane, _ base: Int32
  ) {
    let s = pose.scale
    guard
      let quad = quad(
        pose, plane, widen(glyph.topLeft) * s, widen(glyph.topRight) * s, widen(glyph.bottomLeft) * s,
        widen(glyph.bottomRight) * s)
    else { return }
    if glyph.isPicture {
      let isGlyph = glyph.image < 0
      frame.textImages.append(
        IconInstance(
          quad: quad, texture: glyph.texture, image: glyph.image, glyph: isGlyph ? glyph.glyph : -1,
          ink: base,
          fontScale: Float(s), gammaScale: pose.gammaScale,
          isSDF: glyph.isSDFImage, isSmooth: smoothsTextImages || isGlyph))
      return
    }
    let ink =
      glyph.colorOverride < 0 ? base : ink(base, fill: bucket.colorOverrides[Int(glyph.colorOverride)])
    frame.glyphs.append(
      GlyphInstance(
        quad: quad, glyph: glyph.glyph, ink: ink, fontScale: Float(s), gammaScale: pose.gammaScale))
  }

  // MARK: Icons

  mutating func addIcon(_ part: SymbolFramePart, _ number: Int) {
    let state = part.states[number]
    guard state.icon else { return }
    let opacity = opacity(part, number, .icon)
    guard opacity > 0 else { return }
    let bucket = part.bucket, instance = bucket.geometry.instances[number]
    let chosen = state.isVertical && instance.verticalIcon >= 0 ? instance.verticalIcon : instance.icon
    guard chosen >= 0 else { return }
    let symbol = bucket.geometry.icons[Int(chosen)]
    var pose: SymbolPose
    if bucket.layout.iconAlongLine, symbol.lineLength > 1 {
      let zero: Float = 0
      let walked = withUnsafePointer(to: zero) { offset in
        walk(
          part, part.icon, symbol, offsets: UnsafeBufferPointer(start: offset, count: 1),
          keepUpright: bucket.layout.iconKeepUpright)
      }
      guard walked.outcome == .placed, let glyph = frame.lineGlyphs.first else { return }
      pose = SymbolPose(
        point: glyph.point, scale: walked.scale, gammaScale: walked.gammaScale, angle: glyph.angle)
    } else {
      guard let standing = self.pose(symbol, part.icon) else { return }
      pose = standing
      if state.isVertical, instance.verticalIcon >= 0 { pose.turn(atan2(pose.sine, pose.cosine) + .pi / 2) }
      if bucket.layout.iconTextFit != .none, bucket.layout.hasVariableAnchors {
        // An icon that is fitted to a text goes with it, and is not seen without it.
        guard state.text, state.anchorOffset >= 0 else { return }
        pose.point += textShift(part, instance, state)
      }
    }
    let base = ink(ink(part, feature: symbol.feature, .icon), opacity: opacity)
    if frame.inks[Int(base)].opacity <= 0 { return }
    for index in Int(symbol.glyphStart)..<Int(symbol.glyphStart + symbol.glyphCount) {
      add(bucket.iconQuads[index], part, pose, base)
    }
  }

  private func textShift(_ part: SymbolFramePart, _ instance: SymbolInstance, _ state: SymbolState) -> SIMD2<
    Double
  > {
    guard state.text, state.anchorOffset >= 0 else { return .zero }
    let number = textSymbol(part.bucket, instance, state)
    guard number >= 0, let pose = pose(part.bucket.geometry.texts[Int(number)], part.text) else {
      return .zero
    }
    return shift(part, instance, state, pose)
  }

  private mutating func add(_ icon: IconQuad, _ part: SymbolFramePart, _ pose: SymbolPose, _ base: Int32) {
    let scale = SIMD2(max(Double(icon.minScale.x), pose.scale), max(Double(icon.minScale.y), pose.scale))
    let low = widen(icon.fixedLow), high = widen(icon.fixedHigh)
    guard
      let quad = quad(
        pose, part.icon.plane, widen(icon.topLeft) * scale + low,
        widen(icon.topRight) * scale + SIMD2(high.x, low.y),
        widen(icon.bottomLeft) * scale + SIMD2(low.x, high.y), widen(icon.bottomRight) * scale + high)
    else { return }
    let size = part.bucket.iconSize.value
    let isScaled = size.constantNumber != 1 || part.bucket.iconsNeedSmoothing
    let isTurned = part.icon.plane.pitchWithMap || view.pitch != 0 || (part.icon.turns && view.bearing != 0)
    frame.icons.append(
      IconInstance(
        quad: quad, texture: icon.texture, image: icon.image, ink: base, fontScale: Float(pose.scale),
        gammaScale: pose.gammaScale,
        isSDF: icon.isSDF, isSmooth: icon.isSDF || isScaled || isTurned))
  }
}
