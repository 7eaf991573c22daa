import NeatBase
import NeatCamera
import NeatImage
import NeatJSON
import NeatRaster
import NeatStyle
import Testing

@testable import NeatMap

/// Terrain and extrusions on a globe, and the pictures that are draped over the ground.
@Suite struct GlobeTerrainTests {
  private static func dem(_ metres: Int) -> [UInt8] {
    let value = (metres + 10000) * 10
    let pixel = [UInt8(value >> 16), UInt8(value >> 8 & 255), UInt8(value & 255), 255]
    let bytes = [[UInt8]](repeating: pixel, count: 32 * 32).flatMap { $0 }
    return encodePNG(PixelImage(width: 32, height: 32, pixels: bytes, isPremultiplied: false))
  }

  private func map(
    _ root: String, _ layers: String, _ data: String = GlobeTerrainTests.point,
    sky: String = #""sky": {"atmosphere-blend": 0},"#
  ) throws -> MapCore {
    let style = #"""
      {"version": 8, "sources": {"dem": {"type": "raster-dem", "tiles": ["http://host/{z}/{x}/{y}"],
        "tileSize": 256, "maxzoom": 12}, "data": {"type": "geojson", "data": \#(data)}},
       \#(sky) "projection": {"type": "globe"}, \#(root) "layers": [\#(layers)]}
      """#
    return MapCore(style: try Style(json: try JSON.parse(Array(style.utf8))), base: "")
  }

  private static let point =
    #"{"type": "Feature", "properties": {}, "geometry": {"type": "Point", "coordinates": [30, 0]}}"#
  private static let terrain = #""terrain": {"source": "dem", "exaggeration": 1},"#
  private static let ground = #"{"id": "b", "type": "background", "paint": {"background-color": "red"}}"#
  private static let dot =
    ground + #", {"id": "c", "type": "circle", "source": "data", "paint": {"circle-color": "blue"}}"#

  private func draw(
    _ map: MapCore, _ camera: Camera, metres: Int = 0, executor: Executor = .inline
  ) throws -> (pixels: [UInt32], report: Report) {
    let tile = GlobeTerrainTests.dem(metres)
    let client = ResourceClient { $0.map { _ in .data(tile) } }
    let picture = try map.draw(
      camera: camera, size: ViewSize(width: 96, height: 96), client: client, executor: executor)
    return ((0..<96 * 96).map { picture.bitmap.pixels[$0] }, picture.report)
  }

  private func camera(zoom: Double = -1, bearing: Double = 0, lat: Double = 0) -> Camera {
    Camera(center: LonLat(0, lat), zoom: zoom, bearing: bearing)
  }

  private func columns(_ pixels: [UInt32], _ color: UInt32) -> [Int] {
    (0..<96 * 96).filter { pixels[$0] == color }.map { $0 % 96 }
  }

  @Test func onlyAStyleWithSkyHasAir() throws {
    let none = try draw(try map("", Self.ground, sky: ""), camera()).pixels
    #expect(try draw(try map("", Self.ground), camera()).pixels == none)
    #expect(try draw(try map("", Self.ground, sky: #""sky": {},"#), camera()).pixels != none)
  }

  @Test func groundAtSeaLevelLooksAsTheGlobeDoes() throws {
    let over = try draw(try map(Self.terrain, Self.dot), camera())
    let flat = try draw(try map("", Self.dot), camera())
    #expect(over.report.count == 0)
    #expect(zip(over.pixels, flat.pixels).count { $0 != $1 } < 40)
  }

  @Test func whatIsHigherIsNearerToTheEye() throws {
    let near = Camera(center: LonLat(20, 0), zoom: 1)
    let low = try draw(try map(Self.terrain, Self.dot), near, metres: 0).pixels
    let high = try draw(try map(Self.terrain, Self.dot), near, metres: 500_000).pixels
    // A dot to the east of the centre is seen further east.
    let before = try #require(columns(low, 0xFFFF_0000).max())
    let after = try #require(columns(high, 0xFFFF_0000).max())
    #expect(after > before + 3)
  }

  @Test func polesAreCovered() throws {
    let pixels = try draw(try map(Self.terrain, Self.ground), camera(lat: 85)).pixels
    #expect(pixels[48 * 96 + 48] == 0xFF00_00FF)
    #expect(pixels.filter { $0 != 0 }.allSatisfy { $0 == 0xFF00_00FF })
  }

  @Test func threadsDoNotMatter() throws {
    let many = Executor(width: 3) { count, body in for index in (0..<count).reversed() { body(index) } }
    let one = try draw(try map(Self.terrain, Self.dot), camera(), metres: 3000)
    let three = try draw(try map(Self.terrain, Self.dot), camera(), metres: 3000, executor: many)
    #expect(one.pixels == three.pixels)
  }

  @Test func picturesOfTheGroundServeUntilSomethingChanges() throws {
    let map = try map(Self.terrain, Self.ground)
    let pictures = map.frameMemories.groundPictures
    _ = try draw(map, camera())
    let count = pictures.count
    #expect(count > 0)
    let turned = try draw(map, camera(bearing: 30)).pixels
    #expect(pictures.count == count)
    // As from a map that has seen nothing before.
    #expect(try draw(try self.map(Self.terrain, Self.ground), camera(bearing: 30)).pixels == turned)
    _ = try draw(map, camera(zoom: -0.9))
    #expect(pictures.count == 2 * count)
    map.reduceMemory(keeping: nil)
    #expect(pictures.count == 0)
  }

  // MARK: Extrusions

  private static let band = #"""
    {"type": "Feature", "properties": {}, "geometry": {"type": "Polygon", "coordinates":
      [[[-180, -10], [180, -10], [180, 10], [-180, 10], [-180, -10]]]}}
    """#
  private static let wall =
    ground + #", {"id": "e", "type": "fill-extrusion", "source": "data", "paint": "#
    + #"{"fill-extrusion-color": "blue", "fill-extrusion-height": 900000}}"#

  @Test(arguments: ["", terrain]) func aWallAroundTheEquatorBendsWithTheGlobe(_ root: String) throws {
    let pixels = try draw(try map(root, Self.wall, Self.band), camera(lat: -30)).pixels
    func isBlue(_ pixel: UInt32) -> Bool { pixel >> 16 & 255 > 60 && pixel & 255 < 40 && pixel != 0 }
    let rows = (0..<96).map { row in (0..<96).count { isBlue(pixels[row * 96 + $0]) } }
    // It stands out over both sides of the globe, and what is behind the globe does not show through it.
    let ground = pixels.indices.filter { pixels[$0] == 0xFF00_00FF }.map { $0 % 96 }
    let wall = pixels.indices.filter { isBlue(pixels[$0]) }.map { $0 % 96 }
    let (west, east) = (try #require(wall.min()), try #require(wall.max()))
    #expect(ground.allSatisfy { $0 > west && $0 < east })
    #expect(rows[70] == 0 && rows.contains { $0 > 30 })
  }

  @Test func wallsAndRoofsAreCutWithoutALoss() throws {
    let view = try Transform(camera: camera(), size: ViewSize(width: 96, height: 96), globeness: 1)
    let tile = try #require(view.globeTile(OverscaledTileID(canonical: .world)))
    let parts = tile.parts(ofWall: SIMD4(10, 20, 700, 90), SIMD2(100, 800))
    #expect(parts.count > 10 && parts.first?.wall.lowHalf == SIMD2(10, 20))
    #expect(parts.last?.wall.highHalf == SIMD2(700, 90) && parts.last?.distances.y == 800)
    for (a, b) in zip(parts, parts.dropFirst()) { #expect(a.wall.highHalf == b.wall.lowHalf) }
    #expect(tile.parts(ofWall: SIMD4(1, 2, 3, 4), SIMD2(0, 3)).count == 1)
    var area: Float = 0
    tile.eachPart(ofRoof: [0, 1, 2], [SIMD2(5, 5), SIMD2(500, 60), SIMD2(40, 300)]) { corners in
      for last in 2..<corners.count {
        let (p, q) = (corners[last - 1] - corners[0], corners[last] - corners[0])
        area += (p.x * q.y - p.y * q.x) / 2
      }
    }
    #expect(abs(area - (495 * 295 - 55 * 35) / 2) < 1)
  }

  // MARK: Questions and changes

  @Test func aQuestionFindsWhatStandsThereOnTheGlobe() throws {
    let map = try map("", Self.dot)
    _ = try draw(map, camera())
    let view = try map.transform(camera(), ViewSize(width: 96, height: 96))
    let place = try #require(view.screen(place: LonLat(30, 0))).point
    let builder = map.frameBuilder(view)
    func hits(_ x: Double, _ y: Double) -> Int {
      var search = QuerySearch(builder: builder, options: QueryOptions(), area: .point(SIMD2(x, y)))
      return search.run().count
    }
    #expect(hits(place.x + 3, place.y) == 1)
    #expect(hits(place.x + 9, place.y) == 0)
  }

  @Test func theProjectionIsTheStyles() throws {
    let map = try map("", Self.ground)
    #expect(map.globeness(zoom: 3) == 1 && map.globeness(zoom: 11.5) == 0.5 && map.globeness(zoom: 13) == 0)
  }
}
