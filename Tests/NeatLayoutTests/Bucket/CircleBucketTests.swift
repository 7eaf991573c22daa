import NeatBase
import NeatLayout
import NeatStyle
import NeatTile
import Testing

@Suite("Buckets of circles and heat")
struct CircleBucketTests {
  @Test("Points in the tile itself are drawn, those on its far edges and in its buffer are the neighbours'")
  func insideTheTile() throws {
    let points: [SIMD2<Int32>] = [
      SIMD2(0, 0), SIMD2(-1, 5), SIMD2(5, -1), SIMD2(4096, 5), SIMD2(5, 4096), SIMD2(4095, 4095),
    ]
    let input = try bucketInput("circle", [TestFeature(.point, [points])], extent: 4096)
    let bucket = try #require(CircleBucket(input))
    #expect(bucket.centers == [SIMD2(0, 0), SIMD2(8190, 8190)])
    #expect(CircleBucket(try bucketInput("circle", [.point(-5, 0)])) === nil, "all outside")
    #expect(CircleBucket(try bucketInput("circle", [])) === nil)
  }

  @Test("Every point has its feature, and the position of that among those drawn")
  func ownersAndPositions() throws {
    let two = TestFeature(.point, [[SIMD2(1, 1)], [SIMD2(2, 2)]])
    let bucket = try #require(
      CircleBucket(try bucketInput("circle", [two, .point(-5, 0), .point(3, 3)])))
    #expect(bucket.features == [0, 0, 2])
    #expect(bucket.positions == [0, 0, 1], "the feature outside has no values")
  }

  @Test("Corners of rings count, the closing one too; lines have no closing point")
  func ringsAndLines() throws {
    let ring = try #require(CircleBucket(try bucketInput("circle", [.polygon([Square(10, 10, 5)])])))
    #expect(ring.centers.count == 5 && ring.centers.first == ring.centers.last)
    let line = try #require(
      CircleBucket(try bucketInput("circle", [.line([SIMD2(1, 1), SIMD2(2, 2)])])))
    #expect(line.centers.count == 2)
  }

  @Test("Circles are sorted by their key, heat is not")
  func sortKey() throws {
    let features: [TestFeature] = [.point(1, 0, #"{"k": 2}"#), .point(2, 0, #"{"k": 1}"#)]
    let circles = try #require(
      CircleBucket(try bucketInput("circle", #""layout": {"circle-sort-key": ["get", "k"]}"#, features)))
    #expect(circles.features == [1, 0])
    let heat = try #require(CircleBucket(try bucketInput("heatmap", features)))
    #expect(heat.features == [0, 1])
  }

  @Test("Each paint property keeps its own values, of the features that are drawn")
  func paint() throws {
    let names = ["radius", "blur", "opacity", "stroke-width", "stroke-opacity", "color", "stroke-color"]
    let paint = names.map { #""circle-\#($0)": ["get", "\#($0)"]"# }.joined(separator: ",")
    let values =
      #"{"radius": 9, "blur": 2, "opacity": 0.5, "stroke-width": 4, "stroke-opacity": 0.25, "color": "red", "stroke-color": "blue"}"#
    let input = try bucketInput("circle", #""paint": {\#(paint)}"#, [.point(-1, 0), .point(1, 1, values)])
    let bucket = try #require(CircleBucket(input))
    let paints = try #require(bucket.circlePaints)
    let camera = EvaluationPoint.camera(zoom: 4)
    func numbers(_ paint: NumberPaint) -> [Float] {
      paint.resolved(input.evaluator, at: camera, layoutZoom: 4).values
    }
    func colors(_ paint: ColorPaint) -> [SIMD4<Float>] {
      paint.resolved(input.evaluator, at: camera, layoutZoom: 4).values
    }
    #expect(numbers(paints.radius) == [9] && numbers(paints.blur) == [2] && numbers(paints.opacity) == [0.5])
    #expect(numbers(paints.strokeWidth) == [4] && numbers(paints.strokeOpacity) == [0.25])
    #expect(colors(paints.color) == [SIMD4(1, 0, 0, 1)] && colors(paints.strokeColor) == [SIMD4(0, 0, 1, 1)])
    #expect(paints.isDataDriven && !paints.isComposite && bucket.heatPaints == nil)
  }

  @Test("Heat has a radius and a weight, and none of the circles' paint")
  func heat() throws {
    let input = try bucketInput(
      "heatmap", #""paint": {"heatmap-weight": ["get", "w"], "heatmap-radius": 12}"#,
      [.point(1, 1, #"{"w": 3}"#)])
    let bucket = try #require(CircleBucket(input))
    let paints = try #require(bucket.heatPaints)
    let camera = EvaluationPoint.camera(zoom: 4)
    #expect(paints.weight.resolved(input.evaluator, at: camera, layoutZoom: 4).values == [3])
    #expect(paints.radius.resolved(input.evaluator, at: camera, layoutZoom: 4).uniform == 12)
    #expect(bucket.circlePaints == nil)
  }

  @Test("A circle is a square of the mesh")
  func mesh() throws {
    let bucket = try #require(CircleBucket(try bucketInput("circle", [.point(1, 1), .point(2, 2)])))
    #expect(bucket.mesh.vertices.count == 8)
  }
}
