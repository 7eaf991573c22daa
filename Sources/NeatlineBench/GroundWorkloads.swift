import Glibc
import Neatline

extension Bench {
  /// A town in a valley with all layers of osm-bright, from cameras that move over it, over the plane and over the
  /// terrain in turn: what the ground costs. The first round loads, lays out and drapes the tiles. Then from cameras
  /// that turn on one place, by which the relief's light comes from elsewhere: all of it is shaded and draped anew.
  func terrain() throws {
    let text = String(decoding: try Platform.read("\(data)/styles/osm-bright-terrain.json"), as: UTF8.self)
    let raised = try JSONValue(parsing: text)
    var flat = raised
    flat["terrain"] = nil
    try inTurn("terrain", flat: flat, other: raised, base: "\(data)/styles/osm-bright-terrain.json") {
      number in
      let angle = Double(number) / 12 * 2 * Double.pi
      return Camera(
        longitude: 11.3945 + 0.01 * cos(angle), latitude: 47.2675 + 0.006 * sin(angle), zoom: 13, bearing: 20,
        pitch: 50)
    }
    try inTurn("terrain turned", flat: flat, other: raised, base: "\(data)/styles/osm-bright-terrain.json") {
      number in
      Camera(longitude: 11.3945, latitude: 47.2675, zoom: 13, bearing: Double(number * 30), pitch: 50)
    }
  }

  /// The world with its countries, from cameras around it, on the plane and on the globe in turn.
  func globe() throws {
    let path = "\(data)/styles/demotiles-world.json"
    var flat = try JSONValue(parsing: String(decoding: try Platform.read(path), as: UTF8.self))
    var round = flat
    round["projection"] = ["type": "globe"]
    flat["projection"] = nil
    try inTurn("globe", flat: flat, other: round, base: path) {
      Camera(longitude: Double($0 * 30), latitude: 30, zoom: 2.2, pitch: 20)
    }
  }

  private func inTurn(
    _ name: String, flat: JSONValue, other: JSONValue, base: String, _ camera: (Int) -> Camera
  ) throws {
    var options = Options()
    options.threadCount = 2
    let renderers = try [flat, other].map { try Renderer(json: $0.text, baseURL: base, options: options) }
    var milliseconds: [[Double]] = [[], []]
    for round in 0..<(isQuick ? 6 : 36) {
      for (place, renderer) in renderers.enumerated() {
        let start = Platform.now
        _ = try renderer.draw(camera: camera(round % 12), width: 1024, height: 768)
        if isQuick || round >= 12 { milliseconds[place].append((Platform.now - start) * 1000) }
      }
    }
    add("\(name), plane", milliseconds[0], "ms")
    add("\(name)", milliseconds[1], "ms")
    add("in turn, \(name) over plane", zip(milliseconds[1], milliseconds[0]).map { $0 / $1 }, "times")
  }
}
