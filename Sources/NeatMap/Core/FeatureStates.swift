import NeatBase
import NeatStyle

/// The states that an application gave to features, by source, source layer and feature id.
struct FeatureStates: Sendable {
  struct Key: Hashable, Sendable {
    var source: String
    var layer: String
  }

  private(set) var states: [Key: [String: FeatureState]] = [:]

  var isEmpty: Bool { states.isEmpty }

  subscript(_ source: String, _ layer: String) -> [String: FeatureState]? { states[Key(source: source, layer: layer)] }

  mutating func merge(source: String, layer: String, id: String, _ state: FeatureState) {
    states[Key(source: source, layer: layer), default: [:]][id, default: [:]].merge(state) { $1 }
  }

  /// Removes one member of a state, or all of it, or the states of all features of a layer.
  mutating func remove(source: String, layer: String, id: String?, member: String?) {
    let key = Key(source: source, layer: layer)
    guard let id else {
      states[key] = nil
      return
    }
    if let member { states[key]?[id]?[member] = nil } else { states[key]?[id] = nil }
  }
}
