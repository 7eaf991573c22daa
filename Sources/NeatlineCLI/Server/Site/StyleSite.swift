import Neatline

/// A style that is served: its renderer, and its document with the addresses that clients see.
final class StyleSite: @unchecked Sendable {  // what changes is under `lock`
  let config: ServerConfig.Style
  let renderer: Renderer
  /// As it is drawn, its addresses whole; nil for a style of another server, whose address clients are sent to.
  let document: JSONValue?
  /// Where relative addresses of the document begin.
  let base: String
  /// Data that its sources are served under, by the names of the sources.
  let dataOfSource: [String: String]
  /// GeoJSON files of its sources.
  let filesOfSource: [String: String]
  /// Where its sprites are, by id, without `@2x` and end.
  let sprites: [String: String]
  let hasLocalGlyphs: Bool
  /// Font files that draw what no range of its glyphs does, as `/fonts/` gives it to clients.
  let fontPaths: [String]
  let camera: Camera
  /// Changes with whatever the style is drawn from, as far as files tell.
  let mark: String
  /// Files that it was read from, as they were: watched for changes.
  let files: [String: [Int]?]
  private let lock = Lock()
  /// `style.json` as it was written last: most clients ask by one address.
  private var last: (origin: String, answer: HTTPAnswer)?

  var id: String { config.id }
  var name: String { document?["name"]?.string ?? id }

  /// `fonts`: the font files of the server's folders.
  init(
    _ config: ServerConfig.Style, _ server: ServerConfig, _ options: Options, _ fonts: [String],
    _ catalog: inout [DataSite]
  ) throws {
    self.config = config
    let path = config.address.hasPrefix("file://") ? String(config.address.dropFirst(7)) : config.address
    guard !path.contains("://") else {
      renderer = try Renderer(styleURL: config.address, options: options)
      base = ""
      (document, dataOfSource, filesOfSource, sprites, hasLocalGlyphs) = (nil, [:], [:], [:], false)
      fontPaths = []
      camera = try renderer.styleCamera
      mark = config.address
      files = [:]
      return
    }
    base = FilePath.absolute(path)
    var reading = StyleReading(base, server)
    try reading.read(&catalog)
    // The glyphs of another server are its own.
    fontPaths = reading.hasLocalGlyphs || reading.document["glyphs"] == nil ? fonts : []
    var options = options
    options.fontPaths += fontPaths
    renderer = try Renderer(json: reading.document.text, baseURL: base, options: options)
    (document, dataOfSource, filesOfSource) = (reading.document, reading.dataOfSource, reading.filesOfSource)
    (sprites, hasLocalGlyphs) = (reading.sprites, reading.hasLocalGlyphs)
    camera = try renderer.styleCamera
    files = reading.files.merging(FileWatch.stamps(fontPaths)) { a, _ in a }
    mark = files.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value ?? [])" }.joined(
      separator: " ")
  }

  /// Draws a picture of where the style begins, so that no client waits for what each of its pictures needs:
  /// sprite, fonts, archives. Only where all of it is files: other servers are asked for nothing before a client
  /// asks.
  /// - Parameter deadline: milliseconds.
  func warmUp(deadline: Int) {
    guard let document, !StyleSite.namesServer(document) else { return }
    // What it lacks is reported by pictures that somebody asks for.
    _ = try? renderer.draw(camera: camera, width: 256, height: 256, deadline: deadline)
  }

  /// Whether any address of a style is on another server, or in a file that may name one.
  private static func namesServer(_ style: JSONValue) -> Bool {
    func isAway(_ value: JSONValue?) -> Bool {
      guard let text = value?.string?.lowercased() else {
        return value?.array?.contains { isAway($0) } == true
      }
      return ["http:", "https:"].contains { text.hasPrefix($0) || text.contains("://\($0)") }
    }
    func isAway(source: JSONValue) -> Bool {
      let url = source["url"]?.string?.lowercased()
      // What is neither a picture nor an archive describes tiles, wherever they are.
      let isDescription =
        url != nil && source["type"]?.string != "image"
        && !["mbtiles:", "pmtiles:"].contains { url?.hasPrefix($0) == true }
      return isDescription || ["url", "urls", "tiles", "data"].contains { isAway(source[$0]) }
    }
    let sprites = style["sprite"]?.array?.map { $0["url"] } ?? [style["sprite"]]
    if isAway(style["glyphs"]) || sprites.contains(where: { isAway($0) }) { return true }
    guard case .object(let sources)? = style["sources"] else { return false }
    return sources.contains { isAway(source: $0.value) }
  }

  /// `style.json` for clients of an address, where it is written already.
  func written(origin: String) -> HTTPAnswer? {
    lock.locked { last.flatMap { $0.origin == origin ? $0.answer : nil } }
  }

  /// Writes it. There is a document.
  func write(origin: String, fonts: FontSite, keep: String, publicURL: String?) -> HTTPAnswer {
    let answer = HTTPAnswer.json(served(origin: origin, fonts: fonts) ?? .null).keeping(keep)
      .varying(unless: publicURL)
    lock.locked { last = (origin, answer) }
    return answer
  }

  /// The style as clients load it: tiles, sprites and glyphs come from this server.
  private func served(origin: String, fonts: FontSite) -> JSONValue? {
    guard var style = document else { return nil }
    if case .object(let sources)? = style["sources"] {
      style["sources"] = .object(
        sources.map { member in
          var source = member.value
          if let data = dataOfSource[member.key] {
            source["url"] = .string("\(origin)/data/\(escaped(data)).json")
            source["tiles"] = nil
          } else if filesOfSource[member.key] != nil {
            source["data"] = .string("\(origin)/styles/\(escaped(id))/sources/\(escaped(member.key)).geojson")
          }
          return JSONValue.Member(member.key, source)
        })
    }
    if !sprites.isEmpty {
      let base = "\(origin)/styles/\(escaped(id))/sprite"
      if sprites.count == 1, sprites["default"] != nil {
        style["sprite"] = .string(base)
      } else if let list = style["sprite"]?.array {
        style["sprite"] = .array(
          list.map { entry in
            guard let id = entry["id"]?.string, sprites[id] != nil else { return entry }
            return .members(["id": .string(id), "url": .string("\(base)/\(escaped(id))")])
          })
      }
    }
    if hasLocalGlyphs || style["glyphs"] == nil && !fonts.names.isEmpty {
      style["glyphs"] = .string("\(origin)/fonts/{fontstack}/{range}.pbf")
    }
    return style
  }
}

/// Text as a part of an address.
func escaped(_ text: String) -> String {
  var result = ""
  for byte in text.utf8 {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."),
      UInt8(ascii: "~"):
      result.unicodeScalars.append(Unicode.Scalar(byte))
    default: result += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }
  }
  return result
}
