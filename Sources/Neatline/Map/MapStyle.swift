import CNeatline

/// The style of a map, under the names of version 10 of the mobile SDKs:
///
///     try map.style.addSource(source, id: "quakes")
///     try map.style.addLayer(layer, layerPosition: .below("labels"))
///     try map.style.updateLayer(withId: "roads", type: LineLayer.self) { $0.lineWidth = .constant(2) }
///     try map.style.localizeLabels(into: "ja")
public struct MapStyle {
  /// The map whose style this is.
  public let map: Map

  /// Where a layer goes among the others.
  public enum LayerPosition: Hashable, Sendable {
    /// Above the layer with that id.
    case above(String)
    /// Below the layer with that id.
    case below(String)
    /// From the lowest layer, which is 0.
    case at(Int)
    /// On top.
    case `default`
  }

  /// The style as it stands. Reads all of it: for many changes, change a document and set it.
  public var document: StyleDocument {
    get throws { try StyleDocument(parsing: map.styleJSON) }
  }

  /// Where the style was loaded from; nil for one that was set, and before there is one. Setting it starts to load
  /// another one, whose events tell how it goes; nil changes nothing.
  public var uri: StyleURI? {
    get { (try? map.info)?["url"]?.string.map(StyleURI.init(rawValue:)) }
    nonmutating set { if let newValue { try? map.loadStyle(newValue.rawValue) } }
  }

  /// Starts to load a style from its address; events tell how it goes.
  public func load(uri: String) throws(NeatlineError) { try map.loadStyle(uri) }

  /// The style's JSON. Throws `state` where there is none yet.
  public var json: String {
    get throws(NeatlineError) { try map.styleJSON }
  }

  /// Whether the style is there with its sprite and what is known of its sources.
  public var isLoaded: Bool { (try? map.info)?["isLoaded"]?.bool ?? false }

  // Sources

  /// Whether a source has this id.
  public func sourceExists(withId id: String) -> Bool { allSourceIdentifiers.contains { $0.id == id } }

  /// The ids of the sources and their types, in the style's order; empty where there is no style yet.
  public var allSourceIdentifiers: [SourceInfo] {
    identifiers("sources").map { SourceInfo(id: $0.id, typeName: $0.type) }
  }

  /// Adds a source under an id. Throws `invalidArgument` where the id is taken.
  public func addSource(_ source: some Source, id: String) throws(NeatlineError) {
    try map.addSource(id, source)
  }

  /// Removes a source. Throws `invalidArgument` while a layer uses it, `notFound` where there is none.
  public func removeSource(withId id: String) throws(NeatlineError) { try map.removeSource(id) }

  /// Replaces the data of a GeoJSON source.
  public func updateGeoJSONSource(withId id: String, geoJSON: JSONValue) throws(NeatlineError) {
    try map.setGeoJSON(source: id, geoJSON.text)
  }

  /// Changes the data of a GeoJSON source by the ids of its features.
  public func updateGeoJSONSource(withId id: String, diff: GeoJSONSourceDiff) throws(NeatlineError) {
    try map.updateGeoJSON(source: id, diff)
  }

  /// Has a worker read data, which then takes the place of that of a GeoJSON source, while the loop goes on.
  /// `sourceDataLoaded` tells with `dataId` that it is there, `mapLoadingError` why not. Throws for a source
  /// that is not there, or is no GeoJSON source.
  public func updateGeoJSONSource(withId id: String, geoJSON: String, dataId: String) throws(NeatlineError) {
    try map.loadData(id, NEAT_DATA_CHANGE_REPLACE, geoJSON, dataId)
  }

  /// Adds features to those of a GeoJSON source, in place of those of the same identifier, as
  /// `updateGeoJSONSource(withId:geoJSON:dataId:)` does.
  public func addGeoJSONSourceFeatures(forSourceId sourceId: String, features: [Feature], dataId: String = "")
    throws(NeatlineError)
  {
    try change(sourceId, GeoJSONSourceDiff(add: features), dataId)
  }

  /// Gives features of a GeoJSON source the geometry and properties of those of the same identifier; those that
  /// are not there are left out. As `updateGeoJSONSource(withId:geoJSON:dataId:)` does.
  public func updateGeoJSONSourceFeatures(
    forSourceId sourceId: String, features: [Feature], dataId: String = ""
  ) throws(NeatlineError) {
    var updates: [GeoJSONSourceDiff.Update] = []
    for feature in features {
      guard let identifier = feature.identifier else {
        throw NeatlineError(.invalidArgument, "a feature has no identifier")
      }
      updates.append(
        GeoJSONSourceDiff.Update(
          identifier, geometry: .replaced(feature.geometry), removesAllAttributes: true,
          attributes: feature.properties))
    }
    try change(sourceId, GeoJSONSourceDiff(update: updates), dataId)
  }

  /// Removes features of a GeoJSON source by their identifiers; those that are not there are left out. As
  /// `updateGeoJSONSource(withId:geoJSON:dataId:)` does.
  public func removeGeoJSONSourceFeatures(
    forSourceId sourceId: String, featureIds: [FeatureIdentifier], dataId: String = ""
  ) throws(NeatlineError) {
    try change(sourceId, GeoJSONSourceDiff(remove: featureIds), dataId)
  }

  private func change(_ source: String, _ diff: GeoJSONSourceDiff, _ dataId: String) throws(NeatlineError) {
    try map.loadData(source, NEAT_DATA_CHANGE_UPDATE, diff.text, dataId)
  }

  /// The members of a source as it stands in the style. Throws `notFound`.
  public func sourceProperties(for sourceId: String) throws(NeatlineError) -> JSONValue {
    try jsonValue { out in sourceId.withText { neat_map_source(map.pointer, $0, $1, out) } }
  }

  /// One member of a source, by its name in style JSON; nil where it is not set. Throws `notFound` where there
  /// is no such source.
  public func sourceProperty(for sourceId: String, property: String) throws(NeatlineError) -> JSONValue? {
    try sourceProperties(for: sourceId)[property]
  }

  /// Sets a member of a source by its name in style JSON; nil removes it. The source begins anew, but an image
  /// source whose `coordinates` alone change keeps its picture. Throws `notFound`, `style` for values that the
  /// specification forbids, `invalidArgument` for its type.
  public func setSourceProperty(for sourceId: String, property: String, value: JSONValue?)
    throws(NeatlineError)
  {
    try check(
      sourceId.withText { id, size in
        property.withText { name, nameSize in
          value.withText { neat_map_set_source_property(map.pointer, id, size, name, nameSize, $0, $1) }
        }
      })
  }

  /// Gives an image source another picture, whatever its address says. Throws `notFound`, `invalidArgument` for
  /// a source of another type.
  public func updateImageSource(withId id: String, image: Image) throws(NeatlineError) {
    try check(id.withText { neat_map_update_image_source(map.pointer, $0, $1, image.pointer) })
  }

  /// The source of that id. Throws `StyleCodingError` where there is none.
  public func source<S: Source>(withId id: String, type: S.Type = S.self) throws -> S {
    guard let source = try document[source: id]?.value as? S else {
      throw StyleCodingError(key: id, message: "no source of type \"\(S.typeName)\" has this id")
    }
    return source
  }

  // Layers

  /// Whether a layer has this id.
  public func layerExists(withId id: String) -> Bool { allLayerIdentifiers.contains { $0.id == id } }

  /// The ids of the layers and their types, the lowest first; empty where there is no style yet.
  public var allLayerIdentifiers: [LayerInfo] {
    identifiers("layers").map { LayerInfo(id: $0.id, typeName: $0.type) }
  }

  private func identifiers(_ member: String) -> [(id: String, type: String)] {
    ((try? map.info)?[member]?.array ?? []).map { ($0["id"]?.string ?? "", $0["type"]?.string ?? "") }
  }

  /// Adds a layer. Throws `notFound` where the layer that gives its place does not exist, or there is no such
  /// place.
  public func addLayer(_ layer: some Layer, layerPosition: LayerPosition = .default) throws {
    try map.addLayer(layer, before: before(layerPosition))
  }

  /// Moves a layer. Throws where there is no such layer, or none at the position.
  public func moveLayer(withId id: String, to layerPosition: LayerPosition) throws {
    try map.moveLayer(id, before: before(layerPosition, leavingOut: id))
  }

  /// Removes a layer; its source stays. Throws `notFound` where there is none.
  public func removeLayer(withId id: String) throws(NeatlineError) { try map.removeLayer(id) }

  /// The layer of that id and type. Throws `StyleCodingError` where there is none.
  public func layer<L: Layer>(withId id: String, type: L.Type = L.self) throws -> L {
    try document.layer(withId: id, type: type)
  }

  /// Changes the layer of that id and type: its filter, zoom range, layout and paint properties; other
  /// changes have no effect.
  public func updateLayer<L: Layer>(
    withId id: String, type: L.Type = L.self, _ update: (inout L) throws -> Void
  ) throws {
    let old = try layer(withId: id, type: type)
    var new = old
    try update(&new)
    if new.filter != old.filter { try map.setFilter(layer: id, new.filter?.json) }
    if new.minZoom != old.minZoom || new.maxZoom != old.maxZoom {
      try map.setLayerZoomRange(layer: id, min: new.minZoom ?? 0, max: new.maxZoom ?? 24)
    }
    for (name, value) in changes(old.contents.layout, new.contents.layout) {
      try map.setLayoutProperty(layer: id, name, value)
    }
    for (name, value) in changes(old.contents.paint, new.contents.paint) {
      try map.setPaintProperty(layer: id, name, value)
    }
  }

  /// Sets a layout or paint property by its name in style JSON; nil removes it. Throws `StyleCodingError`
  /// where no layer has the id, or the layer's type not the property.
  public func setLayerProperty(for layerId: String, property: String, value: JSONValue?) throws {
    let suffix = "-transition"
    let base = property.hasSuffix(suffix) ? String(property.dropLast(suffix.count)) : property
    guard let layer = try document[layer: layerId]?.value else {
      // A layer of the host's own, which no document has, may be hidden and no more.
      if property == "visibility", layerExists(withId: layerId) {
        return try map.setLayoutProperty(layer: layerId, property, value)
      }
      throw StyleCodingError(key: layerId, message: "no layer has this id")
    }
    guard
      let found = type(of: layer).properties.first(where: {
        $0.name == property || $0.name == base && $0.hasTransition
      })
    else {
      throw StyleCodingError(key: layerId, message: "unknown property \"\(property)\"")
    }
    switch found.group {
    case .layout: try map.setLayoutProperty(layer: layerId, property, value)
    case .paint: try map.setPaintProperty(layer: layerId, property, value)
    }
  }

  // Images

  /// Adds an image, or replaces the one of that id. `sdf`: whether it is a distance field that `icon-color`
  /// colours.
  public func addImage(_ image: Image, id: String, sdf: Bool = false, pixelRatio: Double = 1)
    throws(NeatlineError)
  {
    try map.addImage(id, image, pixelRatio: pixelRatio, isSDF: sdf)
  }

  /// Adds an image, or replaces the one of that id, of which more can be said. Throws `invalidArgument` for
  /// parts that are not within the image.
  public func addImage(_ image: Image, id: String, options: StyleImageOptions) throws(NeatlineError) {
    let options = options.json.text
    try check(
      id.withText { id, size in
        options.withText { neat_map_add_image_with(map.pointer, id, size, image.pointer, $0, $1) }
      })
  }

  /// Whether layers can name an image of that id: of a sprite, or added.
  public func imageExists(withId id: String) -> Bool { (try? image(withId: id)) != nil }

  /// The pixels of an image that layers can name. Throws `notFound`.
  public func image(withId id: String) throws(NeatlineError) -> Image {
    Image(adopting: try handle { out in id.withText { neat_map_image(map.pointer, $0, $1, out) } })
  }

  /// The images that layers can name now, of sprites and added, in order of their ids. Throws `state` before
  /// there is a style.
  public var allImages: [StyleImageInfo] {
    get throws(NeatlineError) {
      (try jsonValue { neat_map_images(map.pointer, $0) }.array ?? []).map(StyleImageInfo.init)
    }
  }

  /// Removes an image that was added. Throws `notFound` where there is none.
  public func removeImage(withId id: String) throws(NeatlineError) { try map.removeImage(id) }

  // All else

  /// Sets the light; nil: the default.
  public func setLight(_ light: Light?) throws(NeatlineError) {
    try map.setStyleProperty("light", light?.json)
  }
  /// Sets the sky; nil: none.
  public func setSky(_ sky: Sky?) throws(NeatlineError) { try map.setStyleProperty("sky", sky?.json) }
  /// Sets the fog, the air and the stars of Mapbox styles; nil: none. Throws `style` for values out of range.
  public func setFog(_ fog: Fog?) throws(NeatlineError) { try map.setStyleProperty("fog", fog?.json) }
  /// Sets the fog under the name that it has in the mobile SDKs.
  public func setAtmosphere(_ atmosphere: Atmosphere) throws(NeatlineError) { try setFog(atmosphere) }
  /// Takes the fog away.
  public func removeAtmosphere() throws(NeatlineError) { try setFog(nil) }
  /// Sets the terrain; nil: none. Throws `notFound` where its source does not exist.
  public func setTerrain(_ terrain: Terrain?) throws(NeatlineError) {
    try map.setStyleProperty("terrain", terrain?.json)
  }
  /// Sets the projection; nil: Mercator.
  public func setProjection(_ projection: Projection?) throws(NeatlineError) {
    try map.setStyleProperty("projection", projection?.json)
  }

  /// Sets how properties change that have no transition of their own; nil: in 300 ms.
  public func setTransition(_ transition: StyleTransition?) throws(NeatlineError) {
    try map.setStyleProperty("transition", transition?.json)
  }

  /// Puts the names in the labels of symbol layers in a language (`ja`, `zh-Hant`, `pt_BR`), where the data
  /// has them; `layerIds`: only in these layers. Layers without a name in their text, and ids that no symbol
  /// layer has, are left alone. Throws `invalidArgument` for what is no language.
  public func localizeLabels(into language: String, forLayerIds layerIds: [String]? = nil)
    throws(NeatlineError)
  {
    try check(
      language.withText { language, size in
        LabelLocalizer.json(layerIds).withText {
          neat_map_localize_labels(map.pointer, language, size, $0, $1)
        }
      })
  }

  /// As `localizeLabels(into:forLayerIds:)`, the language that of a locale.
  public func localizeLabels(into locale: some LabelLocale, forLayerIds layerIds: [String]? = nil) throws {
    try localizeLabels(into: locale.identifier, forLayerIds: layerIds)
  }

  /// The layer below which one goes: "" for the top.
  private func before(_ position: LayerPosition, leavingOut moved: String? = nil) throws -> String {
    if case .default = position { return "" }
    if case .below(let id) = position { return id }
    // Layers of the host's own are among them, which no style says.
    let layers = try map.info["layers"]?.array ?? []
    let ids = layers.compactMap { $0["id"]?.string }.filter { $0 != moved }
    switch position {
    case .at(let index) where (0...ids.count).contains(index): return index == ids.count ? "" : ids[index]
    case .at(let index): throw NeatlineError(.notFound, "place \(index) among \(ids.count) layers")
    case .above(let id):
      guard let index = ids.firstIndex(of: id) else { throw NeatlineError(.notFound, "no layer \"\(id)\"") }
      return index + 1 == ids.count ? "" : ids[index + 1]
    default: return ""
    }
  }

  /// Members that are new or other than before, and those that are gone.
  private func changes(_ old: StyleObject, _ new: StyleObject) -> [(String, JSONValue?)] {
    let changed = new.members.filter { member in
      old.members.last { $0.key == member.key }?.value != member.value
    }
    let gone = old.members.filter { member in !new.members.contains { $0.key == member.key } }
    return changed.map { ($0.key, $0.value) } + gone.map { ($0.key, nil) }
  }
}

/// A layer of a style in short.
public struct LayerInfo: Hashable, Sendable {
  /// The source's id.
  public var id: String
  /// The type's name in style JSON.
  public var typeName: String
  /// Nil for a type that this version does not know.
  public var type: LayerType? { LayerType(rawValue: typeName) }

  /// A source by its id and the name of its type.
  public init(id: String, typeName: String) {
    self.id = id
    self.typeName = typeName
  }
}

/// A source of a style in short.
public struct SourceInfo: Hashable, Sendable {
  /// The layer's id.
  public var id: String
  /// The type's name in style JSON.
  public var typeName: String
  /// Nil for a type that this version does not know.
  public var type: SourceType? { SourceType(rawValue: typeName) }

  /// A layer by its id and the name of its type.
  public init(id: String, typeName: String) {
    self.id = id
    self.typeName = typeName
  }
}

extension Map {
  /// The style, to be read and changed.
  public var style: MapStyle { MapStyle(map: self) }
}
