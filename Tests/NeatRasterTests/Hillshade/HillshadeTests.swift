import NeatBase
import Testing

@testable import NeatRaster

private func terrarium(_ size: Int, _ elevation: (Int, Int) -> Float) throws -> ElevationTile {
  var bytes: [UInt8] = []
  for y in 0..<size {
    for x in 0..<size {
      let value = Int(bounded: (elevation(x, y) + 32768) * 256)
      bytes += [UInt8(value >> 16), UInt8(value >> 8 & 255), UInt8(value & 255), 255]
    }
  }
  return try ElevationTile(
    PixelImage(width: size, height: size, pixels: bytes, isPremultiplied: false), encoding: .terrarium)
}

@Suite struct ElevationTests {
  @Test func bothEncodingsAreRead() throws {
    let image = PixelImage(width: 1, height: 1, pixels: [1, 134, 160, 255], isPremultiplied: false)
    #expect(abs(try ElevationTile(image, encoding: .mapbox)[0, 0] - 0) < 0.01)
    let sea = PixelImage(width: 1, height: 1, pixels: [128, 10, 128, 255], isPremultiplied: false)
    #expect(try ElevationTile(sea, encoding: .terrarium)[0, 0] == 10.5)
  }

  @Test func theBorderRepeatsTheEdgeUntilNeighboursFillIt() throws {
    let tile = try terrarium(4) { x, y in Float(x + 10 * y) }
    #expect(tile[-1, -1] == 0 && tile[4, 2] == 23 && tile[1, 4] == 31 && tile[4, 4] == 33)
    let other = try terrarium(4) { x, y in Float(100 + x + 10 * y) }
    tile.fillBorder(from: other, dx: 1, dy: 0)
    #expect(tile[4, 2] == 120 && tile[4, 4] == 33)
    tile.fillBorder(from: other, dx: -1, dy: -1)
    #expect(tile[-1, -1] == 133 && tile[-1, 0] == 0)
    tile.fillBorder(from: other, dx: 0, dy: 1)
    #expect(tile[3, 4] == 103)
    tile.fillBorder(from: try terrarium(2) { _, _ in 7 }, dx: 0, dy: 1)
    #expect(tile[3, 4] == 103)
  }

  @Test func oblongPicturesAreRefused() {
    let image = PixelImage(
      width: 2, height: 1, pixels: [UInt8](repeating: 0, count: 8), isPremultiplied: false)
    #expect(throws: NeatError.self) { try ElevationTile(image, encoding: .mapbox) }
  }

  @Test func elevationsAreInterpolated() throws {
    let tile = try terrarium(4) { x, y in Float(x * 10 + y) }
    #expect(abs(tile.elevation(u: 1.5, v: 1.5) - 11) < 0.01)
    #expect(abs(tile.elevation(u: 2, v: 2) - 16.5) < 0.01)
    #expect(abs(tile.elevation(u: -50, v: .nan) - 0) < 0.01)
    #expect(abs(tile.elevation(u: 500, v: 500) - 33) < 0.01)
  }
}

@Suite struct HillshadeTests {
  private let light = HillshadeLight(azimuth: 335 * .pi / 180, shadow: .black, highlight: .white)

  private func shaded(
    _ method: HillshadeMethod, _ elevation: (Int, Int) -> Float, lights: [HillshadeLight]? = nil
  ) throws -> UInt32 {
    let tile = try terrarium(8, elevation)
    let texture = hillshade(
      tile, zoom: 12, north: 46.1, south: 46, paint: HillshadePaint(method: method, lights: lights ?? [light])
    )
    return texture.pixels[4 * 8 + 4]
  }

  @Test func flatLandStaysClearUnderTheStandardMethod() throws {
    // The middle of the scale is not a whole byte: a trace of slope is left, as in MapLibre.
    #expect(try shaded(.standard) { _, _ in 100 } >> 24 <= 8)
    #expect(try shaded(.igor) { _, _ in 100 } >> 24 <= 8)
    #expect(try shaded(.combined) { _, _ in 100 } >> 24 <= 8)
  }

  @Test func slopesTowardsTheLightAreBrightAndOthersDark() throws {
    // Zoom 12: about a kilometre a sample of this tiny tile.
    for method in [HillshadeMethod.standard, .basic, .combined, .igor, .multidirectional] {
      let north = try shaded(method) { _, y in Float(y) * 900 }
      let south = try shaded(method) { _, y in Float(7 - y) * 900 }
      #expect(channels(north)[0] > 60, "\(method)")
      #expect(channels(south)[0] < 60 && channels(south)[3] > 60, "\(method)")
    }
  }

  /// The formulas as they are written down, a sample at a time with the C library's functions.
  private func formula(_ paint: HillshadePaint, _ x: Float, _ y: Float) -> [Float] {
    func channels(_ c: Color) -> [Float] { [c.r * c.a, c.g * c.a, c.b * c.a, c.a] }
    func mix(_ light: HillshadeLight, _ shadow: Float, _ highlight: Float) -> [Float] {
      zip(channels(light.shadow), channels(light.highlight)).map { $0 * shadow + $1 * highlight }
    }
    let first = paint.lights[0], half = Float.pi / 2
    let aspect = x != 0 ? atan2f(y, -x) : y > 0 ? half : -half
    let turn = (aspect + first.azimuth + .pi) / .pi + 0.5
    let facing = abs(turn - 2 * (turn / 2).rounded(.down) - 1)
    let (sx, sy) = (x * paint.exaggeration * 2, y * paint.exaggeration * 2)
    let steep = (sx * sx + sy * sy).squareRoot()
    func cosine(_ light: HillshadeLight) -> Float {
      let (azimuth, altitude) = (light.azimuth + .pi, light.altitude)
      let along = sy * cosf(azimuth) * cosf(altitude) - sx * sinf(azimuth) * cosf(altitude)
      return (sinf(altitude) - along) / (1 + steep * steep).squareRoot()
    }
    func lit(_ light: HillshadeLight) -> [Float] {
      let shade = min(max(cosine(light), 0), 1)
      return shade > 0.5 ? mix(light, 0, 2 * shade - 1) : mix(light, 1 - 2 * shade, 0)
    }
    switch paint.method {
    case .basic: return lit(first)
    case .multidirectional:
      let all = paint.lights.map(lit)
      return (0..<4).map { channel in all.reduce(0) { $0 + $1[channel] } / Float(all.count) }
    case .igor: return mix(first, atanf(steep) / half * (1 - facing), atanf(steep) / half * facing)
    case .combined:
      let angle = min(max(acosf(min(max(cosine(first), -1), 1)), 0), half)
      let share = atanf(steep) * 4 / .pi / .pi
      return mix(first, angle * share, (half - angle) * share)
    case .standard:
      let slope = atanf(0.625 * (x * x + y * y).squareRoot())
      let base = 1.875 - paint.exaggeration * 1.75
      let scaled =
        paint.exaggeration == 0.5 ? slope : (powf(base, slope) - 1) / (powf(base, half) - 1) * half
      let strength = min(paint.exaggeration * 2, 1)
      let accent = channels(paint.accent).map { $0 * (1 - cosf(scaled)) * strength }
      let shade = mix(first, (1 - facing) * sinf(scaled) * strength, facing * sinf(scaled) * strength)
      return zip(accent, shade).map { $0 * (1 - shade[3]) + $1 }
    }
  }

  @Test(
    arguments: [HillshadeMethod.standard, .basic, .combined, .igor, .multidirectional],
    [Float(0.5), 0.1, 0.52, 1])
  func fourAtATimeAreAsOneByOne(_ method: HillshadeMethod, _ exaggeration: Float) {
    var random = Random(state: 15)
    let lights = (0..<3).map { number in
      HillshadeLight(
        azimuth: Float(number) * 2.3 - 1, altitude: 0.3 + Float(number) * 0.4,
        shadow: Color(r: 0.1, g: 0.3, b: 0.2, a: 0.9), highlight: Color(r: 1, g: 0.8, b: 0.4, a: 0.7))
    }
    let paint = HillshadePaint(
      method: method, exaggeration: exaggeration, accent: Color(r: 0.5, g: 0, b: 1, a: 0.6), lights: lights)
    let shader = HillshadeShader(paint)
    for round in 0..<500 {
      var (x, y) = (SIMD4<Float>.zero, SIMD4<Float>.zero)
      for lane in 0..<4 {
        x[lane] =
          round % 7 == lane ? 0 : (Float(random.next(below: 4001)) / 500 - 4) * (round % 3 == 0 ? 0.01 : 1)
        y[lane] = round % 5 == lane ? 0 : (Float(random.next(below: 4001)) / 500 - 4)
      }
      let four = shader(x, y)
      for lane in 0..<4 {
        let wanted = formula(paint, x[lane], y[lane]), alpha = min(max(wanted[3], 0), 1) * 255
        for channel in 0..<4 {
          let level = min(max(wanted[channel] * 255, 0), alpha)
          let got = Float(four[lane] >> UInt32(8 * channel) & 255)
          #expect(abs(got - level) < 0.55, "\(x[lane]), \(y[lane]): channel \(channel)")
        }
      }
    }
  }

  @Test func whatIsNoNumberIsNoTrap() throws {
    for size in 1...9 {
      let tile = try terrarium(size) { x, y in Float(x + y) }
      let wild = ElevationTile(copying: tile)
      let huge = try ElevationTile(
        PixelImage(
          width: size, height: size, pixels: [UInt8](repeating: 200, count: 4 * size * size),
          isPremultiplied: false),
        encoding: ElevationEncoding(red: .infinity, green: -.infinity, blue: .nan, base: 3e38))
      wild.fillBorder(from: huge, dx: 1, dy: 0)
      for method in [HillshadeMethod.standard, .basic, .combined, .igor, .multidirectional] {
        for tile in [wild, huge] {
          let texture = hillshade(
            tile, zoom: 12, north: 46.1, south: 46,
            paint: HillshadePaint(method: method, exaggeration: 0.7, lights: [light]))
          for index in 0..<size * size {
            let c = channels(texture.pixels[index])
            #expect(c[0] <= c[3] && c[1] <= c[3] && c[2] <= c[3])
          }
        }
      }
    }
  }

  @Test func colorsNeverPassAlpha() throws {
    for method in [HillshadeMethod.standard, .basic, .combined, .igor, .multidirectional] {
      for steep in [Float(0), 10, 500, 4000] {
        let c = channels(
          try shaded(method, { x, y in Float(x * x - y) * steep / 8 }, lights: [light, light]))
        #expect(c[0] <= c[3] && c[1] <= c[3] && c[2] <= c[3])
      }
    }
  }
}

@Suite struct ColorReliefTests {
  @Test func stopsAreInterpolatedAndEndsHold() throws {
    let tile = try terrarium(16) { x, _ in Float(x) * 100 }
    let ramp = ReliefRamp([(elevation: 200, color: .black), (elevation: 1000, color: .white)])
    let pixels = try steadyFrame(32, 32) { band in
      drawColorRelief(tile, map: Projection(scale: 2), ramp: ramp, opacity: 1, clip: .full(band), band: band)
    }
    #expect(pixels[0] == 0xFF00_0000 && pixels[31] == 0xFFFF_FFFF)
    // Pixel 13 is at sample 6.25: 625 metres.
    #expect(isNear(pixels[16 * 32 + 13], 0xFF87_8787, 1))
  }

  @Test func oneStopAndSteepStopsWork() throws {
    let tile = try terrarium(4) { x, _ in Float(x) * 100 }
    func drawn(_ ramp: ReliefRamp) throws -> [UInt32] {
      try steadyFrame(4, 4) { band in
        drawColorRelief(
          tile, map: Projection(scale: 1), ramp: ramp, opacity: 1, clip: .full(band), band: band)
      }
    }
    #expect(try drawn(ReliefRamp([(elevation: 5, color: .white)])).allSatisfy { $0 == 0xFFFF_FFFF })
    let step = try drawn(ReliefRamp([(elevation: 150, color: .black), (elevation: 150, color: .white)]))
    #expect(step[1] == 0xFF00_0000 && step[2] == 0xFFFF_FFFF)
  }
}
