import Neatline

extension Bench {
  /// What an edit of a live map costs to show, beside a picture without one: a constant of paint, which lays
  /// nothing out; a filter, which lays its layer out.
  func edit() throws {
    let scattered = (0..<40_000).map { index in
      let longitude = Double(index * 7919 % 36_000) / 100 - 180
      let latitude = Double(index * 104_729 % 16_000) / 100 - 80
      let geometry = #"{"type":"Point","coordinates":[\#(longitude),\#(latitude)]}"#
      return #"{"type":"Feature","properties":{"n":\#(index)},"geometry":\#(geometry)}"#
    }
    let features = scattered.joined(separator: ",")
    try edits(
      "40,000 points", layer: "dots", constant: "circle-radius",
      style: """
        {"version":8,"sources":{"s":{"type":"geojson","data":{"type":"FeatureCollection","features":[\(features)]}}},
         "layers":[{"id":"dots","type":"circle","source":"s","paint":{"circle-radius":2}},
                   {"id":"lines","type":"circle","source":"s","filter":["==",["get","n"],1]}]}
        """)
    let path = "\(data)/styles/osm-bright.json"
    try edits("osm-bright", layer: "waterway-other", constant: "line-width", styleURL: path)
  }

  private func edits(
    _ name: String, layer: String, constant: String, style: String? = nil, styleURL: String? = nil
  ) throws {
    let loop = try EventLoop()
    let map = try Map(loop: loop, width: 512, height: 512)
    if let style { try map.setStyle(json: style) }
    if let styleURL { try map.loadStyle(styleURL) }
    loop.run(timeout: 60_000)
    guard map.isLoaded else { throw BenchError("\(name) is not loaded in time") }
    try map.setTransitions(enabled: false)
    var step = 0.0
    func times(_ body: () throws -> Void) throws -> [Double] {
      try (0..<(isQuick ? 5 : 30)).map { _ in
        step += 1
        let start = Platform.now
        try body()
        _ = try map.draw()
        return (Platform.now - start) * 1000
      }
    }
    add("\(name), drawn", try times {}, "ms")
    add(
      "\(name), a constant changed and drawn",
      try times {
        try map.setPaintProperty(layer: layer, constant, .number(2 + step.truncatingRemainder(dividingBy: 7)))
      }, "ms")
    add(
      "\(name), a filter changed and drawn",
      try times { try map.setFilter(layer: layer, ["!=", ["get", "n"], .number(step)]) }, "ms")
  }
}
