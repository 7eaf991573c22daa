import NeatBase

/// One colour, ready to be blended over four pixels at a time as `Blend.over` does. What does not change from
/// pixel to pixel is taken apart once, and all lanes go the same way: nothing waits for a shuffle.
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
    let cover = bothHalves(coverage)
    return blend(dst, cover, rest: div255(alpha &* cover) ^ 255)
  }

  /// The same for a colour of alpha 255.
  @inline(__always)
  func overOpaquely(_ dst: Pixels4, coverage: Pixels4) -> Pixels4 {
    assert(alpha[0] == 255, "a colour that is not opaque")
    let cover = bothHalves(coverage)
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

/// One colour, ready to be blended over a pixel at a time: all four channels are lanes of one vector.
struct PixelInk {
  private let color, alpha: SIMD4<UInt16>

  @inline(__always)
  init(_ bits: UInt32) {
    color = PixelInk.channels(bits)
    alpha = SIMD4(repeating: UInt16(truncatingIfNeeded: bits &>> 24))
  }

  @inline(__always) private static func channels(_ bits: UInt32) -> SIMD4<UInt16> {
    SIMD4<UInt16>(truncatingIfNeeded: unsafeBitCast(bits, to: SIMD4<UInt8>.self))
  }

  /// - Parameter coverage: 0...255, in all lanes.
  @inline(__always)
  func over(_ dst: UInt32, _ coverage: SIMD4<UInt16>) -> UInt32 {
    blend(dst, coverage, rest: div255(alpha &* coverage) ^ 255)
  }

  /// The same for a colour of alpha 255.
  @inline(__always)
  func overOpaquely(_ dst: UInt32, _ coverage: SIMD4<UInt16>) -> UInt32 {
    assert(alpha[0] == 255, "a colour that is not opaque")
    return blend(dst, coverage, rest: coverage ^ 255)
  }

  @inline(__always)
  private func blend(_ dst: UInt32, _ coverage: SIMD4<UInt16>, rest: SIMD4<UInt16>) -> UInt32 {
    let sum = color &* coverage &+ PixelInk.channels(dst) &* rest
    return unsafeBitCast(SIMD4<UInt8>(truncatingIfNeeded: div255(sum)), to: UInt32.self)
  }
}
