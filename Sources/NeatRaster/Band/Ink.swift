import NeatBase

/// One colour, ready to be blended over four pixels at a time as `Blend.over` does. What does not change from pixel to
/// pixel is taken apart once, and all lanes go the same way: nothing waits for a shuffle.
struct Ink {
  private let rb, ga, alpha: Lanes8

  init(_ bits: UInt32) {
    let all = Pixels4(repeating: bits)
    rb = lanes(all & 0x00FF_00FF)
    ga = lanes((all &>> 8) & 0x00FF_00FF)
    alpha = Lanes8(repeating: UInt16(truncatingIfNeeded: bits &>> 24))
  }

  /// Each pixel with its own coverage, 0...255.
  @inline(__always)
  func over(_ dst: Pixels4, coverage: Pixels4) -> Pixels4 {
    let cover = lanes(coverage | (coverage &<< 16))
    return blend(dst, cover, rest: div255(alpha &* cover) ^ 255)
  }

  /// The same for a colour of alpha 255.
  @inline(__always)
  func overOpaquely(_ dst: Pixels4, coverage: Pixels4) -> Pixels4 {
    assert(alpha[0] == 255, "a colour that is not opaque")
    let cover = lanes(coverage | (coverage &<< 16))
    return blend(dst, cover, rest: cover ^ 255)
  }

  @inline(__always)
  private func blend(_ dst: Pixels4, _ cover: Lanes8, rest: Lanes8) -> Pixels4 {
    let low = Pixels4(repeating: 0x00FF_00FF)
    let newRB = div255(rb &* cover &+ lanes(dst & low) &* rest)
    let newGA = div255(ga &* cover &+ lanes((dst &>> 8) & low) &* rest)
    return words(newRB) | (words(newGA) &<< 8)
  }
}
