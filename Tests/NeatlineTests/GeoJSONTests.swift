import Neatline
import Testing

/// GeoJSON through the Swift module, and with it through the C functions.
struct GeoJSONTests {
  static func point(_ id: Int, _ lon: Double, _ lat: Double) -> String {
    #"{"type":"Feature","id":\#(id),"properties":{"n":\#(id)},"geometry":{"type":"Point","coordinates":[\#(lon),\#(lat)]}}"#
  }

  static func collection(_ features: [String]) -> String {
    "{\"type\":\"FeatureCollection\",\"features\":[\(features.joined(separator: ","))]}"
  }

  @Test func leavesComeInPages() throws {
    let index = try GeoJSONIndex(
      Self.collection(
        (0..<1234).map { Self.point($0, 1 + Double($0 % 40) * 1e-3, 2 + Double($0 / 40) * 1e-3) }),
      options: ["cluster": true]
    )
    let world = try index.clusters(west: -180, south: -85, east: 180, north: 85, zoom: 0)
    #expect(world.count == 1)
    #expect(world[0].clusterPointCount == 1234 && world[0].attributes["point_count_abbreviated"] == "1.2k")
    let cluster = try #require(world[0].clusterIdentifier)
    var seen: [UInt64] = []
    for page in 0..<13 {
      let leaves = try index.leaves(of: cluster, limit: 100, offset: page * 100)
      #expect(leaves.count == (page < 12 ? 100 : 34))
      seen += leaves.compactMap { $0.identifier?.uint64 }
      #expect(
        leaves.allSatisfy { $0.geometry?.pointCount == 1 && $0.attributes["n"] == $0.identifier?.value })
    }
    #expect(Set(seen).count == 1234)
    #expect(try index.leaves(of: cluster, limit: 10, offset: 1234).isEmpty)
    let zoom = try index.expansionZoom(of: cluster)
    #expect(zoom > 0 && zoom <= 17)
    let children = try index.children(of: cluster)
    #expect(children.reduce(0) { $0 + ($1.clusterPointCount ?? 1) } == 1234)
    #expect(throws: NeatlineError.self) { try index.leaves(of: cluster, limit: 0) }
    #expect(throws: NeatlineError.self) { try index.children(of: 7) }
  }

  @Test(
    arguments: [
      ["maxzoom": 25], ["maxzoom": "a"], ["buffer": -1], ["tolerance": -1], ["extent": 0], ["lineMetrics": 1],
      ["generateId": "yes"],
      ["promoteId": 7],
      ["cluster": 1], ["cluster": true, "clusterRadius": -1], ["cluster": true, "clusterMaxZoom": 25],
      ["cluster": true, "clusterMinPoints": 1.5],
      ["cluster": true, "clusterProperties": ["a": [1]]], [1],
    ] as [JSONValue])
  func optionsOutOfRangeAreErrors(_ options: JSONValue) {
    #expect(throws: NeatlineError.self) { try GeoJSONIndex(Self.collection([]), options: options) }
  }

  @Test func changesShowInTheTiles() throws {
    let index = try GeoJSONIndex(Self.collection([Self.point(1, 10, 10), Self.point(2, -100, 20)]))
    try index.update(
      GeoJSONSourceDiff(
        remove: [2],
        add: [
          Feature(
            Point(Coordinate(latitude: 50, longitude: 50)), identifier: 3,
            attributes: ["n": 3, "big": .uint64(.max)])
        ],
        update: [
          .init(
            1, geometry: .replaced(.point(Point(Coordinate(latitude: 11, longitude: 11)))),
            removedAttributes: ["n"],
            attributes: ["m": "x"])
        ]))
    #expect(index.featureCount == 2)
    let layer = try #require(try index.tile(z: 0, x: 0, y: 0)).layer(0)
    #expect(
      try (0..<layer.featureCount).map { try layer.attributes($0) } == [
        ["m": "x"], ["n": 3, "big": .uint64(.max)],
      ])
    try index.update(GeoJSONSourceDiff(removeAll: true))
    #expect(try index.featureCount == 0 && index.tile(z: 0, x: 0, y: 0) == nil)
    let nameless = try GeoJSONIndex(#"{"type":"Point","coordinates":[1,2]}"#)
    let error = #expect(throws: NeatlineError.self) { try nameless.update(GeoJSONSourceDiff(remove: ["a"])) }
    #expect(error?.status == .invalidArgument && error?.message.contains("feature 0") == true)
  }

  @Test func identifiersAreToldApartToTheLastDigit() throws {
    let big: [UInt64] = [1_541_815_603_606_036_480, 1_541_815_603_606_036_481, .max]
    let features = big.map {
      Feature(
        Point(Coordinate(longitude: 1, latitude: 1)), identifier: .uint64($0), attributes: ["id": .uint64($0)]
      )
    }
    for promoted in [nil, "id"] as [String?] {
      let index = try GeoJSONIndex(
        FeatureCollection(features), options: promoted.map { ["promoteId": .string($0)] })
      try index.update(
        GeoJSONSourceDiff(
          remove: [.uint64(big[0])], update: [.init(.uint64(.max), attributes: ["last": true])]))
      let layer = try #require(try index.tile(z: 0, x: 0, y: 0)).layer(0)
      let left = try (0..<layer.featureCount).map { try layer.attributes($0) }
      #expect(left == [["id": .uint64(big[1])], ["id": .uint64(.max), "last": true]])
    }
    let small = try GeoJSONIndex(
      #"{"type":"Feature","id":1.0,"properties":{},"geometry":{"type":"Point","coordinates":[1,2]}}"#)
    try small.update(GeoJSONSourceDiff(remove: [1]))
    #expect(small.featureCount == 0, "1 and 1.0 are the same")
  }

  @Test(arguments: [1, 2, 3, 4])
  func aByteOrderMarkMayBeCutAnywhere(_ first: Int) throws {
    let text: [UInt8] = [0xef, 0xbb, 0xbf] + Array(Self.point(1, 2, 3).utf8)
    let reader = try GeoJSONReader()
    try reader.append(Array(text[..<first]))
    try reader.append(Array(text[first...]))
    #expect(try reader.finish().featureCount == 1)
    let broken = try GeoJSONReader()
    #expect(throws: NeatlineError.self) {
      try broken.append([0xef])
      try broken.append(Array("{}".utf8))
    }
  }

  @Test func aMapTakesChanges() throws {
    let loop = try EventLoop()
    let map = try Map(loop: loop, width: 64, height: 64)
    try map.setStyle(
      json: """
        {"version":8,"sources":{"p":{"type":"geojson","data":\(Self.collection([Self.point(1, 0, 0)]))}},
         "layers":[{"id":"dot","type":"circle","source":"p","paint":{"circle-radius":10}}]}
        """)
    loop.run(timeout: 10_000)
    try map.style.updateGeoJSONSource(withId: "p", diff: GeoJSONSourceDiff(remove: [1]))
    let error = #expect(throws: NeatlineError.self) {
      try map.updateGeoJSON(source: "q", GeoJSONSourceDiff())
    }
    #expect(error?.status == .notFound)
  }

  @Test func piecesComeToADocument() throws {
    let text = Array(Self.collection((0..<100).map { Self.point($0, Double($0), 1) }).utf8)
    let reader = try GeoJSONReader()
    for at in stride(from: 0, to: text.count, by: 97) {
      try reader.append(Array(text[at..<min(at + 97, text.count)]))
    }
    #expect(try reader.finish().featureCount == 100)
    #expect(throws: NeatlineError.self) { try reader.append([0x20]) }
    #expect(throws: NeatlineError.self) { try reader.finish() }
    let broken = try GeoJSONReader()
    try broken.append(Array("{\"type\":\"Point\",\n".utf8))
    let error = #expect(throws: NeatlineError.self) { try broken.append(Array("\"coordinates\":[1,]}".utf8)) }
    #expect(
      error?.status == .geojson && error?.message.contains("line 2, column 18") == true,
      "\(error?.message ?? "")")
  }
}
