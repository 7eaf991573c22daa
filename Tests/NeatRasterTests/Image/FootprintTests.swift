import NeatBase
import Testing

@testable import NeatRaster

@Suite struct FootprintTests {
  @Test func whatIsSeenStraightIsOneSample() {
    let footprint = Footprint(right: SIMD2(1, 0), down: SIMD2(0, 1.2), limit: Footprint.limit)
    #expect(footprint.count == 1)
  }

  @Test func whatIsSeenAslantTakesSamplesAlongItsLongerSide() {
    let footprint = Footprint(right: SIMD2(1, 0), down: SIMD2(0, 4), limit: Footprint.limit)
    #expect(footprint.count == 4)
    #expect(footprint.major == SIMD2(0, 4))
    #expect(footprint.rate == 1)
  }

  @Test func samplesAreLimited() {
    let steep = Footprint(right: SIMD2(1, 0), down: SIMD2(0, 640), limit: Footprint.limit)
    #expect(steep.count == 16)
    #expect(steep.rate == 40)
    #expect(Footprint(right: SIMD2(1, 0), down: SIMD2(0, 640), limit: 1).count == 1)
  }

  @Test func movesThatAreNoNumbersAreHarmless() {
    for bad in [Float.nan, .infinity, 0, .greatestFiniteMagnitude] {
      let footprint = Footprint(
        right: SIMD2(bad, bad), down: SIMD2(bad, bad), limit: Footprint.limit)
      #expect(footprint.count >= 1 && footprint.count <= 16)
    }
  }

  @Test func aPixelIsTheMeanOfItsSamples() {
    // Four black columns beside four white ones.
    let texture = Texture(width: 8, height: 1) { texels in
      for x in 0..<8 { texels[x] = x < 4 ? 0xFF00_0000 : 0xFFFF_FFFF }
    }
    let wide = Footprint(right: SIMD2(4, 0), down: SIMD2(0, 1), limit: Footprint.limit)
    // Samples at 2.5, 3.5, 4.5 and 5.5: two of each.
    #expect(wide.pixel(texture, SIMD2(4, 0.5)) == 0xFF80_8080)
    #expect(Footprint.one.pixel(texture, SIMD2(1.5, 0.5)) == 0xFF00_0000)
  }
}
