import NeatBase

/// One bucket with what is the same for all of its labels.
struct LayerRun {
  let settings: SymbolPlacementSettings
  let bucket: PlacementBucket
  let textFrame: CollisionIndex.BoxFrame
  let iconFrame: CollisionIndex.BoxFrame
  let plane: LabelPlane
  let group: Int32
  let alwaysShowsText: Bool
  let alwaysShowsIcon: Bool

  init(
    _ settings: SymbolPlacementSettings, _ bucket: PlacementBucket, _ view: PlacementView,
    _ crossSourceCollisions: Bool
  ) {
    self.settings = settings
    self.bucket = bucket
    let tile = bucket.tile
    textFrame = .init(
      tile: tile,
      translation: tile.translation(
        settings.textTranslate, viewportAnchor: settings.textTranslateViewport, view: view),
      pitchWithMap: settings.textPitchWithMap, rotateWithMap: settings.textRotateWithMap)
    iconFrame = .init(
      tile: tile,
      translation: tile.translation(
        settings.iconTranslate, viewportAnchor: settings.iconTranslateViewport, view: view),
      pitchWithMap: settings.textPitchWithMap, rotateWithMap: settings.textRotateWithMap)
    plane = LabelPlane(
      view: view, tile: tile, pitchWithMap: settings.textPitchWithMap,
      rotateWithMap: settings.textRotateWithMap)
    group = crossSourceCollisions ? -1 : Int32(bucket.group)
    // Symbols that may always overlap stand even where they lie outside of the grid.
    let textAlways = settings.textOverlap == .always, iconAlways = settings.iconOverlap == .always
    alwaysShowsText = textAlways && (iconAlways || !bucket.geometry.hasIcons || settings.iconOptional)
    alwaysShowsIcon = iconAlways && (textAlways || !bucket.geometry.hasText || settings.textOptional)
  }

  func key(_ symbol: SymbolInstance, _ mode: OverlapMode) -> CollisionKey {
    CollisionKey(
      bucket: bucket.bucketID, feature: UInt32(bitPattern: symbol.feature), group: bucket.group, mode: mode)
  }
}

/// What became of a symbol, and what it takes.
struct PlacedLabel {
  var state: SymbolState
  var text: PlacedBox?
  var circles: PlacedCircles?
  var icon: PlacedBox?
}

extension Placement {
  /// What a text's box came to.
  struct TextOutcome {
    var box: PlacedBox?
    var isVertical = false
    var anchorOffset: Int32 = -1
    /// Of a variable anchor; nil where there is none.
    var shift: SIMD2<Float>?

    var isPlaced: Bool { box?.isPlaceable ?? false }
  }

  /// Places a symbol where there is room for it.
  func place(_ symbol: SymbolInstance, _ run: LayerRun, id: Int) -> SymbolState {
    let label = evaluate(symbol, run, id: id)
    insert(symbol, run, label)
    return label.state
  }

  /// What becomes of a symbol among those that stand.
  func evaluate(_ symbol: SymbolInstance, _ run: LayerRun, id: Int) -> PlacedLabel {
    let settings = run.settings
    let text = placeText(symbol, run, id)
    var standsText = text.isPlaced
    var isOffscreen = text.box?.isOffscreen ?? true
    let circles = placeCircles(symbol, run)
    if let circles {
      standsText = settings.textOverlap == .always || (!circles.circles.isEmpty && !circles.isCollided)
      isOffscreen = isOffscreen && circles.isOffscreen
    }
    var icon: PlacedBox?
    var standsIcon = false
    if symbol.iconBox >= 0 {
      let number =
        text.isPlaced && text.isVertical && symbol.verticalIconBox >= 0
        ? symbol.verticalIconBox : symbol.iconBox
      let placed = index.place(
        run.bucket.geometry.boxes[Int(number)], anchor: symbol.anchor, frame: run.iconFrame,
        shift: settings.hasIconTextFit ? text.shift : nil, mode: settings.iconOverlap, group: run.group)
      icon = placed
      standsIcon = placed.isPlaceable
      isOffscreen = isOffscreen && placed.isOffscreen
    }
    let iconWithoutText = settings.textOptional || (!symbol.hasHorizontalGlyphs && !symbol.hasVerticalGlyphs)
    let textWithoutIcon = settings.iconOptional || !symbol.hasIconQuads
    let both = standsIcon && standsText
    if !iconWithoutText && !textWithoutIcon {
      standsIcon = both
      standsText = both
    } else if !textWithoutIcon {
      standsText = both
    } else if !iconWithoutText {
      standsIcon = both
    }
    var state = SymbolState()
    state.text = (standsText || run.alwaysShowsText) && text.box?.isHidden != true
    state.icon = (standsIcon || run.alwaysShowsIcon) && icon?.isHidden != true
    state.isVertical = text.isVertical
    state.anchorOffset = text.anchorOffset
    state.skipFade = isOffscreen
    if shapes != nil { note(symbol, run, Outcome(text: text, icon: icon, circles: circles, state: state)) }
    return PlacedLabel(
      state: state, text: standsText ? text.box : nil, circles: standsText ? circles : nil,
      icon: standsIcon ? icon : nil)
  }

  /// Takes a symbol's place from those after it.
  func insert(_ symbol: SymbolInstance, _ run: LayerRun, _ label: PlacedLabel) {
    let settings = run.settings
    if let text = label.text {
      index.insert(
        text.rect, ignored: settings.textIgnorePlacement, key: run.key(symbol, settings.textOverlap))
    }
    if let icon = label.icon {
      index.insert(
        icon.rect, ignored: settings.iconIgnorePlacement, key: run.key(symbol, settings.iconOverlap))
    }
    guard let circles = label.circles else { return }
    let key = run.key(symbol, settings.textOverlap)
    for circle in circles.circles {
      index.insertCircle(circle, ignored: settings.textIgnorePlacement, key: key)
    }
  }

  /// - Parameter overlap: nil for the layer's.
  func placeCircles(_ symbol: SymbolInstance, _ run: LayerRun, overlap: OverlapMode? = nil) -> PlacedCircles?
  {
    let geometry = run.bucket.geometry
    let number = symbol.text(.center)
    guard symbol.circleDiameter >= 0, number >= 0 else { return nil }
    let placed = geometry.texts[Int(number)]
    guard placed.glyphCount > 0 else { return nil }
    let first = geometry.glyphOffsets[Int(placed.glyphStart)]
    let last = geometry.glyphOffsets[Int(placed.glyphStart + placed.glyphCount - 1)]
    return geometry.lineVertices.withUnsafeBufferPointer { vertices in
      let label = LineLabel(
        symbol: placed, vertices: vertices, firstOffset: first, lastOffset: last,
        fontSize: Double(run.bucket.textSize.size(placed)), diameter: Double(symbol.circleDiameter),
        padding: run.settings.textPadding)
      return index.placeCircles(
        label, plane: run.plane, translation: run.textFrame.translation, origin: run.bucket.tile.origin,
        mode: overlap ?? run.settings.textOverlap,
        group: run.group, keepsAll: shapes != nil)
    }
  }

  private func placeText(_ symbol: SymbolInstance, _ run: LayerRun, _ id: Int) -> TextOutcome {
    guard symbol.textBox >= 0 else { return TextOutcome() }
    let hasVertical = run.settings.allowsVertical && symbol.hasVerticalGlyphs && symbol.verticalTextBox >= 0
    guard hasVertical else { return placeText(symbol, run, id, vertical: false) }
    var outcome = TextOutcome()
    for mode in run.settings.writingModes {
      outcome = placeText(symbol, run, id, vertical: mode == .vertical)
      if outcome.isPlaced { break }
    }
    return outcome
  }

  private func placeText(_ symbol: SymbolInstance, _ run: LayerRun, _ id: Int, vertical: Bool) -> TextOutcome
  {
    let boxes = run.bucket.geometry.boxes
    let box = boxes[Int(vertical ? symbol.verticalTextBox : symbol.textBox)]
    if symbol.anchorOffsetEnd > symbol.anchorOffsetStart {
      return placeVariable(symbol, run, box, id, vertical: vertical)
    }
    let placed = index.place(
      box, anchor: symbol.anchor, frame: run.textFrame, mode: run.settings.textOverlap, group: run.group)
    return TextOutcome(box: placed, isVertical: vertical && placed.isPlaceable)
  }

  /// Tries the anchors in order, first the one of the frame before; a second round tolerates what the overlap
  /// mode tolerates.
  private func placeVariable(
    _ symbol: SymbolInstance, _ run: LayerRun, _ box: CollisionRect, _ id: Int, vertical: Bool
  ) -> TextOutcome {
    let offsets = run.bucket.geometry.anchorOffsets
    let range = Int(symbol.anchorOffsetStart)..<Int(symbol.anchorOffsetEnd)
    func attempt(_ mode: OverlapMode, only: TextAnchor? = nil) -> TextOutcome? {
      for number in range where only == nil || offsets[number].anchor == only {
        if let outcome = tryAnchor(symbol, run, box, number, mode, vertical: vertical) { return outcome }
      }
      return nil
    }
    if id < records.count, records[id].standsText, let before = records[id].anchor,
      let outcome = attempt(.never, only: before)
    {
      return outcome
    }
    if let outcome = attempt(.never) { return outcome }
    guard run.settings.textOverlap != .never else { return TextOutcome() }
    return attempt(run.settings.textOverlap) ?? TextOutcome()
  }

  private func tryAnchor(
    _ symbol: SymbolInstance, _ run: LayerRun, _ box: CollisionRect, _ number: Int, _ mode: OverlapMode,
    vertical: Bool
  ) -> TextOutcome? {
    let geometry = run.bucket.geometry
    let choice = geometry.anchorOffsets[number]
    let shift = variableAnchorShift(
      choice, width: box.x2 - box.x1, height: box.y2 - box.y1, textBoxScale: symbol.textBoxScale)
    let placed = index.place(
      box, anchor: symbol.anchor, frame: run.textFrame, shift: shift, mode: mode, group: run.group)
    guard placed.isPlaceable else { return nil }
    let iconBox = vertical ? symbol.verticalIconBox : symbol.iconBox
    if run.settings.hasIconTextFit, run.settings.iconOverlap == .never, iconBox >= 0 {
      // An icon that is fitted to the text moves with it, and needs room there too.
      let icon = index.place(
        geometry.boxes[Int(iconBox)], anchor: symbol.anchor, frame: run.iconFrame, shift: shift, mode: mode,
        group: run.group)
      guard icon.isPlaceable else { return nil }
    }
    return TextOutcome(box: placed, isVertical: vertical, anchorOffset: Int32(number), shift: shift)
  }
}

/// How far a label that is shaped around its middle moves for an anchor, in the pixels of its box.
package func variableAnchorShift(_ choice: AnchorChoice, width: Float, height: Float, textBoxScale: Float)
  -> SIMD2<Float>
{
  SIMD2(
    -(Float(choice.anchor.horizontalAlign) - 0.5) * width + choice.offset.x * textBoxScale,
    -(Float(choice.anchor.verticalAlign) - 0.5) * height + choice.offset.y * textBoxScale)
}
