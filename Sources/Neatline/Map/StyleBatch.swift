import CNeatline

/// Changes of a style that are made together: all of them, or none.
public struct StyleBatch {
  private var steps: [JSONValue] = []

  init() {}

  var text: String { JSONValue.array(steps).text }

  private mutating func add(_ command: String, _ arguments: JSONValue...) {
    steps.append(.object([.init("command", .string(command)), .init("args", .array(arguments))]))
  }

  /// Adds a source under an id.
  public mutating func addSource(_ source: some Source, id: String) {
    add("addSource", .string(id), source.json)
  }

  /// Removes a source, which no layer uses by then.
  public mutating func removeSource(withId id: String) { add("removeSource", .string(id)) }

  /// Adds a layer below the layer `before`, nil: on top.
  public mutating func addLayer(_ layer: some Layer, before: String? = nil) {
    add("addLayer", layer.json, before.map { .string($0) } ?? .null)
  }

  /// Removes a layer; its source stays.
  public mutating func removeLayer(withId id: String) { add("removeLayer", .string(id)) }

  /// Sets a paint property by its name in style JSON; nil removes it.
  public mutating func setPaintProperty(layer: String, _ name: String, _ value: JSONValue?) {
    add("setPaintProperty", .string(layer), .string(name), value ?? .null)
  }

  /// Sets a layout property by its name in style JSON; nil removes it.
  public mutating func setLayoutProperty(layer: String, _ name: String, _ value: JSONValue?) {
    add("setLayoutProperty", .string(layer), .string(name), value ?? .null)
  }

  /// Sets the filter of a layer; nil removes it.
  public mutating func setFilter(layer: String, _ filter: JSONValue?) {
    add("setFilter", .string(layer), filter ?? .null)
  }

  /// Sets the zooms 0...24 between which a layer is drawn.
  public mutating func setLayerZoomRange(layer: String, min: Double, max: Double) {
    add("setLayerZoomRange", .string(layer), .number(min), .number(max))
  }

  /// Sets the light; nil: the default.
  public mutating func setLight(_ light: Light?) { add("setLight", light?.json ?? .null) }

  /// Any other step, as style tools write it: `{"command", "args"}`.
  public mutating func add(command: String, arguments: [JSONValue]) {
    steps.append(.object([.init("command", .string(command)), .init("args", .array(arguments))]))
  }
}

extension MapStyle {
  /// Makes several changes at once: all of them, or none where one fails; the message has its number, from 0 on.
  /// Tiles are laid out anew once. 100,000 changes at most. Throws as the single changes do.
  public func change(_ body: (inout StyleBatch) throws -> Void) throws {
    var batch = StyleBatch()
    try body(&batch)
    try check(batch.text.withText { neat_map_change_style(map.pointer, $0, $1) })
  }
}

extension Map {
  func loadData(_ source: String, _ change: neat_data_change, _ data: String, _ id: String)
    throws(NeatlineError)
  {
    try check(
      source.withText { source, size in
        data.withText { data, dataSize in
          id.withText { neat_map_load_geojson(pointer, source, size, change, data, dataSize, $0, $1) }
        }
      })
  }
}
