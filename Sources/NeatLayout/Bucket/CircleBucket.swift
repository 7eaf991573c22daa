import NeatBase
import NeatMesh
import NeatStyle
import NeatTile

/// The points that a circle or heatmap layer draws of one tile: those whose centre lies in the tile, so that
/// neighbours do not draw them twice.
package final class CircleBucket: Sendable {
  /// The values of the bucket's features, by what the layer draws with them.
  package enum Paint: Sendable {
    case circles(CirclePaints)
    case heat(HeatPaints)
  }

  package let layer: TileLayer
  /// Centres in layout units.
  package let centers: [SIMD2<Float>]
  /// The feature of each centre in the tile layer, and its position among the bucket's features (the index
  /// into paint values).
  package let features: [UInt32]
  package let positions: [UInt32]
  package let paint: Paint
  package let meshes = MeshCache<CircleMesh>()

  package init?(_ input: BucketInput) {
    let points: TilePoints
    if input.style.type == .heatmap {
      var paints = HeatPaints(input.style)
      points = TilePoints(input.selected, input) { paints.append(input.evaluator, at: $0) }
      paint = .heat(paints)
    } else {
      var features = input.selected
      input.sort(&features, by: .circleSortKey)
      var paints = CirclePaints(input.style)
      points = TilePoints(features, input) { paints.append(input.evaluator, at: $0) }
      paint = .circles(paints)
    }
    guard !points.centers.isEmpty else { return nil }
    layer = input.layer
    centers = points.centers
    features = points.owners
    positions = points.positions
  }

  /// The paint of circles; nil for a heatmap.
  package var circlePaints: CirclePaints? {
    if case .circles(let paints) = paint { paints } else { nil }
  }

  /// The paint of a heatmap; nil for circles.
  package var heatPaints: HeatPaints? {
    if case .heat(let paints) = paint { paints } else { nil }
  }
}

/// The points of features that lie in the tile itself.
private struct TilePoints {
  private(set) var centers: [SIMD2<Float>] = []
  private(set) var owners: [UInt32] = []
  private(set) var positions: [UInt32] = []
  private var position: UInt32 = 0

  /// Collects the points of features in their order; `paint` is told each feature that has some.
  init(_ features: [UInt32], _ input: BucketInput, paint: (EvaluationPoint) -> Void) {
    for feature in features {
      let before = centers.count
      add(feature, of: input.layer)
      guard centers.count > before else { continue }
      paint(input.point(feature))
      position += 1
      guard input.evaluator.mayContinue() else { break }
    }
    assert(owners.count == centers.count && positions.count == centers.count, "one of each a centre")
    assert(positions.last.map { $0 + 1 == position } ?? true, "positions count the features that have points")
  }

  private mutating func add(_ feature: UInt32, of layer: TileLayer) {
    let isPolygon = layer.geometryType(Int(feature)) == .polygon
    for part in layer.parts(of: Int(feature)) {
      let range = layer.pointRange(ofPart: part)
      for index in range { add(index, feature, layer) }
      // A ring's closing point, which the tile layer leaves away, counts as any other in the reference
      // renderer.
      if isPolygon, let first = range.first { add(first, feature, layer) }
    }
  }

  private mutating func add(_ index: Int, _ feature: UInt32, _ layer: TileLayer) {
    let point = SIMD2<Float>(Float(layer.points[index].x), Float(layer.points[index].y)) * layer.layoutScale
    let extent = Float(TileUnits.extent)
    guard point.x >= 0, point.x < extent, point.y >= 0, point.y < extent else { return }
    centers.append(point)
    owners.append(feature)
    positions.append(position)
  }
}
