import NeatBase
import NeatCamera
import Testing

@Suite struct CameraLimitsTests {
  private let size = ViewSize(width: 800, height: 600)

  @Test func zoomAndPitchAreHeld() {
    var limits = CameraLimits()
    (limits.minZoom, limits.maxZoom, limits.minPitch, limits.maxPitch) = (3, 9, 10, 50)
    var camera = limits.constrained(Camera(zoom: 12, pitch: 80), size)
    #expect((camera.zoom, camera.pitch) == (9, 50))
    camera = limits.constrained(Camera(zoom: 1, pitch: 0), size)
    #expect((camera.zoom, camera.pitch) == (3, 10))
  }

  @Test func theViewStaysWithinTheHeightOfTheWorld() throws {
    let camera = CameraLimits().constrained(Camera(center: LonLat(40, 85), zoom: 2), size)
    let bounds = try CameraView(camera: camera, size: size).bounds()
    #expect(abs(bounds.north - Mercator.maxLatitude) < 1e-9 && camera.center.lon == 40)
    // The world fills the view at least.
    #expect(CameraLimits().constrained(Camera(zoom: 0), size).zoom > 0.2)
    #expect(CameraLimits.none.constrained(Camera(center: LonLat(0, 85), zoom: -1), size).zoom == -1)
  }

  @Test func theViewStaysWithinTheWorldsWidthWhereItIsOne() throws {
    var limits = CameraLimits()
    limits.mode = .widthAndHeight
    let camera = limits.constrained(Camera(center: LonLat(179, 0), zoom: 3), size)
    let bounds = try CameraView(camera: camera, size: size).bounds()
    #expect(abs(bounds.east - 180) < 1e-9)
  }

  @Test func boundsHoldTheCentre() {
    var limits = CameraLimits()
    limits.bounds = ViewBounds(west: 170, south: -10, east: -170, north: 10)
    for (asked, held) in [
      (LonLat(0, 0), -170.0), (LonLat(-1, 0), -170), (LonLat(1, 20), 170), (LonLat(175, 0), 175),
      (LonLat(-175, 0), -175), (LonLat(190, 0), 190),
    ] {
      let camera = limits.constrained(Camera(center: asked, zoom: 10), size)
      // 0 is as far from both.
      #expect(abs(camera.center.lon - held) < 1e-9 || asked.lon == 0, "\(asked) went to \(camera.center)")
      #expect(camera.center.lat <= 10)
    }
  }

  /// With the mode `screen` no corner of an upright view is out of the bounds.
  @Test func theWholeViewStaysWithinTheBounds() throws {
    var random = SeededRandom(seed: 4)
    for _ in 0..<500 {
      var limits = CameraLimits()
      limits.mode = .screen
      let (west, south) = (random.number(-180...150), random.number(-80...60))
      let box = ViewBounds(
        west: west, south: south, east: west + random.number(1...29), north: south + random.number(1...20))
      limits.bounds = box
      let camera = limits.constrained(
        Camera(
          center: LonLat(random.number(-180...180), random.number(-85...85)), zoom: random.number(0...20)),
        size)
      let seen = try CameraView(camera: camera, size: size).bounds()
      let shift = 360 * ((seen.west - box.west) / 360).rounded()
      #expect(seen.west - shift >= box.west - 1e-6 && seen.east - shift <= box.east + 1e-6, "\(camera)")
      #expect(seen.south >= box.south - 1e-6 && seen.north <= box.north + 1e-6, "\(camera)")
    }
  }

  @Test func aBoxWithoutExtentIsShownAsDeepAsCamerasGo() {
    var limits = CameraLimits()
    limits.mode = .screen
    limits.bounds = ViewBounds(west: 8, south: 47, east: 8, north: 47)
    let camera = limits.constrained(Camera(center: LonLat(100, 0)), size)
    #expect(camera.zoom == CameraRange.zoom.upperBound)
    #expect(abs(camera.center.lon - 8) < 1e-9 && abs(camera.center.lat - 47) < 1e-9)
  }

  @Test func badLimitsAreRefused() throws {
    for bad in [Double.nan, .infinity, -1000] {
      for field in [\CameraLimits.minZoom, \.maxZoom, \.minPitch, \.maxPitch] {
        var limits = CameraLimits()
        limits[keyPath: field] = bad
        #expect(throws: NeatError.self) { try limits.checked() }
      }
      for side in [\ViewBounds.west, \.south, \.east, \.north] {
        var limits = CameraLimits()
        var box = ViewBounds(west: 0, south: 0, east: 1, north: 1)
        box[keyPath: side] = bad
        limits.bounds = box
        #expect(throws: NeatError.self) { try limits.checked() }
      }
    }
    var limits = CameraLimits()
    (limits.minZoom, limits.maxZoom) = (9, 3)
    #expect(throws: NeatError.self) { try limits.checked() }
  }
}
