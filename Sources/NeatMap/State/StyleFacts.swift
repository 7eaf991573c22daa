import NeatBase
import NeatStyle

/// What a style's document says for all its views alike: found out once, as styles have hundreds of layers and a small
/// picture is drawn in little more time than it takes to go through them.
final class StyleFacts: Sendable {
  /// Layers that show the same labels.
  let twins: SymbolTwins
  /// Places of the layers that have a pattern. What is on its way to a property is not looked at, here and in
  /// `isPlain`.
  let patterned: [Int]
  /// By place: whether it is known of the layer that each of its tiles is drawn by itself, with no pattern and no
  /// opacity of the whole.
  let isPlain: [Bool]
  /// By place: whether it is a layer of fills, lines or circles.
  let isOfShapes: [Bool]
  let hasHeatmaps: Bool
  /// By place: the same number where layers name the same source; -1 where they name none.
  let sourceNumbers: [Int32]
  /// By place.
  private let zooms: [Range<Double>]
  private let visibilities: [Visibility]
  /// By source: the places of its layers that give labels.
  private let symbolLayers: [String: Set<Int>]
  private let uses: [SourceUse]

  init(_ style: Style) {
    let layers = style.layers
    twins = SymbolTwins(layers)
    patterned = layers.indices.filter { place in
      layers[place].type.pattern.map { layers[place].isSet($0) } ?? false
    }
    isPlain = layers.map(\.isPlain)
    isOfShapes = layers.map { [.fill, .line, .circle].contains($0.type) }
    hasHeatmaps = layers.contains { $0.type == .heatmap }
    zooms = layers.map(\.zooms)
    visibilities = layers.map { Visibility($0.isShown) }
    var numbers: [String: Int32] = [:]
    sourceNumbers = layers.map { layer in
      guard let source = layer.source else { return -1 }
      let number = numbers[source] ?? Int32(clamping: numbers.count)
      numbers[source] = number
      return number
    }
    var symbolLayers: [String: Set<Int>] = [:]
    var uses: [String: SourceUse] = [:]
    for (place, layer) in layers.enumerated() {
      guard let source = layer.source else { continue }
      if layer.type == .symbol { symbolLayers[source, default: []].insert(place) }
      uses[source, default: SourceUse(id: source)].add(layer, place)
    }
    if let terrain = style.terrain?.source { uses[terrain, default: SourceUse(id: terrain)].isGround = true }
    self.symbolLayers = symbolLayers
    self.uses = style.sources.compactMap { uses[$0.id] }
  }

  /// Places of the layers that are drawn at a zoom.
  /// - Parameter isVisible: of the layer at a place, whose visibility is computed.
  func visible(zoom: Double, isVisible: (Int) -> Bool) -> [Int] {
    zooms.indices.filter { place in
      guard zooms[place].contains(zoom) else { return false }
      return switch visibilities[place] {
      case .shown: true
      case .hidden: false
      case .computed: isVisible(place)
      }
    }
  }

  func symbolLayers(of source: String) -> Set<Int> { symbolLayers[source] ?? [] }

  /// The sources that a view at a zoom draws from, in the style's order.
  /// - Parameter isVisible: of the layer at a place, whose visibility is computed.
  func sources(zoom: Double, isVisible: (Int) -> Bool) -> [ViewMemory.UsedSource] {
    uses.compactMap { use in
      let hasLabels =
        use.labelled.contains(zoom) || use.computed.contains { $0.givesLabels && isVisible($0.place) }
      let isUsed =
        hasLabels || use.isGround || use.shown.contains(zoom) || use.computed.contains { isVisible($0.place) }
      return isUsed ? (use.id, hasLabels) : nil
    }
  }
}

private enum Visibility: UInt8 {
  case shown, hidden, computed

  init(_ isShown: Bool?) { self = isShown.map { $0 ? .shown : .hidden } ?? .computed }
}

/// At which zooms a source is drawn from.
private struct SourceUse {
  let id: String
  /// By layers that are always visible, and by those of them that give labels.
  private(set) var shown = ZoomRanges()
  private(set) var labelled = ZoomRanges()
  private(set) var computed: [(place: Int, givesLabels: Bool)] = []
  var isGround = false

  init(id: String) { self.id = id }

  mutating func add(_ layer: StyleLayer, _ place: Int) {
    guard let isShown = layer.isShown else {
      return computed.append((place, layer.type == .symbol))
    }
    guard isShown else { return }
    shown.add(layer.zooms)
    if layer.type == .symbol { labelled.add(layer.zooms) }
  }
}

/// Zooms, as ranges apart from each other.
private struct ZoomRanges {
  private var ranges: [Range<Double>] = []

  func contains(_ zoom: Double) -> Bool { ranges.contains { $0.contains(zoom) } }

  mutating func add(_ range: Range<Double>) {
    guard !range.isEmpty else { return }
    var whole = range
    ranges.removeAll { known in
      guard known.lowerBound <= whole.upperBound, whole.lowerBound <= known.upperBound else { return false }
      whole = min(known.lowerBound, whole.lowerBound)..<max(known.upperBound, whole.upperBound)
      return true
    }
    ranges.append(whole)
  }
}

extension StyleLayer {
  fileprivate var isPlain: Bool {
    switch type {
    case .fill: !isSet(.fillPattern) && !isSet(.fillLayerOpacity)
    case .line: !isSet(.linePattern) && !isSet(.lineLayerOpacity)
    case .circle: true
    default: false
    }
  }
}

extension LayerType {
  /// The property that names the image of a pattern.
  var pattern: Property? {
    switch self {
    case .background: .backgroundPattern
    case .fill: .fillPattern
    case .line: .linePattern
    case .fillExtrusion: .fillExtrusionPattern
    default: nil
    }
  }
}
