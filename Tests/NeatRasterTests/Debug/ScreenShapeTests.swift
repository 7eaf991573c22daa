import NeatBase
import Testing

@testable import NeatRaster

/// The shapes of debug views.
@Suite struct ScreenShapeTests {
  private let half = SIMD4<Float>(0.5, 0, 0, 0.5)

  private func drawn(_ shapes: [ScreenShape], rows: Int = 16) throws -> [UInt32] {
    let bitmap = try Bitmap(width: 16, height: 16)
    for y in stride(from: 0, to: 16, by: rows) {
      for shape in shapes { shape.draw(bitmap.band(y, y + rows)) }
    }
    return Array(UnsafeBufferPointer(start: bitmap.pixels, count: 256))
  }

  /// A line has its left or lower end and not the other one: two corners of a rectangle are met once, one twice, one
  /// never.
  @Test func linesAroundARectangleMeetItsPixelsByTheRuleOfShapes() throws {
    let corners = [SIMD2(2.5, 3.5), SIMD2(9.5, 3.5), SIMD2(9.5, 12.5), SIMD2(2.5, 12.5)]
    let pixels = try drawn((0..<4).map { .line(corners[$0], corners[($0 + 1) % 4], half) })
    let (once, twice): (UInt32, UInt32) = (0x8000_0080, 0xC000_00C0)
    for y in 0..<16 {
      for x in 0..<16 {
        let isRim = (2...9).contains(x) && (3...12).contains(y) && (x == 2 || x == 9 || y == 3 || y == 12)
        let expected: UInt32 =
          switch (x, y) {
          case (9, 3): 0
          case (2, 12): twice
          default: isRim ? once : 0
          }
        #expect(pixels[y * 16 + x] == expected, "\(x), \(y)")
      }
    }
  }

  @Test func bandsShowTheSame() throws {
    let shapes: [ScreenShape] = [
      .line(SIMD2(-3, -7), SIMD2(19, 22), half), .rim(SIMD2(8, 8), radius: 5, softness: 1.5, half),
      .box(x0: 1, y0: 2, x1: 4, y1: 15, half),
      .strokes(
        [SIMD4(2, 2, 12, 13)], halfWidth: 1, rim: 2, SIMD4(0, 0, 0, 1), rimColor: SIMD4(1, 1, 1, 1)),
    ]
    #expect(try drawn(shapes) == drawn(shapes, rows: 1))
  }

  @Test func coloursBrighterThanTheirAlphaStayWithinIt() throws {
    let pixels = try drawn([.line(SIMD2(0, 0.5), SIMD2(16, 0.5), SIMD4(0, 0, 1, 0.25))])
    #expect(pixels[0] == 0x4040_0000)
  }

  @Test func numbersOfAnySizeDrawWhatIsInTheBand() throws {
    let endless = [Double.infinity, -.infinity, .nan, 1e300, -1e300]
    for x in endless {
      for y in endless {
        _ = try drawn([
          .line(SIMD2(x, y), SIMD2(3, 3), half), .rim(SIMD2(x, y), radius: 2, softness: 1, half),
          .strokes([SIMD4(x, y, 1, 1)], halfWidth: 1, rim: 1, half, rimColor: half),
        ])
      }
    }
    let pixels = try drawn([.box(x0: .min, y0: .min, x1: .max, y1: .max, SIMD4(0, 0, 0, 1))])
    #expect(pixels.allSatisfy { $0 == 0xFF00_0000 })
  }
}
