import NeatBase
import NeatCamera
import NeatLoop
import NeatMap
import NeatTestSupport
import Testing

@testable import NeatLive

/// Who waits for a style hears once what became of it.
@Suite struct StyleCompletionTests {
  private static let plain = Array(
    #"{"version": 8, "sources": {}, "layers": [{"id": "b", "type": "background"}]}"#.utf8)

  /// What completions were told, with where in the events.
  private final class Heard {
    var calls: [(name: String, error: NeatError?, eventCount: Int)] = []
    var names: [String] { calls.map(\.name) }
    var codes: [ErrorCode?] { calls.map { $0.error?.code } }
  }

  private func waiting(_ heard: Heard, _ stage: Stage, _ name: String) -> StyleCompletion {
    { [unowned stage] error in heard.calls.append((name, error, stage.events.count)) }
  }

  @Test func aStyleThatLoadsIsToldJustBeforeItsEvent() throws {
    let world = World()
    let stage = try Stage()
    let heard = Heard()
    stage.map.loadStyle(world.url, completion: waiting(heard, stage, "url"))
    #expect(heard.calls.isEmpty)
    stage.run()
    #expect(heard.codes == [nil])
    #expect(stage.events[heard.calls[0].eventCount] == .styleLoaded)
    try stage.map.setStyle(Self.plain, base: "", completion: waiting(heard, stage, "text"))
    stage.run()
    try stage.map.setCamera(Camera(zoom: 3))
    stage.run()
    #expect(heard.names == ["url", "text"] && heard.codes == [nil, nil])
  }

  @Test func whatCannotBeHadIsToldJustBeforeItsError() throws {
    let world = World { $0.path == "/broken.json" ? .status(200, [:], Array("[]".utf8)) : nil }
    let stage = try Stage()
    let heard = Heard()
    for name in ["/none.json", "/broken.json"] {
      stage.map.loadStyle(world.server.url(name), completion: waiting(heard, stage, name))
      stage.run()
      guard case .mapLoadingError = stage.events[heard.calls[heard.calls.count - 1].eventCount] else {
        Issue.record("\(stage.events)")
        return
      }
    }
    #expect(heard.codes == [.notFound, .style])
    #expect(heard.calls[0].error?.resource == world.server.url("/none.json"))
    stage.map.loadStyle("/nowhere/style.json", completion: waiting(heard, stage, "file"))
    stage.run()
    #expect(heard.codes.last == .some(.notFound) && heard.calls.count == 3)
  }

  @Test func aSpriteOrSourceThatFailsIsNoFailedStyle() throws {
    let world = World { $0.path == "/style.json" ? nil : .status(404) }
    let stage = try Stage()
    let heard = Heard()
    stage.map.loadStyle(world.url, completion: waiting(heard, stage, "style"))
    stage.run()
    #expect(heard.codes == [nil] && stage.failures.count >= 2)
  }

  @Test func whatAnotherStyleReplacesIsCancelled() throws {
    let server = TestServer { _ in .silence }
    defer { server.stop() }
    let stage = try Stage()
    let heard = Heard()
    stage.map.loadStyle(server.url("/a"), completion: waiting(heard, stage, "a"))
    for _ in 0..<5 { stage.loop.runNoWait() }
    stage.map.loadStyle(server.url("/b"), completion: waiting(heard, stage, "b"))
    #expect(heard.names == ["a"] && heard.codes == [.cancelled], "within the call that replaces it")
    // A text that is none replaces nothing.
    #expect(throws: NeatError.self) {
      try stage.map.setStyle([], base: "", completion: waiting(heard, stage, "none"))
    }
    #expect(heard.names == ["a"])
    try stage.map.setStyle(Self.plain, base: "", completion: waiting(heard, stage, "c"))
    #expect(heard.names == ["a", "b"])
    stage.run()
    #expect(heard.names == ["a", "b", "c"] && heard.codes == [.cancelled, .cancelled, nil])
    #expect(stage.failures == [])
  }

  @Test func aDestroyedMapCancelsWhoWaits() throws {
    let server = TestServer { _ in .silence }
    defer { server.stop() }
    let stage = try Stage()
    let heard = Heard()
    stage.map.loadStyle(server.url("/a"), completion: waiting(heard, stage, "a"))
    stage.map.destroy()
    stage.map.destroy()
    #expect(heard.codes == [.cancelled])
    stage.map.loadStyle(server.url("/b"), completion: waiting(heard, stage, "b"))
    #expect(heard.names == ["a", "b"] && heard.codes == [.cancelled, .cancelled])
    #expect(throws: NeatError.self) { try stage.map.setStyle(Self.plain, base: "") }
    #expect(!stage.map.isBusy)
  }

  /// Another style set, or the map destroyed, from within each event of the first: each completion is called
  /// once, and the last one set has the last word.
  @Test func handlersMayReplaceTheStyleAtAnyEvent() throws {
    let world = World()
    let whole = try Stage()
    whole.map.loadStyle(world.url)
    whole.run()
    for place in whole.events.indices {
      for destroys in [false, true] {
        let stage = try Stage()
        let heard = Heard()
        stage.handle = { map, _ in
          guard stage.events.count == place + 1 else { return }
          if destroys { return map.destroy() }
          try? map.setStyle(Self.plain, base: "", completion: waiting(heard, stage, "second"))
        }
        stage.map.loadStyle(world.url, completion: waiting(heard, stage, "first"))
        stage.run()
        #expect(heard.names.filter { $0 == "first" }.count == 1, "\(whole.events[place])")
        #expect(heard.names.filter { $0 == "second" }.count == (destroys ? 0 : 1))
        #expect(stage.failures == [])
        if destroys { #expect(stage.events.count == place + 1) } else { #expect(stage.map.isLoaded) }
      }
    }
  }

  /// A completion that sets another style when it is cancelled comes after the style that cancelled it.
  @Test func aCompletionMaySetAnotherStyle() throws {
    let server = TestServer { _ in .silence }
    defer { server.stop() }
    let stage = try Stage()
    let heard = Heard()
    stage.map.loadStyle(server.url("/a")) { [unowned stage] error in
      heard.calls.append(("a", error, 0))
      try? stage.map.setStyle(Self.plain, base: "", completion: waiting(heard, stage, "c"))
    }
    stage.map.loadStyle(server.url("/b"), completion: waiting(heard, stage, "b"))
    #expect(heard.names == ["a", "b"])
    stage.run()
    #expect(heard.names == ["a", "b", "c"] && heard.codes == [.cancelled, .cancelled, nil])
    // At its end, too: the event of the style that it ends does not come.
    stage.events = []
    let world = World()
    stage.map.loadStyle(world.url) { [unowned stage] error in
      heard.calls.append(("d", error, 0))
      stage.events = []
      try? stage.map.setStyle(Self.plain, base: "")
    }
    stage.run()
    #expect(heard.codes.last == .some(nil) && heard.names.last == "d")
    #expect(stage.events.filter { $0 == .styleLoaded }.count == 1)
    #expect(stage.map.isLoaded)
  }
}

/// Maps that try again what fails for reasons that pass.
@Suite struct PatientStyleTests {
  /// The completion hears the first failure; the style comes by itself when its server is there again.
  @Test func aStyleThatIsTriedAgainFailsOnceAndLoadsLater() throws {
    let world = World { request in request.path == "/style.json" && request.earlier < 1 ? .status(503) : nil }
    let stage = try Stage { $0.retryCount = nil }
    var heard: [ErrorCode?] = []
    stage.map.loadStyle(world.url) { heard.append($0?.code) }
    #expect(stage.loop.run(until: { stage.map.isLoaded }))
    #expect(heard == [.network])
    #expect(stage.problems.first?.part == .style)
    let styles = stage.requests.filter { $0.kind == .style }
    #expect(styles.map(\.isFinal) == [false, true] && styles.map { $0.error == nil } == [false, true])
    #expect(stage.events.filter { $0 == .styleLoaded }.count == 1 && stage.map.isLoaded)
  }

  /// A sprite that waits for its server keeps neither the style nor its tiles.
  @Test func aSpriteThatIsTriedAgainKeepsNothing() throws {
    let world = World { request in request.path.hasPrefix("/sprite") ? .status(503) : nil }
    let stage = try Stage { $0.retryCount = nil }
    stage.map.loadStyle(world.url)
    #expect(stage.loop.run(until: { stage.map.isLoaded }))
    #expect(stage.map.isLoaded && world.tileCount == 1)
    #expect(stage.events.contains(.mapIdle))
  }
}
