import NeatBase

/// Fog on the ground of a terrain.
package enum GroundFog: Sendable {
  /// That of the sky; points say how far away they are.
  case distant(DistantFog)
  /// That of the style's root; points say how much of it there is. Not premultiplied, 0...1.
  case dense(SIMD3<Float>)

  /// A colour (0...255) of which a point says so much.
  func callAsFunction(_ color: SIMD4<Float>, _ amount: Float) -> SIMD4<Float> {
    switch self {
    case .distant(let fog): fog(color, amount)
    case .dense(let mist): color + (SIMD4(mist * color.w, color.w) - color) * min(max(amount, 0), 1)
    }
  }
}

/// Fog that hides far ground, as MapLibre GL JS mixes it: in linear light.
package struct DistantFog: Sendable {
  /// Premultiplied, 0...1, in linear light.
  private let fog: SIMD4<Float>
  private let horizon: SIMD4<Float>
  /// Distances at which fog begins, and at which it takes the horizon's colour: 0...1.
  private let begin: Float
  private let turn: Float
  private let opacity: Float

  package init(
    fog: SIMD4<Float>, horizon: SIMD4<Float>, begin: Float, turn: Float, opacity: Float
  ) {
    self.fog = DistantFog.power(fog, 2.2)
    self.horizon = DistantFog.power(horizon, 2.2)
    (self.begin, self.turn, self.opacity) = (begin, turn, opacity)
  }

  private static func power(_ color: SIMD4<Float>, _ exponent: Float) -> SIMD4<Float> {
    SIMD4(
      powf(max(color.x, 0), exponent), powf(max(color.y, 0), exponent), powf(max(color.z, 0), exponent),
      powf(max(color.w, 0), exponent))
  }

  /// A colour (0...255) at a distance.
  func callAsFunction(_ color: SIMD4<Float>, _ distance: Float) -> SIMD4<Float> {
    let depth = min(max(distance, 0), 1)
    guard depth > begin else { return color }
    let share = turn < 1 ? min(max((depth - turn) / (1 - turn), 0), 1) : (depth > turn ? 1 : 0)
    let blend = share * share * (3 - 2 * share)
    let mist = fog + (horizon - fog) * blend
    let factor = begin < 1 ? (depth - begin) / (1 - begin) : 0
    let surface = DistantFog.power(color / 255, 2.2)
    return DistantFog.power(surface + (mist - surface) * (factor * factor * opacity), 1 / 2.2) * 255
  }
}
