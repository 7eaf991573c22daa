import NeatBase
import Testing

@testable import NeatCamera

/// Limits, easings and flights on the globe.
@Suite struct GlobeCourseTests {
  private static let size = ViewSize(width: 800, height: 600)
  private static let limits: CameraLimits = {
    var limits = CameraLimits()
    limits.minZoom = 1
    return limits.on(.globe)
  }()
  private static let south = Camera(center: LonLat(150, -20), zoom: 3)
  private static let north = Camera(center: LonLat(-150, 65), zoom: 4, bearing: 30, pitch: 40)

  private func radius(_ camera: Camera) -> Double { GlobeView(camera, Self.size).radius }

  private func point(_ camera: Camera, _ place: LonLat) throws -> SIMD2<Double> {
    let view = try CameraView(camera: camera, size: Self.size, projection: .globe)
    return try #require(try view.nearPoint(of: place))
  }

  private func expect(_ camera: Camera, _ other: Camera, _ why: Comment? = nil) {
    #expect(abs(Angle.wrapped(camera.center.lon - other.center.lon)) < 1e-9, why)
    #expect(abs(camera.center.lat - other.center.lat) < 1e-9 && abs(camera.zoom - other.zoom) < 1e-9, why)
    #expect(abs(camera.bearing - other.bearing) < 1e-9 && abs(camera.pitch - other.pitch) < 1e-9, why)
  }

  private func change(_ center: LonLat?, zoom: Double? = nil) -> CameraChange {
    var change = CameraChange()
    (change.center, change.zoom) = (center, zoom)
    return change
  }

  // MARK: Limits

  @Test func theGlobeHasNoEdges() {
    var limits = CameraLimits().on(.globe)
    for mode in [CameraLimits.Mode.height, .widthAndHeight, .screen, .none] {
      limits.mode = mode
      let camera = Camera(center: LonLat(170, 80), zoom: 2)
      #expect(limits.constrained(camera, Self.size) == camera)
      // On the plane it would look past the northern edge.
      let plane = limits.on(.mercator).constrained(camera, Self.size)
      #expect((plane.center.lat < 79) == (mode != .none))
    }
  }

  @Test func itMayBeAsSmallEverywhere() {
    for latitude in [0.0, 30, -60] {
      let held = Self.limits.constrained(Camera(center: LonLat(0, latitude), zoom: -2), Self.size)
      #expect(abs(radius(held) - 1024 / (2 * .pi)) < 1e-6, "\(latitude)")
    }
    // No camera's zoom is below -2.
    let polar = Self.limits.constrained(Camera(center: LonLat(0, 90), zoom: -2), Self.size)
    #expect(polar.zoom == -2 && polar.center.lat == Mercator.maxLatitude)
  }

  @Test func boundsHoldTheCentre() {
    var limits = Self.limits
    limits.bounds = ViewBounds(west: 170, south: 0, east: -170, north: 50)
    let held = limits.constrained(Camera(center: LonLat(-100, 70), zoom: 3), Self.size)
    #expect(held.center == LonLat(-170, 50) && held.zoom == 3)
  }

  // MARK: Easings

  @Test func anEasingEndsWhereItShould() throws {
    let ease = try CameraEase(
      from: Self.south, to: CameraChange(to: Self.north), size: Self.size, limits: Self.limits)
    expect(ease.camera(at: 0), Self.south)
    expect(ease.camera(at: 1), Self.north)
    // The shorter way, over the 180th meridian.
    for k in [0.2, 0.5, 0.8] { #expect(abs(ease.camera(at: k).center.lon) >= 150) }
  }

  @Test func theGlobeStaysAsLargeWhereNoZoomIsAskedFor() throws {
    let ease = try CameraEase(
      from: Self.south, to: change(LonLat(-170, 75)), size: Self.size, limits: Self.limits)
    var latitude = -20.0
    for step in 0...10 {
      let camera = ease.camera(at: Double(step) / 10)
      #expect(abs(radius(camera) / radius(Self.south) - 1) < 1e-9)
      #expect(camera.center.lat >= latitude)
      latitude = camera.center.lat
    }
    expect(
      ease.camera(at: 1),
      Camera(center: LonLat(-170, 75), zoom: 3 + log2(cos(75 * .pi / 180) / cos(-20 * .pi / 180))))
  }

  @Test func theWayKeepsItsBearing() throws {
    let ease = try CameraEase(
      from: Self.south, to: change(LonLat(-150, 60)), size: Self.size, limits: Self.limits)
    func place(_ k: Double) -> SIMD2<Double> {
      var place = ease.camera(at: k).center
      if place.lon < 0 { place.lon += 360 }
      return Mercator.project(place)
    }
    let (a, b) = (place(0), place(1))
    for k in [0.1, 0.4, 0.7, 0.9] {
      let p = place(k)
      #expect(abs((p.x - a.x) * (b.y - a.y) - (p.y - a.y) * (b.x - a.x)) < 1e-12)
    }
    // Along a parallel there is none to keep.
    let level = try CameraEase(
      from: Self.south, to: change(LonLat(-170, -20)), size: Self.size, limits: Self.limits)
    let half = level.camera(at: 0.5)
    #expect(abs(half.center.lon - 170) < 1e-9 && abs(half.center.lat + 20) < 1e-12)
  }

  @Test(arguments: [LonLat(160, -10), LonLat(120, 30), LonLat(150, -70)])
  func whatShouldStayStays(_ place: LonLat) throws {
    var change = CameraChange()
    (change.around, change.zoom, change.bearing) = (place, 3.5, 40)
    let ease = try CameraEase(from: Self.south, to: change, size: Self.size, limits: Self.limits)
    let before = try point(Self.south, place)
    for k in [0.0, 0.3, 0.7, 1] {
      let camera = ease.camera(at: k)
      let away = try point(camera, place) - before
      #expect((away * away).sum() < 1e-6, "\(k)")
      #expect(abs(camera.zoom - (3 + k / 2)) < 1e-9)
    }
    // The same by where it is seen.
    (change.around, change.anchor) = (nil, before)
    let same = try CameraEase(from: Self.south, to: change, size: Self.size, limits: Self.limits)
    expect(same.camera(at: 1), ease.camera(at: 1))
  }

  @Test func anOffsetIsWhereThePlaceGoes() throws {
    for offset in [SIMD2(100.0, 50), SIMD2(-200, -120)] {
      var change = CameraChange(to: Self.north)
      change.offset = offset
      let camera = try CameraEase(from: Self.south, to: change, size: Self.size, limits: Self.limits).camera(
        at: 1)
      let away = try point(camera, Self.north.center) - SIMD2(400, 300) - offset
      #expect((away * away).sum() < 1e-6 && camera.zoom == 4)
    }
  }

  @Test func whatCannotBeIsRefused() throws {
    let limits = Self.limits
    var change = CameraChange()
    change.around = LonLat(-30, 20)
    #expect(throws: NeatError.self) {
      try CameraEase(from: Self.south, to: change, size: Self.size, limits: limits)
    }
    change.around = nil
    change.anchor = SIMD2(1, 1)
    let small = Camera(center: LonLat(0, 0), zoom: 1)
    #expect(throws: NeatError.self) {
      try CameraEase(from: small, to: change, size: Self.size, limits: limits)
    }
    change.anchor = nil
    change.offset = SIMD2(390, 290)
    #expect(throws: NeatError.self) {
      try CameraEase(from: small, to: change, size: Self.size, limits: limits)
    }
  }

  @Test func anAnchorThatDoesNothingChangesNothing() throws {
    var random = SystemRandomNumberGenerator()
    for _ in 0..<500 {
      let camera = Camera(
        center: LonLat(.random(in: -180...180, using: &random), .random(in: -85...85, using: &random)),
        zoom: .random(in: 0...9, using: &random), bearing: .random(in: -180...180, using: &random),
        pitch: .random(in: 0...80, using: &random))
      let point = SIMD2(Double.random(in: 0...800, using: &random), .random(in: 0...600, using: &random))
      let view = try CameraView(camera: camera, size: Self.size, projection: .globe)
      guard try view.place(at: point).isOnSurface else { continue }
      for zoom in [nil, camera.zoom] {
        var change = CameraChange()
        (change.anchor, change.zoom) = (point, zoom)
        let ease = try CameraEase(from: camera, to: change, size: Self.size, limits: .none.on(.globe))
        for k in [0.0, 0.5, 1] {
          let there = ease.camera(at: k)
          let away = GlobeView(camera, Self.size).point(there.center)! - SIMD2(400, 300)
          #expect((away * away).sum() < 0.01 && abs(there.zoom - camera.zoom) < 1e-6, "\(camera) \(point)")
        }
      }
    }
  }

  @Test func whatIsNearAPoleStaysThere() throws {
    // Below the middle goes what is beyond the pole's reach: the centre comes as near as it can.
    for offset in [150.0, 200, 280] {
      var change = self.change(LonLat(0, 80), zoom: 1)
      change.offset = SIMD2(0, offset)
      let end = try CameraEase(
        from: Camera(center: LonLat(0, 0), zoom: 1), to: change, size: Self.size, limits: .none.on(.globe)
      ).camera(at: 1)
      #expect(end.center.lat > 80, "\(offset): \(end.center)")
    }
    // Around a pole the centre keeps its longitude where nothing turns.
    var around = CameraChange()
    around.around = LonLat(50, 90)
    let polar = Camera(center: LonLat(0, 60), zoom: 2)
    let ease = try CameraEase(from: polar, to: around, size: Self.size, limits: Self.limits)
    expect(ease.camera(at: 0), polar)
    // Zooming out around what is seen below the middle does not come out at the other pole.
    var out = CameraChange()
    (out.anchor, out.zoom) = (SIMD2(400, 550), 0.5)
    let far = try CameraEase(
      from: Camera(center: LonLat(0, 70), zoom: 3), to: out, size: Self.size, limits: .none.on(.globe))
    for k in stride(from: 0.0, through: 1, by: 0.05) { #expect(far.camera(at: k).center.lat > 60, "\(k)") }
  }

  @Test func whatIsWrittenFollowsTheGlobe() throws {
    let camera = Camera(center: LonLat(0, 0), zoom: 2)
    let end = try change(LonLat(0, 80)).camera(
      from: camera, size: Self.size, limits: CameraLimits().on(.globe))
    #expect(abs(radius(end) / radius(camera) - 1) < 1e-9 && end.center == LonLat(0, 80))
    var limits = CameraLimits().on(.globe)
    limits.maxZoom = 10
    var deep = change(LonLat(10, 20), zoom: 14)
    deep.offset = SIMD2(100, 0)
    let held = try deep.camera(from: camera, size: Self.size, limits: limits)
    let away = try point(held, LonLat(10, 20)) - SIMD2(500, 300)
    #expect(held.zoom == 10 && (away * away).sum() < 1e-6)
    // Within bounds the way is within them.
    limits.bounds = ViewBounds(west: -170, south: -80, east: 170, north: 80)
    let ease = try CameraEase(
      from: Camera(center: LonLat(-160, 0), zoom: 3), to: change(LonLat(160, 0)), size: Self.size,
      limits: limits)
    #expect(abs(ease.camera(at: 0.5).center.lon) < 1e-9)
  }

  // MARK: Flights

  @Test func aFlightGoesOutAndIn() throws {
    let (from, to) = (
      Camera(center: LonLat(-74, 40.7), zoom: 8), Camera(center: LonLat(139.7, 35.7), zoom: 9)
    )
    let flight = try CameraFlight(from: from, to: CameraChange(to: to), size: Self.size, limits: Self.limits)
    expect(flight.camera(at: 0), from)
    expect(flight.camera(at: 1), to)
    let top = (0...20).map { radius(flight.camera(at: Double($0) / 20)) }.min()!
    #expect(top < radius(from) / 16 && top > 50)
    #expect((1000...30000).contains(flight.durationMS))
    // What is seen goes by evenly: screens of ground, and of zoom, between any two moments.
    func step(_ k: Double) -> Double {
      let (a, b) = (flight.camera(at: k), flight.camera(at: k + 1e-4))
      let way = try? GlobeWay(
        CameraCourse(from: a, CameraChange(to: b), Self.size, .none.on(.globe)), CameraChange(to: b))
      let ground = (way?.angle ?? 0) * radius(a) / 800
      let zoom = log(radius(b) / radius(a)) / 1.42
      return (ground * ground * 1.42 * 1.42 + zoom * zoom).squareRoot()
    }
    let steps = [0.05, 0.3, 0.5, 0.7, 0.95].map(step)
    #expect(steps.max()! / steps.min()! < 1.6, "\(steps)")
  }

  @Test func theTopIsAsHighAsAskedFor() throws {
    var options = CameraFlight.Options()
    options.minZoom = 2
    let flight = try CameraFlight(
      from: Camera(center: LonLat(0, 10), zoom: 6),
      to: CameraChange(to: Camera(center: LonLat(60, 10), zoom: 6)),
      size: Self.size, limits: Self.limits, options: options)
    let top = (0...100).map { flight.camera(at: Double($0) / 100).zoom }.min()!
    #expect(abs(top - 2) < 0.2, "\(top)")
  }

  @Test func whatDoesNotMoveZoomsStraight() throws {
    let flight = try CameraFlight(
      from: Self.south, to: change(nil, zoom: 6), size: Self.size, limits: Self.limits)
    for k in [0.0, 0.5, 1] {
      let camera = flight.camera(at: k)
      #expect(abs(camera.center.lon - 150) < 1e-9 && abs(camera.center.lat + 20) < 1e-9)
      #expect(abs(camera.zoom - (3 + 3 * k)) < 1e-9)
    }
  }

  @Test func camerasOnAnyWayAreCameras() throws {
    var random = SystemRandomNumberGenerator()
    for _ in 0..<500 {
      func any() -> Camera {
        Camera(
          center: LonLat(.random(in: -180...180, using: &random), .random(in: -90...90, using: &random)),
          zoom: .random(in: -2...22, using: &random), bearing: .random(in: -180...180, using: &random),
          pitch: .random(in: 0...85, using: &random))
      }
      let (a, b) = (any(), any())
      let flight = try CameraFlight(from: a, to: CameraChange(to: b), size: Self.size, limits: Self.limits)
      let ease = try CameraEase(from: a, to: CameraChange(to: b), size: Self.size, limits: Self.limits)
      for k in [0.0, 0.1, 0.5, 0.99, 1] {
        _ = try flight.camera(at: k).checked()
        _ = try ease.camera(at: k).checked()
      }
    }
  }
}
