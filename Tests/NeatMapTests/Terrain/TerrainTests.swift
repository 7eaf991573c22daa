import NeatBase
import NeatCamera
import NeatImage
import NeatJSON
import NeatLoop
import NeatRaster
import NeatStyle
import Testing

@testable import NeatMap

@Suite struct TerrainTests {
  /// Elevations of one height everywhere, in metres, as Mapbox's Terrain-RGB.
  private static func dem(_ metres: Int, size: Int = 32) -> [UInt8] {
    let value = (metres + 10000) * 10
    let pixel = [UInt8(value >> 16), UInt8(value >> 8 & 255), UInt8(value & 255), 255]
    let bytes = [[UInt8]](repeating: pixel, count: size * size).flatMap { $0 }
    return encodePNG(PixelImage(width: size, height: size, pixels: bytes, isPremultiplied: false))
  }

  private func map(
    _ root: String, layers: String = #"{"id": "b", "type": "background"}"#, sources: String = ""
  ) throws -> MapCore {
    let style = #"""
      {"version": 8, "sources": {\#(sources) "dem": {"type": "raster-dem", "tiles": ["http://host/{z}/{x}/{y}"],
        "tileSize": 256, "maxzoom": 12}, "points": {"type": "geojson", "data":
        {"type": "Feature", "properties": {}, "geometry": {"type": "Point", "coordinates": [11, 47]}}}},
       \#(root) "layers": [\#(layers)]}
      """#
    return MapCore(style: try Style(json: try JSON.parse(Array(style.utf8))), base: "")
  }

  private func camera(pitch: Double = 60) -> Camera {
    Camera(center: LonLat(11, 47), zoom: 13, bearing: 0, pitch: pitch)
  }

  private let size = ViewSize(width: 64, height: 64)

  private func draw(_ map: MapCore, pitch: Double = 60, metres: Int = 1000, _ executor: Executor = .inline)
    throws -> (pixels: [UInt32], report: Report)
  {
    let tile = TerrainTests.dem(metres)
    let client = ResourceClient { $0.map { _ in .data(tile) } }
    let picture = try map.draw(camera: camera(pitch: pitch), size: size, client: client, executor: executor)
    return ((0..<64 * 64).map { picture.bitmap.pixels[$0] }, picture.report)
  }

  private static let terrain = #""terrain": {"source": "dem", "exaggeration": 2},"#
  private static let dot = #"""
    {"id": "b", "type": "background", "paint": {"background-color": "red"}},
    {"id": "c", "type": "circle", "source": "points", "paint": {"circle-color": "blue", "circle-radius": 6}}
    """#

  /// A plateau of 4,000 metres south of the centre, where the eye is.
  @Test func anEyeWithinAMountainIsRaisedToItsTop() throws {
    let tiles = [0, 4000].map { TerrainTests.dem($0) }
    let (south, flat) = try (map(TerrainTests.terrain), map(TerrainTests.terrain))
    let view = try south.transform(camera(pitch: 70), ViewSize(width: 512, height: 512))
    let edge = view.center.y / view.worldSize + 200 / view.worldSize
    func client(_ isHigh: @escaping @Sendable (Double) -> Bool) -> ResourceClient {
      ResourceClient { requests in
        requests.map { request in
          let parts = request.url.split(separator: "/").compactMap { UInt32($0) }
          guard parts.count == 3 else { return .missing }
          // By the tile's middle.
          return .data(tiles[isHigh((Double(parts[2]) + 0.5) / exp2(Double(parts[0]))) ? 1 : 0])
        }
      }
    }
    try south.load(view, client: client { $0 > edge }, executor: .inline)
    try flat.load(view, client: client { _ in false }, executor: .inline)
    let (raised, level) = (south.grounded(view), flat.grounded(view))
    #expect(level.camera == view.camera)
    #expect(level.eyeAltitude(level.elevation) < 4000)
    #expect(raised.elevation == 0)
    #expect(abs(raised.eyeAltitude(0) - 8000) < 1)
    #expect(raised.camera.pitch < 60)
    let moved = raised.eyePlace - view.eyePlace
    #expect((moved * moved).sum().squareRoot() < 1e-9)
    #expect(raised.camera.center == view.camera.center)
  }

  @Test func theCentreLiesOnTheGroundSoThatLevelGroundLooksAsTheFlatMapDoes() throws {
    let over = try draw(try map(TerrainTests.terrain, layers: TerrainTests.dot))
    let flat = try draw(try map("", layers: TerrainTests.dot))
    #expect(over.report.count == 0)
    let differing = zip(over.pixels, flat.pixels).count { !TerrainTests.isNear($0, $1) }
    #expect(differing <= 128, "\(differing) pixels differ")
    #expect(TerrainTests.isBlue(over.pixels[32 * 64 + 32]))
  }

  /// Of the dot, which the ground half a pixel before it may hide a little.
  private static func isBlue(_ pixel: UInt32) -> Bool { pixel >> 16 & 255 > 240 && pixel & 255 < 16 }

  private static func isNear(_ a: UInt32, _ b: UInt32) -> Bool {
    (0..<4).allSatisfy { abs(Int(a >> UInt32(8 * $0) & 255) - Int(b >> UInt32(8 * $0) & 255)) <= 8 }
  }

  @Test func aPictureIsTheSameForAnyNumberOfThreads() throws {
    let one = try draw(try map(TerrainTests.terrain, layers: TerrainTests.dot))
    let many = try draw(
      try map(TerrainTests.terrain, layers: TerrainTests.dot),
      Executor(width: 3) { count, body in for index in (0..<count).reversed() { body(index) } })
    #expect(one.pixels == many.pixels)
  }

  private static let stripes = #"""
    {"id": "b", "type": "background", "paint": {"background-color": "red"}},
    {"id": "r", "type": "color-relief", "source": "dem", "paint": {"color-relief-opacity": 0.3,
      "color-relief-color": ["interpolate", ["linear"], ["elevation"], 0, "white", 2000, "blue"]}},
    {"id": "h", "type": "hillshade", "source": "dem"},
    {"id": "i", "type": "raster", "source": "image", "paint": {"raster-opacity": 0.6}},
    {"id": "e", "type": "fill-extrusion", "source": "line"},
    {"id": "f", "type": "fill", "source": "areas", "paint": {"fill-color": "#00f", "fill-opacity": 0.4}},
    {"id": "o", "type": "fill", "source": "areas", "filter": ["==", ["get", "n"], 1], "paint": {
      "fill-outline-color": "rgba(0, 255, 255, 0.5)", "fill-color": "#fff", "fill-layer-opacity": 0.5}},
    {"id": "d", "type": "line", "source": "areas", "paint": {"line-color": "rgba(9, 9, 9, 0.5)",
      "line-width": 2.5, "line-dasharray": [2, 1], "line-blur": 1}},
    {"id": "w", "type": "background", "paint": {"background-color": "rgba(255, 255, 255, 0.1)"}},
    {"id": "l", "type": "line", "source": "line", "paint": {"line-color": "lime", "line-width": 5}}
    """#
  private static let line = #"""
    "line": {"type": "geojson", "data": {"type": "Feature", "properties": {}, "geometry":
      {"type": "LineString", "coordinates": [[11, 46.9], [11.001, 47], [10.999, 47.05], [11, 47.2]]}}},
    "image": {"type": "image", "url": "http://host/image", "coordinates": [[10.98, 47.03], [11.05, 47.02],
      [11.03, 46.97], [10.97, 46.98]]},
    "areas": {"type": "geojson", "data": {"type": "FeatureCollection", "features": [
      {"type": "Feature", "properties": {"n": 0}, "geometry": {"type": "Polygon", "coordinates":
        [[[10.98, 46.98], [11.003, 46.95], [11.004, 47.01], [10.99, 47.04], [10.98, 46.98]]]}},
      {"type": "Feature", "properties": {"n": 1}, "geometry": {"type": "Polygon", "coordinates":
        [[[10.9995, 46.97], [11.06, 46.99], [11.02, 47.05], [10.9995, 46.97]]]}}]}},
    """#

  /// Degrees that a step moves to the north and to the east, and turns.
  @Test(arguments: [(0.006, 0.0, 0.0), (0.0005, 0.006, 0), (0.003, 0.004, 31)])
  func picturesThatComeIntoViewLittleByLittleAreAsIfDrawnAtOnce(
    _ north: Double, _ east: Double, _ turn: Double
  )
    throws
  {
    let client = ResourceClient { $0.map { _ in .data(TerrainTests.slope) } }
    let pool = WorkerPool(width: 3)
    let many = Executor(width: 3) { count, body in for index in (0..<count).reversed() { body(index) } }
    func picture(_ map: MapCore, _ step: Double, _ executor: Executor) throws -> [UInt32] {
      let camera = Camera(
        center: LonLat(11 + step * east, 47 + step * north), zoom: 13, bearing: 20 + step * turn, pitch: 50)
      let drawn = try map.draw(camera: camera, size: size, client: client, executor: executor)
      return (0..<64 * 64).map { drawn.bitmap.pixels[$0] }
    }
    func fresh() throws -> MapCore {
      try map(TerrainTests.terrain, layers: TerrainTests.stripes, sources: TerrainTests.line)
    }
    // A debug build draws thirty times as long: it compares fewer.
    #if DEBUG
      let compared = Set([3, 6, 9, 11])
    #else
      let compared = Set(0..<12)
    #endif
    let moving = try fresh()
    var colours = 0
    for number in 0..<12 {
      let step = Double(number > 6 ? 4 - number : number)
      let pixels = try picture(moving, step, number % 2 == 0 ? pool.executor : many)
      if compared.contains(number) { #expect(try picture(fresh(), step, .inline) == pixels) }
      #expect(east > 0 || pixels.contains { $0 == 0xFF00_FF00 })
      colours = max(colours, Set(pixels).count)
    }
    #expect(colours > 20)
  }

  /// Elevations that rise to the east.
  private static let slope: [UInt8] = {
    let pixels = (0..<32 * 32).flatMap { index -> [UInt8] in
      let value = (500 + 20 * (index % 32) + 10000) * 10
      return [UInt8(value >> 16), UInt8(value >> 8 & 255), UInt8(value & 255), 255]
    }
    return encodePNG(PixelImage(width: 32, height: 32, pixels: pixels, isPremultiplied: false))
  }()

  @Test func groundHidesWhatIsBehindItThoughNothingIsDrawnOnIt() throws {
    // The ground rises to the east and falls back at the edge of each tile.
    let area = #"""
      "area": {"type": "geojson", "data": {"type": "Feature", "properties": {}, "geometry": {"type": "Polygon",
        "coordinates": [[[10.5, 46.5], [11.5, 46.5], [11.5, 47.5], [10.5, 47.5], [10.5, 46.5]]]}}},
      """#
    let client = ResourceClient { $0.map { _ in .data(TerrainTests.slope) } }
    func seen(_ layer: String) throws -> [Bool] {
      let extrusion = #"""
        {"id": "e", "type": "fill-extrusion", "source": "area", "paint": {"fill-extrusion-color": "blue",
          "fill-extrusion-height": 1}}
        """#
      let map = try map(TerrainTests.terrain, layers: layer + extrusion, sources: area)
      let camera = Camera(center: LonLat(11, 47), zoom: 11, bearing: 90, pitch: 70)
      let bitmap = try map.draw(camera: camera, size: size, client: client, executor: .inline).bitmap
      return withExtendedLifetime(bitmap) { (0..<64 * 64).map { bitmap.pixels[$0] >> 16 & 255 > 60 } }
    }
    let bare = try seen("")
    let ground = try seen(#"{"id": "b", "type": "background", "paint": {"background-color": "red"}},"#)
    // Where nothing is draped, the ground is not drawn.
    #expect(bare != ground)
    // Under a relief without light or shadow it is.
    let relief = #"""
      {"id": "h", "type": "hillshade", "source": "dem", "paint": {"hillshade-exaggeration": 0}},
      """#
    #expect(try seen(relief) == ground)
  }

  @Test func theSkyShowsAboveTheHorizonAndNothingWithoutOne() throws {
    let sky = try draw(try map(#""sky": {"sky-color": "blue", "sky-horizon-blend": 0},"#), pitch: 85)
    #expect(sky.pixels[0] == 0xFFFF_0000 && sky.pixels[63 * 64] == 0xFF00_0000)
    let none = try draw(try map(""), pitch: 85)
    #expect(none.pixels[0] == 0 && none.pixels[63 * 64] == 0xFF00_0000)
  }

  @Test func layersOfTypeSkyLieBehindEverything() throws {
    let layers = #"""
      {"id": "b", "type": "background"},
      {"id": "s", "type": "sky", "paint": {"sky-type": "gradient", "sky-gradient": ["interpolate", ["linear"],
        ["sky-radial-progress"], 0, "lime", 1, "lime"]}}
      """#
    let picture = try draw(try map("", layers: layers), pitch: 85)
    #expect(picture.pixels[0] == 0xFF00_FF00 && picture.pixels[63 * 64] == 0xFF00_0000)
    let air = try draw(try map("", layers: #"{"id": "s", "type": "sky"}"#), pitch: 85)
    #expect(air.pixels[0] >> 24 == 255)
  }

  @Test(arguments: [
    #""terrain": {"source": "gone"},"#, #""terrain": {"source": "points"},"#,
  ]) func aTerrainWithoutElevationsIsFlatAndReported(_ root: String) throws {
    let drawn = try draw(try map(root))
    #expect(drawn.report.entries.contains { $0.resource == "terrain" && $0.code == .unsupported })
    #expect(drawn.pixels[63 * 64] == 0xFF00_0000)
  }

  @Test(arguments: [[UInt8]](arrayLiteral: [], [1, 2, 3], TerrainTests.dem(5, size: 1)))
  func brokenElevationsLeaveTheGroundFlat(_ tile: [UInt8]) throws {
    let map = try map(TerrainTests.terrain)
    let client = ResourceClient { $0.map { _ in .data(tile) } }
    let picture = try map.draw(camera: camera(), size: size, client: client, executor: .inline)
    #expect(picture.bitmap.pixels[63 * 64] == 0xFF00_0000)
  }

  @Test func aHeightOfTheCentreThatIsSaidMovesTheGround() throws {
    let map = try map(TerrainTests.terrain, layers: TerrainTests.dot)
    map.setCenterElevation(5000)
    #expect(!TerrainTests.isBlue(try draw(map).pixels[32 * 64 + 32]))
    map.setCenterElevation(nil)
    #expect(TerrainTests.isBlue(try draw(map).pixels[32 * 64 + 32]))
  }

  @Test func aQuestionIsAboutTheGroundUnderThePoint() throws {
    let map = try map(
      TerrainTests.terrain,
      layers: #"{"id": "c", "type": "circle", "source": "points", "paint": {"circle-radius": 6}}"#)
    _ = try draw(map)
    let view = try Transform(camera: camera(), size: size)
    let builder = map.frameBuilder(view)
    let hit = try #require(builder.terrain?.world(screen: SIMD2(32, 32)))
    let away = hit - view.center
    #expect((away * away).sum() < 4)
  }
}
