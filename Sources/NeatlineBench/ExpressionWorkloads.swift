import ExpressionOracle
import Neatline

extension Bench {
  /// Expressions: some common ones alone, then every filter and data-driven property of the styles of the
  /// data pack over the features of the tiles that the styles draw, by the engine and by a plain reading that
  /// walks a tree; then compiling.
  func expression() throws {
    try commonExpressions()
    try corpus()
    try compiling()
  }

  private func commonExpressions() throws {
    guard let source = try tiles().first(where: { $0.name.hasPrefix("omt-paris-14-8298") }) else {
      throw BenchError("no tile of Paris")
    }
    let tile = try Tile(decoding: source.bytes)
    let layers = try tile.layers
    guard let index = layers.indices.max(by: { layers[$0].featureCount < layers[$1].featureCount }) else {
      throw BenchError("no layers")
    }
    let count = layers[index].featureCount
    let features = try OracleFeature.all(of: layers[index])

    // Every evaluation at another zoom: nothing of the one before helps.
    let interpolate: JSONValue = ["interpolate", ["exponential", 1.2], ["zoom"], 5, 0.5, 12, 2, 20, 30]
    let linear: JSONValue = ["interpolate", ["linear"], ["zoom"], 5, 0.5, 12, 2, 20, 30]
    let zooms: [Double] = (0..<10_000).map { (index: Int) -> Double in
      4 + Double(index * 7919 % 10_000) * 0.0017
    }
    for (name, json) in [("interpolate-exponential", interpolate), ("interpolate-linear", linear)] {
      let compiled = try CompiledExpression(json)
      try nanoseconds(name, operations: zooms.count) { _ = try compiled.numbers(atZooms: zooms) }
      let tree = try OracleExpression(json, type: .number)
      try nanoseconds("\(name)-tree", operations: zooms.count) {
        for zoom in zooms { _ = try tree.evaluate(features[0], zoom: zoom) }
      }
    }

    let labels = (0..<40).map { $0 == 7 ? "grass" : $0 == 23 ? "wood" : "label-\($0)" }
    var branches: [JSONValue] = ["match", ["get", "class"]]
    for (value, label) in labels.enumerated() { branches += [.string(label), .number(Double(value))] }
    let match = JSONValue.array(branches + [-1])
    let programs: [(name: String, json: JSONValue)] = [
      ("match-40-strings", match),
      (
        "match",
        [
          "match", ["get", "class"], ["motorway", "trunk"], 8, "primary", 6, ["secondary", "tertiary"], 4,
          "minor", 2, 1,
        ]
      ),
      (
        "arithmetic",
        ["*", ["+", ["to-number", ["get", "render_height"], 3], 1], ["case", ["has", "class"], 2, 0.5]]
      ),
    ]
    for program in programs {
      let compiled = try CompiledExpression(program.json)
      try nanoseconds(program.name, operations: count) {
        _ = try compiled.numbers(of: tile, layer: index, zoom: 14.3)
      }
      let tree = try OracleExpression(program.json, type: .number)
      try nanoseconds("\(program.name)-tree", operations: count) {
        for feature in features { _ = try tree.evaluate(feature, zoom: 14.3) }
      }
    }
  }

  /// The styles' own filters and properties.
  private func corpus() throws {
    let corpus = try ExpressionCorpus(data: data)
    for (name, items) in [("filters", corpus.filters), ("properties", corpus.properties)] {
      let amount = items.reduce(0) {
        $0 + $1.places.reduce(0) { $0 + corpus.layers[$1.layer].features.count }
      }
      if name == "filters" {
        let compiled = try items.map { ($0, try Filter($0.json)) }
        try throughput("corpus-filters", amount: Double(amount), "evaluations/s", operations: amount) {
          for (item, filter) in compiled {
            for place in item.places {
              let layer = corpus.layers[place.layer]
              _ = try filter.features(of: layer.tile, layer: layer.index, zoom: place.zoom)
            }
          }
        }
      } else {
        let compiled = try items.map { ($0, try CompiledExpression($0.json, property: $0.property)) }
        try throughput("corpus-properties", amount: Double(amount), "evaluations/s", operations: amount) {
          for (item, expression) in compiled {
            for place in item.places {
              try item.run(expression, corpus.layers[place.layer], zoom: place.zoom)
            }
          }
        }
      }
      let trees = try items.map { item in
        (
          item,
          item.property.isEmpty
            ? try OracleExpression(filter: item.json) : try OracleExpression(item.json, type: item.type)
        )
      }
      try throughput("corpus-\(name)-tree", amount: Double(amount), "evaluations/s", operations: amount) {
        for (item, tree) in trees {
          for place in item.places {
            for feature in corpus.layers[place.layer].features {
              _ = try? tree.evaluate(feature, zoom: place.zoom)
            }
          }
        }
      }
    }
  }

  /// All that osm-bright's layers compile to: filters, and the expressions and functions among their
  /// properties.
  private func compiling() throws {
    let style = try JSONValue(parsing: try Platform.read("\(data)/styles/osm-bright.json"))
    var filters: [String] = []
    var properties: [(name: JSONValue, text: String)] = []
    for layer in style["layers"]?.array ?? [] {
      if let filter = layer["filter"] { filters.append(filter.text) }
      for group in ["layout", "paint"] {
        for member in layer[group]?.object ?? [] where member.key != "visibility" {
          properties.append((.string(member.key), member.value.text))
        }
      }
    }
    try latency("compile-osm-bright") {
      for filter in filters { _ = try Filter(text: filter) }
      for property in properties { _ = try CompiledExpression(text: property.text, spec: property.name) }
    }
  }
}
