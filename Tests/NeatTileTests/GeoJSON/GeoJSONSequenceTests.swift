import NeatBase
import Testing

@testable import NeatTile

/// Newline-delimited GeoJSON and GeoJSON text sequences (RFC 8142).
@Suite struct GeoJSONSequenceTests {
  static let point =
    #"{"type":"Feature","properties":{"n":1},"geometry":{"type":"Point","coordinates":[1,2]}}"#
  static let line = #"{"type":"LineString","coordinates":[[3,4],[5,6]]}"#
  static let collection = #"{"type":"FeatureCollection","features":[\#(point),null]}"#

  @Test(arguments: [
    "\(point)\n\(line)\n\(collection)\n", "\(point)\n\(line)\n\(collection)",
    "\(point)\r\n\r\n\(line) \n\t\(collection)\r\n",
    "\u{1e}\(point)\n\u{1e}\(line)\n\u{1e}\(collection)\n",
    "\u{1e}\(point)\u{1e}\(line)\u{1e}\u{1e}\(collection)",
    "\u{feff}\(point)\n\(line)\n\(collection)",
  ])
  func recordsComeToOneListOfFeatures(_ text: String) throws {
    let data = try parse(text)
    #expect(data.featureCount == 4)
    #expect((0..<3).map { data.geometryTypes[$0] } == [1, 3, 1])
    #expect(data.points[2] == SIMD2(5, 6))
    #expect(data.value(feature: 2, key: data.keyIndex("n")!)?.number == 1)
  }

  @Test func recordsMayBePackedByGzip() throws {
    let bytes = try GzipPacker().pack(Array("\(Self.point)\n\(Self.line)\n".utf8))
    #expect(try GeoJSONData(parsing: bytes).featureCount == 2)
  }

  @Test(arguments: [
    ("\(point)\n\(point.dropLast())", 2, 87, "ends before"),
    ("\(point)\n{\"type\":\"Nothing\"}\n", 2, 10, "not a GeoJSON type"),
    ("\(point) \(point)", 1, 89, "after the end"), ("\(point)\n7", 2, 1, "after the end"),
    ("\(point),\n\(point)", 1, 88, "after the end"),
    ("\(point)\n\n\(point)\n{\"type\":\"Feature\",\n\"geometry\":{}}", 5, 12, "no \"type\""),
    ("\u{1e}\n", 2, 1, "ends before"),
  ])
  func faultsTellTheirPlaceInTheWholeText(_ text: String, _ line: Int, _ column: Int, _ words: String) throws
  {
    let error = try #require(throws: NeatError.self) { try parse(text) }
    #expect(error.code == .geojson)
    #expect(error.message.contains("line \(line), column \(column): "), "\(error.message)")
    #expect(error.message.contains(words), "\(error.message)")
  }
}
