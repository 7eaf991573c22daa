import NeatBase
import NeatRaster

/// Where a frame is cut into bands, which threads draw in turn. Bands are drawn independently: to the pixels it does not
/// matter where they begin. What crosses a border is begun twice, and each band goes through all commands.
package enum FrameBands {
  /// Rows of a band at most, where nothing is known of what they cost.
  package static let mostRows = 96
  /// Where it is.
  private static let leastRows = 16
  /// Of all that is to be done, what threads take first, then, and last: large bands, and small ones by which those
  /// that are through sooner make up for it.
  private static let shares: [Float] = [0.64, 0.24, 0.12]
  /// The same where other work follows, which makes up for it.
  private static let followedShares: [Float] = [1]

  /// Where bands begin, and the end of the last one.
  /// - Parameters:
  ///   - costs: of the frame's rows, by steps of `RowCosts`; nil: not known.
  ///   - isFollowed: threads that are through have other work to do.
  package static func starts(height: Int, threads: Int, costs: [Float]?, isFollowed: Bool = false) -> [Int] {
    if threads <= 1 { return [0, height] }
    guard let costs else { return starts(height: height, threads: threads) }
    let total = costs.reduce(0, +)
    var starts = [0]
    var row = 0
    var share: Float = 0
    // What rows cost that are passed.
    var step = 0
    var passed: Float = 0
    for turn in isFollowed ? followedShares : shares {
      for _ in 0..<threads where row < height {
        share += turn / Float(threads)
        while step < costs.count - 1, passed + costs[step] < share * total {
          passed += costs[step]
          step += 1
        }
        let part = costs[step] > 0 ? (share * total - passed) / costs[step] : 1
        let end =
          step * RowCosts.step + Int(saturating: (min(max(part, 0), 1) * Float(RowCosts.step)).rounded())
        row = max(row + leastRows, end)
        if height - row < leastRows { row = height }
        starts.append(row)
      }
    }
    if row < height { starts.append(height) }
    return starts
  }

  /// The same without knowing more: large ones first, small ones last.
  private static func starts(height: Int, threads: Int) -> [Int] {
    var starts = [0]
    var start = 0
    while start < height {
      let left = height - start
      start += min(left, max(24, min(mostRows, left / (2 * threads))))
      starts.append(start)
    }
    return starts
  }
}
