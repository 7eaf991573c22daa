/// What a layer holds, whatever its type.
public struct LayerContents: Hashable, Sendable {
  /// The layer's id.
  public var id: String
  /// Members other than those below: `source`, `minzoom`, `filter`, ….
  public var members = StyleObject()
  /// The members of `layout`.
  public var layout = StyleObject()
  /// The members of `paint`.
  public var paint = StyleObject()
  /// Groups that were there and empty: they are written back.
  private var hasLayout = false
  private var hasPaint = false

  /// A layer with an id and nothing else.
  public init(id: String) { self.id = id }

  init(json: JSONValue, type: LayerType) throws {
    guard let object = json.object else { throw StyleCodingError(key: "layer", message: "object expected") }
    guard let id = json["id"]?.string else {
      throw StyleCodingError(key: "layer", message: "missing required property \"id\"")
    }
    guard json["type"]?.string == type.rawValue else {
      throw StyleCodingError(
        key: id, message: "type \"\(type.rawValue)\" expected, \(json["type"]?.text ?? "none") found")
    }
    self.id = id
    for member in object {
      switch member.key {
      case "id", "type": break
      case "layout" where member.value.object != nil:
        layout.members = member.value.object ?? []
        hasLayout = true
      case "paint" where member.value.object != nil:
        paint.members = member.value.object ?? []
        hasPaint = true
      default: members.members.append(member)
      }
    }
  }

  func json(type: LayerType) -> JSONValue {
    var result: [JSONValue.Member] = [.init("id", .string(id)), .init("type", .string(type.rawValue))]
    result += members.members
    func add(_ name: String, _ group: StyleObject, _ isKept: Bool) {
      if group.isEmpty, !isKept || members.members.contains(where: { $0.key == name }) { return }
      result.removeAll { $0.key == name }
      result.append(.init(name, group.json))
    }
    add("layout", layout, hasLayout)
    add("paint", paint, hasPaint)
    return .object(result)
  }
}

/// A layer of a style. Each layer type has its struct, with its layout and paint properties as typed members:
/// nil is the style's default.
public protocol Layer: Codable, Hashable, Sendable {
  /// The type of all layers of this struct.
  static var type: LayerType { get }
  /// The layout and paint properties that layers of the type have.
  static var properties: [LayerProperty] { get }
  /// All that the layer holds, members that no accessor knows too.
  var contents: LayerContents { get set }
  /// A layer that holds `contents`.
  init(contents: LayerContents)
}

extension Layer {
  /// A layer of this type with an id and all defaults.
  public init(id: String) { self.init(contents: LayerContents(id: id)) }

  /// Throws `StyleCodingError` where the JSON is not a layer of this type.
  public init(json: JSONValue) throws { self.init(contents: try LayerContents(json: json, type: Self.type)) }

  /// Reads the layer from its JSON. Throws what `init(json:)` throws.
  public init(from decoder: any Decoder) throws { try self.init(json: try JSONValue(from: decoder)) }
  /// Writes the layer as its JSON.
  public func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }

  /// The layer as style JSON.
  public var json: JSONValue { contents.json(type: Self.type) }

  /// The layer's id, unique in its style.
  public var id: String {
    get { contents.id }
    set { contents.id = newValue }
  }

  /// The id of the source that the layer draws from.
  public var source: String? {
    get { contents.members["source"] }
    set { contents.members["source"] = newValue }
  }

  /// Needed with vector sources.
  public var sourceLayer: String? {
    get { contents.members["source-layer"] }
    set { contents.members["source-layer"] = newValue }
  }

  /// Drawn from this zoom on, 0...24.
  public var minZoom: Double? {
    get { contents.members["minzoom"] }
    set { contents.members["minzoom"] = newValue }
  }

  /// Drawn below this zoom, 0...24.
  public var maxZoom: Double? {
    get { contents.members["maxzoom"] }
    set { contents.members["maxzoom"] = newValue }
  }

  /// Only features for which it is true are drawn.
  public var filter: Exp<Bool>? {
    get { contents.members["filter"] }
    set { contents.members["filter"] = newValue }
  }

  /// Whether the layer is drawn.
  public var visibility: Value<Visibility>? {
    get { contents.layout["visibility"] }
    set { contents.layout["visibility"] = newValue }
  }

  /// For the host's own use.
  public var metadata: JSONValue? {
    get { contents.members["metadata"] }
    set { contents.members["metadata"] = newValue }
  }
}

extension LayerType {
  /// The layer that JSON describes, as the struct of its type; throws `StyleCodingError` where there is none.
  public static func layer(json: JSONValue) throws -> any Layer {
    guard let name = json["type"]?.string, let type = LayerType(rawValue: name) else {
      throw StyleCodingError(
        key: json["id"]?.string ?? "layer", message: "unknown layer type \(json["type"]?.text ?? "none")")
    }
    return try type.layerType.init(json: json)
  }
}
