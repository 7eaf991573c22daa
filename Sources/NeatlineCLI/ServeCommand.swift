import Neatline

/// `neatline serve`: raster tiles, static pictures and a viewer page of a style, over HTTP.
enum ServeCommand {
  static func run(_ arguments: [String]) throws {
    let options = try Arguments(
      arguments, values: ["--port", "--host", "--font", "--threads", "--local-files"], flags: ["--no-system-fonts"])
    let style = try options.only("STYLE")
    let renderer = try Renderer(styleURL: style, options: try RenderCommand.rendererOptions(options))
    let site = try MapSite(renderer)
    let server = try HTTPServer(
      host: options.text("--host") ?? "127.0.0.1", port: UInt16(try options.integer("--port", in: 0...65535) ?? 8080))
    Console.out("serving \(style) at http://\(server.address)/")
    server.run { site.answer($0) }
  }
}

/// What the server answers.
final class MapSite: Sendable {
  private let renderer: Renderer
  private let page: [UInt8]
  /// Pictures wait for their resources this long.
  private static let deadlineMilliseconds = 60_000

  init(_ renderer: Renderer) throws {
    self.renderer = renderer
    let camera = try renderer.styleCamera
    page = Array(ViewerPage.html(longitude: camera.longitude, latitude: camera.latitude, zoom: camera.zoom).utf8)
  }

  func answer(_ path: String) -> HTTPAnswer {
    if path == "/" { return HTTPAnswer(status: 200, type: "text/html; charset=utf-8", body: page) }
    do {
      if path == "/info.json" { return HTTPAnswer(status: 200, type: "application/json", body: Array(try renderer.info.text.utf8)) }
      if let request = TileRequest(path) { return try png(tile(request)) }
      if let request = StaticRequest(path) { return try png(picture(request)) }
      return .text(
        404, "nothing here; tiles are at /{z}/{x}/{y}[@2x].png, pictures at /static/LON,LAT,ZOOM[,BEARING[,PITCH]]/WxH[@2x].png\n")
    } catch let error as NeatlineError {
      return .text(error.status == .invalidArgument ? 400 : 500, "\(error)\n")
    } catch {
      return .text(500, "\(error)\n")
    }
  }

  private func png(_ image: Image) throws -> HTTPAnswer { HTTPAnswer(status: 200, type: "image/png", body: try image.png(.fast)) }

  private func tile(_ request: TileRequest) throws -> Image {
    try renderer.drawTile(
      z: request.z, x: request.x, y: request.y, edge: 256, pixelRatio: request.ratio, deadline: MapSite.deadlineMilliseconds)
  }

  private func picture(_ request: StaticRequest) throws -> Image {
    var camera = Camera()
    camera.longitude = request.numbers[0]
    camera.latitude = request.numbers[1]
    camera.zoom = request.numbers[2]
    if request.numbers.count > 3 { camera.bearing = request.numbers[3] }
    if request.numbers.count > 4 { camera.pitch = request.numbers[4] }
    return try renderer.draw(
      camera: camera, width: request.width, height: request.height, pixelRatio: request.ratio,
      deadline: MapSite.deadlineMilliseconds)
  }
}

/// The name of a picture file without `.png` and with `@2x` read; nil for other names.
private func picture(_ name: Substring) -> (stem: Substring, ratio: Double)? {
  guard name.hasSuffix(".png") else { return nil }
  let stem = name.dropLast(4)
  return stem.hasSuffix("@2x") ? (stem.dropLast(3), 2) : (stem, 1)
}

/// `/z/x/y[@2x].png`
struct TileRequest {
  let z: Int
  let x: Int
  let y: Int
  let ratio: Double

  init?(_ path: String) {
    let parts = path.split(separator: "/")
    guard parts.count == 3, let (stem, ratio) = picture(parts[2]), let z = Int(parts[0]), let x = Int(parts[1]), let y = Int(stem), z >= 0,
      x >= 0, y >= 0
    else {
      return nil
    }
    (self.z, self.x, self.y, self.ratio) = (z, x, y, ratio)
  }
}

/// `/static/LON,LAT,ZOOM[,BEARING[,PITCH]]/WxH[@2x].png`
struct StaticRequest {
  let numbers: [Double]
  let width: Int
  let height: Int
  let ratio: Double

  init?(_ path: String) {
    let parts = path.split(separator: "/")
    guard parts.count == 3, parts[0] == "static", let (stem, ratio) = picture(parts[2]) else { return nil }
    let fields = parts[1].split(separator: ",")
    let numbers = fields.compactMap { Double($0) }
    let size = stem.split(separator: "x").compactMap { Int($0) }
    guard (3...5).contains(numbers.count), numbers.count == fields.count, size.count == 2 else { return nil }
    (self.numbers, width, height, self.ratio) = (numbers, size[0], size[1], ratio)
  }
}
