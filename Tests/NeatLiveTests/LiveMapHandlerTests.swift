import NeatBase
import NeatCamera
import NeatLoop
import NeatMap
import NeatTestSupport
import Testing

@testable import NeatLive

/// Handlers that change what the event was about: another style, no map any more.
@Suite struct LiveMapHandlerTests {
  private static func style(_ color: String, sprite: String? = nil, data: String? = nil) -> [UInt8] {
    let point = #"{"type": "Point", "coordinates": [0, 0]}"#
    return Array(
      """
      {"version": 8, \(sprite.map { "\"sprite\": \"\($0)\"," } ?? "")
       "sources": {"p": {"type": "geojson", "data": \(data.map { "\"\($0)\"" } ?? point)}},
       "layers": [{"id": "b", "type": "background", "paint": {"background-color": "\(color)"}},
                  {"id": "c", "type": "circle", "source": "p"}]}
      """.utf8)
  }

  /// Requests that a new style ends are no failures, whatever they were for.
  @Test func requestsThatAnotherStyleEndsSayNothing() throws {
    let server = TestServer { _ in .silence }
    defer { server.stop() }
    let stage = try Stage()
    stage.map.loadStyle(server.url("/slow.json"))
    for _ in 0..<5 { stage.loop.runNoWait() }
    try stage.map.setStyle(Self.style("red", sprite: server.url("/sprite"), data: server.url("/p")), base: "")
    for _ in 0..<20 { stage.loop.runNoWait() }
    stage.map.loadStyle(server.url("/other.json"))
    for _ in 0..<5 { stage.loop.runNoWait() }
    try stage.map.setStyle(Self.style("blue"), base: "")
    stage.run()
    #expect(stage.failures == [])
    #expect(stage.events.last == .mapIdle && stage.map.isLoaded)
  }

  /// Another style set by the handler of any event of the first one: the second is told whole, in order,
  /// and nothing of the first comes after.
  @Test func aHandlerThatSetsAnotherStyleEndsTheFirst() throws {
    let plain = try Stage()
    try plain.map.setStyle(Self.style("red"), base: "")
    plain.run()
    let whole = plain.events
    #expect(whole.count == 9, "\(whole)")
    for place in whole.indices {
      let stage = try Stage()
      var count = 0
      stage.handle = { map, _ in
        count += 1
        guard count == place + 1 else { return }
        stage.events.removeAll()
        try? map.setStyle(Self.style("blue"), base: "")
      }
      try stage.map.setStyle(Self.style("red"), base: "")
      stage.run()
      #expect(stage.events == [.sourceRemoved("p")] + whole, "set at \(whole[place])")
      #expect(stage.map.isLoaded)
      let bitmap = try stage.map.draw().bitmap
      let pixel = withExtendedLifetime(bitmap) { bitmap.pixels[0] }
      #expect(pixel == 0xffff_0000, "blue, set at \(whole[place])")
    }
  }

  /// A sprite of the second style is waited for, although the turn of the first one had none to wait for.
  @Test func theSecondStylesSpriteIsWaitedFor() throws {
    let stage = try Stage()
    var isSet = false
    stage.handle = { map, event in
      guard case .styleDataLoaded(.sources) = event, !isSet else { return }
      isSet = true
      stage.events.removeAll()
      try? map.setStyle(Self.style("blue", sprite: "data:,none"), base: "")
    }
    try stage.map.setStyle(Self.style("red"), base: "")
    stage.run()
    let parts = stage.events.filter {
      if case .styleDataLoaded = $0 { true } else { $0 == .styleLoaded || $0 == .mapLoaded }
    }
    #expect(
      parts == [
        .styleDataLoaded(.style), .styleDataLoaded(.sprite), .styleDataLoaded(.sources), .styleLoaded,
        .mapLoaded,
      ])
  }

  /// An edit ends requests for a sprite and for glyphs that the style no longer names: nobody waits for them.
  @Test func requestsThatAnEditMakesNeedlessAreEnded() throws {
    let server = TestServer { _ in .silence }
    defer { server.stop() }
    let stage = try Stage()
    let style = """
      {"version": 8, "sprite": "\(server.url("/sprite"))",
       "sources": {"p": {"type": "geojson", "data": {"type": "Point", "coordinates": [0, 0]}}},
       "layers": [{"id": "s", "type": "symbol", "source": "p", "layout": {"text-field": "A"}}]}
      """
    try stage.map.setStyle(Array(style.utf8), base: "")
    #expect(stage.loop.run(until: { stage.map.requests.asked.count == 2 }))
    try stage.map.edit { editor throws(NeatError) in
      try editor.setSprite(nil)
      editor.setGlyphs(server.url("/{fontstack}/{range}"))
    }
    #expect(stage.loop.run(until: { stage.map.requests.asked.map(\.request.kind) == [.glyphs] }))
    try stage.map.edit { editor throws(NeatError) in editor.setGlyphs(nil) }
    #expect(stage.map.requests.asked.isEmpty)
    stage.run()
    #expect(stage.failures == [] && stage.map.isLoaded)
  }

  @Test func aHandlerThatDestroysTheMapHearsNothingMore() throws {
    let plain = try Stage()
    try plain.map.setStyle(Self.style("red"), base: "")
    plain.run()
    for place in plain.events.indices {
      let stage = try Stage()
      stage.handle = { map, _ in if stage.events.count == place + 1 { map.destroy() } }
      try stage.map.setStyle(Self.style("red"), base: "")
      stage.run()
      for _ in 0..<50 { stage.loop.runNoWait() }
      #expect(stage.events.count == place + 1)
      #expect(!stage.map.isBusy)
    }
  }

  /// What was asked for a source that was removed is dropped when it comes, also by one of the same name.
  @Test func lateAnswersDoNotReachALaterSource() throws {
    let point = #"{"type": "Point", "coordinates": [0, 0]}"#
    let server = TestServer { request in
      request.path == "/late"
        ? .late(ms: 300, status: 200, Array(point.utf8)) : .status(200, [:], Array(point.utf8))
    }
    defer { server.stop() }
    let stage = try Stage()
    try stage.map.setStyle(Self.style("red", data: server.url("/late")), base: "")
    #expect(stage.loop.run(until: { server.count("/late") > 0 }))
    stage.events.removeAll()
    try stage.map.edit { editor throws(NeatError) in
      try editor.removeLayer("c")
      try editor.removeSource("p")
    }
    let rest = Deadline.after(ms: 600)
    while !rest.isOver { stage.loop.runNoWait() }
    stage.run()
    #expect(!stage.events.contains(.sourceDataLoaded("p", tile: nil)))
    #expect(stage.failures == [] && stage.events.last == .mapIdle)
  }
}
