import NeatBase
import NeatJSON
import NeatStyle
import NeatTile

/// The states of the features of one source layer, found by the feature's id or by the property that serves
/// as id.
package struct FeatureStateTable: Sendable {
  private let states: [String: FeatureState]
  private let promoted: String?

  package init(states: [String: FeatureState], promoted: String?) {
    self.states = states
    self.promoted = promoted
  }

  package func state(_ layer: TileLayer, _ feature: Int) -> FeatureState? {
    FeatureStateTable.key(layer, feature, promoted: promoted).flatMap { states[$0] }
  }

  /// The id of a feature as states are kept by: its own, or the promoted property's value. Nil where it has
  /// none.
  package static func key(_ layer: TileLayer, _ feature: Int, promoted: String?) -> String? {
    guard let promoted else { return layer.id(feature).map { String($0) } }
    guard let value = layer.value(feature: feature, named: promoted) else { return nil }
    switch value.kind {
    case .string: return value.text
    case .bool: return value.boolValue ? "true" : "false"
    default: return value.number.map(formatNumber)
    }
  }
}

extension EvaluationPoint {
  /// A feature of the same layer with its state.
  @inline(__always)
  package func feature(_ index: UInt32, _ states: FeatureStateTable?) -> EvaluationPoint {
    guard let states, let layer else { return feature(Int(index)) }
    return feature(Int(index), state: states.state(layer, Int(index)))
  }
}
