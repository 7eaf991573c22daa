import NeatBase
import NeatLoop
import NeatResource
import NeatStore
import NeatTestSupport
import Synchronization

/// A server with a style and all that it names, a database, and a clock.
final class RegionWorld: Sendable {
  static let now: Int64 = 1_700_000_000

  /// What the server does out of the ordinary, by path; nil: nothing.
  typealias Trouble = @Sendable (TestServer.Request) -> TestServer.Reply?

  let folder = WorkFolder()
  let server: TestServer
  private let log = Locked<[(path: String, isWhole: Bool)]>([])
  private let clock = Clock()
  let trouble = Locked<Trouble?>(nil)
  let style = Locked(RegionWorld.style)
  private let loaded = Locked<(cache: ResourceCache, loader: ResourceLoader)?>(nil)

  final class Clock: Sendable {
    let time = Atomic(RegionWorld.now)
  }

  static let style = """
    {"version":8,"sprite":"sprite","glyphs":"fonts/{fontstack}/{range}.pbf",
     "sources":{"v":{"type":"vector","url":"v.json"},
       "g":{"type":"geojson","data":"g.geojson"},
       "i":{"type":"image","url":"i.png","coordinates":[[0,1],[1,1],[1,0],[0,0]]}},
     "layers":[
       {"id":"a","type":"symbol","source":"v","source-layer":"x","layout":{"text-field":"a","text-font":["A","B"]}},
       {"id":"b","type":"symbol","source":"v","source-layer":"x","layout":{"visibility":"none",
         "text-field":["format","b",{"text-font":["literal",["C"]]}],
         "text-font":["step",["zoom"],["literal",["A","B"]],5,["literal",["D"]]]}},
       {"id":"c","type":"symbol","source":"v","source-layer":"x","layout":{"icon-image":"c","text-font":["E"]}}]}
    """

  init(tiles: String = #"{"tiles":["t/{z}/{x}/{y}.pbf"],"minzoom":0,"maxzoom":3}"#) throws {
    let box = Box()
    self.box = box
    server = TestServer { request in box.answer.withLock { $0 }?(request) ?? .hangUp }
    let reply: @Sendable (TestServer.Request) -> TestServer.Reply = { [weak self] request in
      self?.answer(request, tiles) ?? .hangUp
    }
    box.answer.withLock { $0 = reply }
    try open()
  }

  private final class Box: Sendable {
    let answer = Locked<(@Sendable (TestServer.Request) -> TestServer.Reply)?>(nil)
  }
  private let box: Box

  func open() throws {
    let clock = clock
    let cache = try ResourceCache(path: path, bytes: 1 << 20) { clock.time.load(ordering: .relaxed) }
    var options = ResourceLoader.Options()
    options.cache = cache
    options.http.attempts = 1
    options.http.patience.unitMS = 10
    let loader = ResourceLoader(options: options)
    loaded.withLock { $0 = (cache, loader) }
  }

  var path: String { folder.file("cache.db") }
  var cache: ResourceCache { loaded.withLock { $0!.cache } }
  var loader: ResourceLoader { loaded.withLock { $0!.loader } }
  var regions: OfflineRegions { OfflineRegions(loader, cache) }

  private func answer(_ request: TestServer.Request, _ tiles: String) -> TestServer.Reply {
    let reply = trouble.withLock { $0 }?(request) ?? usual(request, tiles)
    var isWhole = false
    if case .status(200, _, _) = reply { isWhole = true }
    log.withLock { $0.append((request.path, isWhole)) }
    return reply
  }

  private func usual(_ request: TestServer.Request, _ tiles: String) -> TestServer.Reply {
    let tag = "\"\(request.path)\""
    let headers = ["ETag": tag, "Cache-Control": "max-age=100"]
    if request.headers["if-none-match"] == tag { return .status(304, headers) }
    let body: String
    switch request.path {
    case "/style.json": body = style.withLock { $0 }
    case "/v.json": body = tiles
    default: body = request.path
    }
    return .status(200, headers, Array(body.utf8))
  }

  // MARK: What was asked

  var asked: [String] { log.withLock { $0.map(\.path) } }
  var bodies: Int { log.withLock { $0.filter(\.isWhole).count } }
  func forget() { log.withLock { $0 = [] } }
  func wait(_ seconds: Int64) { clock.time.add(seconds, ordering: .relaxed) }

  // MARK: Regions

  func definition(
    _ bounds: (west: Double, south: Double, east: Double, north: Double) = (-180, -85, 180, 85),
    zooms: ClosedRange<Double> = 0...2
  ) -> OfflineRegionDefinition {
    OfflineRegionDefinition(
      styleURL: server.url("/style.json"),
      area: .bounds(south: bounds.south, west: bounds.west, north: bounds.north, east: bounds.east),
      minZoom: zooms.lowerBound, maxZoom: zooms.upperBound)
  }

  func make(_ definition: OfflineRegionDefinition? = nil) throws -> Int64 {
    try regions.create(definition ?? self.definition(), metadata: []).id
  }

  final class Events: Sendable {
    let all = Locked<[RegionEvent]>([])
    var failures: [NeatError] {
      all.withLock { $0.compactMap { if case .failure(let error, _) = $0 { error } else { nil } } }
    }
    var statuses: [RegionStatus] {
      all.withLock { $0.compactMap { if case .status(let status) = $0 { status } else { nil } } }
    }
    var limits: [Int64] {
      all.withLock { $0.compactMap { if case .tileLimit(let limit) = $0 { limit } else { nil } } }
    }
  }

  /// Downloads a region and waits for its end.
  @discardableResult
  func load(_ id: Int64, _ options: RegionDownloadOptions = .init()) throws -> (RegionStatus, Events) {
    let events = Events()
    let download = try regions.download(id, options) { event in
      events.all.withLock { $0.append(event) }
    }
    guard download.wait(until: .after(ms: 30_000)) else {
      throw NeatError(.timeout, "the download does not end: \(download.status)")
    }
    return (download.status, events)
  }

  deinit {
    loaded.withLock { $0?.cache.close() }
    server.stop()
  }
}
