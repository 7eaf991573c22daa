// Shaded relief from elevations, in MapLibre's two steps: slopes by Sobel's operator, kept as 8 bits a
// direction (-4...4), then light. Slopes are enlarged at low zooms, where relief would hardly be seen
// otherwise.
import NeatBase

package enum HillshadeMethod: Sendable {
  case standard, basic, combined, igor, multidirectional
}

/// A source of light.
package struct HillshadeLight: Sendable {
  /// Radians clockwise from north; less the map's bearing where the anchor is the viewport.
  package var azimuth: Float
  /// Radians above the horizon.
  package var altitude: Float
  package var shadow: Color
  package var highlight: Color

  package init(azimuth: Float, altitude: Float = 45 * .pi / 180, shadow: Color, highlight: Color) {
    self.azimuth = azimuth
    self.altitude = altitude
    self.shadow = shadow
    self.highlight = highlight
  }
}

package struct HillshadePaint: Sendable {
  package var method: HillshadeMethod
  /// 0...1.
  package var exaggeration: Float
  package var accent: Color
  /// At least one; only the multidirectional method looks past the first.
  package var lights: [HillshadeLight]

  package init(
    method: HillshadeMethod = .standard, exaggeration: Float = 0.5, accent: Color = .black,
    lights: [HillshadeLight]
  ) {
    precondition(!lights.isEmpty)
    self.method = method
    self.exaggeration = exaggeration
    self.accent = accent
    self.lights = lights
  }
}

/// The relief of a tile as a texture of its size, to be drawn like a raster tile.
///
/// - Parameters:
///   - zoom: the tile's own zoom.
///   - north, south: latitudes of its edges, in degrees; Mercator's stretching is taken out of the slopes.
package func hillshade(_ tile: ElevationTile, zoom: Int, north: Double, south: Double, paint: HillshadePaint)
  -> Texture
{
  let shader = HillshadeShader(paint)
  let scale = slopeScale(size: tile.size, zoom: zoom)
  return Texture(width: tile.size, height: tile.size) { pixels in
    for y in 0..<tile.size {
      let latitude = north + (south - north) * (Double(y) + 0.5) / Double(tile.size)
      let stretch = Float(1 / max(cos(latitude * .pi / 180), 1e-3))
      for x in 0..<tile.size {
        let slope = slope(tile.samples + y * tile.stride + x, tile.stride) * scale
        // What an 8-bit texture keeps of it.
        let kept = (slope / 8 + 0.5).clamped(lowerBound: .zero, upperBound: .one)
        let quantized = (kept * 255).rounded(.toNearestOrEven) / 255
        pixels[y * tile.size + x] = packed(shader((quantized * 8 - 4) * stretch))
      }
    }
  }
}

/// Sobel's sums around a sample, to the east and to the south.
@inline(__always) private func slope(_ p: UnsafePointer<Float>, _ stride: Int) -> SIMD2<Float> {
  let (a, b, c) = (p[-stride - 1], p[-stride], p[-stride + 1])
  let (d, f) = (p[-1], p[1])
  let (g, h, i) = (p[stride - 1], p[stride], p[stride + 1])
  return SIMD2((c + f + f + i) - (a + d + d + g), (g + h + h + i) - (a + b + b + c))
}

/// From Sobel's sums to slopes: over 8 times the metres of a sample (2^28.2562 is 8 × the earth's
/// circumference), times the enlargement.
private func slopeScale(size: Int, zoom: Int) -> Float {
  let factor = zoom < 2 ? 0.4 : Double(zoom) < 4.5 ? 0.35 : 0.3
  let enlargement = zoom < 15 ? Double(zoom - 15) * factor : 0
  return Float(Double(size) / pow(2, enlargement + 28.2562 - Double(zoom)))
}

private func packed(_ color: SIMD4<Float>) -> UInt32 {
  let alpha = min(max(color.w, 0), 1) * 255
  let low = (color * 255).replacing(with: 0, where: color .< 0)
  let value = roundedBytes(low.replacing(with: alpha, where: low .> alpha))
  return value.x | value.y << 8 | value.z << 16 | value.w << 24
}

/// The light's formulas, on slopes whose Mercator stretching is taken out. Colours are premultiplied.
private struct HillshadeShader {
  private struct Light {
    var azimuth: Float
    var cosAzimuth: Float
    var sinAzimuth: Float
    var cosAltitude: Float
    var sinAltitude: Float
    var shadow: SIMD4<Float>
    var highlight: SIMD4<Float>
  }

  let method: HillshadeMethod
  let exaggeration: Float
  let accent: SIMD4<Float>
  private let lights: [Light]

  init(_ paint: HillshadePaint) {
    func premultiplied(_ c: Color) -> SIMD4<Float> { SIMD4(c.r * c.a, c.g * c.a, c.b * c.a, c.a) }
    method = paint.method
    exaggeration = paint.exaggeration
    accent = premultiplied(paint.accent)
    lights = paint.lights.map { light in
      let azimuth = light.azimuth + .pi
      return Light(
        azimuth: azimuth, cosAzimuth: cosf(azimuth), sinAzimuth: sinf(azimuth),
        cosAltitude: cosf(light.altitude),
        sinAltitude: sinf(light.altitude), shadow: premultiplied(light.shadow),
        highlight: premultiplied(light.highlight))
    }
  }

  func callAsFunction(_ slope: SIMD2<Float>) -> SIMD4<Float> {
    switch method {
    case .standard: return standard(slope)
    case .igor: return igor(slope * exaggeration * 2)
    case .combined: return combined(slope * exaggeration * 2)
    case .basic: return lit(lights[0], slope * exaggeration * 2)
    case .multidirectional:
      var sum = SIMD4<Float>.zero
      for light in lights { sum += lit(light, slope * exaggeration * 2) / Float(lights.count) }
      return sum
    }
  }

  private func length(_ v: SIMD2<Float>) -> Float { (v.x * v.x + v.y * v.y).squareRoot() }

  /// 0 where the slope faces away from the light, 1 where it faces it.
  private func facing(_ slope: SIMD2<Float>) -> Float {
    let aspect = slope.x != 0 ? atan2f(slope.y, -slope.x) : Float.pi / 2 * (slope.y > 0 ? 1 : -1)
    let turn = (aspect + lights[0].azimuth) / .pi + 0.5
    return abs(turn - 2 * (turn / 2).rounded(.down) - 1)
  }

  private func standard(_ derivative: SIMD2<Float>) -> SIMD4<Float> {
    let slope = atanf(0.625 * length(derivative))
    let base = 1.875 - exaggeration * 1.75
    let steepest = Float.pi / 2
    let scaled = exaggeration != 0.5 ? (powf(base, slope) - 1) / (powf(base, steepest) - 1) * steepest : slope
    let strength = min(max(exaggeration * 2, 0), 1)
    let accented = accent * ((1 - cosf(scaled)) * strength)
    let share = facing(derivative)
    let shade = (lights[0].shadow * (1 - share) + lights[0].highlight * share) * (sinf(scaled) * strength)
    return accented * (1 - shade.w) + shade
  }

  private func igor(_ slope: SIMD2<Float>) -> SIMD4<Float> {
    let steepness = atanf(length(slope)) * 2 / .pi
    let highlight = facing(slope)
    return lights[0].shadow * (steepness * (1 - highlight)) + lights[0].highlight * (steepness * highlight)
  }

  /// The cosine of the angle between surface and light.
  private func cosine(_ light: Light, _ slope: SIMD2<Float>) -> Float {
    let along =
      slope.y * light.cosAzimuth * light.cosAltitude - slope.x * light.sinAzimuth * light.cosAltitude
    return (light.sinAltitude - along) / (1 + slope.x * slope.x + slope.y * slope.y).squareRoot()
  }

  private func lit(_ light: Light, _ slope: SIMD2<Float>) -> SIMD4<Float> {
    let shade = min(max(cosine(light, slope), 0), 1)
    return shade > 0.5 ? light.highlight * (2 * shade - 1) : light.shadow * (1 - 2 * shade)
  }

  private func combined(_ slope: SIMD2<Float>) -> SIMD4<Float> {
    let half = Float.pi / 2
    let angle = min(max(acosf(min(max(cosine(lights[0], slope), -1), 1)), 0), half)
    let steepness = atanf(length(slope)) * 4 / .pi / .pi
    return lights[0].shadow * (angle * steepness) + lights[0].highlight * ((half - angle) * steepness)
  }
}
