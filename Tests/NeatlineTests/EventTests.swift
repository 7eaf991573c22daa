import NeatTestSupport
import Neatline
import Testing

/// Events through the Swift module: who listens, what they carry, sequences of them.
struct EventTests {
  private static let plain = #"{"version": 8, "sources": {}, "layers": [{"id": "b", "type": "background"}]}"#

  private func map() throws -> Map { try Map(loop: EventLoop(), width: 32, height: 32) }

  private func moved(_ map: Map, _ zoom: Double) throws {
    var camera = try map.camera
    camera.zoom = zoom
    try map.setCamera(camera)
  }

  // MARK: Listeners

  @Test func onNextIsCalledOnceAlsoWhereItCausesTheSame() throws {
    let map = try map()
    var (first, second) = (0, 0)
    map.onNext(.cameraChanged) { [unowned map] _ in
      first += 1
      if first < 10 { try? moved(map, 2) }
    }
    map.onNext(.cameraChanged) { _ in second += 1 }
    try moved(map, 1)
    #expect(first == 1 && second == 1)
    try moved(map, 3)
    #expect(first == 1 && second == 1)
  }

  @Test func cancellingHoldsForTheSameEvent() throws {
    let map = try map()
    var heard: [String] = []
    var later: (any Cancelable)?
    var own: (any Cancelable)?
    own = map.onEvery(.cameraChanged) { _ in
      heard.append("a")
      later?.cancel()
      own?.cancel()
      own?.cancel()
    }
    later = map.onEvery(.cameraChanged) { _ in heard.append("b") }
    map.onEvery(.cameraChanged) { _ in heard.append("c") }
    try moved(map, 1)
    try moved(map, 2)
    #expect(heard == ["a", "c", "c"])
    let never = map.onNext(.cameraChanged) { _ in heard.append("never") }
    never.cancel()
    try moved(map, 3)
    #expect(heard.last == "c")
  }

  @Test func whoBeginsToListenWithinAnEventHearsTheNext() throws {
    let map = try map()
    var heard = 0
    map.onNext(.cameraChanged) { [unowned map] _ in map.onEvery(.cameraChanged) { _ in heard += 1 } }
    try moved(map, 1)
    #expect(heard == 0)
    try moved(map, 2)
    #expect(heard == 1)
  }

  @Test func aHandlerMayLetGoOfTheMap() throws {
    let loop = try EventLoop()
    var map: Map? = try Map(loop: loop, width: 8, height: 8)
    var count = 0
    map?.onEvery { _ in
      count += 1
      map = nil
    }
    try map?.setStyle(json: Self.plain)
    loop.run(timeout: 1000)
    #expect(count == 1 && map == nil)
  }

  // MARK: What they carry

  /// As the documents of version 10 of the mobile SDKs read events.
  @Test func dataIsADictionary() throws {
    let server = TestServer { _ in .status(404) }
    defer { server.stop() }
    let map = try map()
    var types: [String] = []
    var kinds: [String] = []
    var error: [String: Any]?
    var request: [String: Any]?
    map.onEvery(.styleDataLoaded) { (event) in
      guard let data = event.data as? [String: Any], let type = data["type"] else { return }
      types.append("\(type)")
      kinds.append(event.type)
    }
    map.onNext(.mapLoadingError) { event in error = event.data as? [String: Any] }
    map.onNext(.resourceRequest) { event in request = event.data as? [String: Any] }
    var frame: [String: Any]?
    map.onEvery(.renderFrameFinished) { event in frame = event.data as? [String: Any] }
    let source = #""s":{"type":"vector","url":"\#(server.url("/s.json"))"}"#
    let layer = #"{"id":"f","type":"fill","source":"s","source-layer":"l"}"#
    try map.setStyle(json: #"{"version":8,"sources":{\#(source)},"layers":[\#(layer)]}"#)
    map.loop.run(timeout: 10_000)
    #expect(types == ["style", "sources"] && kinds == ["style-data-loaded", "style-data-loaded"])
    #expect(error?["type"] as? String == "source" && error?["source-id"] as? String == "s")
    #expect((error?["message"] as? String)?.contains("/s.json") == true)
    #expect(error?["tile-id"] == nil)
    let began = try #require(request?["begin"] as? Int64)
    #expect(began > 1_600_000_000_000_000 && began <= request?["end"] as? Int64 ?? 0)
    let asked = request?["request"] as? [String: Any]
    #expect(asked?["url"] as? String == server.url("/s.json") && asked?["kind"] as? String == "source")
    #expect(asked?["loading-method"] as? [String] == ["cache", "network"])
    let failure = (request?["response"] as? [String: Any])?["error"] as? [String: Any]
    #expect(failure?["reason"] as? String == "not-found" && request?["cancelled"] as? Bool == false)
    #expect(frame?["render-mode"] as? String == "full" && frame?["needs-repaint"] as? Bool == false)
  }

  @Test func typedListenersGetWhatTheirEventsCarry() throws {
    let map = try map()
    var parts: [MapEvent.StyleData] = []
    var sources: [String] = []
    var frames: [RenderedFrame] = []
    var isIdle = false
    map.onEvery(event: .styleDataLoaded) { parts.append($0.payload) }
    map.onNext(event: .sourceAdded) { sources.append($0.payload) }
    map.onEvery(event: .renderFrameFinished) { event in
      #expect(event.begin <= event.end)
      frames.append(event.payload)
    }
    map.onNext(event: .mapIdle) { _ in isIdle = true }
    let source = #""p":{"type":"geojson","data":{"type":"Point","coordinates":[0,0]}}"#
    try map.setStyle(json: #"{"version":8,"sources":{\#(source)},"layers":[]}"#)
    map.loop.run(timeout: 10_000)
    #expect(parts == [.style, .sources] && sources == ["p"] && isIdle)
    #expect(frames.count == 1 && frames[0].isComplete)
    #expect(frames[0].needsRepaint == false && frames[0].isPlacementChanged == false)
  }

  // MARK: Completions

  private enum Outcome: Equatable {
    case loaded(String)
    case failed(NeatlineError.Status)

    init(_ result: Result<Style, any Error>) {
      switch result {
      case .success(let style): self = .loaded(style.uri?.rawValue ?? "text")
      case .failure(let error): self = .failed((error as? NeatlineError)?.status ?? .unknown)
      }
    }
  }

  @Test func completionsAreCalledOnce() throws {
    let folder = WorkFolder()
    let path = folder.write("style.json", Array(Self.plain.utf8))
    let map = try map()
    var heard: [Outcome] = []
    map.loadStyleURI(StyleURI(rawValue: path)) { heard.append(Outcome($0)) }
    map.loadStyleURI("/nowhere/style.json") { heard.append(Outcome($0)) }
    #expect(heard == [.failed(.cancelled)])
    map.loop.run(timeout: 10_000)
    #expect(heard == [.failed(.cancelled), .failed(.notFound)])
    heard = []
    map.loadStyleURI(StyleURI(rawValue: path)) { heard.append(Outcome($0)) }
    map.loadStyleJSON("no style") { heard.append(Outcome($0)) }
    #expect(heard == [.failed(.json)], "at once; what is loading goes on")
    map.loop.run(timeout: 10_000)
    #expect(heard == [.failed(.json), .loaded(path)])
    map.loadStyleJSON(Self.plain)
    map.loadStyleJSON(Self.plain) { heard.append(Outcome($0)) }
    map.loop.run(timeout: 10_000)
    #expect(heard.suffix(1) == [.loaded("text")] && heard.count == 3)
  }

  @Test func theEndOfAMapCancels() throws {
    let loop = try EventLoop()
    var map: Map? = try Map(loop: loop, width: 8, height: 8)
    var heard: [Outcome] = []
    map?.loadStyleURI("/nowhere/style.json") { heard.append(Outcome($0)) }
    map = nil
    #expect(heard == [.failed(.cancelled)])
    loop.run(timeout: 100)
    #expect(heard.count == 1)
  }

  // MARK: Concurrency

  /// Runs a loop in turns with other tasks of the actor.
  @MainActor private func run(_ loop: EventLoop, until isOver: () -> Bool) async {
    // Long enough for a machine where all tests run at once: who waits would wait for ever after it.
    let end = ContinuousClock.now + .seconds(600)
    while !isOver(), ContinuousClock.now < end {
      loop.poll()
      await Task.yield()
    }
  }

  @Test @MainActor func aSequenceGivesEventsAndEndsWithTheMap() async throws {
    let loop = try EventLoop()
    var map: Map? = try Map(loop: loop, width: 8, height: 8)
    let events = try #require(map).events(.styleDataLoaded, .mapIdle)
    let task = Task { @MainActor in
      var heard: [String] = []
      for await event in events { heard.append(event.type) }
      return heard
    }
    try map?.setStyle(json: Self.plain)
    await run(loop) { map?.isLoaded == true }
    map = nil
    #expect(await task.value == ["style-data-loaded", "style-data-loaded", "map-idle"])
  }

  @Test @MainActor func aSequenceThatNobodyReadsAnyMoreEnds() async throws {
    let map = try map()
    do {
      let events = map.events(.cameraChanged)
      try moved(map, 1)
      for await event in events {
        #expect(event.kind == .cameraChanged)
        break
      }
    }
    // Its listener goes with the next event.
    try moved(map, 2)
    try moved(map, 3)
    #expect(try map.camera.zoom == 3)
  }

  @Test @MainActor func stylesAreAwaited() async throws {
    let map = try map()
    let loop = map.loop
    var isOver = false
    let runner = Task { @MainActor in await run(loop) { isOver } }
    let style = try await map.loadStyleJSON(Self.plain)
    #expect(style.isLoaded)
    var failures: [NeatlineError.Status?] = []
    do { try await map.loadStyleURI("/nowhere/style.json") } catch {
      failures.append((error as? NeatlineError)?.status)
    }
    do { try await map.loadStyleJSON("[]") } catch { failures.append((error as? NeatlineError)?.status) }
    #expect(failures == [.notFound, .style])
    isOver = true
    await runner.value
  }

  // MARK: Memory, log

  @Test func memoryIsGivenBackAndThePictureStays() throws {
    let map = try map()
    try map.setStyle(json: Self.plain)
    map.loop.run(timeout: 10_000)
    let before = try map.draw().withPixels { Array($0) }
    map.reduceMemoryUse()
    #expect(try map.draw().withPixels { Array($0) } == before)
    let renderer = try Renderer(json: Self.plain)
    let first = try renderer.draw(width: 16, height: 16).withPixels { Array($0) }
    renderer.reduceMemoryUse()
    #expect(try renderer.draw(width: 16, height: 16).withPixels { Array($0) } == first)
  }
}
