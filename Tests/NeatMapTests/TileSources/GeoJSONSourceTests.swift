import NeatBase
import NeatCamera
import NeatJSON
import NeatStyle
import NeatTile
import Testing

@testable import NeatMap

@Suite struct GeoJSONSourceTests {
  static func point(_ id: Int, _ lon: Double, _ lat: Double, _ properties: String = "{}") -> String {
    #"{"type":"Feature","id":\#(id),"properties":\#(properties),"geometry":{"type":"Point","coordinates":[\#(lon),\#(lat)]}}"#
  }

  static func collection(_ features: [String]) -> String {
    "{\"type\":\"FeatureCollection\",\"features\":[\(features.joined(separator: ","))]}"
  }

  func tiles(_ features: [String], _ options: String = "") throws -> GeoJSONTiles {
    let data = Self.collection(features)
    let style = try Style(
      json: JSON.parse(
        Array(
          #"{"version":8,"sources":{"s":{"type":"geojson","data":\#(data)\#(options)}},"layers":[]}"#.utf8)))
    let source = try #require(style.source("s")?.geojson)
    return try GeoJSONTiles(bytes: Array(data.utf8), source: source)
  }

  func layer(_ tiles: GeoJSONTiles, _ z: UInt8 = 0, _ x: UInt32 = 0, _ y: UInt32 = 0) -> TileLayer? {
    tiles.tile(TileID(z: z, x: x, y: y))?.layers.first
  }

  static let zigzag =
    #"{"type":"Feature","properties":{"name":"z"},"geometry":{"type":"LineString","coordinates":[[-60,0],[-40,0.4],[-20,-0.4],[0,0.4],[20,-0.4],[60,0]]}}"#

  // MARK: Options, each with its effect

  @Test func maxzoomBoundsTheCut() throws {
    let tiles = try tiles([Self.point(1, 1, 1)], #","maxzoom":3"#)
    #expect(tiles.maxZoom == 3)
    #expect(layer(tiles, 3, 4, 3) != nil && layer(tiles, 4, 8, 7) == nil)
  }

  @Test func bufferReachesPastTheEdge() throws {
    // 0.5 degrees east of the middle: 0.7 pixels of 512 at zoom 0, 1.4 in the tile 1/1/0.
    let near = Self.point(1, 0.5, 10)
    #expect(layer(try tiles([near], #","buffer":1"#), 1, 0, 0) == nil)
    #expect(layer(try tiles([near], #","buffer":2"#), 1, 0, 0)?.featureCount == 1)
  }

  @Test func toleranceDropsPoints() throws {
    #expect(layer(try tiles([Self.zigzag], #","tolerance":0"#))?.pointCount == 6)
    #expect(layer(try tiles([Self.zigzag], #","tolerance":3"#))?.pointCount == 2)
    #expect(throws: NeatError.self) { try tiles([Self.zigzag], #","tolerance":-1"#) }
  }

  @Test func lineMetricsTellWhereAPieceLies() throws {
    #expect(layer(try tiles([Self.zigzag]), 1, 1, 0)?.keys.contains("mapbox_clip_start") == false)
    let cut = try #require(layer(try tiles([Self.zigzag], #","lineMetrics":true"#), 1, 1, 0))
    let key = try #require(cut.keys.firstIndex(of: "mapbox_clip_start"))
    let tag = try #require((0..<Int(cut.tagStarts[1])).first { Int(cut.tags[$0].x) == key })
    let start = try #require(cut.values[Int(cut.tags[tag].y)].number)
    #expect(start > 0.1 && start < 0.5)
  }

  @Test func idsComeFromWhereTheyAreAskedFor() throws {
    let features = [Self.point(70, 1, 1, #"{"code":"15"}"#), Self.point(80, 2, 2, #"{"code":16}"#)]
    func ids(_ options: String) throws -> [UInt64?] {
      let layer = try #require(layer(try tiles(features, options)))
      return (0..<layer.featureCount).map { layer.id($0) }
    }
    #expect(try ids("") == [70, 80])
    #expect(try ids(#","generateId":true"#) == [0, 1])
    #expect(try ids(#","promoteId":"code""#) == [15, 16])
    #expect(try ids(#","promoteId":"none""#) == [nil, nil])
  }

  @Test func aFilterLeavesOut() throws {
    let features = [Self.point(1, 1, 1, #"{"n":1}"#), Self.point(2, 2, 2, #"{"n":2}"#)]
    #expect(layer(try tiles(features, #","filter":[">",["get","n"],1]"#))?.featureCount == 1)
    #expect(throws: NeatError.self) { try tiles(features, #","filter":["no-such"]"#) }
  }

  @Test func clusterOptionsTakeEffect() throws {
    let crowd = (0..<5).map { Self.point($0, Double($0), 0, #"{"n":\#($0)}"#) }
    func counts(_ options: String, _ z: UInt8 = 0) throws -> [Double] {
      let tiles = try tiles(crowd, #","cluster":true"# + options)
      guard let layer = layer(tiles, z, z == 0 ? 0 : 1 << UInt32(z - 1), z == 0 ? 0 : 1 << UInt32(z - 1))
      else { return [] }
      guard let key = layer.keys.firstIndex(of: "point_count") else { return [] }
      return (0..<Int(layer.tagStarts[layer.featureCount])).filter { Int(layer.tags[$0].x) == key }.compactMap
      {
        layer.values[Int(layer.tags[$0].y)].number
      }
    }
    #expect(try counts("") == [5])
    #expect(try counts(#","clusterRadius":0.1"#) == [])
    #expect(try counts(#","clusterMinPoints":6"#) == [])
    #expect(try counts(#","clusterMaxZoom":2"#, 3) == [])
    #expect(try counts(#","clusterMaxZoom":3"#, 3).reduce(0, +) >= 2)
    #expect(throws: NeatError.self) { try tiles(crowd, #","cluster":true,"clusterRadius":1e9"#) }
  }

  @Test func clusterPropertiesAddUp() throws {
    let crowd = (1..<5).map { Self.point($0, Double($0), 0, #"{"n":\#($0)}"#) }
    let options =
      #","cluster":true,"clusterProperties":{"sum":["+",["get","n"]],"top":[["max",["accumulated"],["get","top"]],["get","n"]]}"#
    let layer = try #require(layer(try tiles(crowd, options)))
    func value(_ name: String) -> Double? {
      let tag = (0..<Int(layer.tagStarts[1])).first { layer.keys[Int(layer.tags[$0].x)] == name }
      return tag.flatMap { layer.values[Int(layer.tags[$0].y)].number }
    }
    #expect(value("sum") == 10 && value("top") == 4)
    #expect(throws: NeatError.self) {
      try tiles(crowd, #","cluster":true,"clusterProperties":{"sum":["+"]}"#)
    }
    for (pair, words) in [
      (
        #"["+",["no-such"]]"#,
        #"clusterProperties.sum: the map expression: [0]: Unknown expression "no-such""#
      ),
      (
        #"[["concat",1,["huh"]],["get","n"]]"#,
        "clusterProperties.sum: the reduce expression: [2][0]: Unknown"
      ),
    ] {
      #expect {
        try tiles(crowd, #","cluster":true,"clusterProperties":{"sum":\#(pair)}"#)
      } throws: {
        ($0 as? NeatError)?.message.hasPrefix(words) == true
      }
    }
  }

  @Test func aFilterThatIsNoneSaysWhy() {
    #expect {
      try tiles([Self.point(1, 1, 1)], #","filter":["all",["no-such"]]"#)
    } throws: {
      ($0 as? NeatError)?.message.hasPrefix("the source's filter: [1][0]: Unknown expression") == true
    }
  }

  // MARK: Changes

  func map(_ features: [String], _ options: String = "") throws -> MapCore {
    let style = """
      {"version":8,"sources":{"s":{"type":"geojson","data":\(Self.collection(features))\(options)}},
       "layers":[{"id":"dots","type":"circle","source":"s"}]}
      """
    return MapCore(style: try Style(json: try JSON.parse(Array(style.utf8))), base: "")
  }

  /// Lays out what a view of the world at zoom 2 shows.
  func layOut(_ core: MapCore) throws {
    let transform = try Transform(
      camera: Camera(center: LonLat(0, 0), zoom: 2), size: ViewSize(width: 2048, height: 2048))
    #expect(core.prepare(transform, .inline).isEmpty)
  }

  @Test func onlyTouchedTilesAreCutAndLaidOutAgain() throws {
    let core = try map([Self.point(1, -100, 50), Self.point(2, 100, 50), Self.point(3, 100, -50)])
    try layOut(core)
    func tiles() -> [TileID: TileContent] {
      core.state.withLock { state in
        guard let source = state.sources["s"] else { return [:] }
        return Dictionary(uniqueKeysWithValues: source.tiles.keys.map { ($0, source.content($0) ?? .empty) })
      }
    }
    func layouts() -> Set<TileID> { core.state.withLock { Set($0.layouts.entries.keys.map(\.id.canonical)) } }
    func cuts() -> Int { core.state.withLock { $0.sources["s"]?.geojson?.cutCount ?? 0 } }
    func features(_ id: TileID) -> Int {
      if case .vector(let tile)? = tiles()[id] { tile.layers[0].featureCount } else { 0 }
    }
    let (northWest, northEast, southEast) = (
      TileID(z: 2, x: 0, y: 1), TileID(z: 2, x: 3, y: 1), TileID(z: 2, x: 3, y: 2)
    )
    let before = (tiles: tiles(), layouts: layouts(), cuts: cuts())
    #expect(before.layouts.isSuperset(of: [northWest, northEast, southEast]))
    try core.updateGeoJSON(
      source: "s",
      Array(
        #"{"update":[{"id":2,"newGeometry":{"type":"Point","coordinates":[110,52]}}],"add":[\#(Self.point(4, 120, 45))]}"#
          .utf8))
    #expect(layouts().contains(northWest) && layouts().contains(southEast) && !layouts().contains(northEast))
    #expect(tiles()[northWest] != nil && tiles()[northEast] == nil)
    try layOut(core)
    #expect(features(northEast) == 2 && features(northWest) == 1)
    #expect(layouts() == before.layouts)
    // World to tile: two squares of zoom 1 and those of zoom 2 that the change touches, out of all.
    #expect(cuts() > before.cuts && cuts() - before.cuts < before.cuts / 2)
    // What was not touched is the same object.
    guard case .vector(let old)? = before.tiles[northWest], case .vector(let new)? = tiles()[northWest] else {
      throw NeatError(.state, "no tile")
    }
    #expect(old.layers[0].points == new.layers[0].points)
  }

  @Test func filtersAndClustersFollowAChange() throws {
    let features = [
      Self.point(1, 1, 1, #"{"n":1}"#), Self.point(2, 2, 2, #"{"n":2}"#), Self.point(3, 3, 3, #"{"n":3}"#),
    ]
    for (options, count) in [(#","filter":["!=",["get","n"],9]"#, 1), (#","cluster":true"#, 1)] {
      let core = try map(features, options)
      try core.updateGeoJSON(
        source: "s",
        Array(#"{"remove":[1],"update":[{"id":2,"addOrUpdateProperties":[{"key":"n","value":9}]}]}"#.utf8))
      let layer = try #require(
        core.state.withLock { $0.sources["s"]?.geojson?.tile(TileID(z: 0, x: 0, y: 0))?.layers.first })
      #expect(layer.featureCount == count)
    }
  }

  @Test func manyChangesComeToTheSameAsOneDocument() throws {
    let core = try map((0..<10).map { Self.point($0, Double($0), 0) })
    for round in 0..<300 {
      try core.updateGeoJSON(
        source: "s",
        Array(#"{"remove":[\#(round)],"add":[\#(Self.point(round + 10, Double(round % 90), 5))]}"#.utf8))
    }
    let layer = try #require(
      core.state.withLock { $0.sources["s"]?.geojson?.tile(TileID(z: 0, x: 0, y: 0))?.layers.first })
    #expect(Set((0..<layer.featureCount).compactMap { layer.id($0) }) == Set(300..<310))
  }

  @Test func whatCannotBeChangedIsToldAndStays() throws {
    let core = try map([Self.point(1, 1, 1), #"{"type":"Feature","geometry":null}"#])
    func code(_ source: String, _ diff: String) -> ErrorCode? {
      do throws(NeatError) {
        try core.updateGeoJSON(source: source, Array(diff.utf8))
        return nil
      } catch { return error.code }
    }
    #expect(code("none", "{}") == .notFound)
    #expect(code("s", "{}") == .invalidArgument)
    #expect(code("s", #"{"add":[{"type":"Feature","geometry":{"type":"Circle"}}]}"#) == .geojson)
    let remote = MapCore(
      style: try Style(
        json: JSON.parse(
          Array(#"{"version":8,"sources":{"s":{"type":"geojson","data":"x.geojson"}},"layers":[]}"#.utf8))),
      base: "")
    let error = #expect(throws: NeatError.self) { try remote.updateGeoJSON(source: "s", Array("{}".utf8)) }
    #expect(error?.code == .state && error?.resource == "s")
  }
}
