import NeatBase
import NeatRaster
import Testing

@Suite struct HeatmapTests {
  /// A grey ramp: the value itself.
  private let ramp = ColorRamp((0..<256).map { Premultiplied(bits: UInt32($0) &* 0x0001_0101 | 0xFF00_0000) })

  private func draw(
    _ points: [HeatPoint], sheets: [HeatSheet] = [], opacity: Float = 1, rowsAtATime: Int = 1000
  ) throws -> [UInt32] {
    let field = HeatField(frameWidth: 128, frameHeight: 96)
    points.withUnsafeBufferPointer { points in
      for y in stride(from: 0, to: field.height, by: rowsAtATime) {
        let rows = y..<min(field.height, y + rowsAtATime)
        field.add(points, rows: rows)
        for sheet in sheets { field.add(sheet, rows: rows) }
      }
    }
    return try steadyFrame(128, 96) { band in drawHeatmap(field, ramp: ramp, opacity: opacity, band: band) }
  }

  @Test func aKernelIsAGaussian() throws {
    let pixels = try draw([HeatPoint(center: SIMD2(64, 48), radius: 40, weight: 2)])
    for (x, y) in [(64, 48), (80, 48), (64, 70), (90, 60)] {
      let dx = (Float(x) + 0.5 - 64) / 40
      let dy = (Float(y) + 0.5 - 48) / 40
      let value = 2 * 0.39894228 * expf(-4.5 * (dx * dx + dy * dy))
      #expect(abs(Float(channels(pixels[y * 128 + x])[0]) - value * 255) < 5)
    }
    #expect(pixels[0] == 0xFF00_0000)
  }

  @Test func kernelsAddUpAndSaturate() throws {
    let one = HeatPoint(center: SIMD2(64, 48), radius: 40, weight: 1)
    #expect(
      channels(try draw([one, one])[48 * 128 + 64])[0] > channels(try draw([one])[48 * 128 + 64])[0] * 2 - 6)
    #expect(channels(try draw([one, one, one, one])[48 * 128 + 64])[0] == 255)
  }

  @Test func bandsOfTheFieldDoNotMatter() throws {
    var points: [HeatPoint] = []
    for i in 0..<50 {
      points.append(
        HeatPoint(
          center: SIMD2(Float(i * 37 % 140) - 6, Float(i * 53 % 110) - 7), radius: Float(8 + i % 30),
          weight: 0.4))
    }
    #expect(try draw(points) == draw(points, rowsAtATime: 1))
    let sheets = try [sheet(HeatSheet.flatLines, w: 3), sheet(HeatSheet.roundLines)]
    #expect(try draw([], sheets: sheets) == draw([], sheets: sheets, rowsAtATime: 5))
  }

  /// A kernel of 30 pixels around (60, 40), whose lower corners are `w` times as far from the eye.
  private func sheet(_ lines: [Double], w: Double = 1, side: Double = 1) throws -> HeatSheet {
    let reach = try #require(HeatSheet.reach(weight: 1.5))
    return HeatSheet(lines: lines, reach: reach, weight: 1.5) { x, y in
      let far = y > 0 ? w : 1
      return SIMD4((60 + x * reach * 30) * far, (40 + y * reach * 30) * far, side, far)
    }
  }

  @Test func aSheetThatFacesTheViewerIsAPoint() throws {
    let points = [HeatPoint(center: SIMD2(60, 40), radius: 30, weight: 1.5)]
    for lines in [HeatSheet.flatLines, HeatSheet.roundLines] {
      let drawn = try draw([], sheets: [try sheet(lines)])
      for (a, b) in zip(try draw(points), drawn) { #expect(isNear(a, b, 1)) }
    }
  }

  @Test func aSheetIsSeenInPerspectiveAndNotBehindTheHorizonOrTheEye() throws {
    let blank = try draw([])
    let drawn = try draw([], sheets: [try sheet(HeatSheet.flatLines, w: 4)])
    // The middle of what is farther below lies nearer to the far edge.
    let column = (0..<96).map { channels(drawn[$0 * 128 + 60])[0] }
    let most = try #require(column.max())
    let peak = try #require(column.firstIndex(of: most))
    #expect(peak > 50)
    #expect(try draw([], sheets: [try sheet(HeatSheet.flatLines, side: -1)]) == blank)
    for w in [-1, 0, .nan, .infinity] as [Double] {
      _ = try draw([], sheets: [try sheet(HeatSheet.flatLines, w: w)])
    }
    #expect(HeatSheet.reach(weight: 0) == nil && HeatSheet.reach(weight: .nan) == nil)
  }

  @Test func oddPointsAreSkipped() throws {
    let blank = try draw([])
    for point in [
      HeatPoint(center: SIMD2(.nan, 3), radius: 9, weight: 1),
      HeatPoint(center: SIMD2(3, 3), radius: .nan, weight: 1),
      HeatPoint(center: SIMD2(3, 3), radius: 9, weight: 0),
      HeatPoint(center: SIMD2(3, 3), radius: 9, weight: -4),
      HeatPoint(center: SIMD2(3, 3), radius: -1, weight: 1),
      HeatPoint(center: SIMD2(3, 3), radius: 9, weight: .infinity),
    ] {
      #expect(try draw([point]) == blank)
    }
  }
}
