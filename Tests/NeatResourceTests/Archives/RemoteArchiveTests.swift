import NeatBase
import NeatNetwork
import NeatResource
import NeatStore
import NeatTestSupport
import NeatTile
import Synchronization
import Testing

@Suite struct RemoteArchiveTests {
  private func archive(_ folder: WorkFolder, count: UInt64) throws -> [UInt8] {
    try madeArchive(folder.file("all.pmtiles"), count: count)
    return folder.read("all.pmtiles")
  }

  @Test func tilesOfOneViewComeInFewRequests() throws {
    let folder = WorkFolder()
    let bytes = try archive(folder, count: 20_000)
    let server = TestServer { TestServer.part($0, of: bytes) }
    defer { server.stop() }
    let loader = ResourceLoader()
    let url = "pmtiles://" + server.url("/a")
    let tiles = (100..<164).map { PMTiles.tile(number: UInt64($0))! }
    let results = loader.load(tiles.map { ResourceRequest(kind: .tile, url: url, tile: $0) })
    for (index, result) in results.enumerated() {
      guard case .data(let found) = result else {
        Issue.record("tile \(tiles[index]): \(result)")
        continue
      }
      #expect(found == madeContent(UInt64(100 + index)))
    }
    // The header with the root, the leaf, the tiles side by side.
    #expect(server.count("/a") <= 4, "\(server.count("/a")) requests")
    let before = server.count("/a")
    _ = loader.load(tiles.map { ResourceRequest(kind: .tile, url: url, tile: $0) })
    #expect(server.count("/a") == before + 1)
  }

  @Test func partsThatLieFarApartAreAskedForOneByOne() throws {
    let body = (0..<400_000).map { UInt8(truncatingIfNeeded: $0 / 1000) }
    let asked = Mutex<[String]>([])
    let server = TestServer { request in
      asked.withLock { $0.append(request.headers["range"] ?? "") }
      return TestServer.part(request, of: body)
    }
    defer { server.stop() }
    let ranges = [(0, 10), (300_000, 50), (5, 20), (20_000, 10), (300_000, 50)].map {
      ByteRange(offset: UInt64($0.0), count: UInt64($0.1))
    }
    let parts = try ResourceLoader().readParts(server.url("/a"), ranges)
    for (range, part) in zip(ranges, parts) {
      #expect(
        part.bytes == Array(body[Int(range.offset)..<Int(range.offset + range.count)])
          && part.totalBytes == 400_000)
    }
    #expect(asked.withLock { $0.sorted() } == ["bytes=0-20009", "bytes=300000-300049"])
  }

  @Test func aRegionIsTakenFromAServerAndContinued() throws {
    let folder = WorkFolder()
    let bytes = try archive(folder, count: 20_000)
    let server = TestServer { TestServer.part($0, of: bytes) }
    defer { server.stop() }
    var target = ArchiveTarget(path: folder.file("part.pmtiles"))
    target.checkpointTiles = 100
    var job = ArchiveCopy(source: server.url("/a"), target: target)
    job.bounds = (-20, -40, 60, 70)
    #expect { try job.run { $0.doneTiles < 600 } } throws: { ($0 as? NeatError)?.code == .cancelled }
    let report = try job.run { _ in true }
    #expect(report.resumedTiles >= 600 && report.resumedTiles < report.counts.tiles)
    let region = try TileRegion(bounds: job.bounds, zooms: 0...8)
    let expected = (UInt64(0)..<20_000).filter { region.contains($0) }
    #expect(report.counts.tiles == UInt64(expected.count))
    let found = allTiles(folder.file("part.pmtiles"), of: expected.map { PMTiles.tile(number: $0)! })
    for number in expected { #expect(found["\(PMTiles.tile(number: number)!)"] == madeContent(number)) }
  }

  @Test func aChangedFileOnTheServerIsNoticed() throws {
    let folder = WorkFolder()
    let first = try archive(folder, count: 300)
    let second = try archive(folder, count: 9000)
    let isNew = Mutex(false)
    let server = TestServer { request in
      let now = isNew.withLock { $0 }
      guard
        case .status(let status, let headers, let body) = TestServer.part(request, of: now ? second : first)
      else {
        return .status(500)
      }
      return .status(status, headers.merging(["ETag": now ? "\"b\"" : "\"a\""]) { $1 }, body)
    }
    defer { server.stop() }
    let loader = ResourceLoader()
    let url = "pmtiles://" + server.url("/a")
    func tile(_ number: UInt64) -> [UInt8]? {
      guard
        case .data(let bytes) = loader.load(
          ResourceRequest(kind: .tile, url: url, tile: PMTiles.tile(number: number)))
      else {
        return nil
      }
      return bytes
    }
    #expect(tile(7) == madeContent(7))
    isNew.withLock { $0 = true }
    #expect(tile(8) == madeContent(8))
    #expect(tile(8000) == madeContent(8000))
    // An extract does not mix two versions.
    isNew.withLock { $0 = false }
    var job = ArchiveCopy(source: server.url("/a"), target: ArchiveTarget(path: folder.file("x.pmtiles")))
    job.zooms = 0...3
    let failing = TestServer { request in
      guard case .status(let status, let headers, let body) = TestServer.part(request, of: first) else {
        return .status(500)
      }
      return .status(status, headers.merging(["ETag": "\"\(request.earlier)\""]) { $1 }, body)
    }
    defer { failing.stop() }
    job.source = failing.url("/a")
    #expect { try job.run { _ in true } } throws: {
      ($0 as? NeatError)?.code == .archive && "\($0)".contains("changed")
    }
  }

  @Test func serversThatSendOtherThingsAreRefused() throws {
    let folder = WorkFolder()
    let bytes = try archive(folder, count: 300)
    let server = TestServer { request in
      switch request.path {
      case "/whole": .status(200, [:], bytes)
      case "/shifted":
        .status(206, ["Content-Range": "bytes 5-16388/\(bytes.count)"], Array(bytes.prefix(16384)))
      case "/cut": TestServer.part(request, of: Array(bytes.dropLast(50)))
      case "/text": TestServer.part(request, of: Array(repeating: 65, count: 30_000))
      default: .status(404)
      }
    }
    defer { server.stop() }
    func code(_ path: String) -> ErrorCode? {
      do throws(NeatError) {
        _ = try ArchiveCopy(source: server.url(path), target: ArchiveTarget(path: folder.file("x.pmtiles")))
          .run { _ in true }
      } catch {
        #expect("\(error)".contains(path))
        return error.code
      }
      return nil
    }
    #expect(
      code("/whole") == .unsupported && code("/shifted") == .network && code("/cut") == .archive
        && code("/text") == .archive)
    #expect(code("/none") == .notFound)
    #expect(access(folder.file("x.pmtiles"), F_OK) != 0)
  }
}
