@testable import NeatRaster
import Testing

/// Colours made ready for many pixels give those of one pixel alone.
@Suite struct InkTests {
  private static let colors: [UInt32] = [0, 0xFFFF_FFFF, 0xFF12_80F0, 0x8040_0080, 0x0100_0100, 0xFE01_FE7F]
  private static let grounds: [UInt32] = [0, 0xFFFF_FFFF, 0xFF00_00FF, 0x7F3F_007F, 0x8080_8080]

  @Test(arguments: colors)
  func fourPixelsAreEachBlendedAsOne(color: UInt32) {
    let ink = Ink(color)
    for coverage in stride(from: UInt32(0), through: 252, by: 4) {
      let four = Pixels4(coverage, coverage + 1, coverage + 2, coverage + 3)
      for ground in InkTests.grounds {
        let blended = ink.over(Pixels4(repeating: ground), coverage: four)
        for lane in 0..<4 {
          let one = Blend.over(ground, color, coverage: four[lane])
          #expect(blended[lane] == one)
          if color >> 24 == 255 {
            #expect(ink.overOpaquely(Pixels4(repeating: ground), coverage: four)[lane] == one)
          }
        }
      }
    }
  }

  @Test(arguments: colors)
  func channelsBesideEachOtherAreBlendedAsOnePixel(color: UInt32) {
    let ink = PixelInk(color)
    for coverage in UInt32(0)...255 {
      for ground in InkTests.grounds {
        let blended = ink.over(ground, SIMD4(repeating: UInt16(coverage)))
        #expect(blended == Blend.over(ground, color, coverage: coverage))
        if color >> 24 == 255 {
          #expect(ink.overOpaquely(ground, SIMD4(repeating: UInt16(coverage))) == blended)
        }
      }
    }
  }

  /// Of all sums that colours times coverages can make.
  @Test func quotientsAreTheNearest() {
    var wrong: [UInt16] = []
    for value in UInt16(0)...65_152 {
      let nearest = UInt16((Double(value) / 255).rounded())
      let (four, eight) = (div255(SIMD4(repeating: value)), div255(Lanes8(repeating: value)))
      if four != SIMD4(repeating: nearest) || eight != Lanes8(repeating: nearest) { wrong.append(value) }
    }
    #expect(wrong.isEmpty)
  }
}
