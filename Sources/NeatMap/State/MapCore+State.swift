import NeatBase
import NeatJSON
import NeatLayout
import NeatStyle
import NeatTile

/// A feature (or all features of a source layer) that a state belongs to.
private struct FeatureTarget {
  let source: String
  let layer: String
  let id: String?

  /// Reads `{"source", "sourceLayer", "id"}`; GeoJSON sources have one layer and need not name it.
  init(_ json: JSON, _ sources: [String: SourceState]) throws(NeatError) {
    try json.refuseMembers(besides: ["source", "sourceLayer", "id"], of: "targets of feature states")
    guard let source = json["source"]?.string else {
      throw NeatError(.invalidArgument, "a feature state's target must name its source")
    }
    guard let spec = sources[source]?.spec else {
      throw NeatError(.notFound, "no such source", resource: source)
    }
    self.source = source
    if let name = json["sourceLayer"]?.string {
      guard !spec.isOfOneLayer else {
        throw NeatError(.invalidArgument, "GeoJSON sources have no sourceLayer", resource: source)
      }
      layer = name
    } else {
      guard spec.isOfOneLayer else {
        throw NeatError(
          .invalidArgument, "the target must name its sourceLayer: the source is not GeoJSON",
          resource: source)
      }
      layer = TileLayer.geoJSONName
    }
    id = json["id"].flatMap { $0.string ?? $0.number.map(formatNumber) }
  }
}

extension MapCore {
  /// Merges members into the state of a feature; `["feature-state", …]` reads them. Throws `.notFound` for an
  /// unknown source.
  ///
  /// - Parameters:
  ///   - target: `{"source", "sourceLayer", "id"}`.
  ///   - members: an object.
  package func setFeatureState(_ target: JSON, _ members: JSON) throws(NeatError) {
    guard members.isObject else { throw NeatError(.invalidArgument, "a feature state must be an object") }
    var added = FeatureState()
    for (name, value) in members.members { added[name] = try ExpressionValue(checking: value, name) }
    try changeStates { state throws(NeatError) in
      let target = try FeatureTarget(target, state.sources)
      guard let id = target.id else {
        throw NeatError(.invalidArgument, "a feature state's target must have an id")
      }
      try state.style.featureStates.merge(source: target.source, layer: target.layer, id: id, added)
      return target.source
    }
  }

  /// The state of a feature; empty where it has none. Throws as `setFeatureState`.
  func featureState(_ target: JSON) throws(NeatError) -> FeatureState {
    let answer = state.withLock { state -> Result<FeatureState, NeatError> in
      do throws(NeatError) {
        let target = try FeatureTarget(target, state.sources)
        guard let id = target.id else {
          throw NeatError(.invalidArgument, "a feature state's target must have an id")
        }
        return .success(state.style.featureStates[target.source, target.layer, id])
      } catch { return .failure(error) }
    }
    return try answer.get()
  }

  /// Removes one member of a feature's state, all of it, or (without an id) the states of all features of the
  /// source layer.
  package func removeFeatureState(_ target: JSON, member: String? = nil) throws(NeatError) {
    try changeStates { state throws(NeatError) in
      let target = try FeatureTarget(target, state.sources)
      guard member == nil || target.id != nil else {
        throw NeatError(.invalidArgument, "a member cannot be removed without an id")
      }
      state.style.featureStates.remove(
        source: target.source, layer: target.layer, id: target.id, member: member)
      return target.source
    }
  }

  /// Sets a member of the global state, which `["global-state", …]` reads; null goes back to the style's
  /// default.
  package func setGlobalState(_ name: String, _ value: JSON) throws(NeatError) {
    let given = value.isNull ? nil : try ExpressionValue(checking: value, name)
    state.withLock { state in
      var changed = state.style.globalState
      changed[name] = given ?? GlobalState.defaults(of: state.style.document)[name]
      state.changeGlobalState(to: changed)
    }
  }

  /// Changes states; the layers of their source that look at them are laid out anew.
  private func changeStates(_ change: (inout State) throws(NeatError) -> String) throws(NeatError) {
    let result = state.withLock { state -> Result<Void, NeatError> in
      do throws(NeatError) {
        let source = try change(&state)
        // Symbols look at theirs in every frame.
        state.staleLayers {
          $0.source == source && $0.type != .symbol && $0.properties.isFeatureStateDependent
        }
        return .success(())
      } catch { return .failure(error) }
    }
    try result.get()
  }
}

enum GlobalState {
  /// What a style's `state` gives: each member's `default`.
  static func defaults(of style: Style) -> [String: ExpressionValue] {
    var values: [String: ExpressionValue] = [:]
    for (name, value) in style.state { values[name] = ExpressionValue(value) }
    return values
  }
}

extension MapCore.State {
  /// Takes another global state; the layers that look at what changed are laid out anew.
  mutating func changeGlobalState(to values: [String: ExpressionValue]) {
    let old = style.globalState
    let names = Set(old.keys).union(values.keys).filter { old[$0] != values[$0] }
    guard !names.isEmpty else { return }
    style.globalState = values
    staleLayers { layer in names.contains(where: layer.dependsOnGlobalState) }
  }

  /// What laying out a tile looks at.
  func layoutInput(_ key: LayoutKey, _ imageNames: Set<String>) -> LayoutInput {
    var input = LayoutInput(style: style.document, source: key.source, id: key.id)
    input.availableImages = imageNames
    input.globalState = style.globalState
    input.featureStates = style.featureStates[key.source]
    input.promoteID = style.document.source(key.source)?.promoteID
    input.glyphServer = style.glyphServer
    return input
  }
}
