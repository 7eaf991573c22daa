import NeatBase
import NeatCamera
import NeatMap
import NeatRaster
import NeatTestSupport
import Testing

@testable import NeatLive

/// Ornaments of a map: drawn over its frames, following its camera, taking pointers.
@Suite struct LiveMapOrnamentTests {
  private static let style = Array(
    ##"{"version":8,"sources":{},"layers":[{"id":"b","type":"background","paint":{"background-color":"#808080"}}]}"##
      .utf8)

  private func stage(byHost: Bool = true, bearing: Double = 0) throws -> Stage {
    let stage = try Stage { $0.usesSystemFonts = false }
    try stage.map.setPacing(byHost: byHost)
    try stage.map.setSize(ViewSize(width: 300, height: 200, pixelRatio: 1))
    try stage.map.setStyle(LiveMapOrnamentTests.style, base: "")
    try stage.map.setCamera(Camera(center: LonLat(11, 47), zoom: 10))
    if bearing != 0 { try turn(stage, bearing) }
    stage.run()
    stage.events = []
    return stage
  }

  private func turn(_ stage: Stage, _ bearing: Double) throws {
    var camera = stage.map.camera
    camera.bearing = bearing
    try stage.map.setCamera(camera)
  }

  private func compass(_ visibility: OrnamentPlace.Visibility = .adaptive) -> Ornaments {
    var ornaments = Ornaments()
    ornaments.compass.place.visibility = visibility
    return ornaments
  }

  /// Where the compass is dark: beside its middle.
  private func shade(_ stage: Stage) throws -> UInt32 {
    try stage.map.draw().bitmap.pixels[28 * 300 + 272 - 9] & 255
  }

  private func point(
    _ stage: Stage, _ phase: GestureInput.Pointer.Phase, _ x: Double, _ y: Double, id: Int64 = 0,
    at time: Double = 0
  ) throws { try stage.map.handle(GestureInput.Pointer(id: id, phase, SIMD2(x, y), atMS: time)) }

  private var camerasSent: (Stage) -> Int { { $0.events.filter { $0 == .cameraChanged }.count } }

  // MARK: Drawing

  @Test func withoutThemNothingIsDrawn() throws {
    let stage = try stage(bearing: 30)
    #expect(try stage.map.ornamentPictures().isEmpty)
    let bitmap = try stage.map.draw().bitmap
    #expect((0..<300 * 200).allSatisfy { bitmap.pixels[$0] == 0xFF80_8080 })
  }

  @Test func settingThemMakesAFrameDueAndTheSameAgainDoesNot() throws {
    let stage = try stage()
    _ = try stage.map.draw()
    #expect(!stage.map.isFrameDue)
    try stage.map.setOrnaments(compass(.visible))
    #expect(stage.map.isFrameDue)
    #expect(try shade(stage) < 60)
    try stage.map.setOrnaments(compass(.visible))
    #expect(!stage.map.isFrameDue)
    try stage.map.setOrnaments(Ornaments())
    #expect(try shade(stage) == 0x80)
  }

  @Test func theyAreInFramesForAGPU() throws {
    let stage = try stage()
    try stage.map.setOrnaments(compass(.visible))
    let frame = try stage.map.meshFrame()
    #expect(frame.layers == ["b", MeshFrame.ornamentLayer] && frame.commands.last?.kind == .raster)
    try stage.map.setOrnaments(Ornaments())
    #expect(try stage.map.meshFrame().layers == ["b"])
  }

  @Test func aCameraThatMovesLaysOutNothingForThem() throws {
    let stage = try stage()
    var all = compass(.visible)
    all.scaleBar.place.visibility = .visible
    try stage.map.setOrnaments(all)
    _ = try stage.map.draw()
    let before = try stage.map.loadedCore().laidOutLayerCount
    for step in 0..<30 {
      try stage.map.setCamera(Camera(center: LonLat(11, 47), zoom: 10 + Double(step) / 10))
      _ = try stage.map.draw()
    }
    #expect(try stage.map.loadedCore().laidOutLayerCount == before)
  }

  // MARK: Fading

  @Test func anAdaptiveCompassComesAndGoesWithTheFramesOfTheHost() throws {
    let stage = try stage()
    try stage.map.setOrnaments(compass())
    try stage.map.beginFrame(atMS: 0)
    #expect(try shade(stage) == 0x80, "the map looks north")
    try turn(stage, 40)
    try stage.map.beginFrame(atMS: 16)
    #expect(try shade(stage) == 0x80, "its first frame")
    var last: UInt32 = 0x80
    for time in [60.0, 120, 180, 240, 300] {
      try stage.map.beginFrame(atMS: 16 + time)
      let next = try shade(stage)
      #expect(next < last || time == 300 && next <= last, "\(time)")
      last = next
    }
    #expect(last < 60)
    stage.run()
    #expect(!stage.map.needsFrames && stage.events.last == .mapIdle)
    try turn(stage, 0)
    try stage.map.beginFrame(atMS: 1000)
    #expect(try shade(stage) < 60)
    try stage.map.beginFrame(atMS: 1150)
    #expect(try (60..<0x80).contains(shade(stage)))
    try stage.map.beginFrame(atMS: 1300)
    #expect(try shade(stage) == 0x80)
    stage.run()
    #expect(!stage.map.needsFrames)
  }

  @Test func onTheLoopItFadesByItselfAndComesToRest() throws {
    let stage = try stage(byHost: false)
    try stage.map.setOrnaments(compass())
    _ = try stage.map.draw()
    stage.run()
    stage.events = []
    stage.handle = { map, event in
      if case .renderFrameFinished = event { _ = try? map.draw() }
    }
    try turn(stage, 40)
    #expect(stage.map.isBusy)
    let began = MonotonicClock.milliseconds
    stage.run()
    #expect(MonotonicClock.milliseconds - began >= 250)
    #expect(stage.events.last == .mapIdle)
    #expect(try shade(stage) < 60)
  }

  @Test func whereNobodyTakesFramesItIsThereAtOnce() throws {
    let stage = try stage(byHost: false)
    try stage.map.setOrnaments(compass())
    try turn(stage, 40)
    #expect(!stage.map.needsFrames)
    stage.run()
    #expect(try shade(stage) < 60)
  }

  @Test func theSameTimesGiveTheSamePictures() throws {
    func hash() throws -> [UInt64] {
      let stage = try stage()
      var all = compass()
      all.scaleBar.place.visibility = .adaptive
      try stage.map.setOrnaments(all)
      return try (0..<20).map { step in
        if step == 3 { try turn(stage, 33) }
        try stage.map.beginFrame(atMS: Double(step) * 30)
        let bitmap = try stage.map.draw().bitmap
        return (0..<300 * 200).reduce(0xcbf2_9ce4_8422_2325) {
          ($0 ^ UInt64(bitmap.pixels[$1])) &* 0x100_0000_01b3
        }
      }
    }
    let first = try hash()
    #expect(try first == hash() && Set(first).count > 5)
  }

  // MARK: Pointers

  @Test func aTapOnTheCompassTurnsTheMapNorthAndIsNoGesture() throws {
    let stage = try stage(bearing: 80)
    try stage.map.setOrnaments(compass())
    try stage.map.beginFrame(atMS: 0)
    try point(stage, .down, 272, 28)
    try point(stage, .move, 275, 30, at: 20)
    #expect(stage.events.allSatisfy { $0 != .cameraChanged } && !stage.map.isHeld)
    try point(stage, .up, 275, 30, at: 40)
    #expect(stage.map.aliveAnimators.map(\.animator.owner) == ["compass"])
    for time in stride(from: 16.0, through: 360, by: 16) { try stage.map.beginFrame(atMS: time) }
    #expect(stage.map.camera.bearing == 0)
    #expect(
      !stage.events.contains {
        if case .gestureBegan = $0 { true } else { false }
      })
    #expect(
      stage.events.contains {
        if case .animationBegan(_, owner: "compass") = $0 { true } else { false }
      })
  }

  @Test func aPressThatLeavesTheCompassDoesNothing() throws {
    let stage = try stage(bearing: 80)
    try stage.map.setOrnaments(compass())
    for end in [GestureInput.Pointer.Phase.up, .cancel] {
      try point(stage, .down, 272, 28)
      try point(stage, .move, 100, 100, at: 20)
      try point(stage, end, end == .up ? 100 : 272, end == .up ? 100 : 28, at: 40)
      #expect(stage.map.aliveAnimators.isEmpty && stage.map.camera.bearing == 80)
    }
    // And the map has its gestures again.
    try point(stage, .down, 100, 100, at: 100)
    try point(stage, .move, 140, 100, at: 120)
    #expect(stage.map.isHeld)
    try point(stage, .up, 140, 100, at: 400)
  }

  @Test func pointersBesideItAndOnWhatIsNotSeenAreTheMaps() throws {
    let stage = try stage(bearing: 0)
    try stage.map.setOrnaments(compass())
    #expect(try stage.map.ornament(at: SIMD2(272, 28)) == nil, "the map looks north")
    try point(stage, .down, 272, 28)
    try point(stage, .move, 240, 28, at: 30)
    #expect(stage.map.isHeld)
    try point(stage, .up, 240, 28, at: 500)
    try turn(stage, 10)
    #expect(try stage.map.ornament(at: SIMD2(272, 28)) == .compass)
    #expect(try stage.map.ornament(at: SIMD2(251, 28)) == nil)
    // A second finger is the map's, and other buttons are.
    var second = GestureInput.Pointer(.down, SIMD2(272, 28), atMS: 1000)
    second.button = .secondary
    try stage.map.handle(second)
    try stage.map.handle(GestureInput.Pointer(.up, SIMD2(272, 28), atMS: 1010))
    #expect(stage.map.aliveAnimators.isEmpty)
  }

  @Test func whatIsNoPlaceIsRefusedWhileTheCompassIsHeld() throws {
    let stage = try stage(bearing: 80)
    try stage.map.setOrnaments(compass())
    try point(stage, .down, 272, 28)
    #expect { try point(stage, .move, .nan, 28, at: 10) } throws: {
      ($0 as? NeatError)?.code == .invalidArgument
    }
    #expect { try point(stage, .move, 1, 28, at: .infinity) } throws: {
      ($0 as? NeatError)?.code == .invalidArgument
    }
    try point(stage, .up, 272, 28, at: 40)
    #expect(stage.map.aliveAnimators.count == 1)
  }

  @Test func aHandlerThatDestroysTheMapEndsTheTap() throws {
    let stage = try stage(bearing: 80)
    try stage.map.setOrnaments(compass())
    _ = try stage.map.ease(to: CameraChange(to: stage.map.camera), durationMS: 10_000)
    stage.handle = { map, event in
      if case .animationEnded = event { map.destroy() }
    }
    try point(stage, .down, 272, 28)
    try point(stage, .up, 272, 28, at: 40)
    #expect(throws: NeatError.self) { try stage.map.setOrnaments(Ornaments()) }
  }

  // MARK: Words

  @Test func theAttributionComesWithTheSourcesAndFollowsEdits() throws {
    let stage = try Stage { $0.usesSystemFonts = true }
    try stage.map.setSize(ViewSize(width: 300, height: 200, pixelRatio: 1))
    var ornaments = Ornaments()
    ornaments.attribution.place.visibility = .visible
    try stage.map.setOrnaments(ornaments)
    try stage.map.setStyle(
      Array(
        #"{"version":8,"sources":{"a":{"type":"geojson","data":{"type":"Point","coordinates":[0,0]},"attribution":"somebody"}},"layers":[{"id":"c","type":"circle","source":"a"}]}"#
          .utf8), base: "")
    stage.run()
    func width() throws -> Double {
      let box = try stage.map.ornamentPictures().first?.rectangle(pixelRatio: 1)
      return box.map { $0.z - $0.x } ?? 0
    }
    let before = try width()
    try #require(before > 0, "needs a font of the system's")
    try stage.map.edit { editor throws(NeatError) in try editor.removeLayer("c") }
    #expect(try width() == 0, "no layer draws from it")
  }
}
