import NeatBase
import NeatCamera
import Testing

@Suite struct CameraViewTests {
  private let size = ViewSize(width: 800, height: 600)

  private func camera(_ random: inout SeededRandom, maxZoom: Double = 22) -> Camera {
    var camera = Camera(
      center: LonLat(random.number(-180...180), random.number(-84...84)), zoom: random.number(0...maxZoom),
      bearing: random.number(-180...180), pitch: random.number(0...85), roll: random.number(-60...60))
    camera.fieldOfView = random.number(5...100)
    camera.padding = EdgeInsets(
      top: random.number(0...300), left: random.number(0...300), bottom: random.number(0...300))
    return camera
  }

  @Test func whatIsUnderAPointIsSeenThere() throws {
    var random = SeededRandom(seed: 1)
    var (plane, globe) = (0, 0)
    for _ in 0..<2000 {
      let point = SIMD2(random.number(0...800), random.number(0...600))
      let first = try CameraView(camera: camera(&random), size: size)
      if case (let place?, true) = try first.place(at: point), abs(place.lon) < 36000, abs(place.lat) < 89.99
      {
        let back = try #require(try first.point(of: place))
        #expect(abs(back.x - point.x) < 1e-3 && abs(back.y - point.y) < 1e-3)
        plane += 1
      }
      let second = try CameraView(camera: camera(&random, maxZoom: 8), size: size, projection: .globe)
      if case (let place?, true) = try second.place(at: point) {
        let back = try #require(try second.point(of: place))
        // At the globe's edge a hair of a degree is many pixels.
        let isAtEdge = try second.visiblePoint(of: place) == nil
        #expect(isAtEdge || abs(back.x - point.x) < 0.1 && abs(back.y - point.y) < 0.1, "\(point) \(back)")
        globe += 1
      }
    }
    #expect(plane > 1000 && globe > 300)
  }

  /// What is drawn and what is said agree.
  @Test func thePlaneIsThatOfTheMatricesThatDraw() throws {
    var random = SeededRandom(seed: 2)
    for _ in 0..<300 {
      let camera = camera(&random)
      let sharp = ViewSize(width: 320, height: 240, pixelRatio: random.number(0.5...3))
      let (view, drawn) = (
        try CameraView(camera: camera, size: sharp), try Transform(camera: camera, size: sharp)
      )
      let place = LonLat(camera.center.lon + 0.001, camera.center.lat * 0.99999)
      guard let point = try view.point(of: place) else { continue }
      let pixel = try #require(drawn.screen(world: Mercator.project(place) * drawn.worldSize))
      let away = pixel / sharp.pixelRatio - point
      #expect(max(abs(away.x), abs(away.y)) < 1e-3 * max(1, abs(point.x), abs(point.y)), "\(camera)")
    }
  }

  @Test func theSkyHasNoPlace() throws {
    let camera = Camera(zoom: 4, pitch: 80)
    let view = try CameraView(camera: camera, size: size)
    let sky = try view.place(at: SIMD2(400, 0))
    #expect(sky.place == nil && !sky.isOnSurface)
    let ground = try view.place(at: SIMD2(400, 500))
    #expect(ground.place != nil && ground.isOnSurface)
  }

  @Test func besideTheGlobeIsItsEdge() throws {
    let view = try CameraView(camera: Camera(zoom: 1), size: size, projection: .globe)
    let corner = try view.place(at: SIMD2(0, 300))
    let place = try #require(corner.place)
    #expect(!corner.isOnSurface && (-90..<(-60)).contains(place.lon) && abs(place.lat) < 1e-6)
    #expect(try view.place(at: SIMD2(400, 300)).isOnSurface)
    // The far side is there, and not seen.
    #expect(try view.visiblePoint(of: LonLat(180, 0)) == nil)
    #expect(try view.point(of: LonLat(180, 0)) != nil)
  }

  @Test func whatIsBesideTheViewIsNotVisible() throws {
    let view = try CameraView(camera: Camera(zoom: 10), size: size)
    #expect(try view.visiblePoint(of: LonLat(0, 0)) == SIMD2(400, 300))
    #expect(try view.visiblePoint(of: LonLat(10, 0)) == nil)
    #expect(try view.point(of: LonLat(10, 0)) != nil)
  }

  @Test func boundsGoOnPastThe180thMeridianOrAreWrapped() throws {
    let bounds = try CameraView(camera: Camera(center: LonLat(179.9, 0), zoom: 10), size: size).bounds()
    #expect(bounds.west < 180 && bounds.east > 180 && bounds.east - bounds.west < 1)
    let wrapped = bounds.wrapped
    #expect(wrapped.east < -179 && wrapped.west == bounds.west)
    let world = try CameraView(camera: Camera(zoom: -1), size: size).bounds().wrapped
    #expect(world.west == -180 && world.east == 180)
    #expect(ViewBounds(west: 180, south: 0, east: 190, north: 1).wrapped.west == -180)
    #expect(ViewBounds(west: 170, south: 0, east: 180, north: 1).wrapped.east == 180)
  }

  @Test func aPoleInViewIsAllLongitudes() throws {
    let view = try CameraView(camera: Camera(center: LonLat(20, 80), zoom: 1), size: size, projection: .globe)
    let bounds = try view.bounds()
    #expect((bounds.west, bounds.east, bounds.north) == (-180, 180, 90))
  }

  @Test func badInputIsRefusedByName() throws {
    let view = try CameraView(camera: Camera(), size: size)
    for bad in [Double.nan, .infinity, -.infinity, 1e300] {
      #expect(throws: NeatError.self) { try view.point(of: LonLat(bad, 0)) }
      #expect(throws: NeatError.self) { try view.point(of: LonLat(0, bad)) }
      #expect(throws: NeatError.self) { try view.place(at: SIMD2(bad, 0)) }
      #expect(throws: NeatError.self) { try view.place(at: SIMD2(0, bad)) }
      for field in [
        \Camera.zoom, \.bearing, \.pitch, \.roll, \.fieldOfView, \.center.lon, \.center.lat, \.padding.top,
      ] {
        var camera = Camera()
        camera[keyPath: field] = bad
        #expect(throws: NeatError.self) { try CameraView(camera: camera, size: size) }
      }
    }
    #expect(try view.point(of: LonLat(0, 90)) != nil, "the pole is far, and no fault")
  }
}
