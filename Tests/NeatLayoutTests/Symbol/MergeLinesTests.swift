import NeatLayout
import Testing

@Suite("Lines with one text, end to start")
struct MergeLinesTests {
  private func line(_ xs: Double...) -> [[SIMD2<Double>]] { [xs.map { SIMD2($0, 0) }] }

  private func merged(_ lines: [[[SIMD2<Double>]]], _ texts: [Int32]) -> [[Double]] {
    var lines = lines
    mergeLines(&lines, texts: texts)
    return lines.map { $0.first?.map(\.x) ?? [] }
  }

  @Test("Pieces that touch become one, whatever their order")
  func touching() {
    #expect(merged([line(0, 1), line(1, 2), line(2, 3)], [0, 0, 0]) == [[0, 1, 2, 3], [], []])
    #expect(merged([line(2, 3), line(1, 2), line(0, 1)], [0, 0, 0]) == [[0, 1, 2, 3], [], []])
    #expect(merged([line(0, 1), line(2, 3), line(1, 2)], [0, 0, 0]) == [[0, 1, 2, 3], [], []])
  }

  @Test("Other texts, no text, and gaps keep them apart")
  func apart() {
    #expect(merged([line(0, 1), line(1, 2)], [0, 1]) == [[0, 1], [1, 2]])
    #expect(merged([line(0, 1), line(1, 2)], [-1, -1]) == [[0, 1], [1, 2]])
    #expect(merged([line(0, 1), line(1.5, 2)], [0, 0]) == [[0, 1], [1.5, 2]])
    #expect(merged([line(0, 1), line(2, 1)], [0, 0]) == [[0, 1], [2, 1]], "end to end")
  }

  @Test("Circles, single points and empty features are left as they are")
  func degenerate() {
    #expect(merged([line(0, 1, 0)], [0]) == [[0, 1, 0]])
    #expect(merged([[], line(0, 1)], [0, 0]) == [[], [0, 1]])
    #expect(merged([[[]], line(0, 1)], [0, 0]) == [[], [0, 1]])
    #expect(merged([], []).isEmpty)
  }
}
