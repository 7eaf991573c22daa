import NeatBase
import NeatCamera
import NeatJSON
import NeatMap
import NeatRaster
import NeatStyle
import NeatTestSupport
import NeatText
import Testing

/// Labels at the edges of tile pictures: neighbours must decide alike on them.
@Suite struct TileSeamTests {
  /// Glyphs that are blocks, each letter as wide as any other.
  private func blocks() throws -> GlyphStore {
    let store = GlyphStore()
    let stack = store.fontStack(
      "Open Sans Regular,Arial Unicode MS Regular", server: store.server("none://{fontstack}/{range}"))
    for letter in UInt32(UInt8(ascii: "a"))...UInt32(UInt8(ascii: "z")) {
      var field = [UInt8](repeating: 0, count: 18 * 22)
      for y in 3..<19 { for x in 3..<15 { field[y * 18 + x] = 255 } }
      try store.insert(
        codepoint: letter, fontStack: stack,
        metrics: GlyphMetrics(width: 12, height: 16, left: 1, top: -8, advance: 14), bitmap: field)
    }
    return store
  }

  /// Names of one to nine letters, dense enough that most of them do not find a place.
  private func map() throws -> MapCore {
    var random = SplitMix(seed: 7)
    var features: [String] = []
    for _ in 0..<3000 {
      let (lon, lat) = (
        Double.random(in: -40...40, using: &random), Double.random(in: -40...40, using: &random)
      )
      let name = String(repeating: "m", count: Int.random(in: 1...9, using: &random))
      features.append(
        #"{"type":"Feature","properties":{"n":"\#(name)"},"geometry":{"type":"Point","coordinates":[\#(lon),\#(lat)]}}"#
      )
    }
    let style = """
      {"version": 8, "glyphs": "none://{fontstack}/{range}",
       "sources": {"s": {"type": "geojson", "data": {"type": "FeatureCollection", "features": [\(features.joined(separator: ","))]}}},
       "layers": [{"id": "names", "type": "symbol", "source": "s", "layout": {"text-field": ["get", "n"], "text-size": 12}}]}
      """
    return MapCore(style: try Style(json: try JSON.parse(Array(style.utf8))), base: "", glyphs: try blocks())
  }

  private func draw(_ core: MapCore, x: Double, width: Int, margin: Int) throws -> Bitmap {
    let nothing = ResourceClient { $0.map { _ in .missing } }
    // The seam between the tiles 4/7/7 and 4/8/7 of 256 pixels lies at x = 0.
    let center = Mercator.unproject(SIMD2(0.5 + x / 4096, 7.5 / 16))
    return try core.render(
      camera: Camera(center: center, zoom: 3), size: ViewSize(width: width, height: 256), labelMargin: margin,
      client: nothing,
      executor: .inline)
  }

  @Test func neighboursAgreeOnLabelsAcrossTheirEdge() throws {
    let core = try map()
    let (west, east) = (
      try draw(core, x: -128, width: 256, margin: 256), try draw(core, x: 128, width: 256, margin: 256)
    )
    // A view of both, whose labels near the seam have far more around them on either side.
    let whole = try draw(core, x: 0, width: 512, margin: 512)
    let inked = differences(whole, west, at: 0, blank: true)
    #expect(inked > 4000, "the pictures hold labels")
    #expect(differences(whole, west, at: 0) == 0)
    #expect(differences(whole, east, at: 256) == 0)
    // Without the margin they would not agree.
    let alone = try draw(core, x: 128, width: 256, margin: 0)
    #expect(differences(whole, alone, at: 256) > 0)
  }

  /// Pixels of `part` that differ from those of `whole` where it lies, or, with `blank`, that are not empty.
  private func differences(_ whole: Bitmap, _ part: Bitmap, at x0: Int, blank: Bool = false) -> Int {
    var count = 0
    for y in 0..<part.height {
      for x in 0..<part.width {
        let pixel = part.pixels[y * part.width + x]
        if blank ? pixel != 0 : pixel != whole.pixels[y * whole.width + x0 + x] { count += 1 }
      }
    }
    return count
  }
}
