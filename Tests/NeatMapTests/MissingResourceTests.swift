import NeatBase
import NeatCamera
import NeatImage
import NeatJSON
import NeatMap
import NeatRaster
import NeatStyle
import Synchronization
import Testing

/// What is not to be had costs itself, not the map.
@Suite struct MissingResourceTests {
  /// A tile with one polygon over all of it, in the layer "l".
  private static let tile: [UInt8] = {
    let geometry: [UInt8] = [9, 0, 0, 26, 0x80, 0x40, 0, 0, 0x80, 0x40, 0xFF, 0x3F, 0, 15]
    let feature = [0x18, 3, 0x22, UInt8(geometry.count)] + geometry
    let layer =
      [0x78, 2, 0x0A, 1, UInt8(ascii: "l"), 0x12, UInt8(feature.count)] + feature + [0x28, 0x80, 0x20]
    return [0x1A, UInt8(layer.count)] + layer
  }()

  private final class Server: Sendable {
    let asked = Mutex<[String]>([])
    let answer: @Sendable (String) -> ResourceResult

    init(_ answer: @escaping @Sendable (String) -> ResourceResult) { self.answer = answer }

    var client: ResourceClient {
      ResourceClient { requests in
        requests.map { request in
          self.asked.withLock { $0.append(request.url) }
          return self.answer(request.url)
        }
      }
    }
  }

  private func core() throws -> MapCore {
    let style = #"""
      {"version": 8, "sources": {"s": {"type": "vector", "tiles": ["http://host/{z}/{x}/{y}"], "maxzoom": 14}},
       "glyphs": "http://host/{fontstack}/{range}", "sprite": "http://host/sprite",
       "layers": [{"id": "fill", "type": "fill", "source": "s", "source-layer": "l", "paint": {"fill-color": "#f00", "fill-antialias": false}},
                  {"id": "name", "type": "symbol", "source": "s", "source-layer": "l", "layout": {"text-field": "name", "icon-image": "i"}}]}
      """#
    return MapCore(style: try Style(json: try JSON.parse(Array(style.utf8))), base: "")
  }

  private func draw(_ core: MapCore, _ server: Server) throws -> Bitmap {
    try core.render(
      camera: Camera(center: LonLat(0.001, 0.001), zoom: 13), size: ViewSize(width: 16, height: 16),
      client: server.client,
      executor: .inline)
  }

  @Test func aVectorTileThatTheServerDoesNotHaveIsEmpty() throws {
    let server = Server { $0 == "http://host/9/256/255" ? .data(Self.tile) : .missing }
    let map = try core()
    let bitmap = try draw(map, server)
    #expect(bitmap.pixels[8 * 16 + 8] == 0)
    #expect(zooms(server) == [13] && !map.problems.contains { $0.resource.contains("/13/") })
  }

  @Test func aBrokenTileIsDrawnFromItsAncestorTenLevelsUpAtMost() throws {
    let broken = Server { $0.hasPrefix("http://host/9/") ? .data(Self.tile) : .data([0x1A, 0x7F, 0x01]) }
    #expect(try draw(try core(), broken).pixels[8 * 16 + 8] == 0xFF00_00FF)
    #expect(zooms(broken) == Set(9...13))
    let all = Server { _ in .data([0x1A, 0x7F, 0x01]) }
    #expect(try draw(try core(), all).pixels[8 * 16 + 8] == 0)
    #expect(zooms(all) == Set(3...13))
  }

  private static let raster = #"""
    {"version": 8, "sources": {"s": {"type": "raster", "tiles": ["http://host/{z}/{x}/{y}"], "tileSize": 512}},
     "layers": [{"id": "r", "type": "raster", "source": "s"}]}
    """#

  @Test func aPictureThatTheServerDoesNotHaveIsDrawnFromItsAncestor() throws {
    let image = encodePNG(
      PixelImage(
        width: 4, height: 4, pixels: [[UInt8]](repeating: [255, 0, 0, 255], count: 16).flatMap { $0 },
        isPremultiplied: false))
    let server = Server { $0 == "http://host/9/256/255" ? .data(image) : .missing }
    let map = MapCore(style: try Style(json: try JSON.parse(Array(Self.raster.utf8))), base: "")
    #expect(try draw(map, server).pixels[8 * 16 + 8] == 0xFF00_00FF)
    #expect(zooms(server).isSuperset(of: 9...13))

    // Where a view takes more than is kept, what is missing is still not asked for again in each turn.
    var options = MapCore.Options()
    options.cacheBytes = 0
    let small = MapCore(
      style: try Style(json: try JSON.parse(Array(Self.raster.utf8))), base: "", options: options)
    _ = try draw(small, server)
    let view = try Transform(
      camera: Camera(center: LonLat(0.001, 0.001), zoom: 13), size: ViewSize(width: 16, height: 16))
    for _ in 0..<3 { #expect(small.needs(for: view).isEmpty) }
  }

  private func zooms(_ server: Server) -> Set<Int> {
    Set(
      server.asked.withLock { $0 }.compactMap { Int($0.dropFirst("http://host/".count).prefix { $0 != "/" }) }
    )
  }

  @Test func anUnreachableServerIsNotAskedForAncestors() throws {
    let server = Server { _ in .failed(NeatError(.network, "refused")) }
    let map = try core()
    _ = try draw(map, server)
    #expect(
      server.asked.withLock {
        $0.filter { Int($0.dropFirst("http://host/".count).prefix { $0 != "/" }) != nil }.count
      } == 1)
    #expect(map.problems.contains { $0.code == .network && $0.resource == "http://host/13/4096/4095" })
  }

  @Test func aBrokenTileIsNamedAndCostsItself() throws {
    let server = Server {
      $0.hasSuffix("/13/4096/4095")
        ? .data([0x1A, 0x7F, 0x01]) : $0.hasSuffix("/12/2048/2047") ? .data(Self.tile) : .missing
    }
    let map = try core()
    let bitmap = try draw(map, server)
    #expect(bitmap.pixels[8 * 16 + 8] == 0xFF00_00FF)
    let problem = try #require(map.problems.first { $0.code == .tile })
    #expect(problem.resource.contains("http://host/13/4096/4095"))
    #expect(problem.message.contains("byte"))
  }

  @Test func missingGlyphsAndSpritesAreNamedAndTheRestIsDrawn() throws {
    let server = Server { $0.hasSuffix("/13/4096/4095") ? .data(Self.tile) : .missing }
    let map = try core()
    #expect(try draw(map, server).pixels[8 * 16 + 8] == 0xFF00_00FF)
    #expect(map.problems.contains { $0.resource.contains("sprite") })
    #expect(map.problems.contains { $0.resource.contains("0-255") })
  }
}
