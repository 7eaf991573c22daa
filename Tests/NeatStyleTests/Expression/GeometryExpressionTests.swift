import NeatBase
import NeatJSON
import NeatStyle
import NeatTile
import Testing

@Suite("Expressions over geometry")
struct GeometryExpressionTests {
  /// A layer of one feature in tile units of 4096.
  private func layer(_ type: GeometryType, _ parts: [[SIMD2<Int32>]]) -> TileLayer {
    var builder = TileLayerBuilder(name: "layer", extent: 4096)
    builder.beginFeature(type)
    for part in parts {
      for point in part { builder.addPoint(point) }
      builder.endPart()
    }
    builder.endFeature()
    return builder.build()
  }

  private let evaluator = Evaluator()

  private func feature(_ layer: TileLayer, _ tile: TileID?) -> EvaluationPoint {
    .feature(0, of: layer, tile: tile, zoom: 0)
  }

  // The tile 1/1/0 reaches from 0 to 180 degrees east, and from the equator to the north.
  private let tile = TileID(z: 1, x: 1, y: 0)
  private let box = #"{"type":"Polygon","coordinates":[[[10,10],[80,10],[80,60],[10,60],[10,10]]]}"#

  @Test("Points and lines lie within a polygon, polygons never do")
  func within() throws {
    let filter = try compileFilter(#"["within",\#(box)]"#)
    // 45 degrees east, 40 north.
    let inside = SIMD2<Int32>(1024, 3100)
    #expect(filter.matches(evaluator, at: feature(layer(.point, [[inside]]), tile)))
    #expect(!filter.matches(evaluator, at: feature(layer(.point, [[inside, SIMD2(4000, 3100)]]), tile)))
    #expect(filter.matches(evaluator, at: feature(layer(.line, [[inside, SIMD2(1100, 3200)]]), tile)))
    #expect(!filter.matches(evaluator, at: feature(layer(.line, [[inside, SIMD2(4000, 3200)]]), tile)))
    #expect(
      !filter.matches(
        evaluator, at: feature(layer(.polygon, [[inside, SIMD2(1100, 3100), SIMD2(1100, 3200)]]), tile)))
    #expect(!filter.matches(evaluator, at: feature(layer(.point, [[inside]]), nil)))
    #expect(!filter.matches(evaluator, at: feature(layer(.point, []), tile)))
  }

  @Test("A line that leaves the polygon between its points is not within")
  func leavingLine() throws {
    let horseshoe =
      #"{"type":"Polygon","coordinates":[[[10,10],[80,10],[80,60],[60,60],[60,20],[30,20],[30,60],[10,60],[10,10]]]}"#
    let filter = try compileFilter(#"["within",\#(horseshoe)]"#)
    let line: [SIMD2<Int32>] = [SIMD2(455, 3000), SIMD2(1593, 3000)]
    #expect(filter.matches(evaluator, at: feature(layer(.point, [line]), tile)))
    #expect(!filter.matches(evaluator, at: feature(layer(.line, [line]), tile)))
  }

  @Test("Distances are in metres, 0 inside, and no number without a tile")
  func distance() throws {
    let spec = ReferenceSpec.expression(.number)
    let toPoint = try compile(#"["distance",{"type":"Point","coordinates":[0,0]}]"#, spec)
    // The corner of the tile is at 0, 0; one unit east is 180/4096 degrees.
    #expect(
      try #require(toPoint.number(evaluator, at: feature(layer(.point, [[SIMD2(0, 4096)]]), tile))) < 1e-6)
    let metres = try #require(toPoint.number(evaluator, at: feature(layer(.point, [[SIMD2(1, 4096)]]), tile)))
    #expect((metres - 180.0 / 4096 * 111_319.49).magnitude < 1)
    #expect(toPoint.number(evaluator, at: feature(layer(.point, [[SIMD2(1, 4096)]]), nil)) == nil)
    let toBox = try compile(#"["distance",\#(box)]"#, spec)
    #expect(toBox.number(evaluator, at: feature(layer(.point, [[SIMD2(1024, 3100)]]), tile)) == 0)
    #expect(
      toBox.number(
        evaluator,
        at: feature(
          layer(.polygon, [[SIMD2(0, 0), SIMD2(4096, 0), SIMD2(4096, 4096), SIMD2(0, 4096)]]), tile))
        == 0)
    let outside: [SIMD2<Int32>] = [SIMD2(0, 3100), SIMD2(100, 3100), SIMD2(100, 3200)]
    #expect(try #require(toBox.number(evaluator, at: feature(layer(.polygon, [outside]), tile))) > 100_000)
  }

  @Test("The least distance to a long path is found, however its runs are skipped")
  func longPath() throws {
    let path = (0..<300).map {
      "[\(Double($0) / 10 + 30),\(30 + 10 * ($0 % 7 == 3 ? 1.5 : 0.2 * Double($0 % 5)))]"
    }.joined(separator: ",")
    let expression = try compile(
      #"["distance",{"type":"LineString","coordinates":[\#(path)]}]"#, ReferenceSpec.expression(.number))
    for x in stride(from: Int32(700), to: 1500, by: 37) {
      let point = SIMD2<Int32>(x, 2900)
      let whole = try #require(expression.number(evaluator, at: feature(layer(.point, [[point]]), tile)))
      let many = try #require(
        expression.number(evaluator, at: feature(layer(.point, [Array(repeating: point, count: 100)]), tile)))
      #expect(whole == many)
    }
  }

  @Test(
    "Shapes that are none are errors",
    arguments: [
      "3", "null", "{}", #"{"type":"Polygon"}"#, #"{"type":"Polygon","coordinates":[]}"#,
      #"{"type":"Polygon","coordinates":[[1,2]]}"#,
      #"{"type":"FeatureCollection","features":3}"#, #"{"type":"Feature","geometry":null}"#,
      #"{"type":"Polygon","coordinates":[[["a",0]]]}"#,
    ])
  func malformed(_ text: String) throws {
    #expect(try errors(#"["within",\#(text)]"#).count == 1)
    #expect(try errors(#"["distance",\#(text)]"#).count == 1)
  }
}
