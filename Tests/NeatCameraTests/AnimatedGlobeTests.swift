import NeatBase
import NeatTestSupport
import Testing

@testable import NeatCamera

/// Values of a camera that are animated one by one, on the globe.
@Suite struct AnimatedGlobeTests {
  private static let size = ViewSize(width: 800, height: 600)
  private static let limits = CameraLimits().on(.globe)
  private static let home = Camera(center: LonLat(150, -20), zoom: 3, bearing: 10)

  private func animator(
    _ durationMS: Double = 1000, _ curve: AnimationCurve = .linear,
    _ set: (inout CameraAnimator.Values) -> Void
  ) throws -> CameraAnimator {
    var values = CameraAnimator.Values()
    set(&values)
    var animator = try CameraAnimator(values, durationMS: durationMS, curve: curve)
    try animator.start(atMS: 0)
    return animator
  }

  /// The cameras of a way in steps, as a map has them that lies on the globe all the time.
  private func cameras(
    _ set: (inout CameraAnimator.Values) -> Void, from start: Camera = home, steps: Int = 20,
    curve: AnimationCurve = .linear, limits: CameraLimits = limits, size: ViewSize = size
  ) throws -> [Camera] {
    var animator = try animator(1000, curve, set)
    var camera = start
    return (0...steps).map { step in
      let time = Double(step) / Double(steps) * 1000
      camera = limits.constrained(
        animator.advance(camera, toMS: time, size: size, limits: limits), size)
      return camera
    }
  }

  private func radius(_ camera: Camera) -> Double { GlobeView(camera, Self.size).radius }

  private func away(_ camera: Camera, _ place: LonLat, _ point: SIMD2<Double>) throws -> Double {
    let view = try CameraView(camera: camera, size: Self.size, projection: .globe)
    let way = try #require(try view.nearPoint(of: place)) - point
    return (way * way).sum().squareRoot()
  }

  // MARK: Centres

  @Test func theGlobeStaysAsLargeOnTheWayToAPole() throws {
    for latitude in [90.0, -90] {
      let way = try cameras { $0.center = .init(to: LonLat(150, latitude)) }
      for camera in way { #expect(abs(radius(camera) / radius(Self.home) - 1) < 1e-9) }
      let last = try #require(way.last)
      #expect(abs(last.center.lat) == Mercator.maxLatitude && last.center.lon == 150)
      // Its latitude grows evenly.
      let half = (Self.home.center.lat + last.center.lat) / 2
      #expect(abs(way[10].center.lat - half) < 1e-9)
    }
  }

  @Test func aCentreGoesTheShorterWayOverTheSeam() throws {
    let way = try cameras { $0.center = .init(to: LonLat(-150, 40)) }
    for camera in way { #expect(abs(camera.center.lon) >= 150 && abs(camera.center.lon) <= 180) }
    #expect(way.last?.center == LonLat(-150, 40))
    // Places on the seam by both its names.
    for to in [180.0, -180, 540] {
      let way = try cameras { $0.center = .init(from: LonLat(-180, 0), to: LonLat(to, 10)) }
      for camera in way { #expect(180 - abs(Angle.wrapped(camera.center.lon)) < 1e-9) }
    }
  }

  @Test func withinBoundsTheWayIsWithinThem() throws {
    var limits = Self.limits
    limits.bounds = ViewBounds(west: -170, south: -60, east: 170, north: 60)
    let way = try cameras(
      { $0.center = .init(to: LonLat(160, 80)) }, from: Camera(center: LonLat(-160, 0), zoom: 3),
      limits: limits)
    #expect(abs(way[10].center.lon) < 100 && way.last?.center == LonLat(160, 60))
    for (a, b) in zip(way, way.dropFirst()) { #expect(b.center.lon > a.center.lon) }
    for camera in way { #expect(abs(radius(camera) / radius(way[0]) - 1) < 1e-9) }
  }

  @Test func centreAndZoomGoByTheGlobesSize() throws {
    let way = try cameras {
      $0.center = .init(to: LonLat(100, 75))
      $0.zoom = .init(from: 4, to: 2)
    }
    #expect(way[0].zoom == 4 && abs(way[0].center.lat + 20) < 1e-12)
    #expect(way.last?.zoom == 2 && way.last?.center == LonLat(100, 75))
    let sizes = way.map { log2(radius($0)) }
    let step = sizes[1] - sizes[0]
    for (a, b) in zip(sizes, sizes.dropFirst()) { #expect(abs(b - a - step) < 1e-9) }
  }

  @Test func aWayBackEndsWhereItBegan() throws {
    // The tiny globe cannot stay as small at the pole, and the large one not be as large at the equator.
    for start in [
      Camera(center: LonLat(0, 0), zoom: 0), Camera(center: LonLat(0, 84), zoom: 20), Self.home,
    ] {
      for held in [true, false] {
        let limits = held ? Self.limits : CameraLimits.none.on(.globe)
        var animator = try animator { $0.center = .init(to: LonLat(20, start.center.lat == 0 ? 90 : 0)) }
        var camera = start
        for time in [0.0, 300, 600, 900, 950] {
          camera = limits.constrained(
            animator.advance(camera, toMS: time, size: Self.size, limits: limits), Self.size)
        }
        animator.reverse(atMS: 950)
        for time in [1200.0, 1700, 1901] {
          camera = limits.constrained(
            animator.advance(camera, toMS: time, size: Self.size, limits: limits), Self.size)
        }
        #expect(animator.end == .start)
        #expect(abs(camera.zoom - start.zoom) < 1e-9 && abs(camera.center.lat - start.center.lat) < 1e-9)
      }
    }
  }

  @Test func aCurveMayOvershoot() throws {
    let way = try cameras(
      {
        $0.center = .init(to: LonLat(-170, 80))
        $0.zoom = .init(to: 21)
      }, steps: 100, curve: .bezier(x1: 0.3, y1: -9, x2: 0.6, y2: 9))
    for camera in way { _ = try camera.checked() }
    #expect(way.last?.center == LonLat(-170, 80) && way.last?.zoom == 21)
  }

  // MARK: Several

  @Test func aZoomThatIsAnimatedCountsBeforeOneThatFollows() throws {
    for isFirst in [true, false] {
      var all = CameraAnimators()
      let zoom = try animator { $0.zoom = .init(to: 4) }
      let center = try animator { $0.center = .init(to: LonLat(150, 70)) }
      for animator in isFirst ? [zoom, center] : [center, zoom] { _ = all.add(animator) }
      var camera = Self.home
      for time in stride(from: 0.0, through: 1000, by: 100) {
        camera = all.advance(camera, toMS: time, size: Self.size, limits: Self.limits)
        #expect(abs(camera.zoom - (3 + time / 1000)) < 1e-9)
      }
      #expect(camera.zoom == 4 && camera.center == LonLat(150, 70) && all.alive.isEmpty)
    }
    // One that waits for its delay has no say yet.
    var all = CameraAnimators()
    var zoom = try CameraAnimator(
      {
        var values = CameraAnimator.Values()
        values.zoom = .init(to: 4)
        return values
      }(), durationMS: 1000, curve: .linear)
    try zoom.start(atMS: 0, delayMS: 500)
    _ = all.add(zoom)
    _ = all.add(try animator { $0.center = .init(to: LonLat(150, 70)) })
    var camera = Self.home
    for time in [0.0, 200, 400] {
      camera = all.advance(camera, toMS: time, size: Self.size, limits: Self.limits)
      #expect(abs(radius(camera) / radius(Self.home) - 1) < 1e-9)
    }
    let before = camera.zoom
    camera = all.advance(camera, toMS: 500, size: Self.size, limits: Self.limits)
    #expect(camera.zoom == before)
  }

  @Test func whatElseMovesTheCameraIsNotUndone() throws {
    var animator = try animator { $0.center = .init(to: LonLat(150, 70)) }
    var camera = animator.advance(Self.home, toMS: 0, size: Self.size, limits: Self.limits)
    camera = animator.advance(camera, toMS: 400, size: Self.size, limits: Self.limits)
    camera.zoom += 1
    for time in [500.0, 800, 1000] {
      camera = animator.advance(camera, toMS: time, size: Self.size, limits: Self.limits)
      #expect(abs(radius(camera) / radius(Self.home) - 2) < 1e-9)
    }
  }

  // MARK: Anchors

  private static let anchors = [SIMD2(400.0, 300), SIMD2(500, 200), SIMD2(250, 420)]

  @Test(arguments: anchors) func thePlaceUnderAnAnchorStays(anchor: SIMD2<Double>) throws {
    for start in [
      Self.home, Camera(center: LonLat(-178, 70), zoom: 2.5, pitch: 40),
      Camera(center: LonLat(0, 85), zoom: 4),
    ] {
      let view = try CameraView(camera: start, size: Self.size, projection: .globe)
      let (found, isOnSurface) = try view.place(at: anchor)
      let place = try #require(found)
      try #require(isOnSurface)
      let zoom = try cameras(
        {
          $0.zoom = .init(to: 6)
          $0.anchor = .init(to: anchor)
        }, from: start)
      for (step, camera) in zoom.enumerated() {
        let isHeld = abs(camera.center.lat) > Mercator.maxLatitude - 1e-9
        #expect(try isHeld || away(camera, place, anchor) < 0.01, "\(start) \(step) \(camera)")
        #expect(!isHeld || start.center.lat == 85)
        #expect(abs(camera.zoom - (start.zoom + (6 - start.zoom) * Double(step) / 20)) < 1e-9)
      }
      // Nothing but angles: the globe is as large, and the place stays, as far as the centre may go.
      let turn = try cameras(
        {
          $0.bearing = .init(to: 60)
          $0.anchor = .init(to: anchor)
        }, from: start)
      for camera in turn {
        #expect(abs(radius(camera) / radius(start) - 1) < 1e-9)
        guard abs(camera.center.lat) < Mercator.maxLatitude - 1e-9 else { continue }
        #expect(try away(camera, place, anchor) < 0.01, "\(start)")
      }
    }
  }

  @Test func anAnchorThatMovesTakesThePlaceWithIt() throws {
    let (from, to) = (SIMD2(300.0, 300), SIMD2(500.0, 250))
    let place = try #require(
      try CameraView(camera: Self.home, size: Self.size, projection: .globe).place(at: from).place)
    let way = try cameras {
      $0.anchor = .init(from: from, to: to)
      $0.pitch = .init(to: 30)
    }
    for (step, camera) in way.enumerated() {
      #expect(try away(camera, place, from + (to - from) * (Double(step) / 20)) < 0.01)
    }
  }

  @Test func withinTheLimitsOfZoomsItStaysToo() throws {
    var limits = Self.limits
    limits.maxZoom = 4
    let anchor = SIMD2(550.0, 220)
    let place = try #require(
      try CameraView(camera: Self.home, size: Self.size, projection: .globe).place(at: anchor).place)
    let way = try cameras(
      {
        $0.zoom = .init(to: 9)
        $0.anchor = .init(to: anchor)
      }, limits: limits)
    #expect(way.last?.zoom == 4)
    for camera in way { #expect(try away(camera, place, anchor) < 0.01) }
  }

  @Test func besideTheGlobeThereIsNothingToHold() throws {
    let small = Camera(center: LonLat(10, 20), zoom: 0.5)
    let way = try cameras(
      {
        $0.zoom = .init(to: 3)
        $0.anchor = .init(to: SIMD2(5, 5))
      }, from: small)
    for camera in way { #expect(camera.center == small.center) }
    #expect(way.last?.zoom == 3)
    // What leaves the globe on the way stays near its edge, and nothing jumps.
    let out = try cameras(
      {
        $0.zoom = .init(to: -1)
        $0.anchor = .init(to: SIMD2(750, 300))
      }, from: Self.home, steps: 1000)
    for (a, b) in zip(out, out.dropFirst()) {
      #expect(abs(Angle.wrapped(b.center.lon - a.center.lon)) < 2 && abs(b.center.lat - a.center.lat) < 2)
    }
  }

  // MARK: From the globe to the plane

  /// A map that is the globe to zoom 11.5, and moves so that it becomes the plane: nothing jumps.
  @Test func whereItBecomesThePlaneNothingJumps() throws {
    func run(_ start: Camera, steps: Int, _ set: (inout CameraAnimator.Values) -> Void) throws -> [Camera] {
      var animator = try animator(1000, .linear, set)
      var camera = start
      return (0...steps).map { step in
        func limits() -> CameraLimits { CameraLimits().on(camera.zoom < 11.5 ? .globe : .mercator) }
        camera = animator.advance(
          camera, toMS: Double(step) / Double(steps) * 1000, size: Self.size, limits: limits())
        camera = limits().constrained(camera, Self.size)
        return camera
      }
    }
    /// Pixels of the ground from one centre to another, as a part of the change of zooms where they do.
    func largest(_ way: [Camera]) -> Double {
      zip(way, way.dropFirst()).map { a, b in
        let step = (Mercator.held(b.center) - Mercator.held(a.center)) * 512 * exp2(a.zoom)
        return max((step * step).sum().squareRoot(), abs(b.zoom - a.zoom) * 512)
      }.max() ?? 0
    }
    let anchor = SIMD2(700.0, 120)
    for (from, to) in [(10.0, 13.0), (13, 10)] {
      let way = try run(Camera(center: LonLat(11, 60), zoom: from, pitch: 30), steps: 3000) {
        $0.zoom = .init(to: to)
        $0.anchor = .init(to: anchor)
      }
      #expect(way.last?.zoom == to && largest(way) < 1, "\(largest(way))")
    }
    // And what is anchored then stays to the end.
    let deep = try run(Camera(center: LonLat(11, 60), zoom: 11.4, pitch: 30), steps: 100) {
      $0.zoom = .init(to: 14)
      $0.anchor = .init(to: anchor)
    }
    let plane = try CameraView(camera: deep[60], size: Self.size)
    let place = try #require(try plane.place(at: anchor).place)
    let way = try #require(try CameraView(camera: deep[100], size: Self.size).point(of: place)) - anchor
    #expect((way * way).sum().squareRoot() < 0.01)
    // The centre goes on as it began.
    let center = try run(Camera(center: LonLat(11, 60), zoom: 11.2), steps: 100) {
      $0.center = .init(to: LonLat(11, 0))
    }
    for (step, camera) in center.enumerated() {
      #expect(abs(camera.center.lat - 60 * (1 - Double(step) / 100)) < 1e-9)
      #expect(abs(radius(camera) / radius(center[0]) - 1) < 1e-9)
    }
  }

  /// A style's projection may change at any moment.
  @Test func whereTheProjectionChangesTheWayGoesOn() throws {
    for begins in [MapProjection.globe, .mercator] {
      for changeAt in [1, 50, 99] {
        var (center, turn) = (
          try animator { $0.center = .init(to: LonLat(-150, 60)) },
          try animator {
            $0.bearing = .init(to: 90)
            $0.anchor = .init(to: SIMD2(480, 260))
          }
        )
        var cameras: [[Camera]] = [[], []]
        var (a, b) = (Self.home, Self.home)
        for step in 0...100 {
          let other: MapProjection = begins == .globe ? .mercator : .globe
          let limits = CameraLimits().on(step < changeAt ? begins : other)
          a = center.advance(a, toMS: Double(step) * 10, size: Self.size, limits: limits)
          b = turn.advance(b, toMS: Double(step) * 10, size: Self.size, limits: limits)
          cameras[0].append(a)
          cameras[1].append(b)
        }
        #expect(a.center == LonLat(-150, 60) && b.bearing == 90)
        for way in cameras {
          for (a, b) in zip(way, way.dropFirst()) {
            #expect(abs(Angle.wrapped(b.center.lon - a.center.lon)) < 1.5)
            #expect(abs(b.center.lat - a.center.lat) < 1.5 && abs(b.zoom - a.zoom) < 0.05)
          }
        }
      }
    }
  }

  // MARK: The plane

  /// What was there before the globe, to the last bit.
  @Test func onThePlaneAllIsAsItWas() throws {
    var random = SplitMix(seed: 1)
    func any(_ range: ClosedRange<Double>) -> Double { .random(in: range, using: &random) }
    for _ in 0..<300 {
      let start = Camera(
        center: LonLat(any(-180...180), any(-89...89)), zoom: any(0...18), bearing: any(-180...180),
        pitch: any(0...70))
      let to = LonLat(any(-180...180), any(-89...89))
      let (zoom, anchor) = (any(0...18), SIMD2(any(0...800), any(250...600)))
      var (center, around) = (
        try animator {
          $0.center = .init(to: to)
          $0.zoom = .init(to: zoom)
        },
        try animator {
          $0.zoom = .init(to: zoom)
          $0.anchor = .init(to: anchor)
        }
      )
      _ = center.advance(start, toMS: 0, size: Self.size, limits: CameraLimits())
      _ = around.advance(start, toMS: 0, size: Self.size, limits: CameraLimits())
      let place = try CameraView(camera: start, size: Self.size).place(at: anchor).place
      let near = LonLat(Angle.near(to.lon, to: start.center.lon), to.lat)
      for part in [0.25, 0.5, 0.75] {
        let (a, b) = (Mercator.held(start.center), Mercator.held(near))
        let there = Mercator.unproject(a + (b - a) * part)
        var expected = start
        expected.zoom = start.zoom + (zoom - start.zoom) * part
        let plain = expected
        expected.center = LonLat(Angle.wrapped(there.lon), there.lat)
        let moved = center.advance(start, toMS: part * 1000, size: Self.size, limits: CameraLimits())
        #expect(moved == expected.held())
        expected = plain
        if let place, let hit = ViewFrame(plain, Self.size).ground(anchor), hit.isAhead {
          let found = Mercator.unproject(Mercator.open(place) - hit.place / (512 * exp2(plain.zoom)))
          expected.center = LonLat(Angle.wrapped(found.lon), Mercator.heldLatitude(found.lat))
        }
        let held = around.advance(start, toMS: part * 1000, size: Self.size, limits: CameraLimits())
        #expect(held == expected.held())
      }
    }
  }

  // MARK: Anything

  @Test func camerasOfAnyValuesAreCameras() throws {
    var random = SplitMix(seed: 2)
    func any(_ range: ClosedRange<Double>) -> Double { .random(in: range, using: &random) }
    let ends = [0.0, 90, -90, 85.05, 180, -180, 1e-9]
    for round in 0..<600 {
      func place() -> LonLat {
        round % 3 == 0
          ? LonLat(ends.randomElement(using: &random)!, [90, -90, 85.06, 0].randomElement(using: &random)!)
          : LonLat(any(-540...540), any(-90...90))
      }
      let start = Camera(
        center: place(), zoom: any(-2...25.5), bearing: any(-400...400), pitch: any(0...180))
      let tiny = ViewSize(width: Int.random(in: 1...3), height: Int.random(in: 1...800))
      let size = round % 2 == 0 ? tiny : Self.size
      var limits = round % 4 < 2 ? Self.limits : CameraLimits.none.on(.globe)
      if round % 5 == 0 { limits.bounds = ViewBounds(west: 170, south: -10, east: -170, north: 90) }
      let way = try cameras(
        {
          if round % 2 == 0 { $0.center = .init(from: round % 4 == 0 ? place() : nil, to: place()) }
          if round % 3 != 1 { $0.zoom = .init(to: any(-2...25.5)) }
          if round % 7 == 0 { $0.padding = .init(to: EdgeInsets(top: 65536, left: 1, bottom: 3, right: 70)) }
          $0.pitch = .init(to: any(0...180))
          $0.bearing = .init(to: any(-36000...36000))
          $0.anchor = .init(from: SIMD2(any(-1e6...1e6), 1e6), to: SIMD2(any(0...800), any(0...600)))
        }, from: limits.constrained(start, size), steps: 5,
        curve: round % 11 == 0 ? .spring(dampingRatio: 0.1) : .easeInOut, limits: limits, size: size)
      for camera in way { _ = try camera.checked() }
    }
    // A way of no time is there at once.
    var still = try animator(0) { $0.center = .init(to: LonLat(20, 90)) }
    let there = still.advance(Self.home, toMS: 0, size: Self.size, limits: Self.limits)
    #expect(there.center == LonLat(20, Mercator.maxLatitude) && still.end == .end)
    for bad in [Double.nan, .infinity, 91] {
      #expect(throws: NeatError.self) { try animator { $0.center = .init(to: LonLat(0, bad)) } }
    }
  }
}
