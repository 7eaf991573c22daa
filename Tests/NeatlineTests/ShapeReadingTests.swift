import Foundation
import Neatline
import Testing

/// GeoJSON text into shapes: every type, every kind of value, and what is wrong with text that is neither.
@Suite struct ShapeReadingTests {
  private let a = Coordinate(longitude: 1, latitude: 2)
  private let b = Coordinate(longitude: 3.5, latitude: -4.25, altitude: 500)
  private let c = Coordinate(longitude: -170, latitude: 60)

  @Test func everyGeometryIsRead() throws {
    #expect(try Point(parsing: #"{"type":"Point","coordinates":[3.5,-4.25,500]}"#).coordinate == b)
    #expect(
      try MultiPoint(parsing: #"{"type":"MultiPoint","coordinates":[[1,2],[3.5,-4.25,500]]}"#).coordinates
        == [a, b])
    #expect(
      try LineString(parsing: #"{"coordinates":[[1,2],[-170,60]],"type":"LineString"}"#).coordinates == [
        a, c,
      ])
    #expect(
      try MultiLineString(parsing: #"{"type":"MultiLineString","coordinates":[[[1,2],[-170,60]],[]]}"#)
        .coordinates == [[a, c], []])
    let polygon = try Polygon(
      parsing: #"{"type":"Polygon","coordinates":[[[0,0],[9,0],[9,9],[0,0]],[[2,1],[3,2],[3,1],[2,1]]]}"#)
    #expect(polygon.outerRing?.coordinates.count == 4)
    #expect(polygon.innerRings.map(\.coordinates) == [polygon.coordinates[1]])
    #expect(
      polygon.interiorPolygons.first?.outerRing?.coordinates.first == Coordinate(latitude: 1, longitude: 2))
    let areas = try MultiPolygon(
      parsing: #"{"type":"MultiPolygon","coordinates":[[[[0,0],[1,0],[1,1],[0,0]]],[]]}"#)
    #expect(areas.polygons.map(\.rings.count) == [1, 0])
    let collection = try GeometryCollection(
      parsing: """
        {"type":"GeometryCollection","geometries":[{"type":"Point","coordinates":[1,2]},
          {"type":"GeometryCollection","geometries":[{"type":"LineString","coordinates":[[1,2],[-170,60]]}]}]}
        """)
    #expect(
      collection.geometries == [
        .point(Point(a)), GeometryCollection([LineString([a, c]).geometry]).geometry,
      ])
    #expect(collection.geoJSON.geometries.count == 2)
  }

  /// The table of values: null, booleans, integers of both kinds to their ends, floating-point numbers,
  /// strings; and nested ones.
  @Test(
    arguments: [
      ("null", .null), ("true", true), ("false", false), ("0", .uint64(0)),
      ("18446744073709551615", .uint64(.max)),
      ("9223372036854775808", .uint64(1 << 63)), ("-1", .int64(-1)), ("-9223372036854775808", .int64(.min)),
      ("1.0", .double(1)),
      ("-0.5", .double(-0.5)), ("1e3", .double(1000)), ("18446744073709551616", .double(0x1p64)),
      ("-9223372036854775809", .double(-0x1p63)),
      ("0.1", .double(0.1)), ("5e-324", .double(.leastNonzeroMagnitude)),
      ("1.7976931348623157e308", .double(.greatestFiniteMagnitude)),
      ("123456789.123456789", .double(123456789.123456789)),
      ("9007199254740993.0", .double(9007199254740992)), ("\"\"", ""),
      (#""Wörgl \"\\\/\b\f\n\r\tA\u00e9\ud83e\uddc0""#, "Wörgl \"\\/\u{8}\u{c}\n\r\tAé🧀"), ("[]", []),
      ("{}", [:]),
      (#"[1,[-2.5,null],{"a":{"b":[true]}}]"#, [1, [-2.5, nil], ["a": ["b": [true]]]]),
    ] as [(String, AttributeValue)])
  func everyValueOfAnAttributeIsReadAndWritten(_ text: String, _ value: AttributeValue) throws {
    let feature = try Feature(parsing: #"{"type":"Feature","geometry":null,"properties":{"v":\#(text)}}"#)
    #expect(feature.attribute(forKey: "v") == value)
    let again = try Feature(parsing: feature.geoJSONText())
    #expect(again == feature)
    // The kind stays too: equality lets no double pass for an integer, and the case tells which.
    #expect(
      "\(String(reflecting: again.attributes["v"]))" == "\(String(reflecting: feature.attributes["v"]))")
  }

  @Test func numbersAreEqualByValueAndKind() {
    #expect(AttributeValue.int64(5) == .uint64(5))
    #expect(AttributeValue.int64(5).hashValue == AttributeValue.uint64(5).hashValue)
    #expect(AttributeValue.int64(-1) != .uint64(.max))
    #expect(AttributeValue.double(5) != .uint64(5))
    #expect(AttributeValue.int(-3).int64 == -3)
    #expect(AttributeValue.int64(-3).uint64 == nil)
    #expect(AttributeValue.uint64(.max).int64 == nil)
    #expect(AttributeValue.uint64(.max).double == 0x1p64)
    #expect(AttributeValue.double(1).uint64 == nil)
    #expect(AttributeValue.color(StyleColor(.red)) == "red")
  }

  @Test(
    arguments: [
      (#""w123""#, .string("w123")), ("18446744073709551615", .uint64(.max)),
      ("-9223372036854775808", .int64(.min)), ("1.5", .double(1.5)),
      ("null", nil),
    ] as [(String, FeatureIdentifier?)])
  func everyIdentifierIsReadAndWritten(_ text: String, _ identifier: FeatureIdentifier?) throws {
    let feature = try Feature(parsing: #"{"type":"Feature","id":\#(text),"geometry":null,"properties":{}}"#)
    #expect(feature.identifier == identifier)
    #expect(try Feature(parsing: feature.geoJSONText()) == feature)
    #expect(feature.geoJSONDictionary()["id"] == identifier?.value)
  }

  @Test func membersThatGeoJSONDoesNotKnowAreKept() throws {
    let text = """
      {"type":"FeatureCollection","bbox":[-10,-20,5,10,20,6],"features":[{"type":"Feature","bbox":[1,2,3,4],"geometry":{"type":"Point","bbox":null,\
      "coordinates":[1,2],"crs":"x"},"properties":{"a":1},"tippecanoe":{"layer":"b","minzoom":3}}],"metadata":{"count":18446744073709551615}}
      """
    let collection = try FeatureCollection(parsing: text)
    #expect(
      collection.bbox
        == BoundingBox(GeographicBounds(west: -10, south: -20, east: 10, north: 20), altitudes: SIMD2(5, 6)))
    #expect(collection.foreignMembers["metadata"]?.object?["count"] == .uint64(.max))
    let feature = try #require(collection.features.first)
    #expect(feature.bbox?.bounds == GeographicBounds(west: 1, south: 2, east: 3, north: 4))
    #expect(feature.foreignMembers == ["tippecanoe": ["layer": "b", "minzoom": 3]])
    #expect(feature.geometry?.bbox == nil)
    #expect(feature.geometry?.foreignMembers == ["crs": "x"])
    #expect(try FeatureCollection(parsing: collection.geoJSONText()) == collection)
    #expect(collection.geoJSONText().contains(#""bbox":[-10,-20,5,10,20,6]"#))
  }

  @Test func membersStandInAnyOrderAndTheLastOfEqualNamesCounts() throws {
    let feature = try Feature(
      parsing:
        #"{"properties":{"a":1,"a":2},"geometry":{"coordinates":[[0,0],[1,1]],"type":"LineString"},"id":1,"id":"x","type":"Feature"}"#
    )
    #expect(
      feature
        == Feature(
          LineString([Coordinate(longitude: 0, latitude: 0), Coordinate(longitude: 1, latitude: 1)]),
          identifier: "x", attributes: ["a": 2])
    )
    #expect(feature.attributes.dictionary == ["a": 2])
    #expect(
      try Feature(parsing: #"{"typ\u0065":"Feature","geometry":null,"properties":null}"#).attributes.isEmpty)
  }

  @Test func emptyGeometriesAreReadAndPointsWithoutPositionAreNone() throws {
    #expect(try LineString(parsing: #"{"type":"LineString","coordinates":[]}"#).coordinates.isEmpty)
    #expect(
      try Feature(
        parsing: #"{"type":"Feature","geometry":{"type":"Point","coordinates":[]},"properties":{}}"#
      ).geometry == nil)
    #expect(try Feature(parsing: #"{"type":"Feature"}"#) == Feature(geometry: nil))
    #expect(
      try GeometryCollection(
        parsing: #"{"type":"GeometryCollection","geometries":[{"type":"Point","coordinates":[]}]}"#
      ).geometries.isEmpty
    )
    #expect(throws: GeoJSONError.self) { try Point(parsing: #"{"type":"Point","coordinates":[]}"#) }
  }

  @Test func aByteOrderMarkAndSpaceAreNothing() throws {
    let text = "\u{FEFF} \r\n\t{ \"type\" : \"Point\" , \"coordinates\" : [ 1 , 2 ] } \n"
    #expect(try Point(parsing: text).coordinate == a)
  }

  /// What is wrong, and the key path, line and column of it.
  @Test(arguments: [
    ("", "a GeoJSON object is expected, the end of the text found (line 1, column 1)"),
    ("[]", "a GeoJSON object is expected, an array found (line 1, column 1)"),
    ("{}", #"an object without "type" (line 1, column 1)"#),
    (#"{"type":7}"#, "type: the name of a type is expected, a number found (line 1, column 9)"),
    (#"{"type":"Circle"}"#, #"type: "Circle" is no type of GeoJSON (line 1, column 9)"#),
    (#"{"type":"Point"}"#, #"a Point without "coordinates" (line 1, column 1)"#),
    (
      #"{"type":"Point","coordinates":[1]}"#,
      "coordinates: a position has fewer than two numbers (line 1, column 31)"
    ),
    (#"{"type":"Point","coordinates":[1,2}"#, "coordinates[1]: expected ',' or ']' (line 1, column 35)"),
    (
      #"{"type":"Point","coordinates":["1",2]}"#,
      "coordinates[0]: a number is expected, a string found (line 1, column 32)"
    ),
    (
      #"{"type":"Point","coordinates":[1,1e999]}"#,
      "coordinates[1]: a number is out of range (line 1, column 34)"
    ),
    (
      #"{"type":"Point","coordinates":null}"#,
      "coordinates: a position is expected, null found (line 1, column 31)"
    ),
    (
      #"{"type":"LineString","coordinates":[1,2]}"#,
      "coordinates[0]: a position is expected, a number found (line 1, column 37)"
    ),
    (
      #"{"type":"Point","coordinates":[[1,2]]}"#,
      "coordinates[0]: a number is expected, an array found (line 1, column 32)"
    ),
    (
      #"{"type":"Polygon","coordinates":[[[0,0],[1]]]}"#,
      "coordinates[0][1]: a position has fewer than two numbers (line 1, column 41)"
    ),
    (#"{"type":"GeometryCollection"}"#, #"a GeometryCollection without "geometries" (line 1, column 1)"#),
    (#"{"type":"FeatureCollection"}"#, #"a FeatureCollection without "features" (line 1, column 1)"#),
    (
      #"{"type":"FeatureCollection","features":[null]}"#,
      "features[0]: a Feature is expected, null found (line 1, column 41)"
    ),
    (
      #"{"type":"Feature","geometry":[]}"#,
      "geometry: a geometry is expected, an array found (line 1, column 30)"
    ),
    (
      #"{"type":"Feature","geometry":{"type":"Feature"}}"#,
      "geometry: a geometry is expected, a Feature found (line 1, column 30)"
    ),
    (
      #"{"type":"Feature","properties":[]}"#,
      "properties: an object or null is expected, an array found (line 1, column 32)"
    ),
    (
      #"{"type":"Feature","id":true}"#,
      "id: a number or a string is expected, a boolean found (line 1, column 24)"
    ),
    (
      #"{"type":"Feature","bbox":[1,2,3]}"#,
      "bbox: an array of 4 or 6 numbers is expected, 3 found (line 1, column 26)"
    ),
    (#"{"type":"Feature","properties":{"a":nil}}"#, "properties.a: expected null (line 1, column 37)"),
    (#"{"type":"Feature","properties":{"a":01}}"#, "properties.a: expected a JSON value (line 1, column 37)"),
    (
      #"{"type":"Feature","properties":{"a":1.e5}}"#,
      "properties.a: expected a JSON value (line 1, column 37)"
    ),
    (#"{"type":"Feature","properties":{"a":-}}"#, "properties.a: expected a JSON value (line 1, column 37)"),
    (
      #"{"type":"Feature","properties":{"a":"\x"}}"#,
      "properties.a: bad escape in a string (line 1, column 39)"
    ),
    (#"{"type":"Feature"} x"#, "unexpected text after the JSON value (line 1, column 20)"),
  ])
  func whatIsWrongIsToldWithItsPlace(_ text: String, _ message: String) {
    #expect(throws: GeoJSONError.self) { try GeoJSON(parsing: text) }
    do { _ = try GeoJSON(parsing: text) } catch { #expect(error.description == message) }
  }

  @Test func errorsDeepInACollectionNameTheirKeyPathAndLine() {
    let good =
      #"{"type":"Feature","geometry":{"type":"Point","coordinates":[0,0]},"properties":{"a]{\"":[1]}}"#
    let bad =
      #"{"type":"Feature","geometry":{"type":"LineString","coordinates":[[0,0],[7]]},"properties":{}}"#
    let text =
      #"{"type":"FeatureCollection","features":["# + "\n" + "\(good),\n\(good),\n\(good),\n  \(bad)]}"
    do {
      _ = try GeoJSON(parsing: text)
      Issue.record("a position of one number was read")
    } catch {
      #expect(error.keyPath == "features[3].geometry.coordinates[1]")
      #expect(error.message == "a position has fewer than two numbers")
      #expect(error.line == 5)
      #expect(error.column == 74)
    }
  }

  @Test func anotherTypeThanAskedForIsAnError() {
    let point = #"{"type":"Point","coordinates":[1,2]}"#
    #expect(throws: GeoJSONError.self) { try Polygon(parsing: point) }
    #expect(throws: GeoJSONError.self) { try Feature(parsing: point) }
    #expect(throws: GeoJSONError.self) {
      try Geometry(parsing: #"{"type":"FeatureCollection","features":[]}"#)
    }
    do { _ = try Polygon(parsing: point) } catch {
      #expect(error.message == "a Polygon is expected, a Point found")
    }
    #expect(Feature(json: ["type": "Point", "coordinates": [1, 2]]) == nil)
    #expect(Point(json: ["type": "Point", "coordinates": [1, 2]])?.coordinate == a)
  }

  /// As deep as is read, and one deeper; text cut anywhere and with any byte changed does no more than throw.
  @Test func hostileTextIsAnError() throws {
    func nested(_ count: Int) -> String {
      String(repeating: #"{"type":"GeometryCollection","geometries":["#, count: count)
        + #"{"type":"Point","coordinates":[1,2]}"#
        + String(repeating: "]}", count: count)
    }
    let deepest = try Geometry(parsing: nested(126))
    #expect(deepest.pointCount == 1)
    #expect(Geometry(json: deepest.json) == deepest)
    #expect(throws: GeoJSONError.self) { try Geometry(parsing: nested(127)) }
    #expect(throws: GeoJSONError.self) { try Geometry(parsing: nested(100_000)) }
    let arrays = String(repeating: "[", count: 200_000)
    #expect(throws: GeoJSONError.self) {
      try Feature(parsing: #"{"type":"Feature","properties":{"a":\#(arrays)"#)
    }
    #expect(throws: GeoJSONError.self) {
      try LineString(parsing: #"{"type":"LineString","coordinates":\#(arrays)"#)
    }
    #expect(throws: GeoJSONError.self) { try Feature(parsing: #"{"a":\#(arrays)"#) }
    let text = Array(
      #"{"type":"Feature","id":-1.5e3,"geometry":{"type":"Point","coordinates":[1,2.5]},"properties":{"a":"\u00e9\n","b":[true,null]}}"#
        .utf8)
    for count in 0..<text.count {
      #expect(throws: GeoJSONError.self) { try Feature(parsing: Array(text.prefix(count))) }
    }
    for place in text.indices {
      for byte: UInt8 in [0, 34, 44, 58, 91, 92, 93, 123, 125, 255] {
        var other = text
        other[place] = byte
        if let feature = try? Feature(parsing: other) {
          #expect(try Feature(parsing: feature.geoJSONBytes()) == feature)
        }
      }
    }
  }
}
