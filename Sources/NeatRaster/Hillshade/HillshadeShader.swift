import NeatBase

/// The light's formulas, on slopes whose Mercator stretching is taken out: four samples at a time, each channel of
/// their colours by itself. Colours are premultiplied.
struct HillshadeShader {
  private struct Light {
    var azimuth: Float
    var cosAzimuth: Float
    var sinAzimuth: Float
    var cosAltitude: Float
    var sinAltitude: Float
    var shadow: SIMD4<Float>
    var highlight: SIMD4<Float>
  }

  private let method: HillshadeMethod
  private let exaggeration: Float
  private let accent: SIMD4<Float>
  /// Of the standard method: the logarithm of what slopes are powers of, and what scales them; nil where the slope's
  /// own angle counts, or one that is hardly another, where the powers differ by too little.
  private let power: (logarithm: Float, scale: Float)?
  private let lights: [Light]

  init(_ paint: HillshadePaint) {
    func premultiplied(_ c: Color) -> SIMD4<Float> { SIMD4(c.r * c.a, c.g * c.a, c.b * c.a, c.a) }
    method = paint.method
    exaggeration = paint.exaggeration
    accent = premultiplied(paint.accent)
    let base = 1.875 - exaggeration * 1.75, steepest = Float.pi / 2
    power = abs(exaggeration - 0.5) < 1e-3 ? nil : (logf(base), steepest / (powf(base, steepest) - 1))
    lights = paint.lights.map { light in
      let azimuth = light.azimuth + .pi
      return Light(
        azimuth: azimuth.truncatingRemainder(dividingBy: 2 * .pi), cosAzimuth: cosf(azimuth),
        sinAzimuth: sinf(azimuth),
        cosAltitude: cosf(light.altitude),
        sinAltitude: sinf(light.altitude), shadow: premultiplied(light.shadow),
        highlight: premultiplied(light.highlight))
    }
  }

  /// The colours of four samples.
  /// - Parameters:
  ///   - x, y: their slopes to the east and to the south.
  func callAsFunction(_ x: SIMD4<Float>, _ y: SIMD4<Float>) -> Pixels4 {
    switch method {
    case .standard: return standard(x, y).packed
    case .igor: return igor(x * exaggeration * 2, y * exaggeration * 2).packed
    case .combined: return combined(x * exaggeration * 2, y * exaggeration * 2).packed
    case .basic: return lit(lights[0], x * exaggeration * 2, y * exaggeration * 2).packed
    case .multidirectional:
      var sum = lit(lights[0], x * exaggeration * 2, y * exaggeration * 2)
      for light in lights.dropFirst() { sum = sum + lit(light, x * exaggeration * 2, y * exaggeration * 2) }
      return (sum * (1 / Float(lights.count))).packed
    }
  }

  @inline(__always) private func length(_ x: SIMD4<Float>, _ y: SIMD4<Float>) -> SIMD4<Float> {
    (x * x + y * y).squareRoot()
  }

  /// 0 where the slope faces away from the light, 1 where it faces it.
  @inline(__always) private func facing(_ x: SIMD4<Float>, _ y: SIMD4<Float>) -> SIMD4<Float> {
    let level = SIMD4(repeating: -Float.pi / 2).replacing(with: Float.pi / 2, where: y .> 0)
    let aspect = arcTangent(y, over: -x).replacing(with: level, where: x .== 0)
    let turn = (aspect + lights[0].azimuth) / .pi + 0.5
    let odd = turn - 2 * pointwiseFloor(turn / 2) - 1
    return odd.replacing(with: -odd, where: odd .< 0)
  }

  @inline(__always) private func standard(_ x: SIMD4<Float>, _ y: SIMD4<Float>) -> FourColors {
    let steep = 0.625 * length(x, y)
    let sine, cosine: SIMD4<Float>
    if let power {
      let angle = arcTangent(steep, over: .one)
      (sine, cosine) = sineAndCosine((exponential(angle * power.logarithm) - 1) * power.scale)
    } else {
      cosine = 1 / (1 + steep * steep).squareRoot()
      sine = steep * cosine
    }
    let strength = min(max(exaggeration * 2, 0), 1)
    let accented = FourColors(accent) * ((1 - cosine) * strength)
    let share = facing(x, y)
    let shade = mix(lights[0], 1 - share, share) * (sine * strength)
    return accented * (1 - shade.alpha) + shade
  }

  @inline(__always) private func igor(_ x: SIMD4<Float>, _ y: SIMD4<Float>) -> FourColors {
    let steepness = arcTangent(length(x, y), over: .one) * (2 / Float.pi)
    let highlight = facing(x, y)
    return mix(lights[0], steepness * (1 - highlight), steepness * highlight)
  }

  /// The cosine of the angle between surface and light.
  @inline(__always)
  private func cosine(_ light: Light, _ x: SIMD4<Float>, _ y: SIMD4<Float>) -> SIMD4<Float> {
    let along =
      y * light.cosAzimuth * light.cosAltitude - x * light.sinAzimuth * light.cosAltitude
    return (light.sinAltitude - along) / (1 + x * x + y * y).squareRoot()
  }

  @inline(__always)
  private func lit(_ light: Light, _ x: SIMD4<Float>, _ y: SIMD4<Float>) -> FourColors {
    // From -1, where it is all in shadow.
    let shade = pointwiseMin(pointwiseMax(cosine(light, x, y), .zero), .one) * 2 - 1
    return mix(light, pointwiseMax(-shade, .zero), pointwiseMax(shade, .zero))
  }

  @inline(__always) private func combined(_ x: SIMD4<Float>, _ y: SIMD4<Float>) -> FourColors {
    let half = Float.pi / 2
    let cosine = pointwiseMin(pointwiseMax(cosine(lights[0], x, y), .zero), .one)
    let angle = arcTangent((1 - cosine * cosine).squareRoot(), over: cosine)
    let steepness = arcTangent(length(x, y), over: .one) * (4 / Float.pi / Float.pi)
    return mix(lights[0], angle * steepness, (half - angle) * steepness)
  }

  @inline(__always)
  private func mix(_ light: Light, _ shadow: SIMD4<Float>, _ highlight: SIMD4<Float>) -> FourColors {
    FourColors(light.shadow) * shadow + FourColors(light.highlight) * highlight
  }
}

/// Four premultiplied colours, channel by channel.
private struct FourColors {
  var red, green, blue, alpha: SIMD4<Float>

  @inline(__always)
  init(_ red: SIMD4<Float>, _ green: SIMD4<Float>, _ blue: SIMD4<Float>, _ alpha: SIMD4<Float>) {
    (self.red, self.green, self.blue, self.alpha) = (red, green, blue, alpha)
  }

  /// The same four times.
  @inline(__always) init(_ color: SIMD4<Float>) {
    self.init(
      SIMD4(repeating: color.x), SIMD4(repeating: color.y), SIMD4(repeating: color.z),
      SIMD4(repeating: color.w))
  }

  @inline(__always) static func * (a: FourColors, b: SIMD4<Float>) -> FourColors {
    FourColors(a.red * b, a.green * b, a.blue * b, a.alpha * b)
  }

  @inline(__always) static func * (a: FourColors, b: Float) -> FourColors { a * SIMD4(repeating: b) }

  @inline(__always) static func + (a: FourColors, b: FourColors) -> FourColors {
    FourColors(a.red + b.red, a.green + b.green, a.blue + b.blue, a.alpha + b.alpha)
  }

  /// No channel is above alpha.
  @inline(__always) var packed: Pixels4 {
    let most = FourColors.bytes(alpha, .one * 255)
    let (r, g, b) = (FourColors.bytes(red, most), FourColors.bytes(green, most), FourColors.bytes(blue, most))
    return roundedBytes(r) | roundedBytes(g) &<< 8 | roundedBytes(b) &<< 16 | roundedBytes(most) &<< 24
  }

  /// What is not a number is 0.
  @inline(__always) private static func bytes(_ value: SIMD4<Float>, _ most: SIMD4<Float>) -> SIMD4<Float> {
    let level = value * 255
    let low = level.replacing(with: 0, where: .!(level .> 0))
    return low.replacing(with: most, where: low .> most)
  }
}
