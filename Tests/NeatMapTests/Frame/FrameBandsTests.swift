import NeatMap
import NeatRaster
import Testing

@Suite struct FrameBandsTests {
  /// How much each band costs, of all.
  private func parts(_ costs: [Float], threads: Int) -> [Float] {
    let height = costs.count * RowCosts.step
    let starts = FrameBands.starts(height: height, threads: threads, costs: costs)
    let rows = costs.flatMap { [Float](repeating: $0 / Float(RowCosts.step), count: RowCosts.step) }
    return zip(starts, starts.dropFirst()).map { rows[$0..<$1].reduce(0, +) / costs.reduce(0, +) }
  }

  @Test(arguments: [1, 2, 3, 8, 64]) func bandsCoverAllRowsOnce(threads: Int) {
    for height in [1, 7, 15, 16, 17, 31, 96, 97, 500, 4096] {
      let steps = RowCosts.steps(height)
      let even = [Float](repeating: 1, count: steps)
      let steep = (0..<steps).map { Float($0 * $0) }
      for costs in [nil, even, steep, Array(steep.reversed()), [Float](repeating: 0, count: steps)] {
        let starts = FrameBands.starts(height: height, threads: threads, costs: costs)
        #expect(starts.first == 0 && starts.last == height)
        #expect(zip(starts, starts.dropFirst()).allSatisfy { $0 < $1 }, "\(starts)")
        let followed = FrameBands.starts(height: height, threads: threads, costs: costs, isFollowed: true)
        #expect(followed.first == 0 && followed.last == height)
        #expect(zip(followed, followed.dropFirst()).allSatisfy { $0 < $1 }, "\(followed)")
        if costs == nil, threads > 1 {
          #expect(zip(starts, starts.dropFirst()).allSatisfy { $1 - $0 <= FrameBands.mostRows })
        }
      }
    }
  }

  @Test func oneThreadDrawsAllRowsAtOnce() {
    #expect(FrameBands.starts(height: 512, threads: 1, costs: nil) == [0, 512])
  }

  @Test func bandsCostAsMuchAsEachOther() {
    let even = [Float](repeating: 3, count: 128)
    // A city in the lower half, and next to nothing above it.
    let city = (0..<128).map { Float($0 < 64 ? 1 : 40) }
    for costs in [even, city] {
      let parts = parts(costs, threads: 2)
      #expect(parts.count == 6, "\(parts)")
      for (part, share) in zip(parts, [0.32, 0.32, 0.12, 0.12, 0.06, 0.06]) {
        #expect(abs(Double(part) - share) < 0.03, "\(parts)")
      }
    }
    // Where other work follows, one for each thread.
    #expect(FrameBands.starts(height: 1024, threads: 2, costs: even, isFollowed: true) == [0, 512, 1024])
    // All of it in a few rows: bands have no fewer than 16 of them.
    let line = (0..<64).map { Float($0 == 30 ? 1000 : 1) }
    let starts = FrameBands.starts(height: 512, threads: 2, costs: line)
    #expect(zip(starts, starts.dropFirst()).allSatisfy { $1 - $0 >= 16 }, "\(starts)")
  }
}
