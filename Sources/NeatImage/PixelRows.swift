/// Pixels in memory of someone else's, R in the lowest byte, rows from the top: of a picture, or of a part of one
/// whose rows stand further apart than they are wide.
package struct PixelRows {
  let start: UnsafePointer<UInt32>
  package let width: Int
  package let height: Int
  /// Pixels from a row to the next.
  let stride: Int

  /// - Parameter stride: nil: rows without padding.
  package init(_ start: UnsafePointer<UInt32>, width: Int, height: Int, stride: Int? = nil) {
    precondition(width > 0 && height > 0 && (stride ?? width) >= width)
    (self.start, self.width, self.height, self.stride) = (start, width, height, stride ?? width)
  }

  var count: Int { width * height }

  @inline(__always) func row(_ y: Int) -> UnsafePointer<UInt32> {
    assert(y >= 0 && y < height, "a row of no picture")
    return start + y &* stride
  }

  /// Whether nothing of it lets anything through.
  var isOpaque: Bool {
    for y in 0..<height {
      let row = row(y)
      var all: UInt32 = 0xFF00_0000
      for x in 0..<width { all &= row[x] }
      if all != 0xFF00_0000 { return false }
    }
    return true
  }
}
