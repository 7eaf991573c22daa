import NeatBase
import NeatCamera
import NeatLoop
import NeatMap
import NeatTestSupport
import Testing

@testable import NeatLive

/// What events say, and in which order they come.
@Suite struct LiveMapEventTests {
  private func style(_ text: String) -> [UInt8] { Array(text.utf8) }

  /// The sprite comes last of all: tiles wait for it all the same, as they wait for `styleLoaded`.
  @Test func theEventsOfAStyleByAddressComeInOrder() throws {
    let world = World { request in
      request.path == "/sprite.png" ? .late(ms: 150, status: 200, World.pixel) : nil
    }
    let stage = try Stage()
    var tilesBefore = -1
    stage.handle = { _, event in
      if event == .styleLoaded { tilesBefore = world.tileCount }
    }
    stage.map.loadStyle(world.url)
    stage.run()
    #expect(tilesBefore == 0, "tiles are asked for after styleLoaded")
    #expect(world.tileCount == 1)
    var order = stage.life
    // Frames on the way show what is there.
    order.removeAll {
      if case .renderFrameFinished(isComplete: false, _, _) = $0 { true } else { false }
    }
    let started = order.filter { $0 == .renderFrameStarted }.count
    #expect(started >= 1)
    order.removeAll { $0 == .renderFrameStarted }
    #expect(
      order == [
        .styleDataLoaded(.style), .sourceAdded("s"), .sourceDataLoaded("s", tile: nil),
        .styleDataLoaded(.sprite), .styleDataLoaded(.sources), .styleLoaded,
        .sourceDataLoaded("s", tile: TileID(z: 0, x: 0, y: 0)), .renderFrameFinished(isComplete: true),
        .mapLoaded, .mapIdle,
      ])
  }

  @Test func requestsAreToldWhenTheyHaveEnded() throws {
    let world = World()
    let stage = try Stage()
    let before = SystemClock.microseconds
    stage.map.loadStyle(world.url)
    #expect(stage.events == [], "it has not ended")
    stage.run()
    let after = SystemClock.microseconds
    #expect(stage.requests.map(\.kind).first == .style)
    #expect(Set(stage.requests.map(\.kind)) == [.style, .spriteJSON, .spriteImage, .source, .tile])
    #expect(stage.requests.count == 5)
    let tile = try #require(stage.requests.first { $0.kind == .tile })
    #expect(tile.source == "s" && tile.tile == TileID(z: 0, x: 0, y: 0))
    #expect(tile.facts.byteCount == World.tile.count && tile.facts.priority == .view)
    #expect(tile.facts.usage == .cacheAndNetwork && tile.isFinal && !tile.isCancelled && tile.error == nil)
    for (event, time) in zip(stage.events, stage.times) {
      #expect(before <= time.began && time.began <= time.ended && time.ended <= after, "\(event)")
      if case .resourceRequest(let report) = event {
        #expect(report.facts.beganAt == time.began && report.facts.endedAt == time.ended)
      }
    }
    // What took time says since when.
    let place = try #require(stage.events.firstIndex(of: .styleLoaded))
    #expect(stage.times[place].began < stage.times[place].ended)
  }

  @Test func cancelledRequestsAreToldToBeCancelled() throws {
    let world = World { $0.path.hasPrefix("/source.json") ? .silence : nil }
    let stage = try Stage()
    stage.map.loadStyle(world.url)
    #expect(stage.loop.run(until: { world.server.count("/source.json") > 0 }))
    try stage.map.edit { editor throws(NeatError) in
      try editor.removeLayer("fill")
      try editor.removeSource("s")
    }
    let report = try #require(stage.requests.last)
    #expect(report.isCancelled && report.kind == .source && report.source == "s")
    stage.run()
    #expect(stage.failures == [] && stage.events.last == .mapIdle)
  }

  /// A handler of a cancelled request may set another style, in the middle of an edit.
  @Test func aHandlerOfACancelledRequestMaySetAnotherStyle() throws {
    let world = World { $0.path.hasPrefix("/source.json") ? .silence : nil }
    let stage = try Stage()
    stage.map.loadStyle(world.url)
    #expect(stage.loop.run(until: { world.server.count("/source.json") > 0 }))
    stage.handle = { map, event in
      guard case .resourceRequest(let report) = event, report.isCancelled else { return }
      stage.events = []
      try? map.setStyle(Array(#"{"version": 8, "sources": {}, "layers": []}"#.utf8), base: "")
    }
    try stage.map.edit { editor throws(NeatError) in
      try editor.removeLayer("fill")
      try editor.removeSource("s")
    }
    stage.run()
    #expect(!stage.events.contains(.sourceAdded("s")))
    #expect(stage.events.last == .mapIdle && stage.map.isLoaded)
  }

  // MARK: Errors

  @Test func errorsNameWhatLacksWhat() throws {
    let world = World { request in
      if request.path.hasPrefix("/tiles/") { return .status(200, [:], [0x1A, 0xFF]) }
      return request.path.hasPrefix("/sprite") ? .status(404) : nil
    }
    let stage = try Stage()
    stage.map.loadStyle(world.url)
    stage.run()
    let sprite = try #require(stage.problems.first { $0.part == .sprite })
    #expect(sprite.code == .notFound && sprite.source == nil && sprite.tile == nil)
    #expect(sprite.resource == world.server.url("/sprite.json") || sprite.resource.hasSuffix("/sprite.png"))
    let tile = try #require(stage.problems.first { $0.part == .tile })
    #expect(tile.code == .tile && tile.source == "s" && tile.tile == TileID(z: 0, x: 0, y: 0))
    #expect(stage.map.isLoaded, "the map goes on without them")
  }

  @Test func aSourceAndGlyphsThatCannotBeHadAreNamed() throws {
    let world = World { request in
      request.path.hasPrefix("/source.json") || request.path.hasPrefix("/fonts") ? .status(500) : nil
    }
    let stage = try Stage()
    let text = """
      {"version": 8, "glyphs": "\(world.server.url("/fonts/{fontstack}/{range}"))",
       "sources": {"s": {"type": "vector", "url": "\(world.server.url("/source.json"))"},
                   "p": {"type": "geojson", "data": {"type": "Point", "coordinates": [0, 0]}}},
       "layers": [{"id": "f", "type": "fill", "source": "s", "source-layer": "l"},
                  {"id": "t", "type": "symbol", "source": "p", "layout": {"text-field": "A"}}]}
      """
    try stage.map.setStyle(style(text), base: "")
    stage.run()
    let source = try #require(stage.problems.first { $0.part == .source })
    #expect(source.source == "s" && source.tile == nil && source.code == .network)
    let glyphs = try #require(stage.problems.first { $0.part == .glyphs })
    #expect(glyphs.source == nil && glyphs.resource.contains("/0-255"))
    #expect(stage.requests.filter { $0.error != nil }.count >= 2)
  }

  @Test func aStyleThatIsNoneIsAnErrorOfTheStyle() throws {
    let world = World { $0.path == "/style.json" ? .status(200, [:], Array("{\"version\": 8, ".utf8)) : nil }
    let stage = try Stage()
    stage.map.loadStyle(world.url)
    stage.run()
    #expect(stage.problems.count == 1)
    #expect(stage.problems.first?.part == .style && stage.problems.first?.code == .json)
    #expect(stage.problems.first?.resource == world.url)
  }

  // MARK: Credentials

  @Test func noEventShowsCredentials() throws {
    let host = Locked("")
    let world = World { request in
      let host = host.withLock { $0 }
      switch request.path.prefix(while: { $0 != "?" }) {
      case "/style.json":
        let text = World.style("http://u:pass@\(host)").replacing(
          "sprite\",", by: "sprite?access_token=s3cret\","
        )
        .replacing("source.json", by: "source.json?a=1&api_key=s3cret")
        return .status(200, [:], Array(text.utf8))
      case "/source.json":
        let tiles = "http://u:pass@\(host)/tiles/{z}/{x}/{y}?key=s3cret"
        return .status(200, [:], Array("{\"tiles\": [\"\(tiles)\"]}".utf8))
      default: return request.path.hasPrefix("/tiles") ? .status(200, [:], [0x1A, 0xFF]) : .status(404)
      }
    }
    host.withLock { $0 = "127.0.0.1:\(world.server.port)" }
    let stage = try Stage()
    var ended: NeatError?
    stage.map.loadStyle("http://u:pass@127.0.0.1:\(world.server.port)/style.json?token=s3cret")
    stage.run()
    stage.map.loadStyle("http://u:pass@127.0.0.1:\(world.server.port)/none.json?token=s3cret&b=2") {
      ended = $0
    }
    stage.run()
    #expect(world.tileCount > 0 && stage.problems.count >= 3 && stage.requests.count >= 5)
    for event in stage.events {
      #expect(!"\(event)".contains("s3cret") && !"\(event)".contains("pass"), "\(event)")
    }
    #expect(ended.map { "\($0)".contains("s3cret") || "\($0)".contains("pass") } == false)
    #expect(stage.requests.contains { $0.url.hasSuffix("/source.json?a=1") })
    #expect(stage.problems.last?.resource == "http://127.0.0.1:\(world.server.port)/none.json?b=2")
  }

  // MARK: View

  @Test func aChangedSizeIsAChangedCamera() throws {
    let stage = try Stage()
    try stage.map.setSize(ViewSize(width: 100, height: 50))
    #expect(stage.events == [.cameraChanged], "within the call")
    try stage.map.setSize(ViewSize(width: 100, height: 50))
    #expect(stage.events == [.cameraChanged], "nothing changed")
    try stage.map.setCamera(Camera(zoom: 2))
    #expect(stage.events == [.cameraChanged, .cameraChanged])
    #expect(throws: NeatError.self) { try stage.map.setSize(ViewSize(width: 0, height: 50)) }
    #expect(stage.events.count == 2)
  }

  /// Labels that come, stay and go.
  @Test func framesSayWhetherOtherLabelsStand() throws {
    let stage = try Stage()
    let text = """
      {"version": 8, "sources": {"p": {"type": "geojson", "data": {"type": "Point", "coordinates": [0, 0]}}},
       "layers": [{"id": "b", "type": "background"},
                  {"id": "i", "type": "symbol", "source": "p", "layout": {"icon-image": "dot"}}]}
      """
    try stage.map.setStyle(style(text), base: "")
    stage.run()
    func changes() -> [Bool] {
      defer { stage.events = [] }
      return stage.events.compactMap {
        if case .renderFrameFinished(_, _, let isChanged) = $0 { isChanged } else { nil }
      }
    }
    #expect(changes().allSatisfy { !$0 }, "there is no such image")
    try stage.map.addImage(
      "dot", PixelImage(width: 1, height: 1, pixels: [255, 0, 0, 255], isPremultiplied: true),
      StyleImageOptions())
    stage.run()
    #expect(changes() == [true])
    try stage.map.setCamera(Camera(zoom: 0.1))
    stage.run()
    #expect(changes() == [false], "the same label stands")
    try stage.map.removeImage("dot")
    stage.run()
    #expect(changes() == [true])
  }

  @Test func framesOnTheWaySayThatAnotherIsDue() throws {
    let stage = try Stage()
    try stage.map.setStyle(style(#"{"version": 8, "sources": {}, "layers": []}"#), base: "")
    stage.run()
    stage.events = []
    try stage.map.ease(to: CameraChange(to: Camera(zoom: 1)), durationMS: 60)
    stage.run()
    let due = stage.events.compactMap {
      if case .renderFrameFinished(_, let isDue, _) = $0 { isDue } else { nil }
    }
    #expect(due.count >= 2 && due.dropLast().allSatisfy { $0 } && due.last == false)
  }

  /// The frame of `renderFrameFinished` is the picture that a map without events draws.
  @Test func theFrameOfATurnIsWhatIsDrawn() throws {
    func pixels(_ picture: Picture) -> [UInt32] {
      let bitmap = picture.bitmap
      return withExtendedLifetime(bitmap) { (0..<bitmap.width * bitmap.height).map { bitmap.pixels[$0] } }
    }
    let world = World()
    let stage = try Stage()
    var inHandler: [UInt32] = []
    stage.handle = { map, event in
      guard case .renderFrameFinished(let isComplete, _, _) = event else { return }
      #expect(map.frame != nil || !isComplete, "a host that never drew has whole frames only")
      if let picture = try? map.draw() { inHandler = pixels(picture) }
    }
    stage.map.loadStyle(world.url)
    stage.run()
    let ready = try stage.map.draw()
    #expect(stage.map.frame != nil)
    stage.map.frame = nil
    #expect(pixels(try stage.map.draw()) == pixels(ready))
    #expect(pixels(ready) == inHandler)
    #expect(inHandler[32 * 64 + 32] == 0xFF00_00FF)
    // For a GPU from then on.
    stage.handle = nil
    _ = try stage.map.meshFrame()
    try stage.map.setCamera(Camera(zoom: 0.5))
    stage.run()
    let meshes = try stage.map.meshFrame()
    guard case .meshes(let kept)? = stage.map.frame else {
      Issue.record("no frame for a GPU")
      return
    }
    #expect(meshes.commands.count == kept.commands.count && meshes.isComplete)
  }
}
