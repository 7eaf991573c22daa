import NeatBase

/// The sky all around, by direction: what Mapbox styles have as a layer of type `sky`.
package struct SkyDome: Sendable {
  package enum Paint: Sendable {
    /// Colours (premultiplied, at least one) from a direction outward, up to an angle in radians.
    case gradient(center: SIMD3<Float>, radius: Float, colors: [SIMD4<Float>])
    case atmosphere(SkyAtmosphere)
  }

  package var paint: Paint
  /// 0...1
  package var opacity: Float
  /// The direction through the frame's top left corner, and its change a pixel right and down: x east, y north,
  /// z up, of any length.
  package var corner: SIMD3<Float>
  package var right: SIMD3<Float>
  package var down: SIMD3<Float>
  /// Fog whose colour the dome has at the horizon.
  package var fog: Fog?

  package init(
    paint: Paint, opacity: Float, corner: SIMD3<Float>, right: SIMD3<Float>, down: SIMD3<Float>,
    fog: Fog? = nil
  ) {
    (self.paint, self.opacity, self.fog) = (paint, opacity, fog)
    (self.corner, self.right, self.down) = (corner, right, down)
  }

  package func draw(_ band: Band) {
    for y in band.y0..<band.y1 {
      let row = band.row(y)
      let start = corner + down * (Float(y) + 0.5)
      for x in 0..<band.width {
        let way = start + right * (Float(x) + 0.5)
        let length = (way * way).sum().squareRoot()
        guard length > 0 else { continue }
        var color = self.color(way / length) * opacity
        if let fog { color = fog.over(color, fog.horizon(way.z / length)) }
        color *= 255
        let bytes = SIMD4<UInt32>(
          saturating: color.clamped(lowerBound: .zero, upperBound: SIMD4(repeating: 255)).rounded(
            .toNearestOrAwayFromZero))
        Blend.span(
          row + x, 1, Premultiplied(bits: bytes.x | bytes.y << 8 | bytes.z << 16 | bytes.w << 24))
      }
    }
  }

  private func color(_ way: SIMD3<Float>) -> SIMD4<Float> {
    switch paint {
    case .gradient(let center, let radius, let colors):
      guard let last = colors.last else { return .zero }
      let angle = acosf(min(max((way * center).sum(), -1), 1))
      let place = radius > 0 ? angle / radius * Float(colors.count - 1) : Float(colors.count)
      guard place < Float(colors.count - 1) else { return last }
      let index = Int(bounded: place.rounded(.down))
      return colors[index] + (colors[index + 1] - colors[index]) * (place - Float(index))
    case .atmosphere(let air): return air.color(way)
    }
  }
}

/// Light of the sun that the air scatters towards the eye: single scattering by molecules (Rayleigh) and haze (Mie),
/// after Nishita's "Display of the Earth taking into account atmospheric scattering" (1993), tone mapped as the film
/// of "Uncharted 2" (Hable, 2010). It is computed at the points of a grid, by the height above the horizon and the
/// turn away from the sun.
package struct SkyAtmosphere: Sendable {
  private static let steps = 48
  private static let planet: Float = 6_360_000
  private static let air: Float = 6_420_000

  private let sun: SIMD2<Float>
  private let table: [SIMD3<Float>]

  /// - Parameters:
  ///   - sun: the direction to it: x east, y north, z up, of length 1.
  ///   - color, halo: what the scattering by molecules and by haze is tinted with, 0...1.
  package init(sun: SIMD3<Float>, intensity: Float, color: SIMD3<Float>, halo: SIMD3<Float>) {
    let across = (sun.x * sun.x + sun.y * sun.y).squareRoot()
    self.sun = across > 1e-6 ? SIMD2(sun.x, sun.y) / across : SIMD2(0, 1)
    // The sun stands in the plane of x and z.
    let light = SIMD3(across, 0, sun.z)
    let molecules = SIMD3<Float>(5.5e-6, 13.0e-6, 22.4e-6) * color
    let haze = SIMD3<Float>(repeating: 21e-6) * halo
    var table: [SIMD3<Float>] = []
    for row in 0...SkyAtmosphere.steps {
      for column in 0...SkyAtmosphere.steps {
        let t = Float(row) / Float(SkyAtmosphere.steps)
        let cosine = 1 - 2 * Float(column) / Float(SkyAtmosphere.steps)
        // Heights are denser near the horizon, where colours change most.
        let up = t * t * t
        let flat = max(0, 1 - up * up).squareRoot()
        let sine = max(0, 1 - cosine * cosine).squareRoot()
        var way = SIMD3(flat * cosine, flat * sine, up + 0.015)
        way /= (way * way).sum().squareRoot()
        table.append(SkyAtmosphere.film(SkyAtmosphere.light(way, light, intensity, molecules, haze)))
      }
    }
    self.table = table
  }

  func color(_ way: SIMD3<Float>) -> SIMD4<Float> {
    let up = max(way.z, 0)
    let across = (way.x * way.x + way.y * way.y).squareRoot()
    let cosine = across > 1e-6 ? (way.x * sun.x + way.y * sun.y) / across : 1
    let count = Float(SkyAtmosphere.steps)
    let y = min(powf(up, 1.0 / 3) * count, count - 1e-3),
      x = min(max((1 - cosine) / 2 * count, 0), count - 1e-3)
    let (row, column) = (Int(bounded: y.rounded(.down)), Int(bounded: x.rounded(.down)))
    let (fx, fy) = (x - Float(column), y - Float(row))
    func at(_ row: Int, _ column: Int) -> SIMD3<Float> { table[row * (SkyAtmosphere.steps + 1) + column] }
    let low = at(row, column) * (1 - fx) + at(row, column + 1) * fx
    let high = at(row + 1, column) * (1 - fx) + at(row + 1, column + 1) * fx
    return SIMD4(low * (1 - fy) + high * fy, 1)
  }

  /// How far a ray goes until it leaves a sphere around the planet's centre.
  private static func exit(_ point: SIMD3<Float>, _ way: SIMD3<Float>) -> Float {
    let b = (point * way).sum()
    let c = (point * point).sum() - air * air
    return max(0, -b + max(0, b * b - c).squareRoot())
  }

  /// Molecules and haze at a point.
  private static func density(_ point: SIMD3<Float>) -> SIMD2<Float> {
    let height = max((point * point).sum().squareRoot() - planet, 0)
    return SIMD2(expf(-height / 8000), expf(-height / 1200))
  }

  private static func light(
    _ way: SIMD3<Float>, _ sun: SIMD3<Float>, _ intensity: Float, _ molecules: SIMD3<Float>,
    _ haze: SIMD3<Float>
  ) -> SIMD3<Float> {
    let eye = SIMD3<Float>(0, 0, planet)
    let step = exit(eye, way) / 10
    var passed = SIMD2<Float>.zero
    var (byMolecules, byHaze) = (SIMD3<Float>.zero, SIMD3<Float>.zero)
    for number in 0..<10 {
      let point = eye + way * ((Float(number) + 0.5) * step)
      let here = density(point) * step
      passed += here
      let toSun = exit(point, sun) / 4
      var ahead = SIMD2<Float>.zero
      for sample in 0..<4 { ahead += density(point + sun * ((Float(sample) + 0.5) * toSun)) * toSun }
      let depth = molecules * (passed.x + ahead.x) + haze * (passed.y + ahead.y)
      let left = SIMD3(expf(-depth.x), expf(-depth.y), expf(-depth.z))
      byMolecules += left * here.x
      byHaze += left * here.y
    }
    let cosine = (way * sun).sum()
    let g: Float = 0.76
    let ray = 3 / (16 * Float.pi) * (1 + cosine * cosine)
    let mie =
      3 / (8 * Float.pi) * ((1 - g * g) * (1 + cosine * cosine))
      / ((2 + g * g) * powf(max(1 + g * g - 2 * g * cosine, 1e-6), 1.5))
    return (byMolecules * molecules * ray + byHaze * haze * mie) * intensity
  }

  private static func film(_ light: SIMD3<Float>) -> SIMD3<Float> {
    let x = light * 58.15
    let (above, below) = (x * (x * 0.15 + 0.05) + 0.004, x * (x * 0.15 + 0.5) + 0.06)
    let shown = (above / below - 0.02 / 0.3) * 1.0748725
    return shown.clamped(lowerBound: .zero, upperBound: .one)
  }
}
