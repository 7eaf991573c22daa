import NeatImage
import NeatBase
import NeatTestSupport

/// A style with sprite, a source with TileJSON, and tiles, behind a server of the tests' own.
final class World: Sendable {
  /// A tile with one polygon over all of it, in the layer "l".
  static let tile: [UInt8] = {
    let geometry: [UInt8] = [9, 0, 0, 26, 0x80, 0x40, 0, 0, 0x80, 0x40, 0xFF, 0x3F, 0, 15]
    let feature = [0x18, 3, 0x22, UInt8(geometry.count)] + geometry
    let layer =
      [0x78, 2, 0x0A, 1, UInt8(ascii: "l"), 0x12, UInt8(feature.count)] + feature + [0x28, 0x80, 0x20]
    return [0x1A, UInt8(layer.count)] + layer
  }()

  static let pixel = encodePNG(
    PixelImage(width: 1, height: 1, pixels: [255, 0, 0, 255], isPremultiplied: true))

  let server: TestServer

  private final class Port: Sendable {
    let number = Locked<UInt16>(0)
  }

  /// `answer`: what the server says instead, to a path.
  init(_ answer: @escaping @Sendable (TestServer.Request) -> TestServer.Reply? = { _ in nil }) {
    let port = Port()
    server = TestServer { request in
      let host = "http://127.0.0.1:\(port.number.withLock { $0 })"
      return answer(request) ?? World.answer(request, host)
    }
    let number = server.port
    port.number.withLock { $0 = number }
  }

  deinit { server.stop() }

  private static func answer(_ request: TestServer.Request, _ host: String) -> TestServer.Reply {
    let path = request.path.prefix { $0 != "?" }
    switch path {
    case "/style.json": return .status(200, [:], Array(style(host).utf8))
    case "/sprite.json":
      return .status(200, [:], Array(#"{"dot":{"x":0,"y":0,"width":1,"height":1,"pixelRatio":1}}"#.utf8))
    case "/sprite.png": return .status(200, [:], pixel)
    case "/source.json":
      return .status(
        200, [:], Array(#"{"tiles":["\#(host)/tiles/{z}/{x}/{y}?token=t0k"],"maxzoom":4}"#.utf8))
    default:
      guard path.hasPrefix("/tiles/") else { return .status(404) }
      return .status(200, ["ETag": "\"v1\"", "Cache-Control": "max-age=60"], tile)
    }
  }

  static func style(_ host: String, extra: String = "") -> String {
    """
    {"version": 8, "sprite": "\(host)/sprite", \(extra)
     "sources": {"s": {"type": "vector", "url": "\(host)/source.json"}},
     "layers": [{"id": "paper", "type": "background", "paint": {"background-color": "#00f"}},
                {"id": "fill", "type": "fill", "source": "s", "source-layer": "l",
                 "paint": {"fill-color": "#f00"}}]}
    """
  }

  var url: String { server.url("/style.json") }

  var tileCount: Int { server.requests.filter { $0.path.hasPrefix("/tiles/") }.count }
}
