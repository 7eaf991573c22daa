import NeatBase

/// The pixels of a fill's edge: one a column where |dx| > |dy|, one a row elsewhere. It goes along its major
/// axis, and lies somewhere on its minor one.
///
/// Most edges are a few pixels long, as those of houses are, and which axis is which, and from which end an
/// edge is gone along, is as good as random from one to the next: a branch would be foretold wrongly half of
/// the time, and cost as much as the pixels. All is chosen by masks.
struct Hairline {
  /// All bits where columns are the major axis.
  private let flat: Int
  /// The band's first row, from which rows of the minor axis are counted: no pixel's address is reckoned from
  /// outside of its memory.
  private let y0: Int
  /// On the major axis.
  let first, end: Int
  /// At the first pixel, on the minor axis, and from pixel to pixel, in 1/65536.
  let minor, slope: Int64
  /// Whether all of its pixels may be touched.
  let isInside: Bool

  /// The edge from `a` to `b`, in 1/256 pixel, within the limits.
  /// - Parameter limits: nil: nothing of it lies outside of the band.
  @inline(__always)
  init(_ a: SIMD2<Int32>, _ b: SIMD2<Int32>, _ band: Band, _ limits: HairlineLimits? = nil) {
    let flat = (abs(Int(b.y &- a.y)) &- abs(Int(b.x &- a.x))) >> 63
    (self.flat, y0) = (flat, band.y0)
    // Axes change places, and ends.
    let steep = ~Int32(truncatingIfNeeded: flat)
    let (turnA, turnB) = ((a.x ^ a.y) & steep, (b.x ^ b.y) & steep)
    let (majorA, minorA, majorB, minorB) = (a.x ^ turnA, a.y ^ turnA, b.x ^ turnB, b.y ^ turnB)
    let back = Int32(truncatingIfNeeded: (Int(majorB) &- Int(majorA)) >> 63)
    let turn = (majorA ^ majorB) & back
    let (low, high) = (majorA ^ turn, majorB ^ turn)
    let from = minorA ^ ((minorA ^ minorB) & back)
    // `firstColumn` of both ends, or `firstRow`.
    let tie = 128 &+ flat
    var first = (Int(low) &+ tie) >> 8
    var end = (Int(high) &+ tie) >> 8
    assert(first == (flat != 0 ? firstColumn(low) : firstRow(low)), "a pixel that is not the first")
    if let limits {
      first = max(first, Hairline.pick(flat, limits.minX, limits.y0))
      end = min(end, Hairline.pick(flat, limits.maxX, limits.y1))
    }
    (self.first, self.end) = (first, end)
    // The same from either end.
    slope = Int64(saturating: Double(minorB &- minorA) / Double(majorB &- majorA) * 65536)
    // Halfway between two columns' centres it is the left one.
    let place = Int64(from) &<< 8 &+ (slope &* (Int64(first &<< 8 &+ 128) &- Int64(low))) >> 8 &+ Int64(~flat)
    let origin = band.y0 & flat
    minor = place &- Int64(origin) &<< 16
    if let limits {
      // What is within at both ends is within in between.
      let last = minor &+ slope &* Int64(end &- first &- 1)
      isInside =
        limits.isBox && Int(min(minor, last) >> 16) >= Hairline.pick(flat, limits.y0 &- origin, limits.minX)
        && Int(max(minor, last) >> 16) < Hairline.pick(flat, limits.y1 &- origin, limits.maxX)
    } else {
      isInside = true
    }
  }

  /// `a` where all bits are set, `b` where none is.
  @inline(__always) private static func pick(_ bits: Int, _ a: Int, _ b: Int) -> Int { b ^ ((a ^ b) & bits) }

  @inline(__always) func x(_ major: Int, _ minor: Int) -> Int { Hairline.pick(flat, major, minor) }
  @inline(__always) func y(_ major: Int, _ minor: Int) -> Int { Hairline.pick(flat, minor &+ y0, major) }

  /// Where the first pixel's place on the minor axis is 0, and pixels from one place to the next on both
  /// axes.
  /// - Parameter band: that it was made for.
  @inline(__always)
  func steps(_ band: Band) -> (start: UnsafeMutablePointer<UInt32>, major: Int, minor: Int) {
    let major = Hairline.pick(flat, 1, band.stride)
    return (
      band.pixels + (first &- band.y0 & ~flat) &* major, major, Hairline.pick(flat, band.stride, 1)
    )
  }
}

/// What of a band hairlines may touch: rows `y0..<y1`, columns `minX..<maxX`, and of those the clip's, where
/// it is no box.
struct HairlineLimits {
  let minX, maxX, y0, y1: Int
  let isBox: Bool

  @inline(__always)
  init(_ clip: RowClip, y0: Int, y1: Int) {
    (minX, maxX, isBox) = (clip.minX, clip.maxX, clip.isBox)
    (self.y0, self.y1) = (y0, y1)
  }
}
