import NeatBase
import NeatCamera
import NeatJSON
import NeatLoop
import NeatMap
import NeatResource
import NeatStyle
import NeatTestSupport
import Testing

@testable import NeatLive

/// Who gives the tiles of a test's source, and writes down what it is asked for.
private final class Giver {
  var asked: [TileID] = []
  var cancelled: [TileID] = []
  var calls: [String] = []
  var number: UInt64 = 0
  /// What it answers at once; nil: nothing.
  var answer: ((TileID) -> String?)? = { _ in nil }

  var host: CustomSourceHost {
    CustomSourceHost(
      fetch: { number, tile in
        self.asked.append(tile)
        self.calls.append("fetch \(tile)")
        guard let text = self.answer?(tile) else { return }
        #expect(throws: Never.self) { try self.give(tile, text, number) }
      },
      cancel: { _, tile in
        self.cancelled.append(tile)
        self.calls.append("cancel \(tile)")
      }, release: { self.calls.append("release") })
  }

  func give(_ tile: TileID, _ text: String, _ number: UInt64? = nil) throws(NeatError) {
    try CustomAnswers.give(number ?? self.number, tile, .data(Array(text.utf8)))
  }

  /// A polygon over all of a tile.
  static func square(_ tile: TileID) -> String {
    let count = Double(UInt64(1) << UInt64(tile.z))
    let low = Mercator.unproject(SIMD2(Double(tile.x) / count, Double(tile.y + 1) / count))
    let high = Mercator.unproject(SIMD2(Double(tile.x + 1) / count, Double(tile.y) / count))
    let ring =
      "[[\(low.lon),\(low.lat)],[\(high.lon),\(low.lat)],[\(high.lon),\(high.lat)],[\(low.lon),\(high.lat)],[\(low.lon),\(low.lat)]]"
    return
      #"{"type":"Feature","id":7,"properties":{"tile":"\#(tile)"},"geometry":{"type":"Polygon","coordinates":[\#(ring)]}}"#
  }
}

private let red: [UInt8] = [255, 0, 0, 255]
private let white: [UInt8] = [255, 255, 255, 255]

@Suite struct CustomSourceTests {
  private static let style = Array(
    ##"{"version":8,"sources":{},"layers":[{"id":"ground","type":"background","paint":{"background-color":"#fff"}}]}"##
      .utf8)

  private static let layer = JSON.object([
    ("id", .string("fill")), ("type", .string("fill")), ("source", .string("own")),
    ("paint", .object([("fill-color", .string("#f00")), ("fill-antialias", .bool(false))])),
  ])

  /// A map over one tile of zoom 1 (128 pixels of 256 with its neighbours), with a source and its layer.
  private func stage(_ giver: Giver, options: SourceSpec.CustomSource = .init(), zoom: Double = 1) throws
    -> Stage
  {
    let stage = try Stage()
    try stage.map.setStyle(CustomSourceTests.style, base: "")
    // The middle of tile 2/1/1.
    try stage.map.setCamera(Camera(center: LonLat(-45, 40.97989806962013), zoom: zoom))
    giver.number = try stage.map.addCustomSource("own", options, giver.host)
    try stage.map.edit { editor throws(NeatError) in try editor.addLayer(CustomSourceTests.layer) }
    return stage
  }

  private func turn(_ stage: Stage, until isDone: () -> Bool) {
    let deadline = Deadline.after(ms: 10_000)
    // Not until something happens: nothing may.
    while !isDone(), !deadline.isOver {
      stage.loop.runNoWait()
      usleep(200)
    }
    #expect(isDone())
  }

  private let tile = TileID(z: 2, x: 1, y: 1)

  // MARK: Answers

  @Test func aTileIsAskedForOnceAndDrawn() throws {
    let giver = Giver()
    giver.answer = Giver.square
    let stage = try stage(giver, zoom: 2)
    stage.run()
    #expect(giver.asked == [tile] && giver.cancelled.isEmpty && stage.failures.isEmpty)
    #expect(try stage.map.color(32, 32) == red)
    #expect(stage.events.contains(.sourceDataLoaded("own", tile: tile)))
    #expect(stage.events.contains(.sourceAdded("own")) && stage.events.last == .mapIdle)
    stage.map.invalidate()
    stage.run()
    #expect(giver.asked.count == 1)
  }

  @Test func anAnswerMayComeLaterFromAnyThread() throws {
    let giver = Giver()
    let stage = try stage(giver, zoom: 2)
    turn(stage) { !giver.asked.isEmpty }
    #expect(try stage.map.color(32, 32) == white)
    #expect(!stage.events.contains(.mapIdle) && !stage.map.isLoaded && stage.map.isBusy)
    let (number, tile, text) = (giver.number, tile, Giver.square(tile))
    stage.loop.work {
      try? CustomAnswers.give(number, tile, .data(Array(text.utf8)))
    }
    stage.run()
    #expect(try stage.map.color(32, 32) == red)
    #expect(stage.events.last == .mapIdle && stage.map.isLoaded)
  }

  @Test func nobodyWaitsForOneThatNeverComes() throws {
    let giver = Giver()
    giver.answer = { $0 == TileID(z: 2, x: 1, y: 1) ? nil : Giver.square($0) }
    let stage = try stage(giver, zoom: 2)
    try stage.map.setSize(ViewSize(width: 600, height: 64))
    turn(stage) { stage.events.filter { if case .sourceDataLoaded = $0 { true } else { false } }.count == 2 }
    turn(stage) { !stage.map.isTurnDue }
    #expect(try stage.map.color(0, 32) == red && stage.map.color(300, 32) == white)
    #expect(!stage.map.isLoaded && giver.asked.count == 3)
    stage.map.destroy()
    #expect(giver.cancelled == [tile] && giver.calls.suffix(2) == ["cancel 2/1/1", "release"])
  }

  @Test func theLastOfTwoAnswersCounts() throws {
    let giver = Giver()
    let stage = try stage(giver, zoom: 2)
    turn(stage) { !giver.asked.isEmpty }
    try giver.give(tile, Giver.square(tile))
    try giver.give(tile, #"{"type":"FeatureCollection","features":[]}"#)
    stage.run()
    #expect(try stage.map.color(32, 32) == white)
    for isFull in [true, false, true] {
      stage.events = []
      if isFull {
        try giver.give(tile, Giver.square(tile))
      } else {
        try CustomAnswers.give(giver.number, tile, .empty)
      }
      turn(stage) { stage.events.contains(.mapIdle) }
      #expect(try stage.map.color(32, 32) == (isFull ? red : white))
    }
    #expect(giver.asked.count == 1 && stage.failures.isEmpty)
  }

  @Test func brokenGeoJSONIsAProblemThatNamesTheTile() throws {
    let giver = Giver()
    giver.answer = { _ in #"{"type":"Polygon","coordinates":[[[0"# }
    let stage = try stage(giver, zoom: 2)
    stage.run()
    let problem = try #require(stage.problems.first { $0.tile == tile })
    #expect(problem.source == "own" && problem.part == .tile)
    #expect([.json, .geojson].contains(problem.code) && problem.resource.contains("own"))
    #expect(try !stage.map.draw().report.isComplete)
    // Tiles of lower zooms are asked to stand in, and are broken too.
    #expect(giver.asked == [tile, TileID(z: 1, x: 0, y: 0), TileID.world])
    #expect(stage.events.last == .mapIdle)
    // One that is given later is shown.
    stage.events = []
    try giver.give(tile, Giver.square(tile))
    turn(stage) { stage.events.contains(.mapIdle) }
    #expect(try stage.map.color(32, 32) == red && stage.map.draw().report.isComplete)
    // And stays when what follows is broken.
    try giver.give(tile, "no GeoJSON")
    turn(stage) { stage.problems.contains { $0.tile == self.tile } }
    stage.run()
    #expect(try stage.map.color(32, 32) == red)
  }

  @Test func aTileThatCannotBeHadIsToldAndAskedForNoMore() throws {
    let giver = Giver()
    let stage = try stage(giver, zoom: 2)
    giver.answer = { $0.z == 1 ? Giver.square($0) : nil }
    turn(stage) { !giver.asked.isEmpty }
    try CustomAnswers.give(giver.number, tile, .failed(NeatError(.io, "the disk is full")))
    stage.run()
    let problem = try #require(stage.problems.first)
    #expect(problem.message == "the disk is full" && problem.tile == tile && problem.source == "own")
    // Its parent stands in.
    #expect(giver.asked == [tile, TileID(z: 1, x: 0, y: 0)])
    #expect(try stage.map.color(32, 32) == red)
    stage.map.invalidate()
    stage.run()
    #expect(giver.asked.count == 2)
    giver.answer = Giver.square
    try stage.map.invalidateCustomSource("own", .tile(tile))
    stage.run()
    #expect(giver.asked.suffix(1) == [tile])
    #expect(try stage.map.draw().report.isComplete)
  }

  @Test func answersAreChecked() throws {
    let giver = Giver()
    var options = SourceSpec.CustomSource()
    (options.minZoom, options.maxZoom) = (1, 3)
    let stage = try stage(giver, options: options)
    func code(_ tile: TileID, _ bytes: [UInt8] = [], number: UInt64? = nil) -> ErrorCode? {
      do throws(NeatError) {
        try CustomAnswers.give(number ?? giver.number, tile, .data(bytes))
        return nil
      } catch { return error.code }
    }
    #expect(code(TileID.world) == .invalidArgument)
    #expect(code(TileID(z: 4, x: 0, y: 0)) == .invalidArgument)
    #expect(code(TileID(z: 2, x: 4, y: 0)) == .invalidArgument)
    #expect(code(tile, number: 0) == .notFound)
    #expect(
      code(tile, [UInt8](repeating: 0, count: SourceSpec.CustomSource.byteLimit + 1)) == .limitExceeded)
    for _ in 0..<CustomAnswers.countLimit { #expect(code(TileID(z: 3, x: 7, y: 7)) == nil) }
    #expect(code(TileID(z: 3, x: 7, y: 7)) == .limitExceeded)
    turn(stage) { !giver.asked.isEmpty && code(TileID(z: 3, x: 7, y: 7)) == nil }
    for tile in giver.asked { try giver.give(tile, Giver.square(tile)) }
    stage.run()
    #expect(code(TileID(z: 3, x: 7, y: 7)) == nil)
    try stage.map.edit { editor throws(NeatError) in
      try editor.removeLayer("fill")
      try editor.removeSource("own")
    }
    #expect(code(tile) == .notFound)
  }

  @Test func tooManyBytesThatWaitAreRefused() throws {
    let giver = Giver()
    let stage = try stage(giver)
    let bytes = [UInt8](repeating: 32, count: SourceSpec.CustomSource.byteLimit)
    for _ in 0..<CustomAnswers.byteLimit / SourceSpec.CustomSource.byteLimit {
      try CustomAnswers.give(giver.number, tile, .data(bytes))
    }
    #expect(throws: NeatError.self) { try CustomAnswers.give(giver.number, tile, .data([32])) }
    stage.map.destroy()
  }

  // MARK: Views

  @Test func whatLeavesTheViewIsCancelledAndItsLateAnswerKept() throws {
    let giver = Giver()
    let stage = try stage(giver, zoom: 2)
    turn(stage) { giver.asked == [self.tile] }
    try stage.map.setCamera(Camera(center: LonLat(135, -40.97989806962013), zoom: 2))
    turn(stage) { giver.asked.count == 2 }
    #expect(giver.cancelled == [tile] && giver.asked[1] == TileID(z: 2, x: 3, y: 2))
    #expect(giver.calls == ["fetch 2/1/1", "cancel 2/1/1", "fetch 2/3/2"])
    try giver.give(tile, Giver.square(tile))
    try giver.give(giver.asked[1], Giver.square(giver.asked[1]))
    stage.run()
    try stage.map.setCamera(Camera(center: LonLat(-45, 40.97989806962013), zoom: 2))
    stage.run()
    #expect(giver.asked.count == 2)
    #expect(try stage.map.color(32, 32) == red)
  }

  @Test func copiesOfTheWorldAskOnce() throws {
    let giver = Giver()
    giver.answer = Giver.square
    let stage = try stage(giver, zoom: 0)
    try stage.map.setSize(ViewSize(width: 2048, height: 64))
    stage.run()
    #expect(giver.asked == [TileID.world])
    #expect(try stage.map.color(10, 32) == red && stage.map.color(2000, 32) == red)
  }

  @Test func deeperZoomsAreCutFromTheDeepestTiles() throws {
    let giver = Giver()
    giver.answer = Giver.square
    var options = SourceSpec.CustomSource()
    options.maxZoom = 1
    let stage = try stage(giver, options: options, zoom: 6)
    stage.run()
    #expect(giver.asked == [TileID(z: 1, x: 0, y: 0)])
    #expect(try stage.map.color(32, 32) == red)
    var high = SourceSpec.CustomSource()
    high.minZoom = 3
    let none = try self.stage(giver, options: high, zoom: 1)
    none.run()
    #expect(giver.asked.count == 1 && none.map.isLoaded)
  }

  @Test func itsLayersAreAskedAsThoseOfGeoJSON() throws {
    let giver = Giver()
    giver.answer = Giver.square
    let stage = try stage(giver, zoom: 2)
    try stage.map.edit { editor throws(NeatError) in
      try editor.setPaintProperty(
        layer: "fill", "fill-color",
        try JSON.parse(
          Array(
            ##"["case",["==",["feature-state","hot"],true],"#0f0",["==",["get","tile"],"2/1/1"],"#f00","#00f"]"##
              .utf8)))
    }
    stage.run()
    #expect(try stage.map.color(32, 32) == red)
    try stage.map.setFeatureState(
      .object([("source", .string("own")), ("id", .number(7))]), .object([("hot", .bool(true))]))
    stage.run()
    #expect(try stage.map.color(32, 32) == [0, 255, 0, 255])
    let found = try stage.map.query(.point(SIMD2(32, 32)), options: QueryOptions())
    #expect(found.features.map(\.layer) == ["fill"])
    let question = try MapQuestion(
      try JSON.parse(Array(#"{"ask": "source-features", "source": "own"}"#.utf8)))
    guard case .features(let held) = try stage.map.answer(question) else { return }
    #expect(!held.features.isEmpty && held.features.allSatisfy { $0.layer == nil && $0.source == "own" })
    // Its members are the application's, and not the style's.
    #expect(throws: NeatError.self) {
      try stage.map.edit { editor throws(NeatError) in
        try editor.setSourceProperty("own", "maxzoom", .number(3))
      }
    }
  }

  // MARK: Invalidation

  @Test func whatIsInvalidIsAskedForAnewAndShownUntilThen() throws {
    let giver = Giver()
    giver.answer = Giver.square
    let stage = try stage(giver, zoom: 2)
    stage.run()
    giver.answer = nil
    try stage.map.invalidateCustomSource("own", .tile(tile))
    turn(stage) { giver.asked.count == 2 }
    #expect(try stage.map.color(32, 32) == red && !stage.map.isLoaded)
    try giver.give(tile, "{\"type\":\"FeatureCollection\",\"features\":[]}")
    stage.run()
    #expect(try stage.map.color(32, 32) == white)
    #expect(stage.map.isLoaded && giver.asked.count == 2 && giver.cancelled.isEmpty)
  }

  @Test func whatIsAskedForIsCancelledAndAskedForAgain() throws {
    let giver = Giver()
    let stage = try stage(giver, zoom: 2)
    turn(stage) { !giver.asked.isEmpty }
    try stage.map.invalidateCustomSource("own", .tile(tile))
    #expect(giver.calls == ["fetch 2/1/1", "cancel 2/1/1", "fetch 2/1/1"])
    try giver.give(tile, Giver.square(tile))
    stage.run()
    #expect(giver.asked.count == 2)
    #expect(try stage.map.color(32, 32) == red)
  }

  @Test func aRegionMeansTheTilesThatItMeets() throws {
    let giver = Giver()
    giver.answer = Giver.square
    let stage = try stage(giver, zoom: 2)
    try stage.map.setSize(ViewSize(width: 1024, height: 1024))
    stage.run()
    let all = Set(giver.asked)
    #expect(all.count >= 9)
    giver.asked = []
    try stage.map.invalidateCustomSource("own", .region(west: -80, south: 5, east: -10, north: 60))
    stage.run()
    #expect(Set(giver.asked) == [tile])
    giver.asked = []
    // Past the antimeridian, on both sides of it.
    try stage.map.invalidateCustomSource("own", .region(west: 170, south: 5, east: 190, north: 60))
    stage.run()
    #expect(Set(giver.asked) == all.intersection([TileID(z: 2, x: 3, y: 1), TileID(z: 2, x: 0, y: 1)]))
    for faulty in [
      CustomInvalidation.region(west: 10, south: 0, east: 0, north: 1),
      .region(west: 0, south: 1, east: 1, north: 0), .region(west: .nan, south: 0, east: 1, north: 1),
      .region(west: 0, south: 0, east: .infinity, north: 1), .tile(TileID(z: 20, x: 0, y: 0)),
    ] {
      #expect(throws: NeatError.self) { try stage.map.invalidateCustomSource("own", faulty) }
    }
    #expect(throws: NeatError(.notFound, "no such custom geometry source", resource: "ground")) {
      try stage.map.invalidateCustomSource("ground", .tile(TileID.world))
    }
  }

  // MARK: Life

  @Test func idsAreTakenOnce() throws {
    let giver = Giver()
    let stage = try stage(giver)
    #expect(throws: NeatError.self) { try stage.map.addCustomSource("own", .init(), Giver().host) }
    #expect(throws: NeatError.self) { try stage.map.addCustomSource("", .init(), Giver().host) }
    #expect(throws: NeatError.self) { try stage.map.setGeoJSON(source: "own", Array("{}".utf8)) }
    #expect(try stage.map.customSourceNumber("own") == giver.number)
    let bare = try Stage()
    #expect(throws: NeatError.self) { try bare.map.addCustomSource("own", .init(), Giver().host) }
  }

  @Test func anotherStyleEndsItAndOneThatHasItKeepsIt() throws {
    let giver = Giver()
    giver.answer = Giver.square
    let stage = try stage(giver, zoom: 2)
    stage.run()
    let json = try stage.map.loadedCore().style.json
    #expect(json["sources"]?["own"]?["type"]?.string == "geojson")
    try stage.map.update(to: try Style(parsing: Array(json.text.utf8)))
    stage.run()
    #expect(try stage.map.color(32, 32) == red)
    #expect(giver.asked.count == 1 && !giver.calls.contains("release"))
    giver.answer = nil
    try stage.map.invalidateCustomSource("own", .tile(tile))
    turn(stage) { giver.asked.count == 2 }
    try stage.map.setStyle(CustomSourceTests.style, base: "")
    #expect(giver.calls.suffix(2) == ["cancel 2/1/1", "release"])
    #expect(throws: NeatError.self) { try giver.give(tile, "{}") }
    stage.run()
    #expect(stage.events.last == .mapIdle)
  }

  @Test func whoIsAskedMayEndTheSourceOrTheMap() throws {
    for isMap in [false, true] {
      let giver = Giver()
      let stage = try stage(giver, zoom: 2)
      giver.answer = { _ in
        if isMap {
          stage.map.destroy()
        } else {
          #expect(throws: Never.self) { try stage.map.setStyle(CustomSourceTests.style, base: "") }
        }
        return nil
      }
      turn(stage) { giver.calls.contains("release") }
      #expect(giver.calls == ["fetch 2/1/1", "cancel 2/1/1", "release"])
      if !isMap { stage.run() }
    }
  }

  // MARK: Options

  @Test func optionsAreRead() throws {
    func read(_ text: String) throws -> SourceSpec.CustomSource {
      try SourceSpec.CustomSource(try JSON.parse(Array(text.utf8)))
    }
    let all = try read(
      #"{"minZoom":2,"maxZoom":9,"tileSize":256,"buffer":64,"tolerance":0,"wrap":true,"clip":true}"#)
    #expect(all.minZoom == 2 && all.maxZoom == 9 && all.tileSize == 256 && all.buffer == 64)
    #expect(all.tolerance == 0 && all.isWrapped && all.isClipped)
    #expect(try read(#"{"minZoom":null}"#) == SourceSpec.CustomSource())
    for faulty in [
      "[]", #"{"minzoom":1}"#, #"{"minZoom":-1}"#, #"{"maxZoom":25}"#, #"{"maxZoom":1.5}"#,
      #"{"minZoom":3,"maxZoom":2}"#, #"{"buffer":513}"#, #"{"tileSize":0}"#, #"{"tolerance":-1}"#,
      #"{"wrap":1}"#, #"{"clip":"yes"}"#, #"{"tileSize":64}"#,
    ] {
      #expect(throws: NeatError.self, "\(faulty)") { try read(faulty) }
    }
  }

  @Test func wrapBringsBackWhatLiesPastTheAntimeridian() throws {
    for isWrapped in [false, true] {
      let giver = Giver()
      // All of it past 180 degrees.
      giver.answer = { _ in
        #"{"type":"Polygon","coordinates":[[[181,-80],[359,-80],[359,80],[181,80],[181,-80]]]}"#
      }
      var options = SourceSpec.CustomSource()
      options.isWrapped = isWrapped
      let stage = try stage(giver, options: options, zoom: 2)
      stage.run()
      #expect(try stage.map.color(32, 32) == (isWrapped ? red : white))
    }
  }
}
