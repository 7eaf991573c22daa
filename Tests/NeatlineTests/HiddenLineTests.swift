import Neatline
import Testing

/// Lines that a layer does not show take nothing from those that come after them.
@Suite struct HiddenLineTests {
  private static func picture(_ features: String) throws -> [UInt8] {
    let style = """
      {"version":8,"center":[0,0],"zoom":1,"sources":{"s":{"type":"geojson","data":{"type":"FeatureCollection","features":[\(features)]}}},
       "layers":[{"id":"l","type":"line","source":"s","paint":{"line-width":6,"line-opacity":["get","opacity"]}}]}
      """
    return try Renderer(json: style).draw(width: 128, height: 128).withPixels { Array($0) }
  }

  private static func line(_ opacity: Double, _ y: Double) -> String {
    """
    {"type":"Feature","properties":{"opacity":\(opacity)},"geometry":{"type":"LineString","coordinates":[[-20,\(y)],[0,\(y + 10)],[20,\(y)]]}}
    """
  }

  @Test func aHiddenLineLeavesThoseAfterItAsTheyAre() throws {
    let seen = Self.line(0.5, -10)
    let alone = try Self.picture(seen)
    #expect(alone.contains { $0 > 0 })
    #expect(try Self.picture(Self.line(0, 10) + "," + Self.line(0, 15) + "," + seen) == alone)
  }
}
