// The light of fill-extrusion layers, worked out at each corner as MapLibre's vertex shader does.
import NeatBase

/// The style's light, as the formulas want it.
package struct ExtrusionLight: Sendable {
  /// Cartesian position of the light, in the tile's axes (x east, y south, z up), turned by the map's bearing
  /// where it is anchored to the viewport.
  package var position: SIMD3<Float>
  package var color: SIMD3<Float>
  /// 0...1.
  package var intensity: Float

  package init(position: SIMD3<Float>, color: SIMD3<Float>, intensity: Float) {
    self.position = position
    self.color = color
    self.intensity = intensity
  }

  /// From the style's spherical position: radius, azimuth (degrees clockwise from north), polar angle
  /// (degrees from straight above); `turn` in radians turns it about the vertical axis.
  package static func position(radial: Float, azimuth: Float, polar: Float, turn: Float = 0) -> SIMD3<Float> {
    let a = (azimuth + 90) * .pi / 180
    let p = polar * .pi / 180
    let (x, y, z) = (radial * cosf(a) * sinf(p), radial * sinf(a) * sinf(p), radial * cosf(p))
    return SIMD3(x * cosf(turn) - y * sinf(turn), x * sinf(turn) + y * cosf(turn), z)
  }

  /// The colour of a corner, 0...1, opaque; `alpha` of the colour is not looked at.
  ///
  /// - Parameters:
  ///   - normal: unit length, in the tile's axes.
  ///   - base, height: of the extrusion, metres.
  ///   - isTop: whether the corner is at the height rather than at the base.
  ///   - hasGradient: fill-extrusion-vertical-gradient, which darkens walls towards the ground.
  package func shade(
    _ color: Color, normal: SIMD3<Float>, base: Float, height: Float, isTop: Bool, hasGradient: Bool
  ) -> SIMD3<Float> {
    let luminance = color.r * 0.2126 + color.g * 0.7152 + color.b * 0.0722
    let surface = SIMD3(color.r, color.g, color.b) + 0.03
    let directional = directional(
      normal, bright: max(1 - luminance + intensity, 1), base: base, height: height, isTop: isTop,
      hasGradient: hasGradient)
    return held(surface * directional * self.color)
  }

  /// What the colours of a pattern are multiplied by at a corner; see `shade`.
  package func patternShade(
    normal: SIMD3<Float>, base: Float, height: Float, isTop: Bool, hasGradient: Bool
  ) -> SIMD3<Float> {
    // MapLibre's formula divides by one less than the normals' length.
    let directional = directional(
      normal * (16384.0 / 16383), bright: max(0.5 + intensity, 1), base: base, height: height, isTop: isTop,
      hasGradient: hasGradient)
    return held(directional * self.color)
  }

  private func directional(
    _ normal: SIMD3<Float>, bright: Float, base: Float, height: Float, isTop: Bool, hasGradient: Bool
  ) -> Float {
    let facing = min(max((normal * position).sum(), 0), 1)
    let dark = 1 - intensity
    let directional = dark + (bright - dark) * facing
    // Walls, but for those that face due east or west: MapLibre tells walls by this component.
    guard abs(normal.y) >= 1.0 / 16384 && hasGradient else { return directional }
    let (low, high) = (max(base, 0), max(height, 0))
    let least = 0.7 + (0.98 - 0.7) * (1 - intensity)
    let ramp = ((isTop ? 1 : 0) + low) * (high / 150).squareRoot()
    return directional * min(max(ramp, least), 1)
  }

  /// A lit colour in its bounds: not below a part of what the light's colour lacks.
  private func held(_ lit: SIMD3<Float>) -> SIMD3<Float> {
    let floor = 0.3 * (1 - self.color)
    return lit.clamped(lowerBound: pointwiseMin(floor, SIMD3(repeating: 1)), upperBound: SIMD3(repeating: 1))
  }
}
