import NeatABI
import NeatBase
import NeatCamera
import NeatImage
import NeatJSON
import NeatMap
import NeatRaster
import NeatStyle
import NeatText
import Testing

/// Whatever a tile, a GeoJSON document, a style's values and a camera say: there is a picture, a frame for a
/// GPU and an answer, or an error.
@Suite struct DrawFuzzTests {
  /// A picture of noise for raster tiles, heights and image sources.
  private static let picture: [UInt8] = {
    var random = FuzzRandom(seed: 99)
    let pixels = (0..<64 * 64 * 4).map { _ in UInt8(truncatingIfNeeded: random.next()) }
    return encodePNG(PixelImage(width: 64, height: 64, pixels: pixels, isPremultiplied: false))
  }()

  private func client(_ tile: [UInt8]) -> ResourceClient {
    ResourceClient { requests in
      requests.map { request in
        if request.url.hasPrefix("fuzz://v/") { return .data(tile) }
        if request.url.hasPrefix("fuzz://glyphs/") { return Shared.glyphs.map { .data($0) } ?? .missing }
        return .data(Self.picture)
      }
    }
  }

  private func images(_ core: MapCore, _ random: inout FuzzRandom) {
    let pixels = (0..<8 * 8 * 4).map { UInt8(truncatingIfNeeded: $0 * 7) }
    let ratio = random.pick([1, 2, 0.001, 1000])
    core.addImage(
      StyleImage(
        name: "i", width: 8, height: 8, pixelRatio: ratio, isSDF: false, pixels: pixels, stretchX: [2...4],
        stretchY: [3...5],
        content: SIMD4(1, 1, 7, 7)))
    core.addImage(StyleImage(name: "sdf", width: 8, height: 8, pixelRatio: 1, isSDF: true, pixels: pixels))
  }

  private func camera(_ random: inout FuzzRandom) -> Camera {
    var camera = Camera(
      center: LonLat(random.within(-180, 180), random.within(-85, 85)), zoom: random.within(-2, 25.5))
    if random.chance(4) {
      camera.center = LonLat(random.pick([-36000, 36000, 0, 180]), random.pick([-90, 90, 0]))
    }
    if random.chance(4) { camera.zoom = random.pick([-2, 25.5, 0, 14, 22]) }
    if random.chance(2) { camera.pitch = random.chance(4) ? 85 : random.within(0, 85) }
    if random.chance(2) { camera.bearing = random.within(-360, 360) }
    if random.chance(8) { camera.roll = random.within(-180, 180) }
    if random.chance(8) { camera.fieldOfView = random.pick([0.1, 150, 90]) }
    if random.chance(8) {
      camera.padding = EdgeInsets(top: random.pick([0, 65536, 10]), left: random.pick([0, 65536, 10]))
    }
    return camera
  }

  private func size(_ random: inout FuzzRandom) -> ViewSize {
    let size = ViewSize(
      width: 1 + random.below(96), height: 1 + random.below(96),
      pixelRatio: random.pick([1, 1, 1, 2, 0.5, 3.7]))
    return (try? size.checked()) ?? ViewSize(width: 16, height: 16)
  }

  /// Draws, asks and makes frames of one style over one tile through a few cameras. Errors that name what is
  /// wrong are in order.
  private func look(at style: String, _ tile: [UInt8], _ random: inout FuzzRandom) throws {
    guard let parsed = try? Style(parsing: Array(style.utf8)) else {
      Issue.record("not a style: \(style)")
      return
    }
    let size = size(&random)
    var options = MapCore.Options()
    options.pixelRatio = size.pixelRatio
    let core = MapCore(style: parsed, base: "", options: options)
    images(core, &random)
    let client = client(tile)
    _ = try core.styleCamera.checked()
    for number in 0..<3 {
      let camera = number == 0 ? core.styleCamera : camera(&random)
      do throws(NeatError) {
        let bitmap = try core.render(
          camera: camera, size: size, labelMargin: random.chance(4) ? 64 : 0, client: client,
          executor: .inline)
        #expect(bitmap.width == size.deviceWidth && bitmap.height == size.deviceHeight)
        _ = try core.renderMeshes(camera: camera, size: size, client: client, executor: .inline)
        let transform = try Transform(camera: camera, size: size)
        let middle = SIMD2(Double(size.deviceWidth), Double(size.deviceHeight)) / 2
        let answer = core.query(transform, random.chance(2) ? .point(middle) : .box(.zero, middle * 2))
        _ = try JSON.parse(answer.json())
      } catch {
        #expect(!error.message.isEmpty)
      }
    }
  }

  @Test func tilesOfExtremeCoordinatesAndExtentsAreDrawnByEveryLayer() throws {
    try Fuzz.run(rounds: 400) { random in
      let tile = TileBytes.tile(&random)
      let style = StyleText.style(geojson: StyleText.geojson(&random), &random)
      try look(at: style, tile, &random)
    }
  }

  @Test func damagedTilesAreDrawnByEveryLayer() throws {
    let real = Shared.tiles
    try Fuzz.run(rounds: 200) { random in
      var tile = real.isEmpty || random.chance(2) ? TileBytes.tile(&random) : random.pick(real)
      for _ in 0..<1 + random.below(4) { damage(&tile, &random) }
      let style = StyleText.style(geojson: StyleText.geojson(&random), &random)
      try look(at: style, tile, &random)
    }
  }
}
