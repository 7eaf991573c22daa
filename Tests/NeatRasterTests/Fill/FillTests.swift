import NeatBase
import NeatRaster
import Testing

private let red = Premultiplied(Color(r: 1, g: 0, b: 0, a: 1))
private let half = Premultiplied(Color(r: 1, g: 0, b: 0, a: 0.5))

/// One feature a list of rings.
private final class Shapes {
  var points: [SIMD2<Float>] = []
  var rings: [UInt32] = [0]
  var features: [UInt32] = [0]

  init(_ features: [[[SIMD2<Float>]]]) {
    for feature in features {
      for ring in feature {
        points += ring
        rings.append(UInt32(points.count))
      }
      self.features.append(UInt32(rings.count - 1))
    }
  }

  func draw(
    _ bitmap: Bitmap, _ paint: FillPaint, projection: Projection = Projection(scale: 1),
    bandHeight: Int = 1000, outline: FillPaint? = nil,
    clip: (Band) -> RowClip = RowClip.full
  ) {
    points.withUnsafeBufferPointer { points in
      let geometry = FillGeometry(
        points: .float(points.baseAddress!), ringStarts: rings, featureRings: features,
        featureCount: features.count - 1)
      let frame = FillFrame(geometry, projection, width: bitmap.width, height: bitmap.height)
      let scratch = RasterScratch()
      for y in stride(from: 0, to: bitmap.height, by: bandHeight) {
        let band = bitmap.band(y, y + bandHeight)
        if let outline { frame.outline(band, clip(band), outline) }
        frame.fill(band, clip(band), paint, scratch)
      }
    }
  }
}

private func alpha(_ bitmap: Bitmap) -> [[Int]] {
  (0..<bitmap.height).map { y in (0..<bitmap.width).map { Int(bitmap.pixels[y * bitmap.width + $0] >> 24) } }
}

private func box(_ x0: Float, _ y0: Float, _ x1: Float, _ y1: Float) -> [SIMD2<Float>] {
  [SIMD2(x0, y0), SIMD2(x1, y0), SIMD2(x1, y1), SIMD2(x0, y1)]
}

@Suite struct FillTests {
  @Test func pixelsAreCoveredByTheirCentres() throws {
    let bitmap = try Bitmap(width: 5, height: 4)
    Shapes([[box(0.5, 0.49, 3.5, 1.51)]]).draw(bitmap, .solid(red))
    #expect(
      alpha(bitmap) == [[255, 255, 255, 0, 0], [255, 255, 255, 0, 0], [0, 0, 0, 0, 0], [0, 0, 0, 0, 0]])
  }

  @Test func aCentreOnAnEdgeBelongsToWhatIsRightOfItOrAbove() throws {
    let bitmap = try Bitmap(width: 5, height: 4)
    Shapes([[box(0.5, 0.5, 3.5, 2.5)]]).draw(bitmap, .solid(red))
    #expect(
      alpha(bitmap) == [[0, 0, 0, 0, 0], [255, 255, 255, 0, 0], [255, 255, 255, 0, 0], [0, 0, 0, 0, 0]])
  }

  @Test func holesStayOpenAndOverlapsFillOnce() throws {
    let bitmap = try Bitmap(width: 6, height: 6)
    Shapes([[box(0, 0, 5, 5), box(2, 2, 4, 4).reversed(), box(4, 0, 6, 2)]]).draw(bitmap, .solid(half))
    let rows = alpha(bitmap)
    #expect(rows[0] == [128, 128, 128, 128, 128, 128])
    #expect(rows[2] == [128, 128, 0, 0, 128, 0])
    #expect(rows[5] == [0, 0, 0, 0, 0, 0])
  }

  @Test func aRingOfEitherDirectionFillsTheSame() throws {
    let (a, b) = (try Bitmap(width: 32, height: 32), try Bitmap(width: 32, height: 32))
    let ring: [SIMD2<Float>] = [SIMD2(3.2, 1.7), SIMD2(30.1, 9.9), SIMD2(12.4, 29.3), SIMD2(8.8, 14.1)]
    Shapes([[ring]]).draw(a, .solid(red))
    Shapes([[ring.reversed()]]).draw(b, .solid(red))
    #expect(alpha(a) == alpha(b))
  }

  @Test func trianglesThatShareEdgesCoverEachPixelOnce() throws {
    let bitmap = try Bitmap(width: 64, height: 64)
    var state: UInt32 = 7
    func random() -> Float {
      state = state &* 1_664_525 &+ 1_013_904_223
      return Float(state >> 8) / 16_777_216
    }
    // A jittered grid, two triangles a cell, each half transparent: alpha is 128 everywhere if nothing is hit
    // twice.
    var grid: [[SIMD2<Float>]] = []
    for y in 0...10 {
      grid.append(
        (0...10).map { x in SIMD2(-3 + 7 * Float(x) + 3 * random(), -3 + 7 * Float(y) + 3 * random()) })
    }
    var features: [[[SIMD2<Float>]]] = []
    for y in 0..<10 {
      for x in 0..<10 {
        features.append([[grid[y][x], grid[y][x + 1], grid[y + 1][x + 1]]])
        features.append([[grid[y][x], grid[y + 1][x], grid[y + 1][x + 1]]])
      }
    }
    Shapes(features).draw(bitmap, .solid(half))
    #expect(alpha(bitmap).allSatisfy { $0.allSatisfy { $0 == 128 } })
  }

  @Test func bandHeightDoesNotChangeAPixel() throws {
    var features: [[[SIMD2<Float>]]] = []
    for index in 0..<60 {
      let angle = Float(index)
      features.append([
        (0..<7).map {
          SIMD2(50 + (20 + angle) * cosf(angle + Float($0 * $0)), 50 + 60 * sinf(angle * 0.7 + Float($0)))
        }
      ])
    }
    var pictures: [[[Int]]] = []
    for height in [1, 3, 16, 1000] {
      let bitmap = try Bitmap(width: 101, height: 103)
      Shapes(features).draw(bitmap, .solid(half), bandHeight: height, outline: .solid(half))
      pictures.append(alpha(bitmap))
    }
    #expect(pictures.allSatisfy { $0 == pictures[0] })
  }

  /// A shape of many edges, of which each band and clip passes over most as whole runs.
  @Test func edgesOutOfReachOfABandOrAClipDoNotChangeAPixel() throws {
    func ring(_ count: Int, radius: Float, turn: Float) -> [SIMD2<Float>] {
      (0..<count).map {
        let angle = turn * 6.2831853 * Float($0) / Float(count)
        let r = radius * (1 + 0.2 * sinf(17 * angle))
        return SIMD2(70 + r * cosf(angle), 60 + r * sinf(angle))
      }
    }
    let features = [
      [ring(400, radius: 80, turn: 1), ring(100, radius: 30, turn: -1), [SIMD2(3, 3), SIMD2(130, 100)]]
    ]
    let whole = try Bitmap(width: 128, height: 112)
    Shapes(features).draw(whole, .solid(half), outline: .solid(half))
    let (expected, box) = (alpha(whole), (x0: 40, y0: 20, x1: 90, y1: 97))
    #expect(Set(expected.joined()).count > 3)
    for height in [1, 5, 24, 64] {
      let banded = try Bitmap(width: 128, height: 112)
      Shapes(features).draw(banded, .solid(half), bandHeight: height, outline: .solid(half))
      #expect(alpha(banded) == expected)
      let clipped = try Bitmap(width: 128, height: 112)
      Shapes(features).draw(clipped, .solid(half), bandHeight: height, outline: .solid(half)) {
        RowClip.rect(x0: box.x0, y0: box.y0, x1: box.x1, y1: box.y1, $0)
      }
      let cut = expected.indices.map { y in
        expected[y].indices.map { x in
          (box.x0..<box.x1).contains(x) && (box.y0..<box.y1).contains(y) ? expected[y][x] : 0
        }
      }
      #expect(alpha(clipped) == cut)
    }
  }

  @Test func nothingIsDrawnOutsideTheClip() throws {
    let bitmap = try Bitmap(width: 8, height: 8)
    Shapes([[box(-100, -100, 100, 100)]]).draw(bitmap, .solid(red), outline: .solid(red)) {
      RowClip.rect(x0: 2, y0: 3, x1: 5, y1: 6, $0)
    }
    #expect(alpha(bitmap).joined().filter { $0 != 0 }.count == 9)
    #expect(bitmap.pixels[3 * 8 + 2] == red.bits)
  }

  @Test func eachFeatureHasItsColorAndLaterOnesLieAbove() throws {
    let bitmap = try Bitmap(width: 3, height: 1)
    let blue = Premultiplied(Color(r: 0, g: 0, b: 1, a: 1))
    Shapes([[box(0, 0, 2, 1)], [box(50, 0, 60, 1)], [box(1, 0, 3, 1)]]).draw(
      bitmap, .colors([red, red, blue]))
    #expect((0..<3).map { bitmap.pixels[$0] } == [red.bits, blue.bits, blue.bits])
  }

  @Test func coordinatesFarOutsideAndNotFiniteDoNoHarm() throws {
    let bitmap = try Bitmap(width: 16, height: 16)
    Shapes([
      [box(-1e12, 4, 1e12, 1e12)], [[SIMD2(.nan, 0), SIMD2(9, 0), SIMD2(9, 9)]],
      [[SIMD2(0, 0), SIMD2(.infinity, 0), SIMD2(9, 9)]],
    ])
    .draw(bitmap, .solid(red), outline: .solid(red))
    #expect(alpha(bitmap)[3].allSatisfy { $0 == 0 } && alpha(bitmap)[4].allSatisfy { $0 == 255 })
    Shapes([[[]], [], [[SIMD2(1, 1)]], [[SIMD2(1, 1), SIMD2(5, 5)]]]).draw(
      bitmap, .solid(red), outline: .solid(red))
  }

  @Test func anOverscaledTileKeepsItsEdgesStraight() throws {
    // A triangle of a tile drawn 2^20 times larger: the edge u = v passes through the frame's diagonal.
    let bitmap = try Bitmap(width: 16, height: 16)
    let scale = 65536.0 * 16
    Shapes([[[SIMD2(0, 0), SIMD2(8192, 8192), SIMD2(0, 8192)]]])
      .draw(bitmap, .solid(red), projection: Projection(scale: scale, x: -4096 * scale, y: -4096 * scale))
    #expect(
      alpha(bitmap) == (0..<16).map { y in (0..<16).map { x in x <= y ? 255 : 0 } }
        || alpha(bitmap) == (0..<16).map { y in (0..<16).map { x in x < y ? 255 : 0 } })
  }

  @Test func anOutlineBetweenTwoColumnsTakesTheLeftOneAndBetweenRowsTheLower() throws {
    let bitmap = try Bitmap(width: 8, height: 8)
    // A sixteenth of a pixel is all that an outline sees.
    Shapes([[box(2.02, 1.98, 6, 6)]]).draw(bitmap, .solid(.transparent), outline: .solid(red))
    let rows = alpha(bitmap)
    #expect(rows[4][1] == 128 && rows[4][2] == 0 && rows[4][5] == 128)
    #expect(rows[1][4] == 0 && rows[2][4] == 128 && rows[6][4] == 128)
  }

  @Test func anOutlineFadesAlongItsColumnHoweverSteepItIs() throws {
    let bitmap = try Bitmap(width: 8, height: 8)
    Shapes([[[SIMD2(0, 0.25), SIMD2(8, 7.25), SIMD2(0, 7.25)]]])
      .draw(bitmap, .solid(.transparent), outline: .solid(red))
    // At column 0 the edge is at 0.6875: 0.1875 from the centre of row 0, whose distance to the edge itself is less.
    #expect(abs(alpha(bitmap)[0][0] - 232) <= 1)
  }

  @Test func outlinesFadeWithTheDistanceOfTheNearestCentre() throws {
    let bitmap = try Bitmap(width: 8, height: 8)
    Shapes([[box(2.25, 2, 6, 6)]]).draw(bitmap, .solid(.transparent), outline: .solid(red))
    // x = 2.25: the nearest centre is 2.5, 0.25 away: 1 - 0.0625 * 2.5 = 0.84375.
    #expect(alpha(bitmap)[4][2] == 215 && alpha(bitmap)[4][1] == 0 && alpha(bitmap)[4][3] == 0)
  }

  @Test func inPerspectiveAnEdgeThatLeadsAwayIsSmoothedAtItsEndsOnly() throws {
    // Rows shrink towards the top: w = 1 + v / 64.
    var tilted = Projection(scale: 1)
    (tilted.wy, tilted.w0) = (1.0 / 64, 1)
    let ring: [SIMD2<Float>] = [SIMD2(6.3, 0), SIMD2(20, 0), SIMD2(20, 60), SIMD2(6.3, 60)]
    func rows(_ inPerspective: Bool) throws -> [[Int]] {
      let bitmap = try Bitmap(width: 32, height: 32)
      let shapes = Shapes([[ring]])
      shapes.points.withUnsafeBufferPointer { points in
        let geometry = FillGeometry(
          points: .float(points.baseAddress!), ringStarts: shapes.rings, featureRings: shapes.features,
          featureCount: 1)
        let frame = FillFrame(geometry, tilted, width: 32, height: 32)
        let band = bitmap.band(0, 32)
        frame.outline(band, RowClip.full(band), .solid(red), inPerspective: inPerspective)
      }
      return alpha(bitmap)
    }
    let (plain, seen) = (try rows(false), try rows(true))
    // The edge from (6.3, 0) to (6.3, 60) runs from row 0 to row 31, towards the left.
    let drawn = { (rows: [[Int]], row: Int) in rows[row][0..<10].contains { $0 > 0 } }
    #expect((1..<30).allSatisfy { drawn(plain, $0) })
    #expect(drawn(seen, 0) && drawn(seen, 30))
    #expect((8..<24).allSatisfy { !drawn(seen, $0) })
    // An edge that leads nowhere is as it was.
    #expect(seen[0][7..<19] == plain[0][7..<19])
  }

  @Test func theAntialiasedOpaqueFillHasNoPartialPixelInside() throws {
    let bitmap = try Bitmap(width: 32, height: 32)
    let plain = try Bitmap(width: 32, height: 32)
    let ring: [SIMD2<Float>] = [SIMD2(3.2, 1.7), SIMD2(30.1, 9.9), SIMD2(12.4, 29.3)]
    Shapes([[ring]]).draw(bitmap, .solid(red), outline: .solid(red))
    Shapes([[ring]]).draw(plain, .solid(red))
    let (soft, hard) = (alpha(bitmap), alpha(plain))
    var partial = 0
    for y in 0..<32 {
      for x in 0..<32 {
        if hard[y][x] == 255 {
          #expect(soft[y][x] == 255)
        } else if soft[y][x] > 0 {
          partial += 1; #expect(soft[y][x] >= 127)
        }
      }
    }
    #expect(partial > 10)
  }

  @Test func patternsRepeatFromTheirOrigin() throws {
    let image = PixelImage(
      width: 2, height: 1, pixels: [255, 0, 0, 255, 0, 0, 255, 255], isPremultiplied: true)
    let pattern = try PatternImage(image)
    let bitmap = try Bitmap(width: 5, height: 2)
    Shapes([[box(0, 0, 5, 2)]]).draw(
      bitmap, .patterns([PatternPaint(pattern, map: Projection(scale: 1, x: 1, y: 0))]))
    let blue: UInt32 = 0xFFFF_0000
    #expect((0..<5).map { bitmap.pixels[5 + $0] } == [blue, red.bits, blue, red.bits, blue])
    // Twice as large: centres fall a quarter texel from the texels' centres.
    bitmap.clear(.transparent)
    Shapes([[box(0, 0, 5, 2)]]).draw(bitmap, .patterns([PatternPaint(pattern, map: Projection(scale: 0.5))]))
    #expect(bitmap.pixels[0] == 0xFF40_00BF && bitmap.pixels[2] == 0xFFBF_0040)
  }

  /// Where the ground begins further right, its pixels are drawn, and no others.
  @Test(arguments: [0, 3]) func patternsCoverTheGroundOfABand(first: Int) throws {
    let image = PixelImage(
      width: 2, height: 1, pixels: [255, 0, 0, 255, 0, 0, 255, 255], isPremultiplied: true)
    let paint = PatternPaint(try PatternImage(image), map: Projection(scale: 1))
    let other = PatternPaint(try PatternImage(image), map: Projection(scale: 1, x: 1, y: 0))
    let blue: UInt32 = 0xFFFF_0000
    let expected = (0..<8).map { $0 < first || $0 > 5 ? 0 : $0 % 2 == 0 ? red.bits : blue }
    let (bitmap, mixed) = (try Bitmap(width: 8, height: 2), try Bitmap(width: 8, height: 2))
    let ground = GroundEdge.columns(first..<6)
    paint.fill(bitmap.band, ground: ground)
    PatternMix(other, paint, share: 256).fill(mixed.band, ground: ground)
    for row in 0..<2 {
      #expect((0..<8).map { bitmap.pixels[8 * row + $0] } == expected)
      #expect((0..<8).map { mixed.pixels[8 * row + $0] } == expected)
    }
    // Half of each is neither.
    mixed.clear(.transparent)
    PatternMix(other, paint, share: 128).fill(mixed.band, ground: ground)
    #expect((0..<8).map { mixed.pixels[$0] } == expected.map { $0 == 0 ? 0 : 0xFF80_0080 })
  }

  @Test func aPitchedPolygonBehindTheCameraIsCut() throws {
    let bitmap = try Bitmap(width: 32, height: 32)
    var projection = Projection(scale: 1, x: 0, y: 0)
    projection.wy = -0.01
    Shapes([[box(0, 0, 8, 400)]]).draw(bitmap, .solid(red), projection: projection)
    #expect(alpha(bitmap)[31][5] == 255)
  }
}
