import NeatBase
import NeatCamera
import NeatMap
import Testing

@testable import NeatLive

/// Easings, flights and animators of a map, at times that the test says: the host paces the frames.
@Suite struct LiveMapAnimatorTests {
  private static let style = Array(
    #"{"version":8,"sources":{},"layers":[{"id":"b","type":"background"}]}"#.utf8)
  fileprivate let home = Camera(center: LonLat(11, 47), zoom: 10)

  private final class Ends {
    var positions: [CameraAnimator.Position] = []
    func callAsFunction(_ position: CameraAnimator.Position) { positions.append(position) }
  }

  private func stage() throws -> Stage {
    let stage = try Stage()
    try stage.map.setPacing(byHost: true)
    try stage.map.setStyle(LiveMapAnimatorTests.style, base: "")
    try stage.map.setCamera(home)
    stage.run()
    try stage.map.beginFrame(atMS: 0)
    _ = try stage.map.draw()
    stage.run()
    stage.events = []
    return stage
  }

  private func zoomTo(_ zoom: Double) -> CameraChange {
    var change = CameraChange()
    change.zoom = zoom
    return change
  }

  private func animator(_ stage: Stage, _ set: (inout CameraAnimator.Values) -> Void) throws -> LiveAnimator {
    var values = CameraAnimator.Values()
    set(&values)
    return try stage.map.makeAnimator(values, durationMS: 1000, curve: .linear, owner: "mine")
  }

  @Test func anEasingFollowsTheHostsClock() throws {
    let (stage, ends) = (try stage(), Ends())
    try stage.map.ease(
      to: zoomTo(12), durationMS: 1000, curve: .linear, owner: "me", completion: ends.callAsFunction)
    #expect(stage.events == [.animationBegan(1, owner: "me")])
    #expect(stage.map.isFrameDue && stage.map.isMoving && !stage.map.isBusy || stage.map.isBusy)
    stage.run()
    #expect(stage.map.camera.zoom == 10, "no time has passed")
    #expect(!stage.events.contains(.mapIdle) && stage.events.contains(.frameDue))
    // Its time begins with the first frame.
    for (time, zoom) in [(5000.0, 10.0), (5250, 10.5), (5500, 11), (5400, 11), (5999, 11.998)] {
      try stage.map.beginFrame(atMS: time)
      #expect(abs(stage.map.camera.zoom - zoom) < 1e-9, "\(time)")
    }
    try stage.map.beginFrame(atMS: 6000)
    #expect(stage.map.camera.zoom == 12 && ends.positions == [.end])
    #expect(stage.events.contains(.animationEnded(1, owner: "me", .end)))
    _ = try stage.map.draw()
    stage.run()
    #expect(stage.events.contains(.mapIdle) && !stage.map.isFrameDue)
  }

  /// Another clock goes on from where the first one was.
  @Test func aClockThatBeginsAnewGoesOn() throws {
    let stage = try stage()
    try stage.map.ease(to: zoomTo(12), durationMS: 1000, curve: .linear)
    try stage.map.beginFrame(atMS: 1e12)
    try stage.map.beginFrame(atMS: 1e12 + 250)
    try stage.map.beginFrame(atMS: 3)
    #expect(stage.map.camera.zoom == 10.5)
    try stage.map.beginFrame(atMS: 253)
    #expect(stage.map.camera.zoom == 11)
    for time in [Double.nan, .infinity, -1e16] {
      #expect(throws: NeatError.self) { try stage.map.beginFrame(atMS: time) }
    }
  }

  @Test func easingsAndFlightsReplaceEachOtherAndAnimatorsStay() throws {
    let (stage, first, second) = (try stage(), Ends(), Ends())
    let turn = try animator(stage) { $0.bearing = .init(to: 90) }
    try turn.start()
    try stage.map.ease(to: zoomTo(12), durationMS: 1000, completion: first.callAsFunction)
    var far = CameraChange()
    far.center = LonLat(12, 48)
    try stage.map.fly(to: far, durationMS: 1000, completion: second.callAsFunction)
    #expect(first.positions == [.current] && second.positions.isEmpty)
    #expect(stage.map.aliveAnimators.map(\.animator.owner) == ["mine", "unspecified"])
    try stage.map.beginFrame(atMS: 0)
    try stage.map.beginFrame(atMS: 500)
    #expect(stage.map.camera.bearing == 45)
    try stage.map.setCamera(home)
    #expect(second.positions == [.current] && turn.animator?.state == .active)
    try stage.map.beginFrame(atMS: 750)
    #expect(stage.map.camera.bearing == 67.5 && stage.map.camera.center == home.center)
    stage.map.cancelAnimations()
    #expect(turn.animator?.end == .current && stage.map.aliveAnimators.isEmpty && !stage.map.isMoving)
  }

  @Test func anAnimatorIsStartedPausedReversedAndStopped() throws {
    let (stage, ends) = (try stage(), Ends())
    let zoom = try animator(stage) { $0.zoom = .init(from: 4, to: 8) }
    zoom.whenEnded(ends.callAsFunction)
    #expect(stage.events.isEmpty && stage.map.camera == home && !stage.map.isMoving)
    try zoom.start()
    #expect(stage.map.camera.zoom == 4, "from applies at once")
    try stage.map.beginFrame(atMS: 0)
    try stage.map.beginFrame(atMS: 500)
    #expect(stage.map.camera.zoom == 6 && zoom.animator?.fractionComplete == 0.5)
    try zoom.pause()
    try stage.map.beginFrame(atMS: 900)
    #expect(stage.map.camera.zoom == 6 && !stage.map.isMoving)
    try zoom.resume()
    try zoom.reverse()
    try stage.map.beginFrame(atMS: 1000)
    try stage.map.beginFrame(atMS: 1250)
    #expect(stage.map.camera.zoom == 5)
    try stage.map.beginFrame(atMS: 1500)
    #expect(stage.map.camera.zoom == 4 && ends.positions == [.start] && zoom.animator?.end == .start)
    #expect(throws: NeatError.self) { try zoom.start() }
    // One that is added after the end is told too, later.
    zoom.whenEnded(ends.callAsFunction)
    #expect(ends.positions == [.start])
    stage.loop.runOnce()
    #expect(ends.positions == [.start, .start])

    let still = try animator(stage) { $0.zoom = .init(to: 8) }
    still.whenEnded(ends.callAsFunction)
    still.stop()
    #expect(ends.positions.last == .current)
    #expect(!stage.events.contains(.animationEnded(still.number, owner: "mine", .current)), "it never began")
  }

  @Test func oneThatNobodyHoldsStopsAtOnce() throws {
    let (stage, ends) = (try stage(), Ends())
    var zoom: LiveAnimator? = try animator(stage) { $0.zoom = .init(to: 12) }
    zoom?.whenEnded(ends.callAsFunction)
    try zoom?.start(delayMS: 100)
    try stage.map.beginFrame(atMS: 0)
    try stage.map.beginFrame(atMS: 600)
    #expect(stage.map.camera.zoom == 11, "after a delay")
    zoom = nil
    #expect(ends.positions == [.current] && stage.map.aliveAnimators.isEmpty)
    try stage.map.beginFrame(atMS: 700)
    #expect(stage.map.camera.zoom == 11)
    // An easing goes on by itself.
    try stage.map.ease(to: zoomTo(12), durationMS: 100, curve: .linear)
    try stage.map.beginFrame(atMS: 800)
    try stage.map.beginFrame(atMS: 900)
    #expect(stage.map.camera.zoom == 12)
  }

  @Test func anAnimatorHeldAfterItsMapHasEnded() throws {
    let ends = Ends()
    var stage: Stage? = try stage()
    let zoom = try animator(try #require(stage)) { $0.zoom = .init(to: 12) }
    zoom.whenEnded(ends.callAsFunction)
    try zoom.start()
    stage?.map.destroy()
    #expect(ends.positions == [.current] && zoom.animator?.state == .finished)
    #expect(stage?.events.contains(.animationEnded(1, owner: "mine", .current)) == false)
    #expect(throws: NeatError.self) { try zoom.start() }
    #expect(throws: NeatError.self) { try stage?.map.ease(to: zoomTo(3), durationMS: 5) }
    stage = nil
    zoom.stop()
    #expect(throws: NeatError.self) { try zoom.reverse() }
  }

  @Test func handlersMayDoAnything() throws {
    // Chains: the end of one starts the next, which ends at once.
    let (stage, ends) = (try stage(), Ends())
    let last = try animator(stage) { $0.bearing = .init(to: 30) }
    try stage.map.ease(to: zoomTo(11), durationMS: 0) { position in
      ends(position)
      try? last.start()
      _ = try? stage.map.ease(to: self.zoomTo(9), durationMS: 0, completion: ends.callAsFunction)
    }
    #expect(ends.positions == [.end, .end] && stage.map.camera.zoom == 9 && last.animator?.state == .active)
    let order = stage.life.filter { $0 != .cameraChanged }
    #expect(
      order == [
        .animationBegan(2, owner: "unspecified"), .animationEnded(2, owner: "unspecified", .end),
        .animationBegan(1, owner: "mine"), .animationBegan(3, owner: "unspecified"),
        .animationEnded(3, owner: "unspecified", .end),
      ])
    // One that destroys the map within a frame.
    stage.handle = { map, event in if event == .cameraChanged { map.destroy() } }
    stage.events = []
    try stage.map.beginFrame(atMS: 1)
    try? stage.map.beginFrame(atMS: 100)
    #expect(stage.events.last == .cameraChanged && last.animator?.end == .current)
    stage.run()
    #expect(stage.events.last == .cameraChanged)
  }

  @Test func limitsHoldWhateverMovesTheCamera() throws {
    let stage = try stage()
    var limits = CameraLimits()
    (limits.minZoom, limits.maxZoom, limits.maxPitch) = (5, 11, 30)
    limits.bounds = ViewBounds(west: 10, south: 46, east: 12, north: 48)
    try stage.map.setLimits(limits)
    #expect(stage.events.isEmpty, "the camera was within them")
    try stage.map.setCamera(Camera(center: LonLat(50, 50), zoom: 20, pitch: 60))
    #expect(stage.map.camera == Camera(center: LonLat(12, 48), zoom: 11, pitch: 30))
    try stage.map.ease(to: CameraChange(to: Camera(center: LonLat(0, 0), zoom: 0)), durationMS: 0)
    #expect(stage.map.camera == Camera(center: LonLat(10, 46), zoom: 5))
    let animator = try animator(stage) { $0.zoom = .init(to: 22) }
    try animator.start()
    try stage.map.beginFrame(atMS: 0)
    try stage.map.beginFrame(atMS: 2000)
    #expect(stage.map.camera.zoom == 11)
    stage.events = []
    limits.maxZoom = 8
    try stage.map.setLimits(limits)
    #expect(stage.events == [.cameraChanged] && stage.map.camera.zoom == 8)
    // A view that grows shows no more than the world is high.
    try stage.map.setLimits(CameraLimits())
    try stage.map.setCamera(Camera(zoom: 0))
    #expect(stage.map.camera.zoom == 0)
    try stage.map.setSize(ViewSize(width: 1024, height: 1024))
    #expect(stage.map.camera.zoom == 1)
    (limits.minZoom, limits.maxZoom) = (9, 8)
    #expect(throws: NeatError.self) { try stage.map.setLimits(limits) }
    #expect(stage.map.limits == CameraLimits())
  }

  @Test func pacingIsSetBeforeTheFirstStyle() throws {
    let stage = try stage()
    #expect(throws: NeatError.self) { try stage.map.setPacing(byHost: false) }
    let other = try Stage()
    #expect(throws: NeatError.self) { try other.map.beginFrame(atMS: 0) }
  }

  @Test func badValuesChangeNothing() throws {
    let stage = try stage()
    for value in [Double.nan, .infinity, -.infinity, 1e300] {
      #expect(throws: NeatError.self) { try stage.map.setCamera(self.zoomTo(value)) }
      #expect(throws: NeatError.self) { try stage.map.ease(to: self.zoomTo(value), durationMS: 5) }
      #expect(throws: NeatError.self) { try stage.map.fly(to: self.zoomTo(value)) }
      #expect(throws: NeatError.self) { try stage.map.ease(to: self.zoomTo(3), durationMS: value) }
      #expect(throws: NeatError.self) { try self.animator(stage) { $0.pitch = .init(from: value, to: 3) } }
      #expect(throws: NeatError.self) { try self.animator(stage) { $0.center = .init(to: LonLat(0, value)) } }
      let sound = try animator(stage) { $0.zoom = .init(to: 3) }
      #expect(throws: NeatError.self) { try sound.start(delayMS: value) }
    }
    let owner = String(repeating: "x", count: 257)
    #expect(throws: NeatError.self) { try stage.map.ease(to: self.zoomTo(3), durationMS: 5, owner: owner) }
    #expect(stage.events.isEmpty && stage.map.camera == home && !stage.map.isMoving)
  }

  @Test func animatorsAreLimited() throws {
    let stage = try stage()
    let all = try (0..<LiveMap.animatorLimit).map { _ in try animator(stage) { $0.zoom = .init(to: 3) } }
    withExtendedLifetime(all) {
      #expect(throws: NeatError.self) { try animator(stage) { $0.zoom = .init(to: 3) } }
      #expect(stage.map.aliveAnimators.count == LiveMap.animatorLimit)
    }
  }
}

extension LiveMapAnimatorTests {
  /// A point that the camera moves past: each frame is that of its time, on one thread and on two.
  @Test func framesAtFixedTimesAreThePicturesOfTheirTimes() throws {
    let style = LiveMapAnimatorTests.shapes
    func film(threads: Int, polls: Bool) throws -> [[UInt8]] {
      let stage = try Stage { $0.threadCount = threads }
      try stage.map.setPacing(byHost: true)
      try stage.map.setSize(ViewSize(width: 200, height: 150))
      try stage.map.setStyle(style, base: "")
      try stage.map.setCamera(home)
      stage.run()
      var target = CameraChange()
      (target.center, target.zoom, target.bearing) = (LonLat(11.002, 47.001), 15, 40)
      try stage.map.fly(to: target, durationMS: 400)
      var pictures: [[UInt8]] = []
      for number in 0...8 {
        if polls { for _ in 0...number % 3 where stage.map.isBusy { stage.loop.runOnce() } }
        try stage.map.beginFrame(atMS: Double(number) * 50)
        let picture = try stage.map.draw()
        pictures.append(picture.bitmap.unpremultiplied().pixels)
        // What the camera of the time shows, at once.
        let other = try Stage { $0.threadCount = 1 }
        try other.map.setSize(ViewSize(width: 200, height: 150))
        try other.map.setStyle(style, base: "")
        try other.map.setCamera(stage.map.camera)
        other.run()
        #expect(try other.map.draw().bitmap.unpremultiplied().pixels == pictures[number], "frame \(number)")
      }
      return pictures
    }
    let first = try film(threads: 1, polls: false)
    #expect(Set(first).count == first.count)
    #expect(try film(threads: 2, polls: true) == first)
  }

  private static let shapes: [UInt8] = {
    let ring = "[[10.9,46.9],[11.1,46.95],[11.05,47.05],[11.0005,47.0002],[10.9,46.9]]"
    return Array(
      """
      {"version":8,"sources":{"a":{"type":"geojson","data":{"type":"Polygon","coordinates":[\(ring)]}}},
       "layers":[{"id":"b","type":"background","paint":{"background-color":"#def"}},
        {"id":"f","type":"fill","source":"a","paint":{"fill-color":"#365"}},
        {"id":"l","type":"line","source":"a","paint":{"line-width":5,"line-color":"#c30"}}]}
      """.utf8)
  }()
}

/// The end of what moves, in every way that it can end.
extension LiveMapAnimatorTests {
  private func loopStage() throws -> Stage {
    let stage = try Stage()
    try stage.map.setStyle(LiveMapAnimatorTests.style, base: "")
    try stage.map.setCamera(home)
    stage.run()
    _ = try stage.map.draw()
    stage.run()
    stage.events = []
    return stage
  }

  @Test func aMapComesToRestHoweverItsMovementEnds() throws {
    let ways: [(Stage, LiveAnimator) throws -> Void] = [
      { _, animator in try animator.pause() }, { _, animator in animator.stop() },
      { stage, _ in stage.map.cancelAnimations() },
      { stage, _ in try stage.map.setCamera(self.home) },
    ]
    for (number, way) in ways.enumerated() {
      let stage = try loopStage()
      let animator = try animator(stage) { $0.bearing = .init(to: 90) }
      try animator.start()
      stage.loop.runOnce()
      stage.loop.runOnce()
      stage.events = []
      try way(stage, animator)
      if number == 3 { animator.stop() }
      stage.run(seconds: 5)
      #expect(stage.events.last == .mapIdle, "\(number): \(stage.events)")
    }
  }

  @Test func aPaddingThatOvershootsStaysInItsRange() throws {
    let stage = try stage()
    var values = CameraAnimator.Values()
    values.padding = .init(to: EdgeInsets(top: 65536, left: 65536, bottom: 65536, right: 65536))
    let animator = try stage.map.makeAnimator(
      values, durationMS: 1000, curve: .bezier(x1: 0, y1: 10, x2: 1, y2: 10))
    try animator.start()
    for time in stride(from: 0.0, through: 1000, by: 100) {
      try stage.map.beginFrame(atMS: time)
      #expect(try stage.map.camera.checked() == stage.map.camera)
    }
    #expect(stage.failures.isEmpty)
  }

  @Test func aMapDestroyedWithinACompletionTellsTheOthersBeforeItReturns() throws {
    let (stage, ends) = (try stage(), Ends())
    let others = try (0..<3).map { _ in try animator(stage) { $0.zoom = .init(to: 3) } }
    for other in others { other.whenEnded(ends.callAsFunction) }
    var countAtReturn = 0
    try stage.map.ease(to: zoomTo(3), durationMS: 0) { _ in
      stage.map.destroy()
      countAtReturn = ends.positions.count
    }
    #expect(countAtReturn == 3 && ends.positions == [.current, .current, .current])
    withExtendedLifetime(others) {}
  }

  @Test func anotherStyleIsDue() throws {
    let stage = try stage()
    #expect(!stage.map.isFrameDue)
    try stage.map.setStyle(LiveMapAnimatorTests.style, base: "")
    stage.run()
    #expect(stage.map.isFrameDue && stage.events.contains(.frameDue))
  }

  @Test func limitsOfAHandlerHoldTheMoveThatItHearsOf() throws {
    let stage = try stage()
    var limits = CameraLimits()
    limits.bounds = ViewBounds(west: 10.99, south: 46.99, east: 11.01, north: 47.01)
    stage.handle = { map, event in
      if case .gestureBegan = event { try? map.setLimits(limits) }
    }
    try stage.map.handle(GestureInput.Pointer(.down, SIMD2(60, 30), atMS: 0))
    try stage.map.handle(GestureInput.Pointer(.move, SIMD2(1, 30), atMS: 50))
    #expect(stage.map.camera.center.lon <= 11.01)
  }

  @Test func limitsBeforeAStyleLeaveItsCamera() throws {
    let stage = try Stage()
    var limits = CameraLimits()
    limits.minZoom = 2
    try stage.map.setLimits(limits)
    let text = #"{"version":8,"center":[10,50],"zoom":7,"sources":{},"layers":[]}"#
    try stage.map.setStyle(Array(text.utf8), base: "")
    #expect(stage.map.camera.center == LonLat(10, 50) && stage.map.camera.zoom == 7)
  }

  @Test func aFrameBegunWithinATurnLeavesItWhole() throws {
    let stage = try stage()
    var time = 10.0
    stage.handle = { map, event in
      guard event == .renderFrameStarted else { return }
      time += 10
      try? map.beginFrame(atMS: time)
    }
    for _ in 0..<5 {
      stage.map.invalidate()
      stage.run()
    }
    let started = stage.events.filter { $0 == .renderFrameStarted }.count
    let finished = stage.events.filter { if case .renderFrameFinished = $0 { true } else { false } }.count
    #expect(started == finished && started >= 5)
  }

  @Test func pacingIsNotSetWhileSomethingMoves() throws {
    let stage = try Stage()
    try stage.map.ease(to: zoomTo(3), durationMS: 1000)
    #expect(throws: NeatError.self) { try stage.map.setPacing(byHost: true) }
  }
}
