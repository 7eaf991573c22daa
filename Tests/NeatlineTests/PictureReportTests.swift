import Neatline
import Testing

@Suite struct PictureReportTests {
  private let style = #"""
    {"version": 8, "sources": {"g": {"type": "geojson", "data": {"type": "Polygon", "coordinates": [[[-40, -40], [40, -40], [40, 40], [-40, -40]]]}},
      "gone": {"type": "geojson", "data": "/no/such/file.geojson"}}, "snow": {},
     "layers": [{"id": "park", "type": "fill", "source": "g", "paint": {"fill-pattern": "trees"}}, {"id": "line", "type": "line", "source": "gone"}]}
    """#

  @Test func picturesTilesAndFramesTellWhatTheyLack() throws {
    let renderer = try Renderer(json: style)
    for report in [
      try renderer.draw(width: 32, height: 32).report, try renderer.drawTile(z: 0, x: 0, y: 0).report,
      try renderer.frame(width: 32, height: 32).report,
    ] {
      #expect(!report.isComplete && report.omitted == 0)
      #expect(Set(report.missing.map(\.kind)) == [.source, .style, .image])
      let source = try #require(report.missing.first { $0.kind == .source })
      #expect(
        source.resource == "/no/such/file.geojson" && source.status == .notFound && source.isFailure
          && source.source == "gone")
      let image = try #require(report.missing.first { $0.kind == .image })
      #expect(image.resource == "trees" && image.layer == "park" && !image.isFailure)
      #expect("\(image)" == "trees (layer park): no image is called \"trees\"")
    }
    #expect(try renderer.draw(width: 32, height: 32).isComplete == false)
  }

  @Test func picturesThatWereNotDrawnLackNothing() throws {
    let image = try Image(width: 1, height: 1, pixels: [0, 0, 0, 0])
    #expect(image.isComplete && image.report == PictureReport())
  }

  @Test(arguments: [-1, 101, Int(UInt32.max) - 1, Int(UInt32.max) + 1]) func retriesOutOfRangeAreRefused(
    _ count: Int
  ) throws {
    var options = Options()
    options.retryCount = count
    #expect { try Renderer(json: style, options: options) } throws: {
      ($0 as? NeatlineError)?.status == .invalidArgument
    }
    options.retryCount = 100
    _ = try Renderer(json: style, options: options)
  }
}
