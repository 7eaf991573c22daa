import NeatBase
import NeatCamera
import Testing

@Suite struct TransformTests {
  /// What lies under a pixel is seen at that pixel.
  @Test func screenAndGroundAreInverse() throws {
    var random = SystemRandomNumberGenerator()
    func number(_ range: ClosedRange<Double>) -> Double { Double.random(in: range, using: &random) }
    var checked = 0
    for _ in 0..<300 {
      var camera = Camera(center: LonLat(number(-180...180), number(-80...80)), zoom: number(-1...20))
      (camera.bearing, camera.pitch, camera.roll) = (number(-360...360), number(0...84), number(-30...30))
      let size = ViewSize(width: 300, height: 200, pixelRatio: number(0.5...3))
      let view = try Transform(camera: camera, size: size)
      let pixel = SIMD2(
        number(0...1) * Double(size.deviceWidth), number(0...1) * Double(size.deviceHeight))
      guard let world = view.world(screen: pixel), let back = view.screen(world: world) else { continue }
      // Beside the horizon a pixel is as wide as a country.
      let away = world - view.center
      guard (away * away).sum().squareRoot() < 20 * view.cameraToCenterDistance else { continue }
      checked += 1
      #expect(abs(back.x - pixel.x) < 0.01 && abs(back.y - pixel.y) < 0.01, "\(camera)")
    }
    #expect(checked > 100)
  }

  @Test func theCentreIsInTheMiddleAndPaddingMovesIt() throws {
    var camera = Camera(center: LonLat(12, 34), zoom: 5)
    let size = ViewSize(width: 400, height: 300, pixelRatio: 2)
    func centre() throws -> SIMD2<Double> {
      try #require(try Transform(camera: camera, size: size).screen(LonLat(12, 34)))
    }
    func isNear(_ a: SIMD2<Double>, _ b: SIMD2<Double>) -> Bool { abs(a.x - b.x) + abs(a.y - b.y) < 1e-6 }
    #expect(isNear(try centre(), SIMD2(400, 300)))
    camera.padding.left = 100
    camera.padding.bottom = 60
    #expect(isNear(try centre(), SIMD2(500, 240)))
    camera.bearing = 77
    #expect(isNear(try centre(), SIMD2(500, 240)))
  }

  @Test func tilesLieWhereTheWorldDoes() throws {
    let camera = Camera(center: LonLat(-40, 20), zoom: 3.5)
    let view = try Transform(camera: camera, size: ViewSize(width: 256, height: 256))
    let id = OverscaledTileID(canonical: TileID(z: 4, x: 6, y: 7), wrap: 0)
    let corner = view.matrix(for: id) * SIMD4(0, 0, 0, 1)
    let place = view.screen(world: SIMD2(6, 7) / 16 * view.worldSize)
    #expect(abs(corner.x / corner.w - (place?.x ?? 0)) < 1e-6)
    #expect(abs(corner.y / corner.w - (place?.y ?? 0)) < 1e-6)
    let opposite = view.matrix(for: id) * SIMD4(TileUnits.extent, TileUnits.extent, 0, 1)
    #expect(abs((opposite.x - corner.x) / corner.w - view.tileEdge(4)) < 1e-6)
  }

  @Test func theLabelViewShowsTheSamePlacesWithAMarginAround() throws {
    let camera = Camera(center: LonLat(5, 5), zoom: 4)
    let view = try Transform(camera: camera, size: ViewSize(width: 200, height: 100), labelMargin: 64)
    let wide = view.labelView
    #expect(wide.size.width == 328 && wide.size.height == 228)
    let place = Mercator.unproject(try #require(view.world(screen: SIMD2(0, 0))) / view.worldSize)
    let there = try #require(wide.screen(place))
    #expect(abs(there.x - 64) < 1e-6 && abs(there.y - 64) < 1e-6)
    #expect(try Transform(camera: camera, size: view.size).labelView.size == view.size)
  }

  @Test func matricesHaveInverses() {
    let matrix = Matrix4.identity.translated(3, -4, 5).rotatedX(0.7).rotatedZ(-2).scaled(2, 3, 0.5)
    let unit = matrix * (matrix.inverted() ?? .identity)
    for column in 0..<4 {
      let vector =
        unit * SIMD4(column == 0 ? 1 : 0, column == 1 ? 1 : 0, column == 2 ? 1 : 0, column == 3 ? 1 : 0)
      for row in 0..<4 { #expect(abs(vector[row] - (row == column ? 1 : 0)) < 1e-12) }
    }
    #expect(Matrix4.identity.scaled(1, 0, 1).inverted() == nil)
  }
}

extension Transform {
  /// Device pixels of a place, or nil behind the eye.
  func screen(_ place: LonLat) -> SIMD2<Double>? { screen(world: Mercator.project(place) * worldSize) }
}
