// Which pixels of a row lie between straight sides, for four rows at a time.
//
// A side's crossing with a row's centre line is computed from the side's upper end by the same operations
// whichever shape asks, and rounded to the first pixel whose centre is not left of it. Two shapes that share
// a side therefore share the answer, one as its end, the other as its start: neither gaps nor pixels hit
// twice. A level side bounds by the rows it leaves to either shape.

import NeatBase

/// Up to four sides, each of which bounds the pixels from the left (lower) or from the right.
struct LineRows {
  /// The sides' upper ends (x half a pixel to the left), and their slopes.
  private let x, y, slope: SIMD4<Float>
  /// Infinite where the side does not bound that way.
  private let lower, upper: SIMD4<Float>

  /// Sides from one end to another. `lower`: whether the inside lies right of the side, for sides that run
  /// down; for others the other way about. `slack` moves a side outwards.
  @inline(__always)
  init(
    x0: SIMD4<Float>, y0: SIMD4<Float>, x1: SIMD4<Float>, y1: SIMD4<Float>,
    lower isLowerDown: SIMDMask<SIMD4<Int32>>, slack: SIMD4<Float>
  ) {
    let isUp = y1 .< y0
    let isLower = isLowerDown .^ isUp
    let dy = y1 - y0
    let isLevel = dy .== 0
    slope = ((x1 - x0) / dy).replacing(with: 0, where: isLevel)
    y = y0.replacing(with: y1, where: isUp)
    let place = x0.replacing(with: x1, where: isUp) - 0.5
    x = place + slack.replacing(with: -slack, where: isLower)
    lower = SIMD4<Float>(repeating: -.infinity).replacing(with: 0, where: isLower .& .!isLevel)
    upper = SIMD4<Float>(repeating: .infinity).replacing(with: 0, where: .!(isLower .| isLevel))
  }

  /// Writes the first pixels of rows `rows` to `spans`, and their ends `spans.stride` further on.
  @inline(__always)
  func write(_ rows: Range<Int>, _ clip: RowClip, _ spans: LineSpans) {
    assert(!rows.isEmpty && rows.count <= spans.stride, "more rows than spans")
    var row = rows.lowerBound
    var out = spans.first
    repeat {
      let centre = Float(row) + SIMD4<Float>(0.5, 1.5, 2.5, 3.5)
      var low = SIMD4<Float>(repeating: -.infinity)
      var high = SIMD4<Float>(repeating: .infinity)
      for side in 0..<4 {
        let cross = x[side] + (centre - y[side]) * slope[side]
        let (left, right) = (cross + lower[side], cross + upper[side])
        low = low.replacing(with: left, where: left .> low)
        high = high.replacing(with: right, where: right .< high)
      }
      let (least, most) = clip.bounds4(row)
      var (first, end) = (LineRows.pixel(low), LineRows.pixel(high))
      // Both within the row's bounds: what lies off the far side of one is empty, wherever it would begin or end.
      first = least.replacing(with: first, where: first .> least)
      first = most.replacing(with: first, where: first .< most)
      end = most.replacing(with: end, where: end .< most)
      end = least.replacing(with: end, where: end .> least)
      UnsafeMutableRawPointer(out).storeBytes(of: LineRows.wholes(first), as: SIMD4<Int32>.self)
      UnsafeMutableRawPointer(out + spans.stride).storeBytes(of: LineRows.wholes(end), as: SIMD4<Int32>.self)
      out += 4
      row &+= 4
    } while row < rows.upperBound
  }

  /// The first pixel whose centre is not left of a place. Places order pixels, so that of the last of some
  /// places is the last of their pixels.
  @inline(__always) private static func pixel(_ place: SIMD4<Float>) -> SIMD4<Float> {
    let near = (place + 12_582_912) - 12_582_912
    return near + SIMD4<Float>.zero.replacing(with: 1, where: near .< place)
  }

  @inline(__always) private static func wholes(_ value: SIMD4<Float>) -> SIMD4<Int32> {
    unsafeBitCast(value + 12_582_912, to: SIMD4<Int32>.self) &- 0x4B40_0000
  }
}

/// Memory for the pixels of a shape's rows: first pixels, and `stride` numbers further on their ends.
struct LineSpans {
  let first: UnsafeMutablePointer<Int32>
  let stride: Int

  /// Numbers that a band of `rows` rows needs.
  static func count(rows: Int) -> Int { 2 * (rows + 4) }

  init(_ memory: UnsafeMutablePointer<Int32>, rows: Int) {
    assert(rows >= 0, "fewer than no rows")
    first = memory
    stride = rows + 4
  }
}
