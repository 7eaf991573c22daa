import NeatBase
import NeatTestSupport
import Testing

@testable import NeatCamera

/// The viewport's default transition, on the plane and on the globe.
@Suite struct ViewportGlobeTests {
  private static let size = ViewSize(width: 800, height: 600)
  private static let globe = CameraLimits().on(.globe)

  private func change(
    _ center: LonLat? = nil, zoom: Double? = nil, pitch: Double? = nil, bearing: Double? = nil
  ) -> CameraChange {
    var change = CameraChange()
    (change.center, change.zoom, change.pitch, change.bearing) = (center, zoom, pitch, bearing)
    return change
  }

  private func cameras(
    from start: Camera, to change: CameraChange, limits: CameraLimits = globe, steps: Int = 100
  ) throws -> [Camera] {
    var flight = try ViewportFlight(from: start, to: change, size: Self.size, limits: limits)
    var camera = start
    return (0...steps).map { step in
      let time = step == steps ? Double.infinity : flight.durationMS * Double(step) / Double(steps)
      camera = limits.constrained(
        flight.camera(camera, atMS: time, limits: limits), Self.size)
      return camera
    }
  }

  private func radius(_ camera: Camera) -> Double { GlobeView(camera, Self.size).radius }

  @Test func theGlobeIsNeverLargerThanAtItsEnds() throws {
    let start = Camera(center: LonLat(170, -10), zoom: 3, pitch: 20)
    for zoom in [1.0, 2, 5] {
      let way = try cameras(from: start, to: change(LonLat(-160, 80), zoom: zoom, pitch: 0))
      #expect(way[0].zoom == 3 && abs(way[0].center.lat + 10) < 1e-9)
      #expect(way.last == Camera(center: LonLat(-160, 80), zoom: zoom))
      let sizes = way.map(radius)
      let rises = sizes[0] < sizes[100]
      for (a, b) in zip(way, way.dropFirst()) {
        #expect(rises ? radius(b) >= radius(a) * (1 - 1e-9) : radius(b) <= radius(a) * (1 + 1e-9))
        #expect(abs(Angle.wrapped(b.center.lon - a.center.lon)) < 3 && b.center.lat >= a.center.lat)
        #expect(abs(radius(b) / radius(a) - 1) < 0.15)
      }
    }
  }

  @Test func withoutAZoomTheGlobeStaysAsLarge() throws {
    let start = Camera(center: LonLat(10, 0), zoom: 3)
    let way = try cameras(from: start, to: change(LonLat(60, 90), bearing: 40))
    for camera in way { #expect(abs(radius(camera) / radius(start) - 1) < 1e-9) }
    #expect(way.last?.center == LonLat(60, Mercator.maxLatitude) && way.last?.bearing == 40)
    // Where the map came to lie on the globe on the way, from then on.
    var flight = try ViewportFlight(from: start, to: change(LonLat(60, 60)), size: Self.size)
    var camera = start
    var sizes: [Double] = []
    for step in 0...100 {
      let limits = CameraLimits().on(step < 50 ? .mercator : .globe)
      let time = flight.durationMS * Double(step) / 100
      let next = flight.camera(camera, atMS: time, limits: limits)
      #expect(abs(next.center.lat - camera.center.lat) < 2 && abs(next.zoom - camera.zoom) < 0.1)
      camera = next
      if step > 50 { sizes.append(radius(camera)) }
    }
    for size in sizes { #expect(abs(size / sizes[0] - 1) < 1e-9) }
    #expect(camera.center == LonLat(60, 60))
  }

  /// Whether it goes down, and for how long, is what is seen.
  @Test func whatIsSeenSaysHowItGoes() throws {
    // Less zoom, and yet the globe grows.
    let start = Camera(center: LonLat(0, 0), zoom: 3)
    let up = try ViewportFlight(
      from: start, to: change(LonLat(0, 80), zoom: 2), size: Self.size, limits: Self.globe)
    #expect(up.plan != ViewportFlight.ascent.scaled(up.plan.zoom.end / ViewportFlight.ascent.zoom.end))
    #expect(up.plan.center.delay == 0 && up.plan.zoom.delay > 0)
    let flat = try ViewportFlight(from: start, to: change(LonLat(0, 80), zoom: 2), size: Self.size)
    #expect(flat.plan.zoom.delay == 0)
    // What is behind the globe is as far as the way over it, also where it would be seen near the middle.
    let behind = try ViewportFlight(
      from: Camera(center: LonLat(0, 0), zoom: 1), to: change(LonLat(179, 0), zoom: 2), size: Self.size,
      limits: Self.globe)
    let ground = .pi * radius(Camera(center: LonLat(0, 0), zoom: 1)) * 179 / 180
    #expect(abs(behind.plan.center.duration / min(ground * 2, 3000) - 1) < 0.35)
  }

  @Test func anAimThatMovesIsMet() throws {
    var flight = try ViewportFlight(
      from: Camera(center: LonLat(0, 0), zoom: 3), to: change(LonLat(20, 60), zoom: 4), size: Self.size,
      limits: Self.globe)
    let half = flight.camera(Camera(), atMS: flight.durationMS / 2, limits: Self.globe)
    try flight.turn(to: change(LonLat(20.1, 60), zoom: 4))
    let turned = flight.camera(half, atMS: flight.durationMS / 2, limits: Self.globe)
    #expect(abs(turned.center.lon - half.center.lon) < 0.11 && abs(turned.zoom - half.zoom) < 1e-6)
    let end = flight.camera(turned, atMS: .infinity, limits: Self.globe)
    #expect(end.center == LonLat(20.1, 60) && end.zoom == 4)
    for bad in [Double.nan, 91] {
      #expect(throws: NeatError.self) { try flight.turn(to: change(LonLat(0, bad))) }
    }
  }

  /// What was there before the globe, to the last bit.
  @Test func onThePlaneAllIsAsItWas() throws {
    var random = SplitMix(seed: 1)
    func any(_ range: ClosedRange<Double>) -> Double { .random(in: range, using: &random) }
    for _ in 0..<200 {
      let start = Camera(center: LonLat(any(-180...180), any(-85...85)), zoom: any(0...18))
      let to = LonLat(any(-180...180), any(-85...85))
      let zoom = any(0...18)
      var flight = try ViewportFlight(
        from: start, to: change(to, zoom: zoom), size: Self.size, limits: CameraLimits())
      let near = LonLat(Angle.near(to.lon, to: start.center.lon), to.lat)
      let (a, b) = (Mercator.held(start.center), Mercator.held(near))
      for time in [0.0, 500, 1000, 1500, 2500] {
        let (part, rise) = (flight.plan.center.part(at: time), flight.plan.zoom.part(at: time))
        let there = Mercator.unproject(a + (b - a) * part)
        var expected = start
        expected.center = part == 1 ? to : LonLat(Angle.wrapped(there.lon), there.lat)
        expected.zoom = rise == 1 ? zoom : start.zoom + (zoom - start.zoom) * rise
        #expect(
          flight.camera(start, atMS: time, limits: CameraLimits()) == expected.held())
      }
      // Neither do limits of the plane make another plan.
      #expect(
        try ViewportFlight(from: start, to: change(to, zoom: zoom), size: Self.size).plan == flight.plan)
    }
  }

  @Test func camerasOfAnyFlightAreCameras() throws {
    var random = SplitMix(seed: 2)
    func any(_ range: ClosedRange<Double>) -> Double { .random(in: range, using: &random) }
    for round in 0..<500 {
      let latitudes = [90.0, -90, 0, any(-90...90)]
      func place() -> LonLat {
        LonLat([180, -180, any(-540...540)].randomElement(using: &random)!, latitudes.randomElement()!)
      }
      let start = Camera(
        center: place(), zoom: any(-2...25.5), bearing: any(-360...360), pitch: any(0...180))
      let size = round % 2 == 0 ? Self.size : ViewSize(width: 1, height: 1)
      var aim = change(place(), zoom: round % 3 == 0 ? nil : any(-2...25.5), pitch: any(0...180))
      aim.padding = round % 5 == 0 ? EdgeInsets(top: 65536) : nil
      var flight = try ViewportFlight(
        from: start, to: aim, size: size, limits: Self.globe, maxDurationMS: any(0...4000))
      #expect((0...4000).contains(flight.durationMS))
      var camera = start
      for time in [0.0, 1, 100, 1000, 3000, .infinity] {
        camera = try flight.camera(camera, atMS: time, limits: Self.globe).checked()
        _ = try Self.globe.constrained(camera, size).checked()
      }
    }
  }
}
