import NeatJSON

extension StyleOperation {
  /// The step as style tools write it: {"command", "args"}.
  package var json: JSON {
    func command(_ name: String, _ arguments: [JSON?]) -> JSON {
      var arguments = arguments
      while case .some(nil) = arguments.last { arguments.removeLast() }
      return .object([("command", .string(name)), ("args", .array(arguments.map { $0 ?? .null }))])
    }
    switch self {
    case .addSource(let id, let json): return command("addSource", [.string(id), json])
    case .removeSource(let id): return command("removeSource", [.string(id)])
    case .setGeoJSONData(let id, let data): return command("setGeoJSONSourceData", [.string(id), data])
    case .addLayer(let json, let before): return command("addLayer", [json, before.map { .string($0) }])
    case .removeLayer(let id): return command("removeLayer", [.string(id)])
    case .setLayoutProperty(let layer, let name, let value):
      return command("setLayoutProperty", [.string(layer), .string(name), value ?? .null])
    case .setPaintProperty(let layer, let name, let value):
      return command("setPaintProperty", [.string(layer), .string(name), value ?? .null])
    case .setFilter(let layer, let filter): return command("setFilter", [.string(layer), filter ?? .null])
    case .setZoomRange(let layer, let low, let high):
      return command(
        "setLayerZoomRange", [.string(layer), low.map { .number($0) }, high.map { .number($0) }])
    case .setLight(let json): return command("setLight", [json ?? .null])
    case .setSky(let json): return command("setSky", [json ?? .null])
    case .setFog(let json): return command("setFog", [json ?? .null])
    case .setProjection(let json): return command("setProjection", [json ?? .null])
    case .setTerrain(let json): return command("setTerrain", [json ?? .null])
    case .setTransition(let transition):
      return command(
        "setTransition",
        [.object([("duration", .number(transition.duration)), ("delay", .number(transition.delay))])])
    case .setSprite(let json): return command("setSprite", [json ?? .null])
    case .setGlyphs(let url): return command("setGlyphs", [url.map { .string($0) } ?? .null])
    case .setGlobalState(let name, let value):
      return command("setGlobalStateProperty", [.string(name), value ?? .null])
    }
  }
}
