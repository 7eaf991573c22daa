import Neatline

/// Reads a style's file and makes its addresses whole: archives, GeoJSON, sprites and glyphs that it names
/// without a place are sought where the configuration says, and beside the style.
struct StyleReading {
  let path: String
  private let server: ServerConfig
  private(set) var document: JSONValue = .null
  private(set) var dataOfSource: [String: String] = [:]
  private(set) var filesOfSource: [String: String] = [:]
  private(set) var sprites: [String: String] = [:]
  private(set) var hasLocalGlyphs = false
  private(set) var files: [String: [Int]?] = [:]

  init(_ path: String, _ server: ServerConfig) { (self.path, self.server) = (path, server) }

  private var folder: String { FilePath.folder(path) }

  mutating func read(_ catalog: inout [DataSite]) throws {
    do {
      files[path] = Platform.stamp(path)
      document = try JSONValue(parsing: try Platform.readFile(path))
    } catch let error as JSONError {
      throw FileError(path: path, reason: "\(error)")
    }
    guard document["layers"]?.array != nil, document["sources"]?.object != nil else {
      throw FileError(path: path, reason: "is no style: a JSON object with \"sources\" and \"layers\"")
    }
    try readSources(&catalog)
    readSprites()
    readGlyphs()
  }

  private mutating func readSources(_ catalog: inout [DataSite]) throws {
    guard case .object(var sources)? = document["sources"] else { return }
    for index in sources.indices {
      let name = sources[index].key
      if let url = sources[index].value["url"]?.string, let found = try archive(url, catalog) {
        sources[index].value["url"] = .string(found)
        dataOfSource[name] = data(found, &catalog)
      }
      if sources[index].value["type"]?.string == "geojson", let data = sources[index].value["data"]?.string,
        let file = local(data)
      {
        sources[index].value["data"] = .string(file)
        filesOfSource[name] = file
        files[file] = Platform.stamp(file)
      }
    }
    document["sources"] = .object(sources)
  }

  /// An archive's whole address; nil where a source is of another kind.
  private func archive(_ url: String, _ catalog: [DataSite]) throws -> String? {
    guard let scheme = ["mbtiles://", "pmtiles://"].first(where: { url.hasPrefix($0) }) else { return nil }
    let name = String(url.dropFirst(scheme.utf8.count))
    if name.hasPrefix("{"), name.hasSuffix("}") {
      let id = String(name.dropFirst().dropLast())
      guard let data = catalog.first(where: { $0.id == id }) else {
        throw FileError(path: path, reason: "\"\(url)\": there is no data \"\(id)\"")
      }
      return data.address
    }
    if name.contains("://") || name.hasPrefix("/") { return url }
    for folder in [server.archiveFolders[String(scheme.dropLast(3))] ?? "", folder] where !folder.isEmpty {
      let file = FilePath.absolute(FilePath.join(folder, name))
      if Platform.stamp(file) != nil { return scheme + file }
    }
    return scheme + FilePath.absolute(FilePath.join(folder, name))
  }

  /// The data that an archive is served as; it is added to the catalogue where it is not there.
  private func data(_ address: String, _ catalog: inout [DataSite]) -> String {
    if let known = catalog.first(where: { $0.address == address }) { return known.id }
    let stem = ServerConfig.dataID(address)
    var id = stem
    var count = 1
    while catalog.contains(where: { $0.id == id }) {
      count += 1
      id = "\(stem)-\(count)"
    }
    catalog.append(DataSite(ServerConfig.Data(id: id, address: address)))
    return id
  }

  /// A file's whole path; nil for what is at another server, or in the style itself.
  private func local(_ address: String, in place: String = "") -> String? {
    if address.hasPrefix("file://") { return String(address.dropFirst(7)) }
    guard !address.contains("://"), !address.hasPrefix("data:") else { return nil }
    if !place.isEmpty {
      let file = FilePath.absolute(FilePath.join(place, address))
      if Platform.stamp(file) != nil { return file }
    }
    return FilePath.absolute(FilePath.join(folder, address))
  }

  private mutating func readSprites() {
    func found(_ address: String) -> String? {
      let name = address.replacing("{style}", with: ServerConfig.styleID(path))
        .replacing("{styleJsonFolder}", with: folder)
      guard !name.contains("://") || name.hasPrefix("file://") else { return nil }
      for place in [server.spriteFolder, folder] where !place.isEmpty {
        let base = FilePath.absolute(FilePath.join(place, local(name).map { _ in name } ?? name))
        if Platform.stamp(base + ".json") != nil { return base }
      }
      return local(name)
    }
    switch document["sprite"] {
    case .string(let address)?:
      guard let base = found(address) else { return }
      document["sprite"] = .string(base)
      sprites["default"] = base
    case .array(let list)?:
      document["sprite"] = .array(
        list.map { entry in
          guard let id = entry["id"]?.string, let url = entry["url"]?.string, let base = found(url) else {
            return entry
          }
          sprites[id] = base
          return .members(["id": .string(id), "url": .string(base)])
        })
    default: break
    }
    for base in sprites.values {
      for end in [".json", "@2x.json", ".png", "@2x.png"] { files[base + end] = Platform.stamp(base + end) }
    }
  }

  private mutating func readGlyphs() {
    guard let address = document["glyphs"]?.string, !address.contains("://") || address.hasPrefix("file://")
    else { return }
    hasLocalGlyphs = true
    var name = Substring(address)
    if name.hasPrefix("file://") { name = name.dropFirst(7) }
    let isBare = name.hasPrefix("{fontstack}")
    for place in server.fontFolders where isBare && Platform.isFolder(place) {
      document["glyphs"] = .string(FilePath.absolute(FilePath.join(place, String(name))))
      return
    }
    document["glyphs"] = .string(FilePath.absolute(FilePath.join(folder, String(name))))
  }
}
