import Neatline
import Testing

/// Expressions over all features of a tile's layer.
@Suite struct ExpressionLayerTests {
  /// Points with a name, a class and a rank, which the last one lacks.
  private func tile() throws -> Tile {
    let index = try GeoJSONIndex(
      parsing: Array(
        #"""
        {"type": "FeatureCollection", "features": [
          {"type": "Feature", "properties": {"name": "Wörgl", "class": "a", "rank": 1, "color": "#ff0000"}, "geometry": {"type": "Point", "coordinates": [1, 1]}},
          {"type": "Feature", "properties": {"name": "", "class": "b", "rank": 2, "color": "rgba(0, 0, 255, 0.5)"}, "geometry": {"type": "Point", "coordinates": [2, 2]}},
          {"type": "Feature", "properties": {"class": "c"}, "geometry": {"type": "Point", "coordinates": [3, 3]}}]}
        """#.utf8))
    return try #require(try index.tile(z: 0, x: 0, y: 0))
  }

  @Test func colorsAreStraightAndFailuresAreNaN() throws {
    let colors = try CompiledExpression(["to-color", ["get", "color"]]).colors(of: tile(), layer: 0, zoom: 0)
    #expect(colors.count == 3)
    #expect(colors[0] == SIMD4(1, 0, 0, 1))
    #expect(colors[1] == SIMD4(0, 0, 1, 0.5))
    #expect(colors[2].x.isNaN && colors[2].w.isNaN)
  }

  @Test func booleansTellFailuresApart() throws {
    #expect(
      try CompiledExpression([">", ["number", ["get", "rank"]], 1]).booleans(of: tile(), layer: 0, zoom: 0)
        == [false, true, nil])
  }

  @Test func stringsLieInOneText() throws {
    let strings = try CompiledExpression(["upcase", ["string", ["get", "name"]]]).strings(
      of: tile(), layer: 0, zoom: 0)
    #expect(strings == ["WÖRGL", "", ""])
  }

  @Test func errorsNameFeaturePlaceAndReason() throws {
    let expression = try CompiledExpression([
      "concat", ["string", ["get", "class"]], ["to-string", ["number", ["get", "rank"]]],
    ])
    let errors = try expression.errors(of: tile(), layer: 0, zoom: 0)
    #expect(errors.count == 1)
    #expect(errors.first?.feature == 2)
    #expect(errors.first?.message == "Expected value to be of type number, but found null instead.")
    #expect(try expression.errors(of: tile(), layer: 0, zoom: 0, limit: 0).isEmpty)
  }

  @Test func programsCanBeRead() throws {
    let text = try CompiledExpression(["*", 2, ["number", ["get", "rank"]]]).disassembly
    #expect(text.contains("\"rank\"") && text.contains("multiply") && text.contains("end"))
    #expect(try Filter(["==", "class", "a"]).disassembly.contains("\"class\""))
    #expect(try CompiledExpression(3).disassembly == "constant 3")
  }

  @Test func wrongLayersAreRefused() throws {
    let expression = try CompiledExpression(["get", "x"])
    #expect(throws: NeatlineError.self) { try expression.colors(of: tile(), layer: 1, zoom: 0) }
    #expect(throws: NeatlineError.self) { try expression.strings(of: tile(), layer: -1, zoom: 0) }
  }
}
