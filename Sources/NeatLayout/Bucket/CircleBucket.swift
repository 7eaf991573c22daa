import NeatBase
import NeatMesh
import NeatStyle
import NeatTile

/// The points that a circle or heatmap layer draws of one tile: those whose centre lies in the tile, so that
/// neighbours do not draw them twice.
package final class CircleBucket: Sendable {
  package let layer: TileLayer
  /// Centres in layout units.
  package let centers: [SIMD2<Float>]
  /// The feature of each centre in the tile layer, and its position among the bucket's features (the index
  /// into paint values).
  package let features: [UInt32]
  package let positions: [UInt32]
  package let numbers: [Property: NumberPaint]
  package let colors: [Property: ColorPaint]
  package let meshes = MeshCache<CircleMesh>()

  private static let circleNumbers: [Property] = [
    .circleRadius, .circleBlur, .circleOpacity, .circleStrokeWidth, .circleStrokeOpacity,
  ]
  private static let circleColors: [Property] = [.circleColor, .circleStrokeColor]
  private static let heatmapNumbers: [Property] = [.heatmapRadius, .heatmapWeight]

  package init?(
    _ layer: TileLayer, selected: [UInt32], style: StyleLayer, states: FeatureStateTable? = nil,
    _ evaluator: Evaluator
  ) {
    let isHeatmap = style.type == .heatmap
    var features = selected
    evaluator.bind(layer: layer)
    if !isHeatmap {
      FeatureSelection.sort(
        &features, by: style.isSet(.circleSortKey) ? style[.circleSortKey] : nil, evaluator)
    }
    var numbers: [Property: NumberPaint] = [:]
    var colors: [Property: ColorPaint] = [:]
    for property in isHeatmap ? Self.heatmapNumbers : Self.circleNumbers {
      numbers[property] = NumberPaint(style[property])
    }
    if !isHeatmap { for property in Self.circleColors { colors[property] = ColorPaint(style[property]) } }
    var centers: [SIMD2<Float>] = []
    var owners: [UInt32] = []
    var positions: [UInt32] = []
    var position: UInt32 = 0
    let scale = layer.layoutScale
    for feature in features {
      let before = centers.count
      let first = Int(layer.pointStarts[Int(layer.partStarts[Int(feature)])])
      let last = Int(layer.pointStarts[Int(layer.partStarts[Int(feature) + 1])])
      func add(_ index: Int) {
        let point = SIMD2<Float>(Float(layer.points[index].x), Float(layer.points[index].y)) * scale
        guard point.x >= 0, point.x < 8192, point.y >= 0, point.y < 8192 else { return }
        centers.append(point)
        owners.append(feature)
        positions.append(position)
      }
      if layer.types[Int(feature)] == GeometryType.polygon.rawValue {
        // A ring's closing point, which the tile layer leaves away, counts as any other in the reference
        // renderer.
        for part in Int(layer.partStarts[Int(feature)])..<Int(layer.partStarts[Int(feature) + 1]) {
          let (start, end) = (Int(layer.pointStarts[part]), Int(layer.pointStarts[part + 1]))
          for index in start..<end { add(index) }
          if end > start { add(start) }
        }
      } else {
        for index in first..<last { add(index) }
      }
      guard centers.count > before else { continue }
      position += 1
      evaluator.feature = Int(feature)
      states?.select(Int(feature), evaluator)
      for key in numbers.keys { numbers[key]!.append(evaluator) }
      for key in colors.keys { colors[key]!.append(evaluator) }
    }
    guard !centers.isEmpty else { return nil }
    self.layer = layer
    self.centers = centers
    self.features = owners
    self.positions = positions
    self.numbers = numbers
    self.colors = colors
  }
}
