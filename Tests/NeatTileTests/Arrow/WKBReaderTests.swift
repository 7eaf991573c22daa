import NeatBase
import NeatTestSupport
import Testing

@testable import NeatTile

@Suite struct WKBReaderTests {
  /// Every type, also with empty parts and nested collections.
  static let geometries = [
    #"{"type":"Point","coordinates":[1.5,-2]}"#,
    #"{"type":"Point","coordinates":[]}"#,
    #"{"type":"LineString","coordinates":[[1,2],[3,4],[5.25,6]]}"#,
    #"{"type":"LineString","coordinates":[[1,2]]}"#,
    #"{"type":"LineString","coordinates":[]}"#,
    #"{"type":"Polygon","coordinates":[[[0,0],[9,0],[9,9],[0,0]],[[1,1],[2,1],[2,2],[1,1]]]}"#,
    #"{"type":"Polygon","coordinates":[[[0,0],[9,0],[9,9]]]}"#,
    #"{"type":"Polygon","coordinates":[[],[[1,1],[2,1],[2,2],[1,1]]]}"#,
    #"{"type":"Polygon","coordinates":[]}"#,
    #"{"type":"MultiPoint","coordinates":[[1,2],[3,4]]}"#,
    #"{"type":"MultiPoint","coordinates":[]}"#,
    #"{"type":"MultiLineString","coordinates":[[[1,2],[3,4]],[[5,6],[7,8],[9,10]]]}"#,
    #"{"type":"MultiLineString","coordinates":[[],[[5,6],[7,8]]]}"#,
    #"{"type":"MultiPolygon","coordinates":[[[[0,0],[9,0],[9,9],[0,0]],[[1,1],[2,1],[2,2],[1,1]]],[[[20,0],[29,0],[29,9],[20,0]]]]}"#,
    #"{"type":"MultiPolygon","coordinates":[[],[[],[[20,0],[29,0],[29,9],[20,0]]]]}"#,
    #"{"type":"GeometryCollection","geometries":[]}"#,
    #"{"type":"GeometryCollection","geometries":[{"type":"Point","coordinates":[1,2]},{"type":"GeometryCollection","geometries":[{"type":"LineString","coordinates":[[3,4],[5,6]]},{"type":"Point","coordinates":[]}]},{"type":"MultiPolygon","coordinates":[[[[0,0],[9,0],[9,9],[0,0]]]]}]}"#,
  ]

  static let forms: [WKBForm] = [false, true].flatMap { isBig in
    [false, true].flatMap { isExtended in
      [(false, false), (true, false), (false, true), (true, true)].map { hasZ, hasM in
        WKBForm(
          isBig: isBig, hasZ: hasZ, hasM: hasM, isExtended: isExtended, srid: isExtended ? 4326 : nil)
      }
    }
  }

  static func read(_ bytes: [UInt8], limits: GeoJSONLimits = .init()) throws(NeatError) -> GeoJSONData {
    var columns = GeoJSONColumns()
    var fault: WKBFault?
    bytes.withUnsafeBytes { bytes in
      do throws(WKBFault) {
        var reader = WKBReader(bytes, limits: limits)
        try reader.read(into: &columns)
      } catch { fault = error }
    }
    if let fault { throw NeatError(fault.code, fault.words, offset: fault.offset) }
    columns.ids.append(.null)
    columns.hasProperties.append(0)
    columns.geometryStarts.append(UInt32(columns.geometryTypes.count))
    columns.tagStarts.append(0)
    return GeoJSONData(columns)
  }

  @Test(arguments: geometries) func everyFormReadsAsTheSameGeoJSON(_ geometry: String) throws {
    let expected = GeoJSONPushReaderTests.words(try parse(geometry))
    for form in Self.forms {
      let data = try Self.read(try wkb(geometry, form))
      #expect(GeoJSONPushReaderTests.words(data) == expected, "\(form)")
    }
  }

  @Test(arguments: geometries) func everyCutIsRefused(_ geometry: String) throws {
    for form in [WKBForm(), WKBForm(isBig: true, hasZ: true, isExtended: true, srid: 4326)] {
      let bytes = try wkb(geometry, form)
      for count in 0..<bytes.count {
        let error = #expect(throws: NeatError.self) { try Self.read(Array(bytes[..<count])) }
        #expect(error?.code == .geojson)
      }
      let error = #expect(throws: NeatError.self) { try Self.read(bytes + [0]) }
      #expect(error?.message.contains("1 bytes after the geometry") == true)
    }
  }

  @Test func countsPastTheBytesTakeNoMemory() {
    for type: UInt8 in 2...7 {
      for count: UInt8 in [0x7f, 0xff] {
        let error = #expect(throws: NeatError.self) {
          try Self.read([1, type, 0, 0, 0, 0xff, 0xff, 0xff, count] + [UInt8](repeating: 0, count: 64))
        }
        #expect(error?.code == .geojson)
      }
    }
  }

  @Test func curvesAndSurfacesAreRefusedByName() {
    for (type, name) in WKBFault.names {
      for thousands in [0, 1000, 3000] {
        let code = withUnsafeBytes(of: UInt32(type + thousands).bigEndian) { Array($0) }
        let error = #expect(throws: NeatError.self) { try Self.read([0] + code + [0, 0, 0, 0]) }
        #expect(error?.code == .unsupported)
        #expect(error?.message.contains(name) == true)
      }
    }
  }

  @Test(arguments: [0, 18, 999, 4001, 0x1000_0001]) func unknownTypesAreRefused(_ type: Int) {
    let code = withUnsafeBytes(of: UInt32(type).bigEndian) { Array($0) }
    let error = #expect(throws: NeatError.self) {
      try Self.read([0] + code + [UInt8](repeating: 0, count: 32))
    }
    #expect(error?.code == .geojson)
    #expect(error?.message.contains("\(type) is no type") == true)
  }

  @Test func aByteOrderIsZeroOrOne() {
    let error = #expect(throws: NeatError.self) { try Self.read([2, 1, 0, 0, 0]) }
    #expect(error?.message.contains("byte order is 2") == true)
  }

  @Test func membersOfTheWrongTypeAreRefused() throws {
    var bytes = try wkb(#"{"type":"MultiLineString","coordinates":[[[1,2],[3,4]]]}"#)
    bytes[1] = 6
    #expect(throws: NeatError.self) { try Self.read(bytes) }
    bytes[1] = 4
    let error = #expect(throws: NeatError.self) { try Self.read(bytes) }
    #expect(error?.message.contains("a part of the wrong type (byte 9)") == true)
  }

  @Test func coordinatesAreFinite() throws {
    for bad in [Double.infinity, -.infinity, .nan] {
      for (geometry, places) in [
        (#"{"type":"Point","coordinates":[1,2]}"#, [5, 13]),
        (#"{"type":"LineString","coordinates":[[1,2],[3,4]]}"#, [9, 17, 25, 33]),
      ] {
        for place in places {
          var bytes = try wkb(geometry)
          withUnsafeBytes(of: bad) { bytes.replaceSubrange(place..<place + 8, with: $0) }
          let error = #expect(throws: NeatError.self) { try Self.read(bytes) }
          #expect(error?.code == .geojson)
          #expect(error?.message.contains("not finite") == true)
        }
      }
    }
  }

  @Test func nestedCollectionsEndAtTheLimit() throws {
    let point: [UInt8] = try wkb(#"{"type":"Point","coordinates":[1,2]}"#)
    func nested(_ depth: Int) -> [UInt8] {
      (0..<depth).flatMap { _ in [1, 7, 0, 0, 0, 1, 0, 0, 0] as [UInt8] } + point
    }
    #expect(try Self.read(nested(127)).pointCount == 1)
    for depth in [128, 1_000_000] {
      let error = #expect(throws: NeatError.self) { try Self.read(nested(depth)) }
      #expect(error?.code == .limitExceeded)
    }
  }

  @Test func pointsEndAtTheLimit() throws {
    var limits = GeoJSONLimits()
    limits.maxCount = 2
    let line = try wkb(#"{"type":"LineString","coordinates":[[1,2],[3,4],[5,6]]}"#)
    let error = #expect(throws: NeatError.self) { try Self.read(line, limits: limits) }
    #expect(error?.code == .limitExceeded)
  }

  /// Damaged bytes, the same ones every time: whatever comes out is data with finite points, or a typed error.
  @Test func brokenBytesNeverCrash() throws {
    var random = TestRandom(11)
    let seeds = try Self.geometries.flatMap { geometry in
      try [WKBForm(), WKBForm(isBig: true, hasM: true), WKBForm(hasZ: true, isExtended: true, srid: 1)].map {
        try wkb(geometry, $0)
      }
    }
    var read = 0
    var refused = 0
    for _ in 0..<fuzzRounds(400_000) {
      var bytes = seeds.randomElement(using: &random)!
      for _ in 0..<Int.random(in: 1...3, using: &random) { damage(&bytes, &random) }
      do throws(NeatError) {
        let data = try Self.read(bytes)
        read += 1
        for point in 0..<data.pointCount where !(data.points[point].x + data.points[point].y).isFinite {
          if abs(data.points[point].x) < 1e308 { Issue.record("a point that is not finite") }
        }
        #expect(data.pointCount * 16 <= bytes.count)
      } catch {
        refused += 1
        if ![.geojson, .unsupported, .limitExceeded].contains(error.code) { Issue.record("\(error)") }
      }
    }
    #expect(read > 100 && refused > 100, "\(read) read, \(refused) refused")
  }
}
