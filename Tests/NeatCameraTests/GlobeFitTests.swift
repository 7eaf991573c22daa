import NeatBase
import Testing

@testable import NeatCamera

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

  /// In a tilted view the middle of its degrees is in the middle.
  @Test func theTiltedWorldIsSeenFromItsMiddle() throws {
    let world = ViewBounds(west: -180, south: -90, east: 180, north: 90)
    let camera = try Camera(pitch: 40).fitting(world, size: size, options: onGlobe())
    let point = try #require(GlobeView(camera, size).point(LonLat(0, 0)))
    #expect(abs(point.x - 320) < 1 && abs(point.y - 240) < 1, "\(point) of \(camera)")
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
    #expect(camera.center.lat > 84 && camera.zoom > -1)
    let room = try room([LonLat(0, 75), LonLat(90, 75), LonLat(180, 75), LonLat(-90, 75)], camera)
    #expect(room > -0.02 && room < 60, "\(room): the centre is held at the edge of the Mercator map")
  }

  /// However large the area, tilted the view and one-sided the room: what can be seen at all lies inside, unless the
  /// least zoom is too deep for it.
  @Test func largeAreasAreSeenToo() throws {
    var random = SeededRandom(seed: 31)
    var (checked, seen, wholes) = (0, 0, 0)
    for _ in 0..<300 {
      var camera = Camera(
        bearing: random.number(-180...180), pitch: random.number(0...75), roll: random.number(-30...30))
      camera.padding = EdgeInsets(bottom: random.number(0...100))
      var padding = EdgeInsets()
      switch checked % 3 {
      case 0: padding.left = random.number(0...500)
      case 1: padding.top = random.number(0...300)
      default: break
      }
      let (west, south) = (random.number(-180...180), random.number(-85...60))
      let box = ViewBounds(
        west: west, south: south, east: west + random.number(1...359),
        north: min(89, south + random.number(1...150)))
      guard let fitted = try? camera.fitting(box, size: size, options: onGlobe { $0.padding = padding })
      else {
        continue
      }
      checked += 1
      #expect(fitted.zoom.isFinite && fitted.center.lat.isFinite && fitted.center.lon.isFinite)
      guard fitted.zoom > -2 else { continue }
      let view = GlobeView(fitted, size)
      // The middle of what a hemisphere holds is seen.
      let middle = LonLat((box.west + box.east) / 2, (box.south + box.north) / 2)
      if box.east - box.west < 100, box.north - box.south < 60 {
        #expect(view.isOnNearSide(middle), "\(box) from \(fitted)")
        wholes += 1
      }
      for row in 0...32 {
        for column in 0...32 {
          let lat = box.south + (box.north - box.south) * Double(row) / 32
          let place = LonLat(
            box.west + (box.east - box.west) * Double(column) / 32, Mercator.heldLatitude(lat))
          guard view.isOnNearSide(place) else { continue }
          seen += 1
          let p = try #require(view.point(place))
          let room = min(
            min(p.x - padding.left, 640 - p.x), min(p.y - padding.top, 480 - fitted.padding.bottom - p.y))
          #expect(room > -0.1, "\(room) px: \(place) of \(box), \(padding), \(fitted)")
          if room <= -0.1 { return }
        }
      }
    }
    #expect(checked > 150 && seen > 20_000 && wholes > 10, "\(checked) boxes, \(seen) places, \(wholes)")
  }

  /// Turns of the globe are fewer the more places there are.
  @Test func veryManyPlacesAreFitted() throws {
    var random = SeededRandom(seed: 5)
    let places = (0..<20_000).map { _ in LonLat(random.number(-170...170), random.number(-80...80)) }
    let began = MonotonicClock.milliseconds
    _ = try Camera(pitch: 50).fitting(places, size: size, options: onGlobe())
    #expect(MonotonicClock.milliseconds - began < 20_000)
  }

  /// Not the other side of the globe, with all of it at the edge.
  @Test(arguments: [0.0, 30, 60]) func aContinentIsSeenFromAnyPitch(pitch: Double) throws {
    let africa = ViewBounds(west: -20, south: -35, east: 52, north: 38)
    let camera = try Camera(bearing: 30, pitch: pitch).fitting(africa, size: size, options: onGlobe())
    let view = GlobeView(camera, size)
    // From far aslant the far half lies behind the horizon.
    let corners = [LonLat(16, -30), LonLat(16, 33), LonLat(-15, 1), LonLat(47, 1)]
    for place in [LonLat(16, 1)] + (pitch < 60 ? corners : []) {
      #expect(view.isOnNearSide(place), "\(place) from \(camera)")
    }
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
