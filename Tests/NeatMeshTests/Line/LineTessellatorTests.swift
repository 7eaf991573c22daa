import NeatBase
import NeatMesh
import Testing

private func tessellate(
  _ lines: [[SIMD2<Int32>]], _ change: (inout LineTessellator.Options) -> Void = { _ in }
) throws -> LineMesh {
  var tessellator = LineTessellator()
  var options = LineTessellator.Options()
  change(&options)
  for (index, line) in lines.enumerated() {
    options.feature = Int32(index)
    try tessellator.add(line, count: line.count, options)
  }
  return tessellator.finish()
}

/// 63 times the extrusions, rounded, as MapLibre has them.
private func extrudes(_ mesh: LineMesh) -> [SIMD2<Int16>] {
  (0..<mesh.vertexCount).map {
    let scaled = (mesh.vertices[$0].extrude * 63 + 0.5).rounded(.down)
    return SIMD2(Int16(saturating: scaled.x), Int16(saturating: scaled.y))
  }
}

@Suite struct LineTessellatorTests {
  @Test func aStraightLineIsTwoTriangles() throws {
    let mesh = try tessellate([[SIMD2(0, 0), SIMD2(100, 0)]])
    #expect(extrudes(mesh) == [SIMD2(0, 63), SIMD2(0, -63), SIMD2(0, 63), SIMD2(0, -63)])
    #expect((0..<4).map { mesh.vertices[$0].distance } == [0, 0, 100, 100])
    #expect((0..<4).map { mesh.vertices[$0].isUp } == [false, true, false, true])
    #expect((0..<6).map { mesh.indices[$0] } == [0, 1, 2, 2, 1, 3])
    #expect(mesh.pieces.count == 1 && mesh.pieces[0].endVertex == 4 && mesh.pieces[0].endIndex == 6)
    #expect(
      mesh.segments == [LineMeshSegment(vertexOffset: 0, vertexCount: 4, indexOffset: 0, indexCount: 6)])
  }

  @Test func squareCapsLengthenTheLineAndRoundOnesAddAQuadAtEachEnd() throws {
    let square = try tessellate([[SIMD2(0, 0), SIMD2(100, 0)]]) { $0.cap = .square }
    #expect(extrudes(square).prefix(2) == [SIMD2(-63, 63), SIMD2(-63, -63)])
    #expect(extrudes(square).suffix(2) == [SIMD2(63, 63), SIMD2(63, -63)])
    #expect(
      square.vertexCount == 4 && square.vertices[0].direction == -1 && square.vertices[3].direction == -1)
    // What is measured along the line goes from end to end.
    #expect((0..<4).map { square.vertices[$0].distance } == [0, 0, 100, 100])
    let round = try tessellate([[SIMD2(0, 0), SIMD2(100, 0)]]) { $0.cap = .round }
    #expect(
      (0..<8).map { round.vertices[$0].isRound } == [true, true, false, false, false, false, true, true])
  }

  @Test func aRightAngleIsMiteredWithinTheLimitAndBeveledAboveIt() throws {
    let line: [SIMD2<Int32>] = [SIMD2(0, 0), SIMD2(50, 0), SIMD2(50, 50)]
    let miter = try tessellate([line])
    #expect(miter.vertexCount == 6 && extrudes(miter)[2] == SIMD2(-63, 63))
    // The corner's two pairs share the inner point, one miter back along each segment.
    let bevel = try tessellate([line]) { $0.join = .bevel }
    #expect(bevel.vertexCount == 8)
    #expect(extrudes(bevel)[2...5] == [SIMD2(-63, 63), SIMD2(0, -63), SIMD2(-63, 63), SIMD2(63, 0)])
    #expect(try tessellate([line]) { $0.miterLimit = 1.2 }.vertexCount == 8)
  }

  @Test func roundJoinsAreSlicesUpToAMiterOfTwoAndDiscsBeyond() throws {
    let line: [SIMD2<Int32>] = [SIMD2(0, 0), SIMD2(50, 0), SIMD2(50, 50)]
    let slices = try tessellate([line]) { $0.join = .round }
    // Half the angle is 45 degrees: 2 sqrt(2 - sqrt 2) radians, 87.7 degrees, four slices, three vertices
    // between.
    #expect(slices.vertexCount == 8 + 3)
    #expect((0..<slices.vertexCount).allSatisfy { !slices.vertices[$0].isRound })
    let disc = try tessellate([[SIMD2(0, 0), SIMD2(50, 0), SIMD2(10, 20)]]) { $0.join = .round }
    #expect((0..<disc.vertexCount).filter { disc.vertices[$0].isRound }.count == 4)
    #expect(
      try tessellate([[SIMD2(0, 0), SIMD2(50, 0), SIMD2(100, 5)]]) { $0.join = .round }.vertexCount == 6)
  }

  @Test func aLineThatTurnsBackIsFlipBeveled() throws {
    let mesh = try tessellate([[SIMD2(0, 0), SIMD2(50, 0), SIMD2(0, 0)]])
    #expect(mesh.vertexCount == 8)
    #expect(extrudes(mesh)[2] == SIMD2(0, 63) && extrudes(mesh)[4] == SIMD2(0, -63))
  }

  @Test func longSegmentsGetPointsNearSharpCorners() throws {
    // 15 px of a 512 px tile are 240 units.
    let line: [SIMD2<Int32>] = [SIMD2(0, 0), SIMD2(1000, 0), SIMD2(0, 500)]
    let mesh = try tessellate([line])
    #expect((0..<mesh.vertexCount).contains { mesh.vertices[$0].position == SIMD2(760, 0) })
    let over = try tessellate([line]) { $0.overscaling = 4 }
    #expect((0..<over.vertexCount).contains { over.vertices[$0].position == SIMD2(940, 0) })
  }

  @Test func aRingClosesWithAJoin() throws {
    let open: [SIMD2<Int32>] = [SIMD2(0, 0), SIMD2(50, 0), SIMD2(50, 50), SIMD2(0, 50)]
    let mesh = try tessellate([open]) { $0.isClosed = true }
    let closed = try tessellate([open + [open[0]]]) { $0.isClosed = true }
    #expect(extrudes(mesh) == extrudes(closed))
    #expect(mesh.vertexCount == 10 && extrudes(mesh)[0] == extrudes(mesh)[8])
    // The distance counts from the point before the first, as the join there does.
    #expect(mesh.vertices[0].distance == 50 && mesh.vertices[9].distance == 250)
  }

  @Test func duplicatePointsAndPointsAloneAddNothing() throws {
    let mesh = try tessellate([
      [], [SIMD2(1, 1)], [SIMD2(1, 1), SIMD2(1, 1)],
      [SIMD2(0, 0), SIMD2(0, 0), SIMD2(9, 0), SIMD2(9, 0), SIMD2(20, 0), SIMD2(20, 0)],
    ])
    #expect(mesh.vertexCount == 6 && mesh.pieces.count == 1 && mesh.pieces[0].feature == 3)
    #expect(try tessellate([[SIMD2(5, 5), SIMD2(5, 5)]]) { $0.isClosed = true }.vertexCount == 0)
  }

  @Test func distanceStartsAnewUnlessTheLineIsMeasured() throws {
    let line = (0..<5).map { SIMD2<Int32>(Int32($0) * 9000, 0) }
    let mesh = try tessellate([line])
    #expect(
      (0..<mesh.vertexCount).map { mesh.vertices[$0].distance } == [
        0, 0, 9000, 9000, 18000, 18000, 0, 0, 9000, 9000, 18000, 18000, 0, 0,
      ])
    let measured = try tessellate([line]) { $0.clips = 0.25...0.5 }
    #expect(
      measured.vertices[9].distance == 36000 && measured.pieces[0].totalDistance == 36000
        && measured.pieces[0].clipEnd == 0.5)
  }

  @Test func aLongLineIsSplitSoThatSixteenBitsReachEachVertex() throws {
    let line = (0..<50000).map { SIMD2<Int32>(Int32($0), Int32($0 % 2)) }
    let mesh = try tessellate([line, [SIMD2(0, 0), SIMD2(9, 9)]])
    #expect(
      mesh.segments.count >= 2
        && mesh.segments.allSatisfy { $0.vertexCount <= LineTessellator.maxSegmentVertices })
    #expect(mesh.segments.map(\.indexCount).reduce(0, +) == mesh.indexCount)
    for segment in mesh.segments {
      #expect(
        (segment.indexOffset..<segment.indexOffset + segment.indexCount).allSatisfy {
          Int(mesh.indices[$0]) < segment.vertexCount
        })
    }
    let whole = mesh.pieces.filter { $0.feature == 0 }
    #expect(whole.count == mesh.segments.count && whole.last?.endVertex == Int32(mesh.vertexCount - 4))
  }

  @Test func coordinatesThatAreNotFiniteAreRefused() throws {
    var tessellator = LineTessellator()
    #expect(throws: NeatError.self) {
      try tessellator.add([SIMD2<Float>(0, 0), SIMD2<Float>(.nan, 1)], count: 2, LineTessellator.Options())
    }
    let mesh = tessellator.finish()
    #expect(mesh.vertexCount == 0)
  }
}
