import Foundation
import NeatTestSupport
import Neatline
import Testing

/// Tiles that are drawn each alone make the same mosaic as one picture of all of them, in which nothing is cut: no label
/// is missing on one side of a line between tiles, or stands elsewhere.
@Suite(.enabled(if: SharedFiles.path("data/styles") != nil, "no ../shared"))
struct TileMosaicTests {
  private static let styles =
    SharedFiles.path("data/styles").map { folder in
      SharedFiles.list(folder).filter { $0.hasSuffix(".json") }.map { folder + "/" + $0 }
    } ?? []
  /// Tiles along an edge; 8 with NEATLINE_MOSAIC=8.
  private static let count = ProcessInfo.processInfo.environment["NEATLINE_MOSAIC"].flatMap { Int($0) } ?? 3

  @Test(arguments: styles, [256, 512])
  func noLabelIsCut(style: String, edge: Int) throws {
    let renderer = try Renderer(json: try labelsAlone(style), baseURL: style, options: Options())
    let camera = try renderer.styleCamera
    // A tile of 512 pixels at zoom z is as large as one of 256 at z + 1.
    let base = Int(camera.zoom.rounded()) + (edge == 256 ? 1 : 0)
    var ink = 0
    for zoom in [base - 3, base - 1, base, base + 1] where zoom >= 1 && zoom <= 18 {
      let side = min(TileMosaicTests.count, 1 << zoom)
      let (x, y) = tile(camera.center, zoom)
      let limit = (1 << zoom) - side
      let (x0, y0) = (min(max(0, x - side / 2), limit), min(max(0, y - side / 2), limit))
      let whole = try renderer.drawTiles(z: zoom, x: x0, y: y0, count: side, edge: edge)
      for row in 0..<side {
        for column in 0..<side {
          let alone = try renderer.drawTile(z: zoom, x: x0 + column, y: y0 + row, edge: edge)
          let (a, b) = (alone.pixels, whole[row * side + column].pixels)
          let differing = zip(a, b).lazy.filter { abs(Int($0) - Int($1)) > 24 }.count
          // A label that is cut misses hundreds. The edge of a glyph or an icon between two pixels may fall either way.
          #expect(differing <= 8, "\(zoom)/\(x0 + column)/\(y0 + row)")
          ink += a.lazy.filter { $0 != 0 }.count
        }
      }
    }
    if !style.hasSuffix("heatmap.json") { #expect(ink > 1000, "the tiles show labels") }
  }

  /// The style with nothing but its labels.
  private func labelsAlone(_ path: String) throws -> String {
    let data = try Data(contentsOf: URL(fileURLWithPath: path))
    var style = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    let layers = try #require(style["layers"] as? [[String: Any]])
    style["layers"] = layers.filter { $0["type"] as? String == "symbol" }
    return String(decoding: try JSONSerialization.data(withJSONObject: style), as: UTF8.self)
  }

  private func tile(_ place: Coordinate, _ zoom: Int) -> (x: Int, y: Int) {
    let count = Double(1 << zoom)
    let sine = sin(place.latitude * .pi / 180)
    let y = 0.5 - log((1 + sine) / (1 - sine)) / (4 * .pi)
    return (Int((place.longitude / 360 + 0.5) * count), Int(y * count))
  }
}
