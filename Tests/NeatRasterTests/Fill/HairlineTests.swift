import NeatBase
import Testing

@testable import NeatRaster

/// The outlines of polygons: to the pixel what a plain walk along each edge gives.
@Suite struct HairlineTests {
  private static let size = SIMD2(40, 30)
  private static let inks: [UInt32] = [0xFF80_4020, 0x8010_2030]

  /// Column by column or row by row, with decisions in the open.
  private static func plain(
    _ ring: [SIMD2<Int32>], _ clip: RowClip, rows: Range<Int>, _ ink: UInt32
  ) -> [UInt32] {
    var pixels = [UInt32](repeating: 0, count: size.x * size.y)
    func put(_ x: Int, _ y: Int, _ place: Int) {
      guard rows.contains(y), x >= clip.bounds(y).lower, x < clip.bounds(y).upper else { return }
      let distance = (Float(place >> 6 & 1023) + 0.5) / 1024 - 0.5
      let coverage = (255 - distance * distance * (765 - 510 * abs(distance))).rounded()
      pixels[y * size.x + x] = Blend.over(pixels[y * size.x + x], ink, coverage: UInt32(saturating: coverage))
    }
    for index in ring.indices {
      func rounded(_ point: SIMD2<Int32>) -> (x: Int, y: Int) {
        ((Int(point.x) + 8) & ~15, (Int(point.y) + 8) & ~15)
      }
      let ends = (rounded(ring[(index + ring.count - 1) % ring.count]), rounded(ring[index]))
      let (dx, dy) = (ends.1.x - ends.0.x, ends.1.y - ends.0.y)
      if abs(dx) > abs(dy) {
        let (left, right) = dx > 0 ? (ends.0, ends.1) : (ends.1, ends.0)
        let slope = (right.y - left.y) * 65536 / (right.x - left.x)
        for x in firstColumn(Int32(left.x))..<firstColumn(Int32(right.x)) {
          let y = left.y << 8 + (slope * (x << 8 + 128 - left.x)) >> 8
          put(x, y >> 16, y)
        }
      } else if dy != 0 {
        let (top, bottom) = dy > 0 ? (ends.0, ends.1) : (ends.1, ends.0)
        let slope = (bottom.x - top.x) * 65536 / (bottom.y - top.y)
        for y in firstRow(Int32(top.y))..<firstRow(Int32(bottom.y)) {
          let x = top.x << 8 + (slope * (y << 8 + 128 - top.y)) >> 8 - 1
          put(x >> 16, y, x)
        }
      }
    }
    return pixels
  }

  private static func drawn(
    _ ring: [SIMD2<Int32>], _ bitmap: Bitmap, _ band: Band, _ clip: RowClip, _ ink: UInt32
  ) -> [UInt32] {
    let points = ring.map { SIMD2(Float($0.x) / 256, Float($0.y) / 256) }
    points.withUnsafeBufferPointer { points in
      let geometry = FillGeometry(
        points: .float(points.baseAddress!), ringStarts: [0, UInt32(ring.count)], featureRings: [0, 1],
        featureCount: 1)
      let frame = FillFrame(geometry, Projection(scale: 1), width: bitmap.width, height: bitmap.height)
      frame.outline(band, clip, .solid(Premultiplied(bits: ink)))
    }
    return (0..<size.x * size.y).map { bitmap.pixels[$0] }
  }

  /// Edges of all directions, on centres of pixels and on their borders, within the clip, across its sides and beside it.
  @Test func theyAreThoseOfAPlainWalk() throws {
    var random = Random(state: 5)
    var (whole, cut) = (0, 0)
    for round in 0..<4000 {
      let reach = [400, 2000, 6000, 17000][round % 4]
      let grid = [1, 16, 128, 256][random.next(below: 4)]
      let corner = SIMD2(random.next(below: 11000) - 1500, random.next(below: 8500) - 1500)
      let ring = (0..<3 + random.next(below: 6)).map { _ in
        let place = SIMD2(corner.x + random.next(below: reach), corner.y + random.next(below: reach))
        return SIMD2(Int32(place.x / grid * grid), Int32(place.y / grid * grid))
      }
      let bitmap = try Bitmap(width: HairlineTests.size.x, height: HairlineTests.size.y)
      let rows = round % 5 == 0 ? 7..<19 : 0..<HairlineTests.size.y
      let band = bitmap.band(rows.lowerBound, rows.upperBound)
      let clip =
        round % 3 == 0
        ? RowClip.rect(x0: 9, y0: 3, x1: 31, y1: 22, band)
        : round % 3 == 1
          ? RowClip.quad(SIMD2(20, -4), SIMD2(44, 16), SIMD2(20, 34), SIMD2(-4, 12), band)
          : RowClip.full(band)
      let ink = HairlineTests.inks[round & 1]
      let pixels = HairlineTests.drawn(ring, bitmap, band, clip, ink)
      let isSame = pixels == HairlineTests.plain(ring, clip, rows: rows, ink)
      #expect(isSame, "\(ring), \(round)")
      if pixels.contains(where: { $0 != 0 }) {
        let (xs, ys) = (ring.map(\.x), ring.map(\.y))
        let item = FillItem(
          firstRing: 0, endRing: 1, minX: xs.min()!, minY: ys.min()!, maxX: xs.max()!, maxY: ys.max()!,
          feature: 0)
        if item.isWhole(clip) { whole += 1 } else { cut += 1 }
      }
    }
    #expect(whole > 300 && cut > 1000, "\(whole), \(cut)")
  }

  /// The bounds of a shape that is taken for whole may not be left by its outlines.
  @Test func thoseOfAShapeAtTheClipsBordersStayWithin() throws {
    let (left, top, right, bottom) = (1 << 8, 1 << 8, 39 << 8, 29 << 8)
    var random = Random(state: 6)
    for _ in 0..<2000 {
      func place(_ low: Int, _ high: Int) -> Int32 {
        Int32([low, high, low + random.next(below: high - low)][random.next(below: 3)])
      }
      let ring = (0..<3).map { _ in SIMD2(place(left, right), place(top, bottom)) }
      // A row more on each side, which is not to be touched.
      let bitmap = try Bitmap(width: HairlineTests.size.x, height: HairlineTests.size.y)
      let band = bitmap.band(0, HairlineTests.size.y)
      let pixels = HairlineTests.drawn(ring, bitmap, band, RowClip.full(band), 0xFFFF_FFFF)
      let isSame =
        pixels == HairlineTests.plain(ring, RowClip.full(band), rows: 0..<HairlineTests.size.y, 0xFFFF_FFFF)
      #expect(isSame, "\(ring)")
    }
  }
}
