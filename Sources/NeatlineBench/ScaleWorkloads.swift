import Glibc
import Neatline

// How the time of a picture grows with its pixels and with what is in it. Times on one thread are those of
// the processor, which hold no waiting for other work on the machine; those on two are of the clock.

extension Bench {
  /// The pictures whose curves and limits are measured.
  static let cities = ["osm-bright", "positron", "versatiles-colorful"]

  func scale(style: String?) throws {
    for style in style.map({ [$0] }) ?? (isQuick ? ["osm-bright"] : Bench.cities) { try pixels(style) }
    for kind in Crowd.allCases { try features(kind) }
  }

  /// The same picture with ever more pixels: the same ground with a higher pixel ratio, and more ground.
  /// Nanoseconds a pixel, with all layouts kept, and of encoding it as PNG.
  private func pixels(_ style: String) throws {
    let renderers = try [1, 2].map { threads in
      var options = Options()
      options.threadCount = threads
      return try Renderer(styleURL: "\(data)/styles/\(style).json", options: options)
    }
    let camera = try renderers[0].styleCamera
    for isLarger in [false, true] {
      for edge in isQuick ? [256, 512] : [256, 512, 1024, 2048, 4096] {
        let side = isLarger ? edge : 256
        let ratio = isLarger ? 1 : Double(edge) / 256
        let perPixel = 1e9 / Double(edge * edge)
        let name = "\(style), \(isLarger ? "size" : "ratio") \(edge)"
        func draw(_ renderer: Renderer) throws -> Image {
          try renderer.draw(camera: camera, width: side, height: side, pixelRatio: ratio)
        }
        let picture = try draw(renderers[0])
        _ = try draw(renderers[1])
        add(
          "\(name), one thread", try processorTimes { _ = try draw(renderers[0]) }.map { $0 * perPixel },
          "ns/pixel")
        add(
          "\(name), two threads", try seconds { _ = try draw(renderers[1]) }.map { $0 * perPixel }, "ns/pixel"
        )
        add("\(name), PNG", try processorTimes { _ = try picture.png() }.map { $0 * perPixel }, "ns/pixel")
      }
    }
  }

  /// A picture of 1024x1024 pixels with ever more features, all of them within it, on one thread: nanoseconds
  /// a feature, of the first picture (reading the document, cutting its tiles and laying them out) and of
  /// those after it.
  private func features(_ kind: Crowd) throws {
    let path = "/tmp/neatline-bench-\(getpid()).geojson"
    defer { unlink(path) }
    var options = Options()
    options.threadCount = 1
    for count in isQuick ? [1000, 10_000] : kind.counts {
      try Platform.write(path, kind.document(count))
      let perFeature = 1e9 / Double(count)
      let style = kind.style(document: path)
      // Four tiles of zoom 14 meet in the middle.
      let camera = Camera(longitude: 0, latitude: 0, zoom: 14)
      var kept: Renderer?
      let first = try (0..<(isQuick || count > 100_000 ? 1 : 3)).map { _ in
        let start = Platform.processorTime
        let renderer = try Renderer(json: style, baseURL: "\(data)/styles/crowd.json", options: options)
        let picture = try renderer.draw(camera: camera, width: 1024, height: 1024)
        guard picture.report.isComplete else { throw BenchError("the picture lacks something") }
        kept = renderer
        return (Platform.processorTime - start) * perFeature
      }
      let name = "\(count) \(kind.rawValue)"
      add("\(name), first picture", first, "ns/feature")
      guard let renderer = kept else { continue }
      let again = try processorTimes { _ = try renderer.draw(camera: camera, width: 1024, height: 1024) }
      add("\(name), again", again.map { $0 * perFeature }, "ns/feature")
      add("\(name), again, whole picture", again.map { $0 * 1000 }, "ms")
    }
  }
}

/// Features of one kind, spread evenly over the four tiles of zoom 14 that meet at longitude and latitude 0.
private enum Crowd: String, CaseIterable {
  case polygons, lines, circles, labels

  /// Half the side of their square in degrees: a little less than a tile, so that nothing lies on the edge of
  /// the picture.
  private static let reach = 0.0215

  /// Labels are shaped one by one when they are first laid out: a million would take the time of all else.
  var counts: [Int] {
    self == .labels ? [1000, 10_000, 100_000, 300_000] : [1000, 10_000, 100_000, 1_000_000]
  }

  func document(_ count: Int) -> String {
    let side = Int(Double(count).squareRoot().rounded(.up))
    let cell = 2 * Crowd.reach / Double(side)
    var text = #"{"type":"FeatureCollection","features":["#
    for index in 0..<count {
      let x = (Double(index % side) + 0.2) * cell - Crowd.reach
      let y = (Double(index / side) + 0.2) * cell - Crowd.reach
      if index > 0 { text += "," }
      text += #"{"type":"Feature","properties":{"n":"\#(index % 1000)"},"geometry":{"type":"#
      text += geometry(x, y, 0.6 * cell)
      text += "}}"
    }
    return text + "]}"
  }

  private func geometry(_ x: Double, _ y: Double, _ size: Double) -> String {
    func place(_ right: Double, _ up: Double) -> String {
      func degrees(_ value: Double) -> Double { (value * 1e9).rounded() / 1e9 }
      return "[\(degrees(x + right * size)),\(degrees(y + up * size))]"
    }
    return switch self {
    case .polygons:
      #""Polygon","coordinates":[["# + place(0, 0) + "," + place(1, 0.1) + "," + place(0.9, 1) + ","
        + place(0.1, 0.9) + "," + place(0, 0) + "]]"
    case .lines:
      #""LineString","coordinates":["# + place(0, 0) + "," + place(0.6, 0.4) + "," + place(1, 1) + "]"
    case .circles, .labels: #""Point","coordinates":"# + place(0.5, 0.5)
    }
  }

  func style(document: String) -> String {
    let layer =
      switch self {
      case .polygons: #""type":"fill","paint":{"fill-color":"teal"}"#
      case .lines: #""type":"line","paint":{"line-color":"teal","line-width":1}"#
      case .circles: #""type":"circle","paint":{"circle-color":"teal","circle-radius":2}"#
      case .labels:
        #""type":"symbol","layout":{"text-field":["get","n"],"text-size":10,"#
          + #""text-font":["Noto Sans Regular"]}"#
      }
    // What is smaller than a pixel would be left out otherwise.
    return
      #"{"version":8,"glyphs":"../glyphs/{fontstack}/{range}.pbf","sources":"#
      + #"{"s":{"type":"geojson","tolerance":0,"data":"file://\#(document)"}},"layers":["#
      + #"{"id":"ground","type":"background","paint":{"background-color":"white"}},"#
      + #"{"id":"crowd","source":"s",\#(layer)}]}"#
  }
}
