import Neatline
import Testing

/// Gestures through the Swift module.
struct GestureManagerTests {
  private final class Witness: GestureManagerDelegate {
    var heard: [String] = []
    func gestureManager(_ gestureManager: GestureManager, didBegin gestureType: GestureType) {
      heard.append("began \(gestureType)")
    }
    func gestureManager(_ gestureManager: GestureManager, didEnd gestureType: GestureType, willAnimate: Bool)
    {
      heard.append("ended \(gestureType) \(willAnimate)")
    }
    func gestureManager(_ gestureManager: GestureManager, didEndAnimatingFor gestureType: GestureType) {
      heard.append("ended animating \(gestureType)")
    }
  }

  private func map() throws -> Map {
    let map = try Map(loop: EventLoop(), width: 800, height: 600)
    try map.setFramePacing(.host)
    return map
  }

  private func flick(_ gestures: GestureManager, at time: Double, id: Int64 = 0) throws {
    for (phase, x, t) in [
      (PointerEvent.Phase.down, 300.0, 0.0), (.move, 320, 20), (.move, 340, 40), (.up, 340, 40),
    ] {
      try gestures.handle(PointerEvent(id: id, phase, at: ScreenPoint(x, 300), milliseconds: time + t))
    }
  }

  @Test func aDelegateHearsOfAPanAndItsGlide() throws {
    let (map, witness) = (try map(), Witness())
    map.gestures.delegate = witness
    #expect(map.gestures === map.gestures)
    try flick(map.gestures, at: 0)
    #expect(witness.heard == ["began pan", "ended pan true"])
    let released = try map.camera
    try map.beginFrame(milliseconds: 140)
    #expect(try map.camera != released)
    try map.beginFrame(milliseconds: 9000)
    #expect(witness.heard.last == "ended animating pan")
  }

  @Test func eventsCarryTheGesture() throws {
    let map = try map()
    var begin: GestureBegin?
    var end: GestureEnd?
    var over: GestureType?
    map.onNext(event: .gestureBegan) { begin = $0.payload }
    map.onNext(event: .gestureEnded) { end = $0.payload }
    map.onNext(event: .gestureEndedAnimating) { over = $0.payload }
    try flick(map.gestures, at: 0)
    map.gestures.cancel()
    #expect(begin?.type == .pan && begin?.location == ScreenPoint(300, 300))
    #expect(end?.type == .pan && end?.willAnimate == true && over == .pan)
  }

  @Test func eachTypeOfInputMovesTheCamera() throws {
    let map = try map()
    let gestures = map.gestures
    try gestures.handle(WheelEvent(at: ScreenPoint(1, 1), delta: -200, milliseconds: 0))
    try map.beginFrame(milliseconds: 500)
    let zoom = try map.camera.zoom
    #expect(zoom > 0.2)
    try gestures.handle(.plus, milliseconds: 1000)
    try map.beginFrame(milliseconds: 1500)
    #expect(try abs(map.camera.zoom - zoom - 1) < 1e-9)
    for (phase, x) in [(PointerEvent.Phase.down, 100.0), (.move, 200), (.up, 200)] {
      try gestures.handle(
        PointerEvent(phase, at: ScreenPoint(x, 100), milliseconds: 2000, kind: .mouse, button: .secondary))
    }
    #expect(try abs(map.camera.bearing - 80) < 1e-9)
    try gestures.handle(.up, modifiers: .shift, milliseconds: 3000)
    try map.beginFrame(milliseconds: 3500)
    #expect(try abs(map.camera.pitch - 10) < 1e-9)
  }

  @Test func optionsAreTakenOrRefused() throws {
    let map = try map()
    #expect(map.gestures.options == GestureOptions())
    map.gestures.options.panMode = .vertical
    map.gestures.options.focalPoint = ScreenPoint(3, 4)
    map.gestures.options.wheelZoomEnabled = false
    var options = GestureOptions()
    (options.panMode, options.focalPoint, options.wheelZoomEnabled) = (.vertical, ScreenPoint(3, 4), false)
    #expect(map.gestures.options == options)
    try flick(map.gestures, at: 0)
    #expect(try abs(map.camera.longitude) < 1e-9)
    for value in [1, -0.5, .nan, .infinity] {
      options.panDecelerationFactor = value
      let error = #expect(throws: NeatlineError.self) { try map.gestures.setOptions(options) }
      #expect(error?.status == .invalidArgument && error?.message.contains("panDecelerationFactor") == true)
      map.gestures.options = options
      #expect(map.gestures.options.panDecelerationFactor == 0.998)
    }
    map.gestures.options.focalPoint = nil
    #expect(map.gestures.options.focalPoint == nil)
  }

  @Test func wrongInputIsRefused() throws {
    let map = try map()
    for value in [Double.nan, .infinity, 1e300] {
      let errors = [
        #expect(throws: NeatlineError.self) {
          try map.gestures.handle(PointerEvent(.down, at: ScreenPoint(value, 0), milliseconds: 0))
        },
        #expect(throws: NeatlineError.self) {
          try map.gestures.handle(WheelEvent(at: ScreenPoint(0, 0), delta: value, milliseconds: 0))
        },
        #expect(throws: NeatlineError.self) { try map.gestures.handle(.plus, milliseconds: value) },
        #expect(throws: NeatlineError.self) { try map.beginFrame(milliseconds: value) },
      ]
      #expect(errors.allSatisfy { $0?.status == .invalidArgument })
    }
    #expect(throws: NeatlineError.self) {
      try map.gestures.handle(.plus, modifiers: KeyModifiers(rawValue: 512), milliseconds: 0)
    }
    for id in 0..<10 as Range<Int64> {
      try map.gestures.handle(PointerEvent(id: id, .down, at: ScreenPoint(0, 0), milliseconds: 0))
    }
    let error = #expect(throws: NeatlineError.self) { try flick(map.gestures, at: 0, id: 10) }
    #expect(error?.status == .limitExceeded)
  }

  @Test func aManagerMayOutliveItsMap() throws {
    var map: Map? = try map()
    let gestures = try #require(map).gestures
    map = nil
    let error = #expect(throws: NeatlineError.self) { try flick(gestures, at: 0) }
    #expect(error?.status == .state && gestures.options == GestureOptions())
    gestures.cancel()
  }
}
