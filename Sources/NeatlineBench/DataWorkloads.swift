import Neatline

extension Bench {
  /// Reading GeoJSON and cutting it into its first tiles.
  func geojson() throws {
    var names = [
      "ne_110m_admin_0_countries.geojson", "earthquakes.geojson", "liechtenstein-buildings-roads.geojson.gz",
    ]
    if !isQuick { names += ["us-counties.geojson.gz", "cities500.geojson.gz"] }
    for name in names {
      let bytes = try Platform.read("\(data)/geojson/\(name)")
      try throughput(name, amount: Double(bytes.count) / 1e6, "MB/s") {
        let index = try GeoJSONIndex(parsing: bytes)
        _ = try index.tile(z: 0, x: 0, y: 0)
      }
    }
  }

  /// Clustering of points for all zooms.
  func cluster() throws {
    let quakes = try Platform.read("\(data)/geojson/earthquakes.geojson")
    let options: JSONValue = ["cluster": true]
    let count = try GeoJSONIndex(parsing: quakes).featureCount
    try throughput("earthquakes", amount: Double(count), "points/s") {
      _ = try GeoJSONIndex(parsing: quakes, options: options).tile(z: 0, x: 0, y: 0)
    }
    let text = Bench.randomPoints(isQuick ? 10_000 : 100_000)
    try throughput("crowds-\(isQuick ? 10_000 : 100_000)", amount: isQuick ? 10_000 : 100_000, "points/s") {
      _ = try GeoJSONIndex(parsing: text, options: options).tile(z: 0, x: 0, y: 0)
    }
    if !isQuick { try clusterCities() }
  }

  /// Shaping of labels through font files.
  func text() throws {
    let scripts = [
      ("latin", "NotoSans-Regular.ttf", "Innsbruck Hauptbahnhof and the old town along the river"),
      ("cyrillic", "NotoSans-Regular.ttf", "Москва, Красная площадь"),
      ("arabic", "NotoNaskhArabic-Regular.ttf", "شارع الملك فيصل"),
      ("devanagari", "NotoSansDevanagari-Regular.ttf", "नई दिल्ली रेलवे स्टेशन"),
    ]
    for (name, font, label) in scripts {
      let fonts = try Fonts()
      try fonts.addFile(try Platform.read("\(data)/ttf/\(font)"))
      let request: JSONValue = [
        "sections": [["text": .string(label), "fontStack": "Noto", "scale": 1]], "maxWidth": 240,
        "lineHeight": 28.8, "anchor": "center",
        "justify": "center",
      ]
      try throughput(name, amount: 1, "labels/s") { _ = try fonts.shape(request) }
    }
  }

  /// PNG both ways, on a drawn map; and of the pictures of cities, on one thread and on two.
  func png() throws {
    let file = try Platform.read("\(data)/reference/osm-bright.png")
    let image = try Image(decoding: file)
    let megabytes = Double(image.width * image.height * 4) / 1e6
    try throughput("encode fast", amount: megabytes, "MB/s") { _ = try image.png(.fast) }
    // Pictures of a renderer are encoded on its threads, as long as it is there.
    let renderer = try Renderer(styleURL: "\(data)/styles/osm-bright.json")
    let drawn = try renderer.draw(width: 512, height: 512)
    try withExtendedLifetime(renderer) {
      try throughput("encode fast, a renderer's", amount: 1.048576, "MB/s") { _ = try drawn.png(.fast) }
    }
    try throughput("encode small", amount: megabytes, "MB/s") { _ = try image.png(.small) }
    try throughput("decode", amount: megabytes, "MB/s") { _ = try Image(decoding: file) }
    for style in Bench.cities { try encodings(style: style) }
  }
}
