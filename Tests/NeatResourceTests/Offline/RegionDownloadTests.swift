import NeatBase
import NeatLoop
import NeatResource
import NeatStore
import NeatTestSupport
import Synchronization
import Testing

@Suite struct RegionDownloadTests {
  /// What the world's style needs, tiles left out: the style, a TileJSON, four parts of a sprite, GeoJSON, an
  /// image, 256 ranges of three font stacks.
  private static let resources: Int64 = 1 + 1 + 4 + 1 + 1 + 3 * 256

  @Test func aRegionAsksForAllOfIt_once() throws {
    let world = try RegionWorld()
    let id = try world.make()
    #expect(try world.regions.status(id).state == .inactive)
    let (status, events) = try world.load(id)
    #expect(status.state == .complete && status.isPrecise && status.failed == 0)
    #expect(status.required == Self.resources + 21 && status.completed == status.required)
    #expect(status.requiredTiles == 21 && status.completedTiles == 21)
    #expect(status.bytes > status.tileBytes && status.tileBytes > 0)
    #expect(events.failures.isEmpty && events.statuses.first?.state == .active)
    let asked = world.asked
    #expect(asked.count == Int(status.required) && Set(asked).count == asked.count)
    for path in [
      "/style.json", "/v.json", "/sprite.json", "/sprite.png", "/sprite@2x.json", "/sprite@2x.png",
      "/g.geojson", "/i.png", "/fonts/A,B/0-255.pbf", "/fonts/A,B/65280-65535.pbf", "/fonts/C/0-255.pbf",
      "/fonts/D/256-511.pbf", "/t/0/0/0.pbf", "/t/2/3/3.pbf",
    ] { #expect(asked.contains { $0.replacing("%2C", by: ",") == path }, "\(path)") }
    #expect(!asked.contains { $0.hasPrefix("/fonts/E") })
    // The same is known without a download.
    let known = try world.regions.status(id)
    #expect(known.state == .complete && known.completed == status.completed && known.bytes == status.bytes)
    // A map finds it with the network off.
    world.loader.setOnline(false)
    var request = ResourceRequest(
      kind: .tile, url: world.server.url("/t/2/1/1.pbf"), tile: TileID(z: 2, x: 1, y: 1))
    request.template = TileTemplate(text: world.server.url("/t/{z}/{x}/{y}.pbf"), pixelRatio: 1, row: 1)
    guard case .data(let bytes) = world.loader.load(request) else {
      Issue.record("the tile is not found")
      return
    }
    #expect(bytes == Array("/t/2/1/1.pbf".utf8))
  }

  @Test func aStyleThatTakesInAnotherIsTakenAlongWhole() throws {
    let world = try RegionWorld()
    let inner = RegionWorld.style
    world.style.withLock {
      $0 = #"{"version":8,"imports":[{"id":"base","url":"inner/style.json"}],"sources":{},"layers":[]}"#
    }
    let bodies = [
      "/inner/style.json": inner,
      "/inner/v.json": #"{"tiles":["t/{z}/{x}/{y}.pbf"],"minzoom":0,"maxzoom":3}"#,
    ]
    world.trouble.withLock {
      $0 = { request in
        bodies[request.path].map { .status(200, ["Cache-Control": "max-age=100"], Array($0.utf8)) }
      }
    }
    let id = try world.make()
    let (status, events) = try world.load(id)
    #expect(events.failures.isEmpty && status.state == .complete && status.failed == 0)
    // Addresses start where the inner style is; it is one document more.
    #expect(world.asked.contains("/inner/style.json") && world.asked.contains("/inner/v.json"))
    #expect(status.completedTiles == 21 && world.asked.contains("/inner/t/2/3/3.pbf"))
    #expect(world.asked.contains("/inner/sprite@2x.png") && world.asked.contains("/inner/g.geojson"))
    let known = try world.regions.status(id)
    #expect(known.state == .complete && known.isPrecise && known.required == status.required)
  }

  @Test func aStyleThatCannotBeTakenInLeavesTheRest() throws {
    let world = try RegionWorld()
    let style = RegionWorld.style
    world.style.withLock {
      $0 = style.replacing(
        #"{"version":8,"#, with: #"{"version":8,"imports":[{"id":"base","url":"gone.json"}],"#)
    }
    world.trouble.withLock { $0 = { request in request.path == "/gone.json" ? .status(404) : nil } }
    let id = try world.make()
    let (status, events) = try world.load(id)
    #expect(events.failures.count == 1 && status.failed == 1)
    #expect(world.asked.contains("/gone.json") && world.asked.contains("/v.json"))
    #expect(status.requiredTiles == 21 && status.completedTiles == 21)
  }

  @Test func aSecondLoadTransfersNoBody() throws {
    let world = try RegionWorld()
    let id = try world.make()
    try world.load(id)
    world.forget()
    // All of it is fresh: nobody is asked.
    #expect(try world.load(id).0.state == .complete && world.asked.isEmpty)
    world.wait(101)
    let (status, _) = try world.load(id)
    #expect(status.state == .complete && status.received == 0 && world.bodies == 0)
    #expect(world.asked.count == Int(status.required))
    #expect(status.bytes == (try world.regions.status(id).bytes))
    world.forget()
    #expect(try world.load(id).0.state == .complete && world.asked.isEmpty)
    // What has expired may do.
    world.wait(101)
    var options = RegionDownloadOptions()
    options.acceptsExpired = true
    #expect(try world.load(id, options).0.state == .complete && world.asked.isEmpty)
  }

  @Test func invalidatingAsksAgainAndLosesNothing() throws {
    let world = try RegionWorld()
    let id = try world.make()
    try world.load(id)
    world.forget()
    try world.regions.invalidate(id)
    let before = try world.regions.status(id)
    #expect(before.completed == before.required)
    let (status, _) = try world.load(id)
    #expect(status.state == .complete && world.bodies == 0 && world.asked.count == Int(status.required))
  }

  @Test func regionsShareTiles() throws {
    let world = try RegionWorld()
    let first = try world.make(world.definition((-180, -85, 0, 85)))
    let second = try world.make()
    try world.load(first)
    world.forget()
    let (status, _) = try world.load(second)
    // Half of zooms 1 and 2 is there already, with the world's own tile and all else.
    #expect(status.state == .complete && world.asked.count == 10)
    try world.regions.delete(first)
    #expect(try world.regions.status(second).state == .complete)
    #expect { try world.regions.status(first) } throws: { ($0 as? NeatError)?.code == .notFound }
    // What only the deleted one had may stay as long as there is room; none of the other's went.
    world.forget()
    #expect(try world.load(second).0.state == .complete && world.asked.isEmpty)
  }

  @Test func theAntimeridianIsCrossed() throws {
    let world = try RegionWorld(tiles: #"{"tiles":["t/{z}/{x}/{y}.pbf"],"minzoom":2,"maxzoom":2}"#)
    for bounds in [(170.0, 10.0, -170.0, 20.0), (170.0, 10.0, 190.0, 20.0), (-190.0, 10.0, -170.0, 20.0)] {
      let id = try world.make(
        world.definition((bounds.0, bounds.1, bounds.2, bounds.3), zooms: 2...2))
      world.forget()
      let (status, _) = try world.load(id)
      #expect(status.requiredTiles == 2 && status.completedTiles == 2, "\(bounds)")
    }
    #expect(world.server.count("/t/2/0/1.pbf") == 1 && world.server.count("/t/2/3/1.pbf") == 1)
  }

  @Test func sourcesSayWhichTilesThereAre() throws {
    let world = try RegionWorld(
      tiles: """
        {"tiles":["a/{z}/{x}/{y}{ratio}.png","b/{z}/{x}/{y}{ratio}.png"],"minzoom":1,"maxzoom":2,"scheme":"tms",
         "bounds":[-180,0,0,85]}
        """)
    var definition = world.definition(zooms: 0...9)
    definition.pixelRatio = 2
    definition.contents = .tiles
    world.style.withLock {
      $0 = #"""
        {"version":8,"sources":{"v":{"type":"raster","url":"v.json","tileSize":256},"w":{"type":"raster","url":"v.json"},
          "far":{"type":"vector","tiles":["far/{z}/{x}/{y}"],"minzoom":12,"maxzoom":14},
          "here":{"type":"vector","tiles":["here/{z}/{quadkey}/{bbox-epsg-3857}"],"maxzoom":0}},"layers":[]}
        """#
    }
    let (status, _) = try world.load(try world.make(definition))
    #expect(status.state == .complete && status.requiredTiles == 1 + 4 + 1)
    let tiles = Set(world.asked.filter { $0 != "/style.json" && $0 != "/v.json" })
    // The rows count from the south; servers take turns, which the database does not see.
    #expect(tiles.contains("/a/1/0/1@2x.png") && tiles.contains { $0.hasPrefix("/here/0//-20037508") })
    #expect(tiles.contains("/a/2/0/3@2x.png") && tiles.contains("/b/2/1/3@2x.png"), "\(tiles)")
    #expect(tiles.count == 6)
    // A region deeper than a source takes its deepest tiles, which maps draw from.
    let deep = try world.make(
      OfflineRegionDefinition(
        styleURL: definition.styleURL,
        area: .bounds(south: 1.0045, west: -1.0055, north: 1.0055, east: -1.0045), minZoom: 15,
        maxZoom: 16, contents: .tiles))
    let (other, _) = try world.load(deep)
    #expect(other.state == .complete && other.requiredTiles == 1 + 1 + 1)
  }

  @Test func aCountOfVeryManyTilesListsNone() throws {
    let world = try RegionWorld(tiles: #"{"tiles":["t/{z}/{x}/{y}.pbf"],"minzoom":0,"maxzoom":22}"#)
    let id = try world.make(world.definition(zooms: 0...22))
    let seen = Locked<RegionStatus?>(nil)
    let precise = Signal()
    let download = try world.regions.download(id) { event in
      if case .status(let status) = event, status.isPrecise {
        seen.withLock { $0 = status }
        precise.set()
      }
    }
    #expect(precise.wait(until: .after(ms: 20_000)))
    download.stop()
    #expect(download.wait(until: .after(ms: 0)) && download.status.state == .inactive)
    // (4^23 - 1) / 3, without the rows past 85 degrees.
    #expect((seen.withLock { $0 }?.requiredTiles ?? 0) > 23_000_000_000_000)
    // What came is kept, and found by the next.
    let kept = try world.regions.status(id).completed
    #expect(kept > 0 && kept == download.status.completed)
  }

  @Test func aStoppedDownloadSaysNothingMore() throws {
    let world = try RegionWorld()
    world.trouble.withLock { $0 = { $0.path.hasPrefix("/t/") ? .silence : nil } }
    let id = try world.make()
    let events = RegionWorld.Events()
    let download = try world.regions.download(id) { event in events.all.withLock { $0.append(event) } }
    #expect {
      try world.regions.download(id) { _ in }
    } throws: { ($0 as? NeatError)?.code == .state }
    while world.asked.count < 700 { usleep(2000) }
    download.stop()
    let count = events.all.withLock { $0.count }
    #expect(events.statuses.last?.state == .inactive)
    download.stop()
    usleep(50_000)
    #expect(events.all.withLock { $0.count } == count)
    // Deleting one that is under way ends it.
    let again = try world.regions.download(id) { _ in }
    try world.regions.delete(id)
    #expect(again.wait(until: .after(ms: 0)))
  }

  @Test func stoppingFromWithinAnEventIsAllowed() throws {
    let world = try RegionWorld()
    let id = try world.make()
    let held = Locked<RegionDownload?>(nil)
    let events = RegionWorld.Events()
    let download = try world.regions.download(id) { event in
      events.all.withLock { $0.append(event) }
      if case .status(let status) = event, status.completed > 100 { held.withLock { $0 }?.stop() }
    }
    held.withLock { $0 = download }
    #expect(download.wait(until: .after(ms: 20_000)))
    // That was the last of it.
    #expect(download.status.state == .inactive && events.statuses.last?.state == .active)
    held.withLock { $0 = nil }
  }
}
