import Neatline

/// Pages for people: the front page with all that is served, and a viewer of each style. Nothing of elsewhere
/// is loaded.
enum Pages {
  /// Nothing but what this server has, whatever an attribution says.
  private static func policy(_ sockets: String) -> String {
    "default-src 'none'; img-src 'self' data:; connect-src 'self'\(sockets); style-src 'self' 'unsafe-inline'; script-src 'self'"
  }

  /// `sockets`: addresses of WebSockets that the page may open, each behind a space.
  static func html(_ text: String, sockets: String = "") -> HTTPAnswer {
    HTTPAnswer(
      status: 200, type: "text/html; charset=utf-8", body: Array(text.utf8),
      headers: [("Content-Security-Policy", policy(sockets)), ("Cache-Control", "no-cache")]
    ).named()
  }

  // MARK: Front page

  static func front(_ catalog: Catalog, _ request: HTTPRequest, hasLive: Bool, hasMetrics: Bool) -> HTTPAnswer
  {
    guard catalog.config.hasFrontPage else { return Site.nothing("/") }
    // One style and nothing else: its map.
    if catalog.styles.count == 1, catalog.config.path == nil {
      let style = catalog.styles[0]
      let live = hasLive ? "styles/\(escaped(style.id))/live" : nil
      return html(ViewerPage.html(style.name, root: "", style.camera, live: live))
    }
    let styles = catalog.styles.map { card($0, catalog.config, hasLive) }.joined()
    let data = catalog.data.map { site in
      let id = escapedXML(site.id)
      let base = "data/\(escaped(site.id))"
      return "<tr><td>\(id)</td><td><a href=\"\(base).json\">TileJSON</a></td></tr>"
    }.joined()
    return html(
      """
      <!doctype html>
      <html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
      <title>Maps</title>
      <style>\(style)</style></head><body><main>
      <h1>Maps</h1>
      <div class="cards">\(styles)</div>
      \(data.isEmpty ? "" : "<h2>Data</h2><table>\(data)</table>")
      <footer>\(fonts(catalog)) <a href="styles.json">styles.json</a> · <a href="index.json">index.json</a> ·
      <a href="health">health</a>\(hasMetrics ? " · <a href=\"metrics\">metrics</a>" : "") · Neatline \(engineVersion)</footer>
      </main></body></html>

      """)
  }

  private static func fonts(_ catalog: Catalog) -> String {
    catalog.fonts.names.isEmpty ? "" : "<a href=\"fonts.json\">\(catalog.fonts.names.count) fonts</a> ·"
  }

  /// A style's preview and links: to what it serves, and to nothing else.
  private static func card(_ style: StyleSite, _ config: ServerConfig, _ hasLive: Bool) -> String {
    let name = escapedXML(style.name)
    let base = "styles/\(escaped(style.id))"
    let camera = style.camera
    func decimals(_ number: Double) -> String { "\((number * 10000).rounded() / 10000)" }
    let preview =
      "\(base)/static/\(decimals(camera.longitude)),\(decimals(camera.latitude)),\(decimals(camera.zoom + 1))/320x200@2x.webp"
    var links: [String] = []
    if style.config.servesData { links.append("<a href=\"\(base)/style.json\">Style</a>") }
    guard style.config.drawsTiles else {
      return "<article><h3>\(name)</h3><p>\(links.joined())</p></article>"
    }
    links += ["<a href=\"\(base).json\">TileJSON</a>", "<a href=\"\(base)/wmts.xml\">WMTS</a>"]
    if hasLive { links.append("<a href=\"\(base)/live\">Live</a>") }
    let picture =
      config.drawsStatic
      ? "<a href=\"\(base)/\"><img src=\"\(preview)\" width=\"320\" height=\"200\" loading=\"lazy\" alt=\"A view of \(name)\"></a>"
      : ""
    return """
      <article>\(picture)<h3><a href="\(base)/">\(name)</a></h3>
      <p>\(links.joined(separator: " · "))</p></article>
      """
  }

  private static let style = """
    body { margin: 0; background: #f4f5f3; color: #222; font: 16px/1.5 system-ui, sans-serif }
    main { max-width: 1060px; margin: 0 auto; padding: 24px 16px }
    h1 { font-size: 28px } h2 { font-size: 20px; margin-top: 32px } h3 { font-size: 17px; margin: 10px 12px 0 }
    .cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(320px, 100%), 1fr)); gap: 20px }
    article { background: #fff; border-radius: 8px; overflow: hidden; box-shadow: 0 1px 4px #0002 }
    article img { display: block; width: 100%; height: auto; aspect-ratio: 8 / 5; background: #dde3e8 }
    article p { margin: 2px 12px 12px; font-size: 14px }
    a { color: #0b5cad } table { border-spacing: 0 } td { padding: 4px 24px 4px 0 } footer { margin-top: 32px; font-size: 14px; color: #666 }
    """

  // MARK: Viewer

  static func viewer(_ style: StyleSite, hasLive: Bool) -> HTTPAnswer {
    let live = hasLive ? "live" : nil
    guard Leaflet.isThere else {
      return html(ViewerPage.html(style.name, root: "../../", style.camera, live: live))
    }
    return html(LeafletPage.html(style.name, id: escaped(style.id), root: "../../", style.camera, live: live))
  }

  /// The page of a live map.
  static func live(_ style: StyleSite, _ limits: ServerLimits, _ request: HTTPRequest) -> HTTPAnswer {
    // Browsers do not agree on whether 'self' has WebSockets in it.
    let host = request.origin.firstRange(of: "://").map { String(request.origin[$0.upperBound...]) } ?? ""
    return html(
      LivePage.html(style.name, id: escaped(style.id), limits),
      sockets: host.isEmpty ? "" : " ws://\(host) wss://\(host)"
    ).varying()
  }

  /// Where a map begins, for its script.
  static func place(_ camera: Camera) -> String {
    "data-lon=\"\(camera.longitude)\" data-lat=\"\(camera.latitude)\" data-zoom=\"\(camera.zoom)\""
  }

  // MARK: Files of the viewer

  static func asset(_ name: String) -> HTTPAnswer {
    let own = [
      "map.js": LeafletPage.script, "plain.js": ViewerPage.script, "credit.js": ViewerCredit.script,
      "live.js": LivePage.script,
    ]
    if let script = own[name] {
      return HTTPAnswer(
        status: 200, type: "text/javascript; charset=utf-8", body: Array(script.utf8),
        headers: [("Cache-Control", "no-cache")]
      ).named().on("viewer")
    }
    guard let type = Leaflet.files[name], let bytes = Leaflet.read(name) else {
      return .text(404, "Leaflet is not installed beside this server\n").on("viewer")
    }
    return HTTPAnswer(
      status: 200, type: type, body: bytes, headers: [("Cache-Control", "public, max-age=86400")]
    ).named().on("viewer")
  }
}

/// Leaflet as its package installs it (Debian's libjs-leaflet; BSD 2-Clause, its text stands in the file), or
/// as it was put beside the program.
enum Leaflet {
  static let files = [
    "leaflet.js": "text/javascript; charset=utf-8", "leaflet.css": "text/css; charset=utf-8",
    "images/layers.png": "image/png", "images/layers-2x.png": "image/png",
    "images/marker-icon.png": "image/png", "images/marker-icon-2x.png": "image/png",
    "images/marker-shadow.png": "image/png",
  ]

  private static let folder: String? = {
    let own = Platform.programFolder.map { $0 + "/../share/neatline/leaflet" }
    let usual = [own, "/usr/share/javascript/leaflet"].compactMap(\.self)
    return (Platform.environment("NEATLINE_LEAFLET").map { [$0] } ?? usual).first {
      Platform.stamp($0 + "/leaflet.css") != nil && script(in: $0) != nil
    }
  }()

  private static func script(in folder: String) -> String? {
    ["/leaflet.min.js", "/leaflet.js"].map { folder + $0 }.first { Platform.stamp($0) != nil }
  }

  static var isThere: Bool { folder != nil }

  static func read(_ name: String) -> [UInt8]? {
    guard let folder else { return nil }
    return try? Platform.readFile(name == "leaflet.js" ? script(in: folder) ?? "" : "\(folder)/\(name)")
  }
}
