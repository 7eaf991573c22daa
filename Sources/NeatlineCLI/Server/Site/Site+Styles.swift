import Neatline

extension Site {
  /// `info.json` and TileJSON wait this long for the attribution of sources that are not loaded yet.
  private static let attributionMilliseconds = 5000

  /// Below `/styles/`.
  func style(_ request: HTTPRequest, _ parts: ArraySlice<Substring>, _ catalog: Catalog) -> HTTPPlan {
    guard let first = parts.first else { return .answer(Site.nothing(request.path)) }
    var rest = parts.dropFirst()
    // /styles/ID.json, /styles/512/ID.json
    if parts.count <= 2, let last = parts.last, last.hasSuffix(".json"), last != "style.json",
      parts.count == 1 || first == "256" || first == "512", let style = catalog.style(last.dropLast(5))
    {
      guard style.config.drawsTiles else { return .answer(Site.nothing(request.path)) }
      return tileJSON(request, style, edge: parts.count == 1 || first == "256" ? 256 : 512, catalog)
    }
    guard let style = catalog.style(first) else {
      return .answer(.text(404, "there is no style \"\(first)\"; /styles.json lists those that are here\n"))
    }
    guard let name = rest.first else { return .answer(Site.moved(escaped(style.id) + "/")) }
    switch (name, rest.count) {
    case ("", 1) where style.config.drawsTiles:
      return page(request, "viewer") { Pages.viewer(style, hasLive: live != nil) }
    case ("live", 1) where style.config.drawsTiles && live != nil:
      return page(request, "viewer") {
        live?.refusal(request, publicURL: catalog.config.publicURL) ?? Pages.live(style, limits, request)
      }
    case ("live", 2) where style.config.drawsTiles && rest.last == "socket":
      guard let live else { break }
      if let refusal = request.refusal(known: []) { return .answer(refusal) }
      return live.plan(request, style, mark: catalog.mark(style), publicURL: catalog.config.publicURL)
    case ("style.json", 1): return document(request, style, catalog)
    case ("info.json", 1): return info(request, style)
    case ("wmts.xml", 1) where style.config.drawsTiles:
      return page(request, "wmts") {
        WMTS.capabilities(style, origins(request, catalog)[0]).varying(unless: catalog.config.publicURL)
      }
    // Names of sources and sprites may have slashes.
    case ("sources", 2...): return file(request, style, rest.dropFirst().joined(separator: "/"))
    case ("sprite", 2...): return sprite(request, style, rest.dropFirst().joined(separator: "/"))
    case (_, 1) where name.hasPrefix("sprite"): return sprite(request, style, "default" + name.dropFirst(6))
    default: break
    }
    guard style.config.drawsTiles, rest.first != "static" || catalog.config.drawsStatic,
      let picture = PictureRequest(rest, path: request.path, worldEdge: 256)
    else { return .answer(Site.nothing(request.path)) }
    rest = []
    return draw(request, style, picture)
  }

  /// `place`: seen from the address that was asked for, so that it is right behind a proxy's prefix too.
  private static func moved(_ place: String) -> HTTPAnswer {
    var answer = HTTPAnswer.text(301, "\(place)\n")
    answer.headers.append(("Location", place))
    return answer
  }

  // MARK: Documents

  private func document(_ request: HTTPRequest, _ style: StyleSite, _ catalog: Catalog) -> HTTPPlan {
    if let refusal = request.refusal(known: []) { return .answer(refusal) }
    guard style.config.servesData else { return .answer(Site.nothing(request.path)) }
    guard style.document != nil else {
      var answer = HTTPAnswer.text(302, "\(style.config.address)\n")
      answer.headers.append(("Location", style.config.address))
      return .answer(answer.on("style"))
    }
    let origin = origins(request, catalog)[0]
    if let known = style.written(origin: origin) { return .answer(known.on("style")) }
    // Large ones take their time.
    return .draw(
      Drawing(pixels: 0, key: "style.json \(ObjectIdentifier(style)) \(origin)", route: "style") { _ in
        style.write(
          origin: origin, fonts: catalog.fonts, keep: catalog.config.cacheControl,
          publicURL: catalog.config.publicURL)
      })
  }

  /// The style in short, with the attribution of its sources.
  func info(_ request: HTTPRequest, _ style: StyleSite) -> HTTPPlan {
    if let refusal = request.refusal(known: []) { return .answer(refusal) }
    return .draw(
      Drawing(pixels: 0, key: "info \(style.id)", route: "info") { time in
        do throws(NeatlineError) {
          // What cannot be had in time is left out: the rest is worth having.
          _ = try? style.renderer.attribution(deadline: min(time, Site.attributionMilliseconds))
          return HTTPAnswer.json(try style.renderer.info)
        } catch {
          return .of(error)
        }
      })
  }

  private func tileJSON(_ request: HTTPRequest, _ style: StyleSite, edge: Int, _ catalog: Catalog) -> HTTPPlan
  {
    if let refusal = request.refusal(known: []) { return .answer(refusal) }
    let origins = origins(request, catalog)
    let (keep, publicURL) = (catalog.config.cacheControl, catalog.config.publicURL)
    return .draw(
      Drawing(pixels: 0, route: "tilejson") { time in
        HTTPAnswer.json(Site.tileJSON(style, origins, edge: edge, time: time)).keeping(keep)
          .varying(unless: publicURL)
      })
  }

  static func tileJSON(_ style: StyleSite, _ origins: [String], edge: Int, time: Int) -> JSONValue {
    let attribution =
      (try? style.renderer.attribution(deadline: min(time, attributionMilliseconds))) ?? []
    var result = JSONValue.members([
      "tilejson": "3.0.0", "id": .string(style.id), "name": .string(style.name),
      "attribution": .string(attribution.joined(separator: " | ")), "minzoom": 0, "maxzoom": 22,
      "bounds": [-180, -85.0511, 180, 85.0511], "format": "png", "type": "baselayer", "scheme": "xyz",
      "center": .array([
        .number(style.camera.longitude), .number(style.camera.latitude),
        .number((style.camera.zoom + (edge == 256 ? 1 : 0)).rounded()),
      ]),
      "tileSize": .number(Double(edge)),
    ])
    for member in style.config.tileJSON.object ?? [] { result[member.key] = member.value }
    let end = result["format"]?.string ?? "png"
    let size = edge == 256 ? "" : "\(edge)/"
    result["tiles"] = .array(
      origins.map { .string("\($0)/styles/\(escaped(style.id))/\(size){z}/{x}/{y}.\(end)") })
    return result
  }

  // MARK: Lists

  func list(_ request: HTTPRequest, _ name: String, _ catalog: Catalog) -> HTTPPlan {
    if let refusal = request.refusal(known: []) { return .answer(refusal) }
    let origins = origins(request, catalog)
    if name == "fonts.json" {
      return .answer(HTTPAnswer.json(.array(catalog.fonts.names.map { .string($0) })).on("list"))
    }
    if name == "styles.json" {
      let styles = catalog.styles.map { style -> JSONValue in
        var entry = JSONValue.members([
          "version": style.document?["version"] ?? 8, "name": .string(style.name), "id": .string(style.id),
        ])
        if style.config.servesData {
          entry["url"] = .string("\(origins[0])/styles/\(escaped(style.id))/style.json")
        }
        return entry
      }
      return .answer(HTTPAnswer.json(.array(styles)).on("list").varying(unless: catalog.config.publicURL))
    }
    let publicURL = catalog.config.publicURL
    return .draw(
      Drawing(pixels: 0, route: "list") { time in
        var entries: [JSONValue] = []
        if name != "data.json" {
          entries += catalog.styles.filter(\.config.drawsTiles).map {
            Site.tileJSON($0, origins, edge: 256, time: time)
          }
        }
        if name != "rendered.json" {
          // What cannot be opened now is not listed; asking for it says why.
          entries += catalog.data.compactMap { try? $0.tileJSON(origins: origins) }
        }
        return HTTPAnswer.json(.array(entries)).varying(unless: publicURL)
      })
  }

  // MARK: What a style is made of

  private func sprite(_ request: HTTPRequest, _ style: StyleSite, _ name: some StringProtocol) -> HTTPPlan {
    if let refusal = request.refusal(known: []) { return .answer(refusal) }
    guard style.config.servesData, let dot = name.lastIndex(of: ".") else {
      return .answer(Site.nothing(request.path))
    }
    let end = String(name[dot...])
    var stem = String(name[..<dot])
    var ratio = ""
    if let at = stem.lastIndex(of: "@") {
      ratio = String(stem[at...])
      stem = String(stem[..<at])
    }
    guard let base = style.sprites[stem], end == ".json" || end == ".png",
      ["", "@2x", "@3x", "@4x"].contains(ratio)
    else { return .answer(Site.nothing(request.path)) }
    return read(request, base + ratio + end, end == ".json" ? "application/json" : "image/png", "sprite")
  }

  private func file(_ request: HTTPRequest, _ style: StyleSite, _ name: String) -> HTTPPlan {
    if let refusal = request.refusal(known: []) { return .answer(refusal) }
    guard style.config.servesData, name.hasSuffix(".geojson"),
      let file = style.filesOfSource[String(name.dropLast(8))]
    else { return .answer(Site.nothing(request.path)) }
    return read(request, file, "application/geo+json", "source")
  }

  /// A file that the style names.
  private func read(_ request: HTTPRequest, _ path: String, _ type: String, _ route: String) -> HTTPPlan {
    let keep = catalog.config.cacheControl
    return .draw(
      Drawing(pixels: 0, key: "file \(path)", route: route) { _ in
        guard let bytes = try? Platform.readFile(path) else { return .text(404, "there is no such file\n") }
        return HTTPAnswer(status: 200, type: type, body: bytes).named().keeping(keep)
      })
  }

  // MARK: Data and fonts

  /// Below `/data/`.
  func data(_ request: HTTPRequest, _ parts: ArraySlice<Substring>, _ catalog: Catalog) -> HTTPPlan {
    if let refusal = request.refusal(known: []) { return .answer(refusal) }
    let (keep, publicURL) = (catalog.config.cacheControl, catalog.config.publicURL)
    if parts.count == 1, let name = parts.first, name.hasSuffix(".json"),
      let site = catalog.data(name.dropLast(5))
    {
      let origins = origins(request, catalog)
      return .draw(
        Drawing(pixels: 0, route: "tilejson") { _ in
          do throws(NeatlineError) {
            return HTTPAnswer.json(try site.tileJSON(origins: origins)).keeping(keep)
              .varying(unless: publicURL)
          } catch {
            return site.failure(error)
          }
        })
    }
    if parts.count == 4, let name = parts.first, catalog.data(name) == nil {
      return .answer(.text(404, "there is no archive \"\(name)\"; /data.json lists those that are here\n"))
    }
    guard parts.count == 4, let name = parts.first, let site = catalog.data(name) else {
      return .answer(
        .text(404, "tiles are at /data/ID/{z}/{x}/{y}.ENDING; /data.json lists the archives that are here\n"))
    }
    let numbers = Array(parts.dropFirst())
    guard let dot = numbers[2].firstIndex(of: "."), let z = PictureRequest.whole(numbers[0]),
      let x = PictureRequest.whole(numbers[1]), let y = PictureRequest.whole(numbers[2][..<dot])
    else { return .answer(Site.nothing(request.path)) }
    guard z <= 30, x < 1 << z, y < 1 << z else {
      return .answer(.text(400, "\(z)/\(x)/\(y) is no tile\n"))
    }
    let ending = String(numbers[2][numbers[2].index(after: dot)...])
    let acceptsGzip = request.acceptsGzip
    return .draw(
      Drawing(pixels: 0, key: "\(request.path) \(acceptsGzip)", route: "data") { _ in
        site.tile(z, x, y, ending: ending, acceptsGzip: acceptsGzip).keeping(keep)
      })
  }

  /// Below `/fonts/`.
  func font(_ request: HTTPRequest, _ parts: ArraySlice<Substring>, _ catalog: Catalog) -> HTTPPlan {
    if let refusal = request.refusal(known: []) { return .answer(refusal) }
    guard let stack = parts.first, let file = parts.last, file.hasSuffix(".pbf") else {
      return .answer(Site.nothing(request.path))
    }
    let keep = catalog.config.cacheControl
    return .draw(
      Drawing(pixels: 0, key: request.path, route: "font") { _ in
        catalog.fonts.range(String(stack), String(file.dropLast(4))).keeping(keep)
      })
  }
}
