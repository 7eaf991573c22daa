import NeatBase
import NeatLoop
import NeatNetwork
import NeatStore
import NeatTestSupport
import NeatTile
import Synchronization
import Testing

@testable import NeatResource

@Suite struct RequestChainTests {
  private final class Log: Sendable {
    private let list = Mutex<[String]>([])
    var entries: [String] { list.withLock { $0 } }
    func add(_ entry: String) { list.withLock { $0.append(entry) } }
  }

  /// A loop that asks, and the answers that it got.
  private final class Asker {
    let loop: RunLoop
    let loader: ResourceLoader
    var answers: [String: [ResourceAnswer]] = [:]

    init(_ options: ResourceLoader.Options = .init()) throws {
      loop = try RunLoop()
      loader = ResourceLoader(options: options)
    }

    @discardableResult
    func ask(_ url: String, _ kind: ResourceKind = .style, _ options: LoadOptions = LoadOptions())
      -> CancelHandle
    {
      loader.load(ResourceRequest(kind: kind, url: url), on: loop, options) { [weak self] answer in
        self?.answers[url, default: []].append(answer)
      }
    }

    func run(until isDone: () -> Bool) -> Bool { loop.run(until: isDone) }

    var answerCount: Int { answers.values.reduce(0) { $0 + $1.count } }

    deinit { loop.close() }
  }

  private var patient: LoadOptions {
    var options = LoadOptions()
    options.isPatient = true
    return options
  }

  private func text(_ answer: ResourceAnswer?) -> String? {
    guard case .data(let bytes) = answer?.result else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test func equalRequestsUnderWayAreOne() throws {
    let server = TestServer { _ in .late(ms: 100, status: 200, Array("x".utf8)) }
    defer { server.stop() }
    let asker = try Asker()
    let first = asker.ask(server.url("/a"))
    for _ in 0..<4 { asker.ask(server.url("/a")) }
    // The one that began it goes, the others have their answer all the same.
    #expect(asker.run(until: { server.count("/a") == 1 }))
    first.cancel()
    #expect(asker.run(until: { asker.answers[server.url("/a")]?.count == 5 }))
    #expect(server.count("/a") == 1)
    let texts = (asker.answers[server.url("/a")] ?? []).compactMap { text($0) }
    #expect(texts == ["x", "x", "x", "x"])
  }

  @Test func aRequestThatNobodyWaitsForEnds() throws {
    let server = TestServer { _ in .silence }
    defer { server.stop() }
    let asker = try Asker()
    let handles = (0..<30).map { asker.ask(server.url("/\($0)")) }
    // Connections are open before the server has read what they ask for.
    func begun() -> Int { (0..<30).filter { server.count("/\($0)") > 0 }.count }
    #expect(asker.run(until: { begun() == 20 }), "at most 20 at once to one host")
    #expect(server.mostOpen == 20)
    // Those that wait first: one that ends makes room for the next in line.
    for handle in handles.reversed() { handle.cancel() }
    asker.ask("data:,x")
    #expect(asker.run(until: { asker.answers["data:,x"] != nil }))
    // Those that had not begun never do.
    usleep(100_000)
    #expect(begun() == 20)
    #expect(asker.answerCount == 31)
  }

  @Test func whatIsInViewGoesBeforeTheRest() throws {
    let log = Log()
    let server = TestServer { request in
      log.add(request.path)
      return .late(ms: 30, status: 200, [1])
    }
    defer { server.stop() }
    var options = ResourceLoader.Options()
    options.http.connectionsPerHost = 1
    let asker = try Asker(options)
    asker.ask(server.url("/begun"))
    #expect(asker.run(until: { log.entries == ["/begun"] }))
    for (name, priority) in [
      ("offline", RequestPriority.offline), ("prefetch", .prefetch), ("margin", .margin), ("view", .view),
    ] {
      var given = LoadOptions()
      given.priority = priority
      asker.ask(server.url("/\(name)"), .style, given)
    }
    // One that is wanted in view after all comes before.
    asker.ask(server.url("/prefetch"))
    #expect(asker.run(until: { asker.answerCount == 6 }))
    #expect(
      log.entries == ["/begun", "/prefetch", "/view", "/margin", "/offline"]
        || log.entries == ["/begun", "/view", "/prefetch", "/margin", "/offline"])
  }

  @Test func whoIsPatientHearsOfAFailureAndHasTheAnswer() throws {
    let server = TestServer { $0.earlier < 3 ? .status(502) : .status(200, [:], Array("ok".utf8)) }
    defer { server.stop() }
    var options = ResourceLoader.Options()
    options.http.patience.unitMS = 10
    let asker = try Asker(options)
    asker.ask(server.url("/a"), .style, patient)
    #expect(asker.run(until: { asker.answers[server.url("/a")]?.last?.isFinal == true }))
    let answers = asker.answers[server.url("/a")] ?? []
    #expect(answers.count == 4 && server.count("/a") == 4)
    for answer in answers.dropLast() {
      guard case .failed(let error) = answer.result else { return #expect(Bool(false)) }
      #expect(error.code == .network && !answer.isFinal)
    }
    #expect(text(answers.last) == "ok" && answers.last?.facts.origin == .network)
  }

  @Test func withTheNetworkOffNothingIsAskedAndBackItIsAskedAtOnce() throws {
    let server = TestServer { _ in .status(200, [:], Array("ok".utf8)) }
    defer { server.stop() }
    var options = ResourceLoader.Options()
    options.http.patience.unitMS = 1_000_000
    let asker = try Asker(options)
    asker.loader.setOnline(false)
    asker.ask(server.url("/patient"), .style, patient)
    asker.ask(server.url("/bounded"))
    #expect(asker.run(until: { asker.answerCount == 2 }))
    for answer in asker.answers.values.joined() {
      guard case .failed(let error) = answer.result else { return #expect(Bool(false)) }
      #expect(error.code == .network)
    }
    #expect(server.mostOpen == 0)
    asker.loader.setOnline(true)
    #expect(asker.run(until: { asker.answers[server.url("/patient")]?.count == 2 }))
    #expect(text(asker.answers[server.url("/patient")]?.last) == "ok")
    // Said again: what waits for its next try is tried.
    #expect(server.count("/bounded") == 0)
  }

  /// Whoever joins a request that waits for the network is told so, as the first one was.
  @Test func whoJoinsHearsOfTheFailureToo() throws {
    var options = ResourceLoader.Options()
    options.http.patience.unitMS = 1_000_000
    let asker = try Asker(options)
    asker.loader.setOnline(false)
    let url = "http://127.0.0.1:1/a"
    asker.ask(url, .style, patient)
    #expect(asker.run(until: { asker.answerCount == 1 }))
    asker.ask(url, .style, patient)
    #expect(asker.run(until: { asker.answerCount == 2 }))
    #expect(asker.answers[url]?.allSatisfy { !$0.isFinal } == true)
  }

  /// One without a deadline that joins another does not take its limit away.
  @Test func aRequestThatIsJoinedKeepsALimit() throws {
    let server = TestServer { $0.earlier == 0 ? .status(500) : .silence }
    defer { server.stop() }
    var options = ResourceLoader.Options()
    options.timeoutMS = 1500
    options.http.retryDelayMS = 200
    let asker = try Asker(options)
    asker.ask(server.url("/a"))
    #expect(asker.run(until: { server.count("/a") == 1 }))
    asker.ask(server.url("/a"))
    #expect(asker.run(until: { asker.answerCount == 2 }))
    for answer in asker.answers[server.url("/a")] ?? [] {
      guard case .failed(let error) = answer.result else { return #expect(Bool(false)) }
      #expect(error.code == .timeout)
    }
  }

  @Test func closingTheLoopSettlesWhatItWaitsFor() throws {
    let server = TestServer { _ in .silence }
    defer { server.stop() }
    let asker = try Asker()
    for index in 0..<5 { asker.ask(server.url("/\(index)")) }
    #expect(asker.run(until: { server.mostOpen == 5 }))
    asker.loop.close()
    #expect(asker.answerCount == 5)
    for answer in asker.answers.values.joined() {
      guard case .failed(let error) = answer.result else { return #expect(Bool(false)) }
      #expect(error.code == .cancelled && answer.isFinal)
    }
  }

  /// Where the loop of the chain itself ends, whoever waits hears of it.
  @Test func closingTheChainSettlesWhatItWaitsFor() throws {
    let server = TestServer { _ in .silence }
    defer { server.stop() }
    let answers = Log()
    let loader = ResourceLoader()
    let loop = try RunLoop()
    let route = loader.route(ResourceRequest(kind: .style, url: server.url("/a")))
    let request = ChainRequest(id: RequestChain.nextID(), route: route, options: patient) { answer in
      if case .failed(let error) = answer.result { answers.add("\(error.code) \(answer.isFinal)") }
    }
    RequestChain.of(loop).begin(request, loader)
    let deadline = Deadline.after(ms: 10_000)
    while server.count("/a") == 0, !deadline.isOver {
      loop.runNoWait()
      usleep(1000)
    }
    #expect(server.count("/a") == 1)
    loop.close()
    #expect(answers.entries == ["\(ErrorCode.cancelled) true"])
  }

  /// A server that says no to an archive is not asked for ever.
  @Test func patienceForArchivesEndsWhereAskingAgainIsNoHelp() throws {
    let server = TestServer { _ in .status(401) }
    defer { server.stop() }
    var options = ResourceLoader.Options()
    options.http.patience.unitMS = 5
    let asker = try Asker(options)
    let url = "pmtiles://" + server.url("/a")
    asker.ask(url, .source, patient)
    #expect(asker.run(until: { asker.answers[url]?.last?.isFinal == true }))
    #expect(server.count("/a") == 1 && asker.answers[url]?.count == 1)
  }

  @Test func archivesAreAskedForAgainByTheSameRules() throws {
    let folder = WorkFolder()
    try madeArchive(folder.file("all.pmtiles"), count: 100)
    let bytes = folder.read("all.pmtiles")
    let server = TestServer { request in
      switch request.earlier {
      case 0: .status(503, ["Retry-After": "1"])
      case 1: .status(500)
      default: TestServer.part(request, of: bytes)
      }
    }
    defer { server.stop() }
    var options = ResourceLoader.Options()
    options.http.patience.unitMS = 5
    options.http.patience.cap = 1000
    let asker = try Asker(options)
    let url = "pmtiles://" + server.url("/a")
    let began = SystemClock.microseconds
    asker.ask(url, .source, patient)
    #expect(asker.run(until: { server.count("/a") == 1 }))
    // That the network is back is no reason to ask a server that wants to be left alone.
    asker.loader.setOnline(true)
    #expect(asker.run(until: { asker.answers[url]?.last?.isFinal == true }))
    #expect(SystemClock.microseconds - began >= 1_000_000)
    let answers = asker.answers[url] ?? []
    #expect(answers.count == 3 && text(answers.last)?.contains("tilejson") == true)
    for answer in answers.dropLast() {
      guard case .failed(let error) = answer.result else { return #expect(Bool(false)) }
      #expect(error.code == .network && !answer.isFinal)
    }
  }

  @Test func withTheNetworkOffNoArchiveIsAskedFor() throws {
    let server = TestServer { _ in .status(404) }
    defer { server.stop() }
    var options = ResourceLoader.Options()
    options.http.patience.unitMS = 5
    let asker = try Asker(options)
    asker.loader.setOnline(false)
    let url = "pmtiles://" + server.url("/a")
    asker.ask(url, .source, patient)
    #expect(asker.run(until: { asker.answerCount == 1 }))
    usleep(100_000)
    asker.ask("data:,x")
    #expect(asker.run(until: { asker.answers["data:,x"] != nil }))
    #expect(asker.answers[url]?.count == 1, "told once, not at every try")
    // Whoever comes later waits for the same part, and is told too.
    var tiles: [ResourceAnswer] = []
    let tile = ResourceRequest(kind: .tile, url: url, tile: TileID(z: 0, x: 0, y: 0))
    let handle = asker.loader.load(tile, on: asker.loop, patient) { tiles.append($0) }
    #expect(asker.run(until: { tiles.count == 1 }))
    #expect(tiles.first?.isFinal == false)
    handle.cancel()
    asker.loader.setOnline(true)
    #expect(asker.run(until: { asker.answers[url]?.last?.isFinal == true }))
    #expect(server.count("/a") == 1)
  }

  @Test func credentialsReachTheServerAndNothingElse() throws {
    let seen = Log()
    let server = TestServer { request in
      seen.add("\(request.path) \(request.headers["authorization"] ?? "-")")
      return request.path.hasPrefix("/bad")
        ? .status(403) : .status(200, ["Cache-Control": "max-age=60"], [1])
    }
    defer { server.stop() }
    let folder = WorkFolder()
    let cache = try ResourceCache(path: folder.file("cache.db"), bytes: 1 << 20)
    defer { cache.close() }
    var options = ResourceLoader.Options()
    options.cache = cache
    options.credentials = [
      Credentials(
        prefix: server.url("/"), headers: [("Authorization", "Bearer s3cret")], query: [("key", "s3c&ret")])
    ]
    let asker = try Asker(options)
    asker.ask(server.url("/a?x=1"))
    asker.ask(server.url("/bad?access_token=s3cret"))
    #expect(asker.run(until: { asker.answerCount == 2 }))
    #expect(
      Set(seen.entries) == [
        "/a?x=1&key=s3c%26ret Bearer s3cret", "/bad?access_token=s3cret&key=s3c%26ret Bearer s3cret",
      ])
    for answer in asker.answers.values.joined() {
      #expect(!"\(answer.facts) \(answer.result)".contains("s3c"))
    }
    try cache.flush()
    let stored = try #require(
      try FileReader(path: folder.file("cache.db")).read(offset: 0, count: 4096) as [UInt8]?)
    #expect(!stored.isEmpty)
    for name in ["cache.db", "cache.db-wal"] {
      let path = folder.file(name)
      guard let bytes = try? FileReader.readAll(path, limit: 1 << 24) else { continue }
      #expect(!String(decoding: bytes, as: UTF8.self).contains("s3c"), "\(name)")
    }
  }

  @Test func aTransformChangesAddressesAndHeaders() throws {
    let server = TestServer { .status(200, [:], Array("\($0.path) \($0.headers["x-kind"] ?? "")".utf8)) }
    defer { server.stop() }
    let asker = try Asker()
    let base = server.url("")
    asker.loader.options.transform.set(
      ResourceTransform { kind, url in
        var change = ResourceTransform.Change(url: url)
        guard url.hasPrefix("app://") else { return change }
        change.url = base + "/real/" + url.dropFirst(6)
        change.headers = [("X-Kind", kind.name)]
        return change
      })
    asker.ask("app://a", .glyphs)
    asker.ask("data:,plain")
    #expect(asker.run(until: { asker.answerCount == 2 }))
    #expect(text(asker.answers["app://a"]?.first) == "/real/a glyphs")
    #expect(text(asker.answers["data:,plain"]?.first) == "plain")
  }
}

@Suite struct ProviderTests {
  private let mapbox = Provider.mapbox(base: "https://api.mapbox.com", token: "pk.x")

  private func address(_ kind: ResourceKind, _ url: String) -> String { mapbox.address(kind, url) }

  @Test func mapboxAddressesBecomeThoseOfItsServers() {
    let base = "https://api.mapbox.com"
    #expect(
      address(.style, "mapbox://styles/mapbox/streets-v11")
        == base + "/styles/v1/mapbox/streets-v11?access_token=pk.x")
    #expect(
      address(.source, "mapbox://mapbox.mapbox-streets-v8,mapbox.mapbox-terrain-v2")
        == base + "/v4/mapbox.mapbox-streets-v8,mapbox.mapbox-terrain-v2.json?access_token=pk.x")
    #expect(
      address(.spriteImage, "mapbox://sprites/mapbox/streets-v11@2x.png")
        == base + "/styles/v1/mapbox/streets-v11/sprite@2x.png?access_token=pk.x")
    #expect(
      address(.spriteJSON, "mapbox://sprites/mapbox/streets-v11/draft.json")
        == base + "/styles/v1/mapbox/streets-v11/draft/sprite.json?access_token=pk.x")
    #expect(
      address(.glyphs, "mapbox://fonts/mapbox/Open%20Sans%20Regular/0-255.pbf")
        == base + "/fonts/v1/mapbox/Open%20Sans%20Regular/0-255.pbf?access_token=pk.x")
    #expect(
      address(.tile, "mapbox://tiles/mapbox.satellite/1/2/3@2x.webp?style=a")
        == base + "/v4/mapbox.satellite/1/2/3@2x.webp?style=a&access_token=pk.x")
  }

  @Test func tilesAreKnownWhateverTheServerAndTheToken() {
    func key(_ template: String) -> String? { Provider.canonicalTile(template) }
    #expect(
      key("https://a.tiles.mapbox.com/v4/mapbox.streets-v7/{z}/{x}/{y}.vector.pbf?access_token=pk.y")
        == "mapbox://tiles/mapbox.streets-v7/{z}/{x}/{y}.vector.pbf")
    #expect(
      key("http://api.mapbox.com/v4/mapbox.satellite/{z}/{x}/{y}.png?access_token=pk.y")
        == "mapbox://tiles/mapbox.satellite/{z}/{x}/{y}{ratio}.png")
    #expect(key("https://example.com/v4/{z}/{x}/{y}.png") == nil)
  }
}

@Suite struct RenewalTests {
  @Test func whatHasExpiredWhenItComesIsAskedForEverLater() {
    var renewal = Renewal()
    #expect((0..<5).map { _ in renewal.delay(expires: 100, now: 200) } == [1, 2, 4, 8, 16])
    #expect(renewal.delay(expires: 260, now: 200) == 60)
    #expect(renewal.delay(expires: 100, now: 200) == 1)
  }

  @Test func aClockThatIsWrongDoesNoHarm() {
    // The server's clock is 25 s behind: its answers for 10 s seem to have expired when they come.
    var renewal = Renewal()
    #expect(renewal.delay(expires: 985, now: 1000) == 1)
    #expect(renewal.delay(expires: 996, now: 1011) == 30)
    #expect(renewal.delay(expires: 1096, now: 1111) == 100)
  }
}
