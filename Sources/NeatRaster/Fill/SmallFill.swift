// Scan conversion of polygons of a few points and columns, as most houses are: the same pixels as
// `FillScan`'s, without sorting crossings. Each row counts, for 64 columns at once, how often the edges left
// of them wind: three words hold the counts' bits, and an edge that crosses the row adds one to all columns
// from its own on, or takes one away.

import NeatBase

enum SmallFill {
  /// Points of a shape at most. Of its edges that cross a row half go up and half go down: counts stay within
  /// -7...7.
  static let maxPoints = 15
  private static let maxColumns = 64
  /// Words of a row: three are used.
  private static let stride = 4

  /// The first column that counts are kept of; nil where the shape is too large.
  @inline(__always)
  static func firstColumn(_ item: FillItem, _ rings: FillRings, _ clip: RowClip) -> Int? {
    if rings.pointCount > maxPoints || rings.isOpen { return nil }
    let first = max(NeatRaster.firstColumn(item.minX), clip.minX)
    let end = min(NeatRaster.firstColumn(item.maxX), clip.maxX)
    return end &- first <= maxColumns ? first : nil
  }

  /// Paints the pixels inside the rings in rows `y0..<y1` of the band.
  /// - Parameter x0: see `firstColumn`.
  @inline(__always)
  static func fill<Painter: SpanPainter>(
    _ target: FillTarget, _ shape: FillRings, x0: Int, y0: Int, y1: Int, _ painter: Painter
  ) {
    assert(y1 > y0 && y0 >= target.band.y0 && y1 <= target.band.y1, "rows of another band")
    assert(x0 >= target.clip.minX, "columns outside of the clip")
    let count = (y1 &- y0) &* stride
    let rows = target.scratch.windings.overwrite(count)
    rows.initialize(repeating: 0, count: count)
    for ring in shape.rings {
      let first = Int(shape.starts[ring])
      let end = Int(shape.starts[ring &+ 1])
      if end &- first < 2 { continue }
      var a = shape.points[end &- 1]
      var rowA = firstRow(a.y)
      for index in first..<end {
        let b = shape.points[index]
        let rowB = firstRow(b.y)
        wind(a, b, rowA, rowB, y0, y1, x0, rows)
        a = b
        rowA = rowB
      }
    }
    paint(target, rows, x0, y0, y1, painter)
  }

  /// Counts the edge from `a` to `b`, whose first centres are at rows `rowA` and `rowB`. Whether it goes down
  /// or up is as good as random from edge to edge of a house: what differs is chosen by a mask, without a
  /// branch.
  @inline(__always)
  private static func wind(
    _ a: SIMD2<Int32>, _ b: SIMD2<Int32>, _ rowA: Int, _ rowB: Int, _ y0: Int, _ y1: Int, _ x0: Int,
    _ rows: UnsafeMutablePointer<UInt64>
  ) {
    let first = max(min(rowA, rowB), y0)
    let end = min(max(rowA, rowB), y1)
    if first >= end { return }
    Tally.add(.fillEdges, 1)
    Tally.add(.fillCrossings, end - first)
    // All bits where it goes up.
    let up = UInt64(bitPattern: Int64(rowB &- rowA) >> 63)
    let swap = (a ^ b) & SIMD2(repeating: Int32(truncatingIfNeeded: up))
    let start = edgeStart(a ^ swap, b.x &- a.x, b.y &- a.y, first)
    // Counted from the first column, and rounded up from half a pixel before.
    var x = start.x &+ 0x7FFF_FFFF &- Int64(x0) &<< 32
    var row = rows + (first &- y0) &* stride
    for _ in first..<end {
      // What is left of the first column is at it.
      let column = (x >> 32) & ~(x >> 63)
      let columns: UInt64 = column < 64 ? .max &<< UInt64(truncatingIfNeeded: column) : 0
      let (low, middle) = (row[0], row[1])
      let carry = (low ^ up) & columns
      row[0] = low ^ columns
      row[1] = middle ^ carry
      row[2] ^= (middle ^ up) & carry
      row += stride
      x &+= start.step
    }
  }

  @inline(__always)
  private static func paint<Painter: SpanPainter>(
    _ target: FillTarget, _ rows: UnsafePointer<UInt64>, _ x0: Int, _ y0: Int, _ y1: Int, _ painter: Painter
  ) {
    let clip = target.clip
    var counts = rows
    var row = target.band.row(y0)
    // (Rows of a range would each be compared with its end once more.)
    var y = y0
    let inside = columns(clip.minX &- x0, clip.maxX &- x0)
    while y < y1 {
      var rest = counts[0] | counts[1] | counts[2]
      if clip.isBox {
        rest &= inside
      } else {
        let bounds = clip.bounds(y)
        rest &= columns(bounds.lower &- x0, bounds.upper &- x0)
      }
      while rest != 0 {
        let first = rest.trailingZeroBitCount
        let count = (~(rest &>> UInt64(truncatingIfNeeded: first))).trailingZeroBitCount
        painter.span(row, x: x0 &+ first, y: y, count: count)
        // The lowest run of bits is carried away.
        rest &= rest &+ (rest & (0 &- rest))
      }
      counts += stride
      row += target.band.stride
      y &+= 1
    }
  }

  /// Bits of the columns `lower..<upper`.
  @inline(__always) private static func columns(_ lower: Int, _ upper: Int) -> UInt64 {
    let all = UInt64.max
    return (all << max(lower, 0)) & ~(all << max(upper, 0))
  }
}
