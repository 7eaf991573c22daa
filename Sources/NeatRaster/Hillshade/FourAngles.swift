// What shades are made of, four numbers at a time: angles and their sines are right to 2^-21, powers to as much of
// themselves, where colours have 8 bits. The polynomials are those of Cephes (S. Moshier, netlib.org/cephes).
import NeatBase

/// The greatest whole numbers that are not greater, of numbers in -2^22...2^22.
@inline(__always) func pointwiseFloor(_ a: SIMD4<Float>) -> SIMD4<Float> {
  let nearest = (a + 12_582_912) - 12_582_912
  return nearest.replacing(with: nearest - 1, where: nearest .> a)
}

/// The angle of (x, y), -π...π; that of (0, 0) is 0.
@inline(__always) func arcTangent(_ y: SIMD4<Float>, over x: SIMD4<Float>) -> SIMD4<Float> {
  let (across, up) = (x.replacing(with: -x, where: x .< 0), y.replacing(with: -y, where: y .< 0))
  let isSteep = up .> across
  let (small, large) = (
    up.replacing(with: across, where: isSteep), across.replacing(with: up, where: isSteep)
  )
  // The tangent of at most an eighth of a turn; above a sixteenth, of what is left of that.
  let tangent = small / large.replacing(with: 1, where: large .== 0)
  let isWide = tangent .> 0.414_213_562
  let t = tangent.replacing(with: (tangent - 1) / (tangent + 1), where: isWide)
  let z = t * t
  let sum =
    ((z * 8.053_744_495_38e-2 - 1.387_768_560_32e-1) * z + 1.997_771_064_78e-1) * z - 3.333_294_915_39e-1
  var angle = sum * z * t + t
  angle += SIMD4<Float>.zero.replacing(with: Float.pi / 4, where: isWide)
  angle.replace(with: Float.pi / 2 - angle, where: isSteep)
  angle.replace(with: Float.pi - angle, where: x .< 0)
  return angle.replacing(with: -angle, where: y .< 0)
}

/// Of angles of 0...π/2.
@inline(__always) func sineAndCosine(_ angle: SIMD4<Float>) -> (sine: SIMD4<Float>, cosine: SIMD4<Float>) {
  // Those of an eighth of a turn less, turned back.
  let a = angle - Float.pi / 4
  let z = a * a
  let sine = ((z * -1.951_529_589_1e-4 + 8.332_160_873_6e-3) * z - 1.666_665_461_1e-1) * z * a + a
  let fourth = (z * 2.443_315_711_81e-5 - 1.388_731_625_49e-3) * z + 4.166_664_568_3e-2
  let cosine = fourth * z * z - z * 0.5 + 1
  let half = Float(0.5).squareRoot()
  return ((cosine + sine) * half, (cosine - sine) * half)
}

/// e to powers of -80...80.
@inline(__always) func exponential(_ power: SIMD4<Float>) -> SIMD4<Float> {
  let low = power.replacing(with: -80, where: .!(power .> -80))
  let x = low.replacing(with: 80, where: low .> 80)
  let whole = roundedIntegers(x * 1.442_695_04)
  let n = SIMD4<Float>(whole)
  let r = x - n * 0.693_359_375 + n * 2.121_944_4e-4
  let first = (r * 1.987_569_15e-4 + 1.398_199_950_7e-3) * r + 8.333_451_907_3e-3
  let sum = ((first * r + 4.166_579_589_4e-2) * r + 1.666_666_545_9e-1) * r + 5.000_000_120_1e-1
  let scale = unsafeBitCast((whole &+ 127) &<< 23, to: SIMD4<Float>.self)
  return (sum * r * r + r + 1) * scale
}
