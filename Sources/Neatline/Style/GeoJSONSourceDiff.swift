/// A change of a GeoJSON source by the ids of its features. Its parts are applied in the order `removeAll`, `remove`, `add`, `update`.
public struct GeoJSONSourceDiff: Hashable, Sendable {
  /// The id of a feature, or the value of the source's `promoteId`.
  public enum ID: Hashable, Sendable, ExpressibleByIntegerLiteral, ExpressibleByStringLiteral {
    case number(Double)
    case string(String)

    public init(integerLiteral value: Int) { self = .number(Double(value)) }
    public init(stringLiteral value: String) { self = .string(value) }

    var json: JSONValue {
      switch self {
      case .number(let number): .number(number)
      case .string(let text): .string(text)
      }
    }
  }

  /// What becomes of one feature; of one that is not there, nothing.
  public struct Update: Hashable, Sendable {
    public var id: ID
    /// A GeoJSON geometry, or `.null` for none; nil leaves it as it is.
    public var newGeometry: JSONValue?
    public var removeAllProperties: Bool
    public var removeProperties: [String]
    /// Set after others were removed.
    public var addOrUpdateProperties: [String: JSONValue]

    public init(
      id: ID, newGeometry: JSONValue? = nil, removeAllProperties: Bool = false, removeProperties: [String] = [],
      addOrUpdateProperties: [String: JSONValue] = [:]
    ) {
      self.id = id
      self.newGeometry = newGeometry
      self.removeAllProperties = removeAllProperties
      self.removeProperties = removeProperties
      self.addOrUpdateProperties = addOrUpdateProperties
    }

    var json: JSONValue {
      var json: JSONValue = ["id": id.json]
      if let newGeometry { json["newGeometry"] = newGeometry }
      if removeAllProperties { json["removeAllProperties"] = true }
      if !removeProperties.isEmpty { json["removeProperties"] = .array(removeProperties.map { .string($0) }) }
      if !addOrUpdateProperties.isEmpty {
        let pairs = addOrUpdateProperties.sorted { $0.key < $1.key }
        json["addOrUpdateProperties"] = .array(pairs.map { ["key": .string($0.key), "value": $0.value] })
      }
      return json
    }
  }

  public var removeAll: Bool
  public var remove: [ID]
  /// GeoJSON features, which take the place of those of the same id.
  public var add: [JSONValue]
  public var update: [Update]

  public init(removeAll: Bool = false, remove: [ID] = [], add: [JSONValue] = [], update: [Update] = []) {
    self.removeAll = removeAll
    self.remove = remove
    self.add = add
    self.update = update
  }

  /// The change as MapLibre GL JS writes it.
  public var json: JSONValue {
    var json: JSONValue = [:]
    if removeAll { json["removeAll"] = true }
    if !remove.isEmpty { json["remove"] = .array(remove.map(\.json)) }
    if !add.isEmpty { json["add"] = .array(add) }
    if !update.isEmpty { json["update"] = .array(update.map(\.json)) }
    return json
  }
}
