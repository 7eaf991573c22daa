import NeatBase
import NeatTestSupport
import Testing

@testable import NeatCamera

/// Input that is wrong: it is refused with words or ignored, and nothing stays stuck.
@Suite struct GestureInputTests {
  private let wrong = [Double.nan, .infinity, -.infinity, 1e300, -1e300]

  @Test func numbersThatAreNoneAreRefused() throws {
    var player = Player(GestureTests.flat)
    try player.pointer(.down, 100, 100, at: 0)
    for value in wrong {
      let attempts: [(String, (inout Player) throws -> Void)] = [
        ("x", { try $0.pointer(.move, value, 0, at: 1) }), ("y", { try $0.pointer(.move, 0, value, at: 1) }),
        ("time", { try $0.pointer(.move, 0, 0, at: value) }), ("x", { try $0.wheel(value, 0, 1, at: 1) }),
        ("wheel delta", { try $0.wheel(0, 0, value, at: 1) }), ("time", { try $0.wheel(0, 0, 1, at: value) }),
        ("time", { try $0.key(.plus, at: value) }), ("time", { try $0.frame(at: value) }),
      ]
      for (name, attempt) in attempts {
        let error = #expect(throws: NeatError.self) { try attempt(&player) }
        #expect(error?.code == .invalidArgument && error?.message.hasPrefix("gesture: \(name) ") == true)
      }
    }
    #expect(player.outputs.isEmpty)
    try player.pointer(.move, 120, 100, at: 10)
    #expect(player.recognizer.isInProgress, "what was refused changed nothing")
  }

  @Test func optionsOutOfTheirRangeAreRefusedByName() {
    let changes: [(String, (inout GestureOptions, Double) -> Void)] = [
      ("panDecelerationFactor", { $0.panDecelerationFactor = $1 }),
      ("zoomAnimationAmount", { $0.zoomAnimationAmount = $1 }), ("wheelZoomRate", { $0.wheelZoomRate = $1 }),
      ("trackpadZoomRate", { $0.trackpadZoomRate = $1 }), ("focalPoint", { $0.focalPoint = SIMD2(0, $1) }),
    ]
    for (name, change) in changes {
      for value in wrong {
        var options = GestureOptions()
        change(&options, value)
        var recognizer = GestureRecognizer()
        let error = #expect(throws: NeatError.self) { try recognizer.setOptions(options) }
        #expect(error?.code == .invalidArgument && error?.message.contains(name) == true)
        #expect(recognizer.options == GestureOptions())
      }
    }
    var options = GestureOptions()
    options.panDecelerationFactor = 1
    #expect(throws: NeatError.self, "a glide without an end") { try options.checked() }
  }

  @Test func endsAndMovesWithoutABeginningAreIgnored() throws {
    var player = Player(GestureTests.flat)
    for phase in [GestureInput.Pointer.Phase.move, .up, .cancel] {
      try player.pointer(phase, 5, 5, at: 1, id: 9)
    }
    #expect(player.outputs.isEmpty)
    try player.drag(from: SIMD2(300, 300), to: SIMD2(340, 300), at: 10, takingMS: 50, restMS: 90)
    #expect(player.story == ["began pan 300.0 300.0", "ended pan"])
    try player.pointer(.up, 340, 300, at: 150)
    #expect(player.story.count == 2)
  }

  @Test func aPointerThatGoesDownTwiceBeginsAnew() throws {
    var player = Player(GestureTests.flat)
    try player.pointer(.down, 100, 100, at: 0)
    try player.pointer(.move, 150, 100, at: 10)
    try player.pointer(.down, 300, 300, at: 20)
    #expect(player.story == ["began pan 100.0 100.0", "ended pan"])
    #expect(player.recognizer.pointers.count == 1)
    try player.pointer(.up, 300, 300, at: 50)
    #expect(player.story.last == "ended singleTap")
  }

  @Test func pointersThatNeverEndAreGivenUpAtTheLimit() throws {
    var player = Player(GestureTests.flat)
    for id in 1...10 as ClosedRange<Int64> { try player.pointer(.down, 10 * Double(id), 10, at: 0, id: id) }
    let error = #expect(throws: NeatError.self) { try player.pointer(.down, 5, 5, at: 1, id: 11) }
    #expect(error?.code == .limitExceeded && error?.message.contains("pointer 11") == true)
    #expect(player.recognizer.pointers.isEmpty && !player.recognizer.isInProgress)
    try player.drag(from: SIMD2(300, 300), to: SIMD2(340, 300), at: 10, takingMS: 50, restMS: 90)
    #expect(player.story == ["began pan 300.0 300.0", "ended pan"])
  }

  @Test func aTimeThatIsALittleEarlierIsTheLatest() throws {
    var player = Player(GestureTests.flat)
    try player.pointer(.down, 300, 300, at: 5000)
    try player.pointer(.move, 340, 300, at: 5050)
    try player.pointer(.move, 360, 300, at: 5020)
    #expect(player.recognizer.isInProgress && player.recognizer.timeMS == 5050)
  }

  @Test func anotherClockBeginsAnew() throws {
    var player = Player(GestureTests.flat)
    try player.pointer(.down, 300, 300, at: 9e14)
    try player.pointer(.move, 340, 300, at: 9e14 + 10)
    try player.frame(at: 50)
    #expect(player.story == ["began pan 300.0 300.0", "ended pan"] && player.recognizer.pointers.isEmpty)
    try player.tap(300, 300, at: 60)
    try player.tap(300, 300, at: 160)
    try player.frame(at: 600)
    #expect(abs(player.camera.zoom - 13) < 1e-9)
  }

  @Test func aCancelEndsAllThatIsUnderWay() throws {
    var player = Player(GestureTests.flat)
    try player.pointer(.down, 300, 300, at: 0)
    try player.pointer(.move, 340, 300, at: 10)
    #expect(player.recognizer.cancel() == [.ended(.pan, willAnimate: false)])
    #expect(!player.recognizer.isInProgress && player.recognizer.pointers.isEmpty)
    try player.drag(from: SIMD2(300, 300), to: SIMD2(400, 300), at: 100, takingMS: 50)
    #expect(player.recognizer.cancel() == [.endedAnimating(.pan)])
    #expect(!player.recognizer.isAnimating)
  }

  /// Whatever comes, cameras stay within their range, beginnings and ends pair, and a gesture can be made after.
  @Test func anyEventsInAnyOrderDoNoHarm() throws {
    let rounds = getenv("NEATLINE_FUZZ_ROUNDS").flatMap { Int(String(cString: $0)) } ?? 150
    for round in 0..<rounds {
      var numbers = SplitMix(seed: UInt64(round))
      var player = try randomPlayer(&numbers)
      var time = 0.0
      for _ in 0..<200 {
        time += Bool.random(using: &numbers) ? .random(in: 0...40, using: &numbers) : 0
        try? throwOne(&player, time, &numbers)
        _ = try player.camera.checked()
      }
      checkPairs(player.outputs, round)
      player.outputs = player.recognizer.cancel()
      #expect(!player.recognizer.isInProgress && !player.recognizer.isAnimating)
      player.camera = GestureTests.flat
      try player.recognizer.setOptions(GestureOptions())
      try player.drag(from: SIMD2(300, 300), to: SIMD2(400, 300), at: time + 1e6, takingMS: 50, restMS: 99)
      #expect(player.story.suffix(2) == ["began pan 300.0 300.0", "ended pan"])
    }
  }

  private func randomPlayer(_ numbers: inout SplitMix) throws -> Player {
    func any(_ range: ClosedRange<Double>) -> Double { .random(in: range, using: &numbers) }
    var camera = Camera(
      center: LonLat(any(-400...400), any(-90...90)), zoom: any(-2...25.5), bearing: any(-400...400),
      pitch: any(0...85), roll: any(-60...60))
    camera.padding.top = any(0...700)
    camera.padding.left = any(0...900)
    var player = Player(camera, ViewSize(width: Int.random(in: 1...900, using: &numbers), height: 500))
    var options = GestureOptions()
    options.panDecelerationFactor = any(0...0.9999)
    options.simultaneousRotateAndPinchZoomEnabled = Bool.random(using: &numbers)
    if Bool.random(using: &numbers) { options.focalPoint = SIMD2(any(-1e5...1e5), any(-1e5...1e5)) }
    options.panMode = GestureOptions.PanMode.allCases.randomElement(using: &numbers) ?? .vertical
    try player.recognizer.setOptions(options)
    return player
  }

  private func throwOne(_ player: inout Player, _ time: Double, _ numbers: inout SplitMix) throws {
    let odd = [Double.nan, .infinity, 1e5, -1e5, 0]
    func any(_ range: ClosedRange<Double>) -> Double {
      Int.random(in: 0..<40, using: &numbers) == 0
        ? odd.randomElement(using: &numbers) ?? 0 : .random(in: range, using: &numbers)
    }
    let time = Int.random(in: 0..<50, using: &numbers) == 0 ? any(-1e4...1e4) : time
    let modifiers = GestureInput.Modifiers(rawValue: UInt32.random(in: 0...40, using: &numbers) & 15)
    switch Int.random(in: 0..<20, using: &numbers) {
    case 0:
      try player.wheel(
        any(-50...900), any(-50...900), any(-500...500), at: time, isTrackpad: Bool.random(using: &numbers))
    case 1:
      try player.key(
        GestureInput.Key(rawValue: UInt32.random(in: 0...5, using: &numbers)) ?? .up, at: time, modifiers)
    case 2: try player.frame(at: time)
    case 3: player.camera = try randomPlayer(&numbers).camera
    default:
      let phases: [GestureInput.Pointer.Phase] = [.down, .move, .move, .move, .move, .up, .cancel]
      try player.pointer(
        phases.randomElement(using: &numbers) ?? .move, any(-50...900), any(-50...900), at: time,
        id: Int64.random(in: 0...3, using: &numbers) + (numbers.next() % 9 == 0 ? 20 : 0),
        Bool.random(using: &numbers) ? .touch : .mouse,
        GestureInput.Pointer.Button(rawValue: UInt32.random(in: 0...6, using: &numbers) % 3) ?? .primary,
        numbers.next() % 4 == 0 ? modifiers : [])
    }
  }

  private func checkPairs(_ outputs: [GestureOutput], _ round: Int) {
    var open: Set<GestureKind> = []
    var animating: Set<GestureKind> = []
    for output in outputs {
      switch output {
      case .began(let kind, _): #expect(open.insert(kind).inserted, "round \(round): \(kind) begins twice")
      case .ended(let kind, let willAnimate):
        #expect(open.remove(kind) != nil, "round \(round): \(kind) ends without a beginning")
        if willAnimate { animating.insert(kind) }
      case .endedAnimating(let kind):
        #expect(animating.remove(kind) != nil, "round \(round): \(kind) ends animating twice")
      case .camera: break
      }
      #expect(animating.count <= 1)
    }
  }
}
