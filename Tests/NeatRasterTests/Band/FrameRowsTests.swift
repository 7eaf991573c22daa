import NeatRaster
import Testing

@Suite struct FrameRowsTests {
  /// A shape is drawn the same by bands that leave it out where it touches none of their rows.
  @Test func linesAndHairlinesStayWithinTheirRows() throws {
    for tilt in [Float(0), 0.37, 5.5] {
      let points: [SIMD2<Float>] = [
        SIMD2(3.2, 20.6), SIMD2(33.1, 20.4 + tilt), SIMD2(33.4, 27.5 + tilt), SIMD2(3.3, 27.49),
      ]
      try points.withUnsafeBufferPointer { points in
        try [UInt32(0), 4].withUnsafeBufferPointer { starts in
          try [UInt32(0), 1].withUnsafeBufferPointer { rings in
            let geometry = FillGeometry(
              points: .float(points.baseAddress!), ringStarts: starts.baseAddress!,
              featureRings: rings.baseAddress!, featureCount: 1)
            let frame = FillFrame(geometry, Projection(scale: 1), width: 40, height: 60)
            let paint = FillPaint.solid(Premultiplied(bits: 0x8010_2030))
            func draw(_ rows: Int, leavesOut: Bool) throws -> (pixels: [UInt32], drawn: Int) {
              let bitmap = try Bitmap(width: 40, height: 60)
              var drawn = 0
              for y in stride(from: 0, to: 60, by: rows) {
                let band = bitmap.band(y, min(60, y + rows))
                if leavesOut, frame.rows.misses(band) { continue }
                drawn += 1
                frame.fill(band, RowClip.full(band), paint, RasterScratch())
                frame.outline(band, RowClip.full(band), paint)
              }
              return ((0..<40 * 60).map { bitmap.pixels[$0] }, drawn)
            }
            let whole = try draw(60, leavesOut: false)
            for rows in [1, 2, 7, 30] {
              let cut = try draw(rows, leavesOut: true)
              #expect(cut.pixels == whole.pixels, "bands of \(rows) rows")
              if rows == 1 { #expect(cut.drawn < 25) }
            }
          }
        }
      }
    }
  }
}
