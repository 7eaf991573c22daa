import NeatStyle

/// What each feature of a bucket has of a property that changes at whole zooms. Where that depends on feature and zoom,
/// what it is one zoom below and above is kept too, of the features for which it is another: maps cross-fade from it.
struct SteppedValues<Value: Equatable & Sendable>: Sendable {
  private(set) var values: [Value] = []
  /// By feature.
  private var below: [Int: Value] = [:]
  private var above: [Int: Value] = [:]
  /// That of the tile.
  private var zoom = Double.nan

  mutating func append(
    _ property: PropertyValue, at point: EvaluationPoint, _ value: (EvaluationPoint) -> Value
  ) {
    let own = value(point)
    if property.kind == .composite {
      zoom = point.zoom
      let (before, after) = (value(point.at(zoom: zoom - 1)), value(point.at(zoom: zoom + 1)))
      if before != own { below[values.count] = before }
      if after != own { above[values.count] = after }
    }
    values.append(own)
  }

  /// What those that differ hold, in bytes, about.
  var cost: Int { (below.count + above.count) * 48 }

  /// What a feature has one zoom below (`step` -1) or above (1). The tile's own where it stands in for tiles of another
  /// zoom: what it has beside its own was not seen.
  func beside(_ index: Int, step: Double, at point: EvaluationPoint) -> Value {
    assert(abs(step) == 1, "a zoom beside the point's")
    guard point.zoom.rounded(.down) == zoom.rounded(.down) else { return values[index] }
    return (step < 0 ? below : above)[index] ?? values[index]
  }
}
