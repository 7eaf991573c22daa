import NeatBase
import Testing

@testable import NeatRaster

@Suite struct SamplingTests {
  private func texture(_ width: Int, _ height: Int) -> Texture {
    var random = Random(state: UInt64(width * 100 + height))
    return Texture(width: width, height: height) { pixels in
      for index in 0..<width * height { pixels[index] = UInt32(random.next(below: 1 << 31)) &* 2_654_435_761 }
    }
  }

  /// Four texels in 1/256 of each, one rounding.
  private func formula(_ view: TextureView, _ u: Float, _ v: Float, _ edge: TextureEdge) -> UInt32 {
    func fixed(_ value: Float, _ size: Int) -> Int {
      let place = value - 0.5
      return Int(bounded: (min(max(place, -2), Float(size) + 1) * 256).rounded(.toNearestOrEven))
    }
    let (x, y) = (fixed(u, view.width), fixed(v, view.height))
    func texel(_ x: Int, _ y: Int) -> UInt32 {
      let (column, row) = (min(max(x, 0), view.width - 1), min(max(y, 0), view.height - 1))
      if edge == .transparent, (column, row) != (x, y) { return 0 }
      return view.pixels[row * view.stride + column]
    }
    let (fx, fy) = (x & 255, y & 255)
    let both = (fx * fy + 128) >> 8
    let weights = [256 - fx - fy + both, fx - both, fy - both, both]
    let texels = [
      texel(x >> 8, y >> 8), texel((x >> 8) + 1, y >> 8), texel(x >> 8, (y >> 8) + 1),
      texel((x >> 8) + 1, (y >> 8) + 1),
    ]
    return (0..<4).reduce(0) { pixel, channel in
      let sum = zip(texels, weights).reduce(128) { $0 + Int($1.0 >> UInt32(8 * channel) & 255) * $1.1 }
      return pixel | UInt32(sum >> 8) << UInt32(8 * channel)
    }
  }

  @Test(arguments: [(1, 1), (1, 5), (2, 2), (5, 1), (7, 3), (16, 16)])
  func samplesAreMixedOfFourTexels(_ width: Int, _ height: Int) throws {
    let texture = texture(width, height)
    let view = texture.level(0)
    var random = Random(state: 7)
    for _ in 0..<2000 {
      var u = SIMD4<Float>.zero, v = SIMD4<Float>.zero
      for lane in 0..<4 {
        u[lane] = Float(random.next(below: (width + 4) * 512)) / 512 - 2
        v[lane] = Float(random.next(below: (height + 4) * 512)) / 512 - 2
      }
      let clamped = sampleLinear(view, u, v, .clamp), cut = sampleLinear(view, u, v, .transparent)
      let row = LinearRow(view, v: v[0])
      #expect((row == nil) == (min(width, height) < 2))
      let line = row?.sample(u)
      for lane in 0..<4 {
        #expect(clamped[lane] == formula(view, u[lane], v[lane], .clamp))
        #expect(cut[lane] == formula(view, u[lane], v[lane], .transparent))
        if let line { #expect(line[lane] == formula(view, u[lane], v[0], .clamp)) }
      }
    }
  }

  @Test func placesThatAreNoNumbersAreNoTrap() {
    let texture = texture(4, 4)
    for wild in [Float.nan, .infinity, -.infinity, 1e30, -1e30] {
      for edge in [TextureEdge.clamp, .transparent] {
        _ = sampleLinear(texture.level(0), SIMD4(repeating: wild), SIMD4(1, wild, 2, 3), edge)
      }
      _ = LinearRow(texture.level(0), v: wild)?.sample(SIMD4(wild, 1, 2, wild))
    }
  }
}
