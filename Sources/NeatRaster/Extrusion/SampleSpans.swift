// Which of the four samples of each pixel lie inside of a face. Each edge bounds the columns of a row from
// one side, for each sample its own: where it crosses the first row that it reaches is found by one division,
// and followed from row to row as a whole number and what is left over (Bresenham), so that nothing is
// rounded. Rows that an edge does not reach are bounded by the others, as a face is convex: as a line without
// end, the edge would cut off no more there.
import NeatBase

/// Where the samples of a pixel lie, in pixels from its corner: one in each row and each column of four.
enum SampleGrid {
  @inline(__always) static var x: SIMD4<Float> { SIMD4(0.375, 0.875, 0.125, 0.625) }
  @inline(__always) static var y: SIMD4<Float> { SIMD4(0.125, 0.375, 0.625, 0.875) }
  /// The same in eighths.
  @inline(__always) static var eighthsX: SIMD4<Double> { SIMD4(3, 7, 1, 5) }
  @inline(__always) static var eighthsY: SIMD4<Double> { SIMD4(1, 3, 5, 7) }
  /// The least and the greatest of them, in 1/256 pixel.
  static let first: Int64 = 32
  static let last: Int64 = 224
}

/// Pixels that a face can have.
struct FaceBox: BitwiseCopyable {
  let top: Int
  let bottom: Int
  let left: Int32
  let right: Int32
}

/// Columns of a row whose samples are inside of a face: from which on, and up to which, for each of the four
/// samples.
struct SampleRow: BitwiseCopyable {
  var starts: SIMD4<Int32>
  /// With the other sign, so that both grow as edges cut something off.
  var ends: SIMD4<Int32>

  /// The samples of a column that are inside.
  @inline(__always) func covered(_ column: Int32) -> SIMD4<UInt32> {
    let outside = (SIMD4(repeating: column) &- starts) | (SIMD4(repeating: 0 &- column) &- ends)
    return SIMD4<UInt32>(truncatingIfNeeded: ~negative(outside))
  }

  /// From where to where there are samples inside, and all samples are.
  @inline(__always) var columns: (first: Int, last: Int, whole: Int, wholeEnd: Int) {
    let (a, b) = (
      SIMD4(lowHalf: starts.lowHalf, highHalf: ends.lowHalf),
      SIMD4(lowHalf: starts.highHalf, highHalf: ends.highHalf)
    )
    let (low, high) = (least(a, b), most(a, b))
    let (even, odd) = (
      SIMD4(lowHalf: low.evenHalf, highHalf: high.evenHalf),
      SIMD4(lowHalf: low.oddHalf, highHalf: high.oddHalf)
    )
    let (ends1, ends2) = (least(even, odd), most(even, odd))
    return (Int(ends1.x), Int(0 &- ends1.y), Int(ends2.z), Int(0 &- ends2.w))
  }
}

/// The corners of a face in 1/256 pixel, and the pixels that it can have.
struct FaceOutline: BitwiseCopyable {
  /// Of a triangle the last two are one.
  let corners: (SIMD2<Int32>, SIMD2<Int32>, SIMD2<Int32>, SIMD2<Int32>)
  /// Whether the corners run with the inside on their right hand (y runs down).
  let isTurned: Bool
  let box: FaceBox

  var rowCount: Int { box.bottom - box.top + 1 }

  /// Writes the columns of each row of the box.
  func fill(_ rows: UnsafeMutablePointer<SampleRow>) {
    rows.update(
      repeating: SampleRow(starts: SIMD4(repeating: box.left), ends: SIMD4(repeating: 0 &- box.right)),
      count: rowCount)
    let (p, q) = (FaceOutline.wide(corners.0), FaceOutline.wide(corners.1))
    let (r, s) = (FaceOutline.wide(corners.2), FaceOutline.wide(corners.3))
    let isConvex = FaceOutline.isConvex(corners.0, corners.1, corners.2, corners.3)
    func cut(_ a: SIMD2<Int64>, _ b: SIMD2<Int64>) {
      // What has no length bounds nothing.
      if a == b { return }
      cutSamples(isTurned ? b : a, isTurned ? a : b, box, rows, isConvex: isConvex)
    }
    cut(p, q)
    cut(q, r)
    cut(r, s)
    cut(s, p)
  }

  @inline(__always) static func wide(_ place: SIMD2<Int32>) -> SIMD2<Int64> {
    SIMD2(Int64(place.x), Int64(place.y))
  }

  /// Whether corners go round one way.
  static func isConvex(_ p: SIMD2<Int32>, _ q: SIMD2<Int32>, _ r: SIMD2<Int32>, _ s: SIMD2<Int32>) -> Bool {
    func turn(_ a: SIMD2<Int32>, _ b: SIMD2<Int32>, _ c: SIMD2<Int32>) -> Int64 {
      // Corners are below 2^25: the differences fit.
      Int64(b.x &- a.x) &* Int64(c.y &- b.y) &- Int64(b.y &- a.y) &* Int64(c.x &- b.x)
    }
    let turns = (turn(p, q, r), turn(q, r, s), turn(r, s, p), turn(s, p, q))
    return (turns.0 >= 0 && turns.1 >= 0 && turns.2 >= 0 && turns.3 >= 0)
      || (turns.0 <= 0 && turns.1 <= 0 && turns.2 <= 0 && turns.3 <= 0)
  }
}

/// Narrows rows to what is inside of the edge from corner to corner, which has the inside on its left hand.
///
/// - Parameters:
///   - rows: those of the box.
///   - isConvex: whether rows that the edge does not reach are bounded by other edges.
private func cutSamples(
  _ p: SIMD2<Int64>, _ q: SIMD2<Int64>, _ box: FaceBox, _ rows: UnsafeMutablePointer<SampleRow>,
  isConvex: Bool
) {
  let first = isConvex ? max(box.top, Int(min(p.y, q.y) >> 8)) : box.top
  let last = isConvex ? min(box.bottom, Int(max(p.y, q.y) >> 8)) : box.bottom
  if first > last { return }
  let rows = rows + (first - box.top)
  let edge = SampleEdge(p, q)
  if edge.dy == 0 {
    for row in first...last {
      let rise = edge.rise(row)
      func held(_ rise: Double, _ start: Int32) -> Int32 { rise < 0 ? farRight : start }
      let starts = rows[row - first].starts
      rows[row - first].starts = SIMD4(
        held(rise.x, starts.x), held(rise.y, starts.y), held(rise.z, starts.z), held(rise.w, starts.w))
    }
    return
  }
  guard isConvex else {
    for row in first...last {
      let bound = edge.bound(row)
      edge.cut(&rows[row - first], bound.column)
    }
    return
  }
  var (column, rest) = edge.bound(first)
  let (change, more) = edge.step
  let (changes, mores) = (SIMD4(repeating: change), SIMD4(repeating: more))
  let divisor = SIMD4(repeating: edge.divisor)
  let full = divisor &- 1
  var row = rows
  let end = rows + (last - first)
  if edge.isLeft {
    while true {
      row.pointee.starts = most(row.pointee.starts, column)
      if row == end { return }
      row += 1
      follow()
    }
  }
  while true {
    row.pointee.ends = most(row.pointee.ends, column)
    if row == end { return }
    row += 1
    follow()
  }

  @inline(__always) func follow() {
    rest &+= mores
    // All ones where the remainder has filled up.
    let carry = negative(full &- rest)
    rest &-= divisor & carry
    column = column &- changes &+ carry
  }
}

/// No column is so far right.
private let farRight: Int32 = 1 << 29

/// An edge of a face: a sample is inside where rise - dy·x >= 0, and rise is linear in the row.
private struct SampleEdge {
  let dx: Double
  let dy: Double
  /// The rise of a point in the frame's corner, in 1/32 of what it has in 1/256 pixel, rounded down: samples
  /// lie on multiples of 32.
  let base: Double
  let length: Double
  let inverse: Double

  /// 1.5 × 2^52: the sum's lowest bits are the rounded number.
  private static let round = 6_755_399_441_055_744.0

  @inline(__always) init(_ p: SIMD2<Int64>, _ q: SIMD2<Int64>) {
    // Corners are below 2^25, so that differences are below 2^26, products below 2^51.
    let (dx, dy) = (q.x &- p.x, q.y &- p.y)
    // A point on the edge belongs to the face if the edge is a left or a top one.
    let isOwn = dy < 0 || (dy == 0 && dx > 0)
    base = Double((dy &* p.x &- dx &* p.y &- (isOwn ? 0 : 1)) >> 5)
    (self.dx, self.dy) = (Double(dx), Double(dy))
    length = abs(self.dy)
    inverse = 1 / length
  }

  /// Whether it bounds the face on the left.
  @inline(__always) var isLeft: Bool { dy < 0 }
  @inline(__always) var divisor: Int32 { whole(length + SampleEdge.round) }

  /// Of the samples of a row's pixels at column 0, in whole units of 1/256 pixel (rounded down: columns are
  /// steps of as many units as the edge is long, so that no column is lost).
  @inline(__always) func rise(_ row: Int) -> SIMD4<Double> {
    let eighths = SampleGrid.eighthsY * dx - SampleGrid.eighthsX * dy + (base + dx * (8 * Double(row)))
    // Below 2^48; the quotient lies at least 1/16 from where rounding would go up.
    return (eighths - 3.5) * 0.125 + SampleEdge.round - SampleEdge.round
  }

  /// The column that each sample's rise reaches, with the other sign on the right side, and what is left over
  /// there.
  @inline(__always) func bound(_ row: Int) -> (column: SIMD4<Int32>, rest: SIMD4<Int32>) {
    let rise = rise(row)
    // Half a step less one half: rounding to the nearest then rounds down. What the product is off is less
    // than rise / length / 2^52, which is less than half a unit of the rise.
    let sum = (rise - (length - 1) * 0.5) * inverse
    // In the rows that an edge reaches it lies within 2^26 columns and one step; others are held.
    let held = sum.replacing(with: -0x1p29, where: sum .< -0x1p29)
    let quotient = held.replacing(with: 0x1p29, where: held .> 0x1p29) + SampleEdge.round
    let rest = rise - (quotient - SampleEdge.round) * length + SampleEdge.round
    return (0 &- whole(quotient), whole(rest))
  }

  /// How the column changes from row to row, and what is left over.
  @inline(__always) var step: (Int32, Int32) {
    let sum = (dx - (length - 1) * 0.5) * inverse + SampleEdge.round
    return (whole(sum), whole(dx - (sum - SampleEdge.round) * length + SampleEdge.round))
  }

  @inline(__always) func cut(_ row: inout SampleRow, _ column: SIMD4<Int32>) {
    if isLeft { row.starts = most(row.starts, column) } else { row.ends = most(row.ends, column) }
  }

  @inline(__always) private func whole(_ sum: Double) -> Int32 { Int32(truncatingIfNeeded: sum.bitPattern) }

  @inline(__always) private func whole(_ sum: SIMD4<Double>) -> SIMD4<Int32> {
    unsafeBitCast(sum, to: SIMD8<Int32>.self).evenHalf
  }
}

/// The lanes of a mask as bits: what is chosen with them takes one instruction each.
@inline(__always) func bits(_ mask: SIMDMask<SIMD4<Int32>>) -> SIMD4<UInt32> {
  unsafeBitCast(mask, to: SIMD4<UInt32>.self)
}

@inline(__always) func isAny(_ lanes: SIMD4<UInt32>) -> Bool {
  let words = unsafeBitCast(lanes, to: SIMD2<UInt64>.self)
  return words.x | words.y != 0
}

/// The first where the lanes are set, else the second.
@inline(__always)
func chosen(_ a: SIMD4<UInt32>, _ b: SIMD4<UInt32>, _ lanes: SIMD4<UInt32>) -> SIMD4<UInt32> {
  (a & lanes) | (b & ~lanes)
}

@inline(__always)
func chosen(_ a: SIMD4<Float>, _ b: SIMD4<Float>, _ lanes: SIMD4<UInt32>) -> SIMD4<Float> {
  let (a, b) = (unsafeBitCast(a, to: SIMD4<UInt32>.self), unsafeBitCast(b, to: SIMD4<UInt32>.self))
  return unsafeBitCast(chosen(a, b, lanes), to: SIMD4<Float>.self)
}

/// All ones in lanes below 0. Comparing by it is faster than the masks of comparisons are; differences of
/// columns are far below 2^31.
@inline(__always) private func negative(_ v: SIMD4<Int32>) -> SIMD4<Int32> { v &>> 31 }

@inline(__always) private func most(_ a: SIMD4<Int32>, _ b: SIMD4<Int32>) -> SIMD4<Int32> {
  let less = a &- b
  return a &- (less & negative(less))
}

@inline(__always) private func least(_ a: SIMD4<Int32>, _ b: SIMD4<Int32>) -> SIMD4<Int32> {
  let less = a &- b
  return b &+ (less & negative(less))
}
