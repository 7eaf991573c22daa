import NeatBase
import NeatPlacement
import NeatText

extension SymbolBuilder {
  /// Adds a symbol at an anchor of this tile. Anchors in the tile's buffer belong to a neighbour, which shows
  /// the symbol.
  /// - Parameters:
  ///   - segment: of the line that the anchor lies on; negative for labels without a line.
  ///   - lineStart: where the line stands in the geometry; negative until it has been added.
  mutating func addSymbol(
    _ feature: SymbolFeature, _ values: SymbolFeatureValues, _ shaped: ShapedSymbol, _ point: SIMD2<Double>,
    segment: Int,
    line: [SIMD2<Double>], lineStart: inout Int32
  ) {
    let extent = TileUnits.extent
    guard point.x >= 0, point.x < extent, point.y >= 0, point.y < extent,
      geometry.instances.count < SymbolBuilder.maxInstances,
      glyphQuads.count < SymbolBuilder.maxGlyphs
    else { return }
    if segment >= 0, lineStart < 0 {
      lineStart = Int32(geometry.lineVertices.count)
      for vertex in line { geometry.lineVertices.append(SIMD2(Float(vertex.x), Float(vertex.y))) }
    }
    var instance = SymbolInstance(anchor: SIMD2(Float(point.x), Float(point.y)))
    instance.feature = Int32(feature.index)
    instance.key = key
    instance.sortKey = feature.sortKey
    instance.textBoxScale = Float(values.textSize / oneEm)
    instance.anchorOffsetStart = Int32(geometry.anchorOffsets.count)
    if !layout.textAlongLine, !shaped.horizontal.isEmpty {
      geometry.anchorOffsets.append(contentsOf: values.choices)
    }
    instance.anchorOffsetEnd = Int32(geometry.anchorOffsets.count)
    var placed = PlacedSymbol(
      anchor: instance.anchor, glyphStart: 0, glyphCount: 0, lineStart: max(lineStart, 0),
      lineLength: segment >= 0 ? Int32(line.count) : 0,
      segment: Int32(max(segment, 0)), lowerSize: 0, upperSize: 0)
    placed.feature = instance.feature
    addBoxes(&instance, values, shaped)
    addIcons(&instance, placed, values, shaped)
    addTexts(&instance, placed, values, shaped)
    geometry.instances.append(instance)
  }

  private mutating func addIcons(
    _ instance: inout SymbolInstance, _ base: PlacedSymbol, _ values: SymbolFeatureValues,
    _ shaped: ShapedSymbol
  ) {
    var placed = base
    placed.lowerSize = values.iconSizes.x
    placed.upperSize = values.iconSizes.y
    placed.lineOffset = SIMD2(Float(values.iconOffset.x), Float(values.iconOffset.y))
    func add(_ icon: PositionedIcon, _ mode: WritingMode) -> Int32 {
      var placed = placed
      let quads = NeatLayout.iconQuads(
        icon, rotation: values.iconRotate * .pi / 180, fitsText: layout.iconTextFit != .none)
      placed.glyphStart = Int32(iconQuads.count)
      placed.glyphCount = Int32(quads.count)
      assert(Int(placed.glyphStart) == iconQuads.count, "quads lie where the icon says")
      placed.writingMode = mode
      iconQuads.append(contentsOf: quads)
      geometry.icons.append(placed)
      return Int32(geometry.icons.count - 1)
    }
    if let icon = shaped.icon {
      instance.icon = add(icon, .none)
      instance.hasIconQuads = true
    }
    if let icon = shaped.verticalIcon { instance.verticalIcon = add(icon, .vertical) }
  }

  private mutating func addTexts(
    _ instance: inout SymbolInstance, _ base: PlacedSymbol, _ values: SymbolFeatureValues,
    _ shaped: ShapedSymbol
  ) {
    var placed = base
    placed.lowerSize = values.textSizes.x
    placed.upperSize = values.textSizes.y
    placed.lineOffset = SIMD2(Float(values.textOffset.x), Float(values.textOffset.y))
    let options = GlyphQuadOptions(
      textOffset: values.textOffset, alongLine: layout.textAlongLine, rotation: values.textRotate * .pi / 180,
      allowsVertical: layout.allowsVertical)
    func add(_ shaping: Shaping, _ mode: WritingMode) -> Int32 {
      var placed = placed
      placed.glyphStart = Int32(glyphQuads.count)
      addGlyphQuads(shaping, options)
      placed.glyphCount = Int32(glyphQuads.count) - placed.glyphStart
      assert(placed.glyphCount >= 0, "quads are only added")
      placed.writingMode = mode
      geometry.texts.append(placed)
      return Int32(geometry.texts.count - 1)
    }
    for (justify, shaping) in shaped.horizontal {
      let isShared = shaping.lines.count == 1 && (instance.text(.center) >= 0)
      let number =
        isShared
        ? instance.text(.center) : add(shaping, shaped.vertical == nil ? .horizontalOnly : .horizontal)
      if geometry.texts[Int(number)].glyphCount > 0 { instance.hasHorizontalGlyphs = true }
      switch justify {
      case .left: instance.leftText = number
      case .center: instance.centerText = number
      case .right: instance.rightText = number
      }
    }
    if let vertical = shaped.vertical {
      instance.verticalText = add(vertical, .vertical)
      instance.hasVerticalGlyphs = geometry.texts[Int(instance.verticalText)].glyphCount > 0
    }
  }

  // MARK: Collision shapes, in CSS pixels

  private mutating func addBoxes(
    _ instance: inout SymbolInstance, _ values: SymbolFeatureValues, _ shaped: ShapedSymbol
  ) {
    let textScale = values.textSize / oneEm
    let textPadding = SIMD4(repeating: values.textPadding)
    if let text = shaped.first {
      if layout.textAlongLine {
        note(&instance, height: text.bottom - text.top, scale: textScale)
      } else {
        let edges = SIMD4(text.left, text.top, text.right, text.bottom)
        instance.textBox = addBox(edges, scale: textScale, padding: textPadding, rotate: values.textRotate)
      }
    }
    if layout.allowsVertical, let vertical = shaped.vertical {
      let edges = SIMD4(vertical.left, vertical.top, vertical.right, vertical.bottom)
      instance.verticalTextBox = addBox(
        edges, scale: textScale, padding: textPadding, rotate: values.textRotate + 90)
    }
    if let icon = shaped.icon { instance.iconBox = addBox(icon, values, rotate: values.iconRotate) }
    if let icon = shaped.verticalIcon {
      instance.verticalIconBox = addBox(icon, values, rotate: values.textRotate + 90)
    }
  }

  /// Labels along lines collide as circles of the text's height, at least 10 24ths of an em.
  private func note(_ instance: inout SymbolInstance, height: Double, scale: Double) {
    if height > 0 { instance.circleDiameter = max(instance.circleDiameter, Float(max(10, height) * scale)) }
  }

  private mutating func addBox(_ icon: PositionedIcon, _ values: SymbolFeatureValues, rotate: Double) -> Int32
  {
    var edges = SIMD4(icon.left, icon.top, icon.right, icon.bottom)
    if icon.image.content != nil, icon.image.textFitWidth != nil || icon.image.textFitHeight != nil {
      let fitted = applyTextFit(icon)
      edges = SIMD4(fitted.left, fitted.top, fitted.right, fitted.bottom)
    }
    if let padding = icon.collisionPadding { edges += padding * SIMD4(-1, -1, 1, 1) }
    return addBox(edges, scale: values.iconSize, padding: values.iconPadding, rotate: rotate)
  }

  /// - Parameters:
  ///   - edges: left, top, right, bottom around the anchor.
  ///   - padding: top, right, bottom, left in pixels.
  ///   - rotate: degrees; the box becomes the bounds of the turned one.
  private mutating func addBox(_ edges: SIMD4<Double>, scale: Double, padding: SIMD4<Double>, rotate: Double)
    -> Int32
  {
    var low = SIMD2(edges.x * scale - padding.w, edges.y * scale - padding.x)
    var high = SIMD2(edges.z * scale + padding.y, edges.w * scale + padding.z)
    if rotate != 0 {
      let s = sin(rotate * .pi / 180), c = cos(rotate * .pi / 180)
      let corners = [low, SIMD2(high.x, low.y), SIMD2(low.x, high.y), high].map {
        SIMD2($0.x * c - $0.y * s, $0.x * s + $0.y * c)
      }
      low = corners.reduce(corners[0], pointwiseMin)
      high = corners.reduce(corners[0], pointwiseMax)
    }
    // Boxes end at whole tile units, nearer to the anchor.
    low = (low * tileUnits).rounded(.towardZero) / tileUnits
    high = (high * tileUnits).rounded(.towardZero) / tileUnits
    geometry.boxes.append(CollisionRect(Float(low.x), Float(low.y), Float(high.x), Float(high.y)))
    assert(geometry.boxes.count <= Int32.max, "boxes are numbered")
    return Int32(geometry.boxes.count - 1)
  }
}
