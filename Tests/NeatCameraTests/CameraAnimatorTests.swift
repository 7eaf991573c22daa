import NeatBase
import NeatCamera
import Testing

@Suite struct CameraAnimatorTests {
  private let size = ViewSize(width: 800, height: 600)
  private let from = Camera(center: LonLat(8, 47), zoom: 6, bearing: 10)

  private func animator(
    _ durationMS: Double = 1000, _ curve: AnimationCurve = .linear,
    _ set: (inout CameraAnimator.Values) -> Void
  ) throws -> CameraAnimator {
    var values = CameraAnimator.Values()
    set(&values)
    return try CameraAnimator(values, durationMS: durationMS, curve: curve)
  }

  @Test func curvesBeginAtNothingAndEndAtAll() throws {
    for curve in [
      AnimationCurve.linear, .easeIn, .easeOut, .easeInOut, .ease, .bezier(x1: 0.3, y1: -2, x2: 0.6, y2: 3),
      .spring(dampingRatio: 1), .spring(dampingRatio: 0.3), .spring(dampingRatio: 0.1),
    ] {
      let curve = try curve.checked()
      #expect(curve.value(at: 0) == 0 && curve.value(at: 1) == 1 && curve.value(at: 2) == 1)
      #expect(abs(curve.value(at: 1e-9)) < 1e-3 && abs(curve.value(at: 1 - 1e-9) - 1) < 1e-3, "\(curve)")
    }
    #expect(AnimationCurve.easeIn.value(at: 0.5) < 0.4 && AnimationCurve.easeOut.value(at: 0.5) > 0.6)
    #expect(abs(AnimationCurve.easeInOut.value(at: 0.5) - 0.5) < 1e-9)
    let swings = (0...100).map { AnimationCurve.spring(dampingRatio: 0.3).value(at: Double($0) / 100) }
    #expect((swings.max() ?? 0) > 1.2)
    let still = (0...100).map { AnimationCurve.spring(dampingRatio: 1).value(at: Double($0) / 100) }
    #expect(still == still.sorted())
  }

  @Test func valuesThatAreNotSetStartFromTheCameraAndOthersAreLeftAlone() throws {
    var animator = try animator { $0.zoom = .init(to: 10) }
    try animator.start(atMS: 0)
    var camera = animator.advance(from, toMS: 0, size: size)
    #expect(camera == from && animator.state == .active)
    camera.bearing = 77
    camera = animator.advance(camera, toMS: 500, size: size)
    #expect((camera.zoom, camera.bearing, camera.center) == (8, 77, from.center))
    #expect(animator.fractionComplete == 0.5)
    camera = animator.advance(camera, toMS: 1000, size: size)
    #expect(camera.zoom == 10 && animator.state == .finished && animator.end == .end)
    #expect(animator.fractionComplete == 1)
    #expect(throws: NeatError.self) { try animator.start(atMS: 2000) }
  }

  @Test func aFromValueAppliesAtOnce() throws {
    var animator = try animator { $0.pitch = .init(from: 20, to: 40) }
    try animator.start(atMS: 5)
    #expect(animator.advance(from, toMS: 5, size: size).pitch == 20)
  }

  @Test func aDelayPassesFirst() throws {
    var animator = try animator { $0.zoom = .init(to: 10) }
    try animator.start(atMS: 0, delayMS: 300)
    #expect(animator.advance(from, toMS: 299, size: size) == from)
    #expect(
      animator.advance(Camera(zoom: 2), toMS: 800, size: size).zoom == 6, "from the camera when it moves")
  }

  @Test func aPauseStopsTheTime() throws {
    var animator = try animator { $0.zoom = .init(to: 10) }
    try animator.start(atMS: 0)
    _ = animator.advance(from, toMS: 100, size: size)
    animator.pause(atMS: 250)
    #expect(animator.state == .paused && animator.fractionComplete == 0.25)
    #expect(animator.advance(from, toMS: 900, size: size) == from)
    animator.resume(atMS: 1000)
    #expect(animator.advance(from, toMS: 1250, size: size).zoom == 8)
  }

  @Test func aReversedOneEndsAtItsStart() throws {
    var animator = try animator { $0.zoom = .init(to: 10) }
    try animator.start(atMS: 0)
    var camera = animator.advance(from, toMS: 400, size: size)
    animator.reverse(atMS: 500)
    camera = animator.advance(camera, toMS: 750, size: size)
    #expect(camera.zoom == 7 && animator.isReversed)
    camera = animator.advance(camera, toMS: 1100, size: size)
    #expect(camera.zoom == 6 && animator.end == .start)
  }

  @Test func aStoppedOneStaysWhereItIs() throws {
    var animator = try animator { $0.zoom = .init(to: 10) }
    try animator.start(atMS: 0)
    let camera = animator.advance(from, toMS: 500, size: size)
    animator.stop()
    #expect(animator.end == .current && animator.advance(camera, toMS: 900, size: size) == camera)
    #expect(throws: NeatError.self) { try animator.start(atMS: 1000) }
  }

  @Test func timeThatGoesBackCountsForNothing() throws {
    var animator = try animator { $0.zoom = .init(to: 10) }
    try animator.start(atMS: 1000)
    let camera = animator.advance(from, toMS: 1500, size: size)
    for time in [200, Double.nan, -Double.infinity] {
      #expect(animator.advance(camera, toMS: time, size: size) == camera)
    }
    #expect(animator.advance(camera, toMS: 1600, size: size).zoom > 8.3)
  }

  @Test func theAnchorKeepsItsPlace() throws {
    let camera = Camera(center: LonLat(8, 47), zoom: 6, bearing: 10, pitch: 40)
    let point = SIMD2(620.0, 410.0)
    let place = try #require(try CameraView(camera: camera, size: size).place(at: point).place)
    var animator = try animator {
      $0.anchor = .init(to: point)
      ($0.zoom, $0.bearing, $0.pitch) = (.init(to: 9), .init(to: 200), .init(to: 0))
    }
    try animator.start(atMS: 0)
    var moved = camera
    for time in stride(from: 0.0, through: 1000, by: 50) {
      moved = animator.advance(moved, toMS: time, size: size)
      let seen = try #require(try CameraView(camera: moved, size: size).point(of: place))
      #expect(abs(seen.x - point.x) < 0.01 && abs(seen.y - point.y) < 0.01, "\(time): \(seen)")
    }
    #expect(moved.zoom == 9)
  }

  @Test func animatorsOfDifferentValuesRunSideBySide() throws {
    var all = CameraAnimators()
    let zoom = all.add(try animator { $0.zoom = .init(to: 10) })
    let turn = all.add(try animator(500) { $0.bearing = .init(to: -350) })
    for id in [zoom, turn] {
      try all.change(id) { animator throws(NeatError) in try animator.start(atMS: 0) }
    }
    var camera = all.advance(from, toMS: 0, size: size)
    camera = all.advance(camera, toMS: 500, size: size)
    #expect((camera.zoom, camera.bearing) == (8, -350))
    #expect(all.takeEnded().map(\.id) == [turn] && all.alive.map(\.id) == [zoom] && all.isMoving)
    all.cancelAll()
    #expect(all.takeEnded().map(\.position) == [.current] && all.alive.isEmpty && !all.isMoving)
    #expect(throws: NeatError.self) { try all.change(turn) { _ in } }
  }

  @Test func easingsReplaceEachOtherAndThoseMadeByHandStay() throws {
    var all = CameraAnimators()
    let hand = all.add(try animator { $0.pitch = .init(to: 30) })
    let first = all.add(try animator { $0.zoom = .init(to: 10) }, replaces: true)
    let second = all.add(try animator { $0.zoom = .init(to: 3) }, replaces: true)
    #expect(all.alive.map(\.id) == [hand, second])
    #expect(all.takeEnded().map { ($0.id) } == [first])
  }

  @Test func badInputIsRefused() throws {
    for bad in [Double.nan, .infinity, -.infinity, 1e300] {
      let sets: [(inout CameraAnimator.Values) -> Void] = [
        { $0.zoom = .init(to: bad) }, { $0.zoom = .init(from: bad, to: 1) }, { $0.bearing = .init(to: bad) },
        { $0.pitch = .init(to: bad) }, { $0.center = .init(to: LonLat(bad, 0)) },
        { $0.center = .init(from: LonLat(0, bad), to: LonLat(0, 0)) },
        { $0.padding = .init(to: EdgeInsets(top: bad)) }, { $0.anchor = .init(to: SIMD2(bad, 0)) },
        { $0.anchor = .init(from: SIMD2(0, bad), to: SIMD2(0, 0)) },
      ]
      for set in sets { #expect(throws: NeatError.self) { try animator(1000, .linear, set) } }
      #expect(throws: NeatError.self) { try animator(bad) { $0.zoom = .init(to: 3) } }
      #expect(throws: NeatError.self) { try AnimationCurve.spring(dampingRatio: bad).checked() }
      #expect(throws: NeatError.self) { try AnimationCurve.bezier(x1: bad, y1: 0, x2: 0, y2: 0).checked() }
      #expect(throws: NeatError.self) { try AnimationCurve.bezier(x1: 0, y1: 0, x2: 0, y2: bad).checked() }
      var made = try animator { $0.zoom = .init(to: 3) }
      #expect(throws: NeatError.self) { try made.start(atMS: 0, delayMS: bad) }
    }
  }
}
