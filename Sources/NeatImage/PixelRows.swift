import NeatBase

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

  /// Whether these are the same pixels in memory.
  func isSame(as other: PixelRows) -> Bool {
    start == other.start && width == other.width && height == other.height && stride == other.stride
  }

  @inline(__always) func row(_ y: Int) -> UnsafePointer<UInt32> {
    assert(y >= 0 && y < height, "a row of no picture")
    return start + y &* stride
  }

  /// Whether nothing of it lets anything through.
  var isOpaque: Bool { isOpaque(at: Swift.stride(from: 0, to: height, by: 1)) }

  /// The same of rows that are named.
  func isOpaque(at places: StrideTo<Int>) -> Bool {
    for y in places {
      let row = row(y)
      var all: UInt32 = 0xFF00_0000
      for x in 0..<width { all &= row[x] }
      if all != 0xFF00_0000 { return false }
    }
    return true
  }

  /// Some of the rows, by which a picture is judged.
  var sample: StrideTo<Int> { Swift.stride(from: 0, to: height, by: max(1, height / 24)) }

  /// Whether at least one of five pixels repeats its left neighbour, on a sample of the rows: filters then make
  /// more of a picture than they save.
  var isMostlyFlat: Bool { isMostlyFlat(at: sample) }

  /// The same of rows that are named.
  func isMostlyFlat(at places: StrideTo<Int>) -> Bool {
    var same = 0
    var seen = 0
    for y in places {
      let pixels = row(y)
      let row = UnsafeRawPointer(pixels)
      var equal = SIMD8<UInt32>.zero
      var x = 1
      while x &+ 8 <= width {
        let here = row.loadUnaligned(fromByteOffset: 4 &* x, as: SIMD8<UInt32>.self)
        let left = row.loadUnaligned(fromByteOffset: 4 &* x &- 4, as: SIMD8<UInt32>.self)
        equal &+= SIMD8<UInt32>.zero.replacing(with: 1, where: here .== left)
        x &+= 8
      }
      same += Int(equal.wrappedSum())
      while x < width {
        same += pixels[x] == pixels[x &- 1] ? 1 : 0
        x &+= 1
      }
      seen += width - 1
    }
    return same * 5 >= seen
  }
}
