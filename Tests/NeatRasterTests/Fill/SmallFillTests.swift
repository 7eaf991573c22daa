import NeatBase
import Testing

@testable import NeatRaster

/// Small polygons are counted by words of bits, all others by sorted crossings: to the pixel the same.
@Suite struct SmallFillTests {
  /// Draws by both ways; nil where the shape is too large for the first.
  private func both(
    _ rings: [[SIMD2<Int32>]], _ size: SIMD2<Int>, _ clip: (Band) -> RowClip, bits: UInt32
  ) throws -> (small: [UInt32], all: [UInt32])? {
    let points = rings.flatMap { $0 }
    var starts: [Int32] = [0]
    for ring in rings { starts.append(starts.last! + Int32(ring.count)) }
    let xs = points.map(\.x)
    let ys = points.map(\.y)
    let item = FillItem(
      firstRing: 0, endRing: Int32(rings.count), minX: xs.min()!, minY: ys.min()!, maxX: xs.max()!,
      maxY: ys.max()!, feature: 0)
    func draw(_ body: (FillTarget, FillRings, Range<Int>) -> Bool) throws -> [UInt32]? {
      let bitmap = try Bitmap(width: size.x, height: size.y)
      let band = bitmap.band(0, size.y)
      let target = FillTarget(band: band, clip: clip(band), scratch: RasterScratch())
      let rows =
        max(
          firstRow(item.minY), target.clip.minY)..<max(
          firstRow(item.minY), target.clip.minY, min(firstRow(item.maxY), target.clip.maxY))
      let isDrawn = points.withUnsafeBufferPointer { points in
        starts.withUnsafeBufferPointer { starts in
          let shape = FillRings(
            points: points.baseAddress!, starts: starts.baseAddress!, rings: 0..<rings.count,
            runs: UnsafeBufferPointer(start: nil, count: 0), isOpen: false)
          return rows.isEmpty || body(target, shape, rows)
        }
      }
      return isDrawn ? (0..<size.x * size.y).map { bitmap.pixels[$0] } : nil
    }
    let painter = BlendPainter(bits: bits)
    let small = try draw { target, shape, rows in
      guard let x0 = SmallFill.firstColumn(item, shape, target.clip) else { return false }
      SmallFill.fill(target, shape, x0: x0, y0: rows.lowerBound, y1: rows.upperBound, painter)
      return true
    }
    guard let small else { return nil }
    let all = try draw { target, shape, rows in
      FillScan.fill(target, shape, y0: rows.lowerBound, y1: rows.upperBound, painter)
      return true
    }
    return (small, try #require(all))
  }

  /// Rings that cross themselves and each other, wind twice or against each other, and lie on centres of pixels.
  @Test func theyAreThoseOfAllOtherShapes() throws {
    var random = Random(state: 11)
    var drawn = 0
    for round in 0..<3000 {
      var left = SmallFill.maxPoints
      var rings: [[SIMD2<Int32>]] = []
      let reach = [256, 1500, 6000, 17000][round % 4]
      let grid = [1, 64, 128, 256][random.next(below: 4)]
      let corner = SIMD2(random.next(below: 12000) - 2000, random.next(below: 9000) - 2000)
      while left >= 1, rings.count < 4 {
        let count = min(left, 1 + random.next(below: 8))
        left -= count
        rings.append(
          (0..<count).map { _ in
            let place = SIMD2(corner.x + random.next(below: reach), corner.y + random.next(below: reach))
            return SIMD2(Int32(place.x / grid * grid), Int32(place.y / grid * grid))
          })
      }
      let clip: (Band) -> RowClip =
        round % 3 == 0
        ? { RowClip.rect(x0: 9, y0: 3, x1: 31, y1: 22, $0) }
        : round % 3 == 1
          ? { RowClip.quad(SIMD2(20, -4), SIMD2(44, 16), SIMD2(20, 34), SIMD2(-4, 12), $0) }
          : { RowClip.full($0) }
      guard let pixels = try both(rings, SIMD2(40, 30), clip, bits: 0x8010_2030) else { continue }
      #expect(pixels.small == pixels.all, "\(rings)")
      if pixels.all.contains(where: { $0 != 0 }) { drawn += 1 }
    }
    #expect(drawn > 800)
  }

  /// 64 columns, and one more.
  @Test func shapesAsWideAsAWordAreDrawnToTheirEnds() throws {
    for (width, isSmall) in [(62, true), (63, true), (64, true), (65, false)] {
      for x in [0, 3] {
        let (left, right) = (Int32(x * 256), Int32((x + width) * 256))
        let ring = [SIMD2(left, 256), SIMD2(right, 256), SIMD2(right, 1024), SIMD2(left, 1024)]
        let pixels = try both([ring], SIMD2(80, 8), RowClip.full, bits: 0xFF10_2030)
        #expect((pixels != nil) == isSmall)
        guard let pixels else { continue }
        #expect(pixels.small == pixels.all)
        #expect(pixels.all.filter { $0 != 0 }.count == 3 * width)
      }
    }
  }

  /// The most that a row can wind, both ways.
  @Test func ringsThatWindSevenTimesAreFilled() throws {
    for isDown in [true, false] {
      let turn = [SIMD2<Int32>(300, 300), SIMD2(2000, 1800)]
      var ring = (0..<7).flatMap { _ in turn }
      if isDown { ring = ring.map { SIMD2(2300 - $0.x, $0.y) } }
      ring.append(SIMD2(isDown ? 2000 : 300, 1800))
      let pixels = try #require(try both([ring], SIMD2(12, 10), RowClip.full, bits: 0xFF10_2030))
      #expect(pixels.small == pixels.all)
      #expect(pixels.all.contains { $0 != 0 })
    }
    // One edge up, seven down.
    let spiral: [SIMD2<Int32>] = (0..<7).flatMap { turn -> [SIMD2<Int32>] in
      let x = Int32(turn * 300)
      return [SIMD2(x + 128, 100), SIMD2(x + 128, 2000)]
    }
    let pixels = try #require(try both([spiral], SIMD2(12, 10), RowClip.full, bits: 0xFF10_2030))
    #expect(pixels.small == pixels.all)
  }

  @Test(arguments: 0...70) func spansAreStoredToTheirEnds(count: Int) throws {
    let bitmap = try Bitmap(width: 80, height: 1)
    Blend.store(bitmap.pixels + 5, count, 0xFF00_00FF)
    #expect((0..<80).filter { bitmap.pixels[$0] != 0 } == Array(5..<5 + count))
  }
}
