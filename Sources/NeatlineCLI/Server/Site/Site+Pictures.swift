import Neatline

extension Site {
  /// A tile or a picture of a style.
  func draw(_ request: HTTPRequest, _ style: StyleSite, _ given: PictureRequest) -> HTTPPlan {
    var picture = given
    let known = ["complete", "quality"] + (picture.isTile ? [] : StaticOverlay.known)
    if let refusal = request.refusal(known: known, repeating: picture.isTile ? [] : StaticOverlay.repeating) {
      return .answer(refusal)
    }
    picture.mustBeComplete = requiresComplete
    if let text = request.value("complete") {
      guard text == "0" || text == "1" else {
        return .answer(.text(400, "complete: \"\(text)\" is neither 0 nor 1\n"))
      }
      picture.mustBeComplete = text == "1"
    }
    let config = catalog.config
    if let text = request.value("quality") {
      guard let quality = Int(text), (1...100).contains(quality) else {
        return .answer(.text(400, "quality: \"\(text)\" is not within 1 to 100\n"))
      }
      guard picture.format != .png else { return .answer(.text(400, "quality: PNG has none\n")) }
      picture.quality = quality
    } else if picture.format != .png {
      picture.quality = picture.format == .jpeg ? config.jpegQuality : config.webpQuality
    }
    if let refusal = tooLarge(picture) { return .answer(refusal) }
    if !picture.isTile {
      do throws(BadParameter) { try read(request, &picture, config) } catch {
        return .answer(.text(400, error.message + "\n"))
      }
    }
    let route = picture.isTile ? "tile" : "static"
    let key = key(of: picture, style)
    // Made where nothing is kept only: most requests are for what is.
    func drawing() -> Drawing {
      if case .tile(let z, let x, let y) = picture.view, z <= 30, x < 1 << z, y < 1 << z {
        let count = block(picture, z)
        if count > 1 {
          return blockDrawing(
            picture, style, z: z, x: x, y: y, count: count, keep: config.cacheControl)
        }
      }
      return self.drawing(picture, style, key, route, keep: config.cacheControl)
    }
    guard cache.isEnabled else { return .draw(drawing()) }
    switch cache.find(key) {
    case .fresh(let answer): return .answer(answer.on(route).from(.memory))
    case .stale(let answer): return .stale(answer.on(route).from(.stale), drawing())
    case .none: return .draw(drawing())
    }
  }

  /// What the parameters of a static picture say.
  private func read(_ request: HTTPRequest, _ picture: inout PictureRequest, _ config: ServerConfig)
    throws(BadParameter)
  {
    if let fault = picture.fault { throw BadParameter(fault) }
    let overlay = try StaticOverlay(
      request, icons: config.iconFolder, allowsInlineIcons: config.allowsInlineIcons, isRaw: picture.isRaw)
    if !overlay.isEmpty { picture.overlay = overlay }
    if case .auto = picture.view, overlay.isEmpty {
      throw BadParameter("auto: there is nothing to go around; give path, marker or geojson")
    }
    picture.padding =
      try StaticOverlay.number(request.value("padding"), "padding", 0...10) ?? picture.padding
    picture.maxZoom = try StaticOverlay.number(request.value("maxzoom"), "maxzoom", 0...25).map { $0 - 1 }
    if let name = request.value("constrain") {
      guard let hold = ViewHold(rawValue: name) else {
        throw BadParameter("constrain: \"\(name)\" is none of \(ViewHold.names.joined(separator: ", "))")
      }
      picture.hold = hold
    }
    if let text = config.attributionText { picture.attribution = .text(text) }
    if request.value("attribution") != nil {
      picture.attribution =
        try StaticOverlay.flag(request, "attribution")
        ? config.attributionText.map { .text($0) } ?? .sources : .none
    }
    if let name = request.value("scalebar") {
      let units: [String: ScaleBar] = ["metric": .metric, "imperial": .imperial, "nautical": .nautical]
      guard let bar = units[name] else {
        throw BadParameter("scalebar: \"\(name)\" is not metric, imperial or nautical")
      }
      picture.scaleBar = bar
    }
    picture.hasCompass = try StaticOverlay.flag(request, "compass")
    // Everything that the address says, for what is kept of it.
    if overlay.isEmpty, picture.attribution == .none, picture.scaleBar == .none, !picture.hasCompass {
      return
    }
    picture.details =
      request.query.map { "\(escaped($0.name))=\(escaped($0.value))" }
      .joined(separator: "&") + overlay.mark
  }

  /// How many tiles an edge are drawn as one: a block needs one margin for labels where its tiles need one each.
  /// 1 where the block would be a large picture, and where nobody keeps the others.
  private func block(_ picture: PictureRequest, _ z: Int) -> Int {
    guard cache.isEnabled, !picture.mustBeComplete, z < 30 else { return 1 }
    var count = min(limits.metatile, 1 << z)
    while count > 1,
      count * count * picture.pixels.width * picture.pixels.height > ServerLimits.largePixels
        || count * picture.pixels.width > limits.edge
    {
      count /= 2
    }
    return count
  }

  /// Tiles of a block, drawn as one picture and cut.
  private func blockDrawing(
    _ picture: PictureRequest, _ style: StyleSite, z: Int, x: Int, y: Int, count: Int, keep: String
  ) -> Drawing {
    let (left, top) = (x - x % count, y - y % count)
    let tiles = (0..<count * count).map { (x: left + $0 % count, y: top + $0 / count) }
    let keys = tiles.map { tile in
      var one = picture
      one.view = .tile(z: z, x: tile.x, y: tile.y)
      return key(of: one, style)
    }
    let edge = picture.pixels.width
    return Drawing(
      pixels: count * count * edge * edge, key: "\(ObjectIdentifier(style)) \(keys[0].path) \(count)",
      route: "tile",
      part: (y - top) * count + x - left
    ) { [self] time in
      let kept = keys.map { cache.findOnDisk($0) }
      if !kept.contains(where: { $0 == nil }) { return kept.map { $0!.from(.disk) } }
      let era = cache.currentEra
      do throws(NeatlineError) {
        let images = try style.renderer.drawTiles(
          z: z, x: left, y: top, count: count, edge: picture.width, pixelRatio: picture.ratio, deadline: time)
        let report = images[0].report
        if !report.isComplete { metrics.noteProblem() }
        // As in `drawing`.
        let isCurrent = catalog.style(Substring(style.id)) === style
        var answers: [HTTPAnswer] = []
        for index in tiles.indices {
          let answer = try Site.answer(images[index], of: report, picture)
          guard answer.status == 200 else { return [answer] }
          let named = answer.named().keeping(keep)
          if isCurrent { cache.store(named, for: keys[index], era: era) }
          answers.append(named.from(.made))
        }
        return answers
      } catch {
        return [.of(error)]
      }
    }
  }

  private func drawing(
    _ picture: PictureRequest, _ style: StyleSite, _ key: TileCache.Key, _ route: String, keep: String
  ) -> Drawing {
    let pixels = picture.pixels
    return Drawing(
      // Of this style: one that was loaded meanwhile is not what an old drawing shows.
      pixels: pixels.width * pixels.height, key: "\(ObjectIdentifier(style)) \(key.path)", route: route
    ) { [self] time in
      if let kept = cache.findOnDisk(key) { return kept.from(.disk) }
      let era = cache.currentEra
      let answer = Site.draw(style.renderer, picture, deadline: time, metrics)
      guard answer.status == 200 else { return answer }
      let named = answer.named().keeping(keep)
      // What waited for its turn while another style was loaded is not kept as that one's.
      if catalog.style(Substring(style.id)) === style { cache.store(named, for: key, era: era) }
      return cache.isEnabled ? named.from(.made) : named
    }
  }

  /// All that tells one picture from another: addresses that mean the same have the same.
  private func key(of picture: PictureRequest, _ style: StyleSite) -> TileCache.Key {
    let how =
      "\(picture.width)x\(picture.height)@\(picture.ratio) \(picture.format) \(picture.quality) "
      + "\(picture.mustBeComplete) \(picture.padding) \(picture.maxZoom ?? 99) \(picture.attribution) "
      + "\(picture.isRaw) \(picture.hold) \(picture.details)"
    var key = TileCache.Key(owner: "styles/\(style.id)", path: "")
    switch picture.view {
    case .tile(let z, let x, let y):
      key.path = "\(z)/\(x)/\(y) \(how)"
      (key.z, key.x, key.y) = (z, x, y)
    case .camera(let camera): key.path = "\(camera) \(how)"
    case .box(let box): key.path = "\(box) \(how)"
    case .auto: key.path = "\(picture.path) \(how)"
    }
    return key
  }

  private func tooLarge(_ picture: PictureRequest) -> HTTPAnswer? {
    guard picture.ratio <= limits.ratio else {
      let most = JSONValue.number(limits.ratio).text
      return .text(413, "@\(Int(picture.ratio))x is over the limit of \(most)\n")
    }
    let (width, height) = picture.pixels
    guard width <= limits.edge, height <= limits.edge else {
      return .text(
        413, "a picture of \(width) x \(height) device pixels is over the limit of \(limits.edge) an edge\n")
    }
    guard width * height <= limits.pixels else {
      return .text(
        413, "a picture of \(width) x \(height) device pixels is over the limit of \(limits.pixels) in all\n")
    }
    return nil
  }

  private static func draw(
    _ renderer: Renderer, _ picture: PictureRequest, deadline: Int, _ metrics: Metrics
  ) -> HTTPAnswer {
    do throws(NeatlineError) {
      let image: Image
      if case .tile(let z, let x, let y) = picture.view {
        image = try renderer.drawTile(
          z: z, x: x, y: y, edge: picture.width, pixelRatio: picture.ratio, deadline: deadline)
      } else {
        let overlay: Overlay?
        do { overlay = try picture.overlay?.made() } catch let error as NeatlineError {
          return .bad(error)
        } catch let error as BadParameter {
          return .text(400, error.message + "\n")
        } catch {
          return .text(400, "\(error)\n")
        }
        let camera: Camera
        do throws(NeatlineError) {
          camera = try picture.hold.held(
            try picture.camera(overlay, renderer), renderer, in: PictureSize(picture.width, picture.height))
        } catch {
          return .bad(error)
        }
        do throws(NeatlineError) {
          image = try renderer.draw(
            camera: camera, width: picture.width, height: picture.height, pixelRatio: picture.ratio,
            overlay: overlay,
            ornaments: .picture(
              attribution: picture.attribution, scaleBar: picture.scaleBar, hasCompass: picture.hasCompass),
            deadline: deadline)
        } catch {
          // What is wrong with a client's overlay is the client's.
          return overlay == nil ? .of(error) : .bad(error)
        }
      }
      if !image.report.isComplete { metrics.noteProblem() }
      return try answer(image, of: image.report, picture)
    } catch {
      return .of(error)
    }
  }

  /// A picture that lacks something says so, and is not kept by anyone.
  private static func answer(_ image: Image, of report: PictureReport, _ picture: PictureRequest)
    throws(NeatlineError) -> HTTPAnswer
  {
    let count = report.missing.count + report.omitted
    if !report.isComplete { tell(report, picture.path) }
    var headers: [(name: String, value: String)] = []
    if count > 0 { headers.append(("Neatline-Missing", "\(count)")) }
    if !report.isComplete, picture.mustBeComplete {
      let lines = report.missing.filter(\.isFailure).prefix(100).map { "\($0)\n" }.joined()
      var answer = HTTPAnswer.later(503, "the picture is not complete:\n\(lines)", seconds: 10)
      answer.headers += headers
      return answer
    }
    if !report.isComplete { headers.append(("Cache-Control", "no-store")) }
    return HTTPAnswer(
      status: 200, type: PictureFormat.mediaType(picture.format),
      body: try image.encode(picture.format, quality: picture.quality),
      headers: headers)
  }

  /// One line a picture on standard error: the first failure, and how many there are.
  private static func tell(_ report: PictureReport, _ path: String) {
    let failures = report.missing.filter(\.isFailure)
    let more = failures.count + report.omitted - 1
    Console.warning(
      "\(path): \(failures.first.map { "\($0)" } ?? "not complete")\(more > 0 ? ", and \(more) more" : "")")
  }
}

extension PictureRequest {
  /// Where the picture looks from.
  func camera(_ overlay: Overlay?, _ renderer: Renderer) throws(NeatlineError) -> Camera {
    let box: GeographicBounds
    switch view {
    case .camera(let camera): return camera
    case .box(let given): box = given
    case .auto:
      guard let overlay else { return Camera() }
      box = try overlay.bounds
    case .tile: return Camera()
    }
    // A part of the box on each side, as a part of the picture.
    let part = padding / (1 + 2 * padding)
    var camera = Camera()
    let (side, end) = (Double(width) * part, Double(height) * part)
    camera.padding = Camera.Padding(top: end, left: side, bottom: end, right: side)
    camera = try renderer.camera(for: box, from: camera, in: PictureSize(width, height))
    camera.padding = Camera.Padding()
    if let maxZoom { camera.zoom = min(camera.zoom, maxZoom) }
    return camera
  }
}

extension HTTPAnswer {
  /// What a client asked for that cannot be.
  static func bad(_ error: NeatlineError) -> HTTPAnswer {
    switch error.status {
    case .outOfMemory, .timeout, .limitExceeded: .of(error)
    default: .text(400, "\(error)\n")
    }
  }

  static func of(_ error: NeatlineError) -> HTTPAnswer {
    switch error.status {
    case .invalidArgument: .text(400, "\(error)\n")
    case .limitExceeded: .text(413, "\(error)\n")
    case .outOfMemory: .later(503, "\(error)\n")
    case .timeout: .text(504, "\(error)\n")
    default: .text(500, "\(error)\n")
    }
  }
}
