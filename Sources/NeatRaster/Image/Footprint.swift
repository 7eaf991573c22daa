// What a pixel covers of a texture that is seen aslant: a strip of texels, which is sampled along its longer side. As
// anisotropic filters of rasterizers have it (up to 16 samples, after SwiftShader, by which the reference's pictures
// are drawn): the moves to the next pixel right and down are those within a block of two by two pixels.

import NeatBase

/// How one block of pixels lies on a texture.
struct Footprint: BitwiseCopyable {
  /// The longer of the moves to the next pixel right and to the one below, in texels.
  let major: SIMD2<Float>
  /// Samples along it, 1 to 16.
  let count: Int32
  /// Texels that one sample stands for.
  let rate: Float

  /// - Parameters:
  ///   - right, down: the moves in texels.
  ///   - limit: how many samples there may be: 1 for none but the middle one.
  @inline(__always) init(right: SIMD2<Float>, down: SIMD2<Float>, limit: Float) {
    let (x, y) = ((right * right).sum(), (down * down).sum())
    let square = max(x, y)
    major = x >= y ? right : down
    let area = abs(right.x * down.y - right.y * down.x)
    let share = square / area
    // Edge on: as many samples as there may be. Nothing moves, or it is not a number: one.
    let ratio = area > 0 && share <= limit ? max(share, 1) : square > 0 ? limit : 1
    // To the nearest whole number, or the even one: what is left of the lowest bits above 2^23.
    count = Int32(bitPattern: (ratio + 12_582_912).bitPattern &- 0x4B40_0000)
    rate = square.squareRoot() / ratio
  }

  static let one = Footprint(right: SIMD2(1, 0), down: SIMD2(0, 1), limit: 1)

  /// What samples are taken at where anisotropic filtering is on.
  static let limit: Float = 16

  /// The pixel that a texture shows at a place, in texels of its full size.
  @inline(__always) func pixel(_ texture: Texture, _ place: SIMD2<Float>) -> UInt32 {
    let view = texture.level(texture.levelCount > 1 ? texture.level(texelsPerPixel: rate) : 0)
    let scale = SIMD2(
      Float(view.width) / Float(texture.width), Float(view.height) / Float(texture.height))
    let middle = place * scale
    guard count > 1 else {
      return sampleLinear(view, SIMD4(repeating: middle.x), SIMD4(repeating: middle.y), .clamp)[0]
    }
    let step = major * scale / Float(count)
    var at = SIMD4<Float>(0, 1, 2, 3) - 0.5 * Float(count - 1)
    var low = SIMD4<UInt32>.zero, high = SIMD4<UInt32>.zero
    var left = count
    while left > 0 {
      var pixels = sampleLinear(view, at * step.x + middle.x, at * step.y + middle.y, .clamp)
      if left < 4 { pixels.replace(with: 0, where: SIMD4<Int32>(0, 1, 2, 3) .>= left) }
      low &+= pixels & 0x00FF_00FF
      high &+= (pixels &>> 8) & 0x00FF_00FF
      at += 4
      left -= 4
    }
    // Sixteen bytes of 255 are 4080: sums of two channels in a word do not meet.
    let (rb, ga) = (low.wrappedSum(), high.wrappedSum())
    let (whole, half) = (UInt32(bitPattern: count), UInt32(bitPattern: count) >> 1)
    func mean(_ sum: UInt32) -> UInt32 { ((sum & 0xFFFF) &+ half) / whole }
    return mean(rb) | mean(ga) << 8 | mean(rb >> 16) << 16 | mean(ga >> 16) << 24
  }
}
