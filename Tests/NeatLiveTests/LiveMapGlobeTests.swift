import NeatBase
import NeatCamera
import NeatJSON
import NeatMap
import Testing

@testable import NeatLive

/// The camera of a map whose style is laid onto the globe, at times that the test says.
@Suite struct LiveMapGlobeTests {
  private static func style(_ projection: String) -> [UInt8] {
    Array(
      """
      {"version": 8, "projection": {"type": \(projection)}, "sources": {},
       "layers": [{"id": "b", "type": "background"}]}
      """.utf8)
  }

  private static let home = Camera(center: LonLat(150, -20), zoom: 3)
  private static let size = ViewSize(width: 512, height: 384)

  private func stage(_ projection: String = #""globe""#, from camera: Camera = home) throws -> Stage {
    let stage = try Stage()
    try stage.map.setSize(Self.size)
    try stage.map.setPacing(byHost: true)
    try stage.map.setStyle(Self.style(projection), base: "")
    try stage.map.setCamera(camera)
    stage.run()
    try stage.map.beginFrame(atMS: 0)
    stage.run()
    stage.events = []
    return stage
  }

  private func animator(_ stage: Stage, _ set: (inout CameraAnimator.Values) -> Void) throws -> LiveAnimator {
    var values = CameraAnimator.Values()
    set(&values)
    let animator = try stage.map.makeAnimator(values, durationMS: 1000, curve: .linear)
    try animator.start()
    return animator
  }

  /// The cameras of a second.
  private func second(
    _ stage: Stage, from time: Double = 0, step: Double = 20, _ each: (Double) throws -> Void = { _ in }
  ) throws -> [Camera] {
    try stride(from: time, through: time + 1000, by: step).map { time in
      try each(time)
      try stage.map.beginFrame(atMS: time)
      return stage.map.camera
    }
  }

  /// The zoom at the equator of a globe as large.
  private func size(_ camera: Camera) -> Double { camera.zoom - log2(cos(camera.center.lat * .pi / 180)) }

  private func change(_ center: LonLat?, zoom: Double?) -> CameraChange {
    var change = CameraChange()
    (change.center, change.zoom) = (center, zoom)
    return change
  }

  @Test func anAnimatedCentreGoesToThePole() throws {
    let stage = try stage()
    let holder = try animator(stage) { $0.center = .init(to: LonLat(150, 90)) }
    let way = try second(stage)
    #expect(way.last?.center == LonLat(150, Mercator.maxLatitude) && holder.animator?.end == .end)
    for camera in way { #expect(abs(size(camera) - size(Self.home)) < 1e-9) }
    for (a, b) in zip(way, way.dropFirst()) {
      #expect(abs(b.center.lat - a.center.lat - (Mercator.maxLatitude + 20) / 50) < 1e-9)
    }
  }

  @Test func thePlaceUnderAnAnchorStays() throws {
    let stage = try stage()
    let anchor = SIMD2(350.0, 120)
    func place() throws -> LonLat? {
      let (place, isOnSurface) = try CameraView(
        camera: stage.map.camera, size: Self.size, projection: .globe
      ).place(at: anchor)
      return isOnSurface ? place : nil
    }
    let held = try #require(try place())
    let zoom = try animator(stage) {
      $0.zoom = .init(to: 4)
      $0.anchor = .init(to: anchor)
    }
    let turn = try animator(stage) {
      $0.bearing = .init(to: 50)
      $0.pitch = .init(to: 30)
      $0.anchor = .init(to: anchor)
    }
    for time in stride(from: 0.0, through: 1000, by: 50) {
      try stage.map.beginFrame(atMS: time)
      let point = try #require(
        try CameraView(camera: stage.map.camera, size: Self.size, projection: .globe).visiblePoint(of: held))
      #expect(((point - anchor) * (point - anchor)).sum().squareRoot() < 0.01, "\(time)")
      #expect(abs(stage.map.camera.zoom - (3 + time / 1000)) < 1e-9)
    }
    #expect(stage.map.camera.bearing == 50 && [zoom, turn].allSatisfy { $0.animator?.end == .end })
  }

  @Test(arguments: [
    #""globe""#, #"["interpolate", ["linear"], ["zoom"], 10, "vertical-perspective", 13, "mercator"]"#,
  ]) func whereItBecomesThePlaneNothingJumps(projection: String) throws {
    for zooms in [(10.5, 12.5), (12.5, 10.5)] {
      let start = Camera(center: LonLat(11, 60), zoom: zooms.0)
      for hasAnchor in [true, false] {
        let stage = try stage(projection, from: start)
        let holder = try animator(stage) {
          $0.zoom = .init(to: zooms.1)
          if hasAnchor {
            $0.anchor = .init(to: SIMD2(500, 20))
          } else {
            $0.center = .init(to: LonLat(11.5, 60.2))
          }
        }
        let way = try second(stage, step: 1)
        #expect(way.last?.zoom == zooms.1 && holder.animator?.end == .end)
        // Pixels from centre to centre.
        let steps = zip(way, way.dropFirst()).map { a, b in
          let move = (Mercator.open(b.center) - Mercator.open(a.center)) * 512 * exp2(a.zoom)
          return max((move * move).sum().squareRoot(), abs(b.zoom - a.zoom) * 512)
        }
        #expect(steps.max()! < (hasAnchor ? 1.2 : 20), "\(projection) \(steps.max()!)")
      }
    }
  }

  @Test func theStylesProjectionMayChangeMeanwhile() throws {
    for (first, then) in [(#""globe""#, "mercator"), (#""mercator""#, "globe")] {
      let stage = try stage(first)
      let move = try animator(stage) { $0.center = .init(to: LonLat(170, 60)) }
      let way = try second(stage) { time in
        guard time == 500 else { return }
        try stage.map.edit { editor throws(NeatError) in
          try editor.setRoot("projection", try JSON.parse(Array(#"{"type": "\#(then)"}"#.utf8)))
        }
      }
      #expect(way.last?.center == LonLat(170, 60) && move.animator?.end == .end)
      for (a, b) in zip(way, way.dropFirst()) {
        #expect(abs(b.center.lat - a.center.lat) < 3 && abs(b.zoom - a.zoom) < 0.1, "\(first)")
      }
    }
  }

  // MARK: The viewport

  @Test func theViewportGoesToThePole() throws {
    let stage = try stage()
    let state = stage.map.makeViewportState(LiveViewportState.Own())
    try stage.map.setViewportCamera(state, change(LonLat(-170, 88), zoom: nil))
    try stage.map.goTo(state)
    let way = try second(stage) + second(stage, from: 1020) + second(stage, from: 2040)
    #expect(stage.map.viewportStatus == .state(state.id))
    #expect(way.last?.center == LonLat(-170, Mercator.maxLatitude))
    for camera in way { #expect(abs(size(camera) - size(Self.home)) < 1e-9) }
  }

  @Test func theViewportComesFromThePlane() throws {
    let stage = try stage(from: Camera(center: LonLat(11, 47), zoom: 15))
    for (center, zoom) in [(LonLat(20, 85), 0.5), (LonLat(11, 47), 15)] {
      let state = stage.map.makeViewportState(LiveViewportState.Own())
      try stage.map.setViewportCamera(state, change(center, zoom: zoom))
      try stage.map.goTo(state)
      var last = stage.map.camera
      var time = zoom * 1000
      while stage.map.viewportStatus != .state(state.id), time < 30_000 {
        time += 20
        try stage.map.beginFrame(atMS: time)
        let camera = stage.map.camera
        #expect(abs(size(camera) - size(last)) < 0.5 && abs(camera.center.lat - last.center.lat) < 4)
        last = camera
      }
      #expect(stage.map.camera.center == center && stage.map.camera.zoom == zoom)
    }
  }

  /// What begins on the plane and ends on the globe is held by the globe.
  @Test func aPoleIsReachedFromThePlaneToo() throws {
    let deep = Camera(center: LonLat(11, 47), zoom: 15)
    let pole = change(LonLat(20, 85), zoom: 0.5)
    let stage = try stage(from: deep)
    try stage.map.setCamera(pole)
    #expect(stage.map.camera.center == LonLat(20, 85) && stage.map.camera.zoom == 0.5)
    for flies in [false, true] {
      try stage.map.setCamera(deep)
      if flies {
        try stage.map.fly(to: pole, durationMS: 1000)
      } else {
        try stage.map.ease(to: pole, durationMS: 1000)
      }
      let way = try second(stage, from: flies ? 20_000 : 10_000)
      #expect(way[0] == deep && way.last?.center == LonLat(20, 85) && way.last?.zoom == 0.5)
    }
    // At the end the plane's edges count again.
    try stage.map.setCamera(Camera(center: LonLat(0, 85), zoom: 3))
    try stage.map.setCamera(change(LonLat(0, 85.05), zoom: 13))
    let held = stage.map.limits.constrained(stage.map.camera, Self.size)
    #expect(abs(stage.map.camera.center.lat - held.center.lat) < 1e-9 && held.center.lat < 85.05)
  }

  // MARK: Limits

  @Test func limitsOfTheGlobeHoldValuesAndTransitions() throws {
    let stage = try stage()
    var limits = CameraLimits()
    (limits.minZoom, limits.maxPitch) = (2, 40)
    limits.bounds = ViewBounds(west: 100, south: -50, east: 179, north: 70)
    try stage.map.setLimits(limits)
    let holder = try animator(stage) {
      $0.center = .init(to: LonLat(-150, 80))
      $0.zoom = .init(to: -2)
      $0.pitch = .init(to: 80)
    }
    for camera in try second(stage) {
      #expect(camera == limits.on(.globe).constrained(camera, Self.size))
    }
    #expect(holder.animator?.end == .end && stage.map.camera.center == LonLat(179, 70))
    #expect(abs(size(stage.map.camera) - 2) < 1e-9 && stage.map.camera.pitch == 40)
  }

  /// As MapLibre GL JS's `setMaxPitch` and its kin.
  @Test(arguments: ["mercator", "globe"]) func limitsThatComeLaterBringTheCameraBack(projection: String)
    throws
  {
    let stage = try stage("\"\(projection)\"", from: Camera(center: LonLat(11, 47), zoom: 9, pitch: 70))
    var limits = CameraLimits()
    (limits.maxPitch, limits.maxZoom) = (30, 8)
    try stage.map.setLimits(limits)
    #expect(stage.map.camera.pitch == 30 && stage.map.camera.zoom == 8 && stage.events == [.cameraChanged])
    // Those that are wider bring nothing back.
    try stage.map.setLimits(CameraLimits())
    #expect(stage.map.camera.pitch == 30 && stage.events == [.cameraChanged])
    limits = CameraLimits()
    (limits.minPitch, limits.minZoom) = (50, 10)
    try stage.map.setLimits(limits)
    #expect(stage.map.camera.pitch == 50 && stage.map.camera.zoom >= 10 - 1)
    // While something moves the camera, too.
    let holder = try animator(stage) { $0.pitch = .init(to: 80) }
    try stage.map.beginFrame(atMS: 100)
    try stage.map.beginFrame(atMS: 900)
    #expect(stage.map.camera.pitch > 70)
    (limits.minPitch, limits.maxPitch) = (0, 20)
    try stage.map.setLimits(limits)
    #expect(stage.map.camera.pitch == 20)
    try stage.map.beginFrame(atMS: 1000)
    #expect(stage.map.camera.pitch == 20)
    try stage.map.beginFrame(atMS: 1200)
    #expect(stage.map.camera.pitch == 20 && holder.animator?.end == .end)
    // And where the tilt is the style's own, or was asked for before the style.
    let other = try Stage()
    try other.map.setCamera(Camera(pitch: 70))
    try other.map.setLimits(limits)
    #expect(other.map.camera.pitch == 20)
    try other.map.setStyle(Self.style("\"\(projection)\""), base: "")
    #expect(other.map.camera.pitch == 20)
    let own = try Stage()
    let text = #"{"version": 8, "pitch": 60, "zoom": 3, "sources": {}, "layers": []}"#
    try own.map.setStyle(Array(text.utf8), base: "")
    #expect(own.map.camera.pitch == 60)
    try own.map.setLimits(limits)
    #expect(own.map.camera.pitch == 20)
  }
}
