import NeatBase

/// How a provider's own addresses (`mapbox://styles/…`) become those of its servers. Templates are put behind
/// the base address; in them stand, of the provider's address: `{domain}` (its first part), `{path}` (what
/// follows, with `/` in front), `{directory}`, `{filename}` and `{extension}` of that path (`@2x.png`).
package struct Provider: Sendable {
  package var base: String
  /// The member of the query that has the token, and the token; empty: none.
  package var tokenName: String
  package var token: String
  package var source: String
  package var style: String
  package var sprite: String
  package var glyphs: String
  package var tile: String

  package init(
    base: String, tokenName: String = "key", token: String = "", source: String, style: String,
    sprite: String, glyphs: String, tile: String
  ) {
    self.base = base
    self.tokenName = tokenName
    self.token = token
    self.source = source
    self.style = style
    self.sprite = sprite
    self.glyphs = glyphs
    self.tile = tile
  }

  /// Mapbox: its addresses as documented for its APIs.
  package static func mapbox(base: String = "https://api.mapbox.com", token: String) -> Provider {
    Provider(
      base: base, tokenName: "access_token", token: token, source: "/v4/{domain}.json",
      style: "/styles/v1{path}", sprite: "/styles/v1{directory}{filename}/sprite{extension}",
      glyphs: "/fonts/v1{path}", tile: "/v4{path}")
  }

  private func template(_ kind: ResourceKind) -> String {
    switch kind {
    case .style: style
    case .spriteJSON, .spriteImage: sprite
    case .glyphs, .font: glyphs
    case .tile: tile
    case .source, .geojson, .image: source
    }
  }

  /// The server's address of one of the provider's own.
  func address(_ kind: ResourceKind, _ url: String) -> String {
    let rest = String(url.range(ofFirst: "://").map { url[$0...] } ?? "")
    let body = rest.prefix { $0 != "?" && $0 != "#" }
    let query = rest[body.endIndex...].dropFirst()
    let domain = body.prefix { $0 != "/" }
    let path = body[domain.endIndex...]
    let nameStart = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
    let file = path[nameStart...]
    // "@2x.png" belongs to the extension.
    let nameEnd = file.firstIndex(of: "@") ?? file.lastIndex(of: ".") ?? file.endIndex
    var result = template(kind).replacing("{domain}", by: String(domain))
    result = result.replacing("{path}", by: String(path))
    result = result.replacing("{directory}", by: String(path[..<nameStart]))
    result = result.replacing("{filename}", by: String(file[..<nameEnd]))
    result = base + result.replacing("{extension}", by: String(file[nameEnd...]))
    var members = query.isEmpty ? [] : [String(query)]
    if !token.isEmpty { members.append("\(tokenName)=\(token)") }
    if members.isEmpty { return result }
    return result + (result.contains("?") ? "&" : "?") + members.joined(separator: "&")
  }

  /// What a tile's template on the provider's servers is known by in caches, for those of Mapbox's path
  /// `/v4/`: `mapbox://tiles/…`, whatever the server and the token. nil for others.
  static func canonicalTile(_ template: String) -> String? {
    guard let host = Address.host(template), host == "api.mapbox.com" || host.hasSuffix(".tiles.mapbox.com"),
      let start = template.range(ofFirst: "/v4/")
    else { return nil }
    var path = "/" + template[start...].prefix { $0 != "?" && $0 != "#" }
    guard path.contains("{z}") else { return nil }
    let pictures = [
      ".png", ".png32", ".png64", ".png128", ".png256", ".jpg", ".jpg70", ".jpg80", ".jpg90", ".webp",
    ]
    if let dot = path.lastIndex(of: "."), pictures.contains(String(path[dot...])) {
      let name = path[..<dot]
      let bare = name.hasSuffix("@2x") ? name.dropLast(3) : name
      if !bare.hasSuffix("{ratio}") { path = bare + "{ratio}" + path[dot...] }
    }
    return "mapbox://tiles" + path
  }
}
