import NeatBase
import NeatCamera
import Testing

@Suite struct CameraAnimationTests {
  private let size = ViewSize(width: 400, height: 300)

  /// An easing to all of a camera, which says where that is at a time.
  private struct Way {
    let animator: CameraAnimator
    let from: Camera
    let to: Camera
    let size: ViewSize

    init(from: Camera, to: Camera, size: ViewSize, startMS: Double = 0, durationMS: Double) throws {
      (self.from, self.to, self.size) = (from, to, size)
      var animator = try CameraAnimator(
        easingTo: CameraChange(to: to), from: from, size: size, durationMS: durationMS)
      try animator.start(atMS: startMS)
      self.animator = animator
    }

    func camera(atMS time: Double) -> (Camera, isOver: Bool) {
      var animator = animator
      let camera = animator.advance(from, toMS: time, size: size)
      return (camera, animator.state == .finished)
    }
  }

  private func animation(_ change: (inout Camera) -> Void) throws -> Way {
    let from = Camera(center: LonLat(10, 20), zoom: 3)
    var to = from
    change(&to)
    return try Way(from: from, to: to, size: size, startMS: 1000, durationMS: 500)
  }

  @Test func itBeginsAndEndsExactly() throws {
    let way = try animation { ($0.zoom, $0.pitch, $0.center) = (7, 40, LonLat(-30, 55)) }
    let first = way.camera(atMS: 1000)
    #expect(!first.isOver && abs(first.0.zoom - 3) < 1e-6 && abs(first.0.center.lon - 10) < 1e-6)
    #expect(!way.camera(atMS: 900).isOver, "a time before the beginning is the beginning")
    for time in [1500, 1501, .greatestFiniteMagnitude] as [Double] {
      let last = way.camera(atMS: time)
      #expect(last.isOver && last.0 == way.to)
    }
  }

  @Test func itGoesOneWay() throws {
    let way = try animation { ($0.zoom, $0.pitch, $0.bearing) = (7, 40, 90) }
    var last = way.camera(atMS: 1000).0
    for time in stride(from: 1010.0, through: 1500, by: 10) {
      let camera = way.camera(atMS: time).0
      #expect(camera.zoom >= last.zoom && camera.pitch >= last.pitch && camera.bearing >= last.bearing)
      last = camera
    }
  }

  @Test func itTurnsTheShorterWay() throws {
    var way = try animation { $0.bearing = 350 }
    #expect((-10...0).contains(way.camera(atMS: 1250).0.bearing))
    way = try animation { $0.bearing = -170 }
    #expect((-170...0).contains(way.camera(atMS: 1250).0.bearing))
  }

  /// Bearings stand for the same direction after each full turn.
  @Test func itTurnsNoMoreThanHalfAround() throws {
    for (from, to, turn) in [
      (0.0, 700.0, -20.0), (700, 0, 20), (0, -700, 20), (3610, 0, -10), (-36000, 36000, 0), (10, 190, 180),
    ] {
      for keyPath in [\Camera.bearing, \Camera.roll] {
        var (start, end) = (Camera(), Camera())
        (start[keyPath: keyPath], end[keyPath: keyPath]) = (from, to)
        let way = try Way(from: start, to: end, size: size, durationMS: 1_000_000)
        // Half of the curve is over in about a third of the time: a part of the turn tells its way.
        let part = Angle.wrapped(way.camera(atMS: 100_000).0[keyPath: keyPath] - from)
        #expect(
          turn == 0 ? abs(part) < 1e-6 : part / turn > 0 && part / turn < 0.5, "\(from) to \(to): \(part)")
        let turned = Angle.wrapped(way.camera(atMS: 999_999).0[keyPath: keyPath] - from)
        #expect(abs(abs(turned) - abs(turn)) < 0.1, "\(from) to \(to) turned by \(turned)")
      }
    }
  }

  @Test(arguments: [(170.0, -170.0), (-170, 170), (179, -179), (190, -150)])
  func itGoesOverThe180thMeridian(_ from: Double, _ to: Double) throws {
    let way = try Way(
      from: Camera(center: LonLat(from, 10)), to: Camera(center: LonLat(to, 30)), size: size,
      durationMS: 1000)
    func east(_ longitude: Double) -> Double { longitude < 0 ? longitude + 360 : longitude }
    let range = min(east(from), east(to)) - 1e-6...max(east(from), east(to)) + 1e-6
    for time in stride(from: 0.0, through: 1000, by: 50) {
      let center = way.camera(atMS: time).0.center
      #expect(range.contains(east(center.lon)) && abs(center.lon) <= 180, "\(center)")
    }
  }

  @Test func itGoesToThePoles() throws {
    let way = try Way(
      from: Camera(), to: Camera(center: LonLat(0, -90)), size: size, durationMS: 1000)
    let latitudes = stride(from: 0.0, to: 1000, by: 100).map { way.camera(atMS: $0).0.center.lat }
    #expect(
      latitudes == latitudes.sorted(by: >) && latitudes.allSatisfy { $0 >= -Mercator.maxLatitude - 1e-9 })
    #expect(way.camera(atMS: 1000).0.center.lat == -90)
  }

  @Test func onlyWhatIsNamedIsWritten() throws {
    var change = CameraChange()
    change.zoom = 8
    let from = Camera(center: LonLat(10, 20), zoom: 3)
    var animator = try CameraAnimator(easingTo: change, from: from, size: size, durationMS: 100)
    try animator.start(atMS: 0)
    var camera = animator.advance(from, toMS: 50, size: size)
    #expect(camera.zoom > 3 && camera.zoom < 8)
    (camera.center, camera.bearing) = (LonLat(5, 5), 33)
    camera = animator.advance(camera, toMS: 100, size: size)
    #expect((camera.zoom, camera.bearing, camera.center) == (8, 33, LonLat(5, 5)))
  }

  @Test func anAnchorKeepsItsPlace() throws {
    var change = CameraChange()
    (change.zoom, change.bearing, change.pitch) = (11, 70, 30)
    let anchor = SIMD2(320.0, 200.0)
    change.anchor = anchor
    let from = Camera(center: LonLat(11, 47), zoom: 9, bearing: -20)
    let place = try #require(try CameraView(camera: from, size: size).place(at: anchor).place)
    var animator = try CameraAnimator(easingTo: change, from: from, size: size, durationMS: 100)
    try animator.start(atMS: 0)
    var cameras = stride(from: 0.0, through: 100, by: 10).map { animator.advance(from, toMS: $0, size: size) }
    cameras.append(try change.camera(from: from, size: size, limits: .none))
    for camera in cameras {
      let point = try #require(try CameraView(camera: camera, size: size).point(of: place))
      let away = point - anchor
      #expect((away * away).sum().squareRoot() < 0.01, "\(camera)")
    }
    change.anchor = SIMD2(200, -100_000)
    var pitched = from
    pitched.pitch = 80
    #expect(throws: NeatError.self) { try change.camera(from: pitched, size: size, limits: .none) }
    change.anchor = SIMD2(.nan, 0)
    #expect(throws: NeatError.self) { try change.camera(from: from, size: size, limits: .none) }
  }

  @Test func aFlightTakesItsOwnTimeAndEndsExactly() throws {
    var change = CameraChange()
    (change.center, change.zoom) = (LonLat(-170, -30), 9)
    let from = Camera(center: LonLat(170, 20), zoom: 9)
    let path = try CameraFlight(from: from, to: change, size: size)
    var animator = try CameraAnimator(flyingTo: change, from: from, size: size)
    #expect(animator.durationMS == path.durationMS && path.durationMS > 1000)
    try animator.start(atMS: nil)
    #expect(animator.advance(from, toMS: nil, size: size) == from)
    #expect(animator.advance(from, toMS: 5000, size: size) == from, "its time begins with the first frame")
    let middle = animator.advance(from, toMS: 5000 + path.durationMS / 2, size: size)
    #expect(middle.zoom < 6 && abs(middle.center.lon) > 160)
    let last = animator.advance(from, toMS: 5000 + path.durationMS, size: size)
    #expect(last.center == change.center && last.zoom == 9 && animator.end == .end)
    change.anchor = SIMD2(1, 1)
    change.center = nil
    #expect(throws: NeatError.self) { try CameraAnimator(flyingTo: change, from: from, size: size) }
  }
}
