// Phase one of the layout of symbols: what of a tile's layer shows a text or an icon, and which.
import NeatBase
import NeatPlacement
import NeatStyle
import NeatText
import NeatTile

/// Phase one's loop over the features.
struct SymbolFeatureReader {
  let layer: StyleLayer
  let tileLayer: TileLayer
  let layout: SymbolLayerLayout
  let store: GlyphStore
  let server: GlyphServerID
  let evaluator: Evaluator
  /// The layer without a feature.
  let point: EvaluationPoint
  private var features: [SymbolFeature] = []
  private(set) var needs = SymbolNeeds()
  /// Whether all features have one font stack, and one transform, and which.
  private let sharesFontStack: Bool
  private let sharesTransform: Bool
  private var sharedStack: FontStackID?
  private var sharedTransform: Int?
  private var texts = ReadTexts()
  private var stacks: [[String]: FontStackID] = [:]
  private var namedStacks: [String: FontStackID] = [:]

  init(
    layer: StyleLayer, tileLayer: TileLayer, layout: SymbolLayerLayout, store: GlyphStore,
    server: GlyphServerID, evaluator: Evaluator, point: EvaluationPoint
  ) {
    self.layer = layer
    self.tileLayer = tileLayer
    self.point = point
    self.layout = layout
    self.store = store
    self.server = server
    self.evaluator = evaluator
    sharesFontStack = !layer[.textFont].isDataDriven
    sharesTransform = !layer[.textTransform].isDataDriven
  }

  /// The features, which the reader has no more.
  mutating func takeFeatures() -> [SymbolFeature] {
    defer { features = [] }
    return features
  }

  mutating func read() {
    let hasText = layer.isSet(.textField), hasIcon = layer.isSet(.iconImage)
    guard hasText || hasIcon else { return }
    let filter = layer.filter
    let skipsOutside = layout.placement == .point
    for index in 0..<tileLayer.featureCount {
      if skipsOutside, tileLayer.geometryType(index) == .point, !isInside(index) { continue }
      let point = point.feature(index)
      if let filter, !filter.matches(evaluator, at: point) { continue }
      var feature = SymbolFeature(index: index, type: tileLayer.geometryType(index))
      if hasText { readText(&feature, at: point) }
      if hasIcon, let image = layer[.iconImage].image(evaluator, at: point), !image.name.isEmpty {
        feature.icon = image.name
        needs.images.insert(image.name)
      }
      if feature.sections.isEmpty, feature.icon == nil { continue }
      if layout.sortsByKey { feature.sortKey = Float(layer[.symbolSortKey].number(evaluator, at: point)) }
      feature.lines = tileLines(tileLayer, index)
      if feature.lines.isEmpty { continue }
      features.append(feature)
      if features.count >= SymbolLayoutRequest.maxFeatures { return }
    }
  }

  /// Whether a point of the feature lies in the tile itself: those in its buffer are shown by the neighbours.
  private func isInside(_ feature: Int) -> Bool {
    let extent = Int32(clamping: tileLayer.extent)
    for i in tileLayer.pointRange(of: feature) {
      let p = tileLayer.points[i]
      if p.x >= 0, p.y >= 0, p.x <= extent, p.y <= extent { return true }
    }
    return false
  }

  private mutating func readText(_ feature: inout SymbolFeature, at point: EvaluationPoint) {
    guard sharesFontStack, sharesTransform,
      let bytes = layer[.textField].plainTextBytes(evaluator, at: point)
    else {
      let formatted = layer[.textField].formatted(evaluator, at: point)
      if formatted.isEmpty { return }
      show(text(of: formatted, at: point), in: &feature)
      return
    }
    if bytes.isEmpty { return }
    // Many features have few names: pieces of streets above all.
    let place = texts.place(of: bytes)
    if let known = texts[place] {
      show(known, in: &feature)
      return
    }
    // Kept under its bytes before they go: those of the font stack may be evaluated next.
    texts.keep(bytes, at: place)
    let read = text(of: FormattedText(String(decoding: bytes, as: UTF8.self)), at: point)
    texts.add(read)
    show(read, in: &feature)
  }

  private func show(_ text: ReadText, in feature: inout SymbolFeature) {
    feature.sections = text.sections
    feature.text = text.text
    feature.textNumber = text.number
    feature.fontStack = text.fontStack
  }

  private mutating func text(of formatted: FormattedText, at point: EvaluationPoint) -> ReadText {
    var read = ReadText(fontStack: fontStack(at: point))
    let transform = textTransform(at: point)
    read.sections.reserveCapacity(formatted.sections.count)
    for section in formatted.sections {
      if let image = section.image {
        needs.images.insert(image.name)
        read.sections.append(
          TextSection(
            text: "", fontStack: read.fontStack, imageName: image.name,
            verticalAlign: SymbolFeatureReader.align(section.verticalAlign)))
        continue
      }
      let text =
        switch transform {
        case 1: section.text.uppercased()
        case 2: section.text.lowercased()
        default: section.text
        }
      let stack = section.fontStack.map { fontStack(named: $0) } ?? read.fontStack
      if read.text.isEmpty { read.text = text } else { read.text += text }
      read.sections.append(
        TextSection(
          text: text, scale: section.scale ?? 1, fontStack: stack, color: section.textColor?.color,
          verticalAlign: SymbolFeatureReader.align(section.verticalAlign)))
      let vertical =
        (layout.allowsVertical || layout.textAlongLine) && TextProperties.allowsVerticalWritingMode(text)
      for range in store.missingRanges(for: text, fontStack: stack, vertical: vertical) {
        needs.ranges[stack, default: []].insert(range)
      }
    }
    if !read.text.isEmpty { read.number = texts.number(of: read.text) }
    return read
  }

  private static func align(_ align: FormattedText.VerticalAlign?) -> SectionAlign {
    switch align {
    case .center: .center
    case .top: .top
    case .bottom, nil: .bottom
    }
  }

  private mutating func fontStack(at point: EvaluationPoint) -> FontStackID {
    if let sharedStack { return sharedStack }
    let font = layer[.textFont]
    let stack = fontStack(font.strings(evaluator, at: point))
    if sharesFontStack { sharedStack = stack }
    return stack
  }

  private mutating func textTransform(at point: EvaluationPoint) -> Int {
    if let sharedTransform { return sharedTransform }
    let transform = layer[.textTransform]
    let index = transform.enumIndex(evaluator, at: point)
    if sharesTransform { sharedTransform = index }
    return index
  }

  private mutating func fontStack(_ names: [String]) -> FontStackID {
    if let known = stacks[names] { return known }
    let stack = store.fontStack(names.joined(separator: ","), server: server)
    stacks[names] = stack
    return stack
  }

  private mutating func fontStack(named name: String) -> FontStackID {
    if let known = namedStacks[name] { return known }
    let stack = store.fontStack(name, server: server)
    namedStacks[name] = stack
    return stack
  }
}
