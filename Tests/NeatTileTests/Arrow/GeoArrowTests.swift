import NeatBase
import NeatJSON
import NeatTestSupport
import Testing

@testable import NeatTile

/// GeoArrow's native encodings give what the same GeoJSON gives.
@Suite struct GeoArrowTests {
  static let types: [(name: String, levels: Int, geometries: [String?])] = [
    ("point", 0, [#"{"type":"Point","coordinates":[1,2]}"#, #"{"type":"Point","coordinates":[]}"#, nil]),
    (
      "linestring", 1,
      [
        #"{"type":"LineString","coordinates":[[1,2],[3,4]]}"#, #"{"type":"LineString","coordinates":[]}"#,
        nil,
      ]
    ),
    (
      "multipoint", 1,
      [
        #"{"type":"MultiPoint","coordinates":[[1,2],[3,4]]}"#, nil,
        #"{"type":"MultiPoint","coordinates":[]}"#,
      ]
    ),
    (
      "polygon", 2,
      [
        nil, #"{"type":"Polygon","coordinates":[[[0,0],[9,0],[9,9],[0,0]],[[1,1],[2,1],[2,2],[1,1]]]}"#,
        #"{"type":"Polygon","coordinates":[[],[[1,1],[2,1],[2,2],[1,1]]]}"#,
      ]
    ),
    (
      "multilinestring", 2,
      [#"{"type":"MultiLineString","coordinates":[[[1,2],[3,4]],[],[[5,6],[7,8],[9,10]]]}"#, nil, nil]
    ),
    (
      "multipolygon", 3,
      [
        #"{"type":"MultiPolygon","coordinates":[[[[0,0],[9,0],[9,9],[0,0]]],[],[[[20,0],[29,0],[29,9],[20,0]],[[21,1],[22,1],[22,2],[21,1]]]]}"#,
        nil, #"{"type":"MultiPolygon","coordinates":[[[[20,0],[29,0],[29,9],[20,0]]]]}"#,
      ]
    ),
  ]

  /// Coordinates as separate x and y (and z), or side by side.
  static func coordinates(_ memory: ArrowMemory, _ points: [[Double]], isSeparate: Bool, dimensions: Int)
    -> ArrowColumn
  {
    let full = points.map { $0 + [Double](repeating: 5, count: dimensions - 2) }
    if isSeparate {
      return memory.structure(
        "xy", points.count,
        (0..<dimensions).map { axis in
          memory.fixed(["x", "y", "z"][axis], "g", full.map { $0[axis] as Double? })
        })
    }
    return memory.column(
      "xy", "+w:\(dimensions)", length: points.count, buffers: [],
      children: [memory.fixed("xy", "g", full.flatMap { $0 }.map { $0 as Double? })])
  }

  static func column(
    _ memory: ArrowMemory, _ name: String, _ levels: Int, _ geometries: [String?], isSeparate: Bool,
    dimensions: Int
  ) throws -> ArrowColumn {
    // The values of each level, from the outermost in.
    var values = try geometries.map {
      try $0.map { try JSONDocument(parsing: Array($0.utf8)).root["coordinates"]! }
    }
    var counts: [[Int?]] = []
    for _ in 0..<levels {
      counts.append(values.map { $0?.count })
      values = values.flatMap { value -> [JSON?] in value.map { Array($0.elements).map { $0 } } ?? [] }
    }
    var result = coordinates(
      memory,
      values.map { $0.flatMap { $0.count == 0 ? nil : [$0[0]!.number!, $0[1]!.number!] } ?? [.nan, .nan] },
      isSeparate: isSeparate, dimensions: dimensions)
    for count in counts.reversed() { result = memory.list("g", count, result) }
    result.schema.pointee.metadata = memory.bytes(
      ArrowMemory.metadata([("ARROW:extension:name", "geoarrow.\(name)")])
    ).assumingMemoryBound(to: CChar.self)
    return result
  }

  @Test(arguments: 0..<types.count) func everyEncodingReadsAsTheSameGeoJSON(_ number: Int) throws {
    let (name, levels, geometries) = Self.types[number]
    let memory = ArrowMemory()
    let features = geometries.map { #"{"type":"Feature","properties":{},"geometry":\#($0 ?? "null")}"# }
    let expected = try parse(
      #"{"type":"FeatureCollection","features":[\#(features.joined(separator: ","))]}"#)
    for isSeparate in [true, false] {
      for dimensions in [2, 3] {
        let column = try Self.column(
          memory, name, levels, geometries, isSeparate: isSeparate, dimensions: dimensions)
        let data = try ArrowReaderTests.read(memory.batch(geometries.count, [column])).data
        #expect(GeoJSONPushReaderTests.words(data) == GeoJSONPushReaderTests.words(expected))
      }
    }
  }

  @Test func coordinatesAreFinite() throws {
    let memory = ArrowMemory()
    for bad in [[1, Double.infinity], [.nan, 1], [.nan, .nan]] {
      let points = Self.coordinates(memory, [[1, 2], bad], isSeparate: true, dimensions: 2)
      let line = memory.list("g", [2], points)
      line.schema.pointee.metadata = memory.bytes(
        ArrowMemory.metadata([("ARROW:extension:name", "geoarrow.linestring")])
      ).assumingMemoryBound(to: CChar.self)
      let error = #expect(throws: NeatError.self) { try ArrowReaderTests.read(memory.batch(1, [line])) }
      #expect(error?.code == .geojson)
      #expect(error?.message.contains("row 0, column \"g\": a coordinate is not finite") == true)
    }
  }

  @Test func otherLayoutsAreRefused() throws {
    let memory = ArrowMemory()
    let line = try Self.column(memory, "polygon", 1, [nil], isSeparate: true, dimensions: 2)
    let error = #expect(throws: NeatError.self) { try ArrowReaderTests.read(memory.batch(1, [line])) }
    #expect(error?.code == .invalidArgument)
    #expect(error?.message.contains("geoarrow.polygon") == true)
  }
}
