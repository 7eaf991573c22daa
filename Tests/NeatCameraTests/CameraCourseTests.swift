import NeatBase
import NeatCamera
import Testing

@Suite struct CameraCourseTests {
  private let size = ViewSize(width: 800, height: 600)

  private func change(_ set: (inout CameraChange) -> Void) -> CameraChange {
    var change = CameraChange()
    set(&change)
    return change
  }

  @Test func theFirstFrameIsTheStartAndTheLastIsWhatWasAsked() throws {
    var random = SeededRandom(seed: 7)
    for _ in 0..<200 {
      func some() -> Camera {
        var camera = Camera(
          center: LonLat(random.number(-179...180), random.number(-80...80)), zoom: random.number(1...20),
          bearing: random.number(-179...180), pitch: random.number(0...80), roll: random.number(-179...180))
        camera.padding = EdgeInsets(top: random.number(0...100), right: random.number(0...100))
        camera.fieldOfView = random.number(10...90)
        return camera
      }
      let (from, to) = (some(), some())
      let ease = try CameraEase(from: from, to: CameraChange(to: to), size: size)
      let flight = try CameraFlight(from: from, to: CameraChange(to: to), size: size)
      for (camera, wanted) in [
        (ease.camera(at: 0), from), (ease.camera(at: 1), to), (flight.camera(at: 0), from),
        (flight.camera(at: 1), to),
      ] {
        #expect(abs(Angle.wrapped(camera.center.lon - wanted.center.lon)) < 1e-9)
        #expect(abs(camera.center.lat - wanted.center.lat) < 1e-9 && abs(camera.zoom - wanted.zoom) < 1e-9)
        #expect(abs(Angle.wrapped(camera.bearing - wanted.bearing)) < 1e-9)
        #expect(
          abs(Angle.wrapped(camera.roll - wanted.roll)) < 1e-9 && abs(camera.pitch - wanted.pitch) < 1e-9)
        #expect(abs(camera.fieldOfView - wanted.fieldOfView) < 1e-9)
        #expect(
          abs(camera.padding.top - wanted.padding.top) + abs(camera.padding.right - wanted.padding.right)
            < 1e-9)
      }
      #expect(flight.durationMS.isFinite && flight.durationMS > 0)
    }
  }

  @Test func whatIsNotSaidStays() throws {
    let from = Camera(center: LonLat(8, 47), zoom: 9, bearing: 30, pitch: 40, roll: 5)
    let ease = try CameraEase(from: from, to: change { $0.zoom = 11 }, size: size)
    let camera = ease.camera(at: 0.5)
    #expect((camera.center, camera.zoom, camera.bearing, camera.pitch) == (from.center, 10, 30, 40))
  }

  @Test func thePaddingGoesEvenly() throws {
    let to = change { $0.padding = EdgeInsets(top: 100) }
    let ease = try CameraEase(from: Camera(zoom: 4), to: to, size: size)
    #expect([0, 0.25, 1].map { ease.camera(at: $0).padding.top } == [0, 25, 100])
  }

  @Test func theShorterWayIsGone() throws {
    var from = Camera(center: LonLat(170, 10), zoom: 4)
    let ease = try CameraEase(from: from, to: change { $0.center = LonLat(-170, 10) }, size: size)
    #expect(abs(abs(ease.camera(at: 0.5).center.lon) - 180) < 1e-6)
    let flight = try CameraFlight(from: from, to: change { $0.center = LonLat(-170, 10) }, size: size)
    #expect((0...10).allSatisfy { abs(flight.camera(at: Double($0) / 10).center.lon) > 169 })
    from.bearing = 0
    let turn = try CameraEase(from: from, to: change { $0.bearing = 700 }, size: size)
    #expect(abs(turn.camera(at: 0.5).bearing + 10) < 1e-9)
    #expect(abs(turn.camera(at: 1).bearing + 20) < 1e-9)
  }

  @Test func thePlaceAroundStaysWhereItIsSeen() throws {
    let from = Camera(center: LonLat(8, 47), zoom: 9, bearing: 30, pitch: 40)
    let place = LonLat(8.2, 47.1)
    let point = try #require(try CameraView(camera: from, size: size).point(of: place))
    let ease = try CameraEase(
      from: from,
      to: change {
        $0.around = place
        ($0.zoom, $0.bearing, $0.pitch) = (12, -80, 10)
      }, size: size)
    for step in 0...10 {
      let seen = try #require(
        try CameraView(camera: ease.camera(at: Double(step) / 10), size: size).point(of: place))
      #expect(abs(seen.x - point.x) < 0.01 && abs(seen.y - point.y) < 0.01, "\(step): \(seen)")
    }
  }

  @Test func theOffsetIsWhereTheCentreIsSeen() throws {
    let target = LonLat(9, 46)
    let ease = try CameraEase(
      from: Camera(center: LonLat(8, 47), zoom: 9),
      to: change {
        ($0.center, $0.zoom, $0.pitch) = (target, 10, 30)
        $0.offset = SIMD2(50, 20)
      }, size: size)
    let seen = try #require(try CameraView(camera: ease.camera(at: 1), size: size).point(of: target))
    #expect(abs(seen.x - 450) < 1e-6 && abs(seen.y - 320) < 1e-6)
  }

  @Test func aFlightGoesOutAndInAtItsSpeed() throws {
    let to = change { ($0.center, $0.zoom) = (LonLat(13.4, 52.5), 12) }
    let from = Camera(center: LonLat(2.35, 48.86), zoom: 12)
    let flight = try CameraFlight(from: from, to: to, size: size)
    let zooms = (0...20).map { flight.camera(at: Double($0) / 20).zoom }
    #expect((zooms.min() ?? 12) < 8)
    var options = CameraFlight.Options()
    options.speed = 2.4
    let faster = try CameraFlight(from: from, to: to, size: size, options: options)
    #expect(abs(flight.durationMS / faster.durationMS - 2) < 1e-9)
    options.maxDuration = 1
    #expect(try CameraFlight(from: from, to: to, size: size, options: options).durationMS == 0)
    options = CameraFlight.Options()
    options.minZoom = 9
    let low = try CameraFlight(from: from, to: to, size: size, options: options)
    let top = (0...100).map { low.camera(at: Double($0) / 100).zoom }.min() ?? 0
    #expect(top > 8.9 && top < 9.2, "\(top)")
  }

  @Test func aFlightToWhereItIsOnlyTurns() throws {
    let from = Camera(center: LonLat(8, 47), zoom: 9)
    let flight = try CameraFlight(from: from, to: change { $0.bearing = 90 }, size: size)
    #expect(abs(flight.camera(at: 0.5).bearing - 45) < 1e-9 && flight.camera(at: 0.5).zoom == 9)
    let down = try CameraFlight(from: from, to: change { $0.zoom = 12 }, size: size)
    #expect(abs(down.camera(at: 0.5).zoom - 10.5) < 1e-9)
  }

  @Test func limitsHoldTheWholeWay() throws {
    var limits = CameraLimits()
    limits.mode = .screen
    limits.bounds = ViewBounds(west: 5, south: 45, east: 12, north: 49)
    let flight = try CameraFlight(
      from: Camera(center: LonLat(6, 46), zoom: 12), to: change { $0.center = LonLat(20, 48) }, size: size,
      limits: limits)
    for step in 0...20 {
      let seen = try CameraView(camera: flight.camera(at: Double(step) / 20), size: size).bounds()
      #expect(
        seen.west >= 5 - 1e-6 && seen.east <= 12 + 1e-6 && seen.south >= 45 - 1e-6 && seen.north <= 49 + 1e-6)
    }
  }

  /// Whatever the cameras and the time, a frame is a camera.
  @Test func everyFrameIsACamera() throws {
    var random = SeededRandom(seed: 9)
    for _ in 0..<500 {
      func some() -> Camera {
        var camera = Camera(
          center: LonLat(random.number(-36000...36000), random.number(-90...90)),
          zoom: random.number(CameraRange.zoom), bearing: random.number(-36000...36000),
          pitch: random.number(CameraRange.pitch), roll: random.number(-36000...36000))
        camera.padding.left = random.number(0...65536)
        camera.fieldOfView = random.number(CameraRange.fieldOfView)
        return camera
      }
      let (from, to) = (some(), some())
      let ease = try CameraEase(from: from, to: CameraChange(to: to), size: size)
      let flight = try CameraFlight(from: from, to: CameraChange(to: to), size: size)
      for k in [0, 0.3, 0.9, 1, -0.5, 1.5] {
        _ = try ease.camera(at: k).checked()
        _ = try flight.camera(at: k).checked()
      }
    }
  }

  @Test func badInputIsRefused() {
    for bad in [Double.nan, .infinity, -.infinity, 1e300] {
      func refuses(_ set: (inout CameraChange) -> Void) {
        let change = change(set)
        #expect(throws: NeatError.self) { try CameraEase(from: Camera(), to: change, size: size) }
        #expect(throws: NeatError.self) { try CameraFlight(from: Camera(), to: change, size: size) }
      }
      refuses { $0.center = LonLat(bad, 0) }
      refuses { $0.center = LonLat(0, bad) }
      refuses { $0.zoom = bad }
      refuses { $0.bearing = bad }
      refuses { $0.pitch = bad }
      refuses { $0.roll = bad }
      refuses { $0.fieldOfView = bad }
      refuses { $0.padding = EdgeInsets(bottom: bad) }
      refuses { $0.offset.x = bad }
      refuses { $0.around = LonLat(bad, 0) }
      for field in [\CameraFlight.Options.curve, \.speed] {
        var options = CameraFlight.Options()
        options[keyPath: field] = bad
        #expect(throws: NeatError.self) {
          try CameraFlight(from: Camera(), to: change { $0.zoom = 3 }, size: size, options: options)
        }
      }
      for field in [\CameraFlight.Options.minZoom, \.screenSpeed, \.maxDuration] {
        var options = CameraFlight.Options()
        options[keyPath: field] = bad
        #expect(throws: NeatError.self) {
          try CameraFlight(from: Camera(), to: change { $0.zoom = 3 }, size: size, options: options)
        }
      }
    }
    #expect(throws: NeatError.self, "above the horizon") {
      try CameraEase(
        from: Camera(zoom: 5, pitch: 80), to: change { $0.offset = SIMD2(0, -300) }, size: size)
    }
  }
}
