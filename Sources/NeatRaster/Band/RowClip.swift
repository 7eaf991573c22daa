// For each row of a band, the pixels whose centres lie in a convex shape. An edge is cut against the row's
// centre line from its upper end, whichever way the shape runs, so two shapes that share an edge share the
// cut: every pixel belongs to exactly one of them.

import NeatBase

/// One range of pixels a row. Cheap to copy; the memory is shared and immutable.
package struct RowClip: Sendable {
  package let y0: Int
  package let y1: Int
  /// Whether no row has a pixel.
  package let isEmpty: Bool
  /// Hull of the ranges: pixels `minX..<maxX`, rows `minY..<maxY`.
  package let minX, maxX, minY, maxY: Int
  /// Whether the hull has no pixel besides those of the ranges, as that of a tile seen from straight above.
  let isBox: Bool
  /// `lower..<upper` of row `y0 + index`.
  nonisolated(unsafe) let ranges: UnsafeMutablePointer<SIMD2<Int32>>
  package let memory: Memory
  /// Of the clip that this is cut from.
  private let uncut: Memory?

  /// The memory of a clip, which serves again for another one once that is not used any more.
  package final class Memory: Sendable {
    fileprivate nonisolated(unsafe) let ranges: UnsafeMutablePointer<SIMD2<Int32>>
    fileprivate let capacity: Int

    fileprivate init(capacity: Int) {
      self.capacity = capacity
      ranges = .allocate(capacity: capacity)
    }

    deinit { ranges.deallocate() }

    package var byteCount: Int { capacity * MemoryLayout<SIMD2<Int32>>.stride }
  }

  /// `fill` leaves a lower bound above the upper one where the row is empty.
  private init(
    _ band: Band, reusing known: Memory? = nil, cutFrom uncut: Memory? = nil,
    _ fill: (UnsafeMutablePointer<SIMD2<Int32>>, Int) -> Void
  ) {
    self.uncut = uncut
    let count = max(0, band.y1 - band.y0)
    // Three rows more, empty, so that rows can be read four at a time.
    if let known, known.capacity >= count + 3 { memory = known } else { memory = Memory(capacity: count + 3) }
    ranges = memory.ranges
    ranges.initialize(repeating: SIMD2(Int32.max, Int32.min), count: count)
    (ranges + count).initialize(repeating: .zero, count: 3)
    (y0, y1) = (band.y0, band.y0 + count)
    fill(ranges, count)
    var (left, right, top, bottom) = (Int.max, 0, Int.max, 0)
    var pixels = 0
    for row in 0..<count {
      let low = max(0, Int(ranges[row].x))
      let high = min(band.width, Int(ranges[row].y))
      if low >= high {
        ranges[row] = .zero
        continue
      }
      ranges[row] = SIMD2(Int32(low), Int32(high))
      pixels += high - low
      left = min(left, low)
      right = max(right, high)
      top = min(top, band.y0 + row)
      bottom = band.y0 + row + 1
    }
    assert(right <= band.width, "a clip wider than its band")
    isEmpty = right == 0
    (minX, maxX) = right == 0 ? (0, 0) : (left, right)
    (minY, maxY) = right == 0 ? (band.y0, band.y0) : (top, bottom)
    isBox = right > 0 && pixels == (right - left) * (bottom - top)
  }

  /// Every pixel of the band.
  package static func full(_ band: Band) -> RowClip {
    RowClip(band) { ranges, count in
      for row in 0..<count { ranges[row] = SIMD2(0, Int32(band.width)) }
    }
  }

  /// Pixel columns `x0..<x1` of rows `y0..<y1`.
  package static func rect(x0: Int, y0: Int, x1: Int, y1: Int, _ band: Band) -> RowClip {
    RowClip(band) { ranges, count in
      for row in 0..<count where band.y0 + row >= y0 && band.y0 + row < y1 {
        ranges[row] = SIMD2(Int32(clamping: max(x0, 0)), Int32(clamping: min(x1, band.width)))
      }
    }
  }

  /// Pixels whose centres lie in the convex quad (pixels, either direction).
  package static func quad(
    _ a: SIMD2<Float>, _ b: SIMD2<Float>, _ c: SIMD2<Float>, _ d: SIMD2<Float>, _ band: Band
  ) -> RowClip {
    convex([SIMD2<Double>(a), SIMD2<Double>(b), SIMD2<Double>(c), SIMD2<Double>(d)], band)
  }

  /// The square of a tile of `extent` units. Neighbours fit exactly where their projections agree on the
  /// shared corners to 1/512 pixel.
  /// - Parameter memory: of a clip that nobody uses any more.
  package static func tile(
    _ projection: Projection, extent: Double, _ band: Band, reusing memory: Memory? = nil
  ) -> RowClip {
    let a = projection.homogeneous(0, 0), b = projection.homogeneous(extent, 0)
    let c = projection.homogeneous(extent, extent), d = projection.homogeneous(0, extent)
    guard projection.isAffine else {
      return convex(HomogeneousClip.ring([a, b, c, d]).map { SIMD2($0.x / $0.z, $0.y / $0.z) }, band)
    }
    return withUnsafeTemporaryAllocation(of: SIMD2<Double>.self, capacity: 4) { corners in
      corners.initialize(repeating: .zero)
      (corners[0], corners[1]) = (SIMD2(a.x, a.y), SIMD2(b.x, b.y))
      (corners[2], corners[3]) = (SIMD2(c.x, c.y), SIMD2(d.x, d.y))
      return convex(UnsafeBufferPointer(corners), band, reusing: memory)
    }
  }

  /// Pixels whose centres lie in the convex polygon (pixels, either direction). Corners are rounded to 1/256
  /// pixel, and a row's centre that an edge runs along belongs to what is above it, as with fills.
  package static func convex(_ corners: [SIMD2<Double>], _ band: Band) -> RowClip {
    corners.withUnsafeBufferPointer { convex($0, band, reusing: nil) }
  }

  private static func convex(
    _ corners: UnsafeBufferPointer<SIMD2<Double>>, _ band: Band, reusing memory: Memory?
  ) -> RowClip {
    return RowClip(band, reusing: memory) { ranges, count in
      guard corners.count >= 3, corners.allSatisfy({ $0.x.isFinite && $0.y.isFinite }) else { return }
      for index in corners.indices {
        let (a, b) = (corners[index].snapped, corners[(index + 1) % corners.count].snapped)
        if a.y != b.y { edge(a.y < b.y ? a : b, a.y < b.y ? b : a, band, ranges, count) }
      }
    }
  }

  private static func edge(
    _ top: SIMD2<Double>, _ bottom: SIMD2<Double>, _ band: Band, _ ranges: UnsafeMutablePointer<SIMD2<Int32>>,
    _ count: Int
  ) {
    let first = max((top.y + 0.5).rounded(.down), Double(band.y0))
    let end = min((bottom.y + 0.5).rounded(.down), Double(band.y0 + count))
    guard first < end else { return }
    let slope = (bottom.x - top.x) / (bottom.y - top.y)
    for y in Int(bounded: first)..<Int(bounded: end) {
      let x = (top.x + (Double(y) + 0.5 - top.y) * slope - 0.5).rounded(.up)
      assert(y - band.y0 >= 0 && y - band.y0 < count, "a row of another band")
      let pixel = Int32(saturating: min(max(x, 0), Double(band.width)))
      let old = ranges[y - band.y0]
      ranges[y - band.y0] = SIMD2(min(old.x, pixel), max(old.y, pixel))
    }
  }

  /// The pixels of it that ground is drawn on.
  package func cut(_ ground: GroundEdge, _ band: Band) -> RowClip {
    assert(band.y0 == y0 && band.y1 == y1, "a clip of another band")
    return RowClip(band, cutFrom: uncut ?? memory) { cut, count in
      for row in 0..<count {
        let columns = ground.columns(band.y0 + row, width: band.width)
        let own = ranges[row]
        cut[row] = SIMD2(max(own.x, Int32(columns.lowerBound)), min(own.y, Int32(columns.upperBound)))
      }
    }
  }

  /// The pixels of row `y` of the frame; empty outside the band.
  package func range(_ y: Int) -> Range<Int> {
    guard y >= y0 && y < y1 else { return 0..<0 }
    return Int(ranges[y - y0].x)..<Int(ranges[y - y0].y)
  }

  /// The same without a check: `y` must be a row of the band.
  @inline(__always) package func bounds(_ y: Int) -> (lower: Int, upper: Int) {
    assert(y >= y0 && y < y1, "a row of another band")
    let range = ranges[y &- y0]
    return (Int(range.x), Int(range.y))
  }

  /// Where a walk along row `y` begins, at its first pixel or before: the same wherever the clip was cut, so that
  /// numbers are rounded alike.
  @inline(__always) func walkStart(_ y: Int) -> Int {
    assert(y >= y0 && y < y1, "a row of another band")
    return Int((uncut?.ranges ?? ranges)[y &- y0].x)
  }

  /// The bounds of rows `y..<y + 4`; `y` must be a row of the band. Rows past its end are empty.
  @inline(__always) func bounds4(_ y: Int) -> (lower: SIMD4<Float>, upper: SIMD4<Float>) {
    assert(y >= y0 && y < y1, "a row of another band")
    let pairs = UnsafeRawPointer(ranges + (y &- y0)).loadUnaligned(as: SIMD8<Int32>.self)
    return (SIMD4<Float>(pairs.evenHalf), SIMD4<Float>(pairs.oddHalf))
  }
}
