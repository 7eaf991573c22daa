import NeatBase
import NeatCamera
import NeatJSON
import NeatStyle
import NeatTile
import Testing

@testable import NeatMap

/// Layers of tiles that a style does not show are not decoded with them, and are there all the same.
@Suite struct UnshownLayerTests {
  private func layer(_ name: String) -> TileLayer {
    var builder = TileLayerBuilder(name: name, extent: 4096)
    builder.beginFeature(.polygon, id: 5)
    for point in [SIMD2<Int32>(0, 0), SIMD2(4096, 0), SIMD2(4096, 4096), SIMD2(0, 4096)] {
      builder.addPoint(point)
    }
    builder.endPart()
    builder.endFeature()
    return builder.build()
  }

  private func map(_ layers: String) throws -> MapCore {
    let json = """
      {"version": 8, "sources": {"s": {"type": "vector", "tiles": ["http://t/{z}/{x}/{y}"], "maxzoom": 2}},
      "layers": [\(layers)]}
      """
    return MapCore(style: try Style(json: JSON.parse(Array(json.utf8))), base: "")
  }

  private static let shown =
    #"{"id": "a", "type": "fill", "source": "s", "source-layer": "a", "paint": {"fill-color": "red"}}"#
  private static let deep = """
    {"id": "b", "type": "fill", "source": "s", "source-layer": "b", "minzoom": 4,
    "paint": {"fill-color": "blue"}}
    """

  /// A layer "b" with two features that end within a field.
  private static let broken: [UInt8] = [0x1a, 11, 0x0a, 1, 0x62, 0x12, 1, 0x80, 0x12, 1, 0x80, 0x78, 2]

  private func draw(_ map: MapCore, zoom: Double, isBroken: Bool = false) throws -> Picture {
    let tile =
      isBroken
      ? encodeMVT(VectorTile(layers: [layer("a")])) + UnshownLayerTests.broken
      : encodeMVT(VectorTile(layers: [layer("a"), layer("b")]))
    return try map.draw(
      camera: Camera(zoom: zoom), size: ViewSize(width: 16, height: 16),
      client: ResourceClient { $0.map { _ in .data(tile) } }, executor: .inline)
  }

  private func tiles(_ map: MapCore) throws -> [VectorTile] {
    let source = try #require(map.state.withLock { $0.sources["s"] })
    return (0..<4).compactMap { index in
      let id = TileID(z: 1, x: UInt32(index & 1), y: UInt32(index >> 1))
      guard case .vector(let tile)? = source.content(id) else { return nil }
      return tile
    }
  }

  private func isRead(_ entry: VectorTile.Entry) -> Bool {
    if case .read = entry { true } else { false }
  }

  @Test func questionsFindThem() throws {
    let map = try map(UnshownLayerTests.shown)
    let picture = try draw(map, zoom: 1)
    #expect(picture.report.entries.isEmpty)
    let tiles = try tiles(map)
    try #require(!tiles.isEmpty)
    for tile in tiles { #expect(tile.entries.map(isRead) == [true, false]) }
    let transform = try map.transform(Camera(zoom: 1), ViewSize(width: 16, height: 16))
    var query = SourceQuery(source: "s")
    query.layers = ["b"]
    guard case .features(let answer) = try map.answer(.sourceFeatures(query), transform) else {
      Issue.record("no features")
      return
    }
    #expect(answer.features.count == tiles.count)
    #expect(answer.features.allSatisfy { $0.sourceLayer == "b" })
  }

  @Test func questionsTellWhatTheyCannotRead() throws {
    let map = try map(UnshownLayerTests.shown)
    #expect(try draw(map, zoom: 1, isBroken: true).report.entries.isEmpty, "no layer shows it")
    let tiles = try tiles(map)
    #expect(!tiles.isEmpty && tiles.allSatisfy { $0.entries.map(isRead) == [true, false] })
    let transform = try map.transform(Camera(zoom: 1), ViewSize(width: 16, height: 16))
    func ask(_ options: String) throws -> QueryAnswer {
      let question = try MapQuestion(
        JSON.parse(Array("{\"ask\": \"source-features\", \"source\": \"s\"\(options)}".utf8)))
      guard case .features(let answer) = try map.answer(question, transform) else {
        throw NeatError(.state, "an answer of another kind")
      }
      return answer
    }
    #expect(try ask(#", "sourceLayers": ["a"], "report": true"#).report?.entries.isEmpty == true)
    #expect(map.problems.isEmpty)

    // A problem of the map each, also for those who ask for no report.
    #expect(try ask("").report == nil)
    #expect(map.problems.count == tiles.count)
    #expect(try ask(#", "sourceLayers": ["a"], "report": true"#).report?.entries.isEmpty == true)
    let all = try ask(#", "report": true"#)
    #expect(all.features.count == tiles.count && all.features.allSatisfy { $0.sourceLayer == "a" })
    let report = try #require(all.report)
    expect(report, of: tiles.count)
    #expect(map.problems.map(\.message) == report.entries.map(\.message))
    #expect(map.problems.allSatisfy { $0.part == .tile && $0.source == "s" && $0.tile != nil })
  }

  /// That of each tile the broken features are told, which the next picture does not have either.
  private func expect(_ report: Report, of count: Int) {
    #expect(report.isComplete && report.entries.count == count)
    #expect(Set(report.entries.map(\.tile)).count == count)
    for entry in report.entries {
      #expect(entry.kind == .tile && entry.code == .tile && entry.source == "s" && !entry.isFailure)
      #expect(entry.resource == entry.tile.map { "http://t/\($0.z)/\($0.x)/\($0.y)" })
      #expect(entry.message.hasPrefix("layer \"b\": ") && entry.message.hasSuffix(", and 1 more"))
    }
    let at = encodeMVT(VectorTile(layers: [layer("a")])).count + 2 + 3
    #expect(report.entries.allSatisfy { $0.message.contains("(byte \(at))") }, "a byte of the tile")
  }

  @Test func whatIsShownAndCannotBeReadIsReported() throws {
    let other = #"{"id": "b", "type": "fill", "source": "s", "source-layer": "b"}"#
    let map = try map(UnshownLayerTests.shown + "," + other)
    let picture = try draw(map, zoom: 1, isBroken: true)
    #expect(picture.bitmap.pixels[0] == 0xFF00_00FF, "what can be read is drawn")
    let count = try tiles(map).count
    expect(picture.report, of: count)
    #expect(map.problems.map(\.message) == picture.report.entries.map(\.message))
    // As often as it is drawn, and a problem once, though all tiles come again.
    map.state.withLock { $0.sources["s"]?.tiles.removeAll() }
    expect(try draw(map, zoom: 1, isBroken: true).report, of: count)
    #expect(map.problems.count == count)
  }

  /// What is read for a deeper zoom, of a slice of the tile, is told as the tile's own.
  @Test func whatIsReadLaterIsReportedThen() throws {
    let map = try map(UnshownLayerTests.shown + "," + UnshownLayerTests.deep)
    #expect(try draw(map, zoom: 2, isBroken: true).report.entries.isEmpty)
    let report = try draw(map, zoom: 4, isBroken: true).report
    #expect(!report.entries.isEmpty)
    for entry in report.entries {
      #expect(entry.tile?.z == 2 && entry.resource.hasPrefix("http://t/2/"))
      #expect(entry.message.hasPrefix("layer \"b\": "))
    }
    #expect(Set(map.problems.map(\.message)) == Set(report.entries.map(\.message)))
    #expect(Set(map.problems.map(\.tile)) == Set(report.entries.map(\.tile)))
  }

  /// A picture tells of what it shows, whatever others have read, and each layer is told of once.
  @Test func eachLayerHasItsOwnFaults() throws {
    let map = try map(UnshownLayerTests.shown + "," + UnshownLayerTests.deep)
    let a: [UInt8] = [0x1a, 8, 0x0a, 1, 0x61, 0x12, 1, 0x80, 0x78, 2]
    func draw(_ zoom: Double) throws -> Report {
      try map.draw(
        camera: Camera(zoom: zoom), size: ViewSize(width: 16, height: 16),
        client: ResourceClient { $0.map { _ in .data(a + UnshownLayerTests.broken) } }, executor: .inline
      ).report
    }
    func layers(_ messages: [String]) -> Set<Substring> { Set(messages.map { $0.prefix(9) }) }
    let first = try draw(2)
    #expect(layers(first.entries.map(\.message)) == ["layer \"a\""])
    #expect(map.problems.count == first.entries.count)
    let deep = try draw(4)
    #expect(layers(deep.entries.map(\.message)) == ["layer \"a\"", "layer \"b\""])
    let again = try draw(2)
    #expect(again.entries == first.entries)
    let told = map.problems.map { "\($0.tile.map { "\($0)" } ?? "") \($0.message)" }
    #expect(Set(told).count == told.count && layers(map.problems.map(\.message)).count == 2)
    #expect(map.problems.allSatisfy { !$0.message.contains(" more") || $0.message.hasPrefix("layer \"b\"") })
  }

  @Test func aLayerWithoutSourceLayerShowsTheOnlyOne() throws {
    let only = #"{"id": "b", "type": "fill", "source": "s"}"#
    for (bytes, count) in [(Self.broken, 1), (encodeMVT(VectorTile(layers: [layer("a")])) + Self.broken, 0)] {
      let map = try map(only)
      let report = try map.draw(
        camera: Camera(zoom: 0), size: ViewSize(width: 16, height: 16),
        client: ResourceClient { $0.map { _ in .data(bytes) } }, executor: .inline
      ).report
      #expect(report.entries.filter { $0.message.hasPrefix("layer \"b\"") }.count == count)
    }
  }

  /// Of tiles in the margin labels are shown: what else has been read of them meanwhile is not the picture's.
  @Test func whatIsReadOfTheMarginIsNoPartOfAPicture() throws {
    let labels = #"{"id": "labels", "type": "symbol", "source": "s", "source-layer": "a"}"#
    let map = try map(labels + "," + UnshownLayerTests.deep)
    let tile = encodeMVT(VectorTile(layers: [layer("a")])) + UnshownLayerTests.broken
    var camera = Camera(zoom: 4)
    // 11 pixels from a tile's edge.
    camera.center = LonLat(89.5, 10)
    let size = ViewSize(width: 16, height: 16)
    func draw() throws -> Report {
      try map.draw(
        camera: camera, size: size, client: ResourceClient { $0.map { _ in .data(tile) } }, executor: .inline
      ).report
    }
    let first = try draw()
    #expect(first.entries.map(\.tile) == [TileID(z: 2, x: 2, y: 1)])
    var other = camera
    other.center = LonLat(90.5, 10)
    var query = SourceQuery(source: "s")
    query.wantsReport = true
    guard case .features(let answer) = try map.answer(.sourceFeatures(query), map.transform(other, size))
    else {
      Issue.record("no features")
      return
    }
    #expect(answer.report?.entries.map(\.tile) == [TileID(z: 2, x: 3, y: 1)])
    #expect(try draw().entries == first.entries)
    camera = other
    #expect(try draw().entries.map(\.tile) == [TileID(z: 2, x: 3, y: 1)])
  }

  @Test func faultsOfTilesLeaveRoomForOtherProblems() {
    var log = ProblemLog()
    for index in 0..<(2 * ProblemLog.faultLimit) {
      log.addFault(MapProblem(resource: "\(index)", message: "broken", code: .tile, part: .tile))
      log.addFault(MapProblem(resource: "\(index)", message: "broken", code: .tile, part: .tile))
    }
    #expect(log.problems.count == ProblemLog.faultLimit)
    log.add(MapProblem(resource: "other", message: "broken", code: .network, part: .tile))
    #expect(log.problems.count == ProblemLog.faultLimit + 1)
  }

  @Test func aSourceThatIsNotThereYetIsReported() throws {
    for (source, kind) in [
      (#""url": "http://t/source""#, Missing.Kind.source), (#""tiles": ["http://t"]"#, .tile),
    ] {
      let json = #"{"version": 8, "sources": {"s": {"type": "vector", \#(source)}}, "layers": []}"#
      let map = MapCore(style: try Style(json: JSON.parse(Array(json.utf8))), base: "")
      let transform = try map.transform(Camera(zoom: 1), ViewSize(width: 16, height: 16))
      var query = SourceQuery(source: "s")
      query.wantsReport = true
      guard case .features(let answer) = try map.answer(.sourceFeatures(query), transform) else {
        Issue.record("no features")
        return
      }
      let report = try #require(answer.report)
      #expect(answer.features.isEmpty && !report.entries.isEmpty && !report.isComplete)
      #expect(report.entries.allSatisfy { $0.kind == kind && $0.code == .timeout && $0.source == "s" })
    }
  }

  /// What deeper zooms show is read, and cut, when they are there.
  @Test func deeperZoomsShowThem() throws {
    let map = try map(UnshownLayerTests.shown + "," + UnshownLayerTests.deep)
    let (shallow, deep) = (try draw(map, zoom: 2).bitmap, try draw(map, zoom: 4).bitmap)
    #expect(shallow.pixels[0] == 0xFF00_00FF, "red")
    #expect(deep.pixels[0] == 0xFFFF_0000, "blue")
  }

  @Test func aSourceLayerThatNoTileHasIsStillReported() throws {
    let other = #"{"id": "c", "type": "fill", "source": "s", "source-layer": "none"}"#
    let report = try draw(try map(UnshownLayerTests.shown + "," + other), zoom: 1).report
    #expect(report.entries.map(\.kind) == [.sourceLayer])
  }
}
