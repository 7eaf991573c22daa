import NeatBase
import Testing

@testable import NeatTile

/// Documents broken in many ways, the same ones every time: whatever comes out is data that can be cut and
/// clustered, or a typed error.
@Suite struct GeoJSONFuzzTests {
  struct Generator: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return state
    }
  }

  static let seeds: [[UInt8]] =
    (GeoJSONPushReaderTests.documents + [
      #"{"type":"FeatureCollection","features":[{"type":"Feature","id":-1e400,"properties":{"a":1e-400,"b":123456789012345678901234567890,"c":-0.0,"d":[[[]]]},"geometry":{"type":"MultiPolygon","coordinates":[[[[-180,-90],[180,-90],[180,90],[-180,90],[-180,-90]],[[0,0],[1,1],[1,0],[0,0]]],[[[179.5,1],[180.5,1],[180.5,2],[179.5,1]]]]}}]}"#,
      #"{"type":"MultiLineString","coordinates":[[[0,0],[1e300,1],[-1e300,89.9999999],[0,0]],[[-200,10],[200,-10]]]}"#,
      #"{"type":"FeatureCollection","features":[{"geometry":{"type":"Point","coordinates":[1.5e308,-91]}},{"geometry":{"type":"Point","coordinates":[1,2,3]},"properties":{"x":"\u00e9\ud83d\ude00"}}]}"#,
    ]).map { Array($0.utf8) }

  static let scraps: [[UInt8]] = [
    "1e999", "-", "1e400", "00", "0.00000000000000000000000000000000001", "99999999999999999999e-10",
    "\"\\ud800\"", "\\u12", "null",
    "true", "{", "}",
    "[", "]", ",", ":", "\"", "\n", "\u{1e}", "\"type\":\"Feature\"", "\"coordinates\":", "\"features\":[",
    "\u{0}", "NaN", "Infinity",
    "{}", "[]",
  ].map { Array($0.utf8) }

  static func mutated(_ generator: inout Generator) -> [UInt8] {
    var bytes = seeds.randomElement(using: &generator)!
    for _ in 0..<Int.random(in: 1...2, using: &generator) {
      let at = bytes.isEmpty ? 0 : Int.random(in: 0..<bytes.count, using: &generator)
      switch Int.random(in: 0..<7, using: &generator) {
      case 0 where !bytes.isEmpty: bytes[at] ^= UInt8(1) << UInt8.random(in: 0..<8, using: &generator)
      case 1 where !bytes.isEmpty: bytes[at] = UInt8.random(in: 0...255, using: &generator)
      case 2: bytes.removeSubrange(at...)
      case 3: bytes.insert(contentsOf: scraps.randomElement(using: &generator)!, at: at)
      case 4:
        let other = seeds.randomElement(using: &generator)!
        bytes.insert(contentsOf: other[Int.random(in: 0..<other.count, using: &generator)...], at: at)
      case 5:
        let nest: [UInt8] = Bool.random(using: &generator) ? [0x5b] : Array(#"{"a":"#.utf8)
        for _ in 0..<Int.random(in: 1...200, using: &generator) { bytes.insert(contentsOf: nest, at: at) }
      default:
        let end = min(bytes.count, at + Int.random(in: 1...20, using: &generator))
        if at < end { bytes.removeSubrange(at..<end) }
      }
    }
    return bytes
  }

  @Test func brokenTextNeverCrashes() throws {
    var generator = Generator(state: 0x5eed_0001)
    var read = 0, refused = 0
    for round in 0..<6000 {
      let bytes = Self.mutated(&generator)
      let whole = Result { () throws(NeatError) in try GeoJSONData(parsing: bytes) }
      let pieces = Result { () throws(NeatError) in
        try GeoJSONPushReaderTests.push(bytes, pieces: Int.random(in: 1...40, using: &generator))
      }
      switch (whole, pieces) {
      case (.success(let data), .success(let pushed)):
        read += 1
        if GeoJSONPushReaderTests.words(data) != GeoJSONPushReaderTests.words(pushed) {
          Issue.record("round \(round): pieces give other data")
        }
        try Self.use(data)
      case (.failure(let a), .failure(let b)):
        refused += 1
        let codes: [ErrorCode] = [.geojson, .limitExceeded, .tile]
        if !codes.contains(a.code) || !codes.contains(b.code) { Issue.record("round \(round): \(a) \(b)") }
      case (.success, .failure(let error)):
        // What stands before the type is not known for foreign, and packed bytes are not unpacked.
        if !error.message.contains("no FeatureCollection") {
          Issue.record("round \(round): \(error) \(String(decoding: bytes, as: UTF8.self))")
        }
      case (.failure(let error), .success):
        Issue.record("round \(round): \(error) only for the whole: \(String(decoding: bytes, as: UTF8.self))")
      }
    }
    #expect(read > 200 && refused > 200, "\(read) read, \(refused) refused")
  }

  static func use(_ data: GeoJSONData) throws {
    var options = GeoJSONTileOptions.source(maxZoom: 4)
    options.lineMetrics = true
    let index = try GeoJSONIndex(data, options: options)
    let clusters = try ClusterIndex(data, options: .source(maxZoom: 3))
    for id in [
      TileID(z: 0, x: 0, y: 0), TileID(z: 1, x: 1, y: 0), TileID(z: 4, x: 8, y: 7), TileID(z: 4, x: 15, y: 0),
    ] {
      _ = index.tile(id)
      _ = clusters.tile(id)
    }
  }

  @Test func nestingPastTheLimitIsRefusedWithoutStack() {
    for text in [
      String(repeating: "[", count: 1_000_000),
      #"{"type":"Point","a":"# + String(repeating: #"{"a":"#, count: 300_000),
      #"{"type":"Feature","geometry":"#
        + String(repeating: #"{"type":"GeometryCollection","geometries":["#, count: 100_000),
    ] {
      let error = #expect(throws: NeatError.self) { try parse(text) }
      #expect(error?.code == .limitExceeded || error?.code == .geojson)
      #expect(throws: NeatError.self) { try GeoJSONPushReaderTests.push(Array(text.utf8), pieces: 1000) }
    }
  }

  @Test func aBombEndsAtTheLimit() throws {
    let packed = try GzipPacker(level: 12).pack([UInt8](repeating: 0x20, count: 32 << 20))
    #expect(packed.count < 64 << 10)
    var limits = GeoJSONLimits()
    limits.maxBytes = 1 << 20
    let error = #expect(throws: NeatError.self) { try GeoJSONData(parsing: packed, limits: limits) }
    #expect(error?.code == .limitExceeded)
  }

  /// A line whose every split takes off one point, which would take a day.
  @Test func simplificationOfASawDoesNotTakeForever() throws {
    var text = #"{"type":"LineString","coordinates":["#
    let count = 40_000
    for tooth in 0..<count {
      text += "[\(Double(tooth) * 1e-4),\(tooth % 2 == 0 ? 0 : 80 - Double(tooth) * 0.0015)],"
    }
    text += "[5,0]]}"
    var lines: [Int] = []
    for zoom in [0, 6] {
      let index = try GeoJSONIndex(parse(text), options: .source(maxZoom: 18))
      lines.append(
        index.tile(
          TileID(z: UInt8(zoom), x: UInt32(1 << zoom) / 2, y: UInt32(1 << zoom) / 2 - (zoom == 0 ? 0 : 1)))?
          .pointCount ?? 0)
    }
    #expect(lines.allSatisfy { $0 > 0 })
  }
}
