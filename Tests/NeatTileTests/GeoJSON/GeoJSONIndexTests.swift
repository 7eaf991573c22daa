import Foundation
import NeatBase
import Testing

@testable import NeatTile

@Suite struct GeoJSONIndexTests {
  static let world = TileID(z: 0, x: 0, y: 0)

  static func area(_ layer: TileLayer, _ part: Int) -> Int {
    let range = Int(layer.pointStarts[part])..<Int(layer.pointStarts[part + 1])
    var sum = 0
    var previous = layer.points[range.upperBound - 1]
    for index in range {
      sum += Int(previous.x) * Int(layer.points[index].y) - Int(layer.points[index].x) * Int(previous.y)
      previous = layer.points[index]
    }
    return sum
  }

  @Test func ringsAreOpenAndOuterOnesTurnWithPositiveArea() throws {
    let ring = "[[0,0],[40,0],[40,40],[0,40],[0,0]]", hole = "[[10,10],[20,10],[20,20],[10,20],[10,10]]"
    let turned = "[[0,0],[0,40],[40,40],[40,0],[0,0]]"
    for outer in [ring, turned] {
      let data = try parse(#"{"type":"MultiPolygon","coordinates":[[\#(outer),\#(hole)],[\#(hole)]]}"#)
      let layer = try #require(GeoJSONIndex(data).tile(GeoJSONIndexTests.world))
      #expect(layer.partCount == 3 && layer.pointCount == 12)
      #expect((0..<3).map { GeoJSONIndexTests.area(layer, $0).signum() } == [1, -1, 1])
      #expect(layer.name == "_geojsonTileLayer" && layer.extent == 4096)
    }
  }

  @Test func tilesOutsideTheDocumentAndBelowTheLastZoomAreNil() throws {
    var options = GeoJSONTileOptions()
    options.maxZoom = 3
    let index = try GeoJSONIndex(parse(#"{"type":"Point","coordinates":[100,10]}"#), options: options)
    #expect(index.tile(TileID(z: 3, x: 6, y: 3))?.featureCount == 1)
    #expect(index.tile(TileID(z: 3, x: 0, y: 3)) == nil)
    #expect(index.tile(TileID(z: 4, x: 12, y: 7)) == nil)
    #expect(index.tile(TileID(z: 2, x: 9, y: 9)) == nil)
  }

  @Test func aFilterLeavesFeaturesOutAndNumbersStay() throws {
    let data = try parse(
      #"{"type":"FeatureCollection","features":[{"geometry":{"type":"Point","coordinates":[1,2]}},{"geometry":{"type":"Point","coordinates":[3,4]},"properties":{"a":"b"}}]}"#
    )
    var options = GeoJSONTileOptions()
    options.generateId = true
    let layer = try #require(
      GeoJSONIndex(data, options: options, include: { $0 == 1 }).tile(GeoJSONIndexTests.world))
    #expect(layer.featureCount == 1 && layer.id(0) == 1)
    #expect(layer.value(feature: 0, named: "a")?.text == "b")
  }

  @Test func lineMetricsSurviveDeepCuts() throws {
    var options = GeoJSONTileOptions()
    options.lineMetrics = true
    options.buffer = 0
    let index = try GeoJSONIndex(
      parse(#"{"type":"LineString","coordinates":[[-170,20],[170,20]]}"#), options: options)
    for x in 0..<UInt32(8) {
      let layer = try #require(index.tile(TileID(z: 3, x: x, y: 3)))
      let start = try #require(layer.value(feature: 0, named: "mapbox_clip_start")?.number)
      let end = try #require(layer.value(feature: 0, named: "mapbox_clip_end")?.number)
      #expect(abs(start - max(0, (Double(x) * 45 - 10) / 340)) < 1e-9)
      #expect(abs(end - min(1, (Double(x) * 45 + 35) / 340)) < 1e-9)
    }
  }

  @Test func threadsGetTheSameTiles() throws {
    var lines: [String] = []
    for k in 0..<200 { lines.append("[[\(k - 100),-60],[\(100 - k),\(k / 4)],[\(k % 50),60]]") }
    let data = try parse(#"{"type":"MultiLineString","coordinates":[\#(lines.joined(separator: ","))]}"#)
    let alone = try GeoJSONIndex(data)
    let shared = try GeoJSONIndex(data)
    DispatchQueue.concurrentPerform(iterations: 256) { round in
      let id = TileID(z: 4, x: UInt32(round * 7 % 16), y: UInt32(round * 11 % 16))
      #expect(shared.tileText(id) == alone.tileText(id))
    }
  }

  @Test func farAwayAndPolarPlacesDoNotTrap() throws {
    let data = try parse(
      #"{"type":"LineString","coordinates":[[1e300,90],[-1e300,-90],[0,1e10],[179.9999999,-90.1],[540,0]]}"#)
    let index = try GeoJSONIndex(data)
    for z in 0..<UInt8(6) { _ = index.tile(TileID(z: z, x: (1 << UInt32(z)) - 1, y: 0)) }
    _ = try GeoJSONIndex(parse(#"{"type":"MultiPoint","coordinates":[[1e300,0],[-1e300,0]]}"#)).tile(
      GeoJSONIndexTests.world)
  }

  @Test func optionsOutOfRangeAreErrors() throws {
    let data = try parse(#"{"type":"Point","coordinates":[0,0]}"#)
    let changes: [(inout GeoJSONTileOptions) -> Void] = [
      { $0.maxZoom = 25 }, { $0.maxZoom = -1 }, { $0.extent = 0 }, { $0.extent = 65537 }, { $0.buffer = -1 },
      { $0.buffer = .nan },
      { $0.tolerance = -1 }, { $0.tolerance = .infinity }, { $0.indexMaxZoom = 30 },
    ]
    for change in changes {
      var options = GeoJSONTileOptions()
      change(&options)
      #expect(throws: NeatError.self) { try GeoJSONIndex(data, options: options) }
    }
    var most = GeoJSONTileOptions()
    (most.maxZoom, most.extent, most.buffer) = (24, 65536, 0)
    #expect(
      try GeoJSONIndex(data, options: most).tile(TileID(z: 24, x: 1 << 23, y: 1 << 23))?.featureCount == 1)
  }
}
