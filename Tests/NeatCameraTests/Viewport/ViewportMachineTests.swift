import NeatBase
import Testing

@testable import NeatCamera

@Suite struct ViewportMachineTests {
  @Test func aWayLeadsFromIdleToAState() {
    var machine = ViewportMachine()
    #expect(machine.status == .idle && machine.idle(.idleRequested) == nil)
    guard case .run(let run, after: .idle) = machine.go(to: 1) else { Issue.record("no run"); return }
    #expect(
      machine.begun(run, transition: 9, to: 1)
        == .init(from: .idle, to: .transition(9, to: 1), reason: .transitionStarted))
    #expect(
      machine.finish(run, in: 1, isSuccess: true)?.change
        == .init(from: .transition(9, to: 1), to: .state(1), reason: .transitionSucceeded))
    #expect(machine.finish(run, in: 1, isSuccess: false) == nil, "once")
  }

  @Test func theStateThatIsThereAndTheOneOnItsWayAreAnsweredAtOnce() {
    var machine = ViewportMachine()
    guard case .run(let run, _) = machine.go(to: 1) else { Issue.record("no run"); return }
    _ = machine.begun(run, transition: 9, to: 1)
    #expect(machine.go(to: 1) == .isOnItsWay && machine.status == .transition(9, to: 1))
    _ = machine.finish(run, in: 1, isSuccess: true)
    #expect(machine.go(to: 1) == .isThere && machine.status == .state(1))
  }

  @Test func anotherWayTakesThePlaceOfOneAndItsEndIsNotHeard() {
    var machine = ViewportMachine()
    guard case .run(let first, _) = machine.go(to: 1) else { Issue.record("no run"); return }
    _ = machine.begun(first, transition: 9, to: 1)
    guard case .run(let second, after: .transition(9, to: 1)) = machine.go(to: 2) else {
      Issue.record("no run"); return
    }
    #expect(machine.finish(first, in: 1, isSuccess: true) == nil)
    #expect(machine.begun(first, transition: 9, to: 1) == nil)
    #expect(machine.begun(second, transition: 8, to: 2)?.from == .transition(9, to: 1))
  }

  @Test func whatFailsAndWhatAGestureEndsIsIdle() {
    var machine = ViewportMachine()
    guard case .run(let run, _) = machine.go(to: 1) else { Issue.record("no run"); return }
    _ = machine.begun(run, transition: 9, to: 1)
    #expect(
      machine.finish(run, in: 1, isSuccess: false)?.change?.reason == .transitionFailed
        && machine.status == .idle)
    guard case .run(let other, _) = machine.go(to: 1) else { Issue.record("no run"); return }
    _ = machine.begun(other, transition: 9, to: 1)
    _ = machine.finish(other, in: 1, isSuccess: true)
    #expect(machine.idle(.userInteraction) == .init(from: .state(1), to: .idle, reason: .userInteraction))
  }

  /// A run that has finished within its begin was never on its way.
  @Test func aRunThatIsOverAtOnceHasNoStatusOfItsOwn() {
    var machine = ViewportMachine()
    guard case .run(let run, _) = machine.go(to: 1) else { Issue.record("no run"); return }
    #expect(machine.finish(run, in: 1, isSuccess: true)?.change?.from == .idle)
    #expect(machine.begun(run, transition: 9, to: 1) == nil)
    // One that failed changes nothing, and is over all the same.
    _ = machine.idle(.idleRequested)
    guard case .run(let failed, _) = machine.go(to: 1) else { Issue.record("no run"); return }
    #expect(machine.finish(failed, in: 1, isSuccess: false) == ViewportMachine.End(change: nil))
    #expect(machine.finish(failed, in: 1, isSuccess: false) == nil && machine.status == .idle)
  }
}

@Suite struct ViewportFlightTests {
  private let size = ViewSize(width: 800, height: 600)
  private let home = Camera(center: LonLat(11, 47), zoom: 10)

  private func change(_ set: (inout CameraChange) -> Void) -> CameraChange {
    var change = CameraChange()
    set(&change)
    return change
  }

  private var follow: CameraChange {
    change {
      ($0.center, $0.zoom, $0.bearing) = (LonLat(11.2, 47.1), 16.35, 350)
      ($0.pitch, $0.padding) = (45, EdgeInsets(top: 100))
    }
  }

  @Test func downTheWayLeadsAndTheZoomFollows() throws {
    let flight = try ViewportFlight(from: home, to: follow, size: size, maxDurationMS: 86_400_000)
    // The distance at 500 pixels a second; 6.35 zooms at 2.2 a second from the middle of that.
    let pixels = 0.2 / 360 * 512 * 1024.0
    #expect(flight.plan.center.delay == 0 && flight.plan.center.duration > pixels / 500 * 1000)
    #expect(abs(flight.plan.zoom.duration - 6.35 / 2.2 * 1000) < 1e-9)
    #expect(flight.plan.zoom.delay == flight.plan.center.duration / 2)
    #expect(flight.plan.bearing.end == flight.plan.zoom.end && flight.plan.pitch.duration == 1200)
    #expect(abs(flight.plan.pitch.end - flight.plan.zoom.end - 100) < 1e-9)
  }

  @Test func upTheZoomLeads() throws {
    let target = change { ($0.center, $0.zoom) = (LonLat(11.2, 47.1), 5) }
    let flight = try ViewportFlight(from: home, to: target, size: size)
    #expect(flight.plan.zoom == .init(delay: 0, duration: 1800))
    #expect(flight.plan.center == .init(delay: 800, duration: 1000) && flight.durationMS == 1800)
  }

  @Test func allTogetherItTakesNoLongerThanAsked() throws {
    let far = change { ($0.center, $0.zoom, $0.pitch) = (LonLat(-120, -30), 20, 60) }
    #expect(try ViewportFlight(from: home, to: far, size: size).durationMS <= 3500)
    let flight = try ViewportFlight(from: home, to: far, size: size, maxDurationMS: 700)
    #expect(abs(flight.durationMS - 700) < 1e-9 && flight.plan.end <= 700.000001)
    #expect(try ViewportFlight(from: home, to: far, size: size, maxDurationMS: 0).durationMS == 0)
    for wrong in [-1, .nan, 86_400_001] as [Double] {
      #expect(throws: NeatError.self) {
        try ViewportFlight(from: home, to: far, size: size, maxDurationMS: wrong)
      }
    }
  }

  @Test func theEndIsExactAndTheStartIsTheCamera() throws {
    var flight = try ViewportFlight(from: home, to: follow, size: size)
    #expect(flight.camera(home, atMS: 0).zoom == 10)
    let end = flight.camera(home, atMS: .infinity)
    #expect(end.center == LonLat(11.2, 47.1) && end.zoom == 16.35 && end.bearing == 350 && end.pitch == 45)
    #expect(end.padding == EdgeInsets(top: 100))
    // The shorter way round.
    let middle = flight.camera(home, atMS: flight.plan.bearing.delay + flight.plan.bearing.duration / 2)
    #expect(middle.bearing < 0 && middle.bearing > -10)
  }

  @Test func anAimThatMovesIsMet() throws {
    var flight = try ViewportFlight(from: home, to: follow, size: size)
    var moved = follow
    moved.center = LonLat(11.3, 47.1)
    try flight.turn(to: moved)
    #expect(flight.camera(home, atMS: flight.durationMS).center == LonLat(11.3, 47.1))
    moved.zoom = .nan
    #expect(throws: NeatError.self) { try flight.turn(to: moved) }
  }

  @Test func whatIsNotNamedStays() throws {
    var flight = try ViewportFlight(from: home, to: change { $0.pitch = 30 }, size: size)
    var other = home
    other.zoom = 12
    let camera = flight.camera(other, atMS: .infinity)
    #expect(camera.zoom == 12 && camera.pitch == 30 && camera.center == home.center)
  }

  @Test func optionsAreHeldAgainstTheRangesOfCameras() throws {
    var options = FollowPuckOptions()
    options.zoom = 99
    #expect(throws: NeatError.self) { try options.checked() }
    options = FollowPuckOptions()
    options.bearing = .constant(.nan)
    #expect(throws: NeatError.self) { try options.checked() }
    var overview = OverviewOptions()
    #expect(throws: NeatError.self) { try overview.checked() }
    overview.places = [LonLat(0, 0), LonLat(1, 91)]
    #expect(throws: NeatError.self) { try overview.checked() }
    overview.places = [LonLat(0, 0), LonLat(1, 1)]
    overview.animationMS = -1
    #expect(throws: NeatError.self) { try overview.checked() }
  }

  @Test func aFollowingViewTakesWhatIsKnown() {
    let shown = ShownLocation(place: LonLat(1, 2), course: 30)
    var options = FollowPuckOptions()
    #expect(options.camera(at: shown).bearing == nil, "no heading")
    #expect(options.camera(at: shown).zoom == 16.35 && options.camera(at: shown).pitch == 45)
    options.bearing = .course
    #expect(options.camera(at: shown).bearing == 30)
    options.bearing = .constant(7)
    #expect(options.camera(at: shown).bearing == 7)
    (options.zoom, options.pitch, options.padding, options.bearing) = (nil, nil, nil, nil)
    let change = options.camera(at: shown)
    #expect(
      change.center == LonLat(1, 2) && change.zoom == nil && change.pitch == nil && change.padding == nil)
  }
}
