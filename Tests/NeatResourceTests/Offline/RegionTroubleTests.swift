import NeatBase
import NeatResource
import NeatStore
import NeatTestSupport
import Testing

/// Servers that do not answer as they should, databases that take no more, definitions of nonsense.
@Suite struct RegionTroubleTests {
  @Test func whatPassesIsTriedAgain() throws {
    let world = try RegionWorld()
    world.trouble.withLock {
      $0 = { request in
        guard request.earlier < 2 else { return nil }
        switch request.path {
        case "/style.json": return .status(503)
        case "/v.json": return .hangUp
        case "/t/1/0/0.pbf": return .truncated(length: 100, [1, 2, 3])
        case "/t/1/1/0.pbf": return .status(429)
        default: return nil
        }
      }
    }
    let (status, events) = try world.load(try world.make())
    #expect(status.state == .complete && status.failed == 0)
    #expect(events.failures.count == 8, "\(events.failures)")
    #expect(events.failures.allSatisfy { $0.resource?.hasPrefix("http://127.0.0.1") == true })
  }

  @Test func triesAreCounted() throws {
    let world = try RegionWorld()
    world.trouble.withLock { $0 = { $0.path == "/t/1/0/0.pbf" ? .status(500) : nil } }
    var options = RegionDownloadOptions()
    options.attempts = 3
    let id = try world.make()
    let (status, events) = try world.load(id, options)
    #expect(status.state == .inactive && status.failed == 1 && status.completed == status.required - 1)
    #expect(events.failures.count == 3)
    #expect(world.server.count("/t/1/0/0.pbf") == 3)
    // The next load asks for what is missing alone.
    world.trouble.withLock { $0 = nil }
    world.forget()
    #expect(try world.load(id).0.state == .complete && world.asked == ["/t/1/0/0.pbf"])
  }

  @Test func aRefusalIsFinal() throws {
    let world = try RegionWorld()
    world.trouble.withLock { $0 = { $0.path.hasPrefix("/t/2") ? .status(403) : nil } }
    let (status, events) = try world.load(try world.make())
    #expect(status.state == .inactive && status.failed == 16 && events.failures.count == 16)
    #expect(world.server.count("/t/2/0/0.pbf") == 1)
  }

  @Test func whatIsNotThereIsKnownAsSuch() throws {
    let world = try RegionWorld()
    world.trouble.withLock {
      $0 = { request in
        let isAbsent =
          request.path.hasPrefix("/t/2") || request.path.hasSuffix("-511.pbf")
          || request.path.hasPrefix("/sprite@2x")
        return isAbsent ? .status(404) : nil
      }
    }
    let id = try world.make()
    let (status, events) = try world.load(id)
    // Tiles that there are none of are in order; glyphs and sprites are told.
    #expect(status.state == .complete && status.failed == 0 && events.failures.count == 5)
    #expect(events.failures.allSatisfy { $0.code == .notFound })
    #expect(try world.regions.status(id).state == .complete)
    world.loader.setOnline(false)
    guard
      case .missing = world.loader.load(
        ResourceRequest(kind: .spriteJSON, url: world.server.url("/sprite@2x.json")))
    else {
      Issue.record("it is not known that there is none")
      return
    }
  }

  @Test func aStyleThatIsNotToBeHadEndsIt() throws {
    for reply: TestServer.Reply in [.status(404), .status(200, [:], Array("no style".utf8)), .status(403)] {
      let world = try RegionWorld()
      world.trouble.withLock { $0 = { _ in reply } }
      let id = try world.make()
      let (status, events) = try world.load(id)
      #expect(status.state == .inactive && status.failed == 1 && !status.isPrecise)
      #expect(events.failures.count == 1 && world.asked == ["/style.json"])
      #expect(try world.regions.status(id).completed == 0)
    }
  }

  @Test func aTileJSONThatIsNoneCostsItsTilesAlone() throws {
    let world = try RegionWorld(tiles: #"{"tiles":7}"#)
    let (status, events) = try world.load(try world.make())
    #expect(status.state == .inactive && status.failed == 1 && events.failures[0].code == .json)
    #expect(status.completed == 1 + 4 + 2 + 3 * 256)
  }

  @Test func whatMayNotBeKeptIsTold() throws {
    let world = try RegionWorld()
    world.trouble.withLock {
      $0 = { request in
        request.path == "/t/0/0/0.pbf" ? .status(200, ["Cache-Control": "no-store"], [1]) : nil
      }
    }
    let (status, events) = try world.load(try world.make())
    #expect(status.state == .inactive && status.failed == 1)
    #expect(events.failures.map(\.code) == [.unsupported])
  }

  @Test func archivesOnServersAreTold() throws {
    let world = try RegionWorld()
    let archive = "pmtiles://" + world.server.url("/a.pmtiles")
    world.style.withLock {
      $0 =
        #"{"version":8,"sources":{"v":{"type":"vector","url":"\#(archive)"},"w":{"type":"vector","url":"v.json"}},"layers":[]}"#
    }
    let (status, events) = try world.load(try world.make())
    #expect(status.state == .inactive && status.completedTiles == 21)
    #expect(events.failures.map(\.resource) == [archive] && events.failures[0].code == .unsupported)
  }

  @Test func aProvidersTileLimitEndsIt() throws {
    let world = try RegionWorld()
    try world.cache.setTileLimit(10, templates: [world.server.url("/t")])
    let id = try world.make()
    let (status, events) = try world.load(id)
    #expect(status.state == .inactive && events.limits == [10])
    #expect(try world.cache.counts(ofRegion: id).tiles == 10)
    // No limit is the default.
    try world.cache.setTileLimit(6000, templates: [])
    #expect(try world.load(id).0.state == .complete)
  }

  @Test func aQuotaEndsIt() throws {
    let world = try RegionWorld()
    var options = RegionDownloadOptions()
    options.quotaBytes = 1
    let (status, events) = try world.load(try world.make(), options)
    #expect(status.state == .inactive && events.failures.last?.code == .limitExceeded)
    guard
      case .failure(_, let isDiskFull)? = events.all.withLock({
        $0.first { if case .failure = $0 { true } else { false } }
      })
    else { return }
    #expect(isDiskFull)
  }

  @Test func aMeanOfBytesASecondIsHeld() throws {
    let world = try RegionWorld(tiles: #"{"tiles":["t/{z}/{x}/{y}.pbf"],"minzoom":0,"maxzoom":1}"#)
    world.trouble.withLock {
      $0 = { $0.path.hasPrefix("/t/") ? .status(200, [:], [UInt8](repeating: 7, count: 20_000)) : nil }
    }
    var definition = world.definition(zooms: 0...1)
    definition.contents = .tiles
    var options = RegionDownloadOptions()
    options.averageBytesPerSecond = 200_000
    let id = try world.make(definition)
    let began = MonotonicClock.milliseconds
    let (status, _) = try world.load(id, options)
    #expect(status.state == .complete && status.received > 100_000)
    #expect(MonotonicClock.milliseconds - began < 5000)
  }

  @Test func withoutANetworkWhatIsThereIsTaken() throws {
    let world = try RegionWorld()
    try world.load(try world.make(world.definition(zooms: 0...1)))
    world.forget()
    var options = RegionDownloadOptions()
    options.allowsNetwork = false
    let inner = try world.make(world.definition(zooms: 0...1))
    #expect(try world.load(inner, options).0.state == .complete)
    let outer = try world.make(world.definition(zooms: 0...2))
    let (status, events) = try world.load(outer, options)
    #expect(
      status.state == .inactive && status.failed == 16 && events.failures.allSatisfy { $0.code == .network })
    #expect(world.asked.isEmpty)
  }

  @Test func nonsenseIsRefused() throws {
    let world = try RegionWorld()
    for text in [
      "", "7", "{}", #"{"style_url":7}"#,
      #"{"style_url":"","min_zoom":0,"pixel_ratio":1,"bounds":[0,0,1,1]}"#,
      #"{"style_url":"s","min_zoom":0,"pixel_ratio":1}"#,
      #"{"style_url":"s","min_zoom":0,"pixel_ratio":1,"bounds":[0,0,1]}"#,
      #"{"style_url":"s","min_zoom":0,"pixel_ratio":1,"bounds":[1,0,0,1]}"#,
      #"{"style_url":"s","min_zoom":0,"pixel_ratio":1,"bounds":[0,0,1,999]}"#,
      #"{"style_url":"s","min_zoom":3,"max_zoom":2,"pixel_ratio":1,"bounds":[0,0,1,1]}"#,
      #"{"style_url":"s","min_zoom":-1,"pixel_ratio":1,"bounds":[0,0,1,1]}"#,
      #"{"style_url":"s","min_zoom":0,"pixel_ratio":1,"geometry":{"type":"Feature"}}"#,
      #"{"style_url":"s","min_zoom":0,"pixel_ratio":1,"geometry":{"type":"Point","coordinates":[0,91]}}"#,
      #"{"style_url":"s","min_zoom":0,"pixel_ratio":1,"bounds":[0,0,1,1],"neatline_contents":["tile"]}"#,
    ] {
      #expect(throws: NeatError.self, "\(text)") { try OfflineRegionDefinition(json: text) }
    }
    #expect { try world.load(99) } throws: { ($0 as? NeatError)?.code == .notFound }
    #expect { try world.regions.invalidate(99) } throws: { ($0 as? NeatError)?.code == .notFound }
    #expect { try world.regions.delete(99) } throws: { ($0 as? NeatError)?.code == .notFound }
  }
}
