// Layout of symbols in two phases. `SymbolLayoutRequest` selects a tile's features and evaluates what they
// show; `needs` then says which glyph ranges and images must be there. When the caller has loaded (or given
// up on) them, `layout` makes the bucket. Semantics of MapLibre's SymbolBucket.populate and
// performSymbolLayout.
import NeatBase
import NeatPlacement
import NeatStyle
import NeatText
import NeatTile

/// A feature that shows a text, an icon or both.
struct SymbolFeature: Sendable {
  var index: Int
  var type: GeometryType
  /// Tile units (0..<`TileUnits.extent`).
  var lines: [[SIMD2<Double>]] = []
  var sections: [TextSection] = []
  /// All sections' text, images left out.
  var text = ""
  var icon: String?
  var fontStack: FontStackID = 0
  var sortKey: Float = 0
}

extension SymbolFeature {
  /// FNV-1a of the text; of the names of icon and images where there is no text. An icon beside a text does not
  /// count, since many styles show another one from some zoom on.
  var labelKey: UInt64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    func add(_ text: String) {
      for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    }
    add(text)
    guard text.isEmpty else { return hash }
    for name in sections.compactMap(\.imageName) + [icon].compactMap({ $0 }) {
      hash = (hash ^ 0x1_00) &* 0x100_0000_01b3
      add(name)
    }
    return hash
  }
}

/// What a layer in a tile waits for.
package struct SymbolNeeds: Sendable {
  /// Glyph ranges (first character / 256) by font stack, without those that the store has or knows to be
  /// missing.
  package var ranges: [FontStackID: Set<Int>] = [:]
  /// Names of all images that are used, present or not.
  package var images: Set<String> = []

}

package struct SymbolLayoutRequest: Sendable {
  /// Most features of a layer in one tile that become symbols.
  package static let maxFeatures = 65536

  package let layer: StyleLayer
  package let tileLayer: TileLayer
  package let tile: OverscaledTileID
  package let layout: SymbolLayerLayout
  package let needs: SymbolNeeds
  var features: [SymbolFeature]
  /// The layer without a feature, at the tile's zoom.
  let point: EvaluationPoint

  /// The zoom that layout properties are evaluated at.
  var zoom: Double { Double(tile.overscaledZ) }

  /// Selects the features and evaluates texts and icons. `server`: whose glyphs the texts are drawn with.
  package init(
    layer: StyleLayer, tileLayer: TileLayer, tile: OverscaledTileID, store: GlyphStore,
    server: GlyphServerID = 0, evaluator: Evaluator
  ) {
    self.layer = layer
    self.tileLayer = tileLayer
    self.tile = tile
    point = .layer(tileLayer, tile: tile.canonical, zoom: Double(tile.overscaledZ))
    layout = SymbolLayerLayout(layer, evaluator, at: point)
    var reader = SymbolFeatureReader(
      layer: layer, tileLayer: tileLayer, layout: layout, store: store, server: server,
      evaluator: evaluator, point: point)
    reader.read()
    needs = reader.needs
    features = reader.takeFeatures()
    assert(features.count <= SymbolLayoutRequest.maxFeatures, "features are bounded")
    if layout.placement == .line { merge() }
    if layout.sortsByKey {
      // A stable sort, so that equal keys keep the order of the source.
      let order = features.indices.sorted {
        features[$0].sortKey != features[$1].sortKey ? features[$0].sortKey < features[$1].sortKey : $0 < $1
      }
      features = order.map { features[$0] }
    }
  }

  package var isEmpty: Bool { features.isEmpty }
  package var featureCount: Int { features.count }

  private mutating func merge() {
    var numbers: [String: Int32] = [:]
    let texts = features.map { feature -> Int32 in
      if feature.text.isEmpty { return -1 }
      if let number = numbers[feature.text] { return number }
      let number = Int32(numbers.count)
      numbers[feature.text] = number
      return number
    }
    // Moved there and back: lines that two hold are copied when they grow.
    var lines: [[[SIMD2<Double>]]] = []
    lines.reserveCapacity(features.count)
    for i in features.indices {
      lines.append(features[i].lines)
      features[i].lines = []
    }
    mergeLines(&lines, texts: texts)
    assert(lines.count == features.count, "merged lines leave their features empty")
    for i in features.indices { features[i].lines = lines[i] }
    features.removeAll { $0.lines.isEmpty }
  }
}

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
  /// Of all texts, where features have none of their own.
  private var sharedStack: FontStackID?
  private var sharedTransform: Int?
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
    let formatted = layer[.textField].formatted(evaluator, at: point)
    if formatted.isEmpty { return }
    feature.fontStack = fontStack(at: point)
    let transform = textTransform(at: point)
    feature.sections.reserveCapacity(formatted.sections.count)
    for section in formatted.sections {
      if let image = section.image {
        needs.images.insert(image.name)
        feature.sections.append(
          TextSection(
            text: "", fontStack: feature.fontStack, imageName: image.name,
            verticalAlign: SymbolFeatureReader.align(section.verticalAlign)))
        continue
      }
      let text =
        switch transform {
        case 1: section.text.uppercased()
        case 2: section.text.lowercased()
        default: section.text
        }
      let stack = section.fontStack.map { fontStack(named: $0) } ?? feature.fontStack
      if feature.text.isEmpty { feature.text = text } else { feature.text += text }
      feature.sections.append(
        TextSection(
          text: text, scale: section.scale ?? 1, fontStack: stack, color: section.textColor?.color,
          verticalAlign: SymbolFeatureReader.align(section.verticalAlign)))
      let vertical =
        (layout.allowsVertical || layout.textAlongLine) && TextProperties.allowsVerticalWritingMode(text)
      for range in store.missingRanges(for: text, fontStack: stack, vertical: vertical) {
        needs.ranges[stack, default: []].insert(range)
      }
    }
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
    if !font.isDataDriven { sharedStack = stack }
    return stack
  }

  private mutating func textTransform(at point: EvaluationPoint) -> Int {
    if let sharedTransform { return sharedTransform }
    let transform = layer[.textTransform]
    let index = transform.enumIndex(evaluator, at: point)
    if !transform.isDataDriven { sharedTransform = index }
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

/// A feature's parts in tile units, rounded and bounded as vertices are: to a tile more on either side.
func tileLines(_ layer: TileLayer, _ feature: Int) -> [[SIMD2<Double>]] {
  let scale = TileUnits.extent / Double(max(1, layer.extent))
  let limit = TileUnits.extent * 2
  var lines: [[SIMD2<Double>]] = []
  for part in layer.parts(of: feature) {
    let range = layer.pointRange(ofPart: part)
    guard !range.isEmpty else { continue }
    var line: [SIMD2<Double>] = []
    line.reserveCapacity(range.count)
    for i in range {
      let p = layer.points[i]
      let x = (Double(p.x) * scale).rounded(), y = (Double(p.y) * scale).rounded()
      line.append(SIMD2(min(max(x, -limit), limit), min(max(y, -limit), limit)))
    }
    lines.append(line)
  }
  return lines
}
