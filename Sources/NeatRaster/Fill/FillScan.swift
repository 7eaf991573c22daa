// Scan conversion of polygons, nonzero winding, one sample a pixel at its centre.
//
// Each edge that crosses a row's centre line of the band leaves there one crossing: the first pixel whose
// centre is not left of the edge, with the edge's direction. A first walk over the edges counts crossings per
// row, a second one puts them into the rows' buckets; a row is then sorted (it nearly always has two) and its
// spans are painted. The x of an edge is exact arithmetic from its upper end in 32.32 fixed point, so edges
// that two polygons share give the same pixels to both, whatever their direction and the band.

import NeatBase

/// Paints `count` pixels from (x, y) on.
protocol SpanPainter {
  func span(_ row: UnsafeMutablePointer<UInt32>, x: Int, y: Int, count: Int)
}

struct OpaquePainter: SpanPainter {
  let bits: UInt32
  @inline(__always) func span(_ row: UnsafeMutablePointer<UInt32>, x: Int, y: Int, count: Int) {
    Tally.add(.fillStored, count)
    Tally.add(.fillSpans, 1)
    Blend.store(row + x, count, bits)
  }
}

struct BlendPainter: SpanPainter {
  let bits: UInt32
  @inline(__always) func span(_ row: UnsafeMutablePointer<UInt32>, x: Int, y: Int, count: Int) {
    Tally.add(.fillBlended, count)
    Tally.add(.fillSpans, 1)
    Blend.blend(row + x, count, bits)
  }
}

/// Rings of polygons in 1/256 pixel: ring `r` owns `points[starts[r]..<starts[r + 1]]`.
struct FillRings {
  let points: UnsafePointer<SIMD2<Int32>>
  let starts: UnsafePointer<Int32>
  let rings: Range<Int>
  /// Of their edges; none where the shape has none.
  let runs: UnsafeBufferPointer<FillRun>
  /// Whether the last point is not joined to the first.
  let isOpen: Bool

  var isOrdered: Bool { rings.allSatisfy { starts[$0] <= starts[$0 + 1] } }

  @inline(__always) var pointCount: Int { Int(starts[rings.upperBound] &- starts[rings.lowerBound]) }
}

/// A band, what of it may be touched, and memory to work with.
struct FillTarget {
  let band: Band
  let clip: RowClip
  let scratch: RasterScratch
}

/// The rows of a band and the columns (1/256 pixel) that a shape is looked at in.
struct ScanWindow {
  let y0, y1: Int
  let left, right: Int32
  /// What lies left of the columns counts: a row begins with it.
  let reach: FillReach

  @inline(__always)
  init(_ clip: RowClip, y0: Int, y1: Int) {
    (self.y0, self.y1) = (y0, y1)
    reach = FillReach(clip, y0: y0, y1: y1, isOpenLeft: true)
    left = Int32(truncatingIfNeeded: clip.minX &<< 8)
    right = Int32(truncatingIfNeeded: clip.maxX &<< 8)
  }

  /// The edge from `a` to `b`, whose first centres are at rows `rowA` and `rowB` (not the same); nil where it
  /// crosses no row, or lies right of the columns.
  @inline(__always)
  func edge(_ a: SIMD2<Int32>, _ b: SIMD2<Int32>, _ rowA: Int, _ rowB: Int) -> ScanEdge? {
    let isDown = rowA < rowB
    let row = max(isDown ? rowA : rowB, y0)
    let last = min(isDown ? rowB : rowA, y1)
    if row >= last || min(a.x, b.x) >= right { return nil }
    var start = (x: Int64(left) &<< 24, step: Int64(0))
    if max(a.x, b.x) > left { start = edgeStart(isDown ? a : b, b.x &- a.x, b.y &- a.y, row) }
    return ScanEdge(
      x: start.x, step: start.step, row: Int32(truncatingIfNeeded: row &- y0),
      end: Int32(truncatingIfNeeded: last &- y0),
      winding: isDown ? 1 : 0)
  }
}

/// Where an edge crosses the centre of a row, and its step to the next one: pixels with 32 bits of fraction,
/// from its upper end, so that shapes that share it agree.
/// - Parameters:
///   - top: its upper end.
///   - dx, dy: from either end to the other; `dy` is not 0.
@inline(__always)
func edgeStart(_ top: SIMD2<Int32>, _ dx: Int32, _ dy: Int32, _ row: Int) -> (x: Int64, step: Int64) {
  // |dx| < 2^30 and 0 < offset <= |dy|: step · offset < 2^62.
  let step = Int64(saturating: Double(dx) * 4_294_967_296 / Double(dy))
  let offset = Int64(row &<< 8 &+ 128) &- Int64(top.y)
  return (Int64(top.x) &<< 24 &+ (step &* offset) >> 8, step)
}

enum FillScan {
  /// Crossings that are kept at once; a shape with more is drawn in pieces of fewer rows.
  static let maxCrossings = 1 << 20

  /// Paints the pixels inside the rings in rows `y0..<y1` of the band.
  @inline(__always)
  static func fill<Painter: SpanPainter>(
    _ target: FillTarget, _ rings: FillRings, y0: Int, y1: Int, _ painter: Painter
  ) {
    let height = y1 &- y0
    assert(height > 0 && y0 >= target.band.y0 && y1 <= target.band.y1, "rows of another band")
    assert(rings.isOrdered, "rings follow one another")
    let edges = target.scratch.edges.overwrite(rings.pointCount)
    let counts = target.scratch.rowStarts.overwrite(height &+ 1)
    for row in 0...height { counts[row] = 0 }
    let edgeCount = collect(rings, ScanWindow(target.clip, y0: y0, y1: y1), edges, counts)
    if edgeCount == 0 { return }
    let total = bucketStarts(counts, height)
    Tally.add(.fillEdges, edgeCount)
    Tally.add(.fillCrossings, total)
    if total > maxCrossings && height > 1 {
      let middle = y0 &+ height / 2
      piece(target, rings, y0: y0, y1: middle, painter)
      piece(target, rings, y0: middle, y1: y1, painter)
      return
    }
    let crossings = target.scratch.crossings.overwrite(total)
    for index in 0..<edgeCount { put(edges[index], Int64(target.clip.maxX), crossings, counts) }
    // Each row's counter now stands at the end of its bucket.
    var start = 0
    for row in 0..<height {
      let end = Int(counts[row])
      assert(end >= start && end <= total, "a bucket that is not full")
      if end > start {
        let y = y0 &+ row
        let bounds = target.clip.bounds(y)
        paint(
          crossings + start, end &- start, bounds.lower, bounds.upper, target.band.row(y), y, painter)
      }
      start = end
    }
  }

  @inline(never)
  private static func piece<Painter: SpanPainter>(
    _ target: FillTarget, _ rings: FillRings, y0: Int, y1: Int, _ painter: Painter
  ) {
    fill(target, rings, y0: y0, y1: y1, painter)
  }

  /// Writes the edges that cross the window's rows and the differences of the rows' crossing counts; returns
  /// how many edges.
  static func collect(
    _ shape: FillRings, _ window: ScanWindow, _ edges: UnsafeMutablePointer<ScanEdge>,
    _ counts: UnsafeMutablePointer<Int32>
  ) -> Int {
    var edgeCount = 0
    shape.eachRun(window.reach) { previous, range in
      var a = shape.points[previous]
      var rowA = firstRow(a.y)
      for index in range {
        let b = shape.points[index]
        let rowB = firstRow(b.y)
        if rowA != rowB, let edge = window.edge(a, b, rowA, rowB) {
          assert(edgeCount < shape.pointCount, "more edges than points")
          assert(
            edge.row >= 0 && edge.row < edge.end && Int(edge.end) <= window.y1 - window.y0, "a row too far")
          edges[edgeCount] = edge
          counts[Int(edge.row)] &+= 1
          counts[Int(edge.end)] &-= 1
          edgeCount &+= 1
        }
        a = b
        rowA = rowB
      }
    }
    return edgeCount
  }

  /// Turns differences of counts into the starts of the rows' buckets; returns how many crossings there are.
  @inline(__always)
  private static func bucketStarts(_ counts: UnsafeMutablePointer<Int32>, _ height: Int) -> Int {
    var active: Int32 = 0
    var total = 0
    for row in 0..<height {
      active &+= counts[row]
      counts[row] = Int32(truncatingIfNeeded: total)
      total &+= Int(active)
    }
    assert(active + counts[height] == 0, "an edge that does not end")
    return total
  }

  /// Puts the edge's crossings into its rows' buckets.
  @inline(__always)
  private static func put(
    _ edge: ScanEdge, _ maxX: Int64, _ crossings: UnsafeMutablePointer<Int32>,
    _ counts: UnsafeMutablePointer<Int32>
  ) {
    var x = edge.x
    for row in Int(edge.row)..<Int(edge.end) {
      // ceil(x - 1/2), kept inside the clip: what lies left of it starts at its first pixel.
      let pixel = min(max((x &+ 0x7FFF_FFFF) >> 32, 0), maxX)
      let slot = counts[row]
      counts[row] = slot &+ 1
      assert(slot >= 0, "a crossing before the first")
      crossings[Int(slot)] = Int32(truncatingIfNeeded: pixel) &<< 1 | edge.winding
      x &+= edge.step
    }
  }

  @inline(__always)
  private static func paint<Painter: SpanPainter>(
    _ keys: UnsafeMutablePointer<Int32>, _ count: Int, _ lower: Int, _ upper: Int,
    _ row: UnsafeMutablePointer<UInt32>, _ y: Int,
    _ painter: Painter
  ) {
    if count == 2 && (keys[0] ^ keys[1]) & 1 == 1 {
      let a = Int(min(keys[0], keys[1]) >> 1)
      let b = Int(max(keys[0], keys[1]) >> 1)
      let x0 = max(a, lower)
      let x1 = min(b, upper)
      if x0 < x1 { painter.span(row, x: x0, y: y, count: x1 &- x0) }
      return
    }
    assert(count > 0, "a row without crossings is not painted")
    sort(keys, count)
    var winding: Int32 = 0
    var start = 0
    for index in 0..<count {
      let x = Int(keys[index] >> 1)
      if winding == 0 { start = x }
      winding &+= (keys[index] & 1) &* 2 &- 1
      if winding == 0 {
        let x0 = max(start, lower)
        let x1 = min(x, upper)
        if x0 < x1 { painter.span(row, x: x0, y: y, count: x1 &- x0) }
      }
    }
    // Edges right of the clip are left out: a span that they would end runs to the clip's end.
    if winding != 0 && max(start, lower) < upper {
      let x0 = max(start, lower)
      painter.span(row, x: x0, y: y, count: upper &- x0)
    }
  }

  @inline(__always)
  private static func sort(_ keys: UnsafeMutablePointer<Int32>, _ count: Int) {
    if count > 48 { sortFar(keys, count) }
    sort(keys, count, gap: 1)
  }

  private static let gaps = [701, 301, 132, 57, 23, 10, 4]

  /// Brings keys near to where they belong, without memory of its own as the standard library's sort has
  /// (Shell; gaps after Ciura, 2001, and past those by 2.25).
  @inline(never)
  private static func sortFar(_ keys: UnsafeMutablePointer<Int32>, _ count: Int) {
    var gap = 701
    while gap < count / 3 { gap = gap * 9 / 4 }
    while gap > 701 {
      sort(keys, count, gap: gap)
      gap = gap * 4 / 9
    }
    for gap in FillScan.gaps where gap < count { sort(keys, count, gap: gap) }
  }

  /// Sorts, by insertion, the keys that lie `gap` apart.
  @inline(__always)
  private static func sort(_ keys: UnsafeMutablePointer<Int32>, _ count: Int, gap: Int) {
    var index = gap
    while index < count {
      let key = keys[index]
      var place = index
      while place >= gap && keys[place &- gap] > key {
        keys[place] = keys[place &- gap]
        place &-= gap
      }
      keys[place] = key
      index &+= 1
    }
  }
}
