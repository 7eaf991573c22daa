/// The pixels of a fill's edge: one a column where |dx| > |dy|, one a row elsewhere. It goes along its major axis, and
/// lies somewhere on its minor one.
///
/// Most edges are a few pixels long, as those of houses are, and which axis is which, and from which end an edge is gone
/// along, is as good as random from one to the next: a branch would be foretold wrongly half of the time, and cost as
/// much as the pixels. All is chosen by masks.
struct Hairline {
  /// All bits where columns are the major axis.
  private let flat: Int
  /// On the major axis.
  let first, end: Int
  /// At the first pixel, on the minor axis, and from pixel to pixel, in 1/65536.
  let minor, slope: Int64
  /// Whether all of its pixels may be touched.
  let isInside: Bool
  /// At the first place of the major axis, and at 0 of the minor one.
  let pixels: UnsafeMutablePointer<UInt32>
  let majorStride, minorStride: Int

  /// The edge from `a` to `b`, in 1/256 pixel, within the limits.
  /// - Parameter limits: nil: nothing of it lies outside of the band.
  @inline(__always)
  init(_ a: SIMD2<Int32>, _ b: SIMD2<Int32>, _ band: Band, _ limits: HairlineLimits? = nil) {
    let flat = (abs(Int(b.y &- a.y)) &- abs(Int(b.x &- a.x))) >> 63
    self.flat = flat
    // Axes change places, and ends.
    let steep = ~Int32(truncatingIfNeeded: flat)
    let (turnA, turnB) = ((a.x ^ a.y) & steep, (b.x ^ b.y) & steep)
    let (majorA, minorA, majorB, minorB) = (a.x ^ turnA, a.y ^ turnA, b.x ^ turnB, b.y ^ turnB)
    let back = Int32(truncatingIfNeeded: (Int(majorB) &- Int(majorA)) >> 63)
    let turn = (majorA ^ majorB) & back
    let (low, high) = (majorA ^ turn, majorB ^ turn)
    let from = minorA ^ ((minorA ^ minorB) & back)
    // Rows begin after a centre (`firstRow`), columns at it (`firstColumn`).
    let tie = 128 &+ flat
    var first = (Int(low) &+ tie) >> 8
    var end = (Int(high) &+ tie) >> 8
    if let limits {
      first = max(first, Hairline.pick(flat, limits.minX, limits.y0))
      end = min(end, Hairline.pick(flat, limits.maxX, limits.y1))
    }
    (self.first, self.end) = (first, end)
    // The same from either end.
    slope = Int64(saturating: Double(minorB &- minorA) / Double(majorB &- majorA) * 65536)
    // Halfway between two columns' centres it is the left one.
    minor =
      Int64(from) &<< 8 &+ (slope &* (Int64(first &<< 8 &+ 128) &- Int64(low))) >> 8 &+ Int64(~flat)
    if let limits {
      // What is within at both ends is within in between.
      let last = minor &+ slope &* Int64(end &- first &- 1)
      isInside =
        limits.isBox && Int(min(minor, last) >> 16) >= Hairline.pick(flat, limits.y0, limits.minX)
        && Int(max(minor, last) >> 16) < Hairline.pick(flat, limits.y1, limits.maxX)
    } else {
      isInside = true
    }
    (majorStride, minorStride) = (Hairline.pick(flat, 1, band.stride), Hairline.pick(flat, band.stride, 1))
    pixels = band.pixels + (first &* majorStride &- band.y0 &* band.stride)
  }

  /// `a` where all bits are set, `b` where none is.
  @inline(__always) private static func pick(_ bits: Int, _ a: Int, _ b: Int) -> Int { b ^ ((a ^ b) & bits) }

  @inline(__always) func x(_ major: Int, _ minor: Int) -> Int { Hairline.pick(flat, major, minor) }
  @inline(__always) func y(_ major: Int, _ minor: Int) -> Int { Hairline.pick(flat, minor, major) }
}

/// What of a band hairlines may touch: rows `y0..<y1`, columns `minX..<maxX`, and of those the clip's, where it is no box.
struct HairlineLimits {
  let minX, maxX, y0, y1: Int
  let isBox: Bool

  @inline(__always)
  init(_ clip: RowClip, y0: Int, y1: Int) {
    (minX, maxX, isBox) = (clip.minX, clip.maxX, clip.isBox)
    (self.y0, self.y1) = (y0, y1)
  }
}
