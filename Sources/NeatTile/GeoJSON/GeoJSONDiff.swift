import NeatBase
import NeatJSON

/// A change of a GeoJSON document by the ids of its features: the `GeoJSONSourceDiff` of MapLibre GL JS. Its
/// parts are applied in the order of the members.
package struct GeoJSONDiff: Sendable {
  /// Everything that was there goes first.
  package var removesAll = false
  package var removed: [GeoJSONID] = []
  /// Features that come, in place of those of the same id.
  package var added: GeoJSONData
  package var updates: [Update] = []
  /// A feature for each update: its new geometry, and the properties that are set.
  package var updated: GeoJSONData

  package struct Update: Sendable {
    package var id: GeoJSONID
    /// The geometry is taken from `updated`, where it may be null.
    package var hasGeometry = false
    package var removesAllProperties = false
    package var removedProperties: Set<String> = []
  }

  /// No change.
  init() {
    added = GeoJSONData(GeoJSONColumns())
    updated = added
  }

  /// Reads `{"removeAll", "remove": [id], "add": [feature], "update": [{"id", "newGeometry",
  /// "removeAllProperties", "removeProperties": [name], "addOrUpdateProperties": [{"key", "value"}]}]}`, all
  /// members optional. Throws `json`, `geojson`, or `invalidArgument` naming the member.
  package init(parsing bytes: [UInt8]) throws(NeatError) {
    let json = try JSON.parse(bytes)
    guard json.isObject else {
      throw NeatError(.invalidArgument, "an update of GeoJSON must be an object", offset: json.offset)
    }
    for (name, value) in json.members where !["removeAll", "remove", "add", "update"].contains(name) {
      throw NeatError(
        .invalidArgument, "an update of GeoJSON has no member \"\(name)\"", offset: value.offset)
    }
    removesAll = try GeoJSONDiff.bool(json["removeAll"], "removeAll")
    for value in try GeoJSONDiff.array(json["remove"], "remove") {
      guard let id = GeoJSONID(value) else {
        throw NeatError(.invalidArgument, "an id in remove is neither number nor text", offset: value.offset)
      }
      removed.append(id)
    }
    _ = try GeoJSONDiff.array(json["add"], "add")
    added = try GeoJSONDiff.collection(json["add"].map { $0.isNull ? "[]" : $0.sourceText } ?? "[]")
    var features: [String] = []
    for value in try GeoJSONDiff.array(json["update"], "update") {
      let (update, feature) = try GeoJSONDiff.update(value)
      updates.append(update)
      features.append(feature)
    }
    updated = try GeoJSONDiff.collection("[\(features.joined(separator: ","))]")
  }

  private static func update(_ json: JSON) throws(NeatError) -> (Update, String) {
    func fail(_ words: String, _ place: JSON) -> NeatError {
      NeatError(.invalidArgument, "update: \(words)", offset: place.offset)
    }
    guard json.isObject else { throw fail("an element is not an object", json) }
    guard let id = json["id"].flatMap({ GeoJSONID($0) }) else {
      throw fail("an element has no id that is number or text", json)
    }
    var update = Update(id: id)
    var geometry = "null"
    var properties: [String] = []
    for (name, value) in json.members {
      switch name {
      case "id": break
      case "newGeometry":
        update.hasGeometry = true
        geometry = value.sourceText
      case "removeAllProperties": update.removesAllProperties = try bool(value, name)
      case "removeProperties":
        for key in try array(value, name) {
          guard let key = key.string else { throw fail("removeProperties has a name that is no text", key) }
          update.removedProperties.insert(key)
        }
      case "addOrUpdateProperties":
        for pair in try array(value, name) {
          guard let key = pair["key"], key.string != nil, let value = pair["value"] else {
            throw fail("a property without key and value", pair)
          }
          properties.append("\(key.sourceText):\(value.sourceText)")
        }
      default: throw fail("there is no member \"\(name)\"", value)
      }
    }
    return (
      update,
      "{\"type\":\"Feature\",\"geometry\":\(geometry),\"properties\":{\(properties.joined(separator: ","))}}"
    )
  }

  private static func collection(_ features: String) throws(NeatError) -> GeoJSONData {
    try GeoJSONData(parsing: Array("{\"type\":\"FeatureCollection\",\"features\":\(features)}".utf8))
  }

  private static func array(_ json: JSON?, _ name: String) throws(NeatError) -> [JSON] {
    guard let json, !json.isNull else { return [] }
    guard json.isArray else {
      throw NeatError(.invalidArgument, "\(name) must be an array", offset: json.offset)
    }
    return Array(json.elements)
  }

  private static func bool(_ json: JSON?, _ name: String) throws(NeatError) -> Bool {
    guard let json, !json.isNull else { return false }
    guard let value = json.bool else {
      throw NeatError(.invalidArgument, "\(name) must be true or false", offset: json.offset)
    }
    return value
  }
}
