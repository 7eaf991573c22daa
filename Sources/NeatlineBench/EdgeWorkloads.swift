import Neatline

extension Bench {
  /// A town of 1,600 houses seen from the side, and a city with all layers of osm-bright and its houses in
  /// three dimensions, with smooth edges and without, in turn: what they cost of a picture.
  func edges() throws {
    try edges("1,600 houses", style: Bench.town(40), size: (512, 512)) {
      Camera(longitude: 0.01, latitude: 0.01, zoom: 15.5, bearing: Double($0 * 6), pitch: 50)
    }
    let path = "\(data)/styles/osm-bright.json"
    try edges("a city", style: try Bench.city(path), base: path, size: (1024, 768)) {
      Camera(longitude: 11.3945, latitude: 47.2675, zoom: 16, bearing: Double($0 % 12 * 30), pitch: 60)
    }
  }

  private func edges(
    _ name: String, style: String, base: String = "", size: (width: Int, height: Int),
    _ camera: (Int) -> Camera
  ) throws {
    var renderers: [Renderer] = []
    for isSmooth in [true, false] {
      var options = Options()
      options.smoothEdges = isSmooth
      renderers.append(try Renderer(json: style, baseURL: base, options: options))
    }
    var milliseconds: [[Double]] = [[], []]
    for round in 0..<(isQuick ? 16 : 72) {
      for (place, renderer) in renderers.enumerated() {
        let start = Platform.now
        _ = try renderer.draw(camera: camera(round), width: size.width, height: size.height)
        // The first pictures lay their tiles out.
        if round >= 12 { milliseconds[place].append((Platform.now - start) * 1000) }
      }
    }
    add("\(name), smooth edges", milliseconds[0], "ms")
    add("\(name), without", milliseconds[1], "ms")
    add("in turn, \(name), with over without", zip(milliseconds[0], milliseconds[1]).map { $0 / $1 }, "times")
  }

  /// osm-bright with houses in three dimensions under its labels.
  private static func city(_ path: String) throws -> String {
    var style = try JSONValue(parsing: String(decoding: try Platform.read(path), as: UTF8.self))
    var layers = style["layers"]?.array ?? []
    let labels = layers.firstIndex { $0["type"] == "symbol" } ?? layers.count
    layers.insert(
      [
        "id": "houses", "type": "fill-extrusion", "source": "openmaptiles", "source-layer": "building",
        "paint": [
          "fill-extrusion-color": "tan", "fill-extrusion-height": ["get", "render_height"],
          "fill-extrusion-base": ["get", "render_min_height"],
        ],
      ], at: labels)
    style["layers"] = .array(layers)
    return style.text
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
