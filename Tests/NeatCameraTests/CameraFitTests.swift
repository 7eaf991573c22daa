import NeatBase
import NeatCamera
import Testing

@Suite struct CameraFitTests {
  /// How far the places are inside the room that paddings leave, in pixels: the least of all.
  private func room(
    _ places: [LonLat], _ camera: Camera, _ size: ViewSize, more: EdgeInsets = EdgeInsets()
  ) throws -> Double {
    let view = try CameraView(camera: camera, size: size)
    let (own, width, height) = (camera.padding, Double(size.width), Double(size.height))
    return try places.map {
      let p = try #require(try view.point(of: $0))
      return min(
        min(p.x - own.left - more.left, width - own.right - more.right - p.x),
        min(p.y - own.top - more.top, height - own.bottom - more.bottom - p.y))
    }.min() ?? -1
  }

  /// The corners of a box lie within the view and one of them at its edge, however the camera is turned.
  @Test(arguments: [(0.0, 0.0), (30, 0), (0, 30), (30, -30), (90, 45), (-20, 110)])
  func aTurnedViewShowsTheBox(_ bearing: Double, _ roll: Double) throws {
    let size = ViewSize(width: 400, height: 300)
    let camera = try Camera(bearing: bearing, roll: roll).fitting(
      ViewBounds(west: -10, south: -4, east: 12, north: 9), size: size)
    let corners = [(-10.0, -4.0), (12, -4), (12, 9), (-10, 9)].map { LonLat($0.0, $0.1) }
    #expect(abs(try room(corners, camera, size)) < 1e-6)
  }

  /// All places lie between the paddings at any bearing, pitch and roll, and one within half a pixel of an edge.
  @Test func anyViewShowsAllPlacesBetweenThePaddings() throws {
    var random = SeededRandom(seed: 13)
    var checked = 0
    for _ in 0..<500 {
      var camera = Camera(
        center: LonLat(random.number(-180...180), random.number(-80...80)), zoom: random.number(0...20),
        bearing: random.number(-400...400), pitch: random.number(0...80), roll: random.number(-180...180))
      camera.fieldOfView = random.number(5...90)
      camera.padding = EdgeInsets(top: random.number(0...90), left: random.number(0...90))
      var options = FitOptions()
      options.padding = EdgeInsets(bottom: random.number(0...80), right: random.number(0...80))
      let (lon, lat) = (random.number(-180...180), random.number(-60...60))
      let reach = random.number(0.01...10)
      let places = (0..<7).map { _ in
        LonLat(lon + random.number(-reach...reach), lat + random.number(-reach...reach))
      }
      let size = ViewSize(width: 640, height: 480)
      // Rolled views may leave room only in the sky.
      guard let fitted = try? camera.fitting(places, size: size, options: options) else { continue }
      // The world itself may be too small on the screen; and where an edge of the room looks into the sky, what is
      // near the eye may need a zoom that there is not.
      guard fitted.zoom > -2, fitted.zoom < 21.999, abs(fitted.center.lat) < Mercator.maxLatitude else {
        continue
      }
      // The same world as the places: far ahead the centre may be behind the 180th meridian.
      let near = places.map { LonLat(fitted.center.lon + Angle.wrapped($0.lon - fitted.center.lon), $0.lat) }
      guard zip(near, near.dropFirst()).allSatisfy({ abs($0.lon - $1.lon) < 180 }) else { continue }
      let left = try room(near, fitted, size, more: options.padding)
      #expect(left > -0.01 && left < 0.5, "\(left) pixels: \(fitted)")
      checked += 1
      #expect(
        (fitted.bearing, fitted.pitch, fitted.padding) == (camera.bearing, camera.pitch, camera.padding))
    }
    #expect(checked > 300)
  }

  @Test func roomInTheSkyShowsNothing() throws {
    let (camera, size) = (Camera(pitch: 85), ViewSize(width: 800, height: 600))
    var options = FitOptions()
    options.padding.bottom = 500
    for places in [[LonLat(8, 47), LonLat(9, 47)], [LonLat(8, 47)]] {
      #expect(throws: NeatError.self) { try camera.fitting(places, size: size, options: options) }
    }
  }

  /// Whatever the camera, there is an answer or a typed error.
  @Test func everyCameraAnswers() throws {
    var random = SeededRandom(seed: 21)
    for _ in 0..<1000 {
      var camera = Camera(
        center: LonLat(random.number(-36000...36000), random.number(-90...90)),
        zoom: random.number(CameraRange.zoom), bearing: random.number(-36000...36000),
        pitch: random.number(CameraRange.pitch), roll: random.number(-36000...36000))
      camera.fieldOfView = random.number(CameraRange.fieldOfView)
      camera.padding = EdgeInsets(top: random.number(0...65536), left: random.number(0...900))
      let size = ViewSize(width: 1 + Int(bounded: random.number(0...16000)), height: 700)
      let places = (0..<3).map { _ in LonLat(random.number(-36000...36000), random.number(-90...90)) }
      if let fitted = try? camera.fitting(places, size: size) { _ = try fitted.checked() }
      for projection in [MapProjection.mercator, .globe] {
        let view = try CameraView(camera: camera, size: size, projection: projection)
        for place in places {
          #expect(try view.point(of: place).map { $0.x.isFinite && $0.y.isFinite } ?? true)
        }
        let (place, _) = try view.place(at: SIMD2(random.number(-1e6...1e6), random.number(-1e6...1e6)))
        #expect(place.map { $0.lon.isFinite && $0.lat.isFinite } ?? true)
        if let bounds = try? view.bounds() {
          #expect(bounds.west <= bounds.east && bounds.south <= bounds.north)
        }
        _ = CameraLimits().constrained(camera, size)
      }
    }
  }

  @Test func aPointIsShownAtTheDeepestZoomInTheMiddleOfTheRoom() throws {
    var options = FitOptions()
    options.maxZoom = 9
    options.padding.left = 100
    var camera = Camera(pitch: 40)
    camera = try camera.fitting([LonLat(8, 47)], size: ViewSize(width: 400, height: 300), options: options)
    #expect(abs(camera.zoom - 9) < 1e-9)
    let view = try CameraView(camera: camera, size: ViewSize(width: 400, height: 300))
    let point = try #require(try view.point(of: LonLat(8, 47)))
    #expect(abs(point.x - 250) < 1e-3 && abs(point.y - 150) < 1e-3, "\(point)")
  }

  @Test func theOffsetMovesTheMiddle() throws {
    var options = FitOptions()
    options.offset = SIMD2(30, -20)
    let size = ViewSize(width: 400, height: 300)
    let box = ViewBounds(west: 0, south: 0, east: 1, north: 1)
    let camera = try Camera().fitting(box, size: size, options: options)
    let view = try CameraView(camera: camera, size: size)
    let low = try #require(try view.point(of: LonLat(0, 0))),
      high = try #require(try view.point(of: LonLat(1, 1)))
    #expect(abs((low.x + high.x) / 2 - 230) < 1e-6 && abs((low.y + high.y) / 2 - 130) < 1e-6)
  }

  @Test func aBoxAcrossThe180thMeridianIsNarrow() throws {
    let camera = try Camera().fitting(
      ViewBounds(west: 170, south: -5, east: -170, north: 5), size: ViewSize(width: 400, height: 300))
    #expect(abs(abs(camera.center.lon) - 180) < 1e-9 && camera.zoom > 3)
  }

  @Test func badInputIsRefusedByName() {
    let size = ViewSize(width: 400, height: 300)
    let box = ViewBounds(west: 0, south: 0, east: 1, north: 1)
    func fault(_ body: () throws(NeatError) -> Camera) -> String {
      do throws(NeatError) { return "\(try body())" } catch {
        return error.code == .invalidArgument ? error.message : "\(error)"
      }
    }
    for bad in [Double.nan, .infinity, -.infinity, 1e300] {
      for side in [\ViewBounds.west, \.south, \.east, \.north] {
        var box = box
        box[keyPath: side] = bad
        #expect(fault { () throws(NeatError) in try Camera().fitting(box, size: size) }.contains("tudes"))
      }
      for side in [\EdgeInsets.top, \.left, \.bottom, \.right] {
        var options = FitOptions()
        options.padding[keyPath: side] = bad
        #expect(
          fault { () throws(NeatError) in try Camera().fitting(box, size: size, options: options) }.contains(
            "padding"))
      }
      var options = FitOptions()
      options.maxZoom = bad
      #expect(
        fault { () throws(NeatError) in try Camera().fitting(box, size: size, options: options) }.contains(
          "zoom"))
      options = FitOptions()
      options.offset.y = bad
      #expect(
        fault { () throws(NeatError) in try Camera().fitting(box, size: size, options: options) }.contains(
          "offset"))
      #expect(
        fault { () throws(NeatError) in try Camera().fitting([LonLat(bad, 0)], size: size) }.contains(
          "longitude"))
      #expect(
        fault { () throws(NeatError) in try Camera().fitting([LonLat(0, bad)], size: size) }.contains(
          "latitude"))
    }
    let upsideDown = ViewBounds(west: 0, south: 1, east: 1, north: 0)
    #expect(
      fault { () throws(NeatError) in try Camera().fitting(upsideDown, size: size) }.contains("in order"))
    #expect(fault { () throws(NeatError) in try Camera().fitting([], size: size) }.contains("no places"))
    var options = FitOptions()
    options.padding.left = 400
    #expect(
      fault { () throws(NeatError) in try Camera().fitting(box, size: size, options: options) }.contains(
        "no room"))
  }
}

/// A generator that gives the same numbers each time (SplitMix64).
struct SeededRandom: RandomNumberGenerator {
  private var state: UInt64
  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }

  mutating func number(_ range: ClosedRange<Double>) -> Double { Double.random(in: range, using: &self) }
}
