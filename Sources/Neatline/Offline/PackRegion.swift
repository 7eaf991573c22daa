/// Style packs and tile regions are regions of the database, whose metadata say what they are beside the user's
/// own. Those of other regions are the user's alone.
struct PackRegion {
  enum Kind: String {
    case stylePack = "style-pack"
    case tileRegion = "tile-region"
  }

  /// The member that tells them from metadata of others.
  private static let mark = "neatline-offline"

  let id: Int64
  let kind: Kind
  /// The style's address, or the name of the tile region.
  let name: String
  let definition: JSONValue
  /// What else was to be remembered.
  let notes: JSONValue
  let metadata: JSONValue?

  private init?(_ region: StoredRegion, _ bytes: [UInt8]) {
    guard let definition = region.definition, bytes.first == UInt8(ascii: "{"),
      let json = try? JSONValue(parsing: bytes), let kind = json[PackRegion.mark]?.string.flatMap(Kind.init),
      let name = json["name"]?.string
    else { return nil }
    id = region.id
    self.kind = kind
    self.name = name
    self.definition = definition
    notes = json["notes"] ?? .null
    metadata = json["metadata"]
  }

  static func metadata(_ kind: Kind, _ name: String, notes: JSONValue, _ metadata: JSONValue?) -> [UInt8] {
    var members: [JSONValue.Member] = [
      .init(mark, .string(kind.rawValue)), .init("name", .string(name)), .init("notes", notes),
    ]
    if let metadata { members.append(.init("metadata", metadata)) }
    return Array(JSONValue.object(members).text.utf8)
  }

  /// Those of a kind, in the order of their making.
  static func all(_ kind: Kind, in resources: Resources) throws(NeatlineError) -> [PackRegion] {
    var found: [PackRegion] = []
    for region in try resources.storedRegions {
      // Another process may have deleted it in between.
      guard let bytes = try? resources.metadata(ofRegion: region.id),
        let pack = PackRegion(region, bytes), pack.kind == kind
      else { continue }
      found.append(pack)
    }
    return found
  }

  /// Whether a region is none of these.
  static func isPlain(_ region: StoredRegion, in resources: Resources) -> Bool {
    (try? resources.metadata(ofRegion: region.id)).flatMap { PackRegion(region, $0) } == nil
  }
}
