import NeatBase
import NeatMesh
import Testing

/// Coordinates of any size and kind: no trap, no endless work, indices within bounds.
@Suite struct MeshFuzzTests {
  private struct Source {
    var state: UInt64
    mutating func next(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % bound
    }
    mutating func pick<T>(_ values: [T]) -> T { values[next(values.count)] }
  }

  private func rounds(_ count: Int) -> Int {
    #if DEBUG
      max(count / 10, 1)
    #else
      count
    #endif
  }

  private let doubles: [Double] = [
    0, -0.0, 1, -1, 2, 10, 10.000000000000002, 0.1, 1e-9, 1e-300, .leastNonzeroMagnitude, 4096, -4096, 1e9,
    1e15, 9_007_199_254_740_992,
    1e154, 1e160,
    -1e300,
    1.7976931348623157e308, -1.7976931348623157e308, .infinity, -.infinity, .nan,
  ]
  private let integers: [Int32] = [
    0, 1, -1, 2, 63, 4096, -4096, 8192, 65_535, 1 << 30, -(1 << 30), .max, .min, .max - 1, .min + 1,
  ]

  @Test func extremePolygonsAreTriangulatedOrLeft() {
    var source = Source(state: 47)
    var triangulator = Triangulator()
    for round in 0..<rounds(60_000) {
      var points: [SIMD2<Double>] = []
      var starts: [UInt32] = [0]
      // Now and then all finite: else most polygons end at the first test.
      let pool =
        round % 3 == 0 ? doubles : round % 3 == 1 ? doubles.filter(\.isFinite) : [0, 1, 2, 3, 1e-300, 1e300]
      for _ in 0...source.next(3) {
        for _ in 0..<source.next(round % 100 == 0 ? 400 : 20) {
          // Points of before come again: rings that touch themselves and each other.
          let again = !points.isEmpty && source.next(4) == 0
          points.append(again ? source.pick(points) : SIMD2(source.pick(pool), source.pick(pool)))
        }
        starts.append(UInt32(points.count))
      }
      let indices = triangulator.triangulate(points: points, ringStarts: starts, ringCount: starts.count - 1)
      #expect(indices.count % 3 == 0 && indices.allSatisfy { $0 < points.count })
      // A polygon of n points and h holes has n + 2h - 2 triangles at most.
      #expect(indices.count / 3 <= points.count + 2 * starts.count)
    }
  }

  @Test func extremeTileUnitsAreTriangulated() {
    var source = Source(state: 53)
    var triangulator = Triangulator()
    for _ in 0..<rounds(40_000) {
      let points = (0..<3 + source.next(30)).map { _ in SIMD2(source.pick(integers), source.pick(integers)) }
      let middle = UInt32(source.next(points.count + 1))
      let indices = triangulator.triangulate(
        points: points, ringStarts: [0, middle, UInt32(points.count)], ringCount: 2)
      #expect(indices.count % 3 == 0 && indices.allSatisfy { $0 < points.count })
      var mesh = ExtrusionMesh(extent: source.pick([0, 1, 4096, .max]))
      mesh.add(
        points: points, ringStarts: [0, middle, UInt32(points.count)], ringCount: 2,
        triangulator: &triangulator)
      #expect(mesh.indices.allSatisfy { $0 < mesh.vertices.count })
    }
  }

  @Test(.timeLimit(.minutes(2))) func hugePolygonsOfCrossingEdgesEnd() {
    var source = Source(state: 59)
    var triangulator = Triangulator()
    let count = rounds(20_000)
    // A star whose edges all cross, a comb, a spiral, noise.
    let shapes: [(Int) -> SIMD2<Double>] = [
      { SIMD2(cos(Double($0) * 2.4), sin(Double($0) * 2.4)) }, { SIMD2(Double($0), $0 % 2 == 0 ? 0 : 1e6) },
      { SIMD2(cos(Double($0) * 0.1) * Double($0), sin(Double($0) * 0.1) * Double($0)) },
    ]
    for shape in shapes {
      let points = (0..<count).map(shape)
      #expect(
        triangulator.triangulate(points: points, ringStarts: [0, UInt32(count)], ringCount: 1).count <= 3
          * count)
    }
    let noise = (0..<rounds(4000)).map { _ in SIMD2(Double(source.next(1000)), Double(source.next(1000))) }
    _ = triangulator.triangulate(points: noise, ringStarts: [0, UInt32(noise.count)], ringCount: 1)
  }

  private func check(_ mesh: LineMesh) {
    #expect(mesh.segments.reduce(0) { $0 + $1.indexCount } == mesh.indexCount)
    for segment in mesh.segments {
      #expect(segment.vertexCount <= LineTessellator.maxSegmentVertices)
      #expect(
        (segment.indexOffset..<segment.indexOffset + segment.indexCount).allSatisfy {
          Int(mesh.indices[$0]) < segment.vertexCount
        })
    }
  }

  private func options(_ source: inout Source) -> LineTessellator.Options {
    var options = LineTessellator.Options()
    options.cap = source.pick([.butt, .round, .square])
    options.join = source.pick([.miter, .bevel, .round])
    options.miterLimit = source.pick([2, 0, 1, -5, 1e-300, 100, 1e308])
    options.roundLimit = source.pick([1.05, 0, 1, -5, 2, 1e308])
    options.isClosed = source.next(2) == 0
    options.overscaling = source.pick([1, 0.5, 16, 17, 1e6])
    options.extent = source.pick([8192, 4096, 1, 512])
    if source.next(4) == 0 { options.clips = 0.25...0.75 }
    return options
  }

  @Test func extremeLinesBecomeMeshes() throws {
    var source = Source(state: 61)
    var tessellator = LineTessellator()
    let floats: [Float] = [
      0, -0.0, 1, -1, 0.1, 1e-38, .leastNonzeroMagnitude, 63, 8192, -8192, 1e7, 1e30,
      .greatestFiniteMagnitude, -.greatestFiniteMagnitude,
    ]
    for round in 0..<rounds(100_000) {
      let options = options(&source)
      let count = source.next(12)
      if round % 2 == 0 {
        let line = (0..<count).map { _ in SIMD2(source.pick(integers), source.pick(integers)) }
        try tessellator.add(line, count: count, options)
      } else {
        let line = (0..<count).map { _ in SIMD2(source.pick(floats), source.pick(floats)) }
        try tessellator.add(line, count: count, options)
      }
      if round % 10 == 9 {
        check(tessellator.finish())
        tessellator = LineTessellator()
      }
    }
    check(tessellator.finish())
  }

  @Test func straightLinesInAnyDirectionBearAnyLimit() throws {
    // Cosines of half an angle of nothing come out as a little more than one.
    var tessellator = LineTessellator()
    for degree in 0..<360 {
      let step = SIMD2(Float(cos(Double(degree))), Float(sin(Double(degree)))) * 100
      for limit in [-1, 0, 0.5, 1] as [Double] {
        var options = LineTessellator.Options()
        options.join = .round
        options.roundLimit = limit
        options.miterLimit = 1
        try tessellator.add((0..<4).map { step * Float($0) }, count: 4, options)
      }
    }
    let mesh = tessellator.finish()
    check(mesh)
    #expect(
      (0..<mesh.vertexCount).allSatisfy {
        mesh.vertices[$0].extrude.x.isFinite && mesh.vertices[$0].extrude.y.isFinite
      })
  }
}
