import NeatBase
import NeatJSON

extension StyleOperation {
  /// Reads a step as style tools write it: `{"command", "args"}`. Throws `invalidArgument` for a command that
  /// there is not, and arguments that it does not take.
  package init(_ json: JSON) throws(NeatError) {
    guard json.isObject, let command = json["command"]?.string else {
      throw NeatError(.invalidArgument, "a step must be an object with a \"command\"")
    }
    try json.refuseMembers(besides: ["command", "args"], of: "steps")
    var arguments = Arguments(command, json["args"])
    switch command {
    case "addSource": self = .addSource(try arguments.text("id"), try arguments.value("source"))
    case "removeSource": self = .removeSource(try arguments.text("id"))
    case "setGeoJSONSourceData":
      self = .setGeoJSONData(source: try arguments.text("id"), try arguments.value("data"))
    case "addLayer": self = .addLayer(try arguments.value("layer"), before: try arguments.textIfAny("before"))
    case "removeLayer": self = .removeLayer(try arguments.text("id"))
    case "setLayoutProperty":
      self = .setLayoutProperty(
        layer: try arguments.text("layer"), name: try arguments.text("name"), arguments.valueIfAny())
    case "setPaintProperty":
      self = .setPaintProperty(
        layer: try arguments.text("layer"), name: try arguments.text("name"), arguments.valueIfAny())
    case "setFilter": self = .setFilter(layer: try arguments.text("layer"), arguments.valueIfAny())
    case "setLayerZoomRange":
      self = .setZoomRange(
        layer: try arguments.text("layer"), minZoom: try arguments.numberIfAny("minzoom"),
        maxZoom: try arguments.numberIfAny("maxzoom"))
    case "setLight": self = .setLight(arguments.valueIfAny())
    case "setSky": self = .setSky(arguments.valueIfAny())
    case "setFog": self = .setFog(arguments.valueIfAny())
    case "setProjection": self = .setProjection(arguments.valueIfAny())
    case "setTerrain": self = .setTerrain(arguments.valueIfAny())
    case "setTransition":
      let value = arguments.valueIfAny()
      self = .setTransition(value.map { StyleTransition(json: $0) } ?? StyleTransition())
    case "setSprite": self = .setSprite(arguments.valueIfAny())
    case "setGlyphs": self = .setGlyphs(try arguments.textIfAny("url"))
    case "setGlobalStateProperty": self = .setGlobalState(try arguments.text("name"), arguments.valueIfAny())
    default: throw NeatError(.invalidArgument, "\"\(command)\" is no step of a change of style")
    }
    try arguments.end()
  }

  /// The arguments of a command, one after the other.
  private struct Arguments {
    let command: String
    let values: [JSON]?
    var next = 0

    init(_ command: String, _ json: JSON?) {
      self.command = command
      values = json.map { $0.isArray ? Array($0.elements) : nil } ?? []
    }

    mutating func valueIfAny() -> JSON? {
      guard let values, next < values.count else { return nil }
      defer { next += 1 }
      return values[next].isNull ? nil : values[next]
    }

    mutating func value(_ name: String) throws(NeatError) -> JSON {
      guard let value = valueIfAny() else { throw fault("\(name) is missing") }
      return value
    }

    mutating func text(_ name: String) throws(NeatError) -> String {
      guard let text = try value(name).string else { throw fault("\(name) must be a string") }
      return text
    }

    mutating func textIfAny(_ name: String) throws(NeatError) -> String? {
      guard let value = valueIfAny() else { return nil }
      guard let text = value.string else { throw fault("\(name) must be a string") }
      return text
    }

    mutating func numberIfAny(_ name: String) throws(NeatError) -> Double? {
      guard let value = valueIfAny() else { return nil }
      guard let number = value.number else { throw fault("\(name) must be a number") }
      return number
    }

    func end() throws(NeatError) {
      guard let values else { throw fault("\"args\" must be an array") }
      guard next >= values.count else { throw fault("too many arguments: \(values.count)") }
    }

    private func fault(_ words: String) -> NeatError { NeatError(.invalidArgument, "\(command): \(words)") }
  }
}
