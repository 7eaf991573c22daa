import NeatBase
import NeatCamera
import NeatJSON
import NeatStyle
import NeatTile
import Testing

@testable import NeatMap

/// Layers of tiles that a style does not show are not decoded with them, and are there all the same.
@Suite struct UnshownLayerTests {
  private func layer(_ name: String) -> TileLayer {
    var builder = TileLayerBuilder(name: name, extent: 4096)
    builder.beginFeature(.polygon, id: 5)
    for point in [SIMD2<Int32>(0, 0), SIMD2(4096, 0), SIMD2(4096, 4096), SIMD2(0, 4096)] {
      builder.addPoint(point)
    }
    builder.endPart()
    builder.endFeature()
    return builder.build()
  }

  private func map(_ layers: String) throws -> MapCore {
    let json = """
      {"version": 8, "sources": {"s": {"type": "vector", "tiles": ["http://t/{z}/{x}/{y}"], "maxzoom": 2}},
      "layers": [\(layers)]}
      """
    return MapCore(style: try Style(json: JSON.parse(Array(json.utf8))), base: "")
  }

  private static let shown =
    #"{"id": "a", "type": "fill", "source": "s", "source-layer": "a", "paint": {"fill-color": "red"}}"#
  private static let deep = """
    {"id": "b", "type": "fill", "source": "s", "source-layer": "b", "minzoom": 4,
    "paint": {"fill-color": "blue"}}
    """

  private func draw(_ map: MapCore, zoom: Double) throws -> Picture {
    let tile = encodeMVT(VectorTile(layers: [layer("a"), layer("b")]))
    return try map.draw(
      camera: Camera(zoom: zoom), size: ViewSize(width: 16, height: 16),
      client: ResourceClient { $0.map { _ in .data(tile) } }, executor: .inline)
  }

  private func tiles(_ map: MapCore) throws -> [VectorTile] {
    let source = try #require(map.state.withLock { $0.sources["s"] })
    return (0..<4).compactMap { index in
      let id = TileID(z: 1, x: UInt32(index & 1), y: UInt32(index >> 1))
      guard case .vector(let tile)? = source.content(id) else { return nil }
      return tile
    }
  }

  private func isRead(_ entry: VectorTile.Entry) -> Bool {
    if case .read = entry { true } else { false }
  }

  @Test func questionsFindThem() throws {
    let map = try map(UnshownLayerTests.shown)
    let picture = try draw(map, zoom: 1)
    #expect(picture.report.entries.isEmpty)
    let tiles = try tiles(map)
    try #require(!tiles.isEmpty)
    for tile in tiles { #expect(tile.entries.map(isRead) == [true, false]) }
    let transform = try map.transform(Camera(zoom: 1), ViewSize(width: 16, height: 16))
    var query = SourceQuery(source: "s")
    query.layers = ["b"]
    guard case .features(let answer) = try map.answer(.sourceFeatures(query), transform) else {
      Issue.record("no features")
      return
    }
    #expect(answer.features.count == tiles.count)
    #expect(answer.features.allSatisfy { $0.sourceLayer == "b" })
  }

  /// What deeper zooms show is read, and cut, when they are there.
  @Test func deeperZoomsShowThem() throws {
    let map = try map(UnshownLayerTests.shown + "," + UnshownLayerTests.deep)
    let (shallow, deep) = (try draw(map, zoom: 2).bitmap, try draw(map, zoom: 4).bitmap)
    #expect(shallow.pixels[0] == 0xFF00_00FF, "red")
    #expect(deep.pixels[0] == 0xFFFF_0000, "blue")
  }

  @Test func aSourceLayerThatNoTileHasIsStillReported() throws {
    let other = #"{"id": "c", "type": "fill", "source": "s", "source-layer": "none"}"#
    let report = try draw(try map(UnshownLayerTests.shown + "," + other), zoom: 1).report
    #expect(report.entries.map(\.kind) == [.sourceLayer])
  }
}
