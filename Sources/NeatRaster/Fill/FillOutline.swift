// The hairlines that smooth a fill's hard edge: GL lines of one pixel, as MapLibre draws them. An edge
// touches one pixel per column (per row where it is steep): the one whose centre is nearest to it; its alpha
// is 1 - smoothstep(0, 1, distance of the centre to the edge), the distance being that down the column (along
// the row), since what GL interpolates over such a line does not change across it. In a tilted view the place
// on the edge that a centre is measured from is not the one beside it: see `SkewedEdge`.

import NeatBase

enum FillOutline {
  /// Draws the edges of the rings into rows `y0..<y1` of the band.
  /// - Parameter depth: of a tilted view.
  static func draw(
    _ band: Band, _ clip: RowClip, _ rings: FillRings, y0: Int, y1: Int, _ depth: ScreenDepth?,
    _ color: UInt32
  ) {
    let ink = PixelInk(color)
    draw(band, clip, rings, y0: y0, y1: y1, depth) { _, _ in ink }
  }

  /// The same with a colour for each pixel (column, row).
  @inline(__always)
  static func draw(
    _ band: Band, _ clip: RowClip, _ rings: FillRings, y0: Int, y1: Int, _ depth: ScreenDepth?,
    _ color: (Int, Int) -> PixelInk
  ) {
    // An edge goes at most 1/32 pixel from where it is by being rounded, and half a pixel by being drawn.
    let reach = FillReach(clip, y0: y0, y1: y1, isOpenLeft: false)
    let coverages = coverages
    rings.eachRun(reach) { previous, range in
      var previous = coarse(rings.points[previous])
      for index in range {
        let a = previous
        let b = coarse(rings.points[index])
        previous = b
        if max(a.y, b.y) < reach.top || min(a.y, b.y) > reach.bottom || max(a.x, b.x) < reach.left
          || min(a.x, b.x) > reach.right
        {
          continue
        }
        let dx = abs(b.x &- a.x)
        let dy = abs(b.y &- a.y)
        if let depth, let edge = SkewedEdge(a, b, depth) {
          draw(band, clip, edge, y0, y1, color)
        } else if dx > dy {
          flat(band, clip, a.x < b.x ? a : b, a.x < b.x ? b : a, y0, y1, coverages, color)
        } else if dy > 0 {
          steep(band, clip, a.y < b.y ? a : b, a.y < b.y ? b : a, y0, y1, coverages, color)
        }
      }
    }
  }

  /// Rounded to 1/16 pixel: four bits are what the reference's rasterizer has for lines, and they decide which of two
  /// columns (rows) an edge belongs to that runs along their border.
  @inline(__always) private static func coarse(_ point: SIMD2<Int32>) -> SIMD2<Int32> {
    (point &+ 8) & SIMD2(repeating: ~15)
  }

  /// 255 · (1 - smoothstep(0, 1, distance)) by 1/1024 pixel, from half a pixel before the edge to half a pixel
  /// after it; in all lanes.
  private nonisolated(unsafe) static let coverages: UnsafeBufferPointer<SIMD4<UInt16>> = {
    let steps = UnsafeMutableBufferPointer<SIMD4<UInt16>>.allocate(capacity: 1024)
    for step in steps.indices {
      let d = (Float(step) + 0.5) / 1024 - 0.5
      let coverage = UInt8(saturating: (255 - d * d * (765 - 510 * abs(d))).rounded())
      steps.initializeElement(at: step, to: SIMD4(repeating: UInt16(truncatingIfNeeded: coverage)))
    }
    return UnsafeBufferPointer(steps)
  }()

  /// Of a place in 1/65536 pixel.
  @inline(__always) private static func coverage(
    _ place: Int64, _ coverages: UnsafeBufferPointer<SIMD4<UInt16>>
  ) -> SIMD4<UInt16> {
    coverages[Int(truncatingIfNeeded: (place &>> 6) & 1023)]
  }

  /// In 1/65536.
  @inline(__always) private static func slope(_ minor: Int32, _ major: Int32) -> Int64 {
    Int64(saturating: Double(minor) / Double(major) * 65536)
  }

  /// |dx| > |dy|, a left of b: one pixel a column.
  @inline(__always)
  private static func flat(
    _ band: Band, _ clip: RowClip, _ a: SIMD2<Int32>, _ b: SIMD2<Int32>, _ y0: Int, _ y1: Int,
    _ coverages: UnsafeBufferPointer<SIMD4<UInt16>>, _ color: (Int, Int) -> PixelInk
  ) {
    let first = max(firstColumn(a.x), clip.minX)
    let end = min(firstColumn(b.x), clip.maxX)
    if first >= end { return }
    let slope = slope(b.y &- a.y, b.x &- a.x)
    var y = Int64(a.y) &<< 8 &+ (slope &* (Int64(first &<< 8 &+ 128) &- Int64(a.x))) >> 8
    let rows = ends(y, slope, end &- first)
    // What is within at both ends is within in between.
    let isInside = clip.isBox && rows.low >= y0 && rows.high < y1
    for x in first..<end {
      let row = Int(y >> 16)
      if isInside || (row >= y0 && row < y1 && isWithin(clip, x, row)) {
        let pixel = band.row(row) + x
        Tally.add(.outline, 1)
        assert(x >= 0 && x < band.width, "a column of no pixel")
        pixel.pointee = color(x, row).over(pixel.pointee, coverage(y, coverages))
      }
      y &+= slope
    }
  }

  /// |dy| >= |dx|, a above b: one pixel a row.
  @inline(__always)
  private static func steep(
    _ band: Band, _ clip: RowClip, _ a: SIMD2<Int32>, _ b: SIMD2<Int32>, _ y0: Int, _ y1: Int,
    _ coverages: UnsafeBufferPointer<SIMD4<UInt16>>, _ color: (Int, Int) -> PixelInk
  ) {
    let first = max(firstRow(a.y), y0)
    let end = min(firstRow(b.y), y1)
    if first >= end { return }
    let slope = slope(b.x &- a.x, b.y &- a.y)
    // Halfway between two centres it is the left one.
    var x = Int64(a.x) &<< 8 &+ (slope &* (Int64(first &<< 8 &+ 128) &- Int64(a.y))) >> 8 &- 1
    let columns = ends(x, slope, end &- first)
    let isInside = clip.isBox && columns.low >= clip.minX && columns.high < clip.maxX
    var pixels = band.row(first)
    for row in first..<end {
      let column = Int(x >> 16)
      if isInside || isWithin(clip, column, row) {
        assert(column >= 0 && column < band.width, "a column of no pixel")
        Tally.add(.outline, 1)
        pixels[column] = color(column, row).over(pixels[column], coverage(x, coverages))
      }
      pixels += band.stride
      x &+= slope
    }
  }

  /// An edge that is measured from elsewhere: a pixel a column, or a row.
  private static func draw(
    _ band: Band, _ clip: RowClip, _ edge: SkewedEdge, _ y0: Int, _ y1: Int, _ color: (Int, Int) -> PixelInk
  ) {
    let isFlat = edge.isFlat
    let limits = isFlat ? (clip.minX, clip.maxX) : (y0, y1)
    let pixels = edge.pixels(from: limits.0, to: limits.1)
    for major in pixels {
      let (minor, coverage) = edge.pixel(major)
      let (x, y) = isFlat ? (major, minor) : (minor, major)
      guard coverage > 0, y >= y0, y < y1, isWithin(clip, x, y) else { continue }
      let pixel = band.row(y) + x
      pixel.pointee = color(x, y).over(pixel.pointee, SIMD4(repeating: UInt16(truncatingIfNeeded: coverage)))
    }
  }

  /// The pixels that `count` steps of `slope` begin and end at.
  @inline(__always)
  private static func ends(_ place: Int64, _ slope: Int64, _ count: Int) -> (low: Int, high: Int) {
    let last = place &+ slope &* Int64(count &- 1)
    return (Int(min(place, last) >> 16), Int(max(place, last) >> 16))
  }

  @inline(__always) private static func isWithin(_ clip: RowClip, _ column: Int, _ row: Int) -> Bool {
    let bounds = clip.bounds(row)
    return column >= bounds.lower && column < bounds.upper
  }
}
