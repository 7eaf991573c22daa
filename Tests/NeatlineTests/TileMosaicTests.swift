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
  /// Tiles along an edge.
  private static let side = 8

  @Test(arguments: styles, [256, 512])
  func noLabelIsCut(style: String, edge: Int) throws {
    let renderer = try Renderer(json: try labelsAlone(style), baseURL: style, options: options)
    let camera = try renderer.styleCamera
    // A tile of 512 pixels at zoom z is as large as one of 256 at z + 1. The world has 8 x 8 tiles at zoom 3.
    let base = max(Int(camera.zoom.rounded()) + (edge == 256 ? 1 : 0), 6)
    var ink = 0
    for zoom in [base - 3, base - 1, base, base + 1] {
      ink += try compareMosaic(renderer, zoom, around: camera.center, edge: edge)
    }
    if !style.hasSuffix("heatmap.json") { #expect(ink > 1000, "the tiles show labels") }
  }

  /// Labels for which a tile must look further than to their boxes.
  @Test(arguments: [
    // Letters reach far out of lines that are packed tightly.
    #"{"text-size": 70, "text-line-height": 0.05, "text-max-width": 2, "text-padding": 0}"#,
    #"{"text-size": 12, "text-rotate": 35, "text-offset": [4, 3]}"#,
    // As far from their anchors as they may.
    #"{"text-size": 13, "text-max-width": 5, "text-offset": [5, 4]}"#,
    #"{"text-size": 26, "text-max-width": 7, "text-variable-anchor": ["left", "right", "top"]}"#,
    // Longer than what may cross a line, but standing whatever they meet.
    #"{"text-size": 30, "symbol-placement": "line-center", "text-allow-overlap": true, "text-max-angle": 180}"#,
    #"{"text-size": 14, "symbol-placement": "line", "symbol-spacing": 60, "text-offset": [0, 2.5]}"#,
  ])
  func noLabelIsCutThatReachesFar(layout: String) throws {
    let renderer = try Renderer(json: try crowd(layout), options: options)
    var ink = 0
    for edge in [256, 512] {
      let middle = Coordinate(latitude: 10, longitude: 0)
      ink += try compareMosaic(renderer, edge == 256 ? 5 : 4, around: middle, edge: edge)
    }
    #expect(ink > 100_000, "the tiles show labels")
  }

  // MARK: -

  /// Servers draw each tile by one thread.
  private var options: Options {
    var options = Options()
    options.threadCount = 1
    return options
  }

  /// Compares tiles drawn alone with those of one picture; how many pixels the labels cover.
  private func compareMosaic(_ renderer: Renderer, _ zoom: Int, around place: Coordinate, edge: Int) throws
    -> Int
  {
    let side = TileMosaicTests.side, limit = (1 << zoom) - side
    let (x, y) = tile(place, zoom)
    let (x0, y0) = (min(max(0, x - side / 2), limit), min(max(0, y - side / 2), limit))
    let whole = try renderer.drawTiles(z: zoom, x: x0, y: y0, count: side, edge: edge)
    var ink = 0
    for row in 0..<side {
      for column in 0..<side {
        let alone = try renderer.drawTile(z: zoom, x: x0 + column, y: y0 + row, edge: edge)
        let difference = compare(alone, whole[row * side + column])
        // What is cut is missing where it comes in, at the edge. Elsewhere the side of an icon that lies in the middle
        // of pixels may fall either way, a column or a row of its pixels.
        #expect(difference.atEdges <= 2, "\(zoom)/\(x0 + column)/\(y0 + row)")
        #expect(difference.within <= 16, "\(zoom)/\(x0 + column)/\(y0 + row)")
        ink += difference.covered
      }
    }
    return ink
  }

  /// How one picture differs from another.
  private struct Difference {
    /// Pixels of the first one that are not empty.
    var covered = 0
    /// Pixels that are far from the other's: up to 32 pixels from an edge, and elsewhere.
    var atEdges = 0
    var within = 0
  }

  private func compare(_ a: Image, _ b: Image) -> Difference {
    let (width, height) = (a.width, a.height)
    var difference = Difference()
    a.withPixels { a in
      b.withPixels { b in
        guard a.count == b.count else { return difference.atEdges = .max }
        for pixel in stride(from: 0, to: a.count, by: 4) {
          if a[pixel + 3] != 0 { difference.covered += 1 } else if b[pixel + 3] == 0 { continue }
          guard (pixel..<pixel + 4).contains(where: { abs(Int(a[$0]) - Int(b[$0])) > 24 }) else { continue }
          let (x, y) = (pixel / 4 % width, pixel / 4 / width)
          if min(x, y, width - 1 - x, height - 1 - y) < 32 {
            difference.atEdges += 1
          } else {
            difference.within += 1
          }
        }
      }
    }
    return difference
  }

  /// The style with nothing but its labels.
  private func labelsAlone(_ path: String) throws -> String {
    let data = try Data(contentsOf: URL(fileURLWithPath: path))
    var style = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    let layers = try #require(style["layers"] as? [[String: Any]])
    style["layers"] = layers.filter { $0["type"] as? String == "symbol" }
    return String(decoding: try JSONSerialization.data(withJSONObject: style), as: UTF8.self)
  }

  /// Far more labels than have room, of points or along lines.
  private func crowd(_ layout: String) throws -> String {
    let glyphs = try #require(SharedFiles.path("data/glyphs"))
    let names = [
      "Ash", "Birch Hill", "Dogwood Lane East", "Elm", "Great Oak of the Old Northern Wood", "Fir",
    ]
    var state: UInt64 = 5
    func random(_ range: ClosedRange<Double>) -> Double {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return range.lowerBound + Double(state >> 40) / Double(1 << 24) * (range.upperBound - range.lowerBound)
    }
    let isLine = layout.contains("symbol-placement")
    let features = (0..<(isLine ? 1500 : 5000)).map { number -> String in
      let (lon, lat) = (random(-170...170), random(-70...70))
      let name = names[number % names.count]
      var geometry = #""Point", "coordinates": [\#(lon), \#(lat)]"#
      if isLine {
        let (dx, dy) = (random(-8...8), random(-5...5))
        let corners = (0..<6).map { "[\(lon + dx * Double($0)), \(lat + dy * Double($0 % 4))]" }
        geometry = #""LineString", "coordinates": [\#(corners.joined(separator: ","))]"#
      }
      return #"{"type": "Feature", "properties": {"n": "\#(name)"}, "geometry": {"type": \#(geometry)}}"#
    }
    let data = #"{"type": "FeatureCollection", "features": [\#(features.joined(separator: ","))]}"#
    let named = layout.dropLast() + #", "text-field": ["get", "n"], "text-font": ["Noto Sans Regular"]}"#
    return """
      {"version": 8, "glyphs": "\(glyphs)/{fontstack}/{range}.pbf",
       "sources": {"s": {"type": "geojson", "data": \(data)}},
       "layers": [{"id": "names", "type": "symbol", "source": "s", "layout": \(named)}]}
      """
  }

  private func tile(_ place: Coordinate, _ zoom: Int) -> (x: Int, y: Int) {
    let count = Double(1 << zoom)
    let sine = sin(place.latitude * .pi / 180)
    let y = 0.5 - log((1 + sine) / (1 - sine)) / (4 * .pi)
    return (Int((place.longitude / 360 + 0.5) * count), Int(y * count))
  }
}
