/// Rows of a picture that are packed, filtered and compressed by themselves. How many there are depends on the
/// picture alone.
struct PNGStrips: Sendable {
  let height: Int
  private let stripRows: Int

  init(height: Int, rowBytes: Int) {
    self.height = height
    let count = max(1, (height * rowBytes + PNGStrips.stripBytes / 2) / PNGStrips.stripBytes)
    stripRows = max(1, (height + count - 1) / count)
  }

  /// Bytes of a strip, about: a picture of 512 x 512 has 8. What each costs in bytes is a table of codes, and that it
  /// knows no colours of the strips above but those of the row next to it.
  private static let stripBytes = 98304

  var count: Int { (height + stripRows - 1) / stripRows }

  func rows(_ strip: Int) -> Range<Int> { strip * stripRows..<min(height, (strip + 1) * stripRows) }
}
