import NeatBase
import NeatJSON
import Testing

@testable import NeatTile

@Suite(.enabled(if: sharedFolder != nil, "the shared suites are not beside the checkout"))
struct GeoJSONVTSuiteTests {
  static func options(_ change: (inout GeoJSONTileOptions) -> Void = { _ in }) -> GeoJSONTileOptions {
    var options = GeoJSONTileOptions()
    options.indexMaxZoom = 0
    options.indexMaxPoints = 10000
    change(&options)
    return options
  }

  func check(_ input: String, _ expected: String, _ options: GeoJSONTileOptions = options()) throws {
    let text = try geojsonVTTiles(sharedBytes("conformance/geojson-vt/\(input).json"), options: options)
    let wanted = try JSON.parse(sharedBytes("conformance/geojson-vt/\(expected).json"))
    let got = try JSON.parse(text)
    #expect(sameJSON(wanted, got) == nil)
  }

  @Test func statesAreCutDownToZoomSeven() throws {
    try check(
      "us-states", "us-states-tiles", Self.options { ($0.indexMaxZoom, $0.indexMaxPoints) = (7, 200) })
  }

  @Test func aTileDeepDownIsCutOnDemand() throws {
    let index = try GeoJSONIndex(GeoJSONData(parsing: sharedBytes("conformance/geojson-vt/us-states.json")))
    let wanted = try JSON.parse(sharedBytes("conformance/geojson-vt/us-states-z7-37-48.json"))
    #expect(try sameJSON(wanted, JSON.parse(index.tileText(TileID(z: 7, x: 37, y: 48)))) == nil)
    let square = try JSON.parse(index.tileText(TileID(z: 9, x: 148, y: 192)))
    #expect(square[0]?["geometry"]?.text == "[[[-64,4160],[-64,-64],[4160,-64],[4160,4160],[-64,4160]]]")
    #expect(index.tile(TileID(z: 11, x: 800, y: 400)) == nil)
  }

  @Test func linesAcrossTheDateLineShowOnBothSides() throws { try check("dateline", "dateline-tiles") }
  @Test func lineMetricsTellWhereEachPieceLies() throws {
    try check("dateline", "dateline-metrics-tiles", Self.options { $0.lineMetrics = true })
  }
  @Test func aSingleFeature() throws { try check("feature", "feature-tiles") }
  @Test func aGeometryCollection() throws { try check("collection", "collection-tiles") }
  @Test func aSingleGeometry() throws { try check("single-geom", "single-geom-tiles") }
  @Test func promotedIDs() throws {
    try check("ids", "ids-promote-id-tiles", Self.options { $0.promoteId = "prop0" })
  }
  @Test func generatedIDs() throws {
    try check("ids", "ids-generate-id-tiles", Self.options { $0.generateId = true })
  }

  @Test(arguments: ["empty", "empty-coords", "feature-null-geometry"]) func nothingGivesNoTiles(
    _ name: String
  ) throws {
    #expect(
      try geojsonVTTiles(sharedBytes("conformance/geojson-vt/\(name).json"), options: Self.options()) == "{}")
  }
}

/// All tiles that geojson-vt makes of a document at once, as one JSON object: `z0-0-0` and so on.
private func geojsonVTTiles(_ bytes: [UInt8], options: GeoJSONTileOptions) throws -> String {
  let index = try GeoJSONIndex(GeoJSONData(parsing: bytes), options: options)
  let tiles = index.indexedTiles().map { "\"z\($0.z)-\($0.x)-\($0.y)\":\(index.tileText($0))" }
  return "{\(tiles.joined(separator: ","))}"
}
