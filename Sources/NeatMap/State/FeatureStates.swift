import NeatBase
import NeatLayout
import NeatStyle
import NeatTile

/// The states that an application gave to features, by source, source layer and feature id.
struct FeatureStates: Sendable {
  /// Features of one source that can have a state at the same time.
  static let limit = 1_000_000

  private var states: [String: [String: [String: FeatureState]]] = [:] {
    didSet { version = ContentID.next() }
  }
  /// No other states that there were have the same.
  private(set) var version: UInt64 = 0
  private(set) var count = 0

  /// The states of one source, by source layer and feature id.
  subscript(_ source: String) -> [String: [String: FeatureState]] { states[source] ?? [:] }

  /// The state of a feature; empty where it has none.
  subscript(_ source: String, _ layer: String, _ id: String) -> FeatureState {
    states[source]?[layer]?[id] ?? [:]
  }

  func table(_ layer: StyleLayer, promoteID: SourceSpec.PromoteID?) -> FeatureStateTable? {
    guard let source = layer.source else { return nil }
    let name = layer.sourceLayer ?? TileLayer.geoJSONName
    return states[source]?[name].map {
      FeatureStateTable(states: $0, promoted: promoteID?.property(ofLayer: name))
    }
  }

  mutating func merge(source: String, layer: String, id: String, _ state: FeatureState) throws(NeatError) {
    if states[source]?[layer]?[id] == nil {
      guard count < FeatureStates.limit else {
        throw NeatError(.limitExceeded, "more than \(FeatureStates.limit) features have a state")
      }
      count += 1
    }
    states[source, default: [:]][layer, default: [:]][id, default: [:]].merge(state) { $1 }
  }

  /// Removes one member of a state, or all of it, or the states of all features of a layer.
  mutating func remove(source: String, layer: String, id: String?, member: String?) {
    guard let known = states[source]?[layer] else { return }
    guard let id else {
      count -= known.count
      states[source]?[layer] = nil
      return
    }
    guard known[id] != nil else { return }
    if let member {
      states[source]?[layer]?[id]?[member] = nil
    } else {
      count -= 1
      states[source]?[layer]?[id] = nil
    }
  }
}
