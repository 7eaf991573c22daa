import NeatBase

/// Straight dashes in one colour, four pixels at a time. Lives no longer than the style it was made from.
struct DashLineShader: LineShader {
  static var needsDistance: Bool { true }
  static var needsAcross: Bool { false }
  private let ink: Ink
  private let texels: UnsafePointer<Float>
  /// Periods for a tile unit, and where the first one begins.
  private let scale: Float
  private let start: Float
  /// 1 over the softness of a dash's end, and what lies half of that before it.
  private let slope: Float
  private let offset: Float

  /// Nil where the line has more to it: round dashes, a gradient, a pattern.
  init?(_ shade: LineShade, _ style: LineStyle) {
    guard style.gradient == nil, style.pattern == nil, let dash = style.dash[Int(shade.feature)],
      dash.halfRows == 0, dash.length > 0
    else { return nil }
    ink = Ink(shade.color)
    texels = UnsafePointer(dash.texels)
    let (periods, gamma) = style.dashMeasures(length: dash.length, shade)
    let isMeasured = shade.progressScale > 0
    scale = isMeasured ? periods * LinePiece.measuredLength * shade.progressScale : periods
    start = isMeasured ? periods * LinePiece.measuredLength * shade.progressStart : 0
    slope = 0.5 / gamma
    offset = 0.5 - 0.25 / gamma
  }

  @inline(__always)
  func blend(_ dst: Pixels4, coverage: SIMD4<Float>, ny: SIMD4<Float>, distance: SIMD4<Float>) -> Pixels4 {
    let period = distance * scale + start
    let place = (period - floor(period)) * Float(LineDash.width) - 0.5
    let whole = floor(place)
    let mask = Int32(LineDash.width - 1)
    // A place that is no number, or too far along its line for what lies between dashes, is in the first texel.
    let first = Pixels4(truncatingIfNeeded: unsafeBitCast(whole + 12_582_912, to: SIMD4<Int32>.self) & mask)
    var (left, right) = (SIMD4<Float>.zero, SIMD4<Float>.zero)
    for lane in 0..<4 {
      let texel = Int(first[lane])
      left[lane] = texels[texel]
      right[lane] = texels[(texel &+ 1) & (LineDash.width - 1)]
    }
    var inside = (left + (right - left) * (place - whole)) * slope + offset
    inside = inside.replacing(with: 1, where: inside .> 1)
    // Also takes out what is not a number.
    inside = SIMD4<Float>.zero.replacing(with: inside, where: inside .> 0)
    return ink.over(dst, coverage: wholes(coverage * (inside * inside * (3 - 2 * inside))))
  }

  /// The largest integers that are not greater than magnitudes below 2^22.
  @inline(__always) private func floor(_ value: SIMD4<Float>) -> SIMD4<Float> {
    let near = value + 12_582_912 - 12_582_912
    return near.replacing(with: near - 1, where: near .> value)
  }
}
