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
      }
    }
  }
}
