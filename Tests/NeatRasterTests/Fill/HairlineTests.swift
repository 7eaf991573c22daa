import NeatBase
import Testing

@testable import NeatRaster

/// The outlines of polygons: to the pixel what a plain walk along each edge gives.
@Suite struct HairlineTests {
  private typealias Ring = [SIMD2<Int32>]

  private static let size = SIMD2(40, 30)
  private static let inks: [UInt32] = [0xFF80_4020, 0x8010_2030]

  /// Column by column or row by row, with decisions in the open.
  private static func plain(
    _ rings: [Ring], isOpen: Bool = false, _ clip: RowClip, rows: Range<Int>, _ ink: UInt32
  ) -> [UInt32] {
    var pixels = [UInt32](repeating: 0, count: size.x * size.y)
    func put(_ x: Int, _ y: Int, _ place: Int) {
      guard rows.contains(y), x >= clip.bounds(y).lower, x < clip.bounds(y).upper else { return }
      let distance = (Float(place >> 6 & 1023) + 0.5) / 1024 - 0.5
      let coverage = (255 - distance * distance * (765 - 510 * abs(distance))).rounded()
      let pixel = y * size.x + x
      pixels[pixel] = Blend.over(pixels[pixel], ink, coverage: UInt32(saturating: coverage))
    }
    for ring in rings {
      for index in ring.indices where index > 0 || !isOpen {
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
    }
    return pixels
  }

  /// Draws one feature.
  private static func draw(
    _ rings: [Ring], isOpen: Bool = false, _ band: Band, _ clip: RowClip, _ ink: UInt32
  ) {
    let points = rings.joined().map { SIMD4(Double($0.x) / 256, Double($0.y) / 256, 1, 0) }
    var starts: [UInt32] = [0]
    for ring in rings { starts.append(starts.last! + UInt32(ring.count)) }
    let featureRings = [0, UInt32(rings.count)]
    // What a geometry points to lives longer than it.
    points.withUnsafeBufferPointer { points in
      starts.withUnsafeBufferPointer { starts in
        featureRings.withUnsafeBufferPointer { featureRings in
          let geometry = FillGeometry(
            points: .homogeneous(points.baseAddress!), ringStarts: starts.baseAddress!,
            featureRings: featureRings.baseAddress!, featureCount: 1)
          let frame = FillFrame(geometry, Projection(scale: 1), width: size.x, height: size.y, isOpen: isOpen)
          frame.outline(band, clip, .solid(Premultiplied(bits: ink)))
        }
      }
    }
  }

  private static func isWhole(_ rings: [Ring], _ clip: RowClip) -> Bool {
    let points = Array(rings.joined())
    let (xs, ys) = (points.map(\.x), points.map(\.y))
    return FillItem(
      firstRing: 0, endRing: Int32(rings.count), minX: xs.min()!, minY: ys.min()!, maxX: xs.max()!,
      maxY: ys.max()!, feature: 0
    ).isWhole(clip)
  }

  /// Edges of all directions, on centres of pixels and on their borders, within the clip, across its sides and
  /// beside it, of closed rings and of open ones.
  @Test func theyAreThoseOfAPlainWalk() throws {
    var random = Random(state: 5)
    // Of closed rings, and of open ones.
    var (whole, cut) = ([0, 0], [0, 0])
    for round in 0..<4000 {
      let reach = [400, 2000, 6000, 17000][round % 4]
      let grid = [1, 16, 128, 256][random.next(below: 4)]
      let corner = SIMD2(random.next(below: 11000) - 1500, random.next(below: 8500) - 1500)
      let rings = (0..<1 + round % 2).map { _ in
        (0..<3 + random.next(below: 6)).map { _ in
          let place = SIMD2(corner.x + random.next(below: reach), corner.y + random.next(below: reach))
          return SIMD2(Int32(place.x / grid * grid), Int32(place.y / grid * grid))
        }
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
      let isOpen = round % 7 == 0
      HairlineTests.draw(rings, isOpen: isOpen, band, clip, ink)
      let pixels = (0..<HairlineTests.size.x * HairlineTests.size.y).map { bitmap.pixels[$0] }
      let isSame = pixels == HairlineTests.plain(rings, isOpen: isOpen, clip, rows: rows, ink)
      #expect(isSame, "\(rings), \(round)")
      if pixels.contains(where: { $0 != 0 }) {
        if HairlineTests.isWhole(rings, clip) {
          whole[isOpen ? 1 : 0] += 1
        } else {
          cut[isOpen ? 1 : 0] += 1
        }
      }
    }
    #expect(whole[0] > 250 && whole[1] > 40 && cut[0] > 1000 && cut[1] > 150, "\(whole), \(cut)")
  }

  /// A band in memory of its own, whose rows are farther apart than it is wide, and shapes that reach to the
  /// borders of its clip, a unit or a pixel further or less: nothing else is touched.
  @Test func nothingIsTouchedBesideTheClip() {
    let (rows, clipped) = (7..<19, 9..<17)
    let stride = HairlineTests.size.x + 5
    let around = 3 * stride
    let memory = UnsafeMutablePointer<UInt32>.allocate(capacity: rows.count * stride + 2 * around)
    defer { memory.deallocate() }
    let band = Band(
      pixels: memory + around, stride: stride, width: HairlineTests.size.x, y0: rows.lowerBound,
      y1: rows.upperBound)
    let clip = RowClip.rect(x0: 6, y0: clipped.lowerBound, x1: 33, y1: clipped.upperBound, band)
    var random = Random(state: 6)
    var (whole, cut, drawn) = (0, 0, 0)
    for round in 0..<3000 {
      memory.update(repeating: 0, count: rows.count * stride + 2 * around)
      // Of every second shape nothing comes closer to a border than a pixel: it is taken for whole.
      let inset = round % 2
      func place(_ low: Int, _ high: Int) -> Int32 {
        let (low, high) = ((low + inset) << 8, (high - inset) << 8)
        let aside = inset == 0 ? [-256, -1, 0, 1, 256][random.next(below: 5)] : 0
        return Int32(
          [low + aside, high + aside, low + random.next(below: high - low)][random.next(below: 3)])
      }
      let ring = (0..<3).map { _ in SIMD2(place(6, 33), place(clipped.lowerBound, clipped.upperBound)) }
      HairlineTests.draw([ring], band, clip, 0xFFFF_FFFF)
      var isSame = true
      let wanted = HairlineTests.plain([ring], clip, rows: rows, 0xFFFF_FFFF)
      for index in 0..<rows.count * stride + 2 * around {
        let (row, column) = (index - around).quotientAndRemainder(dividingBy: stride)
        let isPixel = index >= around && row < rows.count && column < HairlineTests.size.x
        let pixel = isPixel ? wanted[(rows.lowerBound + row) * HairlineTests.size.x + column] : 0
        if memory[index] != pixel { isSame = false }
        if pixel != 0 { drawn += 1 }
      }
      #expect(isSame, "\(ring)")
      if HairlineTests.isWhole([ring], clip) { whole += 1 } else { cut += 1 }
    }
    #expect(whole >= 1500 && cut > 1000 && drawn > 10000, "\(whole), \(cut), \(drawn)")
  }
}
