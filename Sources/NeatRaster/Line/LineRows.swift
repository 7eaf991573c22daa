// Which pixels of a row lie between straight sides, for four rows at a time.
//
// A side's crossing with a row's centre line is computed from the side's upper end by the same operations whichever shape asks, and rounded to the first pixel
// whose centre is not left of it. Two shapes that share a side therefore share the answer, one as its end, the other as its start: neither gaps nor pixels hit
// twice. A level side bounds by the rows it leaves to either shape.

/// A side from its upper end.
struct LineSide {
  let x, y, dx, dy: Float
  /// Whether the ends changed places.
  let isFlipped: Bool

  @inline(__always) init(_ a: SIMD2<Float>, _ b: SIMD2<Float>) {
    let isFlipped = b.y < a.y
    self.isFlipped = isFlipped
    x = isFlipped ? b.x : a.x
    y = isFlipped ? b.y : a.y
    dx = isFlipped ? a.x - b.x : b.x - a.x
    dy = isFlipped ? a.y - b.y : b.y - a.y
  }
}

/// Up to four sides, each of which bounds the pixels from the left (lower) or from the right.
struct LineRows {
  private let x, y, slope: SIMD4<Float>
  /// Infinite where the side does not bound that way.
  private let lower, upper: SIMD4<Float>

  /// `isLower`: whether the inside lies right of the side. `slack` moves a side outwards.
  @inline(__always)
  init(_ a: LineSide, _ b: LineSide, _ c: LineSide, _ d: LineSide, lower isLower: SIMDMask<SIMD4<Int32>>, slack: SIMD4<Float>) {
    let dy = SIMD4(a.dy, b.dy, c.dy, d.dy)
    let isLevel = dy .== 0
    slope = (SIMD4(a.dx, b.dx, c.dx, d.dx) / dy).replacing(with: 0, where: isLevel)
    y = SIMD4(a.y, b.y, c.y, d.y)
    let place = SIMD4(a.x, b.x, c.x, d.x) - 0.5
    x = (place + slack).replacing(with: place - slack, where: isLower)
    let infinity = SIMD4<Float>(repeating: .infinity)
    lower = (-infinity).replacing(with: 0, where: isLower .& .!isLevel)
    upper = infinity.replacing(with: 0, where: .!isLower .& .!isLevel)
  }

  /// First pixel and end of rows `row..<row + 4`, between -16 and 32,768.
  @inline(__always)
  func callAsFunction(_ row: Int) -> (first: SIMD4<Int32>, end: SIMD4<Int32>) {
    let centre = Float(row) + SIMD4<Float>(0.5, 1.5, 2.5, 3.5)
    var first = SIMD4<Float>(repeating: -16)
    var end = SIMD4<Float>(repeating: 32768)
    for side in 0..<4 {
      let cross = x[side] + (centre - y[side]) * slope[side]
      let near = (cross + 12_582_912) - 12_582_912
      let pixel = near + SIMD4<Float>.zero.replacing(with: 1, where: near .< cross)
      let low = pixel + lower[side]
      let high = pixel + upper[side]
      first = first.replacing(with: low, where: low .> first)
      end = end.replacing(with: high, where: high .< end)
    }
    first = first.replacing(with: 32768, where: first .> 32768)
    end = end.replacing(with: -16, where: end .< -16)
    return (LineRows.integers(first), LineRows.integers(end))
  }

  @inline(__always) private static func integers(_ value: SIMD4<Float>) -> SIMD4<Int32> {
    unsafeBitCast(value + 12_582_912, to: SIMD4<Int32>.self) &- 0x4B40_0000
  }
}
