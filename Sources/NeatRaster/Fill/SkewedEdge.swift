// Outlines of fills in a tilted view. The reference's shader measures a pixel from a point of the edge that
// is interpolated between the pixels of the edge's ends, but in perspective: at a share s of the way on the
// screen it has the share t = s·q1 / q of the way, where q is 1/w there, q0 and q1 at the ends. That is off
// along the edge by t - s = s·(1 - s)·(q1 - q0) / q of its length, so that of a long edge that leads away
// only the ends are smoothed.

import NeatBase

/// 1/w of the ground over the screen, where it is linear.
struct ScreenDepth: BitwiseCopyable, Sendable {
  private let dx, dy, start: Double

  /// Nil where w is the same everywhere.
  init?(_ projection: Projection) {
    guard !projection.isAffine, let inverse = projection.inverse else { return nil }
    (dx, dy, start) = (inverse.wx, inverse.wy, inverse.w0)
  }

  /// At a place in 1/256 pixel.
  @inline(__always) func callAsFunction(_ place: SIMD2<Int32>) -> Double {
    dx * (Double(place.x) / 256) + dy * (Double(place.y) / 256) + start
  }
}

/// An edge of an outline along which pixels are measured from elsewhere.
struct SkewedEdge {
  /// Whether it has a pixel a column, else a pixel a row.
  let isFlat: Bool
  /// In pixels: where it begins and what it goes, along the axis that it has its pixels by, and the other
  /// one.
  private let majorStart, minorStart, majorLength, minorLength: Double
  private let q0, q1: Double

  /// Pixels that an edge is off at most for it to be drawn as if it were not.
  private static let least = 1.0 / 32

  /// Nil where nothing is off that could be seen.
  @inline(__always) init?(_ a: SIMD2<Int32>, _ b: SIMD2<Int32>, _ depth: ScreenDepth) {
    let (qa, qb) = (depth(a), depth(b))
    let way = SIMD2<Double>(b &- a) / 256
    let reach = max(abs(way.x), abs(way.y))
    // What is off in the middle, at least.
    guard abs(qb - qa) * reach > SkewedEdge.least * 4 * min(qa, qb), qa > 0, qb > 0 else { return nil }
    isFlat = abs(way.x) > abs(way.y)
    let axis = isFlat ? 0 : 1
    let isTurned = way[axis] < 0
    let from = SIMD2<Double>(isTurned ? b : a) / 256
    let along = isTurned ? -way : way
    (majorStart, minorStart) = (from[axis], from[1 - axis])
    (majorLength, minorLength) = (along[axis], along[1 - axis])
    (q0, q1) = isTurned ? (qb, qa) : (qa, qb)
  }

  /// The columns or rows that it has pixels in.
  func pixels(from low: Int, to high: Int) -> Range<Int> {
    func first(_ place: Double) -> Int {
      let fixed = Int32(saturating: place * 256)
      return isFlat ? firstColumn(fixed) : firstRow(fixed)
    }
    let start = max(first(majorStart), low)
    return start..<max(start, min(first(majorStart + majorLength), high))
  }

  /// The pixel of a column or row, by the other axis, and how much of the colour it gets, 0...255.
  @inline(__always) func pixel(_ major: Int) -> (minor: Int, coverage: UInt32) {
    let share = (Double(major) + 0.5 - majorStart) / majorLength
    // Halfway between two centres of a row it is the left one.
    let place = minorStart + minorLength * share - (isFlat ? 0 : 1.0 / 65536)
    let minor = place.rounded(.down)
    let off = share * (1 - share) * (q1 - q0) / (q0 + (q1 - q0) * share)
    let across = place - minor - 0.5 + minorLength * off
    let along = majorLength * off
    let distance = (across * across + along * along).squareRoot()
    guard distance < 1, abs(minor) < 0x1p24 else { return (0, 0) }
    let coverage = 255 * (1 - distance * distance * (3 - 2 * distance))
    return (Int(saturating: minor), UInt32(saturating: coverage.rounded()))
  }
}
