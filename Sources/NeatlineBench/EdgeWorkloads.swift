import Neatline

extension Bench {
  /// A town of 1,600 houses seen from the side, with smooth edges and without, in turn: what they cost of a picture.
  func edges() throws {
    let style = Bench.town(40)
    var renderers: [Renderer] = []
    for isSmooth in [true, false] {
      var options = Options()
      options.smoothEdges = isSmooth
      renderers.append(try Renderer(json: style, options: options))
    }
    var milliseconds: [[Double]] = [[], []]
    for round in 0..<(isQuick ? 4 : 60) {
      let camera = Camera(
        longitude: 0.01, latitude: 0.01, zoom: 15.5, bearing: Double(round * 6), pitch: 50)
      for (place, renderer) in renderers.enumerated() {
        let start = Platform.now
        _ = try renderer.draw(camera: camera, width: 512, height: 512)
        // The first pictures lay their tiles out.
        if round > 1 { milliseconds[place].append((Platform.now - start) * 1000) }
      }
    }
    add("1,600 houses, smooth edges", milliseconds[0], "ms")
    add("1,600 houses, without", milliseconds[1], "ms")
    add("in turn, with over without", zip(milliseconds[0], milliseconds[1]).map { $0 / $1 }, "times")
  }

  /// Houses in rows, with heights of their own, over ground.
  private static func town(_ side: Int) -> String {
    var features: [String] = []
    for row in 0..<side {
      for column in 0..<side {
        let (x, y) = (Double(column) * 0.0005, Double(row) * 0.0005)
        let corners = [(x, y), (x + 0.0003, y), (x + 0.00034, y + 0.0003), (x, y + 0.00032), (x, y)]
        let ring = corners.map { "[\($0.0),\($0.1)]" }.joined(separator: ",")
        features.append(
          #"{"type":"Feature","properties":{"h":\#(8 + (row * 7 + column * 3) % 40)},"geometry":"#
            + #"{"type":"Polygon","coordinates":[[\#(ring)]]}}"#)
      }
    }
    return #"{"version":8,"sources":{"s":{"type":"geojson","data":{"type":"FeatureCollection","features":["#
      + features.joined(separator: ",") + #"]}}},"layers":["#
      + #"{"id":"ground","type":"background","paint":{"background-color":"white"}},"#
      + #"{"id":"shadow","type":"fill","source":"s","paint":{"fill-color":"gray"}},"#
      + #"{"id":"houses","type":"fill-extrusion","source":"s","#
      + #""paint":{"fill-extrusion-color":"tan","fill-extrusion-height":["get","h"]}}]}"#
  }
}
