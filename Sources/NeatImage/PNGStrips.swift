/// Rows of a picture that are packed, filtered and compressed by themselves. How many there are depends on the
/// picture alone.
struct PNGStrips: Sendable {
  let height: Int
  /// Where strips begin, and the end of the last one.
  private let starts: [Int]

  /// - Parameter mostRows: of a strip, if its size would give it more.
  init(height: Int, rowBytes: Int, mostRows: Int = .max) {
    assert(mostRows > 0, "strips without rows")
    self.height = height
    let bySize = (height * rowBytes + PNGStrips.stripBytes / 2) / PNGStrips.stripBytes
    // So many that the first one, which is none of the small ones, has no more rows.
    let byRows = mostRows < height ? (4 * height + 14 * mostRows - 1) / (4 * mostRows) : 1
    let shares = PNGStrips.shares(max(1, bySize, byRows))
    let total = shares.reduce(0, +)
    var starts = [0]
    var passed = 0
    for share in shares {
      passed += share
      // None has more rows than the first one.
      let end = (height * passed + total - 1) / total
      if end > starts[starts.count - 1] { starts.append(end) }
    }
    self.starts = starts
  }

  /// Bytes of a strip, on average: a picture of 512 x 512 has eight. What each costs in bytes is a table of codes, and
  /// that it knows no colours of the strips above but those of the row next to it.
  private static let stripBytes = 98304

  /// Of the rows that each strip has. Threads take strips in turn: where the last four are smaller, who finds none left
  /// waits for less. Few strips are alike, so that more threads than two have as much to do.
  private static func shares(_ count: Int) -> [Int] {
    if count < 6 { return Array(repeating: 4, count: count) }
    return Array(repeating: 4, count: count - 4) + [2, 2, 1, 1]
  }

  var count: Int { starts.count - 1 }

  func rows(_ strip: Int) -> Range<Int> { starts[strip]..<starts[strip + 1] }
}
