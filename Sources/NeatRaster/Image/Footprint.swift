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
    let ratio = area > 0 ? min(max(square / area, 1), limit) : limit
    count = Int32(saturating: ratio.rounded(.toNearestOrEven))
    rate = square.squareRoot() / ratio
  }

  static let one = Footprint(right: SIMD2(1, 0), down: SIMD2(0, 1), limit: 1)

  /// What samples are taken at where anisotropic filtering is on.
  static let limit: Float = 16

  /// The mean of the samples around a place, both in the texels of the texture's full size.
  @inline(__always) func mean(_ place: SIMD2<Float>, _ sample: (SIMD2<Float>) -> SIMD4<Float>) -> SIMD4<Float> {
    guard count > 1 else { return sample(place) }
    let step = major / Float(count)
    var at = place - step * (0.5 * Float(count - 1))
    var sum = SIMD4<Float>.zero
    for _ in 0..<count {
      sum += sample(at)
      at += step
    }
    return sum / Float(count)
  }
}
