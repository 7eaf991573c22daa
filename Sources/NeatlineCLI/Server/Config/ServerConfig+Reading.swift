import Neatline

extension ServerConfig {
  /// Reads a file; throws what is wrong with it, by the place in it.
  init(file path: String) throws {
    let root: JSONValue
    stamp = Platform.stamp(path)
    do { root = try JSONValue(parsing: try Platform.readFile(path)) } catch let error as JSONError {
      throw UsageError(message: "\(path): \(error)")
    }
    self.path = path
    var reader = ConfigReader(path: path)
    let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    guard root.object != nil else { throw UsageError(message: "\(path): a configuration is a JSON object") }
    let options = try reader.object(root["options"], "options", in: root)
    try reader.known(root, ["options", "styles", "data", "server", "$schema"], "")
    try take(options, folder, &reader)
    for (id, value) in try reader.members(root["styles"], "styles") {
      try styles.append(style(id, value, folder, &reader))
    }
    for (id, value) in try reader.members(root["data"], "data") {
      try data.append(archive(id, value, &reader))
    }
    for (name, value) in try reader.members(root["server"], "server") {
      try take(server: name, value, &reader)
    }
    notes = reader.notes
  }

  private mutating func take(_ options: JSONValue, _ folder: String, _ reader: inout ConfigReader) throws {
    try reader.known(
      options,
      [
        "paths", "domains", "formatOptions", "formatQuality", "maxScaleFactor", "maxSize", "serveAllFonts",
        "serveAllStyles", "serveStaticMaps", "allowRemoteMarkerIcons", "allowInlineMarkerImages",
        "staticAttributionText", "frontPage", "tileMargin", "minRendererPoolSizes", "maxRendererPoolSizes",
        "pbfAlias", "watermark", "contentSecurityPolicy",
      ], "options")
    let paths = try reader.object(options["paths"], "options.paths", in: options)
    try reader.known(
      paths, ["root", "fonts", "sprites", "icons", "styles", "mbtiles", "pmtiles", "files"], "options.paths")
    func place(_ name: String) throws -> String {
      let root = FilePath.join(folder, try reader.text(paths["root"], "options.paths.root") ?? "")
      return FilePath.join(root, try reader.text(paths[name], "options.paths.\(name)") ?? "")
    }
    fontFolders = [try place("fonts")]
    spriteFolder = try place("sprites")
    if paths["icons"] != nil { iconFolder = try place("icons") }
    for kind in ["mbtiles", "pmtiles"] { archiveFolders[kind] = try place(kind) }
    styleFolder = try place("styles")
    if try reader.flag(options["serveAllStyles"], "options.serveAllStyles") ?? false {
      allStylesFolder = styleFolder
    }
    let folders = [
      ("fonts", fontFolders[0]), ("sprites", spriteFolder), ("icons", iconFolder), ("styles", styleFolder),
    ]
    for (name, folder) in folders where paths[name] != nil && !Platform.isFolder(folder) {
      reader.notes.append("options.paths.\(name): there is no folder \"\(folder)\"")
    }
    domains = try reader.texts(options["domains"], "options.domains")
    for domain in domains where !ConfigReader.isAddress(domain) {
      throw reader.error("options.domains", "has \"\(domain)\", which is no host")
    }
    drawsStatic = try reader.flag(options["serveStaticMaps"], "options.serveStaticMaps") ?? true
    if try reader.flag(options["allowRemoteMarkerIcons"], "options.allowRemoteMarkerIcons") ?? false {
      reader.notes.append(
        "options.allowRemoteMarkerIcons has no effect here: nothing that a client names is fetched")
    }
    allowsInlineIcons =
      try reader.flag(options["allowInlineMarkerImages"], "options.allowInlineMarkerImages") ?? false
    attributionText = try reader.text(options["staticAttributionText"], "options.staticAttributionText")
    if options["frontPage"]?.string != nil {
      reader.notes.append("options.frontPage: a page of one's own has no effect here")
    } else {
      hasFrontPage = try reader.flag(options["frontPage"], "options.frontPage") ?? true
    }
    try takeQualities(options, &reader)
    if let ratio = try reader.whole(options["maxScaleFactor"], "options.maxScaleFactor", 1...9) {
      server["max-ratio"] = .number(Double(ratio))
    }
    if let edge = try reader.whole(options["maxSize"], "options.maxSize", 1...16384) {
      server["max-edge"] = .number(Double(edge))
    }
    for name in [
      "tileMargin", "minRendererPoolSizes", "maxRendererPoolSizes", "pbfAlias", "watermark",
      "contentSecurityPolicy", "serveAllFonts",
    ] where options[name] != nil {
      reader.notes.append("options.\(name) has no effect here")
    }
  }

  /// `formatOptions`, and `formatQuality` of older versions.
  private mutating func takeQualities(_ options: JSONValue, _ reader: inout ConfigReader) throws {
    let formats = try reader.object(options["formatOptions"], "options.formatOptions", in: options)
    let old = try reader.object(options["formatQuality"], "options.formatQuality", in: options)
    try reader.known(formats, ["png", "jpeg", "webp", "avif"], "options.formatOptions")
    try reader.known(old, ["png", "jpeg", "webp", "avif"], "options.formatQuality")
    for format in ["png", "jpeg", "webp", "avif"] {
      let key = "options.formatOptions.\(format)"
      let members = try reader.object(formats[format], key, in: formats)
      var quality = try reader.whole(old[format], "options.formatQuality.\(format)", 1...100)
      quality = try reader.whole(members["quality"], "\(key).quality", 1...100) ?? quality
      switch format {
      case "jpeg": jpegQuality = quality ?? 0
      case "webp": webpQuality = quality ?? 0
      default: if quality != nil { reader.notes.append("\(key).quality has no effect here") }
      }
      for member in members.object ?? [] where member.key != "quality" {
        reader.notes.append("\(key).\(member.key) has no effect here")
      }
    }
  }

  private func style(
    _ id: String, _ value: JSONValue, _ folder: String, _ reader: inout ConfigReader
  ) throws -> Style {
    let key = "styles.\(id)"
    try reader.id(id, key)
    try reader.known(
      value, ["style", "tilejson", "serve_rendered", "serve_data", "watermark", "mapping", "domains"], key)
    guard let address = try reader.text(value["style"], "\(key).style"), !address.isEmpty else {
      throw reader.error("\(key).style", "is missing")
    }
    for name in ["watermark", "mapping", "domains"] where value[name] != nil {
      reader.notes.append("\(key).\(name) has no effect here")
    }
    let tileJSON = try reader.object(value["tilejson"], "\(key).tilejson", in: value)
    // Addresses of tiles end with it.
    if let format = try reader.text(tileJSON["format"], "\(key).tilejson.format"),
      !["png", "jpg", "jpeg", "webp"].contains(format)
    {
      throw reader.error("\(key).tilejson.format", "is none of png, jpg, jpeg and webp")
    }
    return Style(
      id: id, address: address.contains("://") ? address : FilePath.join(styleFolder, address),
      tileJSON: tileJSON,
      drawsTiles: try reader.flag(value["serve_rendered"], "\(key).serve_rendered") ?? true,
      servesData: try reader.flag(value["serve_data"], "\(key).serve_data") ?? true)
  }

  private func archive(_ id: String, _ value: JSONValue, _ reader: inout ConfigReader) throws -> Data {
    let key = "data.\(id)"
    try reader.id(id, key)
    try reader.known(value, ["mbtiles", "pmtiles", "encoding", "tileSize", "sparse", "tilejson"], key)
    var address: String?
    for kind in ["mbtiles", "pmtiles"] {
      guard let name = try reader.text(value[kind], "\(key).\(kind)") else { continue }
      guard address == nil else { throw reader.error(key, "has both mbtiles and pmtiles") }
      address =
        name.contains("://")
        ? (kind == "pmtiles" && !name.hasPrefix("pmtiles://") ? "pmtiles://\(name)" : name)
        : "\(kind)://" + FilePath.absolute(FilePath.join(archiveFolders[kind] ?? "", name))
    }
    guard let address else { throw reader.error(key, "has neither mbtiles nor pmtiles") }
    var tileJSON: [JSONValue.Member] = []
    if let size = try reader.whole(value["tileSize"], "\(key).tileSize", 1...8192) {
      tileJSON.append(.init("tileSize", .number(Double(size))))
    }
    if let encoding = try reader.text(value["encoding"], "\(key).encoding") {
      tileJSON.append(.init("encoding", .string(encoding)))
    }
    tileJSON += try reader.members(value["tilejson"], "\(key).tilejson").map { .init($0.0, $0.1) }
    return Data(
      id: id, address: address, isSparse: try reader.flag(value["sparse"], "\(key).sparse") ?? false,
      tileJSON: .object(tileJSON))
  }

  private mutating func take(server name: String, _ value: JSONValue, _ reader: inout ConfigReader) throws {
    let key = "server.\(name)"
    switch name {
    case "publicUrl":
      publicURL = try reader.text(value, key).map { try ServerConfig.publicURL($0, reader.error(key, "")) }
    case "cacheControl":
      cacheControl = try reader.text(value, key) ?? cacheControl
      // It goes out as it is.
      guard !cacheControl.isEmpty, cacheControl.utf8.allSatisfy({ (0x20..<0x7f).contains($0) }) else {
        throw reader.error(key, "is no Cache-Control")
      }
    case "config": throw reader.error(key, "would be another configuration")
    default:
      guard ServeCommand.entry.option("--" + name) != nil else {
        let meant = nearestName(name, among: ServeCommand.entry.options.map { String($0.name.dropFirst(2)) })
        throw reader.error(key, "is not known\(meant.map { "; did you mean \"\($0)\"?" } ?? "")")
      }
      server[name] = value
    }
  }

  /// Where clients find this server, without a slash at the end.
  static func publicURL(_ text: String, _ error: UsageError) throws -> String {
    let url = text.hasSuffix("/") ? String(text.dropLast()) : text
    guard url.hasPrefix("http://") || url.hasPrefix("https://"), ConfigReader.isAddress(url) else {
      throw UsageError(
        message: "\(error.message)\"\(text)\" is no address such as https://maps.example.org/tiles")
    }
    return url
  }
}

/// Reads members and says where something is wrong.
struct ConfigReader {
  let path: String
  var notes: [String] = []

  init(path: String) { self.path = path }

  func error(_ key: String, _ what: String) -> UsageError { UsageError(message: "\(path): \(key) \(what)") }

  func known(_ value: JSONValue, _ names: [String], _ key: String) throws {
    var seen: Set<String> = []
    for member in value.object ?? [] {
      let place = key.isEmpty ? member.key : "\(key).\(member.key)"
      guard seen.insert(member.key).inserted else { throw error(place, "is there twice") }
      if names.contains(member.key) { continue }
      let meant = nearestName(member.key, among: names).map { "; did you mean \"\($0)\"?" } ?? ""
      throw error(place, "is not known\(meant)")
    }
  }

  func id(_ id: String, _ key: String) throws {
    guard !id.isEmpty, id.utf8.count <= 200, id != ".", id != "..",
      id.unicodeScalars.allSatisfy({ $0 != "/" && $0 != "?" && $0 != "#" && $0.value >= 32 })
    else { throw error(key, "is no name that an address can have") }
  }

  /// Whether a text can be a part of an address as it is.
  static func isAddress(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { (0x21..<0x7f).contains($0) && !"\"<>\\^`{|}?#".utf8.contains($0) }
  }

  func object(_ value: JSONValue?, _ key: String, in parent: JSONValue) throws -> JSONValue {
    guard parent.object != nil else { throw error(key, "is no object") }
    guard let value else { return .members([:]) }
    guard value.object != nil else { throw error(key, "is no object") }
    return value
  }

  func members(_ value: JSONValue?, _ key: String) throws -> [(String, JSONValue)] {
    guard let value else { return [] }
    guard let members = value.object else { throw error(key, "is no object") }
    var seen: Set<String> = []
    for member in members where !seen.insert(member.key).inserted {
      throw error("\(key).\(member.key)", "is there twice")
    }
    return members.map { ($0.key, $0.value) }
  }

  func text(_ value: JSONValue?, _ key: String) throws -> String? {
    guard let value else { return nil }
    guard let text = value.string else { throw error(key, "is no text") }
    return text
  }

  func texts(_ value: JSONValue?, _ key: String) throws -> [String] {
    guard let value else { return [] }
    guard let list = value.array else { throw error(key, "is no list of texts") }
    return try list.map { value in
      guard let text = value.string else { throw error(key, "is no list of texts") }
      return text
    }
  }

  func flag(_ value: JSONValue?, _ key: String) throws -> Bool? {
    guard let value else { return nil }
    guard let flag = value.bool else { throw error(key, "is neither true nor false") }
    return flag
  }

  func whole(_ value: JSONValue?, _ key: String, _ range: ClosedRange<Int>) throws -> Int? {
    guard let value else { return nil }
    guard let number = value.number, let whole = Int(exactly: number), range.contains(whole) else {
      throw error(key, "is no whole number within \(range.lowerBound) and \(range.upperBound)")
    }
    return whole
  }
}

/// Paths of files, as texts.
enum FilePath {
  static func join(_ folder: String, _ path: String) -> String {
    if path.hasPrefix("/") || folder.isEmpty { return path.isEmpty ? folder : path }
    if path.isEmpty { return folder }
    return folder.hasSuffix("/") ? folder + path : folder + "/" + path
  }

  static func absolute(_ path: String) -> String { join(Platform.workingFolder, path) }

  static func folder(_ path: String) -> String {
    path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
  }
}
