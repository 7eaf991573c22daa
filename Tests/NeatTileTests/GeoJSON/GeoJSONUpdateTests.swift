import NeatBase
import Testing

@testable import NeatTile

@Suite struct GeoJSONUpdateTests {
  static func point(_ id: String, _ lon: Double, _ lat: Double, _ properties: String = "{}") -> String {
    #"{"type":"Feature","id":\#(id),"properties":\#(properties),"geometry":{"type":"Point","coordinates":[\#(lon),\#(lat)]}}"#
  }

  static func collection(_ features: [String]) -> String {
    "{\"type\":\"FeatureCollection\",\"features\":[\(features.joined(separator: ","))]}"
  }

  static func diff(_ text: String) throws(NeatError) -> GeoJSONDiff {
    try GeoJSONDiff(parsing: Array(text.utf8))
  }

  static let start = collection([
    point("1", 10, 10, #"{"a":1,"b":"x"}"#), point("\"two\"", 20, 20, #"{"a":2}"#),
    point("3", -120, 40, #"{"c":[1]}"#),
  ])

  func words(_ table: GeoJSONTable) -> [String] {
    GeoJSONPushReaderTests.words(table.data).enumerated().filter { !table.gone.contains($0.offset) }.map(
      \.element)
  }

  func applied(_ change: String, to text: String = start) throws -> (table: GeoJSONTable, changed: [Int]) {
    try GeoJSONTable(parse(text)).applying(Self.diff(change))
  }

  @Test func whatWentIsLeftOutOfACompactedDocument() throws {
    let a =
      #"{"type":"FeatureCollection","features":[{"id":1,"properties":{"x":"one"},"geometry":{"type":"Point","coordinates":[1,2]}},{"id":"2","properties":{"y":2},"geometry":null}]}"#
    let b =
      #"{"type":"Feature","id":3,"properties":{"y":"three","z":1},"geometry":{"type":"Polygon","coordinates":[[[0,0],[1,0],[1,1],[0,0]]]}}"#
    #expect(try applied(#"{"remove":[1, 2]}"#, to: a).changed == [0], "the text 2 is not the number")
    let changed = try applied(#"{"remove":["2"],"add":[\#(b)]}"#, to: a).table
    #expect(changed.data.featureCount == 3 && changed.featureCount == 2)
    let merged = try changed.compacted().data
    #expect(merged.featureCount == 2 && merged.partCount == 2 && merged.pointCount == 5)
    #expect(merged.keys == ["x", "y", "z"])
    #expect(
      merged.value(feature: 1, key: 1)?.text == "three" && merged.value(feature: 0, key: 0)?.text == "one")
    #expect(merged.partIsOuter[1] == 1 && merged.points[4] == SIMD2(0, 0))
    #expect(try applied(#"{"removeAll":true}"#, to: a).table.compacted().data.featureCount == 0)
  }

  @Test func anUpdateMaySetVeryManyProperties() throws {
    let count = 50_000
    let pairs = (0..<count).map { #"{"key":"k\#($0)","value":\#($0)}"# } + [#"{"key":"k7","value":"last"}"#]
    let data = try applied(
      #"{"update":[{"id":1,"addOrUpdateProperties":[\#(pairs.joined(separator: ","))]}]}"#
    ).table.data
    #expect(Int(data.tagStarts[1]) - Int(data.tagStarts[0]) == count + 2, "with those that it had")
    let key = try #require(data.keyIndex("k7"))
    #expect(data.value(feature: 0, key: key)?.text == "last")
    #expect(data.value(feature: 0, key: try #require(data.keyIndex("k49999")))?.number == 49_999)
  }

  /// Updates of one feature come one after the other, also where a removal comes between many properties.
  @Test func updatesOfOneFeatureFollowEachOther() throws {
    func set(_ range: Range<Int>, _ value: String) -> String {
      #""addOrUpdateProperties":[\#(range.map { #"{"key":"k\#($0)","value":"\#(value)"}"# }.joined(separator: ","))]"#
    }
    let data = try applied(
      #"{"update":[{"id":1,\#(set(0..<30, "first"))},{"id":1,"removeProperties":["k3","k29"],\#(set(20..<40, "second"))},{"id":1,\#(set(5..<6, "third"))}]}"#
    ).table.data
    func text(_ name: String) -> String? {
      data.keyIndex(name).flatMap { data.value(feature: 0, key: $0)?.text }
    }
    #expect(text("k0") == "first" && text("k3") == nil && text("k5") == "third" && text("k19") == "first")
    #expect(text("k20") == "second" && text("k29") == "second" && text("k39") == "second")
    #expect(Int(data.tagStarts[1]) - Int(data.tagStarts[0]) == 2 + 40 - 1)
  }

  /// What a change comes to is what a document with these features says.
  @Test(arguments: [
    (#"{}"#, start, []), (#"{"removeAll":true}"#, collection([]), [0, 1, 2]),
    (
      #"{"remove":["two", 2, "3"]}"#,
      collection([point("1", 10, 10, #"{"a":1,"b":"x"}"#), point("3", -120, 40, #"{"c":[1]}"#)]), [1]
    ),
    (
      #"{"removeAll":true,"add":[\#(point("1", 5, 5))]}"#, collection([point("1", 5, 5)]), [0, 1, 2, 3]
    ),
    (
      #"{"remove":[1],"add":[\#(point("\"two\"", 0, 1, #"{"b":7}"#)),\#(point("9", 2, 3))]}"#,
      collection([point("\"two\"", 0, 1, #"{"b":7}"#), point("3", -120, 40, #"{"c":[1]}"#), point("9", 2, 3)]
      ), [0, 1, 3]
    ),
    (
      #"{"update":[{"id":1,"newGeometry":{"type":"Point","coordinates":[11,12]}},{"id":7,"removeAllProperties":true}]}"#,
      collection([
        point("1", 11, 12, #"{"a":1,"b":"x"}"#), point("\"two\"", 20, 20, #"{"a":2}"#),
        point("3", -120, 40, #"{"c":[1]}"#),
      ]), [0]
    ),
    (
      #"{"update":[{"id":1,"removeProperties":["a"],"addOrUpdateProperties":[{"key":"b","value":"y"},{"key":"new","value":{"deep":null}}]},{"id":3,"removeAllProperties":true,"addOrUpdateProperties":[{"key":"z","value":1.5}]}]}"#,
      collection([
        point("1", 10, 10, #"{"b":"y","new":{"deep":null}}"#), point("\"two\"", 20, 20, #"{"a":2}"#),
        point("3", -120, 40, #"{"z":1.5}"#),
      ]), [0, 2]
    ),
    (
      #"{"add":[\#(point("9", 2, 3, #"{"q":1}"#))],"update":[{"id":9,"addOrUpdateProperties":[{"key":"q","value":2}]},{"id":9,"newGeometry":null}]}"#,
      collection([
        point("1", 10, 10, #"{"a":1,"b":"x"}"#), point("\"two\"", 20, 20, #"{"a":2}"#),
        point("3", -120, 40, #"{"c":[1]}"#),
        #"{"type":"Feature","id":9,"properties":{"q":2},"geometry":null}"#,
      ]), [3]
    ),
  ])
  func partsApplyInTheirOrder(_ change: String, _ result: String, _ changed: [Int]) throws {
    let after = try applied(change)
    #expect(words(after.table) == GeoJSONPushReaderTests.words(try parse(result)))
    #expect(after.changed == changed)
    #expect(words(try after.table.compacted()) == words(after.table))
  }

  @Test func aPromotedPropertyIsTheID() throws {
    let table = try GeoJSONTable(
      parse(Self.collection([Self.point("5", 1, 2, #"{"k":"a"}"#), Self.point("5", 3, 4, #"{"k":"b"}"#)])),
      promoted: "k")
    let (after, changed) = try table.applying(
      Self.diff(#"{"remove":["a",5],"update":[{"id":"b","addOrUpdateProperties":[{"key":"n","value":1}]}]}"#))
    #expect(after.featureCount == 1 && changed == [0, 1])
    let error = #expect(throws: NeatError.self) {
      try table.applying(
        Self.diff(#"{"update":[{"id":"b","addOrUpdateProperties":[{"key":"k","value":"c"}]}]}"#))
    }
    #expect(error?.message.contains("which is its id") == true)
  }

  @Test func featuresWithoutIDsAreNamed() throws {
    let nameless = Self.collection([Self.point("1", 1, 2), #"{"type":"Feature","geometry":null}"#])
    var error = #expect(throws: NeatError.self) { try GeoJSONTable(parse(nameless)) }
    #expect(
      error?.code == .invalidArgument
        && error?.message.contains("feature 1 of the source has not an id") == true)
    error = #expect(throws: NeatError.self) { try GeoJSONTable(parse(Self.start), promoted: "a") }
    #expect(error?.message.contains("feature 2 of the source has not the property \"a\"") == true)
    error = #expect(throws: NeatError.self) {
      try GeoJSONTable(parse(Self.collection([Self.point("1", 1, 2), Self.point("1.0", 1, 2)])))
    }
    #expect(error?.message.contains("two features of the source have the id 1") == true)
    error = #expect(throws: NeatError.self) { try applied(#"{"add":[{"type":"Feature","geometry":null}]}"#) }
    #expect(error?.message.contains("feature 0 of add") == true)
  }

  @Test(arguments: [
    "[]", #"{"ad":[]}"#, #"{"add":{}}"#, #"{"remove":[null]}"#, #"{"removeAll":1}"#, #"{"update":[{}]}"#,
    #"{"update":[{"id":1,"geometry":null}]}"#,
    #"{"update":[{"id":1,"addOrUpdateProperties":[{"key":1,"value":1}]}]}"#,
    #"{"update":[{"id":1,"removeProperties":[1]}]}"#,
    #"{"update":7}"#,
    #"{"add":[7]}"#, #"{"update":[{"id":1,"newGeometry":{"type":"Square"}}]}"#, #"{"add":["#,
  ])
  func whatIsNoChangeIsRefused(_ text: String) {
    let error = #expect(throws: NeatError.self) { try Self.diff(text) }
    let codes: [ErrorCode] = [.invalidArgument, .geojson, .json]
    #expect(codes.contains { $0 == error?.code })
  }

  /// Tiles of an index that was changed many times are those of an index of the final document, and squares
  /// that no change touches are cut once.
  @Test func changedIndexesCutTheSameTiles() throws {
    var generator = GeoJSONFuzzTests.Generator(state: 77)
    func random(_ range: ClosedRange<Double>) -> Double { Double.random(in: range, using: &generator) }
    func geometry() -> String {
      let x = random(-200...200), y = random(-80...80)
      switch Int.random(in: 0..<4, using: &generator) {
      case 0: return #"{"type":"Point","coordinates":[\#(x),\#(y)]}"#
      case 1:
        return
          #"{"type":"LineString","coordinates":[[\#(x),\#(y)],[\#(x + random(-30...30)),\#(y)],[\#(x),\#(y + 3)]]}"#
      case 2: return "null"
      default:
        return
          #"{"type":"Polygon","coordinates":[[[\#(x),\#(y)],[\#(x + 9),\#(y)],[\#(x),\#(y + 9)],[\#(x),\#(y)]]]}"#
      }
    }
    func feature(_ id: Int) -> String {
      #"{"type":"Feature","id":\#(id),"properties":{"n":\#(id)},"geometry":\#(geometry())}"#
    }
    var options = GeoJSONTileOptions.source(maxZoom: 5)
    options.lineMetrics = true
    var table = try GeoJSONTable(parse(Self.collection((0..<40).map(feature))))
    var index = try GeoJSONIndex(table.data, options: options)
    let tiles = (0...3).flatMap { z in
      (0..<1 << z).flatMap { x in (0..<1 << z).map { TileID(z: UInt8(z), x: UInt32(x), y: UInt32($0)) } }
    }
    for round in 0..<25 {
      for tile in tiles { _ = index.tile(tile) }
      let change = """
        {"remove":[\(round * 2 % 60)],"add":[\(feature(round * 7 % 50)),\(feature(100 + round))],
        "update":[{"id":\(round * 3 % 40),"newGeometry":\(geometry())},{"id":\(round * 5 % 40),"addOrUpdateProperties":[{"key":"r","value":\(round)}]}]}
        """
      let (after, changed) = try table.applying(Self.diff(change))
      let (updated, region) = index.updating(after.data, changed: changed) { !after.gone.contains($0) }
      let fresh = try GeoJSONIndex(after.data, options: options) { !after.gone.contains($0) }
      for tile in tiles {
        #expect(updated.tileText(tile) == fresh.tileText(tile), "round \(round), tile \(tile)")
        if !region.touches(tile) { #expect(updated.tileText(tile) == index.tileText(tile)) }
      }
      (table, index) = (after, updated)
    }
  }

  @Test func onlyTouchedSquaresAreCutAgain() throws {
    let table = try GeoJSONTable(parse(Self.start))
    let index = try GeoJSONIndex(table.data, options: .source(maxZoom: 8))
    let east = TileID(z: 4, x: 8, y: 7), west = TileID(z: 4, x: 2, y: 6)
    #expect(index.tile(east) != nil && index.tile(west) != nil)
    let before = index.cutCount
    _ = index.tile(east)
    #expect(index.cutCount == before)
    let (after, changed) = try table.applying(
      Self.diff(#"{"update":[{"id":1,"newGeometry":{"type":"Point","coordinates":[11,11]}}]}"#))
    let (updated, region) = index.updating(after.data, changed: changed)
    #expect(region.touches(east) && !region.touches(west))
    _ = updated.tile(west)
    #expect(updated.cutCount == before)
    _ = updated.tile(east)
    #expect(updated.cutCount > before)
  }

  @Test func stringsOfLongAgoAreLetGo() throws {
    var table = try GeoJSONTable(parse(Self.start))
    for round in 0..<200 {
      table = try table.applying(
        Self.diff(#"{"update":[{"id":1,"addOrUpdateProperties":[{"key":"a","value":"round \#(round)"}]}]}"#)
      ).table
    }
    #expect(table.data.pools.count <= 70)
    #expect(table.data.value(feature: 0, key: table.data.keyIndex("a")!)?.text == "round 199")
    #expect(table.data.value(feature: 0, key: table.data.keyIndex("b")!)?.text == "x")
  }
}
