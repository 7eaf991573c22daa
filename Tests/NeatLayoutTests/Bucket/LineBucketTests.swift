import NeatBase
import NeatLayout
import NeatStyle
import NeatTile
import Testing

@Suite("Buckets of lines")
struct LineBucketTests {
  private let diagonal: [SIMD2<Int32>] = [SIMD2(0, 0), SIMD2(4000, 4000)]

  private func positions(_ bucket: LineBucket) -> Set<SIMD2<Float>> {
    Set((0..<bucket.mesh.vertexCount).map { bucket.mesh.vertices[$0].position })
  }

  @Test("Lines and rings are drawn, points are not")
  func features() throws {
    let bucket = try #require(
      try LineBucket(
        bucketInput("line", [.point(5, 5), .line(diagonal), .polygon([Square(10, 10, 10)])])))
    #expect(bucket.features == [1, 2])
    #expect(bucket.mesh.pieces.map(\.feature) == [0, 1], "pieces name positions in the bucket")
    #expect(try LineBucket(bucketInput("line", [.point(5, 5)])) === nil)
  }

  @Test("The sort key decides the order, which the mesh's numbers follow")
  func sortKey() throws {
    let input = try bucketInput(
      "line", #""layout": {"line-sort-key": ["get", "k"]}"#,
      [
        .line([SIMD2(0, 0), SIMD2(10, 0)], #"{"k": 2}"#), .line([SIMD2(0, 50), SIMD2(10, 50)], #"{"k": 1}"#),
      ])
    let bucket = try #require(try LineBucket(input))
    #expect(bucket.features == [1, 0])
    let first = try #require(bucket.mesh.pieces.first)
    #expect(first.feature == 0 && bucket.mesh.vertices[Int(first.firstVertex)].position.y == 50)
  }

  @Test("Coordinates of any extent become layout units, rounded")
  func extent() throws {
    let bucket = try #require(
      try LineBucket(bucketInput("line", [.line([SIMD2(1, 0), SIMD2(100, 300)])], extent: 3000)))
    // 8192 / 3000 = 2.73
    #expect(positions(bucket) == [SIMD2(3, 0), SIMD2(273, 819)])
    let far = try #require(
      try LineBucket(bucketInput("line", [.line([SIMD2(.min, 0), SIMD2(.max, 1)])], extent: 1)))
    #expect(
      positions(far).allSatisfy { $0.x.isFinite && $0.y.isFinite },
      "what does not fit is brought to the nearest that does")
  }

  @Test("Parts of fewer than two points are left out")
  func shortParts() throws {
    let feature = TestFeature(.line, [[SIMD2(1, 1)], [], [SIMD2(0, 0), SIMD2(10, 0)]])
    let bucket = try #require(try LineBucket(bucketInput("line", [feature])))
    #expect(bucket.mesh.pieces.count == 1)
  }

  @Test("Joins may differ from feature to feature")
  func joins() throws {
    func vertices(_ join: String) throws -> Int {
      let corner: [SIMD2<Int32>] = [SIMD2(0, 0), SIMD2(1000, 0), SIMD2(1000, 1000)]
      let input = try bucketInput(
        "line", #""layout": {"line-join": ["get", "join"]}"#, [.line(corner, #"{"join": "\#(join)"}"#)])
      return try #require(try LineBucket(input)).mesh.vertexCount
    }
    let (miter, bevel, round) = (try vertices("miter"), try vertices("bevel"), try vertices("round"))
    #expect(miter < bevel && bevel < round)
    #expect(try vertices("none of these") == miter)
  }

  @Test("What part of the whole line a tile holds is read from the tile, where both ends are in order")
  func clips() throws {
    func clip(_ properties: String) throws -> ClosedRange<Float> {
      let bucket = try #require(try LineBucket(bucketInput("line", [.line(diagonal, properties)])))
      let piece = try #require(bucket.mesh.pieces.first)
      return piece.clipStart...piece.clipEnd
    }
    #expect(try clip(#"{"mapbox_clip_start": 0.25, "mapbox_clip_end": 0.75}"#) == 0.25...0.75)
    #expect(try clip(#"{"mapbox_clip_start": 0.75, "mapbox_clip_end": 0.25}"#) == 0...0)
    #expect(try clip(#"{"mapbox_clip_start": 0.25}"#) == 0...0)
    #expect(try clip(#"{"mapbox_clip_start": "a", "mapbox_clip_end": 1}"#) == 0...0)
  }

  @Test("Each paint property keeps its own values")
  func paint() throws {
    let names = ["width", "gap-width", "offset", "blur", "opacity"]
    let paint = names.map { #""line-\#($0)": ["get", "\#($0)"]"# }.joined(separator: ",")
    let values = #"{"width": 1, "gap-width": 2, "offset": 3, "blur": 4, "opacity": 0.5}"#
    let input = try bucketInput(
      "line", #""paint": {\#(paint), "line-dasharray": [2, 1]}"#, [.line(diagonal, values)])
    let paints = try #require(try LineBucket(input)).paint
    let all = [paints.width, paints.gapWidth, paints.offset, paints.blur, paints.opacity]
    let camera = EvaluationPoint.camera(zoom: 4)
    #expect(
      all.map { $0.resolved(input.evaluator, at: camera, layoutZoom: 4).values } == [
        [1], [2], [3], [4], [0.5],
      ])
    #expect(paints.isDataDriven && !paints.isComposite)
    #expect(paints.dashes.dashes(0, input.evaluator, at: camera) == [2, 1])
    let plain = try #require(try LineBucket(bucketInput("line", [.line(diagonal)]))).paint
    #expect(!plain.isDataDriven && !plain.isComposite)
  }

  @Test("A bucket's cost grows with its mesh")
  func cost() throws {
    let short = try #require(try LineBucket(bucketInput("line", [.line(diagonal)])))
    let points = (0..<500).map { SIMD2<Int32>(Int32($0) * 10, Int32($0 % 2) * 10) }
    let long = try #require(try LineBucket(bucketInput("line", [.line(points)])))
    #expect(long.cost > short.cost + 400 * 2 * 28)
  }
}
