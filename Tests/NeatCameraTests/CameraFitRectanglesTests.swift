import NeatBase
import NeatCamera
import Testing

@Suite struct CameraFitRectanglesTests {
  private let size = ViewSize(width: 640, height: 480)

  /// How far rectangles and their places are inside the view, in pixels: the least of all.
  private func room(_ rectangles: [FitRectangle], _ camera: Camera, _ padding: EdgeInsets = EdgeInsets())
    throws -> Double
  {
    let view = try CameraView(camera: camera, size: size)
    return try rectangles.map { rectangle in
      // The same world as the camera's centre.
      let lon = camera.center.lon + Angle.wrapped(rectangle.place.lon - camera.center.lon)
      let p = try #require(try view.point(of: LonLat(lon, rectangle.place.lat)))
      let low = p + pointwiseMin(rectangle.low, .zero), high = p + pointwiseMax(rectangle.high, .zero)
      return min(
        min(low.x - padding.left, low.y - padding.top),
        min(640 - padding.right - high.x, 480 - padding.bottom - high.y))
    }.min() ?? -1
  }

  @Test func withoutAnExtentItIsTheFitOfThePlaces() throws {
    var camera = Camera(bearing: 30, pitch: 40)
    camera.padding = EdgeInsets(top: 20, left: 10)
    let places = [LonLat(10, 50), LonLat(12, 47), LonLat(8, 46), LonLat(14, 49)]
    let fitted = try camera.fitting(
      rectangles: places.map { FitRectangle($0, low: .zero, high: .zero) }, size: size)
    let known = try camera.fitting(places, size: size)
    #expect(abs(fitted.zoom - known.zoom) < 1e-9 && abs(fitted.center.lon - known.center.lon) < 1e-9)
    #expect(abs(fitted.center.lat - known.center.lat) < 1e-9)
  }

  /// All rectangles lie between the paddings at any bearing, pitch and roll, and one at an edge.
  @Test func anyViewShowsAllRectanglesAndOneAtAnEdge() throws {
    var random = SeededRandom(seed: 7)
    var checked = 0
    for _ in 0..<400 {
      let camera = Camera(
        bearing: random.number(-180...180), pitch: random.number(0...60), roll: random.number(-20...20))
      var options = FitOptions()
      options.padding = EdgeInsets(top: random.number(0...60), left: random.number(0...60), right: 15)
      let (lon, lat) = (random.number(-180...180), random.number(-60...60))
      let reach = random.number(0.01...10)
      let rectangles = (0..<6).map { _ in
        let low = SIMD2(random.number(-90...30), random.number(-90...30))
        return FitRectangle(
          LonLat(lon + random.number(-reach...reach), lat + random.number(-reach...reach)), low: low,
          high: low + SIMD2(random.number(1...120), random.number(1...80)))
      }
      guard let fitted = try? camera.fitting(rectangles: rectangles, size: size, options: options) else {
        continue
      }
      guard fitted.zoom > -1.99, fitted.zoom < 21.99, abs(fitted.center.lat) < 85 else { continue }
      let left = try room(rectangles, fitted, options.padding)
      #expect(left > -0.01 && left < 0.5, "\(left) pixels: \(fitted)")
      checked += 1
    }
    #expect(checked > 200, "\(checked)")
  }

  @Test func oneAloneIsShownAsDeepAsItMayBe() throws {
    var options = FitOptions()
    options.maxZoom = 9
    let callout = FitRectangle(LonLat(8, 47), low: SIMD2(-60, -80), high: SIMD2(60, -10))
    let fitted = try Camera().fitting(rectangles: [callout], size: size, options: options)
    #expect(abs(fitted.zoom - 9) < 1e-6)
    // It and its place are in the middle.
    let point = try #require(try CameraView(camera: fitted, size: size).point(of: callout.place))
    #expect(abs(point.x - 320) < 0.01 && abs(point.y - 280) < 0.01, "\(point)")
  }

  @Test func whereThereIsNoRoomItSaysSo() throws {
    func refuses(_ rectangles: [FitRectangle]) {
      #expect(throws: NeatError.self) { _ = try Camera().fitting(rectangles: rectangles, size: size) }
    }
    refuses([])
    refuses([FitRectangle(LonLat(0, 0), low: SIMD2(-400, 0), high: SIMD2(400, 10))])
    refuses([FitRectangle(LonLat(0, 95), low: .zero, high: .zero)])
    // Each has room by itself, and both together reach past one edge or the other.
    refuses([
      FitRectangle(LonLat(0, 0), low: SIMD2(-600, 0), high: SIMD2(0, 10)),
      FitRectangle(LonLat(1, 0), low: SIMD2(0, 0), high: SIMD2(600, 10)),
      FitRectangle(LonLat(2, 0), low: SIMD2(-600, 0), high: SIMD2(0, 10)),
    ])
  }

  @Test func tenThousandTakeAMoment() throws {
    var random = SeededRandom(seed: 3)
    let rectangles = (0..<10_000).map { _ in
      FitRectangle(
        LonLat(random.number(-20...20), random.number(-20...20)), low: SIMD2(random.number(-40...0), -20),
        high: SIMD2(random.number(0...40), 20))
    }
    let fitted = try Camera(bearing: 10, pitch: 50).fitting(rectangles: rectangles, size: size)
    #expect(try room(rectangles, fitted) > -0.01)
  }
}
