import Foundation
import Neatline
import Testing

/// Shapes as text, through Codable, as trees; and what is known of them.
@Suite struct ShapeWritingTests {
  private static func place(_ longitude: Double, _ latitude: Double) -> Coordinate {
    Coordinate(longitude: longitude, latitude: latitude)
  }

  private static let square = Ring([place(0, 0), place(10, 0), place(10, 10), place(0, 10), place(0, 0)])
  private static let hole = Ring([place(2, 2), place(8, 2), place(8, 8), place(2, 8), place(2, 2)])
  private static let polygon = Polygon(outerRing: square, innerRings: [hole])

  private static let all: [GeoJSON] = {
    let line = [place(1, 2), place(3.5, -4.25)]
    let geometries: [any GeometryConvertible] = [
      Point(Coordinate(longitude: 1, latitude: 2, altitude: -3.5)), MultiPoint(line), LineString(line),
      MultiLineString([LineString(line), LineString([])]),
      polygon, MultiPolygon([polygon, Polygon(coordinates: square.coordinates)]), MultiPoint([]),
      GeometryCollection([]),
      GeometryCollection([Point(place(5, 6)).geometry, polygon.geometry]),
    ]
    let features = geometries.enumerated().map {
      Feature($1, identifier: .uint64(UInt64($0)), attributes: ["n": .int($0), "x": .double(1)])
    }
    return geometries.map(\.geoJSON) + features.map(\.geoJSON) + [
      .featureCollection(FeatureCollection(features)), .feature(Feature(geometry: nil)),
    ]
  }()

  @Test(arguments: all) func everyTypeIsWrittenAndReadAgain(_ shape: GeoJSON) throws {
    #expect(try GeoJSON(parsing: shape.geoJSONBytes()) == shape)
    #expect(try GeoJSON(parsing: shape.geoJSONText(GeoJSONWriteOptions(isPretty: true))) == shape)
    #expect(
      try JSONValue(parsing: shape.geoJSONText(GeoJSONWriteOptions(isPretty: true)))
        == JSONValue(parsing: shape.geoJSONText()))
    #expect(shape.geoJSONDictionary()["type"] == .string(shape.typeName))
  }

  /// Foundation's coders know no difference between 1.0 and 1 and keep no order; all else comes back.
  @Test(arguments: all) func everyTypeGoesThroughCodable(_ shape: GeoJSON) throws {
    let data = try JSONEncoder().encode(shape)
    let expected = try GeoJSON(parsing: shape.geoJSONText().replacing(#""x":1.0"#, with: #""x":1"#))
    #expect(try JSONDecoder().decode(GeoJSON.self, from: data) == expected)
    #expect(try GeoJSON(parsing: Array(data)) == expected)
  }

  @Test func codableKeepsTheEndsOfIntegers() throws {
    let attributes: Attributes = [
      "a": .uint64(.max), "b": .int64(.min), "c": 0.1, "d": true, "e": nil, "f": "x", "g": [1, ["h": -2]],
    ]
    let feature = Feature(Point(Self.place(1.5, 2)), identifier: .uint64(.max), attributes: attributes)
    let data = try JSONEncoder().encode([feature])
    #expect(try JSONDecoder().decode([Feature].self, from: data) == [feature])
    #expect(try JSONDecoder().decode(Attributes.self, from: JSONEncoder().encode(attributes)) == attributes)
  }

  @Test func decodersNameTheKeyPathOfWhatIsWrong() throws {
    let data = Data(
      #"[{"type":"Feature","geometry":{"type":"Point","coordinates":[1]},"properties":{}}]"#.utf8)
    do {
      _ = try JSONDecoder().decode([Feature].self, from: data)
      Issue.record("a position of one number was decoded")
    } catch DecodingError.dataCorrupted(let context) {
      #expect(context.codingPath.map(\.intValue) == [0])
      #expect(context.debugDescription == "geometry.coordinates: a position has fewer than two numbers")
    }
  }

  @Test func membersStandInTheOrderOfTheSpecification() {
    var feature = Feature(
      Point(Coordinate(longitude: 11, latitude: -0.1, altitude: 1e-7)), identifier: "a",
      attributes: ["z": 1.0, "b": "\u{1}\"é"])
    feature.bbox = BoundingBox(GeographicBounds(west: 1, south: 2, east: 3, north: 4.5))
    feature.foreignMembers = ["type": "nonsense", "extra": [1, nil]]
    #expect(
      feature.geoJSONText()
        == #"{"type":"Feature","bbox":[1,2,3,4.5],"id":"a","geometry":{"type":"Point","coordinates":[11,-0.1,1e-07]},"#
        + #""properties":{"z":1.0,"b":"\u0001\"é"},"extra":[1,null]}"#)
    #expect(Feature(geometry: nil).description == #"{"type":"Feature","geometry":null,"properties":{}}"#)
  }

  @Test func prettyTextHasALineForEachMember() {
    let collection = FeatureCollection([
      Feature(LineString([Self.place(1, 2), Self.place(3, 4)]), attributes: ["a": [1, 2]]),
      Feature(geometry: nil),
    ])
    #expect(
      collection.geoJSONText(GeoJSONWriteOptions(isPretty: true)) == """
        {
          "type": "FeatureCollection",
          "features": [
            {
              "type": "Feature",
              "geometry": {
                "type": "LineString",
                "coordinates": [[1, 2], [3, 4]]
              },
              "properties": {
                "a": [1, 2]
              }
            },
            {
              "type": "Feature",
              "geometry": null,
              "properties": {}
            }
          ]
        }
        """)
  }

  @Test func ringsAreWoundWhereThatIsAskedForAndClosedAlways() throws {
    let rule = GeoJSONWriteOptions(enforcesRightHandRule: true)
    #expect(Self.square.isClockwise == false)
    let written = try Polygon(parsing: Self.polygon.geoJSONText(rule))
    #expect(written.rings.map(\.isClockwise) == [false, true])
    #expect(written.rings[1].coordinates == Self.hole.coordinates.reversed())
    let reversed = MultiPolygon([
      Polygon(
        outerRing: Ring(Self.square.coordinates.reversed()),
        innerRings: [Ring(Self.hole.coordinates.reversed())])
    ])
    #expect(try MultiPolygon(parsing: reversed.geoJSONText(rule)).polygons == [written])
    #expect(try MultiPolygon(parsing: reversed.geoJSONText()) == reversed)
    let open = Polygon(coordinates: Array(Self.square.coordinates.dropLast()))
    #expect(open.outerRing?.isClosed == false)
    #expect(try Polygon(parsing: open.geoJSONText()).outerRing == Self.square)
    #expect(Ring([Self.place(1, 1), Self.place(2, 2), Self.place(1, 1)]).isClockwise == nil)
  }

  @Test func coordinatesKeepEveryBit() throws {
    var seed: UInt64 = 7
    var places: [Coordinate] = []
    for _ in 0..<2000 {
      seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let value = Double(bitPattern: seed)
      guard value.isFinite else { continue }
      let latitude = Double(seed >> 11) * 0x1p-53 * 180 - 90
      places.append(
        Coordinate(longitude: value, latitude: latitude, altitude: Double(seed % 1_000_000) / 1000))
    }
    #expect(try MultiPoint(parsing: MultiPoint(places).geoJSONText()).coordinates == places)
  }

  /// Numbers of 16 to 20 digits, halves between two Doubles among them, as the standard library reads them.
  @Test func numbersOfManyDigitsAreReadToTheNearestDouble() throws {
    var seed: UInt64 = 11
    var texts = [
      "9007199254740993.0", "9007199254740995.0", "4503599627370497.5", "4503599627370498.5",
      "0.000000000000000000000000012345678901234567",
    ]
    texts += [
      "18446744073709551615.0", "18446744073709551616.0", "1.8446744073709551615", "0.9999999999999999999",
      "123456789012345678.5e0",
    ]
    for count in 0..<4000 {
      seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      var digits = String(seed)
      digits.insert(".", at: digits.index(digits.startIndex, offsetBy: 1 + count % (digits.count - 1)))
      texts.append(digits + "0")
      texts.append("-" + digits + (count % 3 == 0 ? "e-3" : "1"))
    }
    #expect(try texts.filter { try AttributeValue(parsing: $0).double != Double($0) } == [])
  }

  @Test func literalsOfCoordinatesMakeGeometries() {
    let (a, b, c) = (Self.place(0, 0), Self.place(1, 0), Self.place(1, 1))
    let triangle = Polygon([[a, b, c, a]])
    #expect(triangle == Polygon([Ring([a, b, c, a])]))
    #expect(triangle == Polygon(outerRing: [a, b, c, a]))
    #expect(MultiPolygon([[[a, b, c, a]]]) == MultiPolygon([triangle]))
    #expect(MultiLineString([[a, b], [c]]) == MultiLineString([LineString([a, b]), LineString([c])]))
    #expect(Polygon([]).pointCount + MultiPolygon([]).pointCount + MultiLineString([]).pointCount == 0)
    #expect(MultiLineString([[a, b]]).lines == [LineString([a, b])])
    #expect(MultiPolygon([triangle]).coordinates == [[[a, b, c, a]]])
  }

  @Test func nonNumbersAreNull() {
    #expect(
      Point(Self.place(.nan, .infinity)).geoJSONText() == #"{"type":"Point","coordinates":[null,null]}"#)
    #expect(AttributeValue.double(.nan).description == "null")
  }

  @Test func boundsAndCountsCoverAllCoordinates() {
    let bounds = GeographicBounds(west: 0, south: 0, east: 10, north: 10)
    #expect(Self.polygon.coordinateBounds == bounds)
    #expect(Self.polygon.pointCount == 10)
    let features = FeatureCollection([
      Feature(Self.polygon), Feature(Point(Self.place(-190, 80))), Feature(geometry: nil),
    ])
    #expect(features.overlayBounds == GeographicBounds(west: -190, south: 0, east: 10, north: 80))
    #expect(features.pointCount == 11)
    #expect(
      GeometryCollection([features.features[1].geometry!, Self.polygon.geometry]).coordinateBounds
        == features.coordinateBounds)
    #expect(LineString([]).coordinateBounds == nil)
    #expect(FeatureCollection([]).pointCount == 0)
  }

  @Test func shapesMeetBoxesByTheirGeometryNotTheirBounds() {
    func box(_ west: Double, _ south: Double, _ east: Double, _ north: Double) -> GeographicBounds {
      GeographicBounds(west: west, south: south, east: east, north: north)
    }
    #expect(!Self.polygon.intersects(box(3, 3, 7, 7)))  // in the hole
    #expect(Self.polygon.intersects(box(0.5, 0.5, 1, 1)))  // in the area, no edge near
    #expect(Self.polygon.intersects(box(-1, -1, 20, 20)))
    #expect(Self.polygon.intersects(box(10, 10, 12, 12)))  // a corner
    #expect(!Self.polygon.intersects(box(10.1, 0, 12, 10)))
    let line = LineString([Self.place(0, 0), Self.place(10, 10)])
    #expect(line.intersects(box(4, 4.5, 5, 6)))
    #expect(!line.intersects(box(1, 6, 4, 9)))
    #expect(Feature(line).intersects(box(4, 4.5, 5, 6)))
    #expect(!Feature(geometry: nil).intersects(box(-180, -90, 180, 90)))
    // Across the 180th meridian.
    #expect(MultiPoint([Self.place(50, 50), Self.place(179, 1)]).intersects(box(178, 0, -178, 2)))
    #expect(Point(Self.place(-179, 1)).intersects(box(178, 0, -178, 2)))
    #expect(!Point(Self.place(0, 1)).intersects(box(178, 0, -178, 2)))
    let open = Polygon(coordinates: [Self.place(0, 0), Self.place(10, 0), Self.place(10, 10)])
    #expect(open.intersects(box(4, 4.2, 5, 6)))  // the edge that closes the ring
    #expect(Self.polygon.contains(Self.place(1, 5)))
    #expect(!Self.polygon.contains(Self.place(5, 5)))
    #expect(!Self.polygon.contains(Self.place(11, 5)))
    #expect(box(178, 0, -178, 2).intersects(box(-179, 1, 0, 3)))
    #expect(!box(178, 0, -178, 2).intersects(box(-170, 1, 0, 3)))
    #expect(GeographicBounds(sw: Self.place(1, 2), ne: Self.place(3, 4)) == box(1, 2, 3, 4))
  }

  @Test func attributesAreADictionaryWithAnOrder() {
    var attributes: Attributes = ["b": 1, "a": "x"]
    attributes["c"] = .bool(true)
    attributes["b"] = 2
    #expect(attributes.keys == ["b", "a", "c"])
    attributes["a"] = nil
    #expect(attributes["a"] == nil)
    #expect(attributes.count == 2)
    #expect(attributes == ["c": true, "b": 2])
    #expect(attributes.hashValue == (["c": true, "b": 2] as Attributes).hashValue)
    #expect(attributes != ["c": true])
    #expect(Attributes(["z": 1, "y": nil]).keys == ["y", "z"])
    #expect(
      AttributeValue(["a": [1, 2.5, nil, false, "t"]] as JSONValue) == ["a": [1, 2.5, nil, false, "t"]])
    #expect((["a": [1, 2.5, nil, false, "t"]] as AttributeValue).json == ["a": [1, 2.5, nil, false, "t"]])
  }

  /// Every document of the data folder: read, written, read again, the same; and no attribute, id or
  /// coordinate other than a plain JSON reader finds.
  @Test func documentsOfTheDataFolderComeBackTheSame() throws {
    guard let folder = SharedFolder.url?.appendingPathComponent("data/geojson"),
      let files = try? FileManager.default.contentsOfDirectory(
        at: folder, includingPropertiesForKeys: [.fileSizeKey])
    else { return print("skipped: no data/geojson beside the package") }
    var count = 0
    for file in files.sorted(by: { $0.path < $1.path }) where file.pathExtension == "geojson" {
      let bytes = [UInt8](try Data(contentsOf: file))
      let shape = try GeoJSON(parsing: bytes)
      let written = shape.geoJSONBytes()
      #expect(try GeoJSON(parsing: written) == shape, "\(file.lastPathComponent)")
      let original = try AttributeValue(parsing: bytes).object ?? [:]
      let again = try AttributeValue(parsing: written).object ?? [:]
      #expect(original["features"]?.array?.count == again["features"]?.array?.count)
      let pairs = zip(original["features"]?.array ?? [], again["features"]?.array ?? [])
      let differing = pairs.filter { (a: AttributeValue, b: AttributeValue) -> Bool in
        !Self.isSame(a.object ?? [:], b.object ?? [:])
      }
      #expect(
        differing.isEmpty, "\(file.lastPathComponent): \(differing.first?.0.description.prefix(300) ?? "")")
      #expect(shape.pointCount > 0)
      count += 1
    }
    #expect(count > 0)
  }

  /// Two features as JSON: `properties` may be missing; geometries are compared by the values of their
  /// numbers.
  private static func isSame(_ a: Attributes, _ b: Attributes) -> Bool {
    let none = AttributeValue.object([:])
    guard (a["properties"] ?? none) == (b["properties"] ?? none), a["id"] == b["id"] else { return false }
    return a["geometry"]?.json == b["geometry"]?.json
  }
}
