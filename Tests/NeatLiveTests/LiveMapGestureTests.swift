import NeatBase
import NeatCamera
import NeatMap
import Testing

@testable import NeatLive

/// Gestures on a map: its camera, its events, and what else moves it.
@Suite struct LiveMapGestureTests {
  private static let style = Array(
    #"{"version":8,"sources":{},"layers":[{"id":"b","type":"background"}]}"#.utf8)

  private func stage(byHost: Bool = false) throws -> Stage {
    let stage = try Stage()
    try stage.map.setPacing(byHost: byHost)
    try stage.map.setStyle(LiveMapGestureTests.style, base: "")
    try stage.map.setCamera(Camera(center: LonLat(11, 47), zoom: 10))
    stage.run()
    #expect(stage.events.contains(.mapIdle))
    stage.events = []
    return stage
  }

  private func point(
    _ stage: Stage, _ phase: GestureInput.Pointer.Phase, _ x: Double, _ y: Double, at time: Double
  ) throws { try stage.map.handle(GestureInput.Pointer(phase, SIMD2(x, y), atMS: time)) }

  /// A flick of 1,000 pixels a second.
  private func flick(_ stage: Stage, at time: Double) throws {
    try point(stage, .down, 10, 30, at: time)
    try point(stage, .move, 20, 30, at: time + 10)
    try point(stage, .move, 30, 30, at: time + 20)
    try point(stage, .up, 30, 30, at: time + 20)
  }

  private func quickGlides(_ stage: Stage) throws {
    var options = GestureOptions()
    options.panDecelerationFactor = 0.97
    try stage.map.setGestureOptions(options)
  }

  @Test func aPanMovesTheCameraWithinTheCall() throws {
    let stage = try stage()
    try point(stage, .down, 10, 30, at: 0)
    #expect(stage.events.isEmpty)
    try point(stage, .move, 30, 30, at: 100)
    #expect(stage.events == [.gestureBegan(.pan, position: SIMD2(10, 30)), .cameraChanged])
    #expect(stage.map.camera.center.lon < 11)
    try point(stage, .up, 30, 30, at: 300)
    #expect(stage.events.last == .gestureEnded(.pan, willAnimate: false))
  }

  @Test func thereIsNoIdleWhileAFingerHoldsTheMap() throws {
    let stage = try stage()
    try point(stage, .down, 10, 30, at: 0)
    try point(stage, .move, 30, 30, at: 100)
    stage.run()
    #expect(!stage.map.isBusy, "the loop does not wait for a finger")
    guard case .renderFrameFinished(true, needsRepaint: false, _)? = stage.events.last else {
      Issue.record("\(stage.events)")
      return
    }
    try point(stage, .up, 30, 30, at: 1000)
    stage.run()
    #expect(stage.events.last == .mapIdle && stage.events.filter { $0 == .mapIdle }.count == 1)
  }

  @Test func aGlideRunsOnTheLoop() throws {
    let stage = try stage()
    try quickGlides(stage)
    // The host's clock is not the loop's.
    try flick(stage, at: 7_000_000)
    #expect(stage.events.last == .gestureEnded(.pan, willAnimate: true))
    let released = stage.map.camera.center.lon
    #expect(stage.map.isBusy)
    stage.run()
    let ended = try #require(stage.events.firstIndex(of: .gestureEndedAnimating(.pan)))
    let idle = try #require(stage.events.firstIndex(of: .mapIdle))
    #expect(ended < idle && idle == stage.events.count - 1)
    // From 1,000 to 35 pixels a second with 0.97 a millisecond: 965 / 1000 / -ln(0.97) pixels.
    let pixels = (released - stage.map.camera.center.lon) / 360 * 512 * 1024
    #expect(abs(pixels - 0.965 / -log(0.97)) < 0.01, "\(pixels)")
  }

  @Test func aHostMayPaceAGlideItself() throws {
    let stage = try stage(byHost: true)
    try flick(stage, at: 500)
    let released = stage.map.camera.center.lon
    try stage.map.beginFrame(atMS: 520 + 100)
    let pixels = (released - stage.map.camera.center.lon) / 360 * 512 * 1024
    #expect(abs(pixels - (1 - pow(0.998, 100)) / -log(0.998)) < 0.001, "\(pixels)")
    stage.run()
    #expect(!stage.map.isBusy && stage.map.isMoving, "the loop does not wait for the host's frames")
    try stage.map.beginFrame(atMS: 9000)
    #expect(stage.events.contains(.gestureEndedAnimating(.pan)))
    stage.run()
    #expect(stage.events.last == .mapIdle || stage.events.suffix(2) == [.mapIdle, .frameDue])
  }

  @Test func easeAndGlideReplaceEachOther() throws {
    let stage = try stage()
    try flick(stage, at: 0)
    var target = Camera(center: LonLat(-5, 3), zoom: 4)
    try stage.map.ease(to: CameraChange(to: target), durationMS: 40)
    let ended = try #require(stage.events.firstIndex(of: .gestureEndedAnimating(.pan)))
    let began = try #require(stage.events.firstIndex(of: .animationBegan(1, owner: "unspecified")))
    #expect(ended < began)
    stage.run()
    #expect(stage.map.camera == target)

    stage.events = []
    target.zoom = 12
    try stage.map.ease(to: CameraChange(to: target), durationMS: 60000)
    try quickGlides(stage)
    try flick(stage, at: 100)
    stage.run()
    #expect(stage.map.camera.zoom < 5, "the pan ended the easing")
    #expect(stage.events.last == .mapIdle)

    try flick(stage, at: 5000)
    try stage.map.setCamera(target)
    #expect(stage.map.camera == target && !stage.map.isMoving)
    stage.run()
    #expect(stage.map.camera == target)
  }

  @Test func whatAHandlerDoesToTheCameraStays() throws {
    let stage = try stage()
    let place = Camera(center: LonLat(60, -20), zoom: 5)
    stage.handle = { map, event in
      if case .gestureBegan = event { try? map.setCamera(place) }
    }
    try point(stage, .down, 10, 30, at: 0)
    try point(stage, .move, 30, 30, at: 100)
    #expect(stage.map.camera == place)
    try point(stage, .move, 31, 30, at: 110)
    #expect(stage.map.camera.zoom == 5 && stage.map.camera.center.lon < 60)
  }

  /// What a handler hands over happens after what it is told of, in order.
  @Test func aHandlerMayHandOverMoreInput() throws {
    let stage = try stage()
    stage.handle = { map, event in
      switch event {
      case .gestureBegan(.keyboard, _): map.cancelGestures()
      case .gestureBegan(.pan, _):
        try? map.handle(GestureInput.Pointer(.move, SIMD2(50, 30), atMS: 110))
        try? map.handle(GestureInput.Pointer(.up, SIMD2(50, 30), atMS: 300))
      default: break
      }
    }
    try stage.map.handle(.plus, modifiers: [], atMS: 0)
    #expect(
      stage.events == [
        .gestureBegan(.keyboard, position: SIMD2(32, 32)), .gestureEnded(.keyboard, willAnimate: true),
        .gestureEndedAnimating(.keyboard),
      ])
    #expect(stage.map.camera.zoom == 10)
    stage.events = []
    try point(stage, .down, 10, 30, at: 50)
    try point(stage, .move, 30, 30, at: 100)
    #expect(
      stage.events == [
        .gestureBegan(.pan, position: SIMD2(10, 30)), .cameraChanged, .cameraChanged,
        .gestureEnded(.pan, willAnimate: false),
      ])
    #expect(abs((11 - stage.map.camera.center.lon) / 360 * 512 * 1024 - 40) < 1e-6)
    stage.run()
    #expect(stage.events.last == .mapIdle)
  }

  @Test func aHandlerMayDestroyTheMap() throws {
    for at in [
      MapEvent.gestureBegan(.pan, position: SIMD2(10, 30)), .cameraChanged,
      .gestureEnded(.pan, willAnimate: true),
    ] {
      let stage = try stage()
      stage.handle = { map, event in if event == at { map.destroy() } }
      try? flick(stage, at: 0)
      #expect(stage.events.last == at)
      #expect(throws: NeatError.self) { try point(stage, .down, 1, 1, at: 100) }
      stage.run()
      #expect(stage.events.last == at)
    }
  }

  @Test func gesturesWorkBeforeThereIsAStyle() throws {
    let stage = try Stage()
    try quickGlides(stage)
    try flick(stage, at: 0)
    stage.run()
    #expect(stage.events.last == .gestureEndedAnimating(.pan))
    #expect(stage.map.camera.center.lon != 0)
  }

  @Test func wheelKeysAndCancel() throws {
    let stage = try stage()
    try stage.map.handle(GestureInput.Wheel(SIMD2(10, 10), delta: -100, atMS: 0))
    stage.run()
    #expect(stage.map.camera.zoom > 10.1 && stage.events.contains(.gestureEnded(.wheel, willAnimate: false)))
    #expect(stage.events.last == .mapIdle)
    try stage.map.handle(.minus, modifiers: [], atMS: 1000)
    stage.run()
    #expect(stage.map.camera.zoom < 9.2 && stage.events.contains(.gestureEndedAnimating(.keyboard)))
    stage.events = []
    try point(stage, .down, 10, 30, at: 5000)
    try point(stage, .move, 30, 30, at: 5100)
    stage.map.cancelGestures()
    #expect(stage.events.last == .gestureEnded(.pan, willAnimate: false))
    try point(stage, .move, 40, 30, at: 5200)
    #expect(stage.events.last == .gestureEnded(.pan, willAnimate: false))
    stage.run()
    #expect(stage.events.last == .mapIdle)
  }

  @Test func wrongInputChangesNothing() throws {
    let stage = try stage()
    for value in [Double.nan, .infinity] {
      #expect(throws: NeatError.self) { try point(stage, .down, value, 0, at: 0) }
      #expect(throws: NeatError.self) { try point(stage, .down, 0, 0, at: value) }
    }
    #expect(stage.events.isEmpty && !stage.map.isBusy)
  }
}
