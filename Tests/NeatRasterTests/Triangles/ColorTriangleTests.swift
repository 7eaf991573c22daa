import NeatBase
import NeatRaster
import Testing

@Suite struct ColorTriangleTests {
  private func vertex(_ x: Double, _ y: Double, w: Double = 1, _ color: SIMD4<Float>) -> ColorVertex {
    ColorVertex(position: SIMD4(x * w, y * w, 0, w), color: color)
  }

  private func draw(
    _ vertices: [ColorVertex], _ indices: [UInt32], width: Int = 64, height: Int = 64,
    _ executor: Executor = .inline
  ) throws -> [UInt32] {
    let bitmap = try Bitmap(width: width, height: height)
    drawColorTriangles(vertices, indices, on: bitmap, executor)
    return (0..<width * height).map { bitmap.pixels[$0] }
  }

  private let red = SIMD4<Float>(1, 0, 0, 1)

  @Test func aTriangleCoversAsMuchAsItIsLarge() throws {
    let pixels = try draw(
      [vertex(3.3, 4.1, red), vertex(60.2, 12.7, red), vertex(20.9, 58.4, red)], [0, 1, 2])
    let sum = pixels.reduce(0.0) { $0 + Double($1 >> 24) / 255 }
    let (a, b) = (SIMD2(56.9, 8.6), SIMD2(17.6, 54.3))
    let area = (a.x * b.y - a.y * b.x) / 2
    #expect(abs(sum - area) < area * 0.005)
    #expect(pixels.allSatisfy { $0 & 255 == $0 >> 24 && $0 & 0xFF_FF00 == 0 })
    #expect(Set(pixels).count > 8)
  }

  @Test func itsDirectionDoesNotMatter() throws {
    let corners = [vertex(3.3, 4.1, red), vertex(60.2, 12.7, red), vertex(20.9, 58.4, red)]
    let pixels = try draw(corners, [0, 1, 2])
    for order in [[0, 2, 1], [1, 0, 2], [2, 0, 1]] as [[UInt32]] {
      #expect(try draw(corners, order) == pixels)
    }
  }

  @Test func aFanWithoutGapsIsAsOnePolygonAlsoWhereItIsSeenThrough() throws {
    let color = SIMD4<Float>(0, 0.25, 0.5, 0.5)
    var vertices = [vertex(31.7, 30.2, color)]
    for step in 0..<17 {
      let angle = Double(step) / 17 * 2 * .pi
      vertices.append(vertex(31.7 + 90 * cos(angle), 30.2 + 90 * sin(angle), color))
    }
    var indices: [UInt32] = []
    for step in 0..<UInt32(17) { indices += [0, step + 1, (step + 1) % 17 + 1] }
    // It covers the whole picture: not one pixel is drawn twice, or not at all.
    #expect(Set(try draw(vertices, indices)) == [0x8080_4000])
  }

  @Test func laterTrianglesCoverEarlierOnes() throws {
    let square: (SIMD4<Float>) -> [ColorVertex] = { color in
      [vertex(8, 8, color), vertex(40, 8, color), vertex(8, 40, color), vertex(40, 40, color)]
    }
    let vertices = square(red) + square(SIMD4(0, 1, 0, 1))
    let pixels = try draw(vertices, [0, 1, 2, 2, 1, 3, 4, 5, 6, 6, 5, 7])
    #expect(Set(pixels) == [0, 0xFF00_FF00])
  }

  @Test func coloursRunFromCornerToCorner() throws {
    let white = SIMD4<Float>(repeating: 1)
    let black = SIMD4<Float>(0, 0, 0, 1)
    let pixels = try draw(
      [vertex(0, -10, black), vertex(64, -10, white), vertex(0, 200, black), vertex(64, 200, white)],
      [0, 1, 2, 2, 1, 3])
    for x in 0..<64 {
      let expected = (Double(x) + 0.5) / 64 * 255
      #expect(abs(Double(pixels[64 * 30 + x] & 255) - expected) < 1.01)
    }
  }

  @Test func coloursAreInPerspective() throws {
    let (black, white) = (SIMD4<Float>(0, 0, 0, 1), SIMD4<Float>(repeating: 1))
    let pixels = try draw(
      [
        vertex(0, -10, w: 1, black), vertex(64, -10, w: 4, white), vertex(0, 200, w: 1, black),
        vertex(64, 200, w: 4, white),
      ], [0, 1, 2, 2, 1, 3])
    // Half way on the screen is a fifth of the way there.
    #expect(abs(Int(pixels[64 * 30 + 32] & 255) - 51) <= 4)
  }

  @Test func threadsDoNotChangeAPixel() throws {
    var vertices: [ColorVertex] = []
    var random = SystemRandomNumberGenerator.seeded(3)
    for _ in 0..<60 {
      vertices.append(
        vertex(
          .random(in: -30...130, using: &random), .random(in: -30...330, using: &random),
          w: .random(in: 0.5...2, using: &random), SIMD4(0.25, 0.5, 0, 0.5)))
    }
    let indices = (0..<60).map { UInt32($0) }
    let one = try draw(vertices, indices, width: 100, height: 300)
    let many = Executor(width: 3) { count, body in for index in (0..<count).reversed() { body(index) } }
    #expect(try draw(vertices, indices, width: 100, height: 300, many) == one)
  }

  @Test func whatReachesBehindTheEyeIsCutThere() throws {
    // The far corner is behind the eye: the triangle goes on to the edge of the picture.
    let pixels = try draw(
      [
        vertex(32, 60, red), vertex(40, 60, red),
        ColorVertex(position: SIMD4(-36, -1000, 0, -1), color: red),
      ], [0, 1, 2])
    #expect(pixels.contains { $0 != 0 })
    let behind = try draw(
      [1.0, 2, 3].map { ColorVertex(position: SIMD4($0, $0 * $0, 0, -1), color: red) }, [0, 1, 2])
    #expect(behind.allSatisfy { $0 == 0 })
  }

  @Test func oddTrianglesDrawNothing() throws {
    let corner = vertex(10, 10, red)
    for odd in [
      ColorVertex(position: SIMD4(.nan, 0, 0, 1), color: red),
      ColorVertex(position: SIMD4(.infinity, 0, 0, 1), color: red),
      ColorVertex(position: SIMD4(20, 20, 0, 0), color: red), vertex(10, 10, red), vertex(20, 20, red),
    ] {
      #expect(try draw([corner, odd, vertex(30, 30, red)], [0, 1, 2]).allSatisfy { $0 == 0 })
    }
    #expect(try draw([corner], []).allSatisfy { $0 == 0 })
    // Larger than any picture.
    let huge = try draw([vertex(-1e9, -1e9, red), vertex(1e9, -1e9, red), vertex(0, 1e9, red)], [0, 1, 2])
    #expect(huge.allSatisfy { $0 == 0xFF00_00FF })
    // So large that there is no saying where it is; nothing overflows.
    for size in [1e30, 1e300, 1.7e308] {
      for w in [1, 1e-300, 1e300, -1] {
        let corners = [SIMD4(-size, -size, 0, w), SIMD4(size, -size, 0, 1), SIMD4(0, size, 0, 1)]
        _ = try draw(corners.map { ColorVertex(position: $0, color: red) }, [0, 1, 2, 1, 0, 2])
      }
    }
  }
}

/// Numbers that are the same in each run.
private struct SeededGenerator: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return state ^ state >> 29
  }
}

extension SystemRandomNumberGenerator {
  fileprivate static func seeded(_ seed: UInt64) -> SeededGenerator { SeededGenerator(state: seed) }
}
