/// What a source holds, whatever its type.
public struct SourceContents: Hashable, Sendable {
  /// The members other than `type`, in their order.
  public var members = StyleObject()
  /// No members.
  public init() {}
}

/// A source of a style. Each type has its struct, with its members typed: nil is the style's default.
public protocol Source: Codable, Hashable, Sendable {
  /// The type's name in style JSON.
  static var typeName: String { get }
  /// All that the source holds, members that no accessor knows too.
  var contents: SourceContents { get set }
  /// A source that holds `contents`.
  init(contents: SourceContents)
}

extension Source {
  /// A source of this type with all defaults.
  public init() { self.init(contents: SourceContents()) }

  /// Throws `StyleCodingError` where the JSON is not a source of this type.
  public init(json: JSONValue) throws {
    guard let object = json.object, json["type"]?.string == Self.typeName else {
      throw StyleCodingError(
        key: "source", message: "type \"\(Self.typeName)\" expected, \(json["type"]?.text ?? "none") found")
    }
    var contents = SourceContents()
    contents.members.members = object.filter { $0.key != "type" }
    self.init(contents: contents)
  }

  /// Reads the source from its JSON. Throws what `init(json:)` throws.
  public init(from decoder: any Decoder) throws { try self.init(json: try JSONValue(from: decoder)) }
  /// Writes the source as its JSON.
  public func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }

  /// The source as style JSON.
  public var json: JSONValue { .object([.init("type", .string(Self.typeName))] + contents.members.members) }
}

/// The data of a GeoJSON source: an address, or GeoJSON itself.
public enum GeoJSONSourceData: StyleConvertible {
  /// The address or path of a document.
  case url(String)
  /// GeoJSON as it stands in the style.
  case inline(JSONValue)

  /// GeoJSON text.
  public static func string(_ text: String) throws -> GeoJSONSourceData {
    .inline(try JSONValue(parsing: text))
  }

  /// The data that JSON describes: text is an address, an object GeoJSON; nil for others.
  public init?(json: JSONValue) {
    if let address = json.string {
      self = .url(address)
    } else if json.object != nil {
      self = .inline(json)
    } else {
      return nil
    }
  }

  /// The data as style JSON.
  public var json: JSONValue {
    switch self {
    case .url(let address): .string(address)
    case .inline(let json): json
    }
  }
}

/// The sources that JSON can describe.
public enum SourceType: String, CaseIterable, Sendable {
  case vector, raster
  case rasterDem = "raster-dem"
  case geojson, image, video

  /// The struct of the type.
  public var sourceType: any Source.Type {
    switch self {
    case .vector: VectorSource.self
    case .raster: RasterSource.self
    case .rasterDem: RasterDemSource.self
    case .geojson: GeoJSONSource.self
    case .image: ImageSource.self
    case .video: VideoSource.self
    }
  }

  /// The source that JSON describes, as the struct of its type.
  public static func source(json: JSONValue) throws -> any Source {
    guard let name = json["type"]?.string, let type = SourceType(rawValue: name) else {
      throw StyleCodingError(key: "source", message: "unknown source type \(json["type"]?.text ?? "none")")
    }
    return try type.sourceType.init(json: json)
  }
}
