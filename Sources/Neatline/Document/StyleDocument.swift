import CNeatline

/// A whole style, typed: what is read is written back, members that no accessor knows too.
///
///     var style = try StyleDocument(parsing: text)
///     try style.updateLayer(withId: "roads", type: LineLayer.self) { $0.lineColor = .constant(StyleColor(.red)) }
///     try map.setStyle(style)
public struct StyleDocument: Hashable, Sendable {
  /// A source and its id.
  public struct NamedSource: Hashable, Sendable {
    /// The key of the source in the style's `sources`.
    public var id: String
    /// The source itself.
    public var source: AnySource

    /// A source under an id.
    public init(id: String, source: AnySource) {
      self.id = id
      self.source = source
    }
  }

  /// The root members in order; those of the sources and layers only hold their places.
  public var members = StyleObject()
  /// The sources in order.
  public var sources: [NamedSource] = []
  /// The layers from the lowest to the topmost.
  public var layers: [AnyLayer] = []

  /// An empty style.
  public init() { members.members = [.init("version", 8), .init("sources", .null), .init("layers", .null)] }

  /// Throws `StyleCodingError` where the JSON is not a style at all: the root or the sources not an object,
  /// the layers not an array. What is wrong further inside is reported by `neat_style_validate`.
  public init(json: JSONValue) throws {
    guard let object = json.object else { throw StyleCodingError(key: "style", message: "object expected") }
    members.members = object
    if let index = object.lastIndex(where: { $0.key == "sources" }) {
      guard let list = object[index].value.object else {
        throw StyleCodingError(key: "sources", message: "object expected")
      }
      sources = list.map { NamedSource(id: $0.key, source: AnySource(json: $0.value)) }
      members.members[index].value = .null
    }
    if let index = object.lastIndex(where: { $0.key == "layers" }) {
      guard let list = object[index].value.array else {
        throw StyleCodingError(key: "layers", message: "array expected")
      }
      layers = list.map(AnyLayer.init(json:))
      members.members[index].value = .null
    }
  }

  /// JSON text; throws `JSONError`, and what `init(json:)` throws.
  public init(parsing text: String) throws { try self.init(json: JSONValue(parsing: text)) }

  /// The style as JSON.
  public var json: JSONValue {
    var result = members.members
    func put(_ name: String, _ value: JSONValue, isEmpty: Bool) {
      if let index = result.lastIndex(where: { $0.key == name }) {
        result[index].value = value
      } else if !isEmpty {
        result.append(.init(name, value))
      }
    }
    put("sources", .object(sources.map { .init($0.id, $0.source.json) }), isEmpty: sources.isEmpty)
    put("layers", .array(layers.map(\.json)), isEmpty: layers.isEmpty)
    return .object(result)
  }

  /// The style with expressions in the place of legacy filters, legacy functions and texts with `{name}`
  /// tokens; all else as it is.
  public func migrated() throws -> StyleDocument { try StyleDocument(json: migrateStyle(json)) }

  /// The source of that id. Setting one replaces it, or adds it as the last; setting nil removes it.
  public subscript(source id: String) -> AnySource? {
    get { sources.last { $0.id == id }?.source }
    set {
      if let newValue, let index = sources.lastIndex(where: { $0.id == id }) {
        sources[index].source = newValue
      } else if let newValue {
        sources.append(NamedSource(id: id, source: newValue))
      } else {
        sources.removeAll { $0.id == id }
      }
    }
  }

  /// The layer of that id. Setting one replaces it, or adds it on top; setting nil removes it.
  public subscript(layer id: String) -> AnyLayer? {
    get { layers.first { $0.id == id } }
    set {
      if let newValue, let index = layers.firstIndex(where: { $0.id == id }) {
        layers[index] = newValue
      } else if let newValue {
        layers.append(newValue)
      } else {
        layers.removeAll { $0.id == id }
      }
    }
  }

  /// The layer of that id and type. Throws `StyleCodingError` where there is none.
  public func layer<L: Layer>(withId id: String, type: L.Type = L.self) throws -> L {
    guard let layer = self[layer: id]?.value as? L else {
      throw StyleCodingError(key: id, message: "no layer of type \"\(L.type.rawValue)\" has this id")
    }
    return layer
  }

  /// Changes the layer of that id and type. Throws `StyleCodingError` where there is none.
  public mutating func updateLayer<L: Layer>(
    withId id: String, type: L.Type = L.self, _ update: (inout L) throws -> Void
  ) throws {
    var layer = try layer(withId: id, type: type)
    try update(&layer)
    self[layer: id] = AnyLayer(layer)
  }
}

extension StyleDocument: Codable {
  /// Reads the style from its JSON. Throws what `init(json:)` throws.
  public init(from decoder: any Decoder) throws { try self.init(json: try JSONValue(from: decoder)) }
  /// Writes the style as its JSON.
  public func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }
}

/// Style JSON with expressions in the place of legacy filters, legacy functions and texts with `{name}`
/// tokens. All else is kept as it stands, unknown members and the order of members too; so is what is too
/// faulty to convert. Throws `style` where the JSON is not an object.
public func migrateStyle(_ style: JSONValue) throws(NeatlineError) -> JSONValue {
  let text = style.text
  return try jsonValue { out in text.withText { neat_style_migrate($0, $1, out) } }
}
