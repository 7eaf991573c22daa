extension AnyLayer: StyleConvertible, Codable {
  /// The layer that JSON describes; `other` where its type has no struct, or it is not a layer.
  public init(json: JSONValue) {
    if let layer = try? LayerType.layer(json: json) { self.init(layer) } else { self = .other(json) }
  }

  /// The layer as style JSON.
  public var json: JSONValue {
    if case .other(let json) = self { json } else { value?.json ?? .null }
  }

  /// The layer's id; nil where JSON of an unknown type has none.
  public var id: String? {
    if case .other(let json) = self { json["id"]?.string } else { value?.id }
  }

  /// The name of the layer's type; nil for `ref` layers.
  public var typeName: String? {
    if case .other(let json) = self { json["type"]?.string } else { value.map { type(of: $0).type.rawValue } }
  }

  /// Reads the layer from its JSON.
  public init(from decoder: any Decoder) throws { self.init(json: try JSONValue(from: decoder)) }
  /// Writes the layer as its JSON.
  public func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }
}

extension AnySource: StyleConvertible, Codable {
  /// The source that JSON describes; `other` where its type has no struct, or it is not a source.
  public init(json: JSONValue) {
    if let source = try? SourceType.source(json: json) { self.init(source) } else { self = .other(json) }
  }

  /// The source as style JSON.
  public var json: JSONValue {
    if case .other(let json) = self { json } else { value?.json ?? .null }
  }

  /// The name of the source's type.
  public var typeName: String? {
    if case .other(let json) = self { json["type"]?.string } else { value.map { type(of: $0).typeName } }
  }

  /// Reads the source from its JSON.
  public init(from decoder: any Decoder) throws { self.init(json: try JSONValue(from: decoder)) }
  /// Writes the source as its JSON.
  public func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }
}
