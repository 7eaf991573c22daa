import NeatLayout
import NeatPlacement
import Testing

@Suite struct LineAnchorTests {
  private func options(spacing: Double = 1000, label: Double = 100, maxAngle: Double = .pi / 4)
    -> LineAnchorOptions
  {
    LineAnchorOptions(spacing: spacing, maxAngle: maxAngle, labelWidth: label, hasText: true, boxScale: 1)
  }

  @Test func labelsRepeatAlongALine() {
    let anchors = lineAnchors([SIMD2(10, 10), SIMD2(5010, 10)], options())
    #expect(
      anchors.map(\.point.x) == [108, 1108, 2108, 3108, 4108],
      "half the label and two ems from the start, then every 1000")
  }

  @Test func aContinuedLineStartsAtHalfTheSpacing() {
    #expect(lineAnchors([SIMD2(0, 10), SIMD2(2500, 10)], options()).map(\.point.x) == [500, 1500])
  }

  @Test func aShortLineGetsItsMiddle() {
    #expect(lineAnchors([SIMD2(10, 10), SIMD2(130, 10)], options()).map(\.point.x) == [70])
    #expect(
      lineAnchors([SIMD2(10, 10), SIMD2(90, 10)], options()).isEmpty, "the label is longer than the line")
  }

  @Test func aLongLabelKeepsAQuarterOfTheSpacingFree() {
    let anchors = lineAnchors([SIMD2(10, 10), SIMD2(8000, 10)], options(spacing: 400, label: 800))
    #expect(anchors.count > 2)
    for i in anchors.indices.dropFirst() { #expect(anchors[i].point.x - anchors[i - 1].point.x == 900) }
  }

  @Test func sharpBendsTakeNoLabel() {
    let line = [SIMD2(10.0, 10.0), SIMD2(110, 10), SIMD2(110, 110)]
    #expect(centerAnchor(line, options(label: 150)) == nil)
    #expect(centerAnchor(line, options(label: 150, maxAngle: .pi)) != nil)
    #expect(centerAnchor([SIMD2(10, 10), SIMD2(110, 20), SIMD2(210, 10)], options(label: 150)) != nil)
  }

  @Test func manyAnchorsAreBounded() {
    let anchors = lineAnchors([SIMD2(1, 1), SIMD2(8000, 1)], options(spacing: 0.001, label: 0))
    #expect(anchors.count <= maxAnchorsPerLine)
    #expect(lineAnchors([], options()).isEmpty)
    #expect(lineAnchors([SIMD2(1, 1)], options()).isEmpty)
  }

  @Test func theMiddleOfAPolygonAvoidsItsHole() {
    let outer = [SIMD2(0.0, 0.0), SIMD2(1000, 0), SIMD2(1000, 400), SIMD2(0, 400)]
    let hole = [SIMD2(50.0, 50.0), SIMD2(50, 350), SIMD2(600, 350), SIMD2(600, 50)]
    let pole = poleOfInaccessibility([outer, hole], precision: 1)
    #expect(abs(pole.x - 800) < 3 && abs(pole.y - 200) < 3)
    #expect(poleOfInaccessibility([[SIMD2(5, 5), SIMD2(5, 9)]], precision: 1) == SIMD2(5, 5))
    #expect(poleOfInaccessibility([], precision: 1) == .zero)
  }
}
