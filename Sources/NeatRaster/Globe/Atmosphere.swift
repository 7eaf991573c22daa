// The air around the globe: light scattered towards the eye, summed along each pixel's ray. The model (Rayleigh and
// Mie scattering, five steps along the ray with three towards the sun from each) and its constants are those of
// MapLibre GL JS's atmosphere, after wwwtyro's glsl-atmosphere.

import NeatBase

package struct Atmosphere: Sendable {
  private let middle: SIMD2<Double>
  private let focal: Double
  /// The eye in metres from the globe's middle: x right, y up, z towards the eye.
  private let origin: SIMD3<Double>
  private let sun: SIMD3<Double>
  /// 0...1.
  private let blend: Double

  private static let planet = 6371e3
  private static let top = 6471e3
  private static let rayleigh = SIMD3(5.5e-6, 13.0e-6, 22.4e-6)
  private static let mie = 21e-6
  private static let lean = 0.758

  /// - Parameters:
  ///   - middle: where the camera's centre is seen, device pixels.
  ///   - focal: device pixels from the eye to the picture.
  ///   - globe: the globe's middle from the eye, in radii of it.
  package init(
    middle: SIMD2<Double>, focal: Double, globe: SIMD3<Double>, sun: SIMD3<Double>, blend: Double
  ) {
    (self.middle, self.focal) = (middle, focal)
    origin = globe * -Self.planet
    self.sun = Self.unit(sun)
    self.blend = blend
  }

  private static func unit(_ v: SIMD3<Double>) -> SIMD3<Double> {
    let size = (v * v).sum().squareRoot()
    return size > 0 ? v / size : v
  }

  package func draw(_ band: Band) {
    for y in band.y0..<band.y1 {
      let row = band.row(y)
      var x = 0
      var start = seen(0, y)
      while x < band.width {
        let end = seen(x + Self.stretch, y)
        let pixels = row + x
        let count = min(Self.stretch, band.width - x)
        if start.isGround, end.isGround, Self.isNear(start.color, end.color) {
          for number in 0..<count { Self.put(Self.between(start.color, end.color, number), pixels + number) }
        } else {
          Self.put(start.color, pixels)
          for number in 1..<max(1, count) { Self.put(seen(x + number, y).color, pixels + number) }
        }
        (x, start) = (x + Self.stretch, end)
      }
    }
  }

  /// Before the ground the light changes slowly: where it is nearly the same at both ends of so many pixels, those
  /// between lie between.
  private static let stretch = 8
  private static let near: UInt32 = 4

  /// The light at a pixel, and whether the ground lies behind it.
  private func seen(_ x: Int, _ y: Int) -> (color: UInt32, isGround: Bool) {
    let away = (SIMD2(Double(x) + 0.5, Double(y) + 0.5) - middle) / focal
    return color(Self.unit(SIMD3(away.x, -away.y, -1)))
  }

  @inline(__always) private static func put(_ color: UInt32, _ pixel: UnsafeMutablePointer<UInt32>) {
    if color != 0 { pixel.pointee = over(pixel.pointee, color) }
  }

  private static func isNear(_ a: UInt32, _ b: UInt32) -> Bool {
    for shift in stride(from: UInt32(0), to: 32, by: 8) {
      let (p, q) = (a >> shift & 255, b >> shift & 255)
      if max(p, q) - min(p, q) > near { return false }
    }
    return true
  }

  /// The share `number` of `stretch` of the way between two colours.
  @inline(__always) private static func between(_ a: UInt32, _ b: UInt32, _ number: Int) -> UInt32 {
    let t = UInt32(truncatingIfNeeded: number)
    // Two channels in a word: eight times 255 and a half are below 2^16.
    func mixed(_ p: UInt32, _ q: UInt32) -> UInt32 {
      ((p &* (8 &- t) &+ q &* t &+ 0x0004_0004) &>> 3) & 0x00FF_00FF
    }
    return mixed(a & 0x00FF_00FF, b & 0x00FF_00FF)
      | mixed(a &>> 8 & 0x00FF_00FF, b &>> 8 & 0x00FF_00FF) &<< 8
  }

  /// Light over a pixel: it may be brighter than what it covers, so that sums are held at white.
  private static func over(_ below: UInt32, _ light: UInt32) -> UInt32 {
    let rest = Blend.scale(below, 255 - light >> 24)
    var result: UInt32 = 0
    for shift in stride(from: UInt32(0), to: 32, by: 8) {
      result |= min((rest >> shift & 255) + (light >> shift & 255), 255) << shift
    }
    return result
  }

  /// Where a ray enters and leaves a ball around the middle; nil where it passes it by.
  private static func ball(_ from: SIMD3<Double>, _ ray: SIMD3<Double>, _ radius: Double) -> SIMD2<Double>? {
    let b = (ray * from).sum(), c = (from * from).sum() - radius * radius
    let square = b * b - c
    guard square >= 0 else { return nil }
    return SIMD2(-b - square.squareRoot(), -b + square.squareRoot())
  }

  /// The colour seen along a ray, as bytes. Not quite premultiplied: light adds to what it does not cover.
  private func color(_ ray: SIMD3<Double>) -> (color: UInt32, isGround: Bool) {
    guard var part = Self.ball(origin, ray, Self.top), part.y > 0 else { return (0, false) }
    part.x = max(part.x, 0)
    var isGround = false
    if let ground = Self.ball(origin, ray, Self.planet), ground.x > 0 {
      (part.y, isGround) = (min(part.y, ground.x), true)
    }
    let step = (part.y - part.x) / 5
    var rayleigh = SIMD3<Double>.zero, mie = SIMD3<Double>.zero
    var depth = SIMD2<Double>.zero
    var time = part.x + step / 2
    for _ in 0..<5 {
      let place = origin + ray * time
      let (own, onwards) = densities(place)
      let here = own * step
      depth += here
      let dim = Self.rayleigh * -(depth.x + onwards.x) - Self.mie * (depth.y + onwards.y)
      let dimmed = exponentials(SIMD4(Float(dim.x), Float(dim.y), Float(dim.z), 0))
      let left = SIMD3(Double(dimmed.x), Double(dimmed.y), Double(dimmed.z))
      rayleigh += left * here.x
      mie += left * here.y
      time += step
    }
    return (Self.bytes(light(ray, rayleigh, mie), blend), isGround)
  }

  /// Densities of both kinds of what scatters, of those at the ground: at a place, and summed from there towards the
  /// sun.
  @inline(__always) private func densities(_ place: SIMD3<Double>) -> (
    here: SIMD2<Double>, onwards: SIMD2<Double>
  ) {
    let step = (Self.ball(place, sun, Self.top)?.y ?? 0) / 3
    func height(_ place: SIMD3<Double>) -> Float { Float((place * place).sum().squareRoot() - Self.planet) }
    let heights = SIMD4(
      height(place), height(place + sun * (step * 0.5)), height(place + sun * (step * 1.5)),
      height(place + sun * (step * 2.5)))
    let rayleigh = exponentials(heights * (-1 / 8e3)), mie = exponentials(heights * (-1 / 1.2e3))
    let sum = SIMD2(
      Double(rayleigh.y + rayleigh.z + rayleigh.w), Double(mie.y + mie.z + mie.w))
    return (SIMD2(Double(rayleigh.x), Double(mie.x)), sum * step)
  }

  /// Red, green, blue, and what of the light behind comes through.
  private func light(_ ray: SIMD3<Double>, _ rayleigh: SIMD3<Double>, _ mie: SIMD3<Double>) -> SIMD4<Double> {
    let cosine = (ray * sun).sum(), g = Self.lean, square = cosine * cosine
    let phase = SIMD2(
      3 / (16 * Double.pi) * (1 + square),
      3 / (8 * Double.pi) * ((1 - g * g) * (square + 1))
        / (pow(max(1 + g * g - 2 * cosine * g, 1e-9), 1.5) * (2 + g * g)))
    func size(_ v: SIMD3<Double>) -> Double { (v * v).sum().squareRoot() }
    let through = exp(-(size(Self.rayleigh) * size(rayleigh) + Self.mie * size(mie)))
    let color = (Self.rayleigh * rayleigh * phase.x + mie * (Self.mie * phase.y)) * 22
    return SIMD4(color, through)
  }

  private static func bytes(_ light: SIMD4<Double>, _ blend: Double) -> UInt32 {
    func channel(_ value: Double) -> UInt32 {
      UInt32(saturating: (min(max(value, 0), 1) * blend * 255).rounded())
    }
    func gamma(_ value: Double) -> Double { pow(max(value, 0), 1 / 2.2) }
    let (r, g, b) = (gamma(1 - exp(-light.x)), gamma(1 - exp(-light.y)), gamma(1 - exp(-light.z)))
    return channel(r) | channel(g) << 8 | channel(b) << 16 | channel(1 - gamma(light.w)) << 24
  }
}

/// e to the power of each, to six digits and more; nothing below e^-87, and no more than e^88.
@inline(__always) private func exponentials(_ powers: SIMD4<Float>) -> SIMD4<Float> {
  let held = powers.clamped(lowerBound: SIMD4(repeating: -87), upperBound: SIMD4(repeating: 88))
  // Added to this, a number's lowest bits are the nearest whole one; whatever it is, nothing is converted.
  let magic = SIMD4<Float>(repeating: 12_582_912)
  let shifted = held * 1.442_695_04 + magic
  // The rest is at most half a power of two: six terms of its series.
  let x = held - (shifted - magic) * 0.693_147_18
  var series = SIMD4<Float>(repeating: 1.0 / 720)
  series = series * x + 1.0 / 120
  series = series * x + 1.0 / 24
  series = series * x + 1.0 / 6
  series = series * x + 0.5
  series = series * x + 1
  series = series * x + 1
  let whole = unsafeBitCast(shifted, to: SIMD4<Int32>.self) &- 0x4B40_0000
  return series * unsafeBitCast((whole &+ 127) &<< 23, to: SIMD4<Float>.self)
}
