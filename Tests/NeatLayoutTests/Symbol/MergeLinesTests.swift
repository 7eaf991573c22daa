import NeatLayout
import Testing

@Suite("Lines with one text, end to start")
struct MergeLinesTests {
  private func line(_ xs: Int32...) -> [Int32] { xs }

  /// The lines that are left, by their number; empty for those that became part of another one.
  private func merged(_ lines: [[Int32]], _ texts: [Int32]) -> [[Int32]] {
    let chains = mergeLines(
      starts: lines.map { SIMD2($0[0], 0) }, ends: lines.map { SIMD2($0[$0.count - 1], 0) }, texts: texts)
    return lines.indices.map { line in
      chains.chain(of: line).reduce(into: [Int32]()) { joined, piece in
        joined += joined.isEmpty ? lines[piece] : Array(lines[piece].dropFirst())
      }
    }
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
    #expect(merged([line(0, 1), line(2, 3)], [0, 0]) == [[0, 1], [2, 3]])
    #expect(merged([line(0, 1), line(2, 1)], [0, 0]) == [[0, 1], [2, 1]], "end to end")
  }

  @Test("Circles and single points are left as they are")
  func degenerate() {
    #expect(merged([line(0, 1, 0)], [0]) == [[0, 1, 0]])
    #expect(merged([line(7), line(7)], [-1, -1]) == [[7], [7]])
    #expect(merged([line(7), line(7, 8)], [0, 0]) == [[7, 8], []])
    #expect(merged([], []).isEmpty)
  }

  @Test("A ring in pieces closes, and what touches it afterwards goes on from its end")
  func rings() {
    #expect(merged([line(0, 1), line(1, 2), line(2, 0)], [0, 0, 0]) == [[0, 1, 2, 0], [], []])
    #expect(merged([line(0, 1), line(1, 0), line(0, 3)], [0, 0, 0]) == [[0, 1, 0, 3], [], []])
    #expect(merged([line(0, 1), line(1, 0), line(3, 0)], [0, 0, 0]) == [[3, 0, 1, 0], [], []])
  }

  @Test("Every piece stands in one chain, which goes from end to start")
  func chains() {
    var random = SplitMix(state: 15)
    for _ in 0..<300 {
      let count = random.next(upTo: 40), places = random.next(upTo: 12) + 1
      let lines = (0..<count).map { _ in
        [Int32(random.next(upTo: places)), 100, Int32(random.next(upTo: places))]
      }
      let texts = (0..<count).map { _ in Int32(random.next(upTo: 3)) - 1 }
      let chains = mergeLines(
        starts: lines.map { SIMD2($0[0], 0) }, ends: lines.map { SIMD2($0[2], 0) }, texts: texts)
      var seen: [Int] = []
      for line in lines.indices {
        let chain = chains.chain(of: line)
        seen += chain
        for (a, b) in zip(chain, chain.dropFirst()) {
          #expect(lines[a][2] == lines[b][0] && texts[a] == texts[b] && texts[a] >= 0)
        }
        if !chain.isEmpty { #expect(chain.contains(line)) }
      }
      #expect(seen.sorted() == Array(lines.indices))
    }
  }
}

private struct SplitMix {
  var state: UInt64

  mutating func next(upTo bound: Int) -> Int {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ z >> 30) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ z >> 27) &* 0x94D0_49BB_1331_11EB
    return Int((z ^ z >> 31) % UInt64(bound))
  }
}
