import NeatBase
import NeatCamera
import NeatLayout
import NeatRaster
import NeatStyle
import NeatTile

/// What of its tiles is laid out for a view.
package enum LayoutExtent: Sendable {
  /// All of them.
  case tiles
  /// For a map's first picture, which is often the only one, of lines and fills what it may show: about a quarter
  /// of its tiles. Where another view looks at more of one of them it is laid out whole, as are all others from
  /// then on: maps that draw picture after picture come back to their tiles. Not while another view is drawn, which
  /// may be past asking what it lacks, nor for who asks about features or meshes outside of the picture, or moves
  /// it. What there was too little memory for is tried again.
  case view
}

/// Where a view looks at its tiles, by layers. Of views from straight above the plane: others show far more.
struct LayoutView {
  /// Device pixels more on every side, for soft edges and what is rounded.
  private static let slack = 2.0
  /// Extrusions of lines are no longer than this where their miters are not (`LineTessellator`).
  private static let leastReach = 2.0

  private let low, high: SIMD2<Double>
  private let transform: Transform
  /// Logical pixels.
  private let slack: Double
  private let layers: [StyleLayer]
  private let evaluator: Evaluator
  private let camera: EvaluationPoint
  /// Logical pixels, by source and the layer's place in the style.
  private var reaches: [String: [(layer: Int, pixels: Double)]] = [:]

  /// Nil of a view that is laid out whole.
  init?(_ state: MapCore.State, _ transform: Transform, _ evaluator: Evaluator) {
    guard let ground = transform.groundFromAbove, state.style.transitions.isEmpty else { return nil }
    (low, high) = ground
    self.transform = transform
    slack = LayoutView.slack / transform.size.pixelRatio
    layers = state.style.document.layers
    self.evaluator = evaluator
    camera = EvaluationPoint.camera(zoom: transform.camera.zoom)
  }

  /// The parts of a tile that its source's layers are looked at in, by the layers' places in the style: none of
  /// layers that may draw anywhere.
  /// - Parameter wraps: the first and the last copy of the world that it is shown in.
  mutating func parts(_ key: LayoutKey, _ wraps: ClosedRange<Int32>) -> [Int: TilePart] {
    let reaches = reaches(key.source)
    guard !reaches.isEmpty else { return [:] }
    let part = part(key.id, wraps.lowerBound).union(part(key.id, wraps.upperBound))
    // Tiles are drawn up to their edges: one that is in view as a whole is laid out as a whole.
    guard part != .tile else { return [:] }
    let units = TileUnits.extent / transform.tileEdge(key.id.canonical.z)
    return Dictionary(
      uniqueKeysWithValues: reaches.map { ($0.layer, part.grown(by: ($0.pixels + slack) * units)) })
  }

  private func part(_ tile: OverscaledTileID, _ wrap: Int32) -> TilePart {
    let copy = OverscaledTileID(canonical: tile.canonical, wrap: wrap)
    let part = TilePart(low: transform.tileUnits(low, in: copy), high: transform.tileUnits(high, in: copy))
    return part.clamped
  }

  private mutating func reaches(_ source: String) -> [(layer: Int, pixels: Double)] {
    if let known = reaches[source] { return known }
    var made: [(layer: Int, pixels: Double)] = []
    for (index, layer) in layers.enumerated() where layer.source == source {
      if let pixels = reach(layer), pixels.isFinite { made.append((index, pixels)) }
    }
    reaches[source] = made
    return made
  }

  /// Logical pixels that a layer may draw past its geometry; nil where features differ in that.
  private func reach(_ layer: StyleLayer) -> Double? {
    switch layer.type {
    case .fill: layer.length(.fillTranslate, evaluator, at: camera)
    case .line: lineReach(layer)
    default: nil
    }
  }

  private func lineReach(_ layer: StyleLayer) -> Double? {
    // Colours along a line are made for the lines that are there.
    // Miters are laid out at their tile's zoom, whatever that is.
    guard !layer.isSet(.lineGradient), layer[.lineMiterLimit].kind == .constant,
      ![Property.lineWidth, .lineGapWidth, .lineOffset].contains(where: { layer[$0].isDataDriven })
    else { return nil }
    func number(_ property: Property) -> Double { layer[property].number(evaluator, at: camera) }
    let paint = LinePaint(
      color: .transparent, width: Float(max(0, number(.lineWidth))), gapWidth: Float(number(.lineGapWidth)))
    let miter = max(LayoutView.leastReach, number(.lineMiterLimit))
    return miter * (Double(paint.outset(softness: 0)) + 1.5 * abs(number(.lineOffset)) + slack)
      + layer.length(.lineTranslate, evaluator, at: camera)
  }
}
