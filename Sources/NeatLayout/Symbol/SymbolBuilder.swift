// Phase two of symbol layout: shapes each feature's text and icon, finds the anchors, and adds a symbol
// instance with its boxes and quads at each of them. Semantics of MapLibre's performSymbolLayout.
import NeatBase
import NeatPlacement
import NeatStyle
import NeatText
import NeatTile

extension SymbolLayoutRequest {
  /// Makes the bucket with the glyphs and images that are there now; texts and icons that lack theirs are
  /// left out.
  /// - Parameter images: by name, those of `needs.images` that exist.
  package func layout(
    images: [String: ImagePosition], store: GlyphStore, evaluator: Evaluator, pixelRatio: Double = 1
  ) -> SymbolBucket {
    var builder = SymbolBuilder(
      self, images: images, store: store, evaluator: evaluator, pixelRatio: pixelRatio)
    for feature in features {
      guard evaluator.mayContinue(weight: builder.weight(of: feature)) else { break }
      builder.add(feature)
    }
    return SymbolBucket(
      request: self, layout: layout, geometry: builder.geometry, glyphQuads: builder.glyphQuads,
      iconQuads: builder.iconQuads,
      colorOverrides: builder.colorOverrides, textSize: builder.textSize, iconSize: builder.iconSize,
      iconsNeedSmoothing: builder.iconsNeedSmoothing)
  }
}

struct SymbolBuilder {
  /// Most symbols of a layer in one tile, and most glyphs.
  static let maxInstances = 65536
  static let maxGlyphs = 1 << 20

  let request: SymbolLayoutRequest
  let layer: StyleLayer
  let layout: SymbolLayerLayout
  let images: [String: ImagePosition]
  let store: GlyphStore
  let evaluator: Evaluator
  let pixelRatio: Double
  let textSize: SymbolSize
  let iconSize: SymbolSize
  /// Tile units a CSS pixel.
  let tileUnits: Double
  /// The layout properties, where no feature has its own.
  private var sharedValues: SymbolFeatureValues?
  /// Texts as they are set, where all features have the same values: `maxShapedTexts` of them at most.
  private var shapedTexts: [ObjectIdentifier: ShapedSymbol] = [:]
  private static let maxShapedTexts = 2048
  var geometry = SymbolGeometry()
  var glyphQuads: [GlyphQuad] = []
  var iconQuads: [IconQuad] = []
  var colorOverrides: [Color] = []
  var iconsNeedSmoothing = false
  /// Anchors of the labels along lines by text, against repetition.
  private var repeated: [String: [SIMD2<Double>]] = [:]
  /// The colours of the sections of the feature at hand, as indices of `colorOverrides`.
  var sectionColors: [Int32] = []
  /// Of the feature at hand, by which its labels are found again in other tiles.
  var key: UInt64 = 0

  init(
    _ request: SymbolLayoutRequest, images: [String: ImagePosition], store: GlyphStore, evaluator: Evaluator,
    pixelRatio: Double
  ) {
    self.request = request
    layer = request.layer
    layout = request.layout
    self.images = images
    self.store = store
    self.evaluator = evaluator
    self.pixelRatio = pixelRatio
    textSize = SymbolSize(request.layer[.textSize], tileZoom: request.zoom)
    iconSize = SymbolSize(request.layer[.iconSize], tileZoom: request.zoom)
    tileUnits = TileUnits.extent / (TileUnits.pixels * request.tile.overscaleFactor)
    guard !SymbolFeatureValues.properties.contains(where: { request.layer[$0].isDataDriven }) else { return }
    sharedValues = SymbolFeatureValues(layer, layout, textSize, iconSize, evaluator, at: request.point)
  }

  /// What a feature takes beside others, about: as much as another for so many characters that are not set yet.
  func weight(of feature: SymbolFeature) -> Int {
    guard let text = feature.text, sharedValues == nil || shapedTexts[ObjectIdentifier(text)] == nil else {
      return 1
    }
    return 1 + min(text.string.utf8.count, ShapingLimits.maxTextLength) / 64
  }

  mutating func add(_ feature: SymbolFeature) {
    let values =
      sharedValues
      ?? SymbolFeatureValues(
        layer, layout, textSize, iconSize, evaluator, at: request.point.feature(feature.index))
    let shaped = shape(feature, values)
    if shaped.isEmpty || geometry.instances.count >= SymbolBuilder.maxInstances
      || glyphQuads.count >= SymbolBuilder.maxGlyphs
    {
      return
    }
    sectionColors.removeAll(keepingCapacity: true)
    let sections = feature.text?.sections ?? []
    for section in sections {
      sectionColors.append(section.color == nil ? -1 : Int32(colorOverrides.count))
      if let color = section.color { colorOverrides.append(color) }
    }
    assert(sectionColors.count == sections.count, "a colour, or none, for each section")
    key = feature.labelKey
    addAnchors(feature, values, shaped)
  }

  // MARK: Shaping

  private mutating func shape(_ feature: SymbolFeature, _ values: SymbolFeatureValues) -> ShapedSymbol {
    let shaped = feature.text.map { shape($0, values) } ?? ShapedSymbol()
    guard let name = feature.icon, let image = images[name] else { return shaped }
    var icon = shapeIcon(image, offset: values.iconOffset, anchor: values.iconAnchor)
    var verticalIcon: PositionedIcon?
    if image.pixelRatio != pixelRatio || values.iconRotate != 0 { iconsNeedSmoothing = true }
    if layout.iconTextFit != .none {
      func fit(_ text: Shaping) -> PositionedIcon {
        fitIconToText(
          icon, text: text, fit: layout.iconTextFit, padding: layout.iconTextFitPadding,
          offset: values.iconOffset,
          fontScale: values.textSize / oneEm)
      }
      if layout.allowsVertical, let vertical = shaped.vertical { verticalIcon = fit(vertical) }
      if let text = shaped.first { icon = fit(text) }
    }
    // Others of the name share its text, and have icons of their own.
    return ShapedSymbol(
      horizontal: shaped.horizontal, vertical: shaped.vertical, icon: icon, verticalIcon: verticalIcon)
  }

  /// Features of one name are set alike where the layer has no other values for each.
  private mutating func shape(_ text: SymbolText, _ values: SymbolFeatureValues) -> ShapedSymbol {
    guard sharedValues != nil else { return set(text, values) }
    if let known = shapedTexts[ObjectIdentifier(text)] { return known }
    let shaped = set(text, values)
    if shapedTexts.count < SymbolBuilder.maxShapedTexts { shapedTexts[ObjectIdentifier(text)] = shaped }
    return shaped
  }

  private func set(_ text: SymbolText, _ values: SymbolFeatureValues) -> ShapedSymbol {
    var horizontal: [(justify: TextJustify, shaping: Shaping)] = []
    var vertical: Shaping?
    var options = ShapingOptions()
    options.maxWidth = values.maxWidth
    options.lineHeight = values.lineHeight
    options.anchor = values.textAnchor
    options.justify = values.justify ?? values.textAnchor.justify
    options.letterSpacing = TextProperties.allowsLetterSpacing(text.string) ? values.letterSpacing : 0
    options.translate = values.textOffset
    options.layoutTextSize = values.textSize
    options.layoutTextSizeThisZoom = values.textSizeThisZoom
    func set(_ options: ShapingOptions) -> Shaping? {
      shapeText(text.sections, store: store, images: { images[$0] }, options: options)
    }
    let isVariable = !layout.textAlongLine && !values.choices.isEmpty
    if isVariable {
      // Shaped around the middle for each justification; the anchor's offset follows in placement.
      var justifications: [TextJustify] = []
      for choice in values.choices {
        let justify = values.justify ?? choice.anchor.justify
        if !justifications.contains(justify) { justifications.append(justify) }
      }
      options.anchor = .center
      for justify in justifications {
        if let first = horizontal.first?.shaping, first.lines.count == 1 {
          horizontal.append((justify, first))
          continue
        }
        options.justify = justify
        if let shaping = set(options) { horizontal.append((justify, shaping)) }
      }
      options.anchor = values.textAnchor
    } else if let shaping = set(options) {
      horizontal.append((options.justify, shaping))
    }
    guard TextProperties.allowsVerticalWritingMode(text.string) else {
      return ShapedSymbol(horizontal: horizontal)
    }
    options.writingMode = .vertical
    if layout.allowsVertical {
      options.justify = .left
      options.allowVerticalPlacement = true
      vertical = set(options)
    } else if layout.textAlongLine, layout.textKeepUpright {
      vertical = set(options)
    }
    return ShapedSymbol(horizontal: horizontal, vertical: vertical)
  }

  // MARK: Anchors

  private mutating func addAnchors(
    _ feature: SymbolFeature, _ values: SymbolFeatureValues, _ shaped: ShapedSymbol
  ) {
    if feature.type == .unknown || (feature.type == .point && layout.placement != .point) { return }
    let lines = request.lines(of: feature)
    let text = shaped.vertical ?? shaped.first
    let options = LineAnchorOptions(
      spacing: layout.spacing * tileUnits, maxAngle: layout.textMaxAngle,
      labelWidth: max(text.map { $0.right - $0.left } ?? 0, shaped.icon.map { $0.right - $0.left } ?? 0),
      hasText: text != nil,
      boxScale: tileUnits * values.textSizeForAnchors / oneEm, overscaling: request.tile.overscaleFactor,
      extent: TileUnits.extent)
    switch layout.placement {
    case .line:
      let key = shaped.first?.text
      for line in lines {
        for part in clipLine(
          closed(line, feature.type), min: .zero, max: SIMD2(repeating: TileUnits.extent))
        {
          var start: Int32 = -1
          for anchor in lineAnchors(part, options) where key.map({ !isTooClose($0, anchor.point) }) ?? true {
            addSymbol(
              feature, values, shaped, anchor.point, segment: anchor.segment, line: part, lineStart: &start)
          }
        }
      }
    case .lineCenter:
      for line in lines where line.count > 1 {
        let line = closed(line, feature.type)
        guard let anchor = centerAnchor(line, options) else { continue }
        var start: Int32 = -1
        addSymbol(
          feature, values, shaped, anchor.point, segment: anchor.segment, line: line, lineStart: &start)
      }
    case .point: addPoints(feature, values, shaped, lines)
    }
  }

  private mutating func addPoints(
    _ feature: SymbolFeature, _ values: SymbolFeatureValues, _ shaped: ShapedSymbol,
    _ lines: [[SIMD2<Double>]]
  ) {
    var start: Int32 = -1
    switch feature.type {
    case .polygon:
      for polygon in polygons(lines) {
        addSymbol(
          feature, values, shaped, poleOfInaccessibility(polygon, precision: TileUnits.perPixel), segment: -1,
          line: [],
          lineStart: &start)
      }
    case .line:
      for line in lines {
        addSymbol(feature, values, shaped, line[0], segment: -1, line: [], lineStart: &start)
      }
    case .unknown: return
    case .point:
      for part in lines {
        for point in part {
          addSymbol(feature, values, shaped, point, segment: -1, line: [], lineStart: &start)
        }
      }
    }
  }

  private func closed(_ line: [SIMD2<Double>], _ type: GeometryType) -> [SIMD2<Double>] {
    guard type == .polygon, let first = line.first, first != line.last else { return line }
    return line + [first]
  }

  /// Rings in groups, each an outer ring with its holes.
  private func polygons(_ rings: [[SIMD2<Double>]]) -> [[[SIMD2<Double>]]] {
    var groups: [[[SIMD2<Double>]]] = []
    var outerSign = 0.0
    for ring in rings {
      let area = signedArea(ring)
      if area == 0 { continue }
      if outerSign == 0 { outerSign = area < 0 ? -1 : 1 }
      if groups.isEmpty || (area < 0) == (outerSign < 0) {
        groups.append([ring])
      } else {
        assert(!groups.isEmpty, "the first ring with an area opens a polygon")
        groups[groups.count - 1].append(ring)
      }
    }
    return groups
  }

  private func signedArea(_ ring: [SIMD2<Double>]) -> Double {
    guard var previous = ring.last else { return 0 }
    var sum = 0.0
    for point in ring {
      sum += previous.x * point.y - point.x * previous.y
      previous = point
    }
    return sum
  }

  /// Whether the same text stands nearer than half the spacing; notes the anchor if not.
  private mutating func isTooClose(_ text: String, _ anchor: SIMD2<Double>) -> Bool {
    let limit = layout.spacing * tileUnits / 2
    if let others = repeated[text], others.contains(where: { distance($0, anchor) < limit }) { return true }
    repeated[text, default: []].append(anchor)
    return false
  }
}
