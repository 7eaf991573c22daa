import NeatBase
import NeatCamera
import Testing

/// Fits on the globe: all is seen between the paddings, and something at an edge.
@Suite struct GlobeFitTests {
  private let size = ViewSize(width: 640, height: 480)

  /// How far the places are inside the room that paddings leave, in pixels: the least of all.
  private func room(_ places: [LonLat], _ camera: Camera, more: EdgeInsets = EdgeInsets()) throws -> Double {
    let view = try CameraView(camera: camera, size: size, projection: .globe)
    let (own, width, height) = (camera.padding, Double(size.width), Double(size.height))
    return try places.map {
      let p = try #require(try view.point(of: $0))
      return min(
        min(p.x - own.left - more.left, width - own.right - more.right - p.x),
        min(p.y - own.top - more.top, height - own.bottom - more.bottom - p.y))
    }.min() ?? -1
  }

  private func onGlobe(_ change: (inout FitOptions) -> Void = { _ in }) -> FitOptions {
    var options = FitOptions().on(.globe)
    change(&options)
    return options
  }

  @Test func anyViewShowsAllPlacesBetweenThePaddings() throws {
    var random = SeededRandom(seed: 29)
    var (checked, better) = (0, 0)
    for _ in 0..<1000 {
      var camera = Camera(
        center: LonLat(random.number(-180...180), random.number(-80...80)), zoom: random.number(0...20),
        bearing: random.number(-400...400), pitch: random.number(0...50), roll: random.number(-180...180))
      camera.fieldOfView = random.number(20...60)
      camera.padding = EdgeInsets(top: random.number(0...90), left: random.number(0...90))
      let padding = EdgeInsets(bottom: random.number(0...80), right: random.number(0...80))
      let options = onGlobe { $0.padding = padding }
      let (lon, lat) = (random.number(-180...180), random.number(-60...60))
      let reach = random.number(0.01...15)
      let places = (0..<7).map { _ in
        LonLat(lon + random.number(-reach...reach), lat + random.number(-reach...reach))
      }
      // Rolled views may leave room only in the sky.
      guard let fitted = try? camera.fitting(places, size: size, options: options) else { continue }
      #expect(
        fitted.bearing == camera.bearing && fitted.pitch == camera.pitch && fitted.roll == camera.roll)
      guard fitted.zoom > -2, fitted.zoom < 22 else { continue }
      let room = try room(places, fitted, more: padding)
      #expect(abs(room) < 0.01, "\(room) px of \(fitted), \(places)")
      checked += 1
      let plane = try camera.fitting(places, size: size, options: options.on(.mercator))
      if let there = try? self.room(places, plane, more: padding), abs(there) > 1 { better += 1 }
    }
    #expect(checked > 600 && better > 100, "\(checked) checked, \(better) that the plane would not fit")
  }

  /// The sides of a box are curves there: nothing of it lies outside.
  @Test(arguments: [
    ViewBounds(west: -141, south: 42, east: -52, north: 83),
    ViewBounds(west: 160, south: -20, east: -150, north: 30),
    ViewBounds(west: -80, south: 60, east: 100, north: 85),
    ViewBounds(west: -20, south: -35, east: 52, north: 38),
  ]) func aBoxIsSeenAsAWhole(box: ViewBounds) throws {
    let camera = try Camera(bearing: 20).fitting(box, size: size, options: onGlobe())
    let width = box.east - box.west + (box.east < box.west ? 360 : 0)
    var places: [LonLat] = []
    for row in 0...40 {
      for column in 0...40 {
        let lat = box.south + (box.north - box.south) * Double(row) / 40
        places.append(LonLat(box.west + width * Double(column) / 40, lat))
      }
    }
    let room = try room(places, camera)
    #expect((-0.3...0.3).contains(room), "\(room)")
  }

  /// All of the world: the globe as large as it fits, with what is on its other side at its edge.
  @Test func theWorldIsTheWholeGlobe() throws {
    let camera = try Camera().fitting(
      ViewBounds(west: -180, south: -90, east: 180, north: 90), size: size, options: onGlobe())
    let view = try CameraView(camera: camera, size: size, projection: .globe)
    #expect(abs(camera.center.lat) < 1)
    // Its edge is at the view's.
    for y in [-0.01, 480.01] { #expect(try !view.place(at: SIMD2(320, y)).isOnSurface) }
    for y in [0.01, 479.99] { #expect(try view.place(at: SIMD2(320, y)).isOnSurface) }
  }

  @Test func onePlaceIsShownAtTheDeepestZoom() throws {
    let place = LonLat(30, 70)
    let camera = try Camera(pitch: 40).fitting([place], size: size, options: onGlobe { $0.maxZoom = 4 })
    #expect(camera.zoom == 4)
    let view = try CameraView(camera: camera, size: size, projection: .globe)
    let point = try #require(try view.point(of: place))
    #expect(abs(point.x - 320) < 1e-6 && abs(point.y - 240) < 1e-6)
  }

  @Test func poles() throws {
    let camera = try Camera().fitting(
      [LonLat(0, 75), LonLat(90, 75), LonLat(180, 75), LonLat(-90, 75)], size: size, options: onGlobe())
    #expect(camera.center.lat > 84 && camera.zoom > 0)
    let room = try room([LonLat(0, 75), LonLat(90, 75), LonLat(180, 75), LonLat(-90, 75)], camera)
    #expect(room > -40, "\(room): the centre is held at the edge of the Mercator map")
  }

  @Test func rectanglesStandBesideEachOther() throws {
    let rectangles = [
      FitRectangle(LonLat(-60, 50), low: SIMD2(-80, -60), high: SIMD2(0, 0)),
      FitRectangle(LonLat(10, 65), low: SIMD2(0, -60), high: SIMD2(80, 0)),
      FitRectangle(LonLat(-20, 5), low: SIMD2(-40, 0), high: SIMD2(40, 60)),
    ]
    let camera = try Camera().fitting(rectangles: rectangles, size: size, options: onGlobe())
    let view = try CameraView(camera: camera, size: size, projection: .globe)
    var least = Double.infinity
    for rectangle in rectangles {
      let point = try #require(try view.point(of: rectangle.place))
      let (low, high) = (point + rectangle.low, point + rectangle.high)
      least = min(least, min(min(low.x, low.y), min(640 - high.x, 480 - high.y)))
    }
    #expect(abs(least) < 0.01, "\(least)")
  }

  @Test func deepDownItIsThePlanes() throws {
    let places = [LonLat(11.3, 47.2), LonLat(11.31, 47.21)]
    let plane = try Camera(pitch: 30).fitting(places, size: size)
    let globe = try Camera(pitch: 30).fitting(places, size: size, options: onGlobe())
    #expect(abs(plane.zoom - globe.zoom) < 1e-3 && abs(plane.center.lat - globe.center.lat) < 1e-5)
  }

  /// What the plane refuses is refused.
  @Test func whatMakesNoFitIsRefused() throws {
    for places in [[], [LonLat(0, 91)], [LonLat(.nan, 0)]] as [[LonLat]] {
      #expect(throws: NeatError.self) { try Camera().fitting(places, size: size, options: onGlobe()) }
    }
    #expect(throws: NeatError.self) {
      try Camera().fitting([LonLat(0, 0)], size: size, options: onGlobe { $0.padding.left = 640 })
    }
  }
}
