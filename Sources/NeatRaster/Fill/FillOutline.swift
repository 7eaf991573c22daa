// The hairlines that smooth a fill's hard edge: GL lines of one pixel, as MapLibre draws them. An edge
// touches one pixel per column (per row where it is steep): the one whose centre is nearest to it; its alpha
// is 1 - smoothstep(0, 1, distance of the centre to the edge), the distance being that down the column (along
// the row), since what GL interpolates over such a line does not change across it. In a tilted view the place
// on the edge that a centre is measured from is not the one beside it: see `SkewedEdge`.

import NeatBase

enum FillOutline {
  /// Draws the edges of the rings into rows `y0..<y1` of the band.
  /// - Parameters:
  ///   - depth: of a tilted view.
  ///   - isWhole: all pixels that they touch are the clip's (`FillItem.isWhole`).
  ///   - coverages: `FillOutline.coverages`, which one that draws many shapes asks for once.
  @inline(__always)
  static func draw(
    _ band: Band, _ clip: RowClip, _ rings: FillRings, y0: Int, y1: Int, _ depth: ScreenDepth?,
    isWhole: Bool, _ color: UInt32, _ coverages: Coverages
  ) {
    let ink = PixelInk(color)
    if color >> 24 == 255 {
      draw(band, clip, rings, y0: y0, y1: y1, depth, isWhole: isWhole, coverages) { ink.overOpaquely($2, $3) }
    } else {
      draw(band, clip, rings, y0: y0, y1: y1, depth, isWhole: isWhole, coverages) { ink.over($2, $3) }
    }
  }

  /// The same with what `blend` makes of each pixel: of its column and row, its colour, and the coverage.
  @inline(__always)
  static func draw(
    _ band: Band, _ clip: RowClip, _ rings: FillRings, y0: Int, y1: Int, _ depth: ScreenDepth?,
    isWhole: Bool, _ coverages: Coverages, _ blend: (Int, Int, UInt32, SIMD4<UInt16>) -> UInt32
  ) {
    if isWhole && depth == nil {
      drawWhole(band, rings, coverages, blend)
      return
    }
    // An edge goes at most 1/32 pixel from where it is by being rounded, and half a pixel by being drawn.
    let reach = FillReach(clip, y0: y0, y1: y1, isOpenLeft: false)
    let limits = HairlineLimits(clip, y0: y0, y1: y1)
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
        if let depth, let edge = SkewedEdge(a, b, depth) {
          draw(band, clip, edge, y0, y1, blend)
          continue
        }
        let edge = Hairline(a, b, band, limits)
        if edge.isInside {
          draw(band, edge, coverages, blend)
        } else {
          drawClipped(band, clip, a, b, limits, coverages, blend)
        }
      }
    }
  }

  /// All pixels of all edges.
  @inline(__always)
  private static func drawWhole(
    _ band: Band, _ rings: FillRings, _ coverages: Coverages,
    _ blend: (Int, Int, UInt32, SIMD4<UInt16>) -> UInt32
  ) {
    for ring in rings.rings {
      let first = Int(rings.starts[ring])
      let end = Int(rings.starts[ring &+ 1])
      if end &- first < 2 { continue }
      var a = coarse(rings.points[rings.isOpen ? first : end &- 1])
      for index in first..<end {
        let b = coarse(rings.points[index])
        draw(band, Hairline(a, b, band), coverages, blend)
        a = b
      }
    }
  }

  /// Rounded to 1/16 pixel: four bits are what the reference's rasterizer has for lines, and they decide
  /// which of two columns (rows) an edge belongs to that runs along their border.
  @inline(__always) private static func coarse(_ point: SIMD2<Int32>) -> SIMD2<Int32> {
    (point &+ 8) & SIMD2(repeating: ~15)
  }

  /// A coverage in all lanes, by 1/1024 pixel.
  typealias Coverages = UnsafePointer<SIMD4<UInt16>>

  /// 255 · (1 - smoothstep(0, 1, distance)), from half a pixel before the edge to half a pixel after it.
  nonisolated(unsafe) static let coverages: Coverages = {
    let steps = UnsafeMutablePointer<SIMD4<UInt16>>.allocate(capacity: 1024)
    for step in 0..<1024 {
      let d = (Float(step) + 0.5) / 1024 - 0.5
      let coverage = UInt8(saturating: (255 - d * d * (765 - 510 * abs(d))).rounded())
      (steps + step).initialize(to: SIMD4(repeating: UInt16(coverage)))
    }
    return Coverages(steps)
  }()

  /// Of a place in 1/65536 pixel.
  @inline(__always)
  private static func coverage(_ place: Int64, _ coverages: Coverages) -> SIMD4<UInt16> {
    coverages[Int(truncatingIfNeeded: (place &>> 6) & 1023)]
  }

  /// All pixels of an edge.
  @inline(__always)
  private static func draw(
    _ band: Band, _ edge: Hairline, _ coverages: Coverages,
    _ blend: (Int, Int, UInt32, SIMD4<UInt16>) -> UInt32
  ) {
    guard edge.first < edge.end else { return }
    let steps = edge.steps(band)
    var (pixels, major, minor) = (steps.start, edge.first, edge.minor)
    repeat {
      let place = Int(minor >> 16)
      let (x, y) = (edge.x(major, place), edge.y(major, place))
      assert(x >= band.x0 && x < band.width, "a column of no pixel")
      assert(y >= band.y0 && y < band.y1, "a row of another band")
      Tally.add(.outline, 1)
      let pixel = pixels + place &* steps.minor
      pixel.pointee = blend(x, y, pixel.pointee, coverage(minor, coverages))
      pixels += steps.major
      minor &+= edge.slope
      major &+= 1
    } while major < edge.end
  }

  /// Those that may be touched. (The edge is made once more: one that is handed on would be written to memory
  /// wherever it is made.)
  @inline(never)
  private static func drawClipped(
    _ band: Band, _ clip: RowClip, _ a: SIMD2<Int32>, _ b: SIMD2<Int32>, _ limits: HairlineLimits,
    _ coverages: Coverages, _ blend: (Int, Int, UInt32, SIMD4<UInt16>) -> UInt32
  ) {
    let edge = Hairline(a, b, band, limits)
    var minor = edge.minor
    var major = edge.first
    while major < edge.end {
      let place = Int(minor >> 16)
      let (x, y) = (edge.x(major, place), edge.y(major, place))
      if y >= limits.y0, y < limits.y1, isWithin(clip, x, y) {
        let pixel = band.row(y) + x
        Tally.add(.outline, 1)
        pixel.pointee = blend(x, y, pixel.pointee, coverage(minor, coverages))
      }
      minor &+= edge.slope
      major &+= 1
    }
  }

  /// An edge that is measured from elsewhere: a pixel a column, or a row.
  private static func draw(
    _ band: Band, _ clip: RowClip, _ edge: SkewedEdge, _ y0: Int, _ y1: Int,
    _ blend: (Int, Int, UInt32, SIMD4<UInt16>) -> UInt32
  ) {
    let isFlat = edge.isFlat
    let limits = isFlat ? (clip.minX, clip.maxX) : (y0, y1)
    let pixels = edge.pixels(from: limits.0, to: limits.1)
    for major in pixels {
      let (minor, coverage) = edge.pixel(major)
      let (x, y) = isFlat ? (major, minor) : (minor, major)
      guard coverage > 0, y >= y0, y < y1, isWithin(clip, x, y) else { continue }
      let pixel = band.row(y) + x
      pixel.pointee = blend(x, y, pixel.pointee, SIMD4(repeating: UInt16(truncatingIfNeeded: coverage)))
    }
  }

  @inline(__always) private static func isWithin(_ clip: RowClip, _ column: Int, _ row: Int) -> Bool {
    let bounds = clip.bounds(row)
    return column >= bounds.lower && column < bounds.upper
  }
}
