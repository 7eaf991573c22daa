import NeatBase
import Testing

@testable import NeatRaster

@Suite struct FogTests {
  /// An eye 1.5 heights from the ground that it looks at, on a plane that is tilted by an angle.
  private func view(_ pitch: Double, size: Double = 64) -> Fog.View {
    let (s, c) = (sin(pitch), cos(pitch))
    // Straight ahead is 1 away; a picture's height is two thirds of that.
    let step = 1 / (1.5 * size)
    let right = SIMD3(step, 0, 0), down = SIMD3(0, c, -s) * step
    let corner = SIMD3(0, -s, -c) - (right + down) * (size / 2)
    return Fog.View(
      corner: corner, right: right, down: down, end: 0, eye: 1.5 * c, scale: 1, metres: 100, sea: 50)
  }

  private func fog(
    _ view: Fog.View, range: SIMD2<Float> = SIMD2(2, 3), opacity: Float = 1, heights: SIMD2<Float>? = nil,
    globe: Fog.Globe? = nil, closeness: Float = 1, horizonBlend: Float = 0.1
  ) -> Fog {
    Fog(
      color: SIMD3(1, 1, 1), opacity: opacity, range: range, horizonBlend: horizonBlend, heights: heights,
      view: view, globe: globe, closeness: closeness)
  }

  /// The middle of the picture, so far along the axis of the view.
  private func ahead(_ w: Double) -> SIMD4<Double> { SIMD4(32 * w, 32 * w, 0, w) }

  @Test func itThickensFromItsBeginningToItsEnd() {
    let fog = fog(view(1.2))
    #expect(fog.share(ahead(1)) == 0 && fog.share(ahead(2)) == 0)
    #expect(fog.share(ahead(3.001)) == 1 && fog.share(ahead(1e9)) == 1)
    let shares = stride(from: 2.0, through: 3, by: 0.05).map { fog.share(ahead($0)) }
    #expect(shares == shares.sorted() && Set(shares).count > 15)
    // (1 - exp(-6 t))³
    for t in [0.1, 0.37, 0.8] {
      let falloff = 1 - exp(-6 * t)
      #expect(abs(Double(fog.share(ahead(2 + t))) - 1.00747 * falloff * falloff * falloff) < 1e-3)
    }
    // Behind the eye, and where numbers are none.
    #expect(fog.share(ahead(-1)) == 0 && fog.share(SIMD4(repeating: .nan)) == 0)
    #expect(fog.share(SIMD4(.infinity, 0, 0, 1)).isFinite)
  }

  @Test func aRangeOfNoWayAndOneUpsideDown() {
    let wall = fog(view(1.2), range: SIMD2(2, 2))
    #expect(wall.share(ahead(1.9)) == 0 && wall.share(ahead(2.1)) == 1)
    // As the formula has it: near ground is hidden.
    let back = fog(view(1.2), range: SIMD2(3, 2))
    #expect(back.share(ahead(1)) == 1 && back.share(ahead(4)) == 0)
  }

  /// Mapbox GL JS multiplies twice by the opacity on the plane, and once on the globe.
  @Test func opacityCounts() {
    #expect(fog(view(1.2), opacity: 0.5).share(ahead(9)) == 0.25)
    let globe = Fog.Globe(middle: SIMD3(0, 0, -101.5), radius: 100, pixel: 0.01, globeness: 1)
    #expect(
      fog(view(0), range: SIMD2(1, 2), opacity: 0.5, globe: globe, closeness: 0).share(SIMD4(1e6, 0, 0, 1))
        == 0.5)
  }

  @Test func itThinsOutAboveHeights() {
    // Straight ahead of a level eye: 150 metres above the ground, which lies at 50.
    let level = view(.pi / 2)
    let metres = Float(50 + 150 * cos(Double.pi / 2))
    func share(_ heights: SIMD2<Float>) -> Float { fog(level, heights: heights).share(ahead(9)) }
    #expect(abs(metres - 50) < 1e-3)
    #expect(share(SIMD2(60, 300)) == 1 && abs(share(SIMD2(0, 100)) - 0.5) < 1e-3 && share(SIMD2(10, 40)) == 0)
    // Two equal heights are a step.
    #expect(share(SIMD2(51, 51)) == 1 && share(SIMD2(49, 49)) == 0)
    // On a globe heights count from its ground.
    let globe = Fog.Globe(middle: SIMD3(0, -9, -100), radius: 100, pixel: 0.01, globeness: 1)
    #expect(fog(level, heights: SIMD2(1, 2), globe: globe).share(ahead(9)) == 1)
    #expect(fog(level, heights: SIMD2(1, 2), globe: globe).share(ahead(14)) == 0)
  }

  /// What is above the eye is hidden less, the higher it is seen.
  @Test func itIsThinAboveTheHorizon() {
    let fog = fog(view(1.5))
    let rows = [32.0, 20, 10, 0].map { fog.share(SIMD4(32 * 9, $0 * 9, 0, 9)) }
    #expect(rows[0] == 1 && rows == rows.sorted(by: >) && rows[3] < 0.2)
    #expect(self.fog(view(1.5), horizonBlend: 0).share(SIMD4(32 * 9, 0, 0, 9)) == 0)
  }

  @Test func groundIsHiddenByItsDistanceAndNothingElse() throws {
    let bitmap = try Bitmap(width: 64, height: 64)
    let red = Premultiplied(bits: 0xFF00_00FF).bits, half: UInt32 = 0x8000_0080
    for index in 0..<64 * 64 where index % 2 == 0 { bitmap.pixels[index] = index % 4 == 0 ? red : half }
    let fog = fog(view(1.3), range: SIMD2(1.5, 6))
    // In bands as in one.
    for top in stride(from: 0, to: 64, by: 16) { fog.draw(bitmap.band(top, top + 16)) }
    let pixels = (0..<64 * 64).map { bitmap.pixels[$0] }
    // Nothing stays nothing, and what lets something through lets the same through.
    #expect(pixels.indices.allSatisfy { $0 % 2 == 0 || pixels[$0] == 0 })
    #expect(pixels.indices.allSatisfy { $0 % 4 != 0 || pixels[$0] >> 24 == 255 })
    #expect(pixels.indices.allSatisfy { $0 % 4 != 2 || pixels[$0] >> 24 == 128 })
    let column = (0..<64).map { pixels[$0 * 64 + 32] }
    // The sky above the horizon, thick fog below it, and ground before the eye as it was.
    #expect(column[0] == red && column[63] == red && column.contains(0xFFFF_FFFF))
    let green = column.filter { $0 != red }.map { $0 >> 8 & 255 }
    #expect(green == green.sorted(by: >) && Set(green).count > 8, "\(green)")
    // Each pixel as the place is whose middle it is.
    for row in [40, 50, 60] {
      let y = Double(row) + 0.5
      let down = (y - 32) / (1.5 * 64)
      let w = 1.5 * cos(1.3) / (cos(1.3) + sin(1.3) * down)
      let share = fog.share(SIMD4(32.5 * w, y * w, 0, w))
      #expect(abs(Float(column[row] >> 8 & 255) - share * 255) <= 1)
    }
  }

  @Test func aGlobeGlowsAtItsEdge() throws {
    let bitmap = try Bitmap(width: 64, height: 64)
    for index in 0..<64 * 64 { bitmap.pixels[index] = 0xFF00_0000 }
    let globe = Fog.Globe(middle: SIMD3(0, 0, -2.0), radius: 0.5, pixel: 0.01, globeness: 1)
    fog(view(0), range: SIMD2(2, 4.5), globe: globe, closeness: 0).draw(bitmap.band(0, 64))
    let row = (0..<64).map { bitmap.pixels[32 * 64 + $0] & 255 }
    // Symmetrical, dark in the middle, bright at the edge, and nothing beside the globe.
    #expect(row == row.reversed() && row[32] == 0 && row[0] == 0)
    let edge = try #require(row.firstIndex { $0 > 0 })
    #expect(edge > 5 && edge < 12 && row[edge] > 80 && row[edge] < 140)
    #expect(Array(row[edge..<32]) == row[edge..<32].sorted(by: >))
  }

  @Test func airGoesFromTheFogToSpace() throws {
    let bitmap = try Bitmap(width: 8, height: 64)
    let sky = FogSky(
      color: SIMD4(1, 1, 1, 1), highColor: SIMD4(0, 0, 1, 1), spaceColor: SIMD4(0, 0, 0, 1), reach: 0.05,
      horizon: .straight(10), middle: SIMD2(4, 32), focal: 96, up: SIMD2(0, -1))
    sky.drawSpace(bitmap.band(0, 64))
    sky.drawAir(bitmap.band(0, 64))
    let column = (0..<64).map { bitmap.pixels[$0 * 8 + 4] }
    // White at the horizon and a pixel below it, blue over it, dark above; nothing on the ground.
    #expect(column[24...].allSatisfy { $0 == 0 } && column[22] == 0xFFFF_FFFF)
    #expect(column[..<23].allSatisfy { $0 >> 24 == 255 })
    let (red, blue) = (column[..<23].map { $0 & 255 }, column[..<23].map { $0 >> 16 & 255 })
    #expect(red == red.sorted() && blue == blue.sorted() && red[10] < blue[10] && blue[0] < 200)
    // The horizon is straight, whatever the roll.
    let rolled = try Bitmap(width: 64, height: 64)
    var turned = sky
    (turned.up, turned.middle, turned.horizon) = (SIMD2(-1, 0), SIMD2(32, 32), .straight(0))
    turned.drawAir(rolled.band(0, 64))
    #expect((0..<64).allSatisfy { rolled.pixels[$0 * 64 + 33] == 0 && rolled.pixels[$0 * 64 + 31] != 0 })
  }

  @Test func transparentSpaceStaysTransparent() throws {
    let bitmap = try Bitmap(width: 8, height: 64)
    let sky = FogSky(
      color: SIMD4(1, 1, 1, 1), highColor: SIMD4(0, 0, 1, 0.5), spaceColor: .zero, reach: 0.005,
      horizon: .straight(0), middle: SIMD2(4, 64), focal: 96, up: SIMD2(0, -1))
    sky.drawSpace(bitmap.band(0, 64))
    #expect((0..<8 * 64).allSatisfy { bitmap.pixels[$0] == 0 })
    sky.drawAir(bitmap.band(0, 64))
    for index in 0..<8 * 64 {
      let bytes = [0, 8, 16, 24].map { bitmap.pixels[index] >> $0 & 255 }
      #expect(bytes.allSatisfy { $0 <= bytes[3] }, "premultiplied")
    }
    #expect(bitmap.pixels[4] >> 24 < 3 && bitmap.pixels[63 * 8 + 4] >> 24 > 150)
  }
}
