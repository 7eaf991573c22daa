import NeatBase
import NeatCamera
import NeatMap
import Testing

@testable import NeatLive

/// What keeps a map's camera, at times that the test says: the host paces the frames.
@Suite struct LiveMapViewportTests {
  private final class Log {
    var ends: [Bool] = []
    var calls: [String] = []
  }

  private func stage() throws -> Stage { try LiveMapLocationTests.stage() }

  private func changes(_ stage: Stage) -> [ViewportMachine.Change] {
    stage.events.compactMap { if case .viewportStatusChanged(let change) = $0 { change } else { nil } }
  }

  private func reasons(_ stage: Stage) -> [ViewportReason] { changes(stage).map(\.reason) }

  private func run(_ stage: Stage, from start: Double, to end: Double, step: Double = 50) throws {
    for time in stride(from: start, through: end, by: step) { try stage.map.beginFrame(atMS: time) }
  }

  @Test func followingGoesThereAndKeepsThere() throws {
    let (stage, log) = (try stage(), Log())
    var location = Location(LonLat(11.002, 47.001))
    location.course = 40
    try stage.map.push(location)
    var options = FollowPuckOptions()
    options.bearing = .course
    let state = try stage.map.makeViewportState(options)
    try stage.map.goTo(state) { log.ends.append($0) }
    #expect(changes(stage) == [.init(from: .idle, to: stage.map.viewportStatus, reason: .transitionStarted)])
    guard case .transition(_, to: state.id) = stage.map.viewportStatus else { Issue.record("no way"); return }
    try run(stage, from: 0, to: 3500)
    #expect(log.ends == [true] && stage.map.viewportStatus == .state(state.id))
    #expect(stage.map.camera.center == LonLat(11.002, 47.001) && stage.map.camera.zoom == 16.35)
    #expect(stage.map.camera.pitch == 45 && stage.map.camera.bearing == 40)
    #expect(reasons(stage) == [.transitionStarted, .transitionSucceeded])
    // The view goes with the puck.
    try stage.map.push(Location(LonLat(11.003, 47.001)))
    try run(stage, from: 4000, to: 4550)
    #expect(abs(stage.map.camera.center.lon - 11.0025) < 1e-9 && stage.map.camera.zoom == 16.35)
    #expect(stage.map.camera.bearing == 40, "no course is known")
    try run(stage, from: 4600, to: 5200)
    #expect(stage.map.camera.center == LonLat(11.003, 47.001))
    _ = try stage.map.draw()
    stage.run()
    #expect(stage.events.contains(.mapIdle))
  }

  @Test func aPuckWithoutALocationIsWaitedFor() throws {
    let (stage, log) = (try stage(), Log())
    let state = try stage.map.makeViewportState(FollowPuckOptions())
    try stage.map.goTo(state, try stage.map.makeViewportTransition(.immediate)) { log.ends.append($0) }
    try run(stage, from: 0, to: 10_000, step: 1000)
    #expect(log.ends.isEmpty && reasons(stage) == [.transitionStarted])
    try stage.map.push(Location(LonLat(12, 48)))
    #expect(log.ends == [true] && stage.map.camera.center == LonLat(12, 48))
    #expect(stage.map.viewportStatus == .state(state.id))
  }

  @Test func theStateThatIsThereAndTheOneOnItsWayAnswerAtOnce() throws {
    let (stage, log) = (try stage(), Log())
    try stage.map.push(Location(LonLat(12, 48)))
    let state = try stage.map.makeViewportState(FollowPuckOptions())
    try stage.map.goTo(state) { log.ends.append($0) }
    try stage.map.goTo(state) { log.ends.append($0) }
    #expect(log.ends == [false])
    try run(stage, from: 0, to: 4000)
    #expect(log.ends == [false, true])
    stage.events = []
    try stage.map.goTo(state) { log.ends.append($0) }
    #expect(log.ends == [false, true, true] && stage.events.isEmpty)
  }

  @Test func aMovingAimIsMet() throws {
    let stage = try stage()
    try stage.map.push(Location(LonLat(11.01, 47)))
    try stage.map.goTo(try stage.map.makeViewportState(FollowPuckOptions()))
    try run(stage, from: 0, to: 500)
    try stage.map.push(Location(LonLat(11.02, 47)))
    try run(stage, from: 550, to: 4000)
    #expect(stage.map.camera.center == LonLat(11.02, 47))
  }

  @Test func aGestureLeadsToIdle() throws {
    let (stage, log) = (try stage(), Log())
    try stage.map.push(Location(LonLat(11, 47)))
    let state = try stage.map.makeViewportState(FollowPuckOptions())
    func pan(_ time: Double) throws {
      for (phase, x) in [(GestureInput.Pointer.Phase.down, 10.0), (.move, 40), (.up, 40)] {
        try stage.map.handle(GestureInput.Pointer(id: 1, phase, SIMD2(x, 30), atMS: time))
      }
    }
    try stage.map.goTo(state) { log.ends.append($0) }
    try run(stage, from: 0, to: 500)
    try pan(500)
    #expect(
      log.ends == [false] && stage.map.viewportStatus == .idle && reasons(stage).last == .userInteraction)
    let camera = stage.map.camera
    try run(stage, from: 5000, to: 9000, step: 500)
    #expect(stage.map.camera.zoom == camera.zoom, "nothing goes on")
    // Where the host wants it otherwise.
    stage.map.viewportIdlesUponInteraction = false
    try stage.map.goTo(state, try stage.map.makeViewportTransition(.immediate))
    stage.events = []
    try pan(10_000)
    #expect(stage.map.viewportStatus == .state(state.id) && changes(stage).isEmpty)
  }

  @Test func anotherStateTakesThePlaceOfOneOnItsWay() throws {
    let (stage, log) = (try stage(), Log())
    try stage.map.push(Location(LonLat(11.01, 47)))
    let follow = try stage.map.makeViewportState(FollowPuckOptions())
    var options = OverviewOptions()
    options.places = [LonLat(10, 46), LonLat(12, 48)]
    options.geometryPadding = EdgeInsets(top: 1, left: 1, bottom: 1, right: 1)
    let overview = try stage.map.makeViewportState(options)
    try stage.map.goTo(follow) { log.ends.append($0) }
    try run(stage, from: 0, to: 300)
    try stage.map.goTo(overview) { log.ends.append($0) }
    #expect(log.ends == [false])
    try run(stage, from: 350, to: 6000)
    #expect(log.ends == [false, true] && stage.map.viewportStatus == .state(overview.id))
    let places = try [LonLat(10, 46), LonLat(12, 48)].map {
      try CameraView(camera: stage.map.camera, size: stage.map.size).visiblePoint(of: $0)
    }
    #expect(places.allSatisfy { $0 != nil } && stage.map.camera.pitch == 0)
    // Options that change are eased to, within their time.
    options.places = [LonLat(11, 47), LonLat(11.1, 47.1)]
    options.animationMS = 500
    try stage.map.setViewportOptions(overview, options)
    let before = stage.map.camera.zoom
    try run(stage, from: 6050, to: 6300)
    #expect(stage.map.camera.zoom > before)
    try run(stage, from: 6350, to: 7000)
    #expect(stage.map.camera.zoom > before + 3)
    // And so is another size.
    let zoom = stage.map.camera.zoom
    try stage.map.setSize(ViewSize(width: 128, height: 128))
    try run(stage, from: 7050, to: 8000)
    #expect(abs(stage.map.camera.zoom - zoom - log2(126.0 / 62)) < 1e-6)
    stage.map.idleViewport()
    #expect(reasons(stage).last == .idleRequested)
  }

  @Test func cancelledAnimationsFailATransition() throws {
    let (stage, log) = (try stage(), Log())
    try stage.map.push(Location(LonLat(11.01, 47)))
    try stage.map.goTo(try stage.map.makeViewportState(FollowPuckOptions())) { log.ends.append($0) }
    try run(stage, from: 0, to: 300)
    stage.map.cancelAnimations()
    #expect(
      log.ends == [false] && stage.map.viewportStatus == .idle && reasons(stage).last == .transitionFailed)
  }

  @Test func ownStatesAndTransitionsAreRunOnce() throws {
    let (stage, log) = (try stage(), Log())
    let own = stage.map.makeViewportState(
      .init(start: { log.calls.append("start") }, stop: { log.calls.append("stop") }))
    var runs: [UInt64] = []
    let transition = try stage.map.makeViewportTransition(
      .own(
        .init(
          run: { run, state in
            #expect(state === own)
            runs.append(run)
          }, cancel: { log.calls.append("cancel \($0)") })))
    try stage.map.goTo(own, transition) { log.ends.append($0) }
    #expect(runs.count == 1 && stage.map.viewportStatus == .transition(transition.id, to: own.id))
    stage.map.finishViewportRun(runs[0], isSuccess: true)
    #expect(log.calls == ["start"] && log.ends == [true] && stage.map.viewportStatus == .state(own.id))
    // The state says where it wants the camera.
    var change = CameraChange()
    change.center = LonLat(5, 6)
    try stage.map.setViewportCamera(own, change)
    #expect(stage.map.camera.center == LonLat(5, 6))
    change.center = LonLat(5, 96)
    #expect(throws: NeatError.self) { try stage.map.setViewportCamera(own, change) }
    (change.center, change.roll) = (nil, 4)
    #expect(throws: NeatError.self) { try stage.map.setViewportCamera(own, change) }
    stage.map.idleViewport()
    #expect(log.calls == ["start", "stop"])
    // A run that something takes the place of is cancelled, and its end is not heard.
    try stage.map.goTo(own, transition) { log.ends.append($0) }
    stage.map.idleViewport()
    #expect(log.calls.last == "cancel \(runs[1])" && log.ends == [true, false])
    stage.map.finishViewportRun(runs[1], isSuccess: true)
    #expect(stage.map.viewportStatus == .idle)
  }

  @Test func aTransitionMayEndWithinItsBegin() throws {
    let (stage, log) = (try stage(), Log())
    let own = stage.map.makeViewportState(LiveViewportState.Own())
    let map = stage.map!
    let transition = try stage.map.makeViewportTransition(
      .own(.init(run: { run, _ in map.finishViewportRun(run, isSuccess: false) })))
    try stage.map.goTo(own, transition) { log.ends.append($0) }
    #expect(log.ends == [false] && stage.map.viewportStatus == .idle && changes(stage).isEmpty)
  }

  @Test func aTransitionMayBeEndedWithinItsBegin() throws {
    let (stage, log) = (try stage(), Log())
    let map = stage.map!
    let transition = try map.makeViewportTransition(
      .own(.init(run: { _, _ in map.idleViewport() }, cancel: { log.calls.append("cancel \($0)") })))
    try map.goTo(map.makeViewportState(LiveViewportState.Own()), transition) { log.ends.append($0) }
    #expect(log.ends == [false] && log.calls.count == 1 && map.viewportStatus == .idle)
  }

  @Test func aCompletionMayGoElsewhere() throws {
    let (stage, log) = (try stage(), Log())
    try stage.map.push(Location(LonLat(11.01, 47)))
    let (first, second) = (
      try stage.map.makeViewportState(FollowPuckOptions()),
      stage.map.makeViewportState(LiveViewportState.Own())
    )
    var change = CameraChange()
    change.zoom = 3
    try stage.map.setViewportCamera(second, change)
    let immediate = try stage.map.makeViewportTransition(.immediate)
    try stage.map.goTo(first, immediate) { _ in
      try? stage.map.goTo(second, immediate) { log.ends.append($0) }
    }
    #expect(log.ends == [true] && stage.map.viewportStatus == .state(second.id) && stage.map.camera.zoom == 3)
    #expect(changes(stage).map(\.to) == [.state(first.id), .state(second.id)])
  }

  @Test func theMapMayEndAnywhere() throws {
    for place in 0..<4 {
      let (stage, log) = (try stage(), Log())
      let map = stage.map!
      try map.push(Location(LonLat(11.01, 47)))
      let own = map.makeViewportState(.init(start: { if place == 0 { map.destroy() } }))
      var change = CameraChange()
      change.zoom = 3
      try map.setViewportCamera(own, change)
      stage.handle = { map, event in
        if place == 1, case .viewportStatusChanged = event { map.destroy() }
        if place == 2, case .cameraChanged = event { map.destroy() }
      }
      try map.goTo(own, try map.makeViewportTransition(.immediate)) {
        log.ends.append($0)
        if place == 3 { map.destroy() }
      }
      #expect(map.isDestroyed && log.ends.count == 1, "\(place)")
      #expect(throws: NeatError.self) { try map.goTo(own) }
      #expect(map.viewportStatus == .idle)
    }
  }

  @Test func whoWaitsHearsOfTheMapsEnd() throws {
    let (stage, log) = (try stage(), Log())
    try stage.map.goTo(try stage.map.makeViewportState(FollowPuckOptions())) { log.ends.append($0) }
    stage.map.destroy()
    #expect(log.ends == [false])
  }

  @Test func otherMapsStatesAndWrongTimesAreRefused() throws {
    let (one, two) = (try stage(), try stage())
    let state = try one.map.makeViewportState(FollowPuckOptions())
    #expect(throws: NeatError.self) { try two.map.goTo(state) }
    let transition = try one.map.makeViewportTransition(.immediate)
    #expect(throws: NeatError.self) {
      try two.map.goTo(try two.map.makeViewportState(FollowPuckOptions()), transition)
    }
    #expect(throws: NeatError.self) { try one.map.makeViewportTransition(.standard(maxDurationMS: -1)) }
    #expect(throws: NeatError.self) { try one.map.setViewportCamera(state, CameraChange()) }
  }

  /// States that nobody holds any more are kept by the map while it needs them.
  @Test func aStateOutlivesItsMakersInterest() throws {
    let stage = try stage()
    try stage.map.push(Location(LonLat(11, 47)))
    try stage.map.goTo(
      try stage.map.makeViewportState(FollowPuckOptions()), try stage.map.makeViewportTransition(.immediate))
    try stage.map.push(Location(LonLat(11.1, 47)))
    try run(stage, from: 0, to: 1500)
    #expect(stage.map.camera.center == LonLat(11.1, 47))
  }
}
