import Neatline

/// What is served, and how: read from a file, or made of the command's arguments. The file is that of
/// tileserver-gl (`options`, `styles`, `data`) with a part of our own (`server`); docs/server.schema.json
/// describes it.
struct ServerConfig: Sendable {
  struct Style: Sendable {
    var id: String
    /// A path or an address.
    var address: String
    /// What stands over what is found out for its TileJSON.
    var tileJSON: JSONValue = .members([:])
    var drawsTiles = true
    var servesData = true
  }

  struct Data: Sendable {
    var id: String
    /// As `Archive` takes it.
    var address: String
    /// What a tile that is not there is answered with: 410 where true, 204 otherwise.
    var isSparse = false
    var tileJSON: JSONValue = .members([:])
  }

  var styles: [Style] = []
  var data: [Data] = []
  /// Folders with glyph ranges (`NAME/0-255.pbf`) or font files.
  var fontFolders: [String] = []
  var spriteFolder = ""
  var iconFolder = ""
  /// Where archives that styles name without a path are, by kind: `mbtiles`, `pmtiles`.
  var archiveFolders: [String: String] = [:]
  var styleFolder = ""
  /// Every style of this folder.
  var allStylesFolder: String?
  var domains: [String] = []
  var publicURL: String?
  var jpegQuality = 0
  var webpQuality = 0
  var drawsStatic = true
  var hasFrontPage = true
  var allowsInlineIcons = false
  var attributionText: String?
  var cacheControl = "public, max-age=3600"
  /// Options of the command by their names without dashes, which those on the command line go before.
  var server: [String: JSONValue] = [:]
  /// Members that are understood and have no effect here, for a word at the start.
  var notes: [String] = []
  /// The file, watched for changes, and as it was when it was read.
  var path: String?
  var stamp: [Int]?

  /// All files that it names or comes from.
  var files: [String] {
    let styles = styles.map { $0.address.hasPrefix("file://") ? String($0.address.dropFirst(7)) : $0.address }
    return styles.filter { !$0.contains("://") }.map(FilePath.absolute)
      + data.compactMap { DataSite.file($0.address) } + [path, allStylesFolder].compactMap(\.self)
  }

  /// Adds a style or an archive of the command line.
  mutating func add(_ address: String) throws {
    if try StyleOptions.isArchive(address) {
      let place = address.contains("://") ? address : FilePath.absolute(address)
      data.append(Data(id: unused(ServerConfig.dataID(address), data.map(\.id)), address: place))
    } else {
      styles.append(Style(id: unused(ServerConfig.styleID(address), styles.map(\.id)), address: address))
    }
  }

  private func unused(_ stem: String, _ known: [String]) -> String {
    var (id, count) = (stem, 1)
    while known.contains(id) {
      count += 1
      id = "\(stem)-\(count)"
    }
    return id
  }

  static func styleID(_ address: String) -> String {
    var stem = Substring(address)
    if let query = stem.firstIndex(of: "?") { stem = stem[..<query] }
    let parts = stem.split(separator: "/")
    var name = parts.last.map(String.init) ?? "style"
    if name == "style.json", parts.count > 1 { name = String(parts[parts.count - 2]) }
    return cleaned(name.hasSuffix(".json") ? String(name.dropLast(5)) : name)
  }

  static func dataID(_ address: String) -> String {
    let name = address.split(separator: "/").last.map(String.init) ?? "data"
    return cleaned(name.lastIndex(of: ".").map { String(name[..<$0]) } ?? name)
  }

  /// What may stand in an address as it is.
  private static func cleaned(_ name: String) -> String {
    let kept = String(
      name.unicodeScalars.map { scalar -> Character in
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "-", "_", ".": Character(scalar)
        default: "-"
        }
      })
    return kept.isEmpty || kept == "." || kept == ".." ? "map" : kept
  }
}
