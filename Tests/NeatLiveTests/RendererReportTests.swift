import NeatBase
import NeatCamera
import NeatJSON
import NeatLive
import NeatLoop
import NeatMap
import NeatResource
import NeatStore
import NeatStyle
import NeatTestSupport
import NeatTile
import Synchronization
import Testing

/// What renderers tell of archives, servers, deadlines and files of this machine.
@Suite struct RendererReportTests {
  /// A tile with one polygon over all of it, in the layer "l".
  private static let tile: [UInt8] = {
    let geometry: [UInt8] = [9, 0, 0, 26, 0x80, 0x40, 0, 0, 0x80, 0x40, 0xFF, 0x3F, 0, 15]
    let feature = [0x18, 3, 0x22, UInt8(geometry.count)] + geometry
    let layer =
      [0x78, 2, 0x0A, 1, UInt8(ascii: "l"), 0x12, UInt8(feature.count)] + feature + [0x28, 0x80, 0x20]
    return [0x1A, UInt8(layer.count)] + layer
  }()

  private func style(_ source: String) throws -> Style {
    let text = #"""
      {"version": 8, "sources": {"s": \#(source)}, "layers": [{"id": "paper", "type": "background", "paint": {"background-color": "#00f"}},
        {"id": "fill", "type": "fill", "source": "s", "source-layer": "l", "paint": {"fill-color": "#f00", "fill-antialias": false}}]}
      """#
    return try Style(json: try JSON.parse(Array(text.utf8)))
  }

  private func renderer(
    _ source: String, base: String = "", _ change: (inout MapEnvironment.Options) -> Void = { _ in }
  ) throws -> Renderer {
    var options = MapEnvironment.Options()
    options.threadCount = 1
    options.retryCount = 0
    change(&options)
    return try Renderer(
      style: try style(source), base: base, options: options)
  }

  private func draw(_ renderer: Renderer, lon: Double = 0.001, zoom: Double = 0, deadline: Deadline = .never)
    throws -> (
      pixel: UInt32, report: Report
    )
  {
    let picture = try renderer.draw(
      Camera(center: LonLat(lon, 0.001), zoom: zoom), ViewSize(width: 16, height: 16), deadline: deadline)
    return (picture.bitmap.pixels[8 * 16 + 8], picture.report)
  }

  private static let red: UInt32 = 0xFF00_00FF
  private static let blue: UInt32 = 0xFFFF_0000

  private func archive(_ path: String, _ tiles: [UInt64]) throws {
    let writer = try openArchiveWriter(
      path, path.hasSuffix("mbtiles") ? .mbtiles : .pmtiles, ArchiveWriterOptions())
    for number in tiles { try writer.add(number, count: 1, Self.tile) }
    var metadata = ArchiveMetadata()
    metadata.tileType = .mvt
    try writer.finish(metadata)
  }

  // MARK: Archives

  @Test(arguments: ["mbtiles", "pmtiles"]) func anArchiveThatIsReplacedIsOpenedAnewAndTold(_ format: String)
    throws
  {
    let folder = WorkFolder()
    let path = folder.file("a.\(format)")
    // One level only: the tile at zoom 1 is in the second archive alone.
    try archive(path, [1, 2, 4])
    let renderer = try renderer(#"{"type": "vector", "url": "\#(format)://\#(path)"}"#)
    // Tile 1/1/0 or 1/1/1, by the side of the equator: 3 in Hilbert's order is 1/1/1, 4 is 1/1/0.
    let before = try draw(renderer, lon: 90, zoom: 1)
    try archive(folder.file("b.\(format)"), [1, 2, 3, 4])
    #expect(rename(folder.file("b.\(format)"), path) == 0)
    let after = try draw(renderer, lon: 90, zoom: 1)
    #expect(after.report.entries.map(\.kind) == [.archive])
    #expect(after.report.entries.first?.resource == "\(format)://\(path)" && after.report.isComplete)
    #expect(renderer.problems.contains { $0.code == .archive && $0.message.contains("replaced") })
    #expect(before.report.count == 0)
    #expect(after.pixel == Self.red)
    #expect(try draw(renderer, lon: 90, zoom: 1).report.count == 0)
  }

  @Test func anArchiveThatIsReplacedOnItsServerIsBegunAnewByTheNextPicture() throws {
    let folder = WorkFolder()
    try archive(folder.file("a.pmtiles"), [1, 2])
    try archive(folder.file("b.pmtiles"), [1, 2, 3, 4])
    let contents = [folder.read("a.pmtiles"), folder.read("b.pmtiles")]
    let version = Mutex(0)
    let server = TestServer { request in
      let number = version.withLock { $0 }
      guard case .status(let status, var headers, let body) = TestServer.part(request, of: contents[number])
      else { return .status(500) }
      headers["ETag"] = "\"\(number)\""
      return .status(status, headers, body)
    }
    defer { server.stop() }
    let url = "pmtiles://" + server.url("/a.pmtiles")
    let renderer = try renderer(#"{"type": "vector", "url": "\#(url)"}"#)
    #expect(try draw(renderer, lon: 90, zoom: 1).pixel == Self.blue)
    version.withLock { $0 = 1 }
    // This view asks the server, and what comes is of another version; the next picture begins anew.
    _ = try draw(renderer, lon: -90, zoom: 1)
    let after = try draw(renderer, lon: 90, zoom: 1)
    #expect(after.report.entries.map(\.kind) == [.archive] && after.report.entries.first?.resource == url)
    #expect(after.pixel == Self.red)
  }

  @Test(arguments: ["mbtiles", "pmtiles"]) func anArchiveThatIsTakenAwayIsAFailure(_ format: String) throws {
    let folder = WorkFolder()
    let path = folder.file("a.\(format)")
    try archive(path, [0])
    let renderer = try renderer(#"{"type": "vector", "url": "\#(format)://\#(path)"}"#)
    #expect(try draw(renderer).pixel == Self.red)
    unlink(path)
    for _ in 0..<2 {
      let gone = try draw(renderer)
      #expect(gone.pixel == Self.blue && !gone.report.isComplete)
      #expect(gone.report.entries.contains { $0.kind == .source && $0.code == .notFound && $0.source == "s" })
    }
  }

  @Test(arguments: ["mbtiles", "pmtiles"]) func anArchiveThatNeverWasThereIsAFailureOfTheTile(
    _ format: String
  ) throws {
    let folder = WorkFolder()
    let url = "\(format)://\(folder.file("none.\(format)"))"
    let report = try draw(try renderer(#"{"type": "vector", "tiles": ["\#(url)"], "maxzoom": 0}"#)).report
    #expect(
      report.entries.map(\.kind) == [.tile] && report.entries.first?.code == .archive && !report.isComplete)
  }

  @Test func anArchiveCutShortIsAFailureOfTheTile() throws {
    let folder = WorkFolder()
    let path = folder.file("a.pmtiles")
    try archive(path, [0])
    let renderer = try renderer(#"{"type": "vector", "tiles": ["pmtiles://\#(path)"], "maxzoom": 0}"#)
    #expect(truncate(path, 16400) == 0)
    let cut = try draw(renderer)
    #expect(!cut.report.isComplete)
    #expect(cut.report.entries.contains { $0.code == .archive && $0.tile == TileID(z: 0, x: 0, y: 0) })
  }

  @Test func aTileThatAnArchiveDoesNotHoldIsNoNews() throws {
    let folder = WorkFolder()
    try archive(folder.file("a.pmtiles"), [1])
    let renderer = try renderer(#"{"type": "vector", "url": "pmtiles://\#(folder.file("a.pmtiles"))"}"#)
    #expect(try draw(renderer, lon: 90, zoom: 1).report.count == 0)
  }

  // MARK: Deadlines

  @Test func aTileThatStallsIsLeftOutAndThePictureComes() throws {
    let server = TestServer { request in
      request.path.hasPrefix("/1/0/")
        ? .status(200, [:], Self.tile) : request.earlier > 0 ? .status(200, [:], Self.tile) : .silence
    }
    defer { server.stop() }
    let renderer = try renderer(
      #"{"type": "vector", "tiles": ["\#(server.url("/{z}/{x}/{y}"))"], "minzoom": 1, "maxzoom": 1}"#)
    let start = Deadline.nowNS
    let late = try draw(renderer, lon: 90, zoom: 1, deadline: .after(ms: 300))
    #expect(Deadline.nowNS - start < 3_000_000_000)
    #expect(late.pixel == Self.blue && !late.report.isComplete)
    #expect(
      !late.report.entries.isEmpty
        && late.report.entries.allSatisfy { $0.kind == .tile && $0.code == .timeout && $0.tile?.z == 1 })
    // The next picture asks again.
    let next = try draw(renderer, lon: 90, zoom: 1, deadline: .after(ms: 5000))
    #expect(next.pixel == Self.red && next.report.count == 0)
  }

  /// Ten seconds after each failure, not after the first of all.
  @Test func whatAServerDidNotGiveIsAskedForAgainByItsAge() throws {
    let isUp = Mutex(false)
    let server = TestServer { _ in isUp.withLock { $0 } ? .status(200, [:], Self.tile) : .status(503) }
    defer { server.stop() }
    let now = Mutex<UInt64>(100_000)
    let renderer = try renderer(
      #"{"type": "vector", "tiles": ["\#(server.url("/{z}/{x}/{y}"))"], "minzoom": 1, "maxzoom": 1}"#
    ) { $0.now = { now.withLock { $0 } } }
    #expect(try draw(renderer, lon: -90, zoom: 1).pixel == Self.blue)
    now.withLock { $0 += Renderer.askAgainAfterMS - 1 }
    #expect(try draw(renderer, lon: 90, zoom: 1).pixel == Self.blue)
    isUp.withLock { $0 = true }
    #expect(try draw(renderer, lon: -90, zoom: 1).pixel == Self.blue, "a millisecond too early")
    now.withLock { $0 += 1 }
    #expect(try draw(renderer, lon: -90, zoom: 1).pixel == Self.red)
    #expect(try draw(renderer, lon: 90, zoom: 1).pixel == Self.blue, "it failed a moment ago")
    now.withLock { $0 += Renderer.askAgainAfterMS }
    #expect(try draw(renderer, lon: 90, zoom: 1).pixel == Self.red)
  }

  @Test func theTimeOfARequestCoversTheStyle() throws {
    let server = TestServer { _ in .silence }
    defer { server.stop() }
    var options = MapEnvironment.Options()
    options.timeoutMS = 300
    let start = Deadline.nowNS
    #expect { try Renderer.load(server.url("/style.json"), options: options) } throws: {
      ($0 as? NeatError)?.code == .timeout
    }
    #expect(Deadline.nowNS - start < 3_000_000_000)
  }

  // MARK: Files of this machine

  @Test(arguments: ["%", "file://%", "FILE://%", "file:%", "file://localhost%"])
  func whatAServerSendsMayNotReadFiles(_ spelling: String) throws {
    let folder = WorkFolder()
    let path = folder.file("data.json")
    try #require(FileManagerless.write(path, Array(#"{"type": "Point", "coordinates": [0, 0]}"#.utf8)))
    let url = spelling.replacing("%", by: path)
    let source = #"{"type": "geojson", "data": "\#(url)"}"#
    // A path without a scheme belongs to the server: whatever comes of it, it is not the file.
    let server = TestServer { _ in .status(404) }
    defer { server.stop() }
    let fromServer = try draw(try renderer(source, base: server.url("/style.json"))).report
    #expect(fromServer.entries.map(\.kind) == [.source] && !fromServer.isComplete)
    if Address.scheme(url) != nil {
      #expect(fromServer.entries.first?.code == .unsupported)
      #expect(fromServer.entries.first?.resource == url)
      let allowed = try renderer(source, base: server.url("/style.json")) { $0.allowsLocalFiles = true }
      #expect(try draw(allowed).report.count == 0)
    }
    #expect(try draw(try renderer(source)).report.count == 0)
    #expect(
      try draw(try renderer(source) { $0.allowsLocalFiles = false }).report.entries.first?.code
        == .unsupported)
  }

  @Test(arguments: [
    "mbtiles://file", "MBTiles://FILE", "pmtiles://file", "PMTiles://file", "mbtiles", "pmtiles",
  ])
  func whatAServerSendsMayNotReadArchives(_ scheme: String) throws {
    let folder = WorkFolder()
    let path = folder.file(scheme.lowercased().hasPrefix("mb") ? "a.mbtiles" : "a.pmtiles")
    try archive(path, [0])
    let server = TestServer { _ in
      .status(200, [:], Array(#"{"tiles": ["\#(scheme)://\#(path)"], "maxzoom": 0}"#.utf8))
    }
    defer { server.stop() }
    // The style is of this machine, but the TileJSON that names the archive is not.
    let source = #"{"type": "vector", "url": "\#(server.url("/tiles.json"))"}"#
    let report = try draw(try renderer(source)).report
    #expect(report.entries.map(\.kind) == [.tile] && !report.isComplete)
    let direct = #"{"type": "vector", "url": "\#(scheme)://\#(path)"}"#
    let named = try draw(try renderer(direct, base: server.url("/style.json")))
    #expect(named.pixel == Self.blue && !named.report.isComplete)
    // Without a scheme of its own the path belongs to the server.
    if scheme.contains(":") {
      #expect(report.entries.first?.code == .unsupported && named.report.entries.first?.code == .unsupported)
      let allowed = try draw(try renderer(source) { $0.allowsLocalFiles = true })
      #expect(allowed.pixel == Self.red && allowed.report.count == 0)
    }
    #expect(try draw(try renderer(direct)).report.count == 0)
  }

  @Test func aRedirectDoesNotLeadToAFile() throws {
    let folder = WorkFolder()
    try #require(FileManagerless.write(folder.file("tile"), Self.tile))
    let server = TestServer { [file = folder.file("tile")] _ in .status(302, ["Location": "file://\(file)"]) }
    defer { server.stop() }
    let drawn = try draw(
      try renderer(#"{"type": "vector", "tiles": ["\#(server.url("/{z}/{x}/{y}"))"], "maxzoom": 0}"#))
    #expect(drawn.pixel == Self.blue && !drawn.report.isComplete)
  }

  @Test func spritesAndGlyphsOfAServersStyleMayNotBeFiles() throws {
    let text = #"""
      {"version": 8, "sources": {"g": {"type": "geojson", "data": {"type": "Point", "coordinates": [0, 0]}}},
       "sprite": "file:///etc/sprite", "glyphs": "file:///etc/{fontstack}/{range}.pbf",
       "layers": [{"id": "n", "type": "symbol", "source": "g", "layout": {"text-field": "A"}}]}
      """#
    let style = try Style(json: try JSON.parse(Array(text.utf8)))
    let renderer = try Renderer(style: style, base: "http://127.0.0.1:1/style.json")
    let report = try draw(renderer).report
    let refused = report.entries.filter { $0.code == .unsupported }
    #expect(Set(refused.map(\.kind)) == [.sprite, .glyphs])
    #expect(refused.allSatisfy { $0.message.contains("may not be read") })
  }
}

/// Files without Foundation.
enum FileManagerless {
  static func write(_ path: String, _ bytes: [UInt8]) -> Bool {
    guard let file = fopen(path, "wb") else { return false }
    defer { fclose(file) }
    return fwrite(bytes, 1, bytes.count, file) == bytes.count
  }
}
