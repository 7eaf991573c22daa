import NeatBase
import Testing

@testable import NeatCamera

@Suite struct GestureTests {
  static let flat = Camera(center: LonLat(11.39, 47.27), zoom: 12)
  static let tilted = Camera(center: LonLat(-122.42, 37.77), zoom: 14.5, bearing: 30, pitch: 55)
  static let all: Camera = {
    var camera = Camera(center: LonLat(179.99, -33), zoom: 9.3, bearing: -110, pitch: 62, roll: 12)
    camera.padding = EdgeInsets(top: 40, left: 120, bottom: 10, right: 20)
    return camera
  }()
  static let cameras = [flat, tilted, all]

  private func distance(_ a: SIMD2<Double>, _ b: SIMD2<Double>) -> Double { length(a - b) }

  // MARK: Ground

  @Test(arguments: cameras) func theGroundIsWhereItIsDrawn(_ camera: Camera) throws {
    let player = Player(camera)
    let view = PlaneGround(camera, player.size)
    for point in [SIMD2(400.0, 300), SIMD2(20, 590), SIMD2(780, 400), SIMD2(-50, 900)] {
      let seen = try player.seen(view.ground(point))
      #expect(distance(seen, point) < 0.001, "\(seen) for \(point)")
      #expect(!view.isAboveHorizon(point))
    }
  }

  @Test func theHorizonIsWhereTheGroundEnds() throws {
    var camera = GestureTests.flat
    camera.pitch = 80
    let player = Player(camera)
    let view = PlaneGround(camera, player.size)
    let transform = try Transform(camera: camera, size: player.size)
    #expect(view.isAboveHorizon(SIMD2(400, 100)))
    #expect(transform.world(screen: SIMD2(400, 100)) == nil)
    #expect(!view.isAboveHorizon(SIMD2(400, 200)))
    #expect(transform.world(screen: SIMD2(400, 200)) != nil)
  }

  // MARK: Pan

  @Test(arguments: cameras) func aPanKeepsTheGroundUnderTheFinger(_ camera: Camera) throws {
    var player = Player(camera)
    let ground = try player.ground(420, 400)
    try player.pointer(.down, 420, 400, at: 0)
    for step in 1...50 {
      let (x, y) = (420 + 6 * Double(step), 406 + 3 * Double(step % 20))
      try player.pointer(.move, x, y, at: Double(step) * 8)
      let seen = try player.seen(ground)
      #expect(distance(seen, SIMD2(x, y)) < 0.01, "\(seen) for (\(x), \(y))")
    }
    #expect(player.camera.zoom == camera.zoom && player.camera.bearing == camera.bearing)
  }

  @Test func aPanBeginsPastAFewPixels() throws {
    for (kind, slop) in [(GestureInput.Pointer.Kind.touch, 8.0), (.mouse, 3)] {
      var player = Player(GestureTests.flat)
      try player.pointer(.down, 100, 100, at: 0, kind)
      try player.pointer(.move, 100 + slop - 0.1, 100, at: 10, kind)
      #expect(player.outputs.isEmpty && !player.recognizer.isInProgress)
      try player.pointer(.move, 100 + slop, 100, at: 20, kind)
      #expect(player.story == ["began pan 100.0 100.0"] && player.recognizer.isInProgress)
    }
  }

  @Test func aPanDoesNotBeginAboveTheHorizon() throws {
    var camera = GestureTests.flat
    camera.pitch = 80
    var player = Player(camera)
    try player.drag(from: SIMD2(400, 100), to: SIMD2(400, 500), at: 0, takingMS: 100)
    #expect(player.story.isEmpty && player.camera == camera)
    try player.drag(from: SIMD2(400, 400), to: SIMD2(400, 100), at: 1000, takingMS: 100, restMS: 500)
    #expect(player.story == ["began pan 400.0 400.0", "ended pan"])
    // What is drawn above the horizon stays below it.
    #expect(PlaneGround(player.camera, player.size).isAboveHorizon(SIMD2(400, 100)))
    #expect(player.camera.center.lat.isFinite)
  }

  @Test func aPanGoesInTheDirectionsThatItMay() throws {
    for mode in GestureOptions.PanMode.allCases {
      var player = Player(GestureTests.flat)
      var options = GestureOptions()
      options.panMode = mode
      try player.recognizer.setOptions(options)
      try player.drag(from: SIMD2(300, 300), to: SIMD2(350, 340), at: 0, takingMS: 50)
      try player.frame(at: 10000)
      let moved = player.camera.center
      #expect((abs(moved.lon - 11.39) > 1e-9) == (mode != .vertical))
      #expect((abs(moved.lat - 47.27) > 1e-12) == (mode != .horizontal))
    }
  }

  @Test func aPanStopsAtThePolesAndGripsAgain() throws {
    var player = Player(Camera(center: LonLat(0, 84), zoom: 3))
    player.recognizer.limits.mode = .none
    let ground = try player.ground(400, 300)
    try player.pointer(.down, 400, 300, at: 0)
    for y in stride(from: 310.0, through: 5000, by: 100) { try player.pointer(.move, 400, y, at: y) }
    #expect(abs(player.camera.center.lat - Mercator.maxLatitude) < 1e-9)
    try player.pointer(.move, 420, 310, at: 6000)
    #expect(try distance(player.seen(ground), SIMD2(420, 310)) < 0.01)
  }

  @Test func aPanGoesOverThe180thMeridian() throws {
    var player = Player(Camera(center: LonLat(179.9, 10), zoom: 5))
    let ground = try player.ground(700, 300)
    try player.drag(from: SIMD2(700, 300), to: SIMD2(200, 300), at: 0, takingMS: 500, restMS: 100)
    #expect((-180...(-160)).contains(player.camera.center.lon))
    #expect(try distance(player.seen(ground), SIMD2(200, 300)) < 0.01)
  }

  @Test func whatElseMovesTheCameraStays() throws {
    var player = Player(GestureTests.flat)
    try player.pointer(.down, 400, 300, at: 0)
    try player.pointer(.move, 440, 300, at: 10)
    player.camera = Camera(center: LonLat(-70, -30), zoom: 6)
    let ground = try player.ground(440, 300)
    try player.pointer(.move, 450, 320, at: 20)
    #expect(player.camera.zoom == 6)
    #expect(try distance(player.seen(ground), SIMD2(450, 320)) < 0.01)
  }

  // MARK: Glide

  @Test func aGlideLosesItsVelocityByTheFactor() throws {
    var player = Player(GestureTests.flat)
    try player.drag(from: SIMD2(300, 300), to: SIMD2(400, 300), at: 0, takingMS: 100)
    #expect(player.story == ["began pan 300.0 300.0", "ended pan, animates"])
    // 1000 px/s; 0.998^t of it after t milliseconds.
    var ground = try player.ground(400, 300)
    for time in [1.0, 100, 700, 1600] {
      try player.frame(at: 100 + time)
      let way = 1000 * (pow(0.998, time) - 1) / log(0.998) / 1000
      let seen = try player.seen(ground)
      #expect(distance(seen, SIMD2(400 + way, 300)) < 0.01, "\(seen) after \(time) ms")
    }
    // Until it has 35 px/s: ln(35 / 1000) / ln 0.998 milliseconds.
    let end = log(0.035) / log(0.998)
    try player.frame(at: 100 + end - 1)
    #expect(player.recognizer.isAnimating)
    try player.frame(at: 100 + end + 1)
    #expect(!player.recognizer.isAnimating && player.story.last == "ended animating pan")
    ground = try player.ground(0, 0)
    try player.frame(at: 9000)
    #expect(try distance(player.seen(ground), SIMD2(0, 0)) < 1e-6)
  }

  /// At the beginning the ground goes on as fast as the finger did.
  @Test(arguments: cameras) func aGlideBeginsWithTheVelocityOfTheFinger(_ camera: Camera) throws {
    var player = Player(camera)
    try player.drag(from: SIMD2(400, 400), to: SIMD2(450, 430), at: 0, takingMS: 50)
    let ground = try player.ground(450, 430)
    try player.frame(at: 51)
    let seen = try player.seen(ground)
    #expect(distance(seen, SIMD2(451, 430.6)) < 0.02, "\(seen)")
  }

  @Test func thereIsNoGlideAfterARestOrASlowPan() throws {
    // The last move is at most 1/30 s before the end.
    for (rest, glides) in [(33.0, true), (34, false)] {
      var player = Player(GestureTests.flat)
      try player.drag(from: SIMD2(300, 300), to: SIMD2(400, 300), at: 0, takingMS: 100, restMS: rest)
      #expect(player.recognizer.isAnimating == glides)
    }
    for (way, glides) in [(34.0, false), (36, true)] {
      var player = Player(GestureTests.flat)
      try player.drag(
        from: SIMD2(300, 300), to: SIMD2(300 + way, 300 + way), at: 0, takingMS: 1000, steps: 100)
      #expect(player.recognizer.isAnimating == glides, "\(way) px/s")
    }
    var player = Player(GestureTests.flat)
    var options = GestureOptions()
    options.panDecelerationFactor = 0
    try player.recognizer.setOptions(options)
    try player.drag(from: SIMD2(300, 300), to: SIMD2(400, 300), at: 0, takingMS: 100)
    #expect(!player.recognizer.isAnimating && player.story.last == "ended pan")
  }

  @Test func aTouchStopsTheGlide() throws {
    var player = Player(GestureTests.flat)
    try player.drag(from: SIMD2(300, 300), to: SIMD2(400, 300), at: 0, takingMS: 100)
    try player.frame(at: 200)
    try player.pointer(.down, 10, 10, at: 250)
    #expect(player.story.last == "ended animating pan" && !player.recognizer.isAnimating)
    let camera = player.camera
    try player.frame(at: 400)
    #expect(player.camera == camera)
  }

  // MARK: Two fingers

  @Test func aPinchZoomsByTheScaleAroundItsMiddle() throws {
    for camera in GestureTests.cameras {
      var player = Player(camera)
      let ground = try player.ground(400, 420)
      try player.fingers(
        from: (SIMD2(340, 420), SIMD2(460, 420)), to: (SIMD2(300, 450), SIMD2(540, 450)), at: 0, takingMS: 400
      )
      #expect(abs(player.camera.zoom - (camera.zoom + 1)) < 1e-9)
      #expect(try distance(player.seen(ground), SIMD2(420, 450)) < 0.01)
      #expect(player.camera.bearing == camera.bearing && player.camera.pitch == camera.pitch)
      try player.lift(at: 410)
      #expect(player.story == ["began pinch 400.0 420.0", "ended pinch"])
    }
  }

  @Test func aPinchDoesWhatItMay() throws {
    func pinch(_ change: (inout GestureOptions) -> Void) throws -> Player {
      var player = Player(GestureTests.flat)
      var options = GestureOptions()
      change(&options)
      try player.recognizer.setOptions(options)
      try player.fingers(
        from: (SIMD2(340, 300), SIMD2(460, 300)), to: (SIMD2(320, 330), SIMD2(560, 330)), at: 0, takingMS: 400
      )
      return player
    }
    let noZoom = try pinch { $0.pinchZoomEnabled = false }
    #expect(noZoom.camera.zoom == 12 && noZoom.camera.center != GestureTests.flat.center)
    let noPan = try pinch { $0.pinchPanEnabled = false }
    let ground = try Player(GestureTests.flat).ground(400, 300)
    #expect(try noPan.camera.zoom == 13 && distance(noPan.seen(ground), SIMD2(400, 300)) < 0.01)
    let none = try pinch { $0.pinchEnabled = false }
    #expect(none.camera == GestureTests.flat && none.outputs.isEmpty)
    let focal = try pinch { ($0.focalPoint, $0.pinchPanEnabled) = (SIMD2(100, 50), false) }
    let corner = try Player(GestureTests.flat).ground(100, 50)
    #expect(try focal.camera.zoom == 13 && distance(focal.seen(corner), SIMD2(100, 50)) < 0.01)
  }

  private func ring(_ degrees: Double, _ radius: Double = 100) -> (SIMD2<Double>, SIMD2<Double>) {
    let v = SIMD2(cos(degrees * .pi / 180), sin(degrees * .pi / 180)) * radius
    return (SIMD2(400, 300) - v, SIMD2(400, 300) + v)
  }

  /// Turns two fingers evenly and gives the degrees at which rotation begins.
  private func threshold(degreesPerMS speed: Double) throws -> Double? {
    var player = Player(GestureTests.flat)
    let start = ring(90)
    try player.pointer(.down, start.0.x, start.0.y, at: 0, id: 1)
    try player.pointer(.down, start.1.x, start.1.y, at: 0, id: 2)
    for step in 1...200 {
      let degrees = 0.25 * Double(step)
      let (a, b) = ring(90 + degrees)
      try player.pointer(.move, a.x, a.y, at: degrees / speed, id: 1)
      try player.pointer(.move, b.x, b.y, at: degrees / speed, id: 2)
      if player.story.contains(where: { $0.hasPrefix("began rotation") }) { return degrees }
    }
    return nil
  }

  @Test func rotationBeginsPastAThresholdThatGrowsWithSpeed() throws {
    for (speed, degrees) in [(0.02, 3.0), (0.1, 5), (0.3, 7), (0.9, 15)] {
      let begins = try #require(try threshold(degreesPerMS: speed))
      #expect(abs(begins - degrees) <= 0.25, "at \(speed) degrees in a millisecond: \(begins)")
    }
  }

  @Test func rotationTurnsTheMapWithTheFingers() throws {
    var player = Player(GestureTests.flat)
    let start = ring(90)
    try player.pointer(.down, start.0.x, start.0.y, at: 0, id: 1)
    try player.pointer(.down, start.1.x, start.1.y, at: 0, id: 2)
    for degrees in stride(from: 1.0, through: 43, by: 1) {
      let (a, b) = ring(90 + degrees)
      try player.pointer(.move, a.x, a.y, at: degrees * 20, id: 1)
      try player.pointer(.move, b.x, b.y, at: degrees * 20, id: 2)
    }
    // Clockwise, from the threshold of 3° on.
    #expect((-40.6...(-39.4)).contains(player.camera.bearing), "\(player.camera.bearing)")
    try player.lift(at: 1000)
    #expect(player.story.contains("ended rotation"))
  }

  @Test func rotationAndZoomKeepEachOtherOutWhereTheyMayNotBeAtOnce() throws {
    for isZoomFirst in [true, false] {
      var player = Player(GestureTests.flat)
      var options = GestureOptions()
      (options.simultaneousRotateAndPinchZoomEnabled, options.pinchPanEnabled) = (false, false)
      try player.recognizer.setOptions(options)
      let start = ring(90)
      try player.pointer(.down, start.0.x, start.0.y, at: 0, id: 1)
      try player.pointer(.down, start.1.x, start.1.y, at: 0, id: 2)
      for step in 1...20 {
        let t = Double(step)
        let (a, b) =
          isZoomFirst
          ? ring(90 + max(0, t - 10) * 4, 100 + t * 5) : ring(90 + t * 2, 100 + max(0, t - 10) * 5)
        try player.pointer(.move, a.x, a.y, at: t * 100, id: 1)
        try player.pointer(.move, b.x, b.y, at: t * 100, id: 2)
      }
      #expect((player.camera.zoom != 12) == isZoomFirst)
      #expect((player.camera.bearing != 0) == !isZoomFirst)
    }
  }

  @Test func twoLevelFingersPitchByHalfADegreeAPixel() throws {
    var player = Player(GestureTests.flat)
    try player.fingers(
      from: (SIMD2(340, 400), SIMD2(460, 390)), to: (SIMD2(340, 300), SIMD2(460, 290)), at: 0, takingMS: 400,
      steps: 100)
    // From where it began, 8 pixels up.
    #expect(player.camera.pitch == 46 && player.camera.zoom == 12)
    #expect(player.camera.center == GestureTests.flat.center)
    try player.lift(at: 410)
    #expect(player.story == ["began pitch 400.0 395.0", "ended pitch"])
  }

  @Test func pitchEndsAtItsLimits() throws {
    var player = Player(GestureTests.flat)
    player.recognizer.limits.maxPitch = 60
    try player.fingers(
      from: (SIMD2(340, 500), SIMD2(460, 500)), to: (SIMD2(340, 100), SIMD2(460, 100)), at: 0, takingMS: 400)
    #expect(player.camera.pitch == 60)
    try player.fingers(
      from: (SIMD2(340, 100), SIMD2(460, 100)), to: (SIMD2(340, 500), SIMD2(460, 500)), at: 1000,
      takingMS: 400)
    #expect(player.camera.pitch == 0)
  }

  @Test func steepFingersDoNotPitch() throws {
    // 44° and 46° from level.
    for (height, pitches) in [(115.0, true), (125, false)] {
      var player = Player(GestureTests.flat)
      try player.fingers(
        from: (SIMD2(340, 300), SIMD2(460, 300 + height)), to: (SIMD2(340, 200), SIMD2(460, 200 + height)),
        at: 0,
        takingMS: 400)
      #expect((player.camera.pitch > 0) == pitches)
    }
  }

  @Test func threeFingersAreNoGesture() throws {
    var player = Player(GestureTests.flat)
    try player.pointer(.down, 100, 100, at: 0, id: 1)
    try player.pointer(.down, 200, 100, at: 5, id: 2)
    try player.pointer(.down, 300, 100, at: 9, id: 3)
    for id in 1...3 as ClosedRange<Int64> { try player.pointer(.move, 100 * Double(id), 300, at: 50, id: id) }
    for id in 1...3 as ClosedRange<Int64> { try player.pointer(.up, 100 * Double(id), 300, at: 60, id: id) }
    #expect(player.outputs.isEmpty && !player.recognizer.isInProgress)
  }

  // MARK: Taps

  @Test func aDoubleTapZoomsInAtItsPoint() throws {
    var player = Player(GestureTests.tilted)
    let ground = try player.ground(500, 400)
    try player.tap(500, 400, at: 0)
    try player.tap(500, 400, at: 200)
    #expect(
      player.story.suffix(2) == ["began doubleTapToZoomIn 500.0 400.0", "ended doubleTapToZoomIn, animates"])
    var zoom = player.camera.zoom
    for time in stride(from: 250.0, through: 530, by: 20) {
      try player.frame(at: time)
      #expect(player.camera.zoom >= zoom && player.recognizer.isAnimating)
      #expect(try distance(player.seen(ground), SIMD2(500, 400)) < 0.01)
      zoom = player.camera.zoom
    }
    // Fast first: more than half of it after half the time.
    try player.frame(at: 540)
    #expect(player.camera.zoom == 15.5 && !player.recognizer.isAnimating)
    #expect(player.story.last == "ended animating doubleTapToZoomIn")
  }

  @Test func theZoomOfATapIsFastFirst() throws {
    var player = Player(GestureTests.flat)
    try player.tap(500, 400, at: 0)
    try player.tap(500, 400, at: 200)
    try player.frame(at: 240 + 150)
    // The curve of CSS's ease-out has come so far at its half.
    #expect(abs(player.camera.zoom - 12.6846) < 0.001)
  }

  @Test func aDoubleTouchZoomsOut() throws {
    var player = Player(GestureTests.flat)
    let ground = try player.ground(450, 410)
    try player.pointer(.down, 400, 400, at: 0, id: 1)
    try player.pointer(.down, 500, 420, at: 10, id: 2)
    try player.pointer(.up, 400, 400, at: 90, id: 1)
    try player.pointer(.up, 500, 420, at: 100, id: 2)
    #expect(
      player.story == ["began doubleTouchToZoomOut 450.0 410.0", "ended doubleTouchToZoomOut, animates"])
    try player.frame(at: 400)
    #expect(try player.camera.zoom == 11 && distance(player.seen(ground), SIMD2(450, 410)) < 0.01)
  }

  @Test func tapsInARowComeToTheirSum() throws {
    var player = Player(GestureTests.flat)
    for time in [0.0, 80, 160, 240] { try player.tap(400, 300, at: time) }
    try player.frame(at: 1000)
    #expect(abs(player.camera.zoom - 14) < 1e-9)
  }

  @Test func slowOrDistantTapsAreSingleOnes() throws {
    for (x, time) in [(440.0, 100.0), (400, 400)] {
      var player = Player(GestureTests.flat)
      try player.tap(400, 300, at: 0)
      try player.tap(x, 300, at: time)
      #expect(player.story.filter { $0.hasPrefix("began singleTap") }.count == 2)
      #expect(player.story.count == 4 && !player.recognizer.isAnimating)
    }
    var player = Player(GestureTests.flat)
    try player.pointer(.down, 400, 300, at: 0)
    try player.pointer(.up, 400, 300, at: 501)
    #expect(player.outputs.isEmpty, "a press that long is no tap")
  }

  @Test func quickZoomIs75PixelsALevel() throws {
    var player = Player(GestureTests.flat)
    try player.tap(600, 200, at: 0)
    try player.drag(from: SIMD2(600, 200), to: SIMD2(610, 350), at: 100, takingMS: 300)
    #expect(player.camera.zoom == 14 && player.camera.center == GestureTests.flat.center)
    #expect(player.story.suffix(2) == ["began quickZoom 600.0 200.0", "ended quickZoom"])
    try player.tap(600, 400, at: 1000)
    try player.drag(from: SIMD2(600, 400), to: SIMD2(600, 175), at: 1100, takingMS: 300)
    #expect(player.camera.zoom == 11)
  }

  // MARK: Mouse and keys

  @Test func theWheelZoomsAroundThePointer() throws {
    var player = Player(GestureTests.tilted)
    let ground = try player.ground(600, 450)
    try player.wheel(600, 450, -100, at: 0)
    try player.frame(at: 100)
    #expect(player.recognizer.isInProgress)
    #expect(try distance(player.seen(ground), SIMD2(600, 450)) < 0.01)
    try player.frame(at: 200)
    // As GL JS: log2(2 / (1 + e^(-100 / 450))).
    #expect(abs(player.camera.zoom - 14.5 - log2(2 / (1 + exp(-100.0 / 450)))) < 1e-9)
    #expect(try distance(player.seen(ground), SIMD2(600, 450)) < 0.01)
    #expect(player.story == ["began wheel 600.0 450.0", "ended wheel"] && !player.recognizer.isInProgress)
    try player.wheel(600, 450, 100, at: 300)
    try player.frame(at: 500)
    #expect(abs(player.camera.zoom - 14.5) < 1e-9)
  }

  @Test func aTrackpadIsFollowedAtOnce() throws {
    var player = Player(GestureTests.flat)
    let ground = try player.ground(200, 150)
    for step in 0..<10 {
      let before = player.camera.zoom
      try player.wheel(200, 150, -5, at: Double(step) * 16, isTrackpad: true)
      #expect(player.camera.zoom > before)
    }
    #expect(try distance(player.seen(ground), SIMD2(200, 150)) < 0.01)
    let zoom = player.camera.zoom
    try player.frame(at: 9 * 16 + 199)
    #expect(player.recognizer.isInProgress)
    try player.frame(at: 9 * 16 + 200)
    #expect(player.camera.zoom == zoom && player.story == ["began wheel 200.0 150.0", "ended wheel"])
  }

  @Test func theSecondButtonRotatesAndPitches() throws {
    for (button, modifiers) in [(.secondary, []), (.primary, .control)]
      as [(GestureInput.Pointer.Button, GestureInput.Modifiers)]
    {
      var player = Player(GestureTests.flat)
      try player.drag(
        from: SIMD2(400, 300), to: SIMD2(450, 240), at: 0, takingMS: 200, .mouse, button, modifiers)
      #expect(abs(player.camera.bearing - 40) < 1e-9 && abs(player.camera.pitch - 30) < 1e-9)
      #expect(player.camera.center == GestureTests.flat.center && player.camera.zoom == 12)
      #expect(
        player.story == [
          "began rotation 400.0 300.0", "began pitch 400.0 300.0", "ended rotation", "ended pitch",
        ])
    }
  }

  @Test func keysZoomPanRotateAndPitch() throws {
    var player = Player(GestureTests.flat)
    try player.key(.plus, at: 0)
    try player.key(.plus, at: 100)
    try player.frame(at: 400)
    #expect(abs(player.camera.zoom - 14) < 1e-9)
    try player.key(.minus, at: 500)
    try player.frame(at: 800)
    #expect(abs(player.camera.zoom - 13) < 1e-9)
    let ground = try player.ground(400, 300)
    try player.key(.right, at: 1000)
    try player.key(.down, at: 1000)
    try player.frame(at: 1300)
    #expect(try distance(player.seen(ground), SIMD2(300, 200)) < 0.01)
    try player.key(.left, at: 2000, .shift)
    try player.frame(at: 2300)
    try player.key(.up, at: 2400, .shift)
    try player.frame(at: 2700)
    #expect(abs(player.camera.bearing + 15) < 1e-9 && abs(player.camera.pitch - 10) < 1e-9)
    let outputs = player.outputs
    try player.key(.plus, at: 3000, .control)
    #expect(player.outputs == outputs, "keys with others belong to the host")
  }

  @Test func theBoxIsShownAsLargeAsItFits() throws {
    var player = Player(GestureTests.flat)
    let (a, b) = (try player.ground(100, 100), try player.ground(300, 200))
    try player.drag(
      from: SIMD2(100, 100), to: SIMD2(300, 200), at: 0, takingMS: 200, .mouse, .primary, .shift)
    #expect(player.story == ["began boxZoom 100.0 100.0", "ended boxZoom, animates"])
    try player.frame(at: 500)
    #expect(player.camera.zoom == 14)
    #expect(
      try distance(try player.seen(a), SIMD2(0, 100)) < 0.01
        && distance(player.seen(b), SIMD2(800, 500)) < 0.01)
  }

  // MARK: Limits and switches

  @Test func zoomStaysWithinItsLimits() throws {
    var player = Player(Camera(center: LonLat(0, 0), zoom: 21.5))
    try player.tap(400, 300, at: 0)
    try player.tap(400, 300, at: 100)
    try player.frame(at: 1000)
    #expect(player.camera.zoom == 22)
    try player.fingers(
      from: (SIMD2(390, 300), SIMD2(410, 300)), to: (SIMD2(100, 300), SIMD2(700, 300)), at: 2000,
      takingMS: 400)
    #expect(player.camera.zoom == 22)
    // One that is past them comes back, but is not moved there.
    player = Player(Camera(center: LonLat(0, 0), zoom: 24))
    try player.wheel(400, 300, -300, at: 0, isTrackpad: true)
    #expect(player.camera.zoom == 24)
    try player.wheel(400, 300, 300, at: 10, isTrackpad: true)
    #expect(player.camera.zoom < 24)
  }

  @Test func theViewStaysWithinTheWorldAndTheBounds() throws {
    var player = Player(Camera(center: LonLat(0, 75), zoom: 3))
    let top = { (player: Player) in try player.seen(Mercator.project(LonLat(0, Mercator.maxLatitude))).y }
    try player.drag(from: SIMD2(400, 20), to: SIMD2(400, 590), at: 0, takingMS: 100)
    #expect(try abs(top(player)) < 1e-6, "the world's edge is the view's")
    for time in stride(from: 100.0, through: 4000, by: 50) {
      try player.frame(at: time)
      #expect(try abs(top(player)) < 1e-6)
    }
    #expect(player.story.last == "ended animating pan")

    player = Player(Camera(center: LonLat(10, 50), zoom: 6))
    player.recognizer.limits.bounds = ViewBounds(west: 5, south: 45, east: 15, north: 55)
    try player.drag(from: SIMD2(400, 300), to: SIMD2(-4000, 5000), at: 0, takingMS: 100)
    try player.frame(at: 9000)
    #expect(abs(player.camera.center.lon - 15) < 1e-9 && abs(player.camera.center.lat - 55) < 1e-9)
    player.camera = Camera(center: LonLat(0, 0), zoom: 1)
    player.recognizer.limits = CameraLimits()
    player.recognizer.limits.mode = .widthAndHeight
    try player.drag(from: SIMD2(750, 300), to: SIMD2(50, 300), at: 10000, takingMS: 100)
    try player.frame(at: 19000)
    #expect(abs(player.camera.center.lon - (0.5 - 400.0 / 1024) * 360) < 1e-9)
    player.recognizer.limits = CameraLimits()
    player.recognizer.limits.bounds = ViewBounds(west: 5, south: 45, east: 15, north: 55)

    // A view that is past the limits already is not pulled back by a finger.
    let far = Camera(center: LonLat(30, 50), zoom: 6)
    player.camera = far
    let ground = try player.ground(400, 300)
    try player.drag(from: SIMD2(400, 300), to: SIMD2(420, 300), at: 20000, takingMS: 100, restMS: 99)
    #expect(try distance(player.seen(ground), SIMD2(420, 300)) < 0.01)
  }

  @Test func eachGestureCanBeSwitchedOff() throws {
    var options = GestureOptions()
    for path in [
      \GestureOptions.panEnabled, \.pinchEnabled, \.rotateEnabled, \.pitchEnabled, \.doubleTapToZoomInEnabled,
      \.doubleTouchToZoomOutEnabled, \.quickZoomEnabled, \.wheelZoomEnabled, \.dragRotateEnabled,
      \.boxZoomEnabled, \.keyboardEnabled,
    ] { options[keyPath: path] = false }
    var camera = GestureTests.flat
    camera.bearing = 20
    for name in Trace.names {
      var player = try Trace(name).play(frames: false)
      #expect(player.camera != camera)
      player = Player(camera)
      try player.recognizer.setOptions(options)
      try player.drag(from: SIMD2(300, 300), to: SIMD2(400, 200), at: 0, takingMS: 100)
      try player.drag(from: SIMD2(300, 300), to: SIMD2(400, 200), at: 1000, takingMS: 100, .mouse, .secondary)
      try player.fingers(from: ring(0), to: ring(60, 180), at: 2000, takingMS: 300)
      try player.lift(at: 2300)
      try player.tap(100, 100, at: 3000)
      try player.tap(100, 100, at: 3100)
      try player.wheel(1, 1, 100, at: 4000)
      try player.key(.plus, at: 5000)
      try player.frame(at: 6000)
      #expect(player.camera == camera && player.story.allSatisfy { $0.contains("singleTap") })
    }
  }
}
