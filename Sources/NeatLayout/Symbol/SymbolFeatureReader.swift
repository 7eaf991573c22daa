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
  private let textField: PropertyValue
  private let iconImage: PropertyValue
  /// Whether all features have one font stack, and one transform, and which.
  private let sharesFontStack: Bool
  private let sharesTransform: Bool
  private var sharedStack: FontStackID?
  private var sharedTransform: Int?
  private var texts = ReadTexts()
  private var known: KnownTexts?
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
    textField = layer[.textField]
    iconImage = layer[.iconImage]
    sharesFontStack = !layer[.textFont].isDataDriven
    sharesTransform = !layer[.textTransform].isDataDriven
  }

  /// The features, which the reader has no more.
  mutating func takeFeatures() -> [SymbolFeature] {
    defer { features = [] }
    return features
  }

  mutating func read() {
    guard layer.isSet(.textField) || layer.isSet(.iconImage), tileLayer.featureCount > 0 else { return }
    guard let filter = layer.filter else { return read(0..<tileLayer.featureCount) }
    withUnsafeTemporaryAllocation(of: UInt32.self, capacity: tileLayer.featureCount) { passing in
      let count = filter.matches(evaluator, at: point, into: passing)
      read(passing[..<count].lazy.map { Int($0) })
    }
  }

  private mutating func read(_ indices: some Collection<Int>) {
    let hasText = layer.isSet(.textField), hasIcon = layer.isSet(.iconImage)
    let skipsOutside = layout.placement == .point
    let places = TilePlaces(tileLayer)
    if hasText, sharesFontStack, sharesTransform { known = KnownTexts(textField, in: tileLayer) }
    let room = min(indices.count, SymbolLayoutRequest.maxFeatures)
    features.reserveCapacity(room)
    for index in indices {
      guard evaluator.mayContinue() else { return }
      if !places.hasPoints(index) { continue }
      if skipsOutside, tileLayer.geometryType(index) == .point, !isInside(index) { continue }
      let point = point.feature(index)
      var feature = SymbolFeature(index: index, type: tileLayer.geometryType(index))
      if hasText { feature.text = text(of: index, at: point) }
      if hasIcon, let image = iconImage.image(evaluator, at: point), !image.name.isEmpty {
        evaluator.keep(bytes: image.name.utf8.count)
        feature.icon = image.name
        needs.images.insert(image.name)
      }
      if feature.text == nil, feature.icon == nil { continue }
      if layout.sortsByKey { feature.sortKey = Float(layer[.symbolSortKey].number(evaluator, at: point)) }
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

  /// Nil where the feature has no text.
  private mutating func text(of feature: Int, at point: EvaluationPoint) -> SymbolText? {
    guard let place = known?.place(of: feature) else { return text(at: point) }
    if let text = known?[place] { return text }
    let text = text(at: point)
    known?.keep(text, at: place)
    return text
  }

  private mutating func text(at point: EvaluationPoint) -> SymbolText? {
    guard sharesFontStack, sharesTransform else {
      let formatted = textField.formatted(evaluator, at: point)
      return formatted.isEmpty ? nil : text(of: formatted, at: point)
    }
    switch textField.text(evaluator, at: point) {
    case .plain(let bytes): return bytes.isEmpty ? nil : text(of: bytes, at: point)
    case .formatted(let formatted): return formatted.isEmpty ? nil : text(of: formatted, at: point)
    }
  }

  /// The text of a name. Many features have few names: pieces of streets above all.
  private mutating func text(of bytes: UnsafeBufferPointer<UInt8>, at point: EvaluationPoint) -> SymbolText {
    let place = texts.place(of: bytes)
    if let known = texts[place] { return known }
    evaluator.keep(bytes: bytes.count)
    // Kept under its bytes before they go: those of the font stack may be evaluated next.
    texts.keep(bytes, at: place)
    let read = text(of: FormattedText(String(decoding: bytes, as: UTF8.self)), at: point)
    texts.add(read)
    return read
  }

  private mutating func text(of formatted: FormattedText, at point: EvaluationPoint) -> SymbolText {
    let fontStack = fontStack(at: point)
    let transform = textTransform(at: point)
    var string = ""
    var sections: [TextSection] = []
    sections.reserveCapacity(formatted.sections.count)
    for section in formatted.sections {
      if let image = section.image {
        needs.images.insert(image.name)
        evaluator.keep(bytes: MemoryLayout<TextSection>.stride + image.name.utf8.count)
        sections.append(
          TextSection(
            text: "", fontStack: fontStack, imageName: image.name,
            verticalAlign: SymbolFeatureReader.align(section.verticalAlign)))
        continue
      }
      let text =
        switch transform {
        case 1: section.text.uppercased()
        case 2: section.text.lowercased()
        default: section.text
        }
      // The section's text, and all sections' together.
      evaluator.keep(bytes: MemoryLayout<TextSection>.stride + 2 * text.utf8.count)
      let stack = section.fontStack.map { self.fontStack(named: $0) } ?? fontStack
      if string.isEmpty { string = text } else { string += text }
      sections.append(
        TextSection(
          text: text, scale: section.scale ?? 1, fontStack: stack, color: section.textColor?.color,
          verticalAlign: SymbolFeatureReader.align(section.verticalAlign)))
      let vertical =
        (layout.allowsVertical || layout.textAlongLine) && TextProperties.allowsVerticalWritingMode(text)
      for range in store.missingRanges(for: text, fontStack: stack, vertical: vertical) {
        needs.ranges[stack, default: []].insert(range)
      }
    }
    return SymbolText(
      sections: sections, string: string, number: string.isEmpty ? -1 : texts.number(of: string))
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
    evaluator.keep(bytes: names.reduce(0) { $0 + $1.utf8.count })
    let stack = store.fontStack(names.joined(separator: ","), server: server)
    stacks[names] = stack
    return stack
  }

  private mutating func fontStack(named name: String) -> FontStackID {
    if let known = namedStacks[name] { return known }
    evaluator.keep(bytes: name.utf8.count)
    let stack = store.fontStack(name, server: server)
    namedStacks[name] = stack
    return stack
  }
}
