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

/// The style, or one that it takes in.
public struct StyleImportInfo: Hashable, Sendable {
  /// Empty for the style itself; `a/b` for the import b of the import a.
  public var id: String
  /// Where it comes from; nil for what stands in another one.
  public var url: String?
  /// Whether it could be had.
  public var isLoaded: Bool
  /// The values of what its schema leaves open.
  public var config: [String: JSONValue]
  /// What its schema leaves open.
  public var schema: JSONValue?
}

extension MapStyle {
  /// The style, then those that it takes in; empty for a style that takes in none and has no schema. Throws
  /// `state` before there is a style.
  public var styleImports: [StyleImportInfo] {
    get throws(NeatlineError) {
      (try jsonValue { neat_map_imports(map.pointer, $0) }.array ?? []).map { json in
        let config = (json["config"]?.object ?? []).map { ($0.key, $0.value) }
        return StyleImportInfo(
          id: json["id"]?.string ?? "", url: json["url"]?.string, isLoaded: json["isLoaded"]?.bool ?? false,
          config: Dictionary(config) { $1 }, schema: json["schema"])
      }
    }
  }

  /// The value of what a style, "" for the map's own, leaves open. Throws `notFound`.
  public func styleImportConfigProperty(for importId: String, config: String) throws(NeatlineError)
    -> JSONValue
  {
    guard let value = try styleImports.first(where: { $0.id == importId })?.config[config] else {
      throw NeatlineError(.notFound, "the import \"\(importId)\" has no \"\(config)\"")
    }
    return value
  }

  /// Sets what a style, "" for the map's own, leaves open: a value or an expression; nil goes back to what the
  /// import says, or the schema. What was changed of the style since it was loaded stays. Throws `notFound`,
  /// `invalidArgument` for what the schema does not take.
  public func setStyleImportConfigProperty(for importId: String, config: String, value: JSONValue?)
    throws(NeatlineError)
  {
    try check(
      importId.withText { id, size in
        config.withText { key, keySize in
          value.withText { neat_map_set_import_config(map.pointer, id, size, key, keySize, $0, $1) }
        }
      })
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
