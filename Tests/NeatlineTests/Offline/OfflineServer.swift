import NeatTestSupport
import Neatline

/// A server with a style whose one tile is red all over, and a database for it.
final class OfflineServer: Sendable {
  let server: TestServer
  let folder = WorkFolder()

  /// A polygon over all of the tile, in the layer "l".
  private static let tile: [UInt8] = {
    let geometry: [UInt8] = [9, 0, 0, 26, 0x80, 0x40, 0, 0, 0x80, 0x40, 0xFF, 0x3F, 0, 15]
    let feature = [0x18, 3, 0x22, UInt8(geometry.count)] + geometry
    let layer =
      [0x78, 2, 0x0A, 1, UInt8(ascii: "l"), 0x12, UInt8(feature.count)] + feature + [0x28, 0x80, 0x20]
    return [0x1A, UInt8(layer.count)] + layer
  }()

  init(_ trouble: @escaping @Sendable (TestServer.Request) -> TestServer.Reply? = { _ in nil }) {
    server = TestServer { request in
      if let reply = trouble(request) { return reply }
      let tag = "\"\(request.path)\""
      let headers = ["ETag": tag, "Cache-Control": "max-age=600"]
      if request.headers["if-none-match"] == tag { return .status(304, headers) }
      switch request.path {
      case "/style.json":
        let text = """
          {"version":8,"glyphs":"fonts/{fontstack}/{range}.pbf","sources":{"s":{"type":"vector","tiles":["t/{z}/{x}/{y}"],
           "maxzoom":4}},"layers":[{"id":"p","type":"background","paint":{"background-color":"#00f"}},
           {"id":"f","type":"fill","source":"s","source-layer":"l","paint":{"fill-color":"#f00"}},
           {"id":"t","type":"symbol","source":"s","source-layer":"l","layout":{"text-field":"","text-font":["A"]}}]}
          """
        return .status(200, headers, Array(text.utf8))
      case _ where request.path.hasPrefix("/t/"): return .status(200, headers, Self.tile)
      default: return .status(200, headers, [])
      }
    }
  }

  var style: String { server.url("/style.json") }
  var database: String { folder.file("cache.db") }

  func resources(_ path: String? = nil) throws -> Resources {
    var options = Resources.Options()
    options.cachePath = path ?? database
    return try Resources(options)
  }

  /// The pixel in the middle of a picture.
  static func draw(_ style: String, _ resources: Resources, lon: Double = 10, zoom: Double = 2) throws
    -> UInt32
  {
    var options = Options()
    options.resources = resources
    let renderer = try Renderer(styleURL: style, options: options)
    let image = try renderer.draw(
      camera: Camera(longitude: lon, latitude: 10, zoom: zoom), width: 16, height: 16)
    let at = (8 * 16 + 8) * 4
    return image.pixels[at..<at + 4].reduce(0) { $0 << 8 | UInt32($1) }
  }

  static let red: UInt32 = 0xFF00_00FF

  deinit { server.stop() }
}
