import NeatBase
import NeatTestSupport
import Testing

struct IncreasingSubsequenceTests {
  /// By trying all subsequences.
  private func longest(_ values: [Int]) -> Int {
    (0..<1 << values.count).map { mask in
      let chosen = values.indices.filter { mask >> $0 & 1 == 1 }.map { values[$0] }
      return zip(chosen, chosen.dropFirst()).allSatisfy { $0 < $1 } ? chosen.count : 0
    }.max() ?? 0
  }

  @Test func `it is as long as any, and rises`() {
    var random = SplitMix(seed: 1)
    for _ in 0..<500 {
      let values = (0..<Int.random(in: 0...9, using: &random)).map { _ in
        Int.random(in: 0...6, using: &random)
      }
      let found = longestIncreasingSubsequence(of: values)
      #expect(found.count == longest(values))
      #expect(zip(found, found.dropFirst()).allSatisfy { $0 < $1 && values[$0] < values[$1] })
    }
  }

  @Test func `it is whole of what rises, and one of what falls`() {
    #expect(longestIncreasingSubsequence(of: []) == [])
    #expect(longestIncreasingSubsequence(of: Array(0..<1000)) == Array(0..<1000))
    #expect(longestIncreasingSubsequence(of: Array((0..<1000).reversed())).count == 1)
    #expect(longestIncreasingSubsequence(of: [5, 5, 5]).count == 1)
  }
}
