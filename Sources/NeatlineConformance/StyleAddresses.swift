import Glibc
import Neatline

/// `local://X` in a style becomes a file below the assets, and the tile service of port 2901 its folder
/// there; addresses lose their `?query`.
struct StyleAddresses {
  let assets: String

  func rewritten(_ json: JSONValue) -> JSONValue {
    switch json {
    case .string(let text): return .string(address(text))
    case .array(let elements): return .array(elements.map(rewritten))
    case .object(let members):
      var result = members.map { JSONValue.Member($0.key, rewritten($0.value)) }
      inlineTileJSON(&result)
      return .object(result)
    default: return json
    }
  }

  func address(_ text: String) -> String {
    if text.hasPrefix("local://tiles/sparse204/"), let folder = StyleAddresses.emptyTiles {
      return "file://\(folder)/" + text.dropFirst("local://tiles/sparse204/".count)
    }
    for (prefix, folder) in [
      ("local://", "/"), ("http://localhost:2900/", "/"), ("http://localhost:2901/", "/mvt-real-world/"),
    ]
    where text.hasPrefix(prefix) {
      return "file://" + assets + folder + text.dropFirst(prefix.count).prefix { $0 != "?" }
    }
    return text
  }

  /// A folder that stands in for a service that answers 204 to the four tiles of zoom 1: an empty file is an
  /// empty tile.
  private static let emptyTiles: String? = {
    var template = Array("/tmp/neatline-conformance-XXXXXX".utf8CString)
    guard let made = mkdtemp(&template) else { return nil }
    let folder = String(cString: made)
    for name in ["1-0-0", "1-0-1", "1-1-0", "1-1-1"] { try? Files.write("\(folder)/\(name).png", []) }
    return folder
  }()

  /// Removes what stands in for services.
  static func cleanUp(_ style: JSONValue) {
    guard style.text.contains("sparse204"), let folder = emptyTiles else { return }
    for name in Files.list(folder) { unlink("\(folder)/\(name)") }
    rmdir(folder)
  }

  /// A source that points at TileJSON of the assets takes its members in, since that holds such addresses
  /// too.
  private func inlineTileJSON(_ members: inout [JSONValue.Member]) {
    guard let at = members.firstIndex(where: { $0.key == "url" }), case .string(let url) = members[at].value,
      url.hasPrefix("file://"),
      members.contains(where: { $0.key == "type" }), url.hasSuffix(".json"),
      let bytes = try? Files.read(String(url.dropFirst(7))),
      case .object(let inner)? = try? JSONValue(parsing: bytes)
    else { return }
    members.remove(at: at)
    for member in inner where !members.contains(where: { $0.key == member.key }) {
      if ["tiles", "minzoom", "maxzoom", "bounds", "scheme", "attribution"].contains(member.key) {
        members.append(.init(member.key, rewritten(member.value)))
      }
    }
  }

  /// A style by value, or by its address.
  func style(_ json: JSONValue) throws -> JSONValue {
    guard let text = json.string else { return rewritten(json) }
    let place = address(text)
    guard place.hasPrefix("file://") else { throw Failure("the style at \(text) cannot be had") }
    return rewritten(try JSONValue(parsing: Files.read(String(place.dropFirst(7)))))
  }
}
