import CNeatline
import NeatBase
import NeatJSON
import NeatMap
import NeatStyle

private func optionalJSON(_ pointer: UnsafePointer<CChar>?, _ size: Int, _ name: String) throws(NeatError)
  -> JSON?
{
  let source = try bytes(pointer, size, name)
  return source.isEmpty ? nil : try JSON.parse(source)
}

private func optionalText(_ pointer: UnsafePointer<CChar>?, _ size: Int, _ name: String) throws(NeatError)
  -> String?
{
  size == 0 ? nil : try text(pointer, size, name)
}

@c @implementation
public func neat_map_set_paint_property(
  _ map: OpaquePointer!, _ layer: UnsafePointer<CChar>!, _ layer_size: Int, _ name: UnsafePointer<CChar>!,
  _ name_size: Int,
  _ value: UnsafePointer<CChar>!, _ value_size: Int
) -> neat_status {
  attempt(map) { map throws(NeatError) in
    let (layer, name) = (try text(layer, layer_size, "layer"), try text(name, name_size, "name"))
    let value = try optionalJSON(value, value_size, "value")
    try map.edit { editor throws(NeatError) in try editor.setPaintProperty(layer: layer, name, value) }
  }
}

@c @implementation
public func neat_map_set_layout_property(
  _ map: OpaquePointer!, _ layer: UnsafePointer<CChar>!, _ layer_size: Int, _ name: UnsafePointer<CChar>!,
  _ name_size: Int,
  _ value: UnsafePointer<CChar>!, _ value_size: Int
) -> neat_status {
  attempt(map) { map throws(NeatError) in
    let (layer, name) = (try text(layer, layer_size, "layer"), try text(name, name_size, "name"))
    let value = try optionalJSON(value, value_size, "value")
    try map.edit { editor throws(NeatError) in try editor.setLayoutProperty(layer: layer, name, value) }
  }
}

@c @implementation
public func neat_map_set_filter(
  _ map: OpaquePointer!, _ layer: UnsafePointer<CChar>!, _ layer_size: Int, _ filter: UnsafePointer<CChar>!,
  _ filter_size: Int
) -> neat_status {
  attempt(map) { map throws(NeatError) in
    let layer = try text(layer, layer_size, "layer")
    let filter = try optionalJSON(filter, filter_size, "filter")
    try map.edit { editor throws(NeatError) in try editor.setFilter(layer: layer, filter) }
  }
}

@c @implementation
public func neat_map_set_layer_zoom_range(
  _ map: OpaquePointer!, _ layer: UnsafePointer<CChar>!, _ layer_size: Int, _ min_zoom: Double,
  _ max_zoom: Double
) -> neat_status {
  attempt(map) { map throws(NeatError) in
    let layer = try text(layer, layer_size, "layer")
    try map.edit { editor throws(NeatError) in
      try editor.setZoomRange(layer: layer, minZoom: min_zoom, maxZoom: max_zoom)
    }
  }
}

@c @implementation
public func neat_map_add_layer(
  _ map: OpaquePointer!, _ json: UnsafePointer<CChar>!, _ json_size: Int, _ before: UnsafePointer<CChar>!,
  _ before_size: Int
) -> neat_status {
  attempt(map) { map throws(NeatError) in
    let json = try JSON.parse(try bytes(json, json_size, "json"))
    let before = try optionalText(before, before_size, "before")
    try map.edit { editor throws(NeatError) in try editor.addLayer(json, before: before) }
  }
}

@c @implementation
public func neat_map_move_layer(
  _ map: OpaquePointer!, _ layer: UnsafePointer<CChar>!, _ layer_size: Int, _ before: UnsafePointer<CChar>!,
  _ before_size: Int
) -> neat_status {
  attempt(map) { map throws(NeatError) in
    let layer = try text(layer, layer_size, "layer")
    let before = try optionalText(before, before_size, "before")
    try map.edit { editor throws(NeatError) in try editor.moveLayer(layer, before: before) }
  }
}

@c @implementation
public func neat_map_remove_layer(_ map: OpaquePointer!, _ layer: UnsafePointer<CChar>!, _ layer_size: Int)
  -> neat_status
{
  attempt(map) { map throws(NeatError) in
    let layer = try text(layer, layer_size, "layer")
    try map.removeLayer(layer)
  }
}

@c @implementation
public func neat_map_add_source(
  _ map: OpaquePointer!, _ id: UnsafePointer<CChar>!, _ id_size: Int, _ json: UnsafePointer<CChar>!,
  _ json_size: Int
) -> neat_status {
  attempt(map) { map throws(NeatError) in
    let id = try text(id, id_size, "id")
    let json = try JSON.parse(try bytes(json, json_size, "json"))
    try map.edit { editor throws(NeatError) in try editor.addSource(id, json) }
  }
}

@c @implementation
public func neat_map_remove_source(_ map: OpaquePointer!, _ id: UnsafePointer<CChar>!, _ id_size: Int)
  -> neat_status
{
  attempt(map) { map throws(NeatError) in
    let id = try text(id, id_size, "id")
    try map.edit { editor throws(NeatError) in try editor.removeSource(id) }
  }
}

@c @implementation
public func neat_map_source(
  _ map: OpaquePointer!, _ id: UnsafePointer<CChar>!, _ id_size: Int, _ out_json: OutHandle!
) -> neat_status {
  produce(map, out_json) { map throws(NeatError) in
    let id = try text(id, id_size, "id")
    guard let source = try map.loadedCore().style.source(id) else {
      throw NeatError(.notFound, "no such source", resource: id)
    }
    return Buffer(source.json)
  }
}

@c @implementation
public func neat_map_set_source_property(
  _ map: OpaquePointer!, _ id: UnsafePointer<CChar>!, _ id_size: Int, _ name: UnsafePointer<CChar>!,
  _ name_size: Int, _ value: UnsafePointer<CChar>!, _ value_size: Int
) -> neat_status {
  attempt(map) { map throws(NeatError) in
    let (id, name) = (try text(id, id_size, "id"), try text(name, name_size, "name"))
    let value = try optionalJSON(value, value_size, "value")
    try map.edit { editor throws(NeatError) in try editor.setSourceProperty(id, name, value) }
  }
}

@c @implementation
public func neat_map_load_geojson(
  _ map: OpaquePointer!, _ source: UnsafePointer<CChar>!, _ source_size: Int, _ change: neat_data_change,
  _ data: UnsafePointer<CChar>!, _ data_size: Int, _ data_id: UnsafePointer<CChar>!, _ data_id_size: Int
) -> neat_status {
  attempt(map) { map throws(NeatError) in
    let source = try text(source, source_size, "source")
    let data: [UInt8] = try bytes(data, data_size, "data")
    let edit: SourceEdit
    switch change {
    case NEAT_DATA_CHANGE_REPLACE: edit = .replace(source: source, data)
    case NEAT_DATA_CHANGE_UPDATE: edit = .update(source: source, data)
    default: throw NeatError(.invalidArgument, "change \(change.rawValue) is none of neat_data_change")
    }
    try map.loadData(edit, dataID: try text(data_id, data_id_size, "data_id"))
  }
}

@c @implementation
public func neat_map_change_style(
  _ map: OpaquePointer!, _ steps: UnsafePointer<CChar>!, _ steps_size: Int
) -> neat_status {
  attempt(map) { map throws(NeatError) in
    let json = try JSON.parse(try bytes(steps, steps_size, "steps"))
    guard json.isArray else { throw NeatError(.invalidArgument, "steps must be an array") }
    try map.change(json)
  }
}

@c @implementation
public func neat_map_imports(_ map: OpaquePointer!, _ out_json: OutHandle!) -> neat_status {
  produce(map, out_json) { map throws(NeatError) in
    _ = try map.loadedCore()
    return Buffer(.array(map.importEntries.map(\.json)))
  }
}

extension StyleImports.Entry {
  fileprivate var json: JSON {
    var members: [(String, JSON)] = [
      ("id", .string(path)), ("isLoaded", .bool(isThere)),
      ("config", .object(config.map { ($0.name, $0.value) })),
    ]
    if let url { members.append(("url", .string(Address.withoutCredentials(url)))) }
    if let schema { members.append(("schema", schema)) }
    return .object(members)
  }
}

@c @implementation
public func neat_map_set_import_config(
  _ map: OpaquePointer!, _ id: UnsafePointer<CChar>!, _ id_size: Int, _ key: UnsafePointer<CChar>!,
  _ key_size: Int, _ value: UnsafePointer<CChar>!, _ value_size: Int
) -> neat_status {
  attempt(map) { map throws(NeatError) in
    let (id, key) = (try text(id, id_size, "id"), try text(key, key_size, "key"))
    let value = try optionalJSON(value, value_size, "value")
    try map.setImportConfig(id, key, value.flatMap { $0.isNull ? nil : $0 })
  }
}

@c @implementation
public func neat_map_localize_labels(
  _ map: OpaquePointer!, _ language: UnsafePointer<CChar>!, _ language_size: Int,
  _ layers: UnsafePointer<CChar>!, _ layers_size: Int
) -> neat_status {
  attempt(map) { map throws(NeatError) in
    let localizer = try LabelLocalizer(identifier: try text(language, language_size, "language"))
    let layers = try layerIDs(layers, layers_size)
    try map.edit { editor throws(NeatError) in try editor.localizeLabels(localizer, layers: layers) }
  }
}

@c @implementation
public func neat_map_set_geojson(
  _ map: OpaquePointer!, _ source: UnsafePointer<CChar>!, _ source_size: Int,
  _ geojson: UnsafePointer<CChar>!, _ geojson_size: Int
) -> neat_status {
  attempt(map) { map throws(NeatError) in
    try map.setGeoJSON(
      source: try text(source, source_size, "source"), try bytes(geojson, geojson_size, "geojson"))
  }
}

@c @implementation
public func neat_map_update_geojson(
  _ map: OpaquePointer!, _ source: UnsafePointer<CChar>!, _ source_size: Int, _ diff: UnsafePointer<CChar>!,
  _ diff_size: Int
) -> neat_status {
  attempt(map) { map throws(NeatError) in
    try map.updateGeoJSON(
      source: try text(source, source_size, "source"), try bytes(diff, diff_size, "diff"))
  }
}

@c @implementation
public func neat_map_set_style_property(
  _ map: OpaquePointer!, _ name: UnsafePointer<CChar>!, _ name_size: Int, _ value: UnsafePointer<CChar>!,
  _ value_size: Int
) -> neat_status {
  attempt(map) { map throws(NeatError) in
    let name = try text(name, name_size, "name")
    let value = try optionalJSON(value, value_size, "value")
    if name == "state" {
      try map.setGlobalState(value)
    } else {
      try map.edit { editor throws(NeatError) in try editor.setRoot(name, value) }
    }
  }
}

@c @implementation
public func neat_map_set_transitions(_ map: OpaquePointer!, _ is_enabled: UInt32) -> neat_status {
  attempt(map) { map throws(NeatError) in map.hasTransitions = is_enabled != 0 }
}

@c @implementation
public func neat_map_set_fade_duration(_ map: OpaquePointer!, _ duration_ms: Double) -> neat_status {
  attempt(map) { map throws(NeatError) in try map.setFadeDuration(duration_ms) }
}

@c @implementation
public func neat_map_fade_duration(_ map: OpaquePointer!, _ out_duration_ms: UnsafeMutablePointer<Double>!)
  -> neat_status
{
  attempt(map) { map throws(NeatError) in
    try required(out_duration_ms, "out_duration_ms").pointee = map.fadeDuration
  }
}

@c @implementation
public func neat_map_add_image(
  _ map: OpaquePointer!, _ name: UnsafePointer<CChar>!, _ name_size: Int, _ image: OpaquePointer!,
  _ pixel_ratio: Double, _ is_sdf: UInt32
) -> neat_status {
  attempt(map) { map throws(NeatError) in
    let picture: ImageHandle = Handle.object(try required(image, "image"))
    try map.addImage(
      try text(name, name_size, "name"), picture.pixelImage,
      StyleImageOptions(pixelRatio: pixel_ratio, isSDF: is_sdf != 0))
  }
}

@c @implementation
public func neat_map_add_image_with(
  _ map: OpaquePointer!, _ name: UnsafePointer<CChar>!, _ name_size: Int, _ image: OpaquePointer!,
  _ options: UnsafePointer<CChar>!, _ options_size: Int
) -> neat_status {
  attempt(map) { map throws(NeatError) in
    let picture: ImageHandle = Handle.object(try required(image, "image"))
    let options = try optionalJSON(options, options_size, "options") ?? .object([])
    try map.addImage(
      try text(name, name_size, "name"), picture.pixelImage,
      try StyleImageOptions(options, width: picture.width, height: picture.height))
  }
}

@c @implementation
public func neat_map_image(
  _ map: OpaquePointer!, _ name: UnsafePointer<CChar>!, _ name_size: Int, _ out_image: OutHandle!
) -> neat_status {
  produce(map, out_image) { map throws(NeatError) in
    try ImageHandle(try map.loadedCore().image(try text(name, name_size, "name")).picture)
  }
}

@c @implementation
public func neat_map_images(_ map: OpaquePointer!, _ out_json: OutHandle!) -> neat_status {
  produce(map, out_json) { map throws(NeatError) in
    Buffer(.array(try map.loadedCore().images.map(\.json)))
  }
}

@c @implementation
public func neat_map_update_image_source(
  _ map: OpaquePointer!, _ source: UnsafePointer<CChar>!, _ source_size: Int, _ image: OpaquePointer!
) -> neat_status {
  attempt(map) { map throws(NeatError) in
    let picture: ImageHandle = Handle.object(try required(image, "image"))
    try map.updateImageSource(try text(source, source_size, "source"), picture.pixelImage)
  }
}

@c @implementation
public func neat_map_remove_image(_ map: OpaquePointer!, _ name: UnsafePointer<CChar>!, _ name_size: Int)
  -> neat_status
{
  attempt(map) { map throws(NeatError) in try map.removeImage(try text(name, name_size, "name")) }
}

@c @implementation
public func neat_map_update_style(_ map: OpaquePointer!, _ json: UnsafePointer<CChar>!, _ json_size: Int)
  -> neat_status
{
  attempt(map) { map throws(NeatError) in
    try map.update(to: try bytes(json, json_size, "json"))
  }
}

@c @implementation
public func neat_map_property(
  _ map: OpaquePointer!, _ layer: UnsafePointer<CChar>!, _ layer_size: Int, _ name: UnsafePointer<CChar>!,
  _ name_size: Int,
  _ out_json: OutHandle!
) -> neat_status {
  produce(map, out_json) { map throws(NeatError) in
    let (id, name) = (try text(layer, layer_size, "layer"), try text(name, name_size, "name"))
    guard let layer = try map.loadedCore().style.layer(id) else {
      throw NeatError(.notFound, "no layer is called \"\(id)\"")
    }
    return Buffer(Array(try layer.value(named: name).text.utf8))
  }
}
