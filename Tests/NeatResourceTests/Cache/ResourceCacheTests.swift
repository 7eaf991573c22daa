import NeatBase
import NeatNetwork
import NeatResource
import NeatStore
import NeatTestSupport
import Synchronization
import Testing

@Suite struct ResourceCacheTests {
  private static let now: Int64 = 1_700_000_000

  /// A loader whose cache has a clock of the test's own.
  private final class World: Sendable {
    let folder = WorkFolder()
    let server: TestServer
    let cache: ResourceCache
    let loader: ResourceLoader

    init(bytes: Int64 = 1 << 20, _ answer: @escaping @Sendable (TestServer.Request) -> TestServer.Reply)
      throws
    {
      server = TestServer(answer)
      let clock = Clock()
      self.clock = clock
      cache = try ResourceCache(path: folder.file("cache.db"), bytes: bytes) { clock.now }
      var options = ResourceLoader.Options()
      options.cache = cache
      options.http.attempts = 1
      loader = ResourceLoader(options: options)
    }

    private let clock: Clock

    func wait(_ seconds: Int64) { clock.add(seconds) }

    func get(_ path: String, _ kind: ResourceKind = .style) -> String {
      load(ResourceRequest(kind: kind, url: server.url(path)))
    }

    func load(_ request: ResourceRequest) -> String {
      let result =
        switch loader.load(request) {
        case .data(let bytes): String(decoding: bytes, as: UTF8.self)
        case .missing: "missing"
        case .empty: "empty"
        case .failed(let error): "\(error.code)"
        }
      // What came is stored by a worker; what cannot be stored is among the notices, which tests look at.
      try? cache.flush()
      return result
    }

    deinit {
      cache.close()
      server.stop()
    }
  }

  private final class Clock: Sendable {
    private let time = Atomic(ResourceCacheTests.now)

    var now: Int64 { time.load(ordering: .relaxed) }

    func add(_ seconds: Int64) { time.add(seconds, ordering: .relaxed) }
  }

  private static func ok(_ text: String, _ headers: [String: String] = [:]) -> TestServer.Reply {
    .status(200, headers, Array(text.utf8))
  }

  @Test func whatIsFreshIsNotAskedFor() throws {
    let world = try World { request in Self.ok("\(request.earlier)", ["Cache-Control": "max-age=60"]) }
    #expect(world.get("/a") == "0" && world.get("/a") == "0" && world.server.count("/a") == 1)
    world.wait(59)
    #expect(world.get("/a") == "0" && world.server.count("/a") == 1)
    world.wait(2)
    #expect(world.get("/a") == "1" && world.server.count("/a") == 2)
    // What says nothing about its age is kept.
    let other = try World { request in Self.ok("\(request.earlier)") }
    #expect(other.get("/a") == "0")
    other.wait(1_000_000)
    #expect(other.get("/a") == "0" && other.server.count("/a") == 1)
  }

  @Test func whatHasExpiredIsAskedAbout() throws {
    let world = try World { request in
      let headers = ["Cache-Control": "max-age=10", "ETag": "\"v1\""]
      if request.headers["if-none-match"] == "\"v1\"" { return .status(304, headers) }
      return request.earlier < 3 ? Self.ok("body", headers) : .status(500)
    }
    #expect(world.get("/a") == "body")
    world.wait(11)
    #expect(world.get("/a") == "body" && world.server.count("/a") == 2)
    // The 304 renewed its time.
    #expect(world.get("/a") == "body" && world.server.count("/a") == 2)
    let statistics = try world.cache.report().statistics
    #expect(statistics.revalidated == 1)
  }

  @Test func datesAreAskedAboutToo() throws {
    let date = "Sun, 06 Nov 1994 08:49:37 GMT"
    let world = try World { request in
      if request.headers["if-modified-since"] == date { return .status(304, ["Cache-Control": "max-age=10"]) }
      return Self.ok("body", ["Last-Modified": date, "Expires": date])
    }
    #expect(world.get("/a") == "body" && world.get("/a") == "body" && world.server.count("/a") == 2)
    #expect(world.get("/a") == "body" && world.server.count("/a") == 2)
  }

  @Test func whatHasExpiredIsUsedWhereNobodyAnswers() throws {
    let world = try World { request in
      if request.earlier > 0 { return .hangUp }
      let control = request.path == "/strict" ? "max-age=10, must-revalidate" : "max-age=10"
      return Self.ok("body", ["Cache-Control": control])
    }
    #expect(world.get("/a") == "body" && world.get("/strict") == "body")
    world.wait(11)
    #expect(world.get("/a") == "body" && world.get("/strict") == "network")
    world.loader.setOnline(false)
    #expect(world.get("/a") == "body" && world.get("/new") == "network" && world.server.count("/new") == 0)
    world.loader.setOnline(true)
    #expect(world.get("/new") == "body")
  }

  @Test func someAnswersAreNotKept() throws {
    let world = try World { request in
      switch request.path {
      case "/secret": Self.ok("\(request.earlier)", ["Cache-Control": "no-store"])
      case "/gone": .status(404)
      default: .status(500)
      }
    }
    #expect(world.get("/secret") == "0" && world.get("/secret") == "1")
    #expect(world.get("/gone") == "missing" && world.get("/gone") == "missing")
    #expect(world.server.count("/gone") == 2)
    #expect(world.get("/bad") == "network" && world.get("/bad") == "network")
    #expect(world.server.count("/bad") == 2)
  }

  /// Not even what is still on its way to the disk: each is asked for twice at once.
  @Test func aCacheOfNothingKeepsNothing() throws {
    let world = try World(bytes: 0) { request in Self.ok("\(request.earlier)") }
    for index in 0..<64 {
      for _ in 0..<2 {
        _ = world.loader.load(ResourceRequest(kind: .style, url: world.server.url("/\(index)")))
      }
      #expect(world.server.count("/\(index)") == 2)
    }
    try world.cache.setLimit(1 << 20)
    #expect(world.get("/a") == "0" && world.get("/a") == "0" && world.server.count("/a") == 1)
    try world.cache.setLimit(0)
    #expect(world.get("/a") == "1" && world.get("/a") == "2")
  }

  @Test func tilesAreKnownByTheirTemplate() throws {
    let world = try World { request in
      request.path.hasSuffix("1.pbf")
        ? .status(404) : request.path.hasSuffix("2.pbf") ? .status(204) : Self.ok(request.path)
    }
    func tile(_ host: String, _ y: UInt32) -> ResourceRequest {
      var request = ResourceRequest(
        kind: .tile, url: world.server.url("/\(host)/3/5/\(y).pbf"), tile: TileID(z: 3, x: 5, y: y))
      request.template = TileTemplate(text: "T", pixelRatio: 1, row: y)
      return request
    }
    // Another server of the same source.
    #expect(world.load(tile("a", 3)) == "/a/3/5/3.pbf" && world.load(tile("b", 3)) == "/a/3/5/3.pbf")
    // None and nothing are remembered, and stay apart.
    for _ in 0..<2 { #expect(world.load(tile("a", 1)) == "missing" && world.load(tile("a", 2)) == "empty") }
    #expect(world.server.count("/a/3/5/1.pbf") == 1 && world.server.count("/a/3/5/2.pbf") == 1)
  }

  @Test func theCacheIsLookedAfter() throws {
    let world = try World { request in Self.ok("\(request.earlier)", ["ETag": "x"]) }
    #expect(world.get("/a") == "0" && world.get("/a") == "0")
    let report = try world.cache.report()
    let (statistics, bytes, notices) = (report.statistics, report.bytes, report.notices)
    #expect(statistics.hits == 1 && statistics.misses == 1 && statistics.stored == 1 && bytes > 0)
    #expect(notices.isEmpty)
    try world.cache.invalidate()
    #expect(world.get("/a") == "1")
    try world.cache.clear()
    #expect(world.get("/a") == "2")
    try world.cache.setLimit(0)
    #expect(world.get("/b") == "0" && world.get("/b") == "1")
    try world.cache.pack()
    world.cache.close()
    #expect(world.get("/a") == "3")
    #expect { try world.cache.clear() } throws: { ($0 as? NeatError)?.code == .state }
  }

  @Test func anotherLoaderFindsWhatWasKept() throws {
    let world = try World { request in Self.ok("\(request.earlier)") }
    #expect(world.get("/a") == "0")
    var options = SharedResources.Options()
    options.cachePath = world.folder.file("cache.db")
    let resources = try SharedResources(options)
    try resources.setOnline(false)
    let request = ResourceRequest(kind: .style, url: world.server.url("/a"))
    guard case .data(let bytes) = try resources.loader.load(request) else {
      Issue.record("not in the cache")
      return
    }
    #expect(bytes == Array("0".utf8) && world.server.count("/a") == 1)
    try resources.cache.close()
    #expect { try SharedResources(.init()).cache } throws: { ($0 as? NeatError)?.code == .state }
    options.cachePath = "/nowhere/cache.db"
    #expect { try SharedResources(options) } throws: { ($0 as? NeatError)?.code == .io }
  }
}
