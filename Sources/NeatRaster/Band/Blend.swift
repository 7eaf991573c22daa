// Premultiplied source-over, one rounding a channel: with coverage
// out = (color * coverage + dst * (255 - round(alpha * coverage / 255))) / 255, without
// out = src + dst * (255 - alpha) / 255. Pixels are taken four at a time as two vectors of 16-bit lanes, red with
// blue and green with alpha, so that nothing has to be packed or unpacked. color <= alpha keeps every sum at or
// below 65,152.

import NeatBase

package typealias Pixels4 = SIMD4<UInt32>
@usableFromInline typealias Lanes8 = SIMD8<UInt16>

@inline(__always) func lanes(_ value: Pixels4) -> Lanes8 { unsafeBitCast(value, to: Lanes8.self) }
@inline(__always) func words(_ value: Lanes8) -> Pixels4 { unsafeBitCast(value, to: Pixels4.self) }

/// Each number, at most 65,535, in both 16-bit halves of its word. (By a sum: `|` is taken apart again by the
/// compiler, and put together lane by lane.)
@inline(__always) func bothHalves(_ value: Pixels4) -> Lanes8 { lanes(value &+ (value &<< 16)) }

/// x / 255 rounded, in each 16-bit lane, for x at most 65,152. The upper byte of each lane comes out 0.
@inline(__always) func div255(_ value: Lanes8) -> Lanes8 {
  let sum = value &+ 128
  #if arch(x86_64)
    // Lane by lane, since an initializer of eight lanes from wider ones is a call.
    return Lanes8(
      upper257(sum[0]), upper257(sum[1]), upper257(sum[2]), upper257(sum[3]), upper257(sum[4]),
      upper257(sum[5]), upper257(sum[6]), upper257(sum[7]))
  #else
    return (sum &+ (sum &>> 8)) &>> 8
  #endif
}

/// The same in four lanes.
@inline(__always) func div255(_ value: SIMD4<UInt16>) -> SIMD4<UInt16> {
  let sum = value &+ 128
  #if arch(x86_64)
    return SIMD4(upper257(sum[0]), upper257(sum[1]), upper257(sum[2]), upper257(sum[3]))
  #else
    return (sum &+ (sum &>> 8)) &>> 8
  #endif
}

#if arch(x86_64)
  /// The upper half of a product by 257, which all lanes of a vector get in one step.
  @inline(__always) private func upper257(_ value: UInt16) -> UInt16 {
    UInt16(truncatingIfNeeded: (UInt32(value) &* 257) &>> 16)
  }
#endif

/// The same in two 16-bit halves of a word.
@inline(__always) func div255(halves value: UInt32) -> UInt32 {
  let sum = value &+ 0x0080_0080
  return ((sum &+ ((sum &>> 8) & 0x00FF_00FF)) &>> 8) & 0x00FF_00FF
}

package enum Blend {
  /// One pixel, source over destination.
  @inline(__always) package static func over(_ dst: UInt32, _ src: UInt32) -> UInt32 {
    let rest = 255 &- (src &>> 24)
    let rb = div255(halves: (dst & 0x00FF_00FF) &* rest)
    let ga = div255(halves: ((dst &>> 8) & 0x00FF_00FF) &* rest)
    return src &+ (rb | (ga &<< 8))
  }

  /// One pixel with coverage 0...255.
  @inline(__always) package static func over(_ dst: UInt32, _ color: UInt32, coverage: UInt32) -> UInt32 {
    let alpha = (color &>> 24) &* coverage &+ 128
    let rest = 255 &- ((alpha &+ (alpha &>> 8)) &>> 8)
    let rb = div255(halves: (color & 0x00FF_00FF) &* coverage &+ (dst & 0x00FF_00FF) &* rest)
    let ga = div255(halves: ((color &>> 8) & 0x00FF_00FF) &* coverage &+ ((dst &>> 8) & 0x00FF_00FF) &* rest)
    return rb | (ga &<< 8)
  }

  /// Every channel of a pixel times `coverage` / 255.
  @inline(__always) package static func scale(_ color: UInt32, _ coverage: UInt32) -> UInt32 {
    let rb = div255(halves: (color & 0x00FF_00FF) &* coverage)
    let ga = div255(halves: ((color &>> 8) & 0x00FF_00FF) &* coverage)
    return rb | (ga &<< 8)
  }

  /// A pixel and a colour times `coverage` / 255, channel by channel, up to what a channel holds.
  @inline(__always) package static func add(_ dst: UInt32, _ color: UInt32, coverage: UInt32) -> UInt32 {
    let more = scale(color, coverage)
    let rb = clamped(halves: (dst & 0x00FF_00FF) &+ (more & 0x00FF_00FF))
    let ga = clamped(halves: ((dst &>> 8) & 0x00FF_00FF) &+ ((more &>> 8) & 0x00FF_00FF))
    return rb | (ga &<< 8)
  }

  /// Two sums of bytes, to 255 each.
  @inline(__always) private static func clamped(halves: UInt32) -> UInt32 {
    let over = (halves &>> 8) & 0x0001_0001
    return (halves | (over &* 255)) & 0x00FF_00FF
  }

  @inline(__always) package static func add4(_ dst: Pixels4, _ color: Pixels4, coverage: UInt32) -> Pixels4 {
    Pixels4(
      add(dst[0], color[0], coverage: coverage), add(dst[1], color[1], coverage: coverage),
      add(dst[2], color[2], coverage: coverage), add(dst[3], color[3], coverage: coverage))
  }

  /// Four pixels, four sources.
  @inline(__always) package static func over4(_ dst: Pixels4, _ src: Pixels4) -> Pixels4 {
    let low = Pixels4(repeating: 0x00FF_00FF)
    let rest = 255 &- (src &>> 24)
    let rest2 = bothHalves(rest)
    let rb = div255(lanes(dst & low) &* rest2)
    let ga = div255(lanes((dst &>> 8) & low) &* rest2)
    return src &+ (words(rb) | (words(ga) &<< 8))
  }

  /// Four pixels, four sources, each with coverage 0...255.
  @inline(__always) package static func over4(_ dst: Pixels4, _ color: Pixels4, coverage: Pixels4) -> Pixels4
  {
    let low = Pixels4(repeating: 0x00FF_00FF)
    let cover2 = bothHalves(coverage)
    let colorGA = lanes((color &>> 8) & low) &* cover2
    let alpha = words(div255(colorGA)) &>> 16
    let rest = 255 &- alpha
    let rest2 = bothHalves(rest)
    let rb = div255(lanes(color & low) &* cover2 &+ lanes(dst & low) &* rest2)
    let ga = div255(colorGA &+ lanes((dst &>> 8) & low) &* rest2)
    return words(rb) | (words(ga) &<< 8)
  }

  @inline(__always) package static func load4(_ pointer: UnsafePointer<UInt32>) -> Pixels4 {
    UnsafeRawPointer(pointer).loadUnaligned(as: Pixels4.self)
  }

  @inline(__always) package static func store4(_ value: Pixels4, _ pointer: UnsafeMutablePointer<UInt32>) {
    UnsafeMutableRawPointer(pointer).storeBytes(of: value, as: Pixels4.self)
  }

  /// `count` pixels of one colour: stored where it is opaque, blended otherwise.
  @inline(__always) package static func span(
    _ dst: UnsafeMutablePointer<UInt32>, _ count: Int, _ color: Premultiplied
  ) {
    if color.isOpaque {
      store(dst, count, color.bits)
    } else if !color.isTransparent {
      blend(dst, count, color.bits)
    }
  }

  /// Stores `count` equal pixels.
  @inline(__always) package static func store(
    _ dst: UnsafeMutablePointer<UInt32>, _ count: Int, _ bits: UInt32
  ) {
    assert(count >= 0, "fewer than no pixels")
    // The last ones over some of those before: most spans are short, and how many pixels are left over cannot
    // be foretold.
    if count >= 8 {
      let four = Pixels4(repeating: bits)
      var index = 0
      while index &+ 8 < count {
        store4(four, dst + index)
        store4(four, dst + (index &+ 4))
        index &+= 8
      }
      store4(four, dst + (count &- 8))
      store4(four, dst + (count &- 4))
    } else if count >= 4 {
      let four = Pixels4(repeating: bits)
      store4(four, dst)
      store4(four, dst + (count &- 4))
    } else if count > 0 {
      dst[0] = bits
      dst[count &>> 1] = bits
      dst[count &- 1] = bits
    }
  }

  static func blend(_ dst: UnsafeMutablePointer<UInt32>, _ count: Int, _ bits: UInt32) {
    assert(count >= 0, "fewer than no pixels")
    let low = Pixels4(repeating: 0x00FF_00FF)
    let four = Pixels4(repeating: bits)
    let rest = Lanes8(repeating: UInt16(255 &- (bits &>> 24)))
    var index = 0
    while index &+ 4 <= count {
      let old = load4(dst + index)
      let rb = div255(lanes(old & low) &* rest)
      let ga = div255(lanes((old &>> 8) & low) &* rest)
      store4(four &+ (words(rb) | (words(ga) &<< 8)), dst + index)
      index &+= 4
    }
    while index < count {
      dst[index] = over(dst[index], bits)
      index &+= 1
    }
  }

  /// `count` pixels of one colour, each with its own coverage (0 leaves the pixel, 255 is the full colour).
  package static func span(
    _ dst: UnsafeMutablePointer<UInt32>, _ count: Int, _ color: Premultiplied, coverage: UnsafePointer<UInt8>
  ) {
    assert(count >= 0, "fewer than no pixels")
    let four = Pixels4(repeating: color.bits)
    var index = 0
    while index &+ 4 <= count {
      let packed = UnsafeRawPointer(coverage + index).loadUnaligned(as: UInt32.self)
      if packed == UInt32.max && color.isOpaque {
        store4(four, dst + index)
      } else if packed != 0 {
        let cover = Pixels4(packed & 255, packed &>> 8 & 255, packed &>> 16 & 255, packed &>> 24)
        store4(over4(load4(dst + index), four, coverage: cover), dst + index)
      }
      index &+= 4
    }
    while index < count {
      dst[index] = over(dst[index], color.bits, coverage: UInt32(coverage[index]))
      index &+= 1
    }
  }

  /// `count` premultiplied source pixels over the destination, each times `opacity` (0...255).
  package static func composite(
    _ dst: UnsafeMutablePointer<UInt32>, _ src: UnsafePointer<UInt32>, _ count: Int, opacity: UInt32 = 255
  ) {
    assert(count >= 0 && opacity <= 255, "fewer than no pixels, or more than all of a colour")
    let cover = Pixels4(repeating: opacity)
    var index = 0
    while index &+ 4 <= count {
      let new = load4(src + index)
      if opacity == 255 {
        store4(over4(load4(dst + index), new), dst + index)
      } else {
        store4(over4(load4(dst + index), new, coverage: cover), dst + index)
      }
      index &+= 4
    }
    while index < count {
      dst[index] = over(dst[index], src[index], coverage: opacity)
      index &+= 1
    }
  }
}
