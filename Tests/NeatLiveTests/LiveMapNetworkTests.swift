import CSQLite
import NeatBase
import NeatCamera
import NeatImage
import NeatLoop
import NeatMap
import NeatNetwork
import NeatRaster
import NeatResource
import NeatTestSupport
import Synchronization
import Testing

@testable import NeatLive

/// Live maps and their servers: what is asked for, in which order, what is given up, and what comes back.
@Suite struct LiveMapNetworkTests {
  /// A server that keeps what it was asked for, in order.
  private final class AskedServer: Sendable {
    private let server: TestServer

    init(_ answer: @escaping @Sendable (TestServer.Request) -> TestServer.Reply) {
      let log = Log()
      self.log = log
      server = TestServer { request in
        log.paths.withLock { $0.append(request.path) }
        return answer(request)
      }
    }

    private final class Log: Sendable { let paths = Mutex<[String]>([]) }
    private let log: Log

    var paths: [String] { log.paths.withLock { $0 } }
    func count(_ path: String) -> Int { server.count(path) }
    func url(_ path: String) -> String { server.url(path) }
    func stop() { server.stop() }
  }

  /// Maps over one chain, whose events are kept.
  private final class Stage {
    let folder = WorkFolder()
    let loop: RunLoop
    let loader: SharedResources
    private(set) var maps: [LiveMap] = []
    var events: [[MapEvent]] = []

    init(
      maps count: Int = 1, hasCache: Bool = false, prefetch: UInt8 = 0, unitMS: UInt64 = 20,
      connections: Int = 20
    ) throws {
      loop = try RunLoop()
      var shared = SharedResources.Options()
      shared.loading.http.patience.unitMS = unitMS
      shared.loading.http.connectionsPerHost = connections
      if hasCache { shared.cachePath = folder.file("cache.db") }
      loader = try SharedResources(shared)
      var options = MapEnvironment.Options()
      options.threadCount = 1
      options.resources = loader
      options.prefetchLevels = prefetch
      for index in 0..<count {
        events.append([])
        maps.append(
          try LiveMap(
            loop: loop, size: ViewSize(width: 512, height: 512), environment: try MapEnvironment(options)
          ) { [weak self] event, _ in self?.events[index].append(event) })
      }
    }

    var map: LiveMap { maps[0] }

    func run(seconds: UInt64 = 30) {
      let deadline = Deadline.after(ms: seconds * 1000)
      while maps.contains(where: \.isBusy), !deadline.isOver { loop.runOnce() }
    }

    func run(seconds: UInt64 = 30, until isDone: () -> Bool) -> Bool {
      loop.run(seconds: seconds, until: isDone)
    }

    func idleCount(_ index: Int = 0) -> Int { events[index].filter { $0 == .mapIdle }.count }

    deinit {
      for map in maps { map.destroy() }
      loop.close()
      try? loader.cache.close()
    }
  }

  /// A raster source of one pixel, tiles at 256.
  private static func style(_ server: AskedServer, maxZoom: Int = 14) -> [UInt8] {
    Array(
      """
      {"version": 8, "zoom": 10, "center": [11, 47],
       "sources": {"r": {"type": "raster", "tiles": ["\(server.url("/{z}/{x}/{y}.png"))"], "tileSize": 256,
                         "maxzoom": \(maxZoom)}},
       "layers": [{"id": "r", "type": "raster", "source": "r"}]}
      """.utf8)
  }

  private static func png(_ shade: UInt8 = 90) -> [UInt8] {
    encodePNG(
      PixelImage(width: 1, height: 1, pixels: [shade, shade, shade, 255], isPremultiplied: true))
  }

  @Test func tilesThatLeftTheViewAreGivenUp() throws {
    let server = AskedServer { _ in .late(ms: 400, status: 200, Self.png()) }
    defer { server.stop() }
    let stage = try Stage()
    try stage.map.setStyle(Self.style(server), base: "")
    for _ in 0..<4 { _ = stage.run(until: { stage.map.requests.isUnderWay }) }
    for jump in 0..<12 {
      var camera = Camera()
      camera.center = LonLat(Double(jump) * 7 - 40, 47)
      camera.zoom = 10
      try stage.map.setCamera(camera)
      // One turn: what the place before asked for is gone.
      for _ in 0..<3 { stage.loop.runNoWait() }
      #expect(stage.map.requests.asked.count <= 16)
    }
    stage.run()
    #expect(stage.map.isLoaded && stage.events[0].last == .mapIdle)
    // Of 13 places with 9 to 16 tiles each: connections that had begun may have asked.
    let loaded = stage.events[0].filter { if case .sourceDataLoaded(_, .some) = $0 { true } else { false } }
    #expect(loaded.count <= 32)
    #expect(!stage.events[0].contains { if case .mapLoadingError = $0 { true } else { false } })
  }

  /// A layer "b", which nothing of the style shows, with a feature that ends within a field, beside a layer "a".
  @Test(arguments: [false, true]) func whatAQuestionFindsBrokenIsTold(isLater: Bool) throws {
    let tile: [UInt8] =
      [0x1a, 5, 0x0a, 1, 0x61, 0x78, 2] + [0x1a, 8, 0x0a, 1, 0x62, 0x12, 1, 0x80, 0x78, 2]
    let server = AskedServer { _ in .status(200, [:], tile) }
    defer { server.stop() }
    let stage = try Stage()
    try stage.map.setStyle(
      Array(
        """
        {"version": 8, "sources": {"v": {"type": "vector", "tiles": ["\(server.url("/{z}/{x}/{y}"))"], "maxzoom": 0}},
         "layers": [{"id": "a", "type": "fill", "source": "v", "source-layer": "a"}]}
        """.utf8), base: "")
    stage.run()
    func problems() -> [MapProblem] {
      stage.events[0].compactMap { if case .mapLoadingError(let problem) = $0 { problem } else { nil } }
    }
    #expect(stage.map.isLoaded && problems().isEmpty)
    for time in 0..<2 {
      let question = MapQuestion.sourceFeatures(SourceQuery(source: "v"))
      if isLater {
        var isAnswered = false
        _ = try stage.map.ask(question, writing: { _ in [] }) { _ in isAnswered = true }
        #expect(stage.run(until: { isAnswered }))
      } else {
        _ = try stage.map.answer(question)
        // Told by the loop, and not within the call.
        #expect(problems().count == time)
      }
      #expect(stage.run(until: { !problems().isEmpty }))
      stage.run()
      try #require(problems().count == 1, "each once")
    }
    #expect(problems()[0].message.hasPrefix("layer \"b\": "))
    #expect(problems()[0].source == "v" && problems()[0].tile == TileID.world)
  }

  @Test func whatIsMissingComesWhenTheNetworkIsBack() throws {
    let server = AskedServer { _ in .status(200, [:], Self.png()) }
    defer { server.stop() }
    let stage = try Stage(unitMS: 60_000)
    try stage.loader.setOnline(false)
    try stage.map.setStyle(Self.style(server), base: "")
    stage.run()
    // Nobody waits for the network.
    #expect(stage.idleCount() == 1 && stage.map.isLoaded && !stage.map.isBusy)
    #expect(server.paths.isEmpty, "no socket was opened")
    let before = try stage.map.draw().bitmap.middle
    try stage.loader.setOnline(true)
    #expect(stage.run(until: { stage.idleCount() >= 2 && !stage.map.isBusy }))
    // Tile after tile, each in its own time.
    #expect(stage.run(until: { (try? stage.map.draw().bitmap.middle) != before }))
    #expect(Set(server.paths).count == server.paths.count)
  }

  @Test func failuresOfTheServerPass() throws {
    let server = AskedServer { $0.earlier < 2 ? .status(500) : .status(200, [:], Self.png()) }
    defer { server.stop() }
    let stage = try Stage()
    try stage.map.setStyle(Self.style(server), base: "")
    #expect(
      stage.run(until: {
        guard let picture = try? stage.map.draw() else { return false }
        return picture.report.isComplete && picture.bitmap.isCovered
      }))
    #expect(Set(server.paths).allSatisfy { server.count($0) == 3 })
  }

  @Test func equalRequestsOfSeveralMapsAreOne() throws {
    let server = AskedServer { _ in .late(ms: 150, status: 200, Self.png()) }
    defer { server.stop() }
    let stage = try Stage(maps: 3)
    for map in stage.maps { try map.setStyle(Self.style(server), base: "") }
    stage.run()
    #expect(stage.maps.allSatisfy { $0.isLoaded })
    #expect(Set(server.paths).allSatisfy { server.count($0) == 1 })
  }

  @Test func staleCopiesAreShownFirstAndA304DecodesNothing() throws {
    let server = AskedServer { request in
      if request.headers["if-none-match"] == "\"1\"" { return .status(304, ["Cache-Control": "max-age=600"]) }
      return .status(200, ["ETag": "\"1\"", "Cache-Control": "max-age=0"], Self.png())
    }
    defer { server.stop() }
    let stage = try Stage(maps: 2, hasCache: true, unitMS: 10_000)
    try stage.maps[0].setStyle(Self.style(server), base: "")
    stage.run()
    let tiles = server.paths.count
    try stage.loader.cache.flush()
    try stage.maps[1].setStyle(Self.style(server), base: "")
    stage.run()
    #expect(stage.maps[1].isLoaded)
    // The map is complete before the server has been asked again, at low priority.
    #expect(stage.run(until: { server.paths.count == 2 * tiles }))
    _ = stage.run(seconds: 1, until: { false })
    let loaded = stage.events[1].filter { if case .sourceDataLoaded(_, .some) = $0 { true } else { false } }
    #expect(loaded.count == tiles, "a tile was decoded twice")
  }

  @Test func tilesAreRenewedWhenTheyExpire() throws {
    let server = AskedServer { request in
      .status(
        200, ["Cache-Control": request.earlier == 0 ? "max-age=2" : "max-age=9999"],
        Self.png(request.earlier == 0 ? 10 : 200))
    }
    defer { server.stop() }
    let stage = try Stage()
    try stage.map.setStyle(Self.style(server), base: "")
    stage.run()
    let first = try stage.map.draw().bitmap.middle
    #expect(stage.run(until: { Set(server.paths).allSatisfy { server.count($0) == 2 } }))
    #expect(stage.run(until: { (try? stage.map.draw().bitmap.middle) != first }))
    #expect(Set(server.paths).allSatisfy { server.count($0) == 2 })
  }

  /// A tile that left the view and came back before it expired is renewed too, while nothing moves.
  @Test func tilesThatCameBackAreRenewedWhenTheyExpire() throws {
    let server = AskedServer { request in
      .status(
        200, ["Cache-Control": request.earlier == 0 ? "max-age=6" : "max-age=9999"],
        Self.png(request.earlier == 0 ? 10 : 200))
    }
    defer { server.stop() }
    let stage = try Stage(unitMS: 1000)
    let began = SystemClock.microseconds
    try stage.map.setStyle(Self.style(server), base: "")
    stage.run()
    let home = stage.map.camera
    let first = try stage.map.draw().bitmap.middle
    let shown = Set(server.paths)
    var away = home
    away.center = LonLat(-100, 40)
    try stage.map.setCamera(away)
    for _ in 0..<4 { stage.loop.runNoWait() }
    try stage.map.setCamera(home)
    stage.run()
    // On a busy machine it has expired by now.
    let drawn = try stage.map.draw().bitmap.middle
    let counts = shown.map(server.count)
    if SystemClock.microseconds - began < 6_000_000 {
      #expect(drawn == first && counts.allSatisfy { $0 == 1 }, "came back before it expired")
    }
    #expect(stage.run(until: { shown.allSatisfy { server.count($0) == 2 } }))
    #expect(stage.run(until: { (try? stage.map.draw().bitmap.middle) != first }))
  }

  /// What the cache has trouble with is told to each map once, also one that is idle.
  @Test func troubleOfTheCacheIsAnEvent() throws {
    let server = AskedServer { _ in .status(200, ["Cache-Control": "max-age=600"], Self.png()) }
    defer { server.stop() }
    let stage = try Stage(maps: 2, hasCache: true)
    try stage.map.setStyle(Self.style(server), base: "")
    stage.run()
    try stage.loader.cache.flush()
    func troubles(_ index: Int) -> [MapProblem] {
      stage.events[index].compactMap { event in
        if case .mapLoadingError(let problem) = event, problem.part == .cache { problem } else { nil }
      }
    }
    #expect(troubles(0).isEmpty && troubles(1).isEmpty)
    var other: OpaquePointer?
    sqlite3_open(stage.folder.file("cache.db"), &other)
    #expect(sqlite3_exec(other, "UPDATE tiles SET data = x'00', compressed = 1", nil, nil, nil) == SQLITE_OK)
    sqlite3_close(other)
    let asked = server.paths.count
    try stage.maps[1].setStyle(Self.style(server), base: "")
    #expect(stage.run(until: { !troubles(0).isEmpty && !troubles(1).isEmpty }))
    stage.run()
    #expect(stage.maps[1].isLoaded && server.paths.count == 2 * asked, "what cannot be read is asked for")
    #expect(troubles(0).count == 1 && troubles(1).count == 1)
    #expect(troubles(0).first?.resource.hasSuffix("cache.db") == true)
  }

  @Test func lowerZoomsAreAskedForFirstAndStandIn() throws {
    let server = AskedServer { request in
      request.path.hasPrefix("/7/")
        ? .status(200, [:], Self.png(60)) : .late(ms: 200, status: 200, Self.png(200))
    }
    defer { server.stop() }
    let stage = try Stage(prefetch: 4, connections: 1)
    try stage.map.setStyle(Self.style(server), base: "")
    func hasLower() -> Bool {
      stage.events[0].contains { event in
        if case .sourceDataLoaded(_, let tile?) = event { tile == TileID(z: 7, x: 67, y: 44) } else { false }
      }
    }
    #expect(stage.run(until: hasLower))
    #expect(server.paths.first?.hasPrefix("/7/") == true)
    let early = try stage.map.draw()
    #expect(!early.report.isComplete && early.bitmap.middle != 0)
    stage.run()
    let late = try stage.map.draw()
    #expect(late.report.isComplete && late.bitmap.middle != early.bitmap.middle)
  }
}

extension Bitmap {
  fileprivate var isCovered: Bool { (0..<width * height).allSatisfy { pixels[$0] != 0 } }
  fileprivate var middle: UInt32 { pixels[height / 2 * width + width / 2] }
}
