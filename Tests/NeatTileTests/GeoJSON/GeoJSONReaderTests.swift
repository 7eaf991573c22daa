import NeatBase
import Testing

@testable import NeatTile

@Suite struct GeoJSONReaderTests {
  func feature(_ geometry: String, _ rest: String = "") -> String {
    #"{"type":"Feature","geometry":\#(geometry)\#(rest)}"#
  }

  @Test func membersMayStandInAnyOrder() throws {
    let data = try parse(
      #"{"features":[{"properties":{"a":1},"geometry":{"coordinates":[[[1,2],[3,4],[5,6],[1,2]],[[0,0],[1,1],[0,0]]],"type":"Polygon"},"id":7}],"type":"FeatureCollection"}"#
    )
    #expect(data.featureCount == 1)
    #expect(data.geometryTypes[0] == GeoJSONGeometryType.polygon.rawValue)
    #expect(data.partCount == 2)
    #expect(data.partIsOuter[0] == 1 && data.partIsOuter[1] == 0)
    #expect(data.points[2] == SIMD2(5, 6))
    #expect(data.ids[0].bits == 7)
    #expect(data.value(feature: 0, key: data.keyIndex("a")!)?.number == 1)
  }

  @Test func everyGeometryIsRead() throws {
    let cases: [(String, Int, Int, Int)] = [
      (#"{"type":"Point","coordinates":[1,2,99]}"#, 1, 1, 1),
      (#"{"type":"MultiPoint","coordinates":[[1,2],[3,4]]}"#, 1, 1, 2),
      (#"{"type":"LineString","coordinates":[[1,2],[3,4,5,6]]}"#, 1, 1, 2),
      (#"{"type":"MultiLineString","coordinates":[[[1,2],[3,4]],[],[[5,6],[7,8]]]}"#, 1, 2, 4),
      (
        #"{"type":"MultiPolygon","coordinates":[[[[1,2],[3,4],[1,2]]],[[[5,6],[7,8],[5,6]],[[0,0],[1,1],[0,0]]]]}"#,
        1, 3, 9
      ),
      (
        #"{"type":"GeometryCollection","geometries":[{"type":"Point","coordinates":[1,2]},null,{"type":"GeometryCollection","geometries":[{"type":"Point","coordinates":[3,4]}]}]}"#,
        2, 2, 2
      ),
      (#"{"type":"LineString","coordinates":[]}"#, 0, 0, 0),
      (#"{"type":"Polygon","coordinates":[[]]}"#, 0, 0, 0),
      (#"{"type":"Point","coordinates":null}"#, 0, 0, 0),
      ("null", 0, 0, 0),
    ]
    for (text, geometries, parts, points) in cases {
      let data = try parse(feature(text))
      #expect(data.featureCount == 1)
      #expect((data.geometryCount, data.partCount, data.pointCount) == (geometries, parts, points), "\(text)")
    }
    let polygons = try parse(feature(cases[4].0))
    #expect((0..<3).map { polygons.partIsOuter[$0] } == [1, 1, 0])
  }

  @Test func propertiesKeepTheirKinds() throws {
    let data = try parse(
      feature(
        "null",
        #","id":"x\u00e9\ud83d\ude00","properties":{"u":18446744073709551615,"i":-5,"d":1.5,"e":1e3,"s":"a\"b\n","t":true,"f":false,"n":null,"o":{"k":[1, 2]},"a":[],"z":-0,"":"empty","m":-9223372036854775808}"#
      ))
    func value(_ key: String) -> TileValue { data.value(feature: 0, key: data.keyIndex(key)!)! }
    #expect(value("u").kind == .uint && value("u").bits == .max)
    #expect(value("i").kind == .int && value("i").intValue == -5)
    #expect(value("m").kind == .int && value("m").intValue == .min)
    #expect(value("d").doubleValue == 1.5 && value("e").doubleValue == 1000)
    #expect(value("s").text == "a\"b\n")
    #expect(value("t").boolValue && !value("f").boolValue)
    #expect(value("n").kind == .null)
    #expect(value("o").kind == .json && value("o").text == #"{"k":[1, 2]}"#)
    #expect(value("a").text == "[]")
    #expect(value("z").doubleValue.sign == .minus)
    #expect(value("").text == "empty")
    #expect(data.ids[0].text == "xé😀")
  }

  @Test func keysThatDifferOnlyInTheirSpellingAreOne() throws {
    let data = try parse(
      #"{"type":"FeatureCollection","features":[{"properties":{"a":1,"b\u0022":2,"c":3}},{"properties":{"\u0061":4,"b\"":5,"c":6}},{"properties":{"c":7,"a":8,"ab":9}}]}"#
    )
    #expect(data.keys == ["a", "b\"", "c", "ab"])
    #expect((0..<data.tagCount).map { data.tagKeys[$0] } == [0, 1, 2, 0, 1, 2, 2, 0, 3])
  }

  @Test func allPropertiesFormOneLayer() throws {
    let data = try parse(
      #"{"type":"FeatureCollection","features":[{"geometry":null},{"id":7,"properties":{"k":"v"},"geometry":{"type":"Point","coordinates":[1,2]}}]}"#
    )
    let layer = data.propertiesLayer()
    #expect(layer.featureCount == 2 && layer.geometryType(0) == .unknown && layer.geometryType(1) == .point)
    #expect(layer.value(feature: 1, named: "k")?.text == "v" && layer.id(1) == 7 && layer.id(0) == nil)
  }

  @Test func oddFeaturesKeepTheirNumber() throws {
    let data = try parse(
      #"{"type":"FeatureCollection","bbox":[1,2,3,4],"features":[null,{"type":"Feature","geometry":null,"properties":null},{"geometry":{"type":"Point","coordinates":[1,2]}}],"x":{}}"#
    )
    #expect(data.featureCount == 3)
    #expect((0..<4).map { data.geometryStarts[$0] } == [0, 0, 0, 1])
    #expect(data.hasProperties[1] == 0)
  }

  @Test func aRepeatedMemberReplacesTheEarlierOne() throws {
    let data = try parse(
      #"{"type":"Feature","geometry":{"type":"Point","coordinates":[1,2]},"properties":{"a":1},"properties":{"b":2},"geometry":{"type":"Point","coordinates":[5,6],"coordinates":[3,4]}}"#
    )
    #expect(data.geometryCount == 1 && data.points[0] == SIMD2(3, 4))
    #expect(data.tagCount == 1)
  }

  @Test func faultsTellByteLineAndColumn() {
    func fault(_ text: String, _ offset: Int, _ words: String, _ code: ErrorCode = .geojson) {
      do {
        _ = try parse(text)
        Issue.record("\(text) was read")
      } catch let error as NeatError {
        #expect(error.code == code)
        #expect(error.offset == offset, "\(text): \(error)")
        #expect(error.message.contains(words), "\(text): \(error)")
      } catch {}
    }
    fault("", 0, "ends before")
    fault("[]", 0, "not an object")
    fault("{}", 2, "no \"type\"")
    fault("{\n \"type\": \"Pint\"}", 12, "line 2, column 11")
    fault(#"{"type":"FeatureCollection"}"#, 28, "without \"features\"")
    fault(#"{"type":"FeatureCollection","features":[1]}"#, 40, "not an object")
    fault(#"{"type":"Point","coordinates":[1]}"#, 32, "fewer than two")
    fault(#"{"type":"Point","coordinates":[1,null]}"#, 33, "unexpected 'n'")
    fault(#"{"type":"Point","coordinates":[[1,2]]}"#, 30, "nested 2 deep")
    fault(#"{"type":"LineString","coordinates":[[1,2],[[3,4]]]}"#, 49, "mixes")
    fault(#"{"type":"Point","coordinates":[1e999,2]}"#, 31, "not finite")
    fault(#"{"type":"Point","coordinates":[01,2]}"#, 31, "number")
    fault(#"{"type":"Point","coordinates":[1,2]} x"#, 37, "after the end")
    fault(#"{"type":"Point","coordinates":[1,2]"#, 35, "ends before")
    fault(#"{"type":"Feature","properties":{"a":"\q"}}"#, 37, "escape")
    fault("{\"type\":\"Feature\",\"properties\":{\"a\":\"\n\"}}", 37, "control")
    fault(#"{"type":"Feature","properties":3}"#, 31, "properties")
    fault(#"{"type":"Feature","geometry":[1]}"#, 29, "neither an object nor null")
    fault(#"{"type":"Feature","geometry":{"coordinates":[1,2]}}"#, 29, "no \"type\"")
    fault(#"{"type":"Feature","id":1"#, 24, "ends before")
  }

  @Test func limitsHoldAndNotEarlier() throws {
    var limits = GeoJSONLimits()
    limits.maxDepth = 5
    let deep = #"{"type":"Feature","properties":{"a":[[]]},"geometry":null}"#
    _ = try parse(deep, limits: limits)
    limits.maxDepth = 4
    #expect(throws: NeatError.self) { try parse(deep, limits: limits) }
    limits = GeoJSONLimits()
    limits.maxCount = 2
    let points = #"{"type":"MultiPoint","coordinates":[[1,2],[3,4]]}"#
    _ = try parse(points, limits: limits)
    limits.maxCount = 1
    #expect(throws: NeatError.self) { try parse(points, limits: limits) }
    limits = GeoJSONLimits()
    limits.maxBytes = points.utf8.count
    _ = try parse(points, limits: limits)
    limits.maxBytes -= 1
    #expect(throws: NeatError.self) { try parse(points, limits: limits) }
    var nested = "null"
    for _ in 0..<5000 { nested = #"{"type":"GeometryCollection","geometries":[\#(nested)]}"# }
    #expect(throws: NeatError.self) { try parse(feature(nested)) }
    #expect(throws: NeatError.self) {
      try parse(feature("null", ",\"x\":" + String(repeating: "[", count: 1_000_000)))
    }
  }

  @Test func numbersAreTheNearestDoubles() throws {
    var texts = [
      "0", "-0.1", "44.08758502824518", "-87.359296000000001", "9007199254740993", "9007199254740993.0",
      "0.30000000000000004",
      "123456789012345678901234567890",
    ]
    texts += [
      "1.7976931348623157e308", "4.9e-324", "2.2250738585072011e-308", "18446744073709551615",
      "9999999999999999999", "1e-19",
      "0.1234567890123456789", "1.5e+3",
    ]
    var state: UInt64 = 42
    for _ in 0..<3000 {
      state = state &* 6364136223846793005 &+ 1442695040888963407
      let digits = String(state >> UInt64(state % 40))
      let cut = Int(state >> 33) % digits.count
      texts.append(cut == 0 ? digits : digits.prefix(cut) + "." + digits.dropFirst(cut))
      texts.append("-0.0" + digits.prefix(17))
    }
    for text in texts {
      let data = try parse(#"{"type":"Point","coordinates":[\#(text),0]}"#)
      #expect(data.points[0].x == Double(text)!, "\(text)")
      let property = try parse(feature("null", #","properties":{"n":\#(text)}"#))
      #expect(property.tagValues[0].number == Double(text)!, "\(text)")
    }
  }

  @Test(.enabled(if: sharedFolder != nil, "the shared data are not beside the checkout"))
  func packedTextIsReadToo() throws {
    let bytes = try sharedBytes("data/geojson/us-counties.geojson.gz")
    let data = try GeoJSONData(parsing: bytes)
    #expect(data.featureCount == 3221 && data.pointCount == 837_022)
    var limits = GeoJSONLimits()
    limits.maxBytes = 1 << 20
    #expect(throws: NeatError.self) { try GeoJSONData(parsing: bytes, limits: limits) }
    #expect(throws: NeatError.self) { try GeoJSONData(parsing: Array(bytes.prefix(100_000))) }
  }

  @Test func idsOfTilesAreWholeNumbers() {
    #expect(tileFeatureID(.uint(9)) == 9)
    #expect(tileFeatureID(.double(2.9)) == 2)
    #expect(tileFeatureID(.int(-2)) == nil)
    #expect(tileFeatureID(.double(.infinity)) == nil)
    #expect(tileFeatureID(.null) == nil)
  }

  @Test func damagedDocumentsNeverTrap() throws {
    let good = Array(
      #"{"type":"FeatureCollection","features":[{"type":"Feature","id":"a\u0041","properties":{"k":[1,{"x":null}],"s":"\ud83d\ude00","n":-1.5e3},"geometry":{"type":"MultiPolygon","coordinates":[[[[1.25,2],[3,4],[1,2]]]]}},{"type":"Feature","geometry":{"type":"GeometryCollection","geometries":[{"type":"Point","coordinates":[1,2]}]}}]}"#
        .utf8)
    for length in 0..<good.count {
      #expect(throws: NeatError.self) { try GeoJSONData(parsing: Array(good[..<length])) }
    }
    var state: UInt64 = 7
    for _ in 0..<20000 {
      var bytes = good
      for _ in 0..<3 {
        state = state &* 6364136223846793005 &+ 1442695040888963407
        let at = Int(state >> 33) % bytes.count
        let alphabet = Array(#"{}[]",:0123456789.-+eE\utnfl"#.utf8) + [0, 0xff, 0x20]
        let byte = alphabet[Int(state >> 13) % alphabet.count]
        switch state >> 8 & 3 {
        case 0: bytes.remove(at: at)
        case 1: bytes.insert(byte, at: at)
        default: bytes[at] = byte
        }
      }
      if let data = try? GeoJSONData(parsing: bytes) {
        let index = try GeoJSONIndex(data)
        _ = index.tile(TileID(z: 0, x: 0, y: 0))
        _ = index.tile(TileID(z: 3, x: 4, y: 3))
      }
    }
  }
}
