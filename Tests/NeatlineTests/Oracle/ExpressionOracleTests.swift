import ExpressionOracle
import Foundation
import Neatline
import Testing

/// The machine against a plain reading of the same expressions: random ones, over a layer of random features.
@Suite struct ExpressionOracleTests {
  /// A layer of points (every third a line) with random properties, more than are looked up one by one.
  private struct Ground {
    let tile: Tile
    let features: [OracleFeature]

    init(seed: UInt64, count: Int = 60) throws {
      var random = RandomExpression(seed: seed)
      var items: [JSONValue] = []
      for index in 0..<count {
        let place: JSONValue = [.number(Double(index % 10) * 10 - 50), .number(Double(index / 10) * 10 - 30)]
        let geometry: JSONValue =
          index % 3 == 2
          ? ["type": "LineString", "coordinates": [place, [5, 5]]] : ["type": "Point", "coordinates": place]
        items.append(["type": "Feature", "properties": random.properties(), "geometry": geometry])
      }
      let document: JSONValue = ["type": "FeatureCollection", "features": .array(items)]
      tile = try #require(try GeoJSONIndex(document.text).tile(z: 0, x: 0, y: 0))
      // Lists come out of tiles as their JSON; the engine reads them back, and so does the oracle.
      features = try OracleFeature.all(of: try tile.layer(0)).map { feature in
        var feature = feature
        for key in ["list", "mix"] {
          if case .string(let text)? = feature.properties[key], text.hasPrefix("["),
            let json = try? JSONValue(parsing: text)
          {
            feature.properties[key] = OracleValue(json)
          }
        }
        return feature
      }
      #expect(features.count == count)
    }
  }

  private func isClose(_ a: Double, _ b: Double) -> Bool {
    a == b || a.isNaN && b.isNaN || abs(a - b) <= 1e-5 * max(1, abs(a), abs(b))
  }

  private func spec(_ name: String, isInterpolated: Bool) -> JSONValue {
    [
      "type": .string(name), "property-type": "data-driven",
      "expression": ["interpolated": .bool(isInterpolated), "parameters": ["zoom", "feature"]],
    ]
  }

  /// Compares one expression; the outcome: whether both took it.
  private func compare(_ json: JSONValue, _ kind: RandomExpression.Kind, _ ground: Ground, zoom: Double)
    throws -> Bool
  {
    let name = ["number", "string", "boolean", "color"][RandomExpression.Kind.allCases.firstIndex(of: kind)!]
    let type = try #require(OracleType(named: name))
    let isInterpolated = kind == .number || kind == .color
    let oracle: OracleExpression
    do { oracle = try OracleExpression(json, type: type, isInterpolated: isInterpolated) } catch let error
      as OracleError
    {
      guard !error.isUnsupported else { return false }
      #expect(throws: NeatlineError.self, "the oracle refuses \(json): \(error.message)") {
        try CompiledExpression(text: json.text, spec: spec(name, isInterpolated: isInterpolated))
      }
      return false
    }
    let expression: CompiledExpression
    do {
      expression = try CompiledExpression(text: json.text, spec: spec(name, isInterpolated: isInterpolated))
    } catch {
      Issue.record("the engine refuses what the oracle takes: \(json): \(error)")
      return false
    }
    let wanted = ground.features.map { feature -> OracleValue? in
      do { return try oracle.evaluate(feature, zoom: zoom) } catch { return nil }
    }
    switch kind {
    case .number:
      for (index, value) in try expression.numbers(of: ground.tile, layer: 0, zoom: zoom).enumerated() {
        #expect(
          isClose(value, wanted[index]?.number ?? .nan),
          "\(json), feature \(index), zoom \(zoom): \(value), not \(String(describing: wanted[index])); \(ground.features[index].properties)"
        )
      }
    case .string:
      for (index, value) in try expression.strings(of: ground.tile, layer: 0, zoom: zoom).enumerated() {
        #expect(
          value.utf8.elementsEqual((wanted[index]?.string ?? "").utf8),
          "\(json), feature \(index) \(ground.features[index].properties)")
      }
    case .boolean:
      for (index, value) in try expression.booleans(of: ground.tile, layer: 0, zoom: zoom).enumerated() {
        #expect(
          value == wanted[index]?.bool, "\(json), feature \(index) \(ground.features[index].properties)")
      }
    default:
      for (index, value) in try expression.colors(of: ground.tile, layer: 0, zoom: zoom).enumerated() {
        guard case .color(let color)? = wanted[index] else {
          #expect(value.w.isNaN, "\(json), feature \(index) \(ground.features[index].properties)")
          continue
        }
        let isSame = (0..<4).allSatisfy { abs(Double(value[$0]) - color[$0]) < 1e-4 }
        #expect(isSame, "\(json), feature \(index): \(value), not \(color)")
      }
    }
    return true
  }

  @Test(
    "Random expressions give the same values, and fail for the same features",
    arguments: 0..<8 as Range<UInt64>)
  func expressions(seed: UInt64) throws {
    let ground = try Ground(seed: seed + 100)
    var random = RandomExpression(seed: seed + 1)
    var taken = 0
    for _ in 0..<400 {
      let kind = random.pick([RandomExpression.Kind.number, .string, .boolean, .color])
      let json = random.below(3) == 0 ? random.overZoom(kind, depth: 3) : random.expression(kind, depth: 5)
      if try compare(json, kind, ground, zoom: Double(random.below(140)) / 10) { taken += 1 }
    }
    // Most are right ones, or the test would show little.
    #expect(taken > 250)
  }

  @Test("Random legacy functions give the same values", arguments: 0..<4 as Range<UInt64>)
  func functions(seed: UInt64) throws {
    let ground = try Ground(seed: seed + 200)
    var random = RandomExpression(seed: seed + 11)
    var taken = 0
    for _ in 0..<100 {
      let kind = random.pick([RandomExpression.Kind.number, .color])
      if try compare(random.legacyFunction(kind), kind, ground, zoom: Double(random.below(160)) / 10) {
        taken += 1
      }
    }
    #expect(taken == 100)
  }

  @Test(
    "Random filters, legacy and expression, let the same features through", arguments: 0..<4 as Range<UInt64>)
  func filters(seed: UInt64) throws {
    let ground = try Ground(seed: seed + 300)
    var random = RandomExpression(seed: seed + 21)
    var taken = 0
    for _ in 0..<400 {
      let isLegacy = random.below(2) == 0
      var json = isLegacy ? random.legacyFilter(depth: 3) : random.expression(.boolean, depth: 5)
      // In filters the zoom may stand anywhere: parts that do not depend on the feature.
      if !isLegacy {
        json = [
          "all", json,
          [
            "any", [">", ["+", ["zoom"], 0.5], .number(Double(random.below(12)))],
            random.expression(.boolean, depth: 2),
          ],
        ]
        if random.below(3) == 0 {
          // One that fails at most zooms.
          json = [
            "any",
            [
              "<", ["+", 1, ["number", ["at", ["zoom"], ["literal", ["x", 1, -2, nil]]]]],
              ["number", ["get", "n"], 0],
            ], json,
          ]
        }
      }
      let zoom = random.below(2) == 0 ? Double(random.below(140)) / 10 : Double(random.below(5))
      // A comparison of two constants reads as a legacy filter, and makes one of the whole.
      if !isLegacy && !OracleExpression.isExpression(filter: json) { continue }
      let oracle: OracleExpression
      do { oracle = try OracleExpression(filter: json) } catch let error as OracleError {
        #expect(throws: NeatlineError.self, "the oracle refuses \(json): \(error.message)") {
          try Filter(json)
        }
        continue
      }
      taken += 1
      let found = try Filter(json).features(of: ground.tile, layer: 0, zoom: zoom)
      #expect(
        found == ground.features.indices.filter { oracle.passes(ground.features[$0], zoom: zoom) },
        "\(json), zoom \(zoom)")
    }
    #expect(taken > 250)
  }

  @Test("Every filter and data-driven property of the shared styles gives the same values")
  func styles() throws {
    guard let data = SharedFolder.url?.appendingPathComponent("data").path else {
      return print("skipped: no data beside the package")
    }
    let corpus = try ExpressionCorpus(data: data)
    #expect(corpus.styleCount == 12)
    #expect(corpus.filters.count > 500 && corpus.properties.count > 100)
    for item in corpus.filters {
      let oracle = try OracleExpression(filter: item.json)
      let filter = try Filter(item.json)
      for place in item.places {
        let layer = corpus.layers[place.layer]
        let found = try filter.features(of: layer.tile, layer: layer.index, zoom: place.zoom)
        #expect(
          found == layer.features.indices.filter { oracle.passes(layer.features[$0], zoom: place.zoom) },
          "\(item.name): \(item.json)")
      }
    }
    for item in corpus.properties {
      let oracle = try OracleExpression(item.json, type: item.type, isInterpolated: item.isInterpolated)
      let expression = try CompiledExpression(item.json, property: item.property)
      for place in item.places {
        let layer = corpus.layers[place.layer]
        let wanted = layer.features.map { try? oracle.evaluate($0, zoom: place.zoom) }
        let fault = try item.disagreement(expression, layer, zoom: place.zoom, wanted)
        #expect(fault == nil, "\(item.name): \(item.json)")
      }
    }
  }
}
