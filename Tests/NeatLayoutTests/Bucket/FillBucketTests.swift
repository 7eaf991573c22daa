import NeatBase
import NeatLayout
import NeatStyle
import NeatTile
import Testing

@Suite("Buckets of fills")
struct FillBucketTests {
  private let line = TestFeature.line([SIMD2(0, 0), SIMD2(9, 9)])

  @Test("Polygons alone are filled, in tile order")
  func polygonsOnly() throws {
    let input = try bucketInput(
      "fill", [line, .polygon([Square(0, 0, 10)]), .point(1, 1), .polygon([Square(20, 20, 10)])])
    let bucket = try #require(FillBucket(input))
    #expect(bucket.features == [1, 3])
    #expect(bucket.boxes == [SIMD4(0, 0, 10, 10), SIMD4(20, 20, 30, 30)])
    #expect(FillBucket(try bucketInput("fill", [line])) === nil, "nothing to fill")
    #expect(FillBucket(try bucketInput("fill", [])) === nil, "no features")
  }

  @Test("The filter and then the sort key decide which features there are, in which order")
  func filterAndSortKey() throws {
    let features = [3, 1, 2, 1, 9].enumerated().map { index, key in
      TestFeature.polygon([Square(Int32(index), 0, 10)], #"{"k": \#(key), "n": \#(index)}"#)
    }
    let sorted = try bucketInput(
      "fill", #""filter": ["<", "k", 9], "layout": {"fill-sort-key": ["get", "k"]}"#, features)
    #expect(try #require(FillBucket(sorted)).features == [1, 3, 2, 0], "equal keys keep their order")
    let unsorted = try bucketInput("fill", #""filter": ["<", "k", 9]"#, features)
    #expect(try #require(FillBucket(unsorted)).features == [0, 1, 2, 3])
  }

  @Test("Values of features stand in drawing order, those of states among them")
  func paint() throws {
    let states = FeatureStateTable(states: ["7": ["on": .bool(true)]], promoted: "id")
    let opacity = #"["case", ["boolean", ["feature-state", "on"], false], 1, 0.25]"#
    let input = try bucketInput(
      "fill",
      #""layout": {"fill-sort-key": ["-", ["get", "id"]]}, "paint": {"fill-opacity": \#(opacity), "fill-color": ["get", "c"]}"#,
      [
        .polygon([Square(0, 0, 9)], #"{"id": 6, "c": "red"}"#),
        .polygon([Square(0, 0, 9)], #"{"id": 7, "c": "blue"}"#),
      ], states: states)
    let bucket = try #require(FillBucket(input))
    let camera = EvaluationPoint.camera(zoom: 4)
    #expect(bucket.features == [1, 0])
    #expect(bucket.opacity.resolved(input.evaluator, at: camera, layoutZoom: 4).values == [1, 0.25])
    #expect(
      bucket.color.resolved(input.evaluator, at: camera, layoutZoom: 4).values == [
        SIMD4(0, 0, 1, 1), SIMD4(1, 0, 0, 1),
      ])
    #expect(!bucket.hasOutlineColor)
  }

  @Test("Meshes are made once, and count for the bucket's cost from then on")
  func mesh() throws {
    let bucket = try #require(
      FillBucket(try bucketInput("fill", [.polygon([Square(0, 0, 100), Square(20, 20, 10)])])))
    #expect(!bucket.meshes.isMade && bucket.meshes.cost == 0)
    let mesh = bucket.mesh
    #expect(mesh.trianglePieces.count == 1)
    // Of 4 corners and a hole of 4, 8 triangles; edges: 8.
    #expect(mesh.triangles.count == 8 * 3 && mesh.vertices.count == 8)
    #expect(bucket.meshes.isMade && bucket.meshes.cost == mesh.byteCount)
    #expect(bucket.mesh.vertices.id == mesh.vertices.id)
  }
}
