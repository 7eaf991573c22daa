import NeatBase
import NeatCamera
import NeatImage
import NeatJSON
import NeatStyle
import Synchronization
import Testing

@testable import NeatMap

/// Every picture tells what it had to do without, also where that was found out for an earlier one.
@Suite struct ReportTests {
  /// A tile with one polygon over all of it, in the layer "l".
  private static let tile: [UInt8] = {
    let geometry: [UInt8] = [9, 0, 0, 26, 0x80, 0x40, 0, 0, 0x80, 0x40, 0xFF, 0x3F, 0, 15]
    let feature = [0x18, 3, 0x22, UInt8(geometry.count)] + geometry
    let layer =
      [0x78, 2, 0x0A, 1, UInt8(ascii: "l"), 0x12, UInt8(feature.count)] + feature + [0x28, 0x80, 0x20]
    return [0x1A, UInt8(layer.count)] + layer
  }()
  private static let wanted = "http://host/13/4096/4095"

  /// A map of layers over a vector source; `root`: further members of the style.
  private func map(_ layers: String, root: String = "", source: String = "") throws -> MapCore {
    let style = #"""
      {"version": 8, "sources": {"s": {"type": "vector", "tiles": ["http://host/{z}/{x}/{y}"], "maxzoom": 14\#(source)}},
       \#(root) "layers": [\#(layers)]}
      """#
    return MapCore(style: try Style(json: try JSON.parse(Array(style.utf8))), base: "")
  }

  private static let fill = #"{"id": "fill", "type": "fill", "source": "s", "source-layer": "l"}"#

  private func draw(
    _ map: MapCore, isOver: @escaping @Sendable () -> Bool = { false },
    _ answer: @escaping @Sendable (String) -> ResourceResult
  ) throws -> Report {
    let client = ResourceClient(isOver: isOver) { $0.map { answer($0.url) } }
    return try map.draw(
      camera: Camera(center: LonLat(0.001, 0.001), zoom: 13), size: ViewSize(width: 16, height: 16),
      client: client, executor: .inline
    ).report
  }

  /// Draws twice and expects the same report both times, the second time without asking for anything.
  private func drawTwice(_ map: MapCore, _ answer: @escaping @Sendable (String) -> ResourceResult) throws
    -> Report
  {
    let first = try draw(map, answer)
    let asked = Mutex(0)
    let second = try draw(map) {
      asked.withLock { $0 += 1 }
      return answer($0)
    }
    #expect(second.entries == first.entries)
    #expect(second.isComplete == first.isComplete)
    #expect(asked.withLock { $0 } == 0)
    return first
  }

  @Test func aWholePictureLacksNothing() throws {
    let report = try drawTwice(try map(Self.fill)) { _ in .data(Self.tile) }
    #expect(report.isComplete && report.count == 0)
  }

  @Test func aTileThatItsServerDoesNotHaveIsNamedAndIsNoFailure() throws {
    let report = try drawTwice(try map(Self.fill)) {
      $0 == "http://host/9/256/255" ? .data(Self.tile) : .missing
    }
    let entry = try #require(report.entries.first)
    #expect(report.count == 1)
    #expect(
      entry.kind == .tile && entry.resource == Self.wanted && entry.code == .notFound && !entry.isFailure)
    #expect(entry.source == "s" && entry.tile == TileID(z: 13, x: 4096, y: 4095))
    #expect(report.isComplete)
  }

  @Test func aTileThatFailsIsAFailureInEveryPicture() throws {
    for result in [ResourceResult.failed(NeatError(.network, "refused")), .data([0x1A, 0x7F, 0x01])] {
      let report = try drawTwice(try map(Self.fill)) { $0 == Self.wanted ? result : .data(Self.tile) }
      let entry = try #require(report.entries.first)
      #expect(report.count == 1 && !report.isComplete)
      #expect(entry.kind == .tile && entry.isFailure && entry.tile == TileID(z: 13, x: 4096, y: 4095))
      #expect(entry.code == .network || entry.code == .tile && entry.message.contains("byte"))
    }
  }

  @Test func aTileOfAnotherViewIsNotInTheReport() throws {
    let map = try map(Self.fill)
    #expect(
      try draw(map) { $0 == Self.wanted ? .failed(NeatError(.network, "refused")) : .data(Self.tile) }.count
        == 1)
    let client = ResourceClient { $0.map { _ in .data(Self.tile) } }
    let elsewhere = try map.draw(
      camera: Camera(center: LonLat(90, 10), zoom: 13), size: ViewSize(width: 16, height: 16), client: client,
      executor: .inline)
    #expect(elsewhere.report.count == 0)
  }

  @Test func whatAServerDidNotGiveIsThereInALaterPicture() throws {
    let root = #""sprite": "http://host/sprite", "#
    let map = try map(Self.fill, root: root)
    let down = try draw(map) { _ in .failed(NeatError(.network, "refused")) }
    #expect(Set(down.entries.map(\.kind)) == [.tile, .sprite])
    map.forgetPassingFaults(since: .max, glyphsToo: false)
    let up = try draw(map) { $0.contains("sprite") ? .missing : .data(Self.tile) }
    #expect(up.entries.map(\.kind) == [.sprite])
    #expect(up.entries.first?.code == .notFound)
  }

  /// Each failure has its own age.
  @Test func whatFailedLaterIsAskedForLater() throws {
    let now = Mutex<UInt64>(1000)
    var options = MapCore.Options()
    options.now = { now.withLock { $0 } }
    let style = #"""
      {"version": 8, "sources": {"s": {"type": "vector", "tiles": ["http://host/{z}/{x}/{y}"], "minzoom": 1, "maxzoom": 1},
        "g": {"type": "geojson", "data": "http://host/g.json"}},
       "layers": [{"id": "fill", "type": "fill", "source": "s", "source-layer": "l"},
                  {"id": "line", "type": "line", "source": "g", "minzoom": 1.5}]}
      """#
    let map = MapCore(style: try Style(parsing: Array(style.utf8)), base: "", options: options)
    func asked(_ lon: Double, zoom: Double = 1) throws -> [String] {
      let asked = Mutex<[String]>([])
      let client = ResourceClient { requests in
        asked.withLock { $0 += requests.map(\.url) }
        return requests.map { _ in .failed(NeatError(.network, "refused")) }
      }
      _ = try map.draw(
        camera: Camera(center: LonLat(lon, 50), zoom: zoom), size: ViewSize(width: 16, height: 16),
        client: client, executor: .inline)
      return asked.withLock { $0.sorted() }
    }
    let (west, east, document) = ("http://host/1/0/0", "http://host/1/1/0", "http://host/g.json")
    #expect(try asked(-90) == [west])
    now.withLock { $0 = 2000 }
    #expect(try asked(90) == [east])
    #expect(try asked(90, zoom: 1.6) == [document])
    map.forgetPassingFaults(since: 999, glyphsToo: false)
    #expect(try asked(-90) == [] && asked(90, zoom: 1.6) == [])
    map.forgetPassingFaults(since: 1000, glyphsToo: false)
    now.withLock { $0 = 3000 }
    #expect(try asked(90, zoom: 1.6) == [] && asked(-90) == [west])
    map.forgetPassingFaults(since: 2999, glyphsToo: false)
    #expect(try asked(-90) == [] && asked(90, zoom: 1.6) == [east, document])
  }

  @Test(arguments: [
    (#"{"type": "raster", "tiles": ["http://host/{z}/{x}/{y}"], "tileSize": 16}"#, "raster", 600, 0.0),
    (#"{"type": "geojson", "data": {"type": "Point", "coordinates": [0, 0]}}"#, "circle", 16384, 60),
  ]) func aViewOfMoreTilesThanItGetsSaysSo(_ source: String, _ type: String, _ edge: Int, _ pitch: Double)
    throws
  {
    let style =
      #"{"version": 8, "sources": {"s": \#(source)}, "layers": [{"id": "l", "type": "\#(type)", "source": "s"}]}"#
    let map = MapCore(style: try Style(parsing: Array(style.utf8)), base: "")
    let client = ResourceClient { $0.map { _ in .empty } }
    func entries(_ edge: Int, pitch: Double = 0) throws -> [Missing] {
      var camera = Camera(center: LonLat(1, 1), zoom: 8)
      camera.pitch = pitch
      return try map.draw(
        camera: camera, size: ViewSize(width: edge, height: edge, pixelRatio: 0.1), client: client,
        executor: .inline
      ).report.entries
    }
    #expect(try entries(400) == [] && map.problems == [])
    let entry = try #require(try entries(edge, pitch: pitch).first)
    #expect(entry.code == .limitExceeded && entry.kind == .tile && entry.source == "s" && !entry.isFailure)
    #expect(map.problems.map(\.code) == [.limitExceeded] && map.problems.map(\.resource) == ["s"])
  }

  @Test func iconsAreDrawnOnceTheirSpriteCameLate() throws {
    let style = #"""
      {"version": 8, "sprite": "http://host/sprite", "sources": {"p": {"type": "geojson", "data": {"type": "Point", "coordinates": [0, 0]}}},
       "layers": [{"id": "dot", "type": "symbol", "source": "p", "layout": {"icon-image": "dot"}}]}
      """#
    let map = MapCore(style: try Style(json: try JSON.parse(Array(style.utf8))), base: "")
    let red = PixelImage(
      width: 8, height: 8,
      pixels: [UInt8](repeating: 0, count: 256).enumerated().map { $0.0 % 4 % 3 == 0 ? 255 : 0 },
      isPremultiplied: true
    )
    let sheet = encodePNG(red)
    func middle(_ answer: @escaping @Sendable (String) -> ResourceResult) throws -> (UInt32, Report) {
      let client = ResourceClient { $0.map { answer($0.url) } }
      let picture = try map.draw(
        camera: Camera(), size: ViewSize(width: 16, height: 16), client: client, executor: .inline)
      return (
        UnsafeRawPointer(picture.bitmap.pixels).load(fromByteOffset: (8 * 16 + 8) * 4, as: UInt32.self),
        picture.report
      )
    }
    let (without, faults) = try middle { _ in .failed(NeatError(.network, "refused")) }
    #expect(without == 0 && !faults.isComplete)
    map.forgetPassingFaults(since: .max, glyphsToo: false)
    let (with, report) = try middle {
      $0.hasSuffix(".png")
        ? .data(sheet)
        : .data(Array(#"{"dot": {"x": 0, "y": 0, "width": 8, "height": 8, "pixelRatio": 1}}"#.utf8))
    }
    #expect(with == 0xFF00_00FF, "the tile was laid out before its icon was there")
    #expect(report.isComplete && report.count == 0)
  }

  @Test func spritesSourcesGlyphsAndImagesAreNamed() throws {
    let layers = #"""
      {"id": "name", "type": "symbol", "source": "s", "source-layer": "l", "layout": {"text-field": "Aé", "text-font": ["F"],
        "icon-image": "shield"}},
      {"id": "park", "type": "fill", "source": "s", "source-layer": "l", "paint": {"fill-pattern": "trees"}},
      {"id": "rail", "type": "line", "source": "s", "source-layer": "l", "paint": {"line-pattern": ["literal", "rails"]}},
      {"id": "paper", "type": "background", "paint": {"background-pattern": "paper"}},
      {"id": "more", "type": "line", "source": "g"}
      """#
    let root = #""glyphs": "http://host/{fontstack}/{range}", "sprite": "http://host/sprite", "#
    let style = #"""
      {"version": 8, \#(root) "sources": {"s": {"type": "vector", "tiles": ["http://host/{z}/{x}/{y}"]},
       "g": {"type": "geojson", "data": "http://host/g.json"}}, "layers": [\#(layers)]}
      """#
    let core = MapCore(style: try Style(json: try JSON.parse(Array(style.utf8))), base: "")
    let report = try drawTwice(core) { $0 == Self.wanted ? .data(Self.tile) : .missing }
    func entries(_ kind: Missing.Kind) -> [Missing] { report.entries.filter { $0.kind == kind } }
    #expect(
      entries(.sprite).map(\.resource) == ["http://host/sprite.json"]
        || entries(.sprite).map(\.resource) == ["http://host/sprite.png"])
    #expect(entries(.source).map(\.resource) == ["http://host/g.json"])
    #expect(entries(.source).first?.source == "g")
    #expect(entries(.glyphs).map(\.resource) == ["http://host/F/0-255"])
    #expect(entries(.glyphs).first?.layer == "name")
    #expect(
      Set(entries(.image).map { "\($0.layer ?? "") \($0.resource)" }) == [
        "name shield", "park trees", "rail rails", "paper paper",
      ])
    #expect(entries(.characters).map(\.script) == ["Latn"])
    #expect(entries(.characters).first?.sample == "Aé")
    #expect(!report.isComplete)
  }

  @Test func charactersThatARangeLacksAreToldByScript() throws {
    let layer = #"""
      {"id": "name", "type": "symbol", "source": "s", "source-layer": "l", "layout": {"text-field": "مر \n山\u200B", "text-font": ["F"]}}
      """#
    let report = try drawTwice(try map(layer, root: #""glyphs": "http://host/{fontstack}/{range}", "#)) {
      url in
      url.contains("/F/") ? .data([]) : .data(Self.tile)
    }
    #expect(report.isComplete)
    #expect(report.entries.map(\.kind) == [.characters, .characters])
    #expect(report.entries.map(\.script) == ["Arab", "Hani"])
    #expect(report.entries.map(\.sample) == ["رم", "山"])
    #expect(report.entries.allSatisfy { $0.layer == "name" && $0.resource == "F" && $0.code == .font })
    #expect(report.entries[1].message.contains("U+5C71"))
  }

  @Test func aSourceLayerThatNoTileHasIsNamedUnlessItsSourceListsIt() throws {
    let layers = Self.fill + #", {"id": "typo", "type": "line", "source": "s", "source-layer": "raods"}"#
    let report = try drawTwice(try map(layers)) { _ in .data(Self.tile) }
    #expect(report.entries.map(\.kind) == [.sourceLayer])
    #expect(
      report.entries.first?.layer == "typo" && report.entries.first?.resource == "raods" && report.isComplete)
    let listed = try map(layers, source: #", "vector_layers": [{"id": "l"}, {"id": "raods"}]"#)
    #expect(try drawTwice(listed) { _ in .data(Self.tile) }.count == 0)
    // With a tile missing nobody knows.
    #expect(
      try drawTwice(try map(layers)) { $0 == Self.wanted ? .missing : .data(Self.tile) }.entries.allSatisfy {
        $0.kind == .tile
      })
  }

  @Test func whatTheStyleSaysAndNothingDrawsIsNamed() throws {
    let layers = #"""
      {"id": "air", "type": "sky"}, {"id": "areas", "type": "fill", "source": "s", "source-layer": "l",
        "paint": {"fill-layer-opacity": 0.5}},
      {"id": "later", "type": "sky", "minzoom": 20}, {"id": "new", "type": "clip"}
      """#
    let root = #"""
      "sky": {}, "terrain": {"source": "d"}, "projection": {"type": "conic"}, "fog": {}, "snow": {},
      """#
    let report = try drawTwice(try map(layers, root: root)) { _ in .data(Self.tile) }
    let named = Set(report.entries.filter { $0.kind == .style && $0.code == .unsupported }.map(\.resource))
    #expect(
      named == ["terrain", "projection", "fog", "snow"])
    #expect(report.entries.contains { $0.code == .style && $0.resource == "layers[3].type" })
    #expect(report.isComplete)
    let mercator = try map(Self.fill, root: #""projection": {"type": "mercator"}, "#)
    #expect(try drawTwice(mercator) { _ in .data(Self.tile) }.count == 0)
  }

  @Test func aTileThatIsLateIsLeftOutAndAskedForByTheNextPicture() throws {
    let map = try map(Self.fill)
    let late = Mutex(false)
    let first = try draw(map, isOver: { late.withLock { $0 } }) { _ in
      late.withLock { $0 = true }
      return .failed(NeatError(.timeout, "not loaded in time"))
    }
    let entry = try #require(first.entries.first)
    #expect(first.count == 1 && !first.isComplete)
    #expect(entry.kind == .tile && entry.code == .timeout && entry.resource == Self.wanted)
    #expect(try draw(map) { _ in .data(Self.tile) }.count == 0)
  }

  @Test func textsOfALatePictureAreLaidOutAgainWhenTheirGlyphsCome() throws {
    let layer =
      #"{"id": "name", "type": "symbol", "source": "s", "source-layer": "l", "layout": {"text-field": "A", "text-font": ["F"]}}"#
    let map = try map(layer, root: #""glyphs": "http://host/{fontstack}/{range}", "#)
    let late = Mutex(false)
    let first = try draw(map, isOver: { late.withLock { $0 } }) { url in
      guard url.contains("/F/") else { return .data(Self.tile) }
      late.withLock { $0 = true }
      return .failed(NeatError(.timeout, "not loaded in time"))
    }
    #expect(first.entries.map(\.kind) == [.glyphs])
    #expect(first.entries.first?.code == .timeout)
    let second = try draw(map) { $0.contains("/F/") ? .data([]) : .data(Self.tile) }
    #expect(second.entries.map(\.kind) == [.characters])
  }

  @Test func theReportIsBounded() throws {
    var report = Report()
    for number in 0..<Report.limit {
      report.add(Missing(.image, "\(number)", .notFound, "", isFailure: false))
    }
    report.add(Missing(.image, "0", .notFound, "", isFailure: false))
    #expect(report.entries.count == Report.limit && report.omitted == 0 && report.isComplete)
    report.add(Missing(.tile, "t", .network, "", isFailure: true))
    #expect(report.entries.count == Report.limit && report.omitted == 1 && !report.isComplete)
  }

  @Test func aQueryTellsWhatItsViewLacks() throws {
    let map = try map(Self.fill)
    _ = try draw(map) { _ in .missing }
    let transform = try Transform(
      camera: Camera(center: LonLat(0.001, 0.001), zoom: 13), size: ViewSize(width: 16, height: 16))
    let options = try QueryOptions(try JSON.parse(Array(#"{"report": true}"#.utf8)))
    let answer = map.query(transform, .point(SIMD2(8, 8)), options: options)
    #expect(answer.features.isEmpty)
    #expect(answer.report?.entries.first?.kind == .tile)
    #expect(map.query(transform, .point(SIMD2(8, 8))).report == nil)
    #expect(throws: NeatError.self) { try QueryOptions(try JSON.parse(Array(#"{"report": 1}"#.utf8))) }
  }

  /// A layer of a tile that cannot be laid out (a mesh past its limit) is in every picture's report.
  @Test func aLayerThatIsNotLaidOutIsTold() throws {
    let style = try Style(
      parsing: Array(
        #"""
        {"version": 8, "sources": {"g": {"type": "geojson", "data": {"type": "LineString", "coordinates": [[0, 0], [9, 9]]}}},
         "layers": [{"id": "l", "type": "line", "source": "g"}]}
        """#.utf8))
    let core = MapCore(style: style, base: "")
    #expect(try draw(core) { _ in .missing }.entries == [])
    core.state.withLock { state in
      for key in state.layouts.entries.keys {
        state.layouts.entries.change(key) {
          $0 = LayoutEntry(
            layout: $0.layout, notes: [0: LayerNotes(fault: NeatError(.limitExceeded, "too large"))])
        }
      }
    }
    let report = try draw(core) { _ in .missing }
    #expect(!report.isComplete && report.entries.allSatisfy { $0.layer == "l" && $0.code == .limitExceeded })
    #expect(report.entries.first?.tile != nil && report.entries.first?.source == "g")
  }

  /// What is missing of a tile's images is kept as long as there are the same ones.
  @Test func imagesMayComeAndGo() throws {
    let layers = ["a", "b"].map {
      #"{"id": "\#($0)", "type": "symbol", "source": "s", "source-layer": "l", "layout": {"icon-image": "\#($0)"}}"#
    }
    let map = try map(layers.joined(separator: ","))
    let image = StyleImage(
      name: "a", width: 1, height: 1, pixelRatio: 1, isSDF: false, pixels: [255, 0, 0, 255])
    let names: () throws -> [String] = {
      try self.drawTwice(map) { _ in .data(Self.tile) }.entries.map(\.resource)
    }
    #expect(try names() == ["a", "b"])
    map.addImage(image)
    #expect(try names() == ["b"])
    try map.removeImage("a")
    #expect(try names() == ["a", "b"])
  }

  /// A tile ten levels above at most stands in for one that cannot be read.
  @Test func whatAStandInLacksIsTold() throws {
    let layer =
      #"{"id": "a", "type": "symbol", "source": "s", "source-layer": "l", "layout": {"icon-image": "pin"}}"#
    let report = try drawTwice(try map(layer)) {
      $0.hasPrefix("http://host/9/") ? .data(Self.tile) : .data([0x1A, 0x7F, 0x01])
    }
    #expect(report.entries.contains { $0.tile == TileID(z: 13, x: 4096, y: 4095) && $0.isFailure })
    #expect(report.entries.count { $0.resource == "pin" } == 1)
  }
}
