import Neatline

/// What the server answers.
final class MapSite: Sendable {
  private let renderer: Renderer
  private let limits: ServerLimits
  private let page: HTTPAnswer
  /// Whether a picture that lacks what it needs is refused unless the client says otherwise.
  private let requiresComplete: Bool
  /// `info.json` waits this long for the attribution of sources that are not loaded yet.
  private static let infoMilliseconds = 5000

  init(_ renderer: Renderer, _ limits: ServerLimits, requiresComplete: Bool) throws {
    self.renderer = renderer
    self.requiresComplete = requiresComplete
    self.limits = limits
    let camera = try renderer.styleCamera
    page = HTTPAnswer(
      status: 200, type: "text/html; charset=utf-8",
      body: Array(
        ViewerPage.html(longitude: camera.longitude, latitude: camera.latitude, zoom: camera.zoom).utf8),
      headers: [("Content-Security-Policy", ViewerPage.policy)])
  }

  /// How a request is answered. Takes no time: what does is left to the work.
  func plan(_ request: HTTPRequest, _ state: ServerState) -> HTTPPlan {
    switch request.path {
    case "/": return plain(request, page)
    case "/health": return plain(request, MapSite.health(state))
    case "/info.json":
      if let refusal = MapSite.refusal(request, known: []) { return .answer(refusal) }
      return .draw(pixels: 0) { [renderer] in
        MapSite.info(renderer, deadline: min($0, MapSite.infoMilliseconds))
      }
    default: break
    }
    guard var picture = PictureRequest(path: request.path) else {
      return .answer(
        .text(
          404,
          """
          nothing here; tiles are at /{z}/{x}/{y}[@2x].png, pictures at /static/LON,LAT,ZOOM[@BEARING[,PITCH]]/WxH[@2x].png
          and /static/W,S,E,N/WxH[@2x].png, also as .jpg and .webp

          """))
    }
    if let refusal = MapSite.refusal(request, known: ["complete", "quality"]) { return .answer(refusal) }
    picture.mustBeComplete = requiresComplete
    if let text = request.query.first(where: { $0.name == "complete" })?.value {
      guard text == "0" || text == "1" else {
        return .answer(.text(400, "complete: \"\(text)\" is neither 0 nor 1\n"))
      }
      picture.mustBeComplete = text == "1"
    }
    if let text = request.query.first(where: { $0.name == "quality" })?.value {
      guard let quality = Int(text), (1...100).contains(quality) else {
        return .answer(.text(400, "quality: \"\(text)\" is not within 1 to 100\n"))
      }
      guard picture.format != .png else { return .answer(.text(400, "quality: PNG has none\n")) }
      picture.quality = quality
    }
    if let refusal = tooLarge(picture) { return .answer(refusal) }
    let pixels = picture.pixels
    return .draw(pixels: pixels.width * pixels.height) { [renderer, picture] in
      MapSite.draw(renderer, picture, deadline: $0)
    }
  }

  private func plain(_ request: HTTPRequest, _ answer: HTTPAnswer) -> HTTPPlan {
    .answer(MapSite.refusal(request, known: []) ?? answer)
  }

  /// Parameters that nobody reads are a mistake, and named.
  private static func refusal(_ request: HTTPRequest, known: [String]) -> HTTPAnswer? {
    var seen: Set<String> = []
    for (name, _) in request.query {
      guard known.contains(name) else {
        let list = known.isEmpty ? "this address takes none" : "known here: \(known.joined(separator: ", "))"
        return .text(400, "unknown parameter \"\(name)\"; \(list)\n")
      }
      guard seen.insert(name).inserted else { return .text(400, "parameter \"\(name)\" is given twice\n") }
    }
    return nil
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

  private static func draw(_ renderer: Renderer, _ picture: PictureRequest, deadline: Int) -> HTTPAnswer {
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
      case .box(let bounds):
        image = try renderer.draw(
          camera: try Camera(fitting: bounds, in: PictureSize(picture.width, picture.height)),
          width: picture.width, height: picture.height,
          pixelRatio: picture.ratio, deadline: deadline)
      }
      return try answer(image, picture)
    } catch {
      return answer(error)
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

  private static func answer(_ error: NeatlineError) -> HTTPAnswer {
    switch error.status {
    case .invalidArgument: .text(400, "\(error)\n")
    case .limitExceeded: .text(413, "\(error)\n")
    case .outOfMemory: .later(503, "\(error)\n")
    case .timeout: .text(504, "\(error)\n")
    default: .text(500, "\(error)\n")
    }
  }

  private static func info(_ renderer: Renderer, deadline: Int) -> HTTPAnswer {
    do throws(NeatlineError) {
      // What cannot be had in time is left out: the rest is worth having.
      _ = try? renderer.attribution(deadline: deadline)
      return HTTPAnswer(status: 200, type: "application/json", body: Array(try renderer.info.text.utf8))
    } catch {
      return answer(error)
    }
  }

  private static func health(_ state: ServerState) -> HTTPAnswer {
    let numbers = [
      ("connections", state.connections), ("waiting", state.waiting), ("drawing", state.drawing),
      ("answerBytes", state.answerBytes),
      ("answered", state.answered), ("refused", state.refused),
    ]
    let members =
      [("status", JSONValue.string(state.isStopping ? "stopping" : "ok"))]
      + numbers.map { ($0, .number(Double($1))) }
    var answer = HTTPAnswer(
      status: state.isStopping ? 503 : 200, type: "application/json",
      body: Array(JSONValue.object(members.map { JSONValue.Member($0.0, $0.1) }).text.utf8))
    if !state.isStopping { answer.headers.append(("Cache-Control", "no-store")) }
    return answer
  }
}
