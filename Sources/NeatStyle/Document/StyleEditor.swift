import NeatBase
import NeatJSON

/// Changes a style, one step at a time. A step that fails throws `style`, `notFound` or `invalidArgument`,
/// names what is at fault, and changes nothing. What is untouched stays shared with the style it came from.
package struct StyleEditor {
  package private(set) var style: Style

  package init(_ style: Style) { self.style = style }

  // MARK: Layers

  /// Adds a layer below the layer named `before`, or on top. A `source` given as an object is added under the
  /// layer's id.
  package mutating func addLayer(_ json: JSON, before: String? = nil) throws(NeatError) {
    try addLayer(json, before: before, custom: false)
  }

  /// Adds a layer that the application draws, as its JSON of type `custom` describes it.
  package mutating func addCustomLayer(_ json: JSON, before: String? = nil) throws(NeatError) {
    try addLayer(json, before: before, custom: true)
  }

  private mutating func addLayer(_ json: JSON, before: String?, custom: Bool) throws(NeatError) {
    var below = before
    if below == nil { below = try slotPlace(json) }
    let place = try insertionIndex(before: below)
    var json = json
    if let source = json["source"], source.isObject, let id = json["id"]?.string {
      try addSource(id, source)
      json = .object(json.members.map { ($0.key, $0.key == "source" ? .string(id) : $0.value) })
    }
    var log = IssueLog()
    guard
      let layer = StyleLayer.read(json, key: "layer", parents: [:], custom: custom, issues: &log),
      log.issues.isEmpty
    else {
      throw Self.error(log)
    }
    guard style.layerIndex(layer.id) == nil else {
      throw NeatError(.invalidArgument, "a layer with this id is already there", resource: layer.id)
    }
    if layer.type.hasSource {
      guard let source = layer.source else {
        throw NeatError(.style, "missing required property \"source\"", resource: layer.id)
      }
      guard style.source(source) != nil else {
        throw NeatError(.notFound, "source \"\(source)\" not found", resource: layer.id)
      }
    }
    style.layers.insert(layer, at: place)
  }

  /// The layer below which one with a slot goes; nil: on top.
  private func slotPlace(_ layer: JSON) throws(NeatError) -> String? {
    guard let name = layer["slot"]?.string, !style.slots.isEmpty else { return nil }
    guard let slot = style.slots.last(where: { $0.name == name }) else {
      throw NeatError(.notFound, "no slot is called \"\(name)\"", resource: layer["id"]?.string)
    }
    // The layer above it may have gone since.
    return slot.before.flatMap { style.layerIndex($0) == nil ? nil : $0 }
  }

  package mutating func removeLayer(_ id: String) throws(NeatError) {
    style.layers.remove(at: try index(of: id))
  }

  /// Moves a layer below the layer named `before`, or to the top.
  package mutating func moveLayer(_ id: String, before: String? = nil) throws(NeatError) {
    let from = try index(of: id)
    if before == id { return }
    _ = try insertionIndex(before: before)
    let layer = style.layers.remove(at: from)
    style.layers.insert(layer, at: try insertionIndex(before: before))
  }

  // MARK: Properties

  /// Sets a paint property or its transition (`fill-color-transition`); nil or null removes it.
  package mutating func setPaintProperty(layer: String, _ name: String, _ value: JSON?) throws(NeatError) {
    try setProperty(layer, name, value, .paint)
  }

  /// Sets a layout property; nil or null removes it.
  package mutating func setLayoutProperty(layer: String, _ name: String, _ value: JSON?) throws(NeatError) {
    try setProperty(layer, name, value, .layout)
  }

  private mutating func setProperty(_ id: String, _ name: String, _ value: JSON?, _ group: PropertySpec.Group)
    throws(NeatError)
  {
    let index = try index(of: id)
    let layer = style.layers[index]
    var properties = layer.properties
    let key = "layers.\(id).\(group == .paint ? "paint" : "layout")"
    if let value, !value.isNull {
      if let property = PropertySpec.find(name, of: layer.type.owner), property.spec.group == group {
        try Self.check(validateProperty(value, property, key: "\(key).\(name)"), id)
      } else if group == .paint, name.hasSuffix("-transition") {
        try Self.check(validateTransition(value, key: "\(key).\(name)"), id)
      }
      var log = IssueLog()
      properties.read(.object([(name, value)]), group: group, key: key, issues: &log)
      guard log.issues.isEmpty else { throw Self.error(log) }
    } else if let property = PropertySpec.find(name, of: layer.type.owner), property.spec.group == group {
      properties.remove(property)
    } else if name.hasSuffix("-transition"),
      let property = PropertySpec.find(String(name.dropLast(11)), of: layer.type.owner)
    {
      properties.setTransition(property, nil)
    } else {
      throw NeatError(.style, "\(key).\(name): unknown property \"\(name)\"", resource: id)
    }
    style.layers[index] = layer.with(properties: properties)
  }

  /// Sets the filter; nil or null lets every feature through.
  package mutating func setFilter(layer id: String, _ filter: JSON?) throws(NeatError) {
    let index = try index(of: id)
    guard let filter, !filter.isNull else {
      style.layers[index] = style.layers[index].with(filter: (nil, nil))
      return
    }
    try Self.check(validateFilter(filter, key: "layers.\(id).filter"), id)
    switch CompiledFilter.compile(filter) {
    case .success(let compiled): style.layers[index] = style.layers[index].with(filter: (compiled, filter))
    case .failure(let errors):
      var error = errors.neatError
      error.message =
        "layers.\(id).filter\(errors.errors.first?.key ?? ""): \(errors.errors.first?.message ?? "invalid filter")"
      error.resource = id
      throw error
    }
  }

  /// Sets the zooms between which the layer is drawn; nil: no bound.
  package mutating func setZoomRange(layer id: String, minZoom: Double?, maxZoom: Double?) throws(NeatError) {
    let index = try index(of: id)
    for zoom in [minZoom, maxZoom] {
      if let zoom, !(0...Double(StyleZoom.maximum)).contains(zoom) {
        throw NeatError(
          .invalidArgument,
          "a layer's zoom range must be within 0 and \(StyleZoom.maximum), \(formatNumber(zoom)) found",
          resource: id)
      }
    }
    style.layers[index] = style.layers[index].with(
      zoomRange: (minZoom ?? 0, StyleLayer.upperBound(maxZoom ?? .infinity)))
  }

  // MARK: Sources

  package mutating func addSource(_ id: String, _ json: JSON) throws(NeatError) {
    try addSource(try Self.source(id, json))
  }

  package mutating func addSource(_ source: SourceSpec) throws(NeatError) {
    guard style.source(source.id) == nil else {
      throw NeatError(.invalidArgument, "a source with this id is already there", resource: source.id)
    }
    style.sources.append(source)
  }

  /// Removes a source that no layer and not the terrain uses.
  package mutating func removeSource(_ id: String) throws(NeatError) {
    guard let index = style.sources.firstIndex(where: { $0.id == id }) else {
      throw NeatError(.notFound, "no such source", resource: id)
    }
    if let layer = style.layers.first(where: { $0.source == id }) {
      throw NeatError(.invalidArgument, "the source is in use by layer \"\(layer.id)\"", resource: id)
    }
    if style.terrain?.source == id {
      throw NeatError(.invalidArgument, "the source is in use by the terrain", resource: id)
    }
    style.sources.remove(at: index)
  }

  /// Replaces a source, layers or not.
  package mutating func replaceSource(_ id: String, _ json: JSON) throws(NeatError) {
    guard let index = style.sources.firstIndex(where: { $0.id == id }) else {
      throw NeatError(.notFound, "no such source", resource: id)
    }
    style.sources[index] = try Self.source(id, json)
  }

  /// Gives a source another value of one of its members; nil or null removes it. What it is otherwise stays.
  package mutating func setSourceProperty(_ id: String, _ name: String, _ value: JSON?) throws(NeatError) {
    guard let source = style.source(id) else { throw NeatError(.notFound, "no such source", resource: id) }
    guard name != "type" else {
      throw NeatError(.invalidArgument, "a source's type does not change", resource: id)
    }
    if case .custom = source.kind {
      throw NeatError(
        .invalidArgument, "the application gives the source's tiles, by its options", resource: id)
    }
    var members = source.json.members.map { ($0.key, $0.value) }
    let place = members.firstIndex { $0.0 == name }
    switch (place, value) {
    case (let place?, let value?) where !value.isNull: members[place].1 = value
    case (let place?, _): members.remove(at: place)
    case (nil, let value?) where !value.isNull: members.append((name, value))
    default: return
    }
    try replaceSource(id, .object(members))
  }

  /// Gives a GeoJSON source other data: an object, or an address.
  package mutating func setGeoJSONData(source id: String, _ data: JSON) throws(NeatError) {
    guard let source = style.source(id) else { throw NeatError(.notFound, "no such source", resource: id) }
    guard source.geojson != nil else {
      throw NeatError(.invalidArgument, "the source is not of type geojson", resource: id)
    }
    let members = source.json.members.filter { $0.key != "data" }.map { ($0.key, $0.value) }
    try replaceSource(id, .object(members + [("data", data)]))
  }

  private static func source(_ id: String, _ json: JSON) throws(NeatError) -> SourceSpec {
    try check(validateSource(json, key: "sources.\(id)"), id)
    var log = IssueLog()
    guard let source = SourceSpec(id: id, json: json, issues: &log), log.issues.isEmpty else {
      throw error(log)
    }
    return source
  }

  // MARK: The rest of the style

  /// Sets a member of the style's root by its name; nil or null goes back to its default. `state` is no part
  /// of it: the application's values of it belong to a map.
  package mutating func setRoot(_ name: String, _ value: JSON?) throws(NeatError) {
    switch name {
    case "light": try setLight(value)
    case "sky": try setSky(value)
    case "fog": try setFog(value)
    case "terrain": try setTerrain(value)
    case "projection": try setProjection(value)
    case "sprite": try setSprite(value)
    case "glyphs": setGlyphs(value?.string)
    case "transition": try setTransition(value)
    default: throw NeatError(.invalidArgument, "\"\(name)\" is no root member that can be set")
    }
  }

  /// Goes over to another style, step by step, so that what both have alike stays shared.
  package mutating func update(to other: Style) throws(NeatError) {
    for operation in Style.diff(from: style, to: other) { try apply(operation) }
    setSlots(other.slots)
  }

  /// Where layers of a slot go from now on.
  package mutating func setSlots(_ slots: [(name: String, before: String?)]) { style.slots = slots }

  /// Sets the light; nil or members left out take their defaults.
  package mutating func setLight(_ json: JSON?) throws(NeatError) {
    style.light = try Self.properties(.light, json, "light")
  }

  package mutating func setSky(_ json: JSON?) throws(NeatError) {
    style.sky = json == nil ? nil : try Self.properties(.sky, json, "sky")
  }

  package mutating func setFog(_ json: JSON?) throws(NeatError) {
    style.fog = json.map(\.isNull) ?? true ? nil : try Self.properties(.fog, json, "fog")
  }

  package mutating func setProjection(_ json: JSON?) throws(NeatError) {
    style.projection = try Self.properties(.projection, json, "projection")
  }

  package mutating func setTerrain(_ json: JSON?) throws(NeatError) {
    guard let json, !json.isNull else {
      style.terrain = nil
      return
    }
    var log = IssueLog()
    guard let terrain = Style.terrain(json, &log), log.issues.isEmpty else { throw Self.error(log) }
    guard style.source(terrain.source) != nil else {
      throw NeatError(.notFound, "no such source", resource: terrain.source)
    }
    style.terrain = terrain
  }

  package mutating func setTransition(_ transition: StyleTransition) { style.transition = transition }

  /// Sets the transition of properties that have none of their own; nil or members left out take their
  /// defaults.
  package mutating func setTransition(_ json: JSON?) throws(NeatError) {
    guard let json, !json.isNull else { return setTransition(StyleTransition()) }
    try Self.check(validateTransition(json, key: "transition"), "transition")
    setTransition(StyleTransition(json: json))
  }

  package mutating func setGlyphs(_ url: String?) { style.glyphs = url }

  /// Sets the sprite: an address, or an array of `{id, url}`; nil for none.
  package mutating func setSprite(_ json: JSON?) throws(NeatError) {
    guard let json, !json.isNull else {
      style.sprites = []
      return
    }
    var log = IssueLog()
    let sprites = Style.sprites(json, &log)
    guard log.issues.isEmpty else { throw Self.error(log) }
    style.sprites = sprites
  }

  /// Sets the default of one member of the global state; nil removes it.
  package mutating func setGlobalState(_ name: String, _ value: JSON?) {
    if let index = style.state.firstIndex(where: { $0.name == name }) {
      if let value { style.state[index].value = value } else { style.state.remove(at: index) }
    } else if let value {
      style.state.append((name, value))
    }
  }

  package mutating func setCamera(
    center: LonLat?, centerAltitude: Double?, zoom: Double?, bearing: Double?, pitch: Double?, roll: Double?
  ) {
    style.center = center
    style.centerAltitude = centerAltitude
    style.zoom = zoom
    style.bearing = bearing
    style.pitch = pitch
    style.roll = roll
  }

  // MARK: Helpers

  private static func properties(_ owner: PropertyOwner, _ json: JSON?, _ key: String) throws(NeatError)
    -> PropertySet
  {
    var set = PropertySet(owner: owner)
    guard let json, !json.isNull else { return set }
    try check(validateSection(json, owner, key: key), key)
    var log = IssueLog()
    set.read(json, group: nil, key: key, issues: &log)
    guard log.issues.isEmpty else { throw error(log) }
    return set
  }

  private static func check(_ messages: [ValidationMessage], _ resource: String) throws(NeatError) {
    if let fault = messages.first(where: { $0.severity == .error }) {
      throw NeatError(.style, fault.message, resource: resource)
    }
  }

  private func index(of id: String) throws(NeatError) -> Int {
    guard let index = style.layerIndex(id) else { throw NeatError(.notFound, "no such layer", resource: id) }
    return index
  }

  private func insertionIndex(before id: String?) throws(NeatError) -> Int {
    guard let id else { return style.layers.count }
    return try index(of: id)
  }

  private static func error(_ log: IssueLog) -> NeatError {
    guard let issue = log.issues.first else { return NeatError(.style, "invalid style") }
    return NeatError(.style, "\(issue.key): \(issue.message)", resource: issue.key)
  }
}
