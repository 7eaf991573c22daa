// Runs of a polygon's edges with their bounds. A band of a large polygon touches few of its edges, and each band
// would go through all of them: of a coast with 10,000 points, eight times over. Runs of 16 edges are passed over as a
// whole. Shapes that are small or lie in few rows have none: there the bounds of the whole shape serve.

import NeatBase

/// Edges of one ring: each ends at a point of `first..<end` and begins at the point before it, the first one at
/// `previous`.
struct FillRun: BitwiseCopyable {
  var previous, first, end: Int32
  /// Bounds in 1/256 pixel.
  var minX, minY, maxX, maxY: Int32

  static let edges = 16
  /// Points below which a shape has no runs, and rows (1/256 pixel).
  static let leastPoints = 32
  static let leastHeight: Int32 = 24 << 8
}

/// What of the frame edges are looked at in, in 1/256 pixel, both ends included.
struct FillReach {
  let left, top, right, bottom: Int32

  /// A pixel more than the rows and columns on each side.
  /// - Parameter isOpenLeft: what lies left of them counts too.
  init(_ clip: RowClip, y0: Int, y1: Int, isOpenLeft: Bool) {
    func fixed(_ pixel: Int) -> Int32 { Int32(truncatingIfNeeded: pixel &<< 8) }
    left = isOpenLeft ? .min : fixed(clip.minX &- 1)
    right = fixed(clip.maxX &+ 1)
    top = fixed(y0 &- 1)
    bottom = fixed(y1 &+ 1)
  }

  @inline(__always) func misses(_ run: FillRun) -> Bool {
    run.maxY < top || run.minY > bottom || run.minX > right || run.maxX < left
  }
}

extension FillRings {
  /// Calls `body` with runs of edges, in their order: the place of the point before the first one, and the places of
  /// the points that they end at. Leaves out some of those that are out of reach.
  @inline(__always)
  func eachRun(_ reach: FillReach, _ body: (Int, Range<Int>) -> Void) {
    if runs.isEmpty {
      for ring in rings {
        let first = Int(starts[ring])
        let end = Int(starts[ring &+ 1])
        if end &- first >= 2 { body(isOpen ? first : end &- 1, first..<end) }
      }
      return
    }
    for run in runs where !reach.misses(run) {
      body(Int(run.previous), Int(run.first)..<Int(run.end))
    }
  }
}

extension GrowingBuffer where Element == FillRun {
  /// Adds the runs of closed rings: ring `r` owns `points[starts[r]..<starts[r + 1]]`, the last one ends at `end`.
  mutating func add(
    _ points: UnsafePointer<SIMD2<Int32>>, _ starts: UnsafeBufferPointer<Int32>, end: Int32
  ) {
    for ring in starts.indices {
      let start = starts[ring]
      let end = ring + 1 < starts.count ? starts[ring + 1] : end
      if end &- start < 2 { continue }
      var first = start
      var previous = end &- 1
      while first < end {
        let last = min(first &+ Int32(FillRun.edges), end)
        var low = points[Int(previous)]
        var high = low
        for index in Int(first)..<Int(last) {
          let point = points[index]
          low = SIMD2(min(low.x, point.x), min(low.y, point.y))
          high = SIMD2(max(high.x, point.x), max(high.y, point.y))
        }
        append(
          FillRun(
            previous: previous, first: first, end: last, minX: low.x, minY: low.y, maxX: high.x, maxY: high.y)
        )
        previous = last &- 1
        first = last
      }
    }
  }
}
