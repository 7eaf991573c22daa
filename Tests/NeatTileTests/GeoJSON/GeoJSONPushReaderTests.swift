import NeatBase
import Testing

@testable import NeatTile

@Suite struct GeoJSONPushReaderTests {
  static func push(_ bytes: [UInt8], pieces: Int, limits: GeoJSONLimits = .init()) throws(NeatError)
    -> GeoJSONData
  {
    var reader = GeoJSONPushReader(limits: limits)
    var at = 0
    while at < bytes.count {
      try reader.append(Array(bytes[at..<min(at + pieces, bytes.count)]))
      at += pieces
    }
    return try reader.finish()
  }

  /// All that a document says, to compare.
  static func words(_ data: GeoJSONData) -> [String] {
    (0..<data.featureCount).map { feature in
      var text = "\(GeoJSONID(data.ids[feature]).map { "\($0)" } ?? "-") \(data.hasProperties[feature])"
      for tag in Int(data.tagStarts[feature])..<Int(data.tagStarts[feature + 1]) {
        let value = data.tagValues[tag]
        let isText = value.kind == .string || value.kind == .json
        text +=
          " \(data.keys[Int(data.tagKeys[tag])])=\(isText ? value.text : "\(value.rawKind) \(value.bits)")"
      }
      for geometry in Int(data.geometryStarts[feature])..<Int(data.geometryStarts[feature + 1]) {
        text += " type \(data.geometryTypes[geometry])"
        for part in Int(data.partStarts[geometry])..<Int(data.partStarts[geometry + 1]) {
          text += data.partIsOuter[part] == 1 ? " outer" : " part"
          for point in Int(data.pointStarts[part])..<Int(data.pointStarts[part + 1]) {
            text += " \(data.points[point])"
          }
        }
      }
      return text
    }
  }

  static let feature =
    #"{"type":"Feature","id":"a\"}{","properties":{"s":"br{ace} \\ \" ]","o":{"k":[1,{}]}},"geometry":{"type":"Polygon","coordinates":[[[1,2],[3,4],[5,6],[1,2]]]}}"#
  static let documents = [
    #"{"type":"FeatureCollection","name":"x, [\"features\":[]","crs":{"features":[1]},"features":[\#(feature), null ,{ } , \#(feature)],"bbox":[1,2]}"#,
    #"{"features":[\#(feature),\#(feature)], "type" : "FeatureCollection"}"#,
    #" {"type":"FeatureCollection","features":[ ]} "#,
    #"{"type":"FeatureCollection","features":[],"features":[7]}"#, feature,
    #"{"type":"Feature","features":[1,2],"geometry":null}"#,
    "\(feature)\n\(feature)\r\n\n\(feature)",
    "\u{1e}\(feature)\n\u{1e}{\"type\":\"FeatureCollection\",\"features\":[\(feature)]}\n",
    #"{"type":"GeometryCollection","geometries":[{"type":"Point","coordinates":[1,2]}]}"#,
  ]

  @Test(arguments: [1, 7, 250]) func aFeatureMayHaveSoManyBytes(_ pieces: Int) throws {
    let bytes = Array(#"{"type":"FeatureCollection","features":[\#(Self.feature),\#(Self.feature)]}"#.utf8)
    var limits = GeoJSONLimits()
    limits.maxFeatureBytes = Self.feature.utf8.count
    #expect(try Self.push(bytes, pieces: pieces, limits: limits).featureCount == 2)
    limits.maxFeatureBytes -= 1
    #expect {
      try Self.push(bytes, pieces: pieces, limits: limits)
    } throws: {
      ($0 as? NeatError)?.code == .limitExceeded
        && ($0 as? NeatError)?.message.contains("\(limits.maxFeatureBytes)") == true
    }
  }

  @Test(arguments: documents) func piecesOfAnySizeGiveTheSameDocument(_ text: String) throws {
    let bytes = Array(text.utf8)
    let whole = Self.words(try GeoJSONData(parsing: bytes))
    for pieces in [1, 2, 3, 7, 16, 64, 1 << 20] {
      #expect(Self.words(try Self.push(bytes, pieces: pieces)) == whole, "pieces of \(pieces)")
    }
  }

  @Test func faultsAreThoseOfTheWholeText() throws {
    let faulty = [
      "{\"type\":\"FeatureCollection\",\n\"features\":[\n\(Self.feature),\n{\"type\":\"Feature\",\n \"geometry\":{\"type\":\"Poi\"}}]}",
      "{\"type\":\"FeatureCollection\",\n\"features\":[\n\(Self.feature)\n\n x]}",
      "{\"type\":\"FeatureCollection\",\n\"features\":[\n\(Self.feature)\n],\n\n\"more\":tru}",
      "{\"type\":\"FeatureCollection\",\n\"crs\":tru,\"features\":[\n\(Self.feature)\n],\n\n\"more\":true}",
      "{\"type\":\"FeatureCollection\",\"features\":[\(Self.feature),\n]}",
      "{\"type\":\"FeatureCollection\",\"features\":[true]}",
      "\(Self.feature)\n \(Self.feature) \(Self.feature)", "{\"type\":\"FeatureCollection\"}", "[1]", "",
      "  \n",
      "{\"type\":\"FeatureCollection\",\n\"features\":[\(Self.feature)",
      "{\"type\":\"Feature\",\n\"geometry\":{\"type\":\"Point\",\"coordinates\":[1,",
    ]
    for text in faulty {
      let bytes = Array(text.utf8)
      let wanted = try #require(throws: NeatError.self) { try GeoJSONData(parsing: bytes) }
      for pieces in [1, 5, 1 << 20] {
        let error = try #require(throws: NeatError.self) { try Self.push(bytes, pieces: pieces) }
        #expect(error.code == .geojson, "\(text)")
        #expect(error.message == wanted.message, "\(text) in pieces of \(pieces)")
        #expect(error.offset == wanted.offset, "\(text) in pieces of \(pieces)")
      }
    }
  }

  @Test func featuresBeforeAnotherTypeAreRefused() {
    let text = #"{"features":[{}],"type":"Feature"}"#
    // Of the whole text such a member is known to be foreign in time.
    #expect((try? parse(text))?.featureCount == 1)
    let error = #expect(throws: NeatError.self) { try Self.push(Array(text.utf8), pieces: 4) }
    #expect(error?.code == .geojson && error?.message.contains("no FeatureCollection") == true)
  }

  @Test func limitsHoldForTheWhole() throws {
    let bytes = Array(Self.documents[0].utf8)
    var limits = GeoJSONLimits()
    limits.maxBytes = bytes.count
    #expect(try Self.push(bytes, pieces: 10, limits: limits).featureCount == 4)
    limits.maxBytes -= 1
    for pieces in [1, 10, 1000] {
      #expect(throws: NeatError.self) { try Self.push(bytes, pieces: pieces, limits: limits) }
      do throws(NeatError) { _ = try Self.push(bytes, pieces: pieces, limits: limits) } catch {
        #expect(error.code == .limitExceeded)
      }
    }
    limits = GeoJSONLimits()
    limits.maxCount = 3
    do throws(NeatError) { _ = try Self.push(bytes, pieces: 9, limits: limits) } catch {
      #expect(error.code == .limitExceeded)
    }
    #expect(throws: NeatError.self) { try Self.push(bytes, pieces: 9, limits: limits) }
  }

  @Test func anErrorStays() throws {
    var reader = GeoJSONPushReader()
    let first = try #require(throws: NeatError.self) { try reader.append(Array("x".utf8)) }
    let second = try #require(throws: NeatError.self) { try reader.append(Array(Self.feature.utf8)) }
    #expect(first == second)
  }

  @Test(.enabled(if: sharedFolder != nil, "the shared data is not beside the checkout"))
  func aRealFileInPiecesIsTheSame() throws {
    let bytes = try sharedBytes("data/geojson/earthquakes.geojson")
    #expect(Self.words(try Self.push(bytes, pieces: 4099)) == Self.words(try GeoJSONData(parsing: bytes)))
  }
}
