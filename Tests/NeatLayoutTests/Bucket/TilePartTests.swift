import NeatBase
import NeatLayout
import NeatStyle
import NeatTile
import Testing

@Suite("Laying out a part of a tile")
struct TilePartTests {
  private func part(_ x0: Double, _ y0: Double, _ x1: Double, _ y1: Double) -> TilePart {
    TilePart(low: SIMD2(x0, y0), high: SIMD2(x1, y1))
  }

  @Test("Parts hold, join, grow, and end at the tile's edges")
  func parts() {
    let small = part(10, 20, 30, 40)
    #expect(small.contains(small))
    #expect(part(10, 20, 31, 40).contains(small) && !small.contains(part(10, 20, 31, 40)))
    #expect(!small.contains(part(9, 20, 30, 40)) && !small.contains(part(10, 19, 30, 40)))
    #expect(!small.contains(part(10, 20, 30, 41)))
    #expect(small.union(part(25, 5, 26, 6)) == part(10, 5, 30, 40))
    #expect(small.grown(by: 10) == part(0, 10, 40, 50))
    #expect(part(-5, 100, 9000, 200).clamped == part(0, 100, 8192, 200))
    #expect(part(-50, -50, -5, -5).clamped == part(0, 0, 0, 0))
    #expect(part(-5, -5, 9000, 9000).clamped == .tile && part(1e-7, 0, 8192, 8191.2).clamped == .tile)
  }

  private func buckets(
    _ layers: [String], _ features: [TestFeature], extent: UInt32 = 8192, parts: [Int: TilePart]
  ) throws -> [Int: LayerBucket] {
    var input = LayoutInput(
      style: try makeStyle(
        layers.enumerated().map {
          #"{"id": "\#($0.offset)", "source": "s", "source-layer": "x", \#($0.element)}"#
        }.joined(separator: ",")), source: "s", id: OverscaledTileID(canonical: TileID(z: 4, x: 0, y: 0)))
    input.parts = parts
    return TileLayouter(input, VectorTile(layers: [try makeLayer(features, extent: extent)]))
      .geometryBuckets().buckets
  }

  /// One in each corner, and one that goes round the middle without a point in it.
  private let lines = [
    TestFeature.line([SIMD2(0, 0), SIMD2(100, 100)], #"{"k": 1}"#),
    .line([SIMD2(8000, 0), SIMD2(8100, 100)], #"{"k": 1}"#),
    .line([SIMD2(8000, 8000), SIMD2(8100, 8100)], #"{"k": 2}"#),
    .line([SIMD2(0, 4000), SIMD2(8192, 4100)], #"{"k": 2}"#),
  ]

  private func features(_ bucket: LayerBucket?) -> [UInt32]? {
    switch bucket {
    case .line(let line)?: line.features
    case .fill(let fill)?: fill.features
    case .circle(let circle)?: circle.features
    default: nil
    }
  }

  @Test("Lines outside of the part are left out, whatever crosses it stays")
  func lineFeatures() throws {
    let line = #""type": "line""#
    let middle = part(4000, 3000, 5000, 5000)
    #expect(features(try buckets([line], lines, parts: [:])[0]) == [0, 1, 2, 3])
    #expect(features(try buckets([line], lines, parts: [0: middle])[0]) == [3])
    #expect(features(try buckets([line], lines, parts: [0: part(0, 0, 8192, 100)])[0]) == [0, 1])
    #expect(try buckets([line], lines, parts: [0: part(3000, 6000, 3100, 6100)])[0] == nil)
    // Edges are part of it, and coordinates are those of the layout, whatever the layer's extent is.
    #expect(features(try buckets([line], lines, parts: [0: part(100, 50, 200, 60)])[0]) == [0])
    #expect(features(try buckets([line], lines, parts: [0: part(110, 50, 200, 60)])[0]) == nil)
    let half = [TestFeature.line([SIMD2(0, 0), SIMD2(50, 50)])]
    #expect(features(try buckets([line], half, extent: 4096, parts: [0: part(100, 50, 200, 60)])[0]) == [0])
    #expect(features(try buckets([line], half, extent: 4096, parts: [0: part(110, 50, 200, 60)])[0]) == nil)
  }

  @Test("A filter is asked about what reaches into the part alone, and says the same of it")
  func filters() throws {
    let filtered = (1...2).map { #""type": "line", "filter": ["==", "k", \#($0)]"# }
    let right = part(7000, 0, 8192, 8192)
    let found = try buckets(filtered, lines, parts: [0: right, 1: right])
    #expect(features(found[0]) == [1] && features(found[1]) == [2, 3])
    // A filter that is the same for all of them.
    let zoomed = #""type": "line", "filter": [">", ["zoom"], 3]"#
    #expect(features(try buckets([zoomed], lines, parts: [0: right])[0]) == [1, 2, 3])
  }

  @Test("Of a feature of several lines those of the part are tessellated, as they were among all")
  func severalLines() throws {
    let (near, far) = ([SIMD2<Int32>(0, 0), SIMD2(100, 100)], [SIMD2<Int32>(8000, 8000), SIMD2(8100, 8000)])
    let features = [TestFeature(.line, [near, far, near]), TestFeature(.line, [far])]
    func mesh(_ features: [TestFeature], _ parts: [Int: TilePart]) throws -> [SIMD2<Float>]? {
      guard case .line(let bucket)? = try buckets([#""type": "line""#], features, parts: parts)[0] else {
        return nil
      }
      #expect(bucket.mesh.pieces.allSatisfy { Int($0.feature) < bucket.features.count })
      return (0..<bucket.mesh.vertexCount).map { bucket.mesh.vertices[$0].position }
    }
    #expect(try mesh(features, [0: part(0, 0, 50, 50)]) == mesh([TestFeature(.line, [near, near])], [:]))
    #expect(
      try mesh(features, [0: part(8000, 8000, 8192, 8192)])
        == mesh([TestFeature(.line, [far]), TestFeature(.line, [far])], [:]))
  }

  @Test("Sorted lines, and layers that draw the same ones, keep what belongs together")
  func sortedAndShared() throws {
    let layers = [
      #""type": "line", "layout": {"line-sort-key": ["-", ["get", "k"]]}, "paint": {"line-width": ["get", "k"]}"#,
      #""type": "line", "layout": {"line-sort-key": ["-", ["get", "k"]]}"#,
    ]
    // The second layer looks farther: both are laid out in what both look at.
    let found = try buckets(
      layers, lines, parts: [0: part(8000, 0, 8192, 4200), 1: part(7000, 0, 8192, 8192)])
    #expect(features(found[0]) == [2, 3, 1] && features(found[1]) == [2, 3, 1])
    guard case .line(let casing)? = found[0], case .line(let road)? = found[1] else {
      Issue.record("no lines")
      return
    }
    #expect(casing.mesh === road.mesh)
    #expect(
      casing.paint.width.resolved(Evaluator(), at: .camera(zoom: 4), layoutZoom: 4).values == [2, 2, 1])
    // One that may draw anywhere has all of them, and a mesh of its own.
    let apart = try buckets(layers, lines, parts: [0: part(0, 0, 1, 1)])
    #expect(features(apart[0]) == [0] && features(apart[1])?.count == 4)
  }

  @Test("Fills are laid out in their part, circles everywhere")
  func others() throws {
    let squares = [
      TestFeature.polygon([Square(0, 0, 100)]), .polygon([Square(0, 0, 8192), Square(50, 50, 8000)]),
      .polygon([Square(8000, 8000, 100)]),
    ]
    let layers = [#""type": "fill""#, #""type": "circle""#, #""type": "fill", "filter": [">", ["zoom"], 1]"#]
    let found = try buckets(layers, squares, parts: [0: part(0, 0, 50, 50), 1: part(0, 0, 50, 50)])
    #expect(features(found[0]) == [0, 1])
    #expect(Set(features(found[2]) ?? []) == [0, 1, 2], "nobody says where it is looked at")
  }
}
