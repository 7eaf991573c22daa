import Neatline

// Large documents, and how the time grows with their size. Parsing alone is measured by asking for clusters
// of what has no points, or for none: what is left is reading, and a pass or two over the features.

extension Bench {
  /// Options under which a document is read and nothing else is done with it: its features are polygons or
  /// lines, which clusters leave out.
  private static let readOnly: JSONValue = ["cluster": true, "clusterMaxZoom": 0]
  /// What a source of a style asks for, in the units of tiles of 8192.
  private static let source: JSONValue = ["maxzoom": 18, "extent": 8192, "buffer": 2048, "tolerance": 6]
  private static let clusters: JSONValue = [
    "cluster": true, "clusterMaxZoom": 16, "clusterRadius": 800, "extent": 8192,
  ]

  /// The time zones of the world, 2.1 million points: reading, being ready for any tile, and the most memory
  /// as a multiple of the text (which is in memory too; without what the process held before it read the
  /// text).
  func zones() throws {
    let text = try Platform.read("\(data)/geojson/\(isQuick ? "us-counties" : "tz-world").geojson.gz")
    let before = Platform.residentBytes - text.count
    _ = try GeoJSONIndex(parsing: text, options: Bench.source)
    add("tz-world memory", [Double(Platform.peakBytes - before) / Double(text.count)], "x text")
    try latency("tz-world ready") { _ = try GeoJSONIndex(parsing: text, options: Bench.source) }
    try throughput("tz-world parse", amount: Double(text.count) / 1e6, "MB/s") {
      _ = try GeoJSONIndex(parsing: text, options: Bench.readOnly)
    }
    let index = try GeoJSONIndex(parsing: text, options: Bench.source)
    let start = Platform.now
    _ = try index.tile(z: 0, x: 0, y: 0)
    add("tz-world first tile 0/0/0", [(Platform.now - start) * 1000], "ms")
    try latency("tz-world pieces of 64 KiB") {
      let reader = try GeoJSONReader(options: Bench.readOnly)
      var at = 0
      while at < text.count {
        let end = Swift.min(at + 65536, text.count)
        try reader.append(Array(text[at..<end]))
        at = end
      }
      _ = try reader.finish()
    }
  }

  /// Cities of the world for zooms 0 to 16: all, and what of it is reading.
  func clusterCities() throws {
    let text = try Platform.read("\(data)/geojson/cities500.geojson.gz")
    let runs = try pairs {
      _ = try GeoJSONIndex(parsing: text, options: Bench.clusters)
    } _: {
      _ = try GeoJSONIndex(parsing: text, options: Bench.onlyFirst(Bench.clusters))
    }
    add("cities500 parse", runs.map { Double(text.count) / 1e6 / $0.part }, "MB/s")
    add("cities500 clusters", runs.map { ($0.whole - $0.part) * 1000 }, "ms")
  }

  /// The same options with a single zoom and no room for clusters.
  private static func onlyFirst(_ options: JSONValue) -> JSONValue {
    var options = options
    options["clusterMaxZoom"] = 0
    options["clusterRadius"] = 0
    return options
  }

  /// Documents, polygons and tiles of 1, 10 and 100 times the size: nanoseconds for each byte, or for each n
  /// log n.
  func curve() throws {
    let tile = try tiles()[0].bytes
    for times in isQuick ? [1, 10] : [1, 10, 100] {
      let zones = Bench.randomZones(times * 200)
      let points = Double(times * 200 * 101)
      let ready = try pairs {
        _ = try GeoJSONIndex(parsing: zones, options: Bench.source)
      } _: {
        _ = try GeoJSONIndex(parsing: zones, options: Bench.readOnly)
      }
      add("curve-\(times) parse", ready.map { $0.part * 1e9 / Double(zones.count) }, "ns/byte")
      add(
        "curve-\(times) tiling", ready.map { ($0.whole - $0.part) * 1e9 / points / log2(points) },
        "ns/n log n")
      let cities = Bench.randomPoints(times * 5000)
      let count = Double(times * 5000)
      let all = try pairs {
        _ = try GeoJSONIndex(parsing: cities, options: Bench.clusters)
      } _: {
        _ = try GeoJSONIndex(parsing: cities, options: Bench.onlyFirst(Bench.clusters))
      }
      add(
        "curve-\(times) clusters", all.map { ($0.whole - $0.part) * 1e9 / count / log2(count) }, "ns/n log n")
      // A tile's layers again and again are a tile too.
      let layers = [UInt8]((0..<times).map { _ in tile }.joined())
      add(
        "curve-\(times) tile",
        try seconds { _ = try Tile(decoding: layers, format: .mvt) }.map { $0 * 1e9 / Double(layers.count) },
        "ns/byte")
      let lake = Bench.randomLake(times * 1000)
      let corners = Double(lake.reduce(0) { $0 + $1.count })
      add(
        "curve-\(times) triangulation",
        try seconds { _ = try triangulate(lake) }.map { $0 * 1e9 / corners / log2(corners) }, "ns/n log n")
    }
  }

  /// A rough shore of so many points, and an island of eight for each fifty of them.
  static func randomLake(_ count: Int) -> [[SIMD2<Double>]] {
    var random = Random(9)
    // A shore of steps up, back above it: no two of its edges cross.
    let side = count / 4
    var shore: [SIMD2<Double>] = []
    for x in 0..<side { shore.append(SIMD2(Double(x), random.next(-1...0))) }
    for y in 0..<side { shore.append(SIMD2(Double(side) + random.next(0...1), Double(y))) }
    for x in 0..<side { shore.append(SIMD2(Double(side - x), Double(side) + random.next(0...1))) }
    for y in 0..<side { shore.append(SIMD2(random.next(-1...0), Double(side - y))) }
    var rings = [shore]
    // Islands in cells of a grid, none in two.
    let rows = Swift.max(1, Int((Double(count) / 50).squareRoot()))
    let cell = Double(side) / Double(rows)
    for row in 0..<rows {
      for column in 0..<rows {
        let x = (Double(column) + 0.5) * cell, y = (Double(row) + 0.5) * cell
        let unit = [
          (1.0, 0.0), (0.7, 0.7), (0.0, 1.0), (-0.7, 0.7), (-1.0, 0.0), (-0.7, -0.7), (0.0, -1.0),
          (0.7, -0.7),
        ]
        rings.append(
          unit.map {
            SIMD2(x + $0.0 * cell * random.next(0.1...0.4), y + $0.1 * cell * random.next(0.1...0.4))
          })
      }
    }
    return rings
  }

  private func log2(_ value: Double) -> Double {
    var value = value
    var result = 0.0
    while value > 2 {
      value /= 2
      result += 1
    }
    return result + value - 1
  }

  /// Points as cities lie: in crowds around a few hundred places.
  static func randomPoints(_ count: Int) -> [UInt8] {
    var random = Random(3)
    var text = "{\"type\":\"FeatureCollection\",\"features\":["
    var centre = (0.0, 0.0)
    for number in 0..<count {
      if number % 200 == 0 { centre = (random.next(-180...180), random.next(-60...70)) }
      let spread = random.next(0.01...6)
      let lon = centre.0 + random.next(-1...1) * spread, lat = centre.1 + random.next(-1...1) * spread
      if number > 0 { text += "," }
      text +=
        "{\"type\":\"Feature\",\"id\":\(number),\"properties\":{\"name\":\"City \(number)\"},\"geometry\":{\"type\":\"Point\",\"coordinates\":"
      text += "[\(short(lon)),\(short(lat))]}}"
    }
    return Array((text + "]}").utf8)
  }

  /// Polygons as zones are: rough rings of 101 points.
  static func randomZones(_ count: Int) -> [UInt8] {
    var random = Random(5)
    var text = "{\"type\":\"FeatureCollection\",\"features\":["
    for number in 0..<count {
      let x = random.next(-170...170), y = random.next(-70...70), size = random.next(0.1...4)
      if number > 0 { text += "," }
      text +=
        "{\"type\":\"Feature\",\"properties\":{\"zone\":\"Zone \(number)\"},\"geometry\":{\"type\":\"Polygon\",\"coordinates\":[["
      var first = ""
      for corner in 0..<100 {
        let turn = Double(corner) / 100, reach = size * random.next(0.8...1)
        // A square walked around, its edges rough.
        let side = turn * 4
        let along = (side - Double(Int(side))) * 2 - 1
        let place =
          switch Int(side) {
          case 0: (along, -1.0)
          case 1: (1.0, along)
          case 2: (-along, 1.0)
          default: (-1.0, -along)
          }
        let position = "[\(short(x + place.0 * reach)),\(short(y + place.1 * reach))]"
        if corner == 0 { first = position }
        text += position + ","
      }
      text += first + "]]}}"
    }
    return Array((text + "]}").utf8)
  }

  /// A number with five decimals.
  private static func short(_ value: Double) -> String {
    let scaled = Int((abs(value) * 100000).rounded())
    let fraction = String(scaled % 100000)
    return
      "\(value < 0 ? "-" : "")\(scaled / 100000).\(String(repeating: "0", count: 5 - fraction.count))\(fraction)"
  }
}
