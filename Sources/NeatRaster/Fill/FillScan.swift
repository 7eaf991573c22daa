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
    Blend.store(row + x, count, bits)
  }
}

struct BlendPainter: SpanPainter {
  let bits: UInt32
  @inline(__always) func span(_ row: UnsafeMutablePointer<UInt32>, x: Int, y: Int, count: Int) {
    Blend.blend(row + x, count, bits)
  }
}

enum FillScan {
  /// Crossings that are kept at once; a shape with more is drawn in pieces of fewer rows.
  static let maxCrossings = 1 << 20

  /// Rings `rings` of the points (1/256 pixel), rows `y0..<y1` of the band.
  @inline(__always)
  static func fill<Painter: SpanPainter>(
    _ band: Band, _ clip: RowClip, _ points: UnsafePointer<SIMD2<Int32>>, _ ringStarts: UnsafePointer<Int32>,
    _ rings: Range<Int>,
    y0: Int, y1: Int, _ scratch: RasterScratch, _ painter: Painter
  ) {
    let height = y1 &- y0
    let pointCount = Int(ringStarts[rings.upperBound] &- ringStarts[rings.lowerBound])
    let edges = scratch.edges.reserve(pointCount)
    let counts = scratch.rowStarts.reserve(height &+ 1)
    for row in 0...height { counts[row] = 0 }
    let edgeCount = collect(points, ringStarts, rings, y0, y1, clip.minX, clip.maxX, edges, counts)
    if edgeCount == 0 { return }

    // Differences to counts to bucket ends.
    var active: Int32 = 0
    var total = 0
    for row in 0..<height {
      active &+= counts[row]
      counts[row] = Int32(truncatingIfNeeded: total)
      total &+= Int(active)
    }
    if total > maxCrossings && height > 1 {
      let middle = y0 &+ height / 2
      pieces(band, clip, points, ringStarts, rings, y0: y0, y1: middle, scratch, painter)
      pieces(band, clip, points, ringStarts, rings, y0: middle, y1: y1, scratch, painter)
      return
    }
    let crossings = scratch.crossings.reserve(total)
    let maxX = Int64(clip.maxX)
    for index in 0..<edgeCount {
      let edge = edges[index]
      var x = edge.x
      for row in Int(edge.row)..<Int(edge.end) {
        // ceil(x - 1/2), kept inside the clip: what lies left of it starts at its first pixel.
        let pixel = min(max((x &+ 0x7FFF_FFFF) >> 32, 0), maxX)
        let slot = counts[row]
        counts[row] = slot &+ 1
        crossings[Int(slot)] = Int32(truncatingIfNeeded: pixel) &<< 1 | edge.winding
        x &+= edge.step
      }
    }
    // Each row's counter now stands at the end of its bucket.
    var start = 0
    for row in 0..<height {
      let end = Int(counts[row])
      if end > start {
        let y = y0 &+ row
        let bounds = clip.bounds(y)
        paint(crossings + start, end &- start, bounds.lower, bounds.upper, band.row(y), y, painter)
      }
      start = end
    }
  }

  @inline(never)
  private static func pieces<Painter: SpanPainter>(
    _ band: Band, _ clip: RowClip, _ points: UnsafePointer<SIMD2<Int32>>, _ ringStarts: UnsafePointer<Int32>,
    _ rings: Range<Int>,
    y0: Int, y1: Int, _ scratch: RasterScratch, _ painter: Painter
  ) {
    fill(band, clip, points, ringStarts, rings, y0: y0, y1: y1, scratch, painter)
  }

  /// Writes the edges that cross rows `y0..<y1` and the differences of the rows' crossing counts; returns how
  /// many edges.
  static func collect(
    _ points: UnsafePointer<SIMD2<Int32>>, _ ringStarts: UnsafePointer<Int32>, _ rings: Range<Int>, _ y0: Int,
    _ y1: Int, _ minX: Int,
    _ maxX: Int,
    _ edges: UnsafeMutablePointer<ScanEdge>, _ counts: UnsafeMutablePointer<Int32>
  ) -> Int {
    var edgeCount = 0
    let left = Int32(truncatingIfNeeded: minX &<< 8)
    let right = Int32(truncatingIfNeeded: maxX &<< 8)
    for ring in rings {
      let first = Int(ringStarts[ring])
      let end = Int(ringStarts[ring &+ 1])
      if end &- first < 3 { continue }
      var previous = points[end &- 1]
      var previousRow = firstCentre(previous.y)
      for index in first..<end {
        let a = previous
        let b = points[index]
        let rowA = previousRow
        let rowB = firstCentre(b.y)
        previous = b
        previousRow = rowB
        if rowA == rowB { continue }
        let isDown = rowA < rowB
        let row = max(isDown ? rowA : rowB, y0)
        let last = min(isDown ? rowB : rowA, y1)
        if row >= last || min(a.x, b.x) >= right { continue }
        let top = isDown ? a : b
        var x = Int64(left) &<< 24
        var step: Int64 = 0
        if max(a.x, b.x) > left {
          let dx = isDown ? b.x &- a.x : a.x &- b.x
          let dy = isDown ? b.y &- a.y : a.y &- b.y
          // |dx| < 2^30 and 0 < offset <= dy: step · offset < 2^62.
          step = dx == 0 ? 0 : Int64(saturating: Double(dx) * 4_294_967_296 / Double(dy))
          let offset = Int64(row &<< 8 &+ 128) &- Int64(top.y)
          x = Int64(top.x) &<< 24 &+ (step &* offset) >> 8
        }
        edges[edgeCount] = ScanEdge(
          x: x, step: step, row: Int32(truncatingIfNeeded: row &- y0),
          end: Int32(truncatingIfNeeded: last &- y0), winding: isDown ? 1 : 0)
        counts[row &- y0] &+= 1
        counts[last &- y0] &-= 1
        edgeCount &+= 1
      }
    }
    return edgeCount
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
    if count > 48 {
      var row = UnsafeMutableBufferPointer(start: keys, count: count)
      row.sort()
      return
    }
    var index = 1
    while index < count {
      let key = keys[index]
      var place = index
      while place > 0 && keys[place &- 1] > key {
        keys[place] = keys[place &- 1]
        place &-= 1
      }
      keys[place] = key
      index &+= 1
    }
  }
}
