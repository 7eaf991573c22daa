import Neatline

extension Site {
  /// A tile or a picture of a style.
  func draw(_ request: HTTPRequest, _ style: StyleSite, _ given: PictureRequest) -> HTTPPlan {
    var picture = given
    if let refusal = request.refusal(known: ["complete", "quality"]) { return .answer(refusal) }
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
    let route = picture.isTile ? "tile" : "static"
    let key = key(of: picture, style)
    let drawing = drawing(picture, style, key, route, keep: config.cacheControl)
    guard cache.isEnabled else { return .draw(drawing) }
    switch cache.find(key) {
    case .fresh(let answer): return .answer(answer.on(route))
    case .stale(let answer): return .stale(answer.on(route), drawing)
    case .none: return .draw(drawing)
    }
  }

  private func drawing(
    _ picture: PictureRequest, _ style: StyleSite, _ key: TileCache.Key, _ route: String, keep: String
  ) -> Drawing {
    let pixels = picture.pixels
    return Drawing(
      pixels: pixels.width * pixels.height, key: "\(key.owner) \(key.path)", route: route
    ) { [cache, metrics] time in
      if let kept = cache.findOnDisk(key) { return kept }
      let era = cache.currentEra
      let answer = Site.draw(style.renderer, picture, deadline: time, metrics)
      guard answer.status == 200 else { return answer }
      let named = answer.named().keeping(keep)
      cache.store(named, for: key, era: era)
      return named
    }
  }

  /// All that tells one picture from another: addresses that mean the same have the same.
  private func key(of picture: PictureRequest, _ style: StyleSite) -> TileCache.Key {
    let how =
      "\(picture.width)x\(picture.height)@\(picture.ratio) \(picture.format) \(picture.quality) \(picture.mustBeComplete)"
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
      return .text(413, "@\(Int(picture.ratio))x is over the limit of \(limits.ratio)\n")
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
      switch picture.view {
      case .tile(let z, let x, let y):
        image = try renderer.drawTile(
          z: z, x: x, y: y, edge: picture.width, pixelRatio: picture.ratio, deadline: deadline)
      case .camera(let camera):
        image = try renderer.draw(
          camera: camera, width: picture.width, height: picture.height, pixelRatio: picture.ratio,
          deadline: deadline)
      case .box(let box):
        image = try renderer.draw(
          camera: try Camera(fitting: box, in: PictureSize(picture.width, picture.height)),
          width: picture.width, height: picture.height,
          pixelRatio: picture.ratio, deadline: deadline)
      case .auto: return .text(400, "auto: there is nothing to go around; give path, marker or geojson\n")
      }
      if !image.report.isComplete { metrics.noteProblem() }
      return try answer(image, picture)
    } catch {
      return .of(error)
    }
  }

  /// A picture that lacks something says so, and is not kept by anyone.
  private static func answer(_ image: Image, _ picture: PictureRequest) throws(NeatlineError) -> HTTPAnswer {
    let report = image.report
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

extension HTTPAnswer {
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
