/// What a section of a style holds.
public struct SectionContents: Hashable, Sendable {
  public var members = StyleObject()
  public init() {}
}

/// Light, sky, terrain and projection of a style.
public protocol StyleSection: StyleConvertible, Codable {
  var contents: SectionContents { get set }
  init(contents: SectionContents)
}

extension StyleSection {
  public init?(json: JSONValue) {
    guard let object = json.object else { return nil }
    var contents = SectionContents()
    contents.members.members = object
    self.init(contents: contents)
  }

  public var json: JSONValue { contents.members.json }

  public init(from decoder: any Decoder) throws {
    guard let section = Self(json: try JSONValue(from: decoder)) else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "object expected"))
    }
    self = section
  }

  public func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }
}

extension Terrain {
  public init(sourceId: String) {
    self.init(contents: SectionContents())
    source = sourceId
  }
}

extension Projection {
  public init(_ name: String) {
    self.init(contents: SectionContents())
    type = .constant(name)
  }
}
