import CNeatline

// Changes to the style of a map. A value of nil removes what is there.
extension Map {
  /// Sets a paint property, or the transition of one (`fill-color-transition`). Numbers and colours go to
  /// their new value within the duration of the property's transition, or else the style's; values that
  /// depend on features, and all before the first frame, change at once.
  public func setPaintProperty(layer: String, _ name: String, _ value: JSONValue?) throws(NeatlineError) {
    try check(
      layer.withText { layer, layerSize in
        name.withText { name, nameSize in
          value.withText { neat_map_set_paint_property(pointer, layer, layerSize, name, nameSize, $0, $1) }
        }
      })
  }

  /// Sets a layout property of a layer; nil removes it. Throws `notFound` where there is no such layer,
  /// `style` for values that the specification forbids.
  public func setLayoutProperty(layer: String, _ name: String, _ value: JSONValue?) throws(NeatlineError) {
    try check(
      layer.withText { layer, layerSize in
        name.withText { name, nameSize in
          value.withText { neat_map_set_layout_property(pointer, layer, layerSize, name, nameSize, $0, $1) }
        }
      })
  }

  /// Sets the filter of a layer; nil removes it. Throws `notFound` where there is no such layer.
  public func setFilter(layer: String, _ filter: JSONValue?) throws(NeatlineError) {
    try check(
      layer.withText { layer, size in filter.withText { neat_map_set_filter(pointer, layer, size, $0, $1) } })
  }

  /// Zooms 0...24.
  public func setLayerZoomRange(layer: String, min: Double, max: Double) throws(NeatlineError) {
    try check(layer.withText { neat_map_set_layer_zoom_range(pointer, $0, $1, min, max) })
  }

  /// Adds a layer below another, or on top.
  public func addLayer(_ layer: some Layer, before: String = "") throws(NeatlineError) {
    try addLayer(json: layer.json, before: before)
  }

  /// Adds a layer from style JSON, below the layer `before`, or on top. Throws `invalidArgument` where its id
  /// is taken, `notFound` where its source does not exist.
  public func addLayer(json: JSONValue, before: String = "") throws(NeatlineError) {
    try check(
      json.text.withText { json, size in before.withText { neat_map_add_layer(pointer, json, size, $0, $1) } }
    )
  }

  /// Moves a layer below the layer `before`, or to the top. Throws `notFound` where there is no such layer.
  public func moveLayer(_ layer: String, before: String = "") throws(NeatlineError) {
    try check(
      layer.withText { layer, size in before.withText { neat_map_move_layer(pointer, layer, size, $0, $1) } })
  }

  /// Removes a layer; its source stays. Throws `notFound` where there is no such layer.
  public func removeLayer(_ layer: String) throws(NeatlineError) {
    try check(layer.withText { neat_map_remove_layer(pointer, $0, $1) })
  }

  /// Adds a source. Throws `invalidArgument` where its id is taken.
  public func addSource(_ id: String, _ source: some Source) throws(NeatlineError) {
    try addSource(id, json: source.json)
  }

  /// Adds a source from style JSON. Throws `invalidArgument` where its id is taken.
  public func addSource(_ id: String, json: JSONValue) throws(NeatlineError) {
    try check(
      id.withText { id, size in json.text.withText { neat_map_add_source(pointer, id, size, $0, $1) } })
  }

  /// Removes a source. Throws `invalidArgument` while a layer uses it, `notFound` where there is none.
  public func removeSource(_ id: String) throws(NeatlineError) {
    try check(id.withText { neat_map_remove_source(pointer, $0, $1) })
  }

  /// Replaces the data of a GeoJSON source.
  public func setGeoJSON(source: String, _ text: String) throws(NeatlineError) {
    try check(
      source.withText { source, size in text.withText { neat_map_set_geojson(pointer, source, size, $0, $1) }
      })
  }

  /// Changes the data of a GeoJSON source by the ids of its features. Only tiles that this touches are cut
  /// and laid out again. Throws `invalidArgument` where a feature has no id, naming it, and `state` before
  /// the source's data is there.
  public func updateGeoJSON(source: String, _ diff: GeoJSONSourceDiff) throws(NeatlineError) {
    try check(
      source.withText { source, size in
        diff.text.withText { neat_map_update_geojson(pointer, source, size, $0, $1) }
      })
  }

  /// Sets a root member of the style: `light`, `sky`, `fog`, `terrain`, `projection`, `glyphs`, `sprite`, `state`
  /// (of `global-state`), `transition`.
  public func setStyleProperty(_ name: String, _ value: JSONValue?) throws(NeatlineError) {
    try check(
      name.withText { name, size in
        value.withText { neat_map_set_style_property(pointer, name, size, $0, $1) }
      })
  }

  /// Whether changed paint properties take the time of their transitions; they do unless this was set to
  /// false. Those on their way are then there at once.
  public func setTransitions(enabled: Bool) throws(NeatlineError) {
    try check(neat_map_set_transitions(pointer, enabled ? 1 : 0))
  }

  /// Milliseconds that labels take to come and go while the map is drawn, and patterns and dashes to go over to
  /// those of another whole zoom; 300 as long as nothing else is said.
  public var fadeDuration: Double {
    get throws(NeatlineError) {
      var result = 0.0
      try check(neat_map_fade_duration(pointer, &result))
      return result
    }
  }

  /// Sets how long labels take to come and go, and patterns and dashes to go over to those of another whole zoom: 0
  /// to 60,000 milliseconds. With 0 labels are there or not, and are placed anew with every frame, and raster tiles
  /// and patterns are there at once; else labels are placed at most every 300 ms while the map moves, and once more
  /// when it has come to rest, and raster tiles come in over their layer's `raster-fade-duration`. Labels and
  /// patterns that fade at that moment are there or gone. Throws `invalidArgument`.
  public func setFadeDuration(_ milliseconds: Double) throws(NeatlineError) {
    try check(neat_map_set_fade_duration(pointer, milliseconds))
  }

  /// Goes over to another style step by step: what does not change keeps its tiles and layouts.
  public func updateStyle(json: String) throws(NeatlineError) {
    try check(json.withText { neat_map_update_style(pointer, $0, $1) })
  }

  /// Goes over to another style step by step: what does not change keeps its tiles and layouts.
  public func updateStyle(_ style: StyleDocument) throws(NeatlineError) {
    try updateStyle(json: style.json.text)
  }

  /// The value of a layer's property as it was set, `.null` where it is not: a layout or paint property, the
  /// transition of one, or `filter`, `minzoom`, `maxzoom`, `type`, `source`, `source-layer`, `metadata`.
  public func property(layer: String, _ name: String) throws(NeatlineError) -> JSONValue {
    try jsonValue { out in
      layer.withText { id, size in name.withText { neat_map_property(pointer, id, size, $0, $1, out) } }
    }
  }

  /// Adds an image, or replaces the one of that name. `pixelRatio` is pixels per logical pixel, up to 16;
  /// with `isSDF` its alpha is a signed distance field, which `icon-color` colours.
  public func addImage(_ name: String, _ image: Image, pixelRatio: Double = 1, isSDF: Bool = false)
    throws(NeatlineError)
  {
    try check(name.withText { neat_map_add_image(pointer, $0, $1, image.pointer, pixelRatio, isSDF ? 1 : 0) })
  }

  /// Removes an image that was added. Throws `notFound` where there is none.
  public func removeImage(_ name: String) throws(NeatlineError) {
    try check(name.withText { neat_map_remove_image(pointer, $0, $1) })
  }

  /// Merges an object into a feature's state. `target`: `source`, `sourceLayer`, `id`.
  public func setFeatureState(_ target: JSONValue, _ state: JSONValue) throws(NeatlineError) {
    try check(
      target.text.withText { target, size in
        state.text.withText { neat_map_set_feature_state(pointer, target, size, $0, $1) }
      })
  }

  /// Removes one member of a feature's state, or all of it (`key` empty); a target without `id` means all
  /// features of the source layer.
  public func removeFeatureState(_ target: JSONValue, key: String = "") throws(NeatlineError) {
    try check(
      target.text.withText { target, size in
        key.withText { neat_map_remove_feature_state(pointer, target, size, $0, $1) }
      })
  }
}
