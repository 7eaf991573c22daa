import Neatline
import Testing

/// What moves the camera, through the Swift module.
struct CameraAnimationTests {
  private final class Witness: CameraAnimationsManagerDelegate {
    var heard: [String] = []
    func cameraAnimationsManager(
      _ manager: CameraAnimationsManager, didBegin animation: CameraAnimationBegin
    ) {
      heard.append("began \(animation.owner.rawValue)")
    }
    func cameraAnimationsManager(_ manager: CameraAnimationsManager, didEnd animation: CameraAnimationEnd) {
      heard.append("ended \(animation.owner.rawValue) \(animation.position)")
    }
  }

  private func map() throws -> Map {
    let map = try Map(loop: EventLoop(), width: 800, height: 600)
    try map.setFramePacing(.host)
    try map.setCamera(Camera(longitude: 11, latitude: 47, zoom: 10))
    try map.beginFrame(milliseconds: 0)
    return map
  }

  @Test func whatIsNotThereStays() throws {
    let map = try map()
    try map.setCamera(CameraOptions(bearing: 30))
    let turned = try map.camera
    #expect(abs(turned.longitude - 11) < 1e-9 && abs(turned.latitude - 47) < 1e-9)
    #expect(turned.zoom == 10 && turned.bearing == 30 && turned.pitch == 0)
    let anchor = ScreenPoint(100, 500)
    let place = try #require(try map.coordinate(for: anchor))
    try map.setCamera(CameraOptions(anchor: anchor, zoom: 12))
    let now = try map.point(for: place)
    #expect(abs(now.x - 100) < 0.01 && abs(now.y - 500) < 0.01)
    #expect(throws: NeatlineError.self) { try map.setCamera(CameraOptions(zoom: .nan)) }
  }

  @Test func anEasingTellsItsDelegateAndItsCompletion() throws {
    let (map, witness) = (try map(), Witness())
    map.cameraAnimations.delegate = witness
    #expect(map.cameraAnimations === map.cameraAnimations)
    var ends: [AnimationPosition] = []
    try map.cameraAnimations.ease(
      to: CameraOptions(zoom: 12), duration: 1, curve: .linear, owner: AnimationOwner(rawValue: "me")
    ) { ends.append($0) }
    #expect(map.cameraAnimations.cameraAnimators.map(\.owner.rawValue) == ["me"])
    try map.beginFrame(milliseconds: 10)
    try map.beginFrame(milliseconds: 510)
    #expect(abs(try map.camera.zoom - 11) < 1e-9 && ends.isEmpty)
    try map.beginFrame(milliseconds: 1010)
    #expect(try map.camera.zoom == 12)
    #expect(ends == [.end] && witness.heard == ["began me", "ended me end"])
    #expect(map.cameraAnimations.cameraAnimators.isEmpty)
  }

  @Test func anEasingKeepsAPlaceAndGoesToAnOffset() throws {
    let map = try map()
    let place = Coordinate(longitude: 11.05, latitude: 47.02)
    let before = try map.point(for: place)
    try map.cameraAnimations.ease(to: CameraOptions(zoom: 11), duration: 1, around: place)
    for time in [10.0, 400, 1010] {
      try map.beginFrame(milliseconds: time)
      let now = try map.point(for: place)
      #expect(abs(now.x - before.x) < 0.01 && abs(now.y - before.y) < 0.01)
    }
    let goal = Coordinate(longitude: 12, latitude: 48)
    try map.cameraAnimations.ease(
      to: CameraOptions(center: goal), duration: 0, offset: ScreenPoint(100, -50))
    let now = try map.point(for: goal)
    #expect(abs(now.x - 500) < 0.01 && abs(now.y - 250) < 0.01)
  }

  @Test func aFlightIsAsHighAsAskedAndMayBeCancelled() throws {
    let map = try map()
    let far = CameraOptions(center: Coordinate(longitude: 21, latitude: 47), zoom: 10)
    func top(at time: Double, arc: Double) throws -> Double {
      try map.setCamera(Camera(longitude: 11, latitude: 47, zoom: 10))
      try map.cameraAnimations.fly(to: far, duration: 1, curve: .linear, arc: arc)
      try map.beginFrame(milliseconds: time)
      try map.beginFrame(milliseconds: time + 500)
      return try map.camera.zoom
    }
    #expect(try top(at: 10, arc: 2) < top(at: 2000, arc: 1))
    var end: AnimationPosition?
    let flight = try map.cameraAnimations.fly(to: far) { end = $0 }
    flight.cancel()
    #expect(end == .current && map.cameraAnimations.cameraAnimators.isEmpty)
    #expect(throws: NeatlineError.self) { try map.cameraAnimations.fly(to: far, arc: 0) }
    #expect(throws: NeatlineError.self) { try map.cameraAnimations.fly(to: far, speed: 0) }
  }

  @Test func anAnimatorIsStartedPausedReversedAndEnded() throws {
    let map = try map()
    let animator = try map.cameraAnimations.makeAnimator(duration: 1, curve: .linear) {
      $0.zoom.fromValue = 8
      $0.zoom.toValue = 6
      $0.bearing.toValue = 90
    }
    var ends: [AnimationPosition] = []
    animator.addCompletion { ends.append($0) }
    #expect(animator.state == .inactive && animator.owner == .unspecified)
    try animator.startAnimation()
    #expect(throws: NeatlineError.self) { try animator.startAnimation() }
    try map.beginFrame(milliseconds: 100)
    try map.beginFrame(milliseconds: 600)
    #expect(abs(animator.fractionComplete - 0.5) < 1e-9)
    let half = try map.camera
    #expect(abs(half.zoom - 7) < 1e-9 && abs(half.bearing - 45) < 1e-9)
    try animator.pauseAnimation()
    #expect(animator.state == .paused)
    try map.beginFrame(milliseconds: 5000)
    #expect(abs(try map.camera.zoom - 7) < 1e-9)
    try animator.continueAnimation()
    animator.isReversed = true
    try map.beginFrame(milliseconds: 6000)
    try map.beginFrame(milliseconds: 7000)
    #expect(animator.state == .finished && ends == [.start])
    #expect(abs(try map.camera.zoom - 8) < 1e-9)
    #expect(throws: NeatlineError.self) { try animator.pauseAnimation() }
  }

  @Test func anAnimatorThatNobodyHoldsStops() throws {
    let map = try map()
    var end: AnimationPosition?
    try startAndForget(map) { end = $0 }
    #expect(end == .current && map.cameraAnimations.cameraAnimators.isEmpty)
  }

  private func startAndForget(_ map: Map, _ completion: @escaping AnimationCompletion) throws {
    let animator = try map.cameraAnimations.makeAnimator(duration: 1) { $0.pitch.toValue = 40 }
    animator.addCompletion(completion)
    try animator.startAnimation()
  }

  @Test func anAnimatorOutlivesItsMap() throws {
    var map: Map? = try map()
    let (manager, witness) = (try #require(map?.cameraAnimations), Witness())
    let animator = try manager.makeAnimator(duration: 1) { $0.zoom.toValue = 3 }
    var end: AnimationPosition?
    animator.addCompletion { end = $0 }
    try animator.startAnimation()
    manager.delegate = witness
    map = nil
    #expect(end == .current && animator.state == .finished && witness.heard.isEmpty)
    #expect(throws: NeatlineError.self) { try manager.ease(to: CameraOptions(zoom: 1), duration: 1) }
    #expect(manager.cameraAnimators.isEmpty)
  }

  @Test func limitsHoldTheCamera() throws {
    let map = try map()
    var limits = map.cameraLimits
    #expect(limits == CameraLimits())
    limits.maxZoom = 9
    limits.bounds = GeographicBounds(west: 12, south: 46, east: 13, north: 48)
    try map.setCameraLimits(limits)
    #expect(map.cameraLimits == limits)
    #expect(try map.camera.zoom == 9 && abs(map.camera.longitude - 12) < 1e-9)
    (limits.minZoom, limits.maxZoom) = (5, 4)
    #expect(throws: NeatlineError.self) { try map.setCameraLimits(limits) }
    #expect(map.cameraLimits.minZoom == 0)
  }

  @Test func anEyeSeesWhatTheCameraShows() throws {
    let map = try map()
    try map.setCamera(CameraOptions(bearing: 20, pitch: 40))
    let before = try map.camera
    var eye = try map.freeCameraOptions
    try map.setFreeCamera(eye)
    let again = try map.camera
    #expect(abs(again.longitude - before.longitude) < 1e-9 && abs(again.pitch - 40) < 1e-6)
    try eye.lookAtPoint(Coordinate(longitude: 11.01, latitude: 47.01))
    try map.setFreeCamera(eye)
    #expect(abs(try map.camera.longitude - 11.01) < 1e-6)
    #expect(throws: NeatlineError.self) {
      try map.setFreeCamera(FreeCameraOptions(position: SIMD3(0.5, 0.5, -1)))
    }
  }

  @Test func statisticsCountFrames() throws {
    let map = try map()
    #expect(try map.statistics["frames"]?["count"]?.number == 0)
    let style = #"{"version":8,"sources":{},"layers":[{"id":"b","type":"background"}]}"#
    try map.setStyle(json: style)
    map.loop.run()
    for _ in 0..<3 { _ = try map.draw() }
    #expect(try map.statistics["frames"]?["count"]?.number == 3)
  }
}
