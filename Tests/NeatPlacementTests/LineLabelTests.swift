import NeatBase
import NeatPlacement
import Testing

@Suite struct LineLabelTests {
  private let view = flatView()

  /// A label of 5 glyphs, 24 px each at 24 px size, in the middle of a line given in pixels.
  private func geometry(_ line: [SIMD2<Float>], segment: Int32, anchor: SIMD2<Float>) -> SymbolGeometry {
    var geometry = SymbolGeometry()
    geometry.lineVertices = line.map { $0 * 16 }
    geometry.glyphOffsets = [-48, -24, 0, 24, 48]
    geometry.texts = [
      PlacedSymbol(
        anchor: anchor * 16, glyphStart: 0, glyphCount: 5, lineStart: 0, lineLength: Int32(line.count),
        segment: segment, lowerSize: 24,
        upperSize: 24)
    ]
    var instance = SymbolInstance(anchor: anchor * 16)
    instance.centerText = 0
    instance.circleDiameter = 20
    instance.hasHorizontalGlyphs = true
    geometry.instances = [instance]
    return geometry
  }

  private func glyphs(_ geometry: SymbolGeometry, flip: Bool = false, across: Float = 0) -> (
    LineLabelOutcome, [GlyphOnLine]
  ) {
    let plane = LabelPlane(view: view, tile: flatTile(view), pitchWithMap: false, rotateWithMap: true)
    var symbol = geometry.texts[0]
    symbol.lineOffset.y = across
    var placed: [GlyphOnLine] = []
    let outcome = geometry.lineVertices.withUnsafeBufferPointer { vertices in
      geometry.glyphOffsets.withUnsafeBufferPointer { offsets in
        LineWalk(plane: plane, vertices: vertices, symbol: symbol)!.place(
          offsets: offsets, fontScale: 1, keepUpright: true, flip: flip, into: &placed)
      }
    }
    return (outcome, placed)
  }

  @Test func glyphsFollowACorner() {
    let (outcome, placed) = glyphs(
      geometry([SIMD2(100, 100), SIMD2(200, 100), SIMD2(200, 300)], segment: 0, anchor: SIMD2(200 - 24, 100)))
    #expect(outcome == .placed && placed.count == 5)
    #expect(abs(placed[0].point.x - 128) < 1e-6 && abs(placed[0].point.y - 100) < 1e-6)
    #expect(abs(placed[4].point.x - 200) < 1e-6 && abs(placed[4].point.y - 124) < 1e-6)
    #expect(abs(placed[4].angle - .pi / 2) < 1e-9)
  }

  @Test func aLineFromRightToLeftIsReadTheOtherWay() {
    let shape = geometry([SIMD2(300, 100), SIMD2(100, 100)], segment: 0, anchor: SIMD2(200, 100))
    #expect(glyphs(shape).0 == .needsFlipping)
    let (outcome, placed) = glyphs(shape, flip: true)
    #expect(outcome == .placed)
    #expect(abs(placed[0].point.x - 152) < 1e-6 && abs(placed[4].point.x - 248) < 1e-6)
    #expect(abs(sin(placed[0].angle)) < 1e-9 && cos(placed[0].angle) > 0.99)
  }

  @Test func uprightLabelsOnSteepLinesAreReadDownwards() {
    var down = geometry([SIMD2(200, 100), SIMD2(200, 300)], segment: 0, anchor: SIMD2(200, 200))
    down.texts[0].writingMode = .horizontal
    #expect(glyphs(down).0 == .useVertical)
    down.texts[0].writingMode = .vertical
    #expect(glyphs(down).0 == .placed)
    var up = geometry([SIMD2(200, 300), SIMD2(200, 100)], segment: 0, anchor: SIMD2(200, 200))
    up.texts[0].writingMode = .vertical
    #expect(glyphs(up).0 == .needsFlipping)
  }

  @Test func noGlyphStandsBeyondTheLine() {
    #expect(
      glyphs(geometry([SIMD2(160, 100), SIMD2(240, 100)], segment: 0, anchor: SIMD2(200, 100))).0
        == .notEnoughRoom)
  }

  @Test func aLabelBesideTheLineWalksOnItsParallel() {
    let (_, placed) = glyphs(
      geometry(
        [SIMD2(100, 100), SIMD2(200, 100), SIMD2(200, 300)], segment: 0, anchor: SIMD2(200 - 24, 100)),
      across: -10)
    #expect(abs(placed[0].point.y - 90) < 1e-6)
    // The outer parallel goes through (210, 90): 34 to the corner, so that 48 ends 14 below it.
    #expect(abs(placed[4].point.x - 210) < 1e-6 && abs(placed[4].point.y - 104) < 1e-6)
  }

  @Test func circlesAlongTheLineCollide() {
    let shape = geometry([SIMD2(100, 100), SIMD2(400, 100)], segment: 0, anchor: SIMD2(250, 100))
    let placement = Placement(view: view)
    let bucket = PlacementBucket(
      geometry: shape, tile: flatTile(view), textSize: FrameSize(kind: .shared, shared: 24))
    #expect(placement.place(SymbolPlacementSettings(), [bucket])[0][0].text)
    #expect(!placement.place(SymbolPlacementSettings(), [bucket])[0][0].text)
    #expect(placement.query(CollisionRect(200, 95, 300, 105)).count > 3)
    #expect(placement.query(CollisionRect(330, 95, 340, 105)).isEmpty)
  }

  @Test func linesAreCutAtARectangle() {
    let parts = clipLine(
      [SIMD2(-10, 5), SIMD2(5, 5), SIMD2(5, 20), SIMD2(8, 20), SIMD2(8, 5)], min: .zero, max: SIMD2(10, 10))
    #expect(parts == [[SIMD2(0, 5), SIMD2(5, 5), SIMD2(5, 10)], [SIMD2(8, 10), SIMD2(8, 5)]])
    let inside = [SIMD2(0.0, 5), SIMD2(5.0, 5), SIMD2(5.0, 5), SIMD2(9.5, 0)]
    #expect(clipLine(inside, min: .zero, max: SIMD2(10, 10)) == [inside])
    #expect(clipLine([SIMD2(1, 1)], min: .zero, max: SIMD2(10, 10)).isEmpty)
    #expect(clipLine([], min: .zero, max: SIMD2(10, 10)).isEmpty)
    // The far edges are outside.
    #expect(clipLine([SIMD2(1, 10), SIMD2(9, 10)], min: .zero, max: SIMD2(10, 10)).isEmpty)
  }
}
