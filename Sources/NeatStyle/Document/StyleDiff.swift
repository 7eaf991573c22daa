import NeatBase
import NeatJSON

// What turns one style into another, so that a map keeps the tiles and layouts of what did not change.
// Sources come first (layers of a replaced source go and come back), then layers from top to bottom: a layer
// whose place or shape (type, source, source layer) changed is removed and added again below the one above
// it; all else is a change of single properties.

/// One step of a change of style.
package enum StyleOperation: Sendable, Equatable {
  case addSource(String, JSON)
  case removeSource(String)
  case setGeoJSONData(source: String, JSON)
  case addLayer(JSON, before: String?)
  case removeLayer(String)
  case setLayoutProperty(layer: String, name: String, JSON?)
  case setPaintProperty(layer: String, name: String, JSON?)
  case setFilter(layer: String, JSON?)
  case setZoomRange(layer: String, minZoom: Double?, maxZoom: Double?)
  case setLight(JSON?)
  case setSky(JSON?)
  case setFog(JSON?)
  case setProjection(JSON?)
  case setTerrain(JSON?)
  case setTransition(StyleTransition)
  case setSprite(JSON?)
  case setGlyphs(String?)
  case setGlobalState(String, JSON?)
}

extension StyleEditor {
  package mutating func apply(_ operation: StyleOperation) throws(NeatError) {
    switch operation {
    case .addSource(let id, let json): try addSource(id, json)
    case .removeSource(let id): try removeSource(id)
    case .setGeoJSONData(let id, let data): try setGeoJSONData(source: id, data)
    case .addLayer(let json, let before):
      if json["type"]?.string == LayerType.custom.name {
        try addCustomLayer(json, before: before)
      } else {
        try addLayer(json, before: before)
      }
    case .removeLayer(let id): try removeLayer(id)
    case .setLayoutProperty(let layer, let name, let value): try setLayoutProperty(layer: layer, name, value)
    case .setPaintProperty(let layer, let name, let value): try setPaintProperty(layer: layer, name, value)
    case .setFilter(let layer, let filter): try setFilter(layer: layer, filter)
    case .setZoomRange(let layer, let low, let high):
      try setZoomRange(layer: layer, minZoom: low, maxZoom: high)
    case .setLight(let json): try setLight(json)
    case .setSky(let json): try setSky(json)
    case .setFog(let json): try setFog(json)
    case .setProjection(let json): try setProjection(json)
    case .setTerrain(let json): try setTerrain(json)
    case .setTransition(let transition): setTransition(transition)
    case .setSprite(let json): try setSprite(json)
    case .setGlyphs(let url): setGlyphs(url)
    case .setGlobalState(let name, let value): setGlobalState(name, value)
    }
  }
}

extension Style {
  /// The steps that turn `from` into `to`, in an order in which each can be applied. The camera is left
  /// alone.
  package static func diff(from: Style, to: Style) -> [StyleOperation] {
    var operations: [StyleOperation] = []
    let replaced = diffSources(from, to, &operations)
    diffLayers(from.layers.filter { !replaced.contains($0.source ?? "") }, to.layers, &operations)
    diffRoot(from, to, &operations)
    if let terrain = to.terrainJSON, to.terrain != from.terrain || replaced.contains(to.terrain?.source ?? "")
    {
      operations.append(.setTerrain(terrain))
    }
    return operations
  }

  /// Appends the changes of sources; returns the ids of those that are removed or replaced, whose layers are
  /// removed with them.
  private static func diffSources(_ from: Style, _ to: Style, _ operations: inout [StyleOperation]) -> Set<
    String
  > {
    var gone: Set<String> = []
    var updates: [StyleOperation] = []
    let known = Set(from.sources.map(\.id))
    let wanted = Dictionary(to.sources.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    for source in from.sources {
      guard let other = wanted[source.id] else {
        gone.insert(source.id)
        continue
      }
      if source.json == other.json { continue }
      if let data = other.geojson?.data, source.geojson != nil, equalButForData(source.json, other.json) {
        updates.append(.setGeoJSONData(source: source.id, data))
      } else {
        gone.insert(source.id)
      }
    }
    if let terrain = from.terrain, to.terrain == nil || gone.contains(terrain.source) {
      operations.append(.setTerrain(nil))
    }
    for layer in from.layers where gone.contains(layer.source ?? "") {
      operations.append(.removeLayer(layer.id))
    }
    for source in from.sources where gone.contains(source.id) { operations.append(.removeSource(source.id)) }
    operations += updates
    for source in to.sources where gone.contains(source.id) || !known.contains(source.id) {
      operations.append(.addSource(source.id, source.json))
    }
    return gone
  }

  private static func equalButForData(_ a: JSON, _ b: JSON) -> Bool {
    func rest(_ json: JSON) -> [String: JSON] {
      Dictionary(
        json.members.filter { $0.key != "data" }.map { ($0.key, $0.value) }, uniquingKeysWith: { $1 })
    }
    return rest(a) == rest(b)
  }

  private static func diffLayers(
    _ from: [StyleLayer], _ to: [StyleLayer], _ operations: inout [StyleOperation]
  ) {
    let wanted = Dictionary(to.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
    var old: [String: (place: Int, layer: StyleLayer)] = [:]
    for (place, layer) in from.enumerated() {
      if let other = wanted[layer.id], hasSameShape(layer, other) {
        old[layer.id] = (place, layer)
      } else {
        operations.append(.removeLayer(layer.id))
      }
    }
    // Of the layers that both have, as many as can stay in their places: the others are moved.
    let shared = to.reversed().compactMap { layer in old[layer.id].map { ($0.place, layer.id) } }
    let rising = longestIncreasingSubsequence(of: shared.map { -$0.0 })
    let staying = Set(rising.map { shared[$0].1 })
    // From the top down: a layer that is added comes right below the one above it.
    var above: String?
    for layer in to.reversed() {
      if let existing = old[layer.id], staying.contains(layer.id) {
        diffLayer(existing.layer, layer, &operations)
      } else {
        if old[layer.id] != nil { operations.append(.removeLayer(layer.id)) }
        operations.append(.addLayer(layer.json, before: above))
      }
      above = layer.id
    }
  }

  private static func hasSameShape(_ a: StyleLayer, _ b: StyleLayer) -> Bool {
    a.type == b.type && a.source == b.source && a.sourceLayer == b.sourceLayer
  }

  private static func diffLayer(_ a: StyleLayer, _ b: StyleLayer, _ operations: inout [StyleOperation]) {
    if a === b { return }
    func change(_ name: String, _ group: PropertySpec.Group, _ value: JSON?) {
      operations.append(
        group == .layout
          ? .setLayoutProperty(layer: b.id, name: name, value)
          : .setPaintProperty(layer: b.id, name: name, value))
    }
    func compare(_ old: [PropertySet.Entry], _ new: [PropertySet.Entry], suffix: String) {
      for entry in old where !new.contains(where: { $0.property == entry.property }) {
        change(entry.property.name + suffix, entry.property.spec.group, nil)
      }
      for entry in new where old.first(where: { $0.property == entry.property })?.json != entry.json {
        change(entry.property.name + suffix, entry.property.spec.group, entry.json)
      }
    }
    compare(a.properties.entries, b.properties.entries, suffix: "")
    compare(a.properties.transitions, b.properties.transitions, suffix: "-transition")
    if a.filterJSON != b.filterJSON { operations.append(.setFilter(layer: b.id, b.filterJSON)) }
    if a.minZoom != b.minZoom || a.maxZoom != b.maxZoom {
      operations.append(
        .setZoomRange(
          layer: b.id, minZoom: b.minZoom > 0 ? b.minZoom : nil,
          maxZoom: b.maxZoom < .infinity ? b.maxZoom : nil))
    }
  }

  private static func diffRoot(_ from: Style, _ to: Style, _ operations: inout [StyleOperation]) {
    func changed(_ a: JSON?, _ b: JSON?) -> Bool { a != b }
    let light = to.light.json(group: nil)
    if changed(from.light.json(group: nil), light) { operations.append(.setLight(light)) }
    if changed(from.skyJSON, to.skyJSON) { operations.append(.setSky(to.skyJSON)) }
    if changed(from.fogJSON, to.fogJSON) { operations.append(.setFog(to.fogJSON)) }
    let projection = to.projection.json(group: nil)
    if changed(from.projection.json(group: nil), projection) { operations.append(.setProjection(projection)) }
    if from.transition != to.transition { operations.append(.setTransition(to.transition)) }
    if from.sprites != to.sprites { operations.append(.setSprite(to.spriteJSON)) }
    if from.glyphs != to.glyphs { operations.append(.setGlyphs(to.glyphs)) }
    let wanted = Set(to.state.map(\.name))
    for member in from.state where !wanted.contains(member.name) {
      operations.append(.setGlobalState(member.name, nil))
    }
    let known = Dictionary(from.state.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
    for member in to.state where known[member.name] != member.value {
      operations.append(.setGlobalState(member.name, member.value))
    }
  }
}
