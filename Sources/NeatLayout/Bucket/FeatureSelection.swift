import NeatBase
import NeatStyle
import NeatTile

/// The features of a tile layer that a style layer draws.
package enum FeatureSelection {
  /// Indices of the features of the point's layer that pass the style layer's filter, in tile order. The
  /// point's zoom is that of the tile.
  /// - Parameter candidates: those that are asked for, in tile order; nil: all.
  package static func features(
    for styleLayer: StyleLayer, among candidates: [UInt32]? = nil, _ evaluator: Evaluator,
    at point: EvaluationPoint
  ) -> [UInt32] {
    let count = candidates?.count ?? point.layer?.featureCount ?? 0
    guard let filter = styleLayer.filter else { return candidates ?? (0..<UInt32(count)).map { $0 } }
    return [UInt32](unsafeUninitializedCapacity: count) { out, passed in
      passed = filter.matches(
        evaluator, at: point, among: candidates, into: UnsafeMutableBufferPointer(rebasing: out[..<count]))
    }
  }

  /// Sorts features of the point's layer by a sort key, stably.
  package static func sort(
    _ features: inout [UInt32], by key: PropertyValue, _ evaluator: Evaluator, at point: EvaluationPoint
  ) {
    var keyed = features.enumerated().map {
      position, feature -> (key: Double, position: Int, feature: UInt32) in
      _ = evaluator.mayContinue()
      return (key.number(evaluator, at: point.feature(Int(feature))), position, feature)
    }
    keyed.sort { ($0.key, $0.position) < ($1.key, $1.position) }
    assert(keyed.count == features.count, "sorting loses none")
    features = keyed.map(\.feature)
  }
}

/// Boxes of features in layout units (`TileUnits`): x0, y0, x1, y1.
package typealias FeatureBounds = SIMD4<Float>

extension TileLayer {
  /// What coordinates are multiplied by to be in layout units.
  package var layoutScale: Float { Float(TileUnits.extent) / Float(max(1, extent)) }

  /// The box of points in the layer's units: x0, y0, x1, y1. Of none it ends before it begins.
  @inline(__always) func box(_ range: Range<Int>) -> SIMD4<Int32> {
    var low = SIMD2<Int32>(repeating: .max)
    var high = SIMD2<Int32>(repeating: .min)
    for index in range {
      low = pointwiseMin(low, points[index])
      high = pointwiseMax(high, points[index])
    }
    return SIMD4(lowHalf: low, highHalf: high)
  }

  /// The box of a feature's points, in layout units.
  package func bounds(_ feature: Int) -> FeatureBounds {
    let range = pointRange(of: feature)
    guard !range.isEmpty else { return FeatureBounds(.infinity, .infinity, -.infinity, -.infinity) }
    return FeatureBounds(box(range)) * layoutScale
  }
}
