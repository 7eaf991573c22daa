import NeatBase
import NeatJSON
import NeatLoop
import NeatStore
import NeatTestSupport
import NeatTile
import Synchronization
import Testing

@testable import NeatResource

@Suite struct ResourceLoaderTests {
  private static let shared = SharedFiles.path("data") == nil ? nil : SharedFiles.root

  private static var hasShared: Bool { shared != nil }

  private func temporary(_ bytes: [UInt8], _ name: String = "") -> String {
    var template = Array("/tmp/neat-loop-XXXXXX".utf8CString)
    let descriptor = mkstemp(&template)
    _ = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    close(descriptor)
    return template.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
  }

  private func data(_ result: ResourceResult) -> [UInt8]? {
    if case .data(let bytes) = result { return bytes }
    return nil
  }

  private func code(_ result: ResourceResult) -> ErrorCode? {
    if case .failed(let error) = result { return error.code }
    return nil
  }

  private func isMissing(_ result: ResourceResult) -> Bool {
    if case .missing = result { return true }
    return false
  }

  @Test func filesAreReadByPathAndByAddress() {
    let loader = ResourceLoader()
    let path = temporary([1, 2, 3])
    defer { unlink(path) }
    #expect(data(loader.load(ResourceRequest(kind: .style, url: path))) == [1, 2, 3])
    #expect(data(loader.load(ResourceRequest(kind: .style, url: "file://" + path))) == [1, 2, 3])
    #expect(
      data(
        loader.load(
          ResourceRequest(kind: .style, url: "file://" + path.split(separator: "-").joined(separator: "%2D")))
      ) == [1, 2, 3])
    #expect(isMissing(loader.load(ResourceRequest(kind: .style, url: path + "-not"))))
    #expect(code(loader.load(ResourceRequest(kind: .style, url: "/tmp"))) == .io)
    #expect(code(loader.load(ResourceRequest(kind: .style, url: "gopher://x"))) == .unsupported)
    var options = ResourceLoader.Options()
    options.allowsFiles = false
    options.allowsNetwork = false
    let closed = ResourceLoader(options: options)
    #expect(code(closed.load(ResourceRequest(kind: .style, url: path))) == .unsupported)
    #expect(code(closed.load(ResourceRequest(kind: .style, url: "http://127.0.0.1:1/"))) == .unsupported)
  }

  @Test func dataAddressesHoldTheirBytes() {
    let loader = ResourceLoader()
    func load(_ url: String) -> ResourceResult { loader.load(ResourceRequest(kind: .image, url: url)) }
    #expect(data(load("data:,a%20b%")) == Array("a b%".utf8))
    #expect(data(load("data:text/plain;base64,aGVsbG8=")) == Array("hello".utf8))
    #expect(data(load("data:;base64,")) == [])
    #expect(code(load("data:;base64,a*b")) == .invalidArgument)
    #expect(code(load("data:nothing")) == .invalidArgument)
  }

  @Test(.enabled(if: ResourceLoaderTests.hasShared), arguments: ["mbtiles", "pmtiles"])
  func archivesAreOpenedAhead(scheme: String) throws {
    let root = try #require(ResourceLoaderTests.shared)
    let path = temporary(try FileReader.readAll("\(root)/data/tiles/sf.\(scheme)", limit: 1 << 30))
    let url = "\(scheme)://\(path)"
    let (ahead, late) = (ResourceLoader(), ResourceLoader())
    #expect(ahead.openArchive(ResourceRequest(kind: .source, url: url)))
    unlink(path)
    let tile = ResourceRequest(kind: .tile, url: url, tile: TileID(z: 12, x: 655, y: 1583))
    #expect((data(ahead.load(tile))?.count ?? 0) > 1000)
    #expect(code(late.load(tile)) == .archive)
    // What is wrong is told to those who ask.
    #expect(late.openArchive(ResourceRequest(kind: .source, url: url)))
    #expect(isMissing(late.load(ResourceRequest(kind: .source, url: url))))
  }

  @Test func onlyArchivesOfThisMachineAreOpenedAhead() {
    let loader = ResourceLoader()
    for url in [
      "http://127.0.0.1:9/x.pmtiles", "pmtiles://http://127.0.0.1:9/x.pmtiles", "/x.mbtiles", "data:,x", "",
    ] {
      #expect(!loader.openArchive(ResourceRequest(kind: .source, url: url)), "\(url)")
    }
  }

  @Test(.enabled(if: ResourceLoaderTests.hasShared)) func archivesGiveTilesAndTileJSON() throws {
    let root = try #require(ResourceLoaderTests.shared)
    let loader = ResourceLoader()
    for (name, tile) in [
      ("innsbruck", TileID(z: 12, x: 2177, y: 1437)), ("sf", TileID(z: 12, x: 655, y: 1583)),
    ] {
      var contents: [[String]] = []
      for scheme in ["mbtiles", "pmtiles"] {
        let url = "\(scheme)://\(root)/data/tiles/\(name).\(scheme)"
        let json = try JSON.parse(loader.tileJSON(forArchive: url))
        #expect(json["tiles"]?[0]?.string == url)
        #expect(
          json["maxzoom"]?.number == 14 && json["bounds"]?.count == 4 && json["format"]?.string == "pbf")
        #expect((json["vector_layers"]?.count ?? 0) > 5)
        let bytes = try #require(data(loader.load(ResourceRequest(kind: .tile, url: url, tile: tile))))
        contents.append(try decodeMVT(bytes).layers.map { "\($0.name) \($0.featureCount) \($0.pointCount)" })
        #expect(
          isMissing(loader.load(ResourceRequest(kind: .tile, url: url, tile: TileID(z: 14, x: 0, y: 0)))))
        #expect(
          isMissing(loader.load(ResourceRequest(kind: .tile, url: url, tile: TileID(z: 20, x: 0, y: 0)))))
      }
      #expect(contents[0] == contents[1] && !contents[0].isEmpty)
    }
    #expect(throws: NeatError.self) { try loader.tileJSON(forArchive: "pmtiles:///nowhere/x.pmtiles") }
    #expect(
      code(
        loader.load(
          ResourceRequest(kind: .source, url: "pmtiles://\(root)/conformance/pmtiles/invalid.pmtiles")))
        == .archive)
    #expect(
      code(
        loader.load(
          ResourceRequest(kind: .source, url: "pmtiles://\(root)/conformance/pmtiles/empty.pmtiles")))
        == .archive)
  }

  @Test(.enabled(if: ResourceLoaderTests.hasShared)) func archivesOnServersAreReadInParts() throws {
    let root = try #require(ResourceLoaderTests.shared)
    let loader = ResourceLoader()
    let path = "\(root)/data/tiles/world-countries.pmtiles"
    let archive = try #require(data(loader.load(ResourceRequest(kind: .font, url: path))))
    let server = TestServer { $0.path == "/a.pmtiles" ? TestServer.part($0, of: archive) : .status(404) }
    defer { server.stop() }
    let url = "pmtiles://" + server.url("/a.pmtiles")
    let json = try JSON.parse(loader.tileJSON(forArchive: url))
    #expect(json["maxzoom"]?.number == 6)
    let requests = (0..<16).map {
      ResourceRequest(kind: .tile, url: url, tile: TileID(z: 2, x: UInt32($0 % 4), y: UInt32($0 / 4)))
    }
    let results = loader.load(requests)
    for (request, result) in zip(requests, results) {
      let expected = loader.load(ResourceRequest(kind: .tile, url: "pmtiles://" + path, tile: request.tile))
      #expect(data(result) == data(expected))
      #expect(isMissing(result) == isMissing(expected))
    }
    #expect(results.contains { data($0) != nil })
    #expect(
      code(
        loader.load(
          ResourceRequest(
            kind: .tile, url: "pmtiles://" + server.url("/b.pmtiles"), tile: TileID(z: 0, x: 0, y: 0))))
        == .archive)
  }

  @Test func severalRequestsAreAnsweredInOrder() {
    let server = TestServer { request in
      switch request.path {
      case "/a": .late(ms: 80, status: 200, [1])
      case "/b": .status(200, [:], [2])
      case "/none": .status(204)
      case "/silence": .silence
      default: .status(404)
      }
    }
    defer { server.stop() }
    let path = temporary([9])
    defer { unlink(path) }
    let loader = ResourceLoader()
    let urls = [
      server.url("/a"), path, server.url("/b"), server.url("/none"), server.url("/missing"), "data:,x",
    ]
    let results = loader.load(
      urls.map { ResourceRequest(kind: .glyphs, url: $0) }, deadline: .after(ms: 5000))
    #expect(
      data(results[0]) == [1] && data(results[1]) == [9] && data(results[2]) == [2]
        && data(results[5]) == [120])
    if case .empty = results[3] {} else { Issue.record("204 is empty") }
    #expect(isMissing(results[4]))
    let late = loader.load(
      [
        ResourceRequest(kind: .glyphs, url: server.url("/silence")),
        ResourceRequest(kind: .glyphs, url: server.url("/b")),
      ],
      deadline: .after(ms: 200))
    #expect(code(late[0]) == .timeout)
    #expect(data(late[1]) == [2])
  }

  /// Whoever reads while a file is replaced does not leave its old directory to those who come after.
  /// Each of those who share a loader hears of it, once.
  @Test func replacedArchivesAreToldToAllWhoShareThem() {
    var archives = ReplacedArchives()
    archives.add(["a"])
    var first = archives.count
    var second: UInt64 = 0
    #expect(archives.take(since: &first) == [] && archives.take(since: &second) == ["a"])
    archives.add(["c", "b"])
    #expect(archives.take(since: &first) == ["b", "c"] && archives.take(since: &first) == [])
    archives.add(["b"])
    #expect(archives.take(since: &second) == ["b", "c"] && archives.take(since: &first) == ["b"])
  }

  @Test func aReplacedArchiveIsReadByItsOwnDirectory() throws {
    let folder = WorkFolder()
    let path = folder.file("a.pmtiles")
    // The tile asked for lies elsewhere in each.
    var archives: [[UInt8]] = []
    for number in UInt8(0)...1 {
      let writer = try openArchiveWriter(
        folder.file("\(number).pmtiles"), .pmtiles, ArchiveWriterOptions())
      if number == 1 { try writer.add(0, count: 1, [UInt8](repeating: 7, count: 99)) }
      try writer.add(1, count: 1, [number, number, number])
      try writer.finish(ArchiveMetadata())
      archives.append(folder.read("\(number).pmtiles"))
    }
    let loader = ResourceLoader()
    let request = ResourceRequest(kind: .tile, url: "pmtiles://" + path, tile: PMTiles.tile(number: 1))
    let contents = archives
    #expect(rename(folder.write("next", contents[0]), path) == 0)
    let wrong = Mutex<[String]>([])
    let isDone = Mutex(false)
    WorkerPool(width: 2).executor.forEach(2) { index in
      var turn = 0
      while index == 0 ? turn < 1500 : !isDone.withLock({ $0 }) {
        turn += 1
        if index == 0 {
          rename(folder.write("next", contents[turn % 2]), path)
          var number: UInt64 = 0
          _ = loader.replacedArchives(since: &number)
        }
        // The old one or the new one, and nothing in between.
        let result = loader.load(request)
        guard data(result) == [0, 0, 0] || data(result) == [1, 1, 1] else {
          wrong.withLock { $0.append("\(turn): \(result)") }
          break
        }
      }
      isDone.withLock { $0 = true }
    }
    #expect(wrong.withLock { $0 } == [])
  }

  /// All on one thread.
  private final class Log: @unchecked Sendable {
    var results: [ResourceResult] = []
  }

  @Test func loadsOnALoopSettleOnceAndCanBeCancelled() throws {
    let server = TestServer { $0.path == "/ok" ? .status(200, [:], [1]) : .silence }
    defer { server.stop() }
    let path = temporary([9])
    defer { unlink(path) }
    let loop = try RunLoop()
    let loader = ResourceLoader()
    let log = Log()
    for url in [
      server.url("/ok"), path, "data:,x", "pmtiles://" + server.url("/silence"), server.url("/silence"), path,
    ] {
      let handle = loader.load(ResourceRequest(kind: .glyphs, url: url), on: loop) { answer in
        log.results.append(answer.result)
        if log.results.count == 6 { loop.stop() }
      }
      if url.hasSuffix("/silence") { loop.timer(afterMS: 30) { handle.cancel() } }
    }
    #expect(log.results.isEmpty)
    loop.run()
    #expect(log.results.filter { data($0) != nil }.count == 4)
    #expect(log.results.filter { code($0) == .cancelled }.count == 2)
    for _ in 0..<5 { loop.runNoWait() }
    #expect(log.results.count == 6)
    loop.close()
  }
}
