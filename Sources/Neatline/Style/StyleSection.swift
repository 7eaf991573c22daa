/// What a section of a style holds.
public struct SectionContents: Hashable, Sendable {
  /// The members in their order.
  public var members = StyleObject()
  /// No members.
  public init() {}
}

/// Light, sky, fog, terrain and projection of a style.
public protocol StyleSection: StyleConvertible, Codable {
  /// All that the section holds, members that no accessor knows too.
  var contents: SectionContents { get set }
  /// A section that holds `contents`.
  init(contents: SectionContents)
}

extension StyleSection {
  /// The section that JSON describes; nil where it is not an object.
  public init?(json: JSONValue) {
    guard let object = json.object else { return nil }
    var contents = SectionContents()
    contents.members.members = object
    self.init(contents: contents)
  }

  /// The section as style JSON.
  public var json: JSONValue { contents.members.json }

  /// Reads the section from its JSON.
  public init(from decoder: any Decoder) throws {
    guard let section = Self(json: try JSONValue(from: decoder)) else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "object expected"))
    }
    self = section
  }

  /// Writes the section as its JSON.
  public func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }
}

extension Terrain {
  /// Terrain from a raster-dem source.
  public init(sourceId: String) {
    self.init(contents: SectionContents())
    source = sourceId
  }
}

extension Projection {
  /// A projection by its name.
  public init(_ name: String) {
    self.init(contents: SectionContents())
    type = .constant(name)
  }
}
