import NeatBase
import NeatRaster
import Testing

@Suite struct CircleTests {
  private func draw(_ circle: Circle, _ axes: CircleAxes = .identity) throws -> [UInt32] {
    try steadyFrame(64, 64) { band in
      [circle].withUnsafeBufferPointer { drawCircles($0, axes: axes, band: band) }
    }
  }

  private let red = Premultiplied(Color(r: 1, g: 0, b: 0, a: 1))
  private let blue = Premultiplied(Color(r: 0, g: 0, b: 1, a: 1))

  @Test func coverageFollowsTheShadersFormula() throws {
    for (radius, blur) in [(Float(10), Float(0)), (20.5, 0), (10, 0.5), (2, 1), (0.4, 0)] {
      let pixels = try draw(Circle(center: SIMD2(31.3, 30.9), radius: radius, blur: blur, fill: red))
      for y in 0..<64 {
        for x in 0..<64 {
          let dx = Float(x) + 0.5 - 31.3
          let dy = Float(y) + 0.5 - 30.9
          let d = (dx * dx + dy * dy).squareRoot() / radius
          let t = min(max((1 - d) / max(blur, 1 / radius), 0), 1)
          let expected = Int(bounded: (t * t * (3 - 2 * t) * 255).rounded())
          #expect(abs(channels(pixels[y * 64 + x])[3] - expected) <= 1)
        }
      }
    }
  }

  @Test func aStrokeRingsTheFill() throws {
    let pixels = try draw(Circle(center: SIMD2(32, 32), radius: 12, strokeWidth: 6, fill: red, stroke: blue))
    #expect(channels(pixels[32 * 64 + 32]) == [255, 0, 0, 255])
    #expect(channels(pixels[32 * 64 + 32 + 15]) == [0, 0, 255, 255])
    #expect(pixels[32 * 64 + 32 + 19] == 0)
  }

  @Test func axesFlattenTheDisc() throws {
    let pixels = try draw(
      Circle(center: SIMD2(32, 32), radius: 20, fill: red), CircleAxes(x: SIMD2(1, 0), y: SIMD2(0, 0.5)))
    #expect(channels(pixels[32 * 64 + 50])[3] == 255)
    #expect(pixels[50 * 64 + 32] == 0)
    #expect(channels(pixels[40 * 64 + 32])[3] == 255)
  }

  @Test func oddCirclesAreSkipped() throws {
    for circle in [
      Circle(center: SIMD2(32, 32), radius: 0, fill: red),
      Circle(center: SIMD2(32, 32), radius: -3, fill: red),
      Circle(center: SIMD2(.nan, 32), radius: 5, fill: red),
      Circle(center: SIMD2(32, 32), radius: .nan, fill: red),
      Circle(center: SIMD2(32, 32), radius: .infinity, fill: red),
      Circle(center: SIMD2(-20, 32), radius: 5, fill: red),
    ] {
      #expect(try draw(circle).allSatisfy { $0 == 0 })
    }
    let flat = CircleAxes(x: SIMD2(1, 0), y: SIMD2(2, 0))
    #expect(try draw(Circle(center: SIMD2(32, 32), radius: 5, fill: red), flat).allSatisfy { $0 == 0 })
  }
}
