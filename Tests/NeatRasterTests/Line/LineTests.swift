import NeatBase
import NeatRaster
import Testing

private let red = Premultiplied(Color(r: 1, g: 0, b: 0, a: 1))
private let half = Premultiplied(Color(r: 1, g: 0, b: 0, a: 0.5))

/// Vertices as the tessellator would make them, without depending on it: a point's pair has the normal
/// `normal`, moved along the line by `end`.
struct Strip {
  var vertices: [LineVertex] = []

  mutating func pair(
    _ x: Float, _ y: Float, _ normal: SIMD2<Float>, end: Float = 0, round: Bool = false, distance: Float
  ) {
    let along = SIMD2(normal.y, -normal.x)
    func add(_ extrude: SIMD2<Float>, _ up: Bool, _ direction: Float) {
      vertices.append(
        LineVertex(
          position: SIMD2(x, y), extrude: extrude, distance: distance,
          flags: (round ? 1 : 0) | (up ? 2 : 0),
          direction: Int8(saturating: direction)))
    }
    add(normal + along * end, false, end)
    add(-normal + along * end, true, -end)
  }

  /// A vertex of one side, as wedges of joins have them.
  mutating func half(_ x: Float, _ y: Float, _ extrude: SIMD2<Float>, isUp: Bool, distance: Float) {
    vertices.append(
      LineVertex(
        position: SIMD2(x, y), extrude: extrude, distance: distance, flags: isUp ? 2 : 0, direction: 0))
  }

  /// - Parameter isPaired: whether the triangles of a stretch follow each other so that they are drawn as one
  ///   shape.
  func mesh(clips: ClosedRange<Float>? = nil, length: Float = 0, isPaired: Bool = true) -> LineMesh {
    let memory = UnsafeMutablePointer<LineVertex>.allocate(capacity: vertices.count)
    memory.initialize(from: vertices, count: vertices.count)
    var list: [UInt16] = []
    var (left, right): (Int?, Int?) = (nil, nil)
    for index in vertices.indices {
      if let left, let right {
        list += (isPaired ? [left, right, index] : [right, left, index]).map(UInt16.init)
      }
      if vertices[index].isUp { right = index } else { left = index }
    }
    let indices = UnsafeMutablePointer<UInt16>.allocate(capacity: list.count)
    indices.initialize(from: list, count: list.count)
    let piece = LinePiece(
      feature: 0, line: 0, vertexOffset: 0, firstVertex: 0, endVertex: Int32(vertices.count), firstIndex: 0,
      endIndex: Int32(list.count),
      clipStart: clips?.lowerBound ?? 0, clipEnd: clips?.upperBound ?? 0, totalDistance: length)
    return LineMesh(
      vertices: memory, vertexCount: vertices.count, indices: indices, indexCount: list.count, segments: [],
      pieces: [piece])
  }

  static func straight(_ a: SIMD2<Float>, _ b: SIMD2<Float>, roundCaps: Bool = false) -> Strip {
    let d = b - a
    let length = (d * d).sum().squareRoot()
    let normal = SIMD2(-d.y, d.x) / length
    var strip = Strip()
    if roundCaps { strip.pair(a.x, a.y, normal, end: -1, round: true, distance: 0) }
    strip.pair(a.x, a.y, normal, distance: 0)
    strip.pair(b.x, b.y, normal, distance: length)
    if roundCaps { strip.pair(b.x, b.y, normal, end: 1, round: true, distance: length) }
    return strip
  }
}

private func draw(
  _ bitmap: Bitmap, _ mesh: LineMesh, _ style: LineStyle, _ projection: Projection = Projection(scale: 1),
  bandHeight: Int = 1000,
  clip: (Band) -> RowClip = RowClip.full
) {
  let frame = LineFrame(mesh, projection, style, width: bitmap.width, height: bitmap.height)
  for y in stride(from: 0, to: bitmap.height, by: bandHeight) {
    let band = bitmap.band(y, y + bandHeight)
    frame.draw(band, clip(band))
  }
}

private func style(_ paint: LinePaint) -> LineStyle { LineStyle(paint: .same(paint), unitsPerPixel: 1) }

private func alpha(_ bitmap: Bitmap) -> [[Int]] {
  (0..<bitmap.height).map { y in (0..<bitmap.width).map { Int(bitmap.pixels[y * bitmap.width + $0] >> 24) } }
}

private func column(_ bitmap: Bitmap, _ x: Int) -> [Int] { alpha(bitmap).map { $0[x] } }

@Suite struct LineTests {
  @Test func coverageFallsFromHalfAPixelInsideTheEdgeToHalfAPixelOutside() throws {
    let bitmap = try Bitmap(width: 16, height: 10)
    let line = Strip.straight(SIMD2(2, 5), SIMD2(12.5, 5)).mesh()
    draw(bitmap, line, style(LinePaint(color: red, width: 3)))
    // Half a coverage is 127.5.
    #expect(column(bitmap, 7).map { $0 == 127 ? 128 : $0 } == [0, 0, 0, 128, 255, 255, 128, 0, 0, 0])
    // Ends are hard, at pixel centres: 12.5 belongs to what comes after the line.
    #expect(alpha(bitmap)[4] == [0, 0, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 0, 0, 0, 0])
  }

  @Test func anOffsetMovesTheLineAndAGapOpensIt() throws {
    let bitmap = try Bitmap(width: 16, height: 14)
    let line = Strip.straight(SIMD2(0, 7), SIMD2(16, 7)).mesh()
    draw(bitmap, line, style(LinePaint(color: red, width: 2, offset: 2)))
    #expect(column(bitmap, 7) == [0, 0, 0, 0, 0, 0, 0, 0, 255, 255, 0, 0, 0, 0])
    bitmap.clear(.transparent)
    // Gap of 4, then lines of 2 on each side: rows 3, 4 and 9, 10.
    draw(bitmap, line, style(LinePaint(color: red, width: 2, gapWidth: 4)))
    #expect(column(bitmap, 7) == [0, 0, 0, 255, 255, 0, 0, 0, 0, 255, 255, 0, 0, 0])
  }

  @Test func blurSoftensOverItsWidth() throws {
    let bitmap = try Bitmap(width: 8, height: 12)
    draw(
      bitmap, Strip.straight(SIMD2(0, 6), SIMD2(8, 6)).mesh(), style(LinePaint(color: red, width: 8, blur: 3))
    )
    // Outset 4.5, ramp of 4: 255 · (4.5 - d) / 4 at d = 0.5, 1.5 ...
    #expect(column(bitmap, 3) == [0, 0, 64, 128, 191, 255, 255, 191, 128, 64, 0, 0])
  }

  @Test func roundCapsAreHalfDiscs() throws {
    let bitmap = try Bitmap(width: 24, height: 16)
    draw(
      bitmap, Strip.straight(SIMD2(8, 8), SIMD2(16, 8), roundCaps: true).mesh(),
      style(LinePaint(color: red, width: 9)))
    let rows = alpha(bitmap)
    for y in 0..<16 {
      for x in 0..<24 {
        let dx = max(8 - (Float(x) + 0.5), (Float(x) + 0.5) - 16, 0)
        let dy = Float(y) + 0.5 - 8
        let expected = min(max(5 - (dx * dx + dy * dy).squareRoot(), 0), 1) * 255
        #expect(abs(Float(rows[y][x]) - expected) <= 3)
      }
    }
  }

  @Test func pixelRatioMakesTheRampOneDevicePixel() throws {
    let bitmap = try Bitmap(width: 16, height: 20)
    var retina = style(LinePaint(color: red, width: 3))
    retina.pixelRatio = 2
    draw(bitmap, Strip.straight(SIMD2(0, 5), SIMD2(8, 5)).mesh(), retina, Projection(scale: 2))
    #expect(column(bitmap, 7) == [0, 0, 0, 0, 0, 0, 0, 255, 255, 255, 255, 255, 255, 0, 0, 0, 0, 0, 0, 0])
  }

  @Test func aBentTranslucentLineBlendsEveryPixelOnce() throws {
    for turn in 0..<40 {
      let bitmap = try Bitmap(width: 64, height: 64)
      // A spiral of short segments with mitered joins.
      var strip = Strip()
      var points: [SIMD2<Float>] = []
      for step in 0..<40 {
        let angle = Float(step) * 0.3 + Float(turn) * 0.37
        points.append(
          SIMD2(32 + (4 + Float(step) * 0.6) * cosf(angle), 32 + (4 + Float(step) * 0.6) * sinf(angle)))
      }
      for index in points.indices {
        func normal(_ a: SIMD2<Float>, _ b: SIMD2<Float>) -> SIMD2<Float> {
          SIMD2(a.y - b.y, b.x - a.x) / ((b - a) * (b - a)).sum().squareRoot()
        }
        let before = normal(points[max(index - 1, 0)], points[max(index, 1)])
        let after = normal(points[min(index, points.count - 2)], points[min(index + 1, points.count - 1)])
        let sum = before + after
        let join = sum / (sum * sum).sum().squareRoot()
        strip.pair(points[index].x, points[index].y, join / (join * after).sum(), distance: 0)
      }
      draw(bitmap, strip.mesh(), style(LinePaint(color: half, width: 3)))
      let rows = alpha(bitmap)
      #expect(rows.allSatisfy { $0.allSatisfy { $0 <= 128 } })
      // No gap along the middle.
      for index in 1..<points.count - 1 {
        let middle = (points[index] + points[index + 1]) / 2
        #expect(rows[Int(bounded: middle.y)][Int(bounded: middle.x)] >= 125)
      }
    }
  }

  @Test func bandHeightAndClipsDoNotChangeAPixel() throws {
    var pictures: [[[Int]]] = []
    let mesh = Strip.straight(SIMD2(3, 60), SIMD2(58, 2.7), roundCaps: true).mesh()
    for (height, split) in [(1, 0), (5, 64), (64, 31), (1000, 7)] {
      let bitmap = try Bitmap(width: 64, height: 64)
      for part in 0..<2 {
        draw(bitmap, mesh, style(LinePaint(color: half, width: 7, blur: 1)), bandHeight: height) {
          RowClip.rect(x0: part == 0 ? 0 : split, y0: 0, x1: part == 0 ? split : 64, y1: 64, $0)
        }
      }
      pictures.append(alpha(bitmap))
    }
    #expect(pictures.allSatisfy { $0 == pictures[0] })
  }

  /// The sides of a bend's stretches are not as long as each other.
  @Test func dashesOfStretchesAreThoseOfTheirTriangles() throws {
    var bend = Strip()
    bend.pair(4, 30, SIMD2(0, 1), distance: 0)
    bend.pair(24, 30, SIMD2(-0.5, 1), distance: 20)
    bend.pair(40, 42, SIMD2(-0.3, 1.1), distance: 40)
    bend.pair(60, 42, SIMD2(0, 1), distance: 60)
    bend.pair(60, 42, SIMD2(0.2, 0.98), distance: 60)
    bend.pair(76, 26, SIMD2(0.71, 0.71), distance: 82)
    var dashed = style(LinePaint(color: red, width: 12))
    dashed.dash = .same(LineDash([0.4, 0.3], isRound: false))
    let pictures = try [true, false].map { isPaired in
      let bitmap = try Bitmap(width: 80, height: 64)
      draw(bitmap, bend.mesh(isPaired: isPaired), dashed)
      return alpha(bitmap).flatMap { $0 }
    }
    #expect(pictures[0].count { $0 > 200 } > 200)
    #expect(zip(pictures[0], pictures[1]).count { abs($0 - $1) > 8 } <= 4)
  }

  /// Two triangles of a round join share an edge as those of a stretch do, but have one side in common.
  @Test(arguments: [false, true])
  func wedgesOfJoinsAreDrawnOneByOne(isRightOutside: Bool) throws {
    var join = Strip()
    join.pair(6, 30, SIMD2(0, 1), distance: 0)
    join.pair(40, 30, SIMD2(0, 1), distance: 34)
    let down: Float = isRightOutside ? -1 : 1
    for (x, y) in [(0.5, 0.866), (0.866, 0.5)] as [(Float, Float)] {
      join.half(40, 30, SIMD2(x, y * down), isUp: isRightOutside, distance: 34)
    }
    join.pair(40, 30, SIMD2(down, 0), distance: 34)
    join.pair(40, 30 - 24 * down, SIMD2(down, 0), distance: 58)
    let pictures = try [true, false].map { isPaired in
      let bitmap = try Bitmap(width: 64, height: 64)
      draw(bitmap, join.mesh(isPaired: isPaired), style(LinePaint(color: red, width: 20)))
      return alpha(bitmap)
    }
    // In the middle of the second wedge.
    #expect(pictures[0][isRightOutside ? 26 : 34][44] == 255)
    #expect(zip(pictures[0].joined(), pictures[1].joined()).count { abs($0 - $1) > 2 } <= 4)
  }

  /// Extrusions are whole steps of 1/63, so that the two sides of a stretch are seldom parallel.
  @Test(arguments: [0, 9] as [Float])
  func stretchesWhoseSidesAreNotParallelAreTheirTriangles(gap: Float) throws {
    var bend = Strip()
    for (index, x) in stride(from: 6, to: 90, by: 14).enumerated() {
      let lean = Float(index * 5 % 7) / 9 - 0.3
      bend.pair(
        Float(x), 44 + 9 * Float(index % 3),
        SIMD2((lean * 63).rounded() / 63, 63 / 63 + Float(index % 2) / 20),
        distance: Float(14 * index))
    }
    let pictures = try [true, false].map { isPaired in
      let bitmap = try Bitmap(width: 96, height: 96)
      draw(bitmap, bend.mesh(isPaired: isPaired), style(LinePaint(color: red, width: 13, gapWidth: gap)))
      return alpha(bitmap).flatMap { $0 }
    }
    #expect(pictures[0].count { $0 > 200 } > 400)
    #expect(zip(pictures[0], pictures[1]).count { abs($0 - $1) > 2 } <= 4)
  }

  /// A stretch that is folded over itself is no shape with four sides.
  @Test func foldedStretchesAreTheirTriangles() throws {
    var fold = Strip()
    fold.pair(10, 20, SIMD2(0, 1), distance: 0)
    fold.pair(40, 30, SIMD2(0, -1), distance: 30)
    let pictures = try [true, false].map { isPaired in
      let bitmap = try Bitmap(width: 80, height: 48)
      draw(bitmap, fold.mesh(isPaired: isPaired), style(LinePaint(color: red, width: 15)))
      return alpha(bitmap).flatMap { $0 }
    }
    #expect(pictures[0].count { $0 > 200 } > 100)
    #expect(pictures[0] == pictures[1])
  }

  @Test func dashesWithoutGapsAreAPlainLine() throws {
    func picture(_ dash: LineDash?, _ paint: LinePaint) throws -> [UInt32] {
      let bitmap = try Bitmap(width: 48, height: 48)
      var look = style(paint)
      look.dash = .same(dash)
      draw(bitmap, Strip.straight(SIMD2(5, 7), SIMD2(41, 39)).mesh(), look)
      return Array(UnsafeBufferPointer(start: bitmap.pixels, count: 48 * 48))
    }
    for color in [red, half] {
      let paint = LinePaint(color: color, width: 6)
      let plain = try picture(nil, paint)
      #expect(plain.contains { $0 != 0 })
      #expect(try picture(LineDash([2, 0], isRound: false), paint) == plain)
      #expect(try picture(LineDash([12, 0, 3], isRound: false), paint) == plain)
      #expect(try picture(LineDash([2, 0.5], isRound: false), paint) != plain)
      // Ends that are softer than the period is long leave no place that is wholly within a dash.
      #expect(try picture(LineDash([0.1, 0], isRound: false), paint) != plain)
    }
  }

  @Test func roundDashesAreNeverAllDash() {
    #expect(LineDash([2, 0], isRound: false).isSolid)
    #expect(!LineDash([2, 0], isRound: true).isSolid)
    #expect(!LineDash([2, 0.5], isRound: false).isSolid)
  }

  @Test func dashesFollowTheirLengths() throws {
    let bitmap = try Bitmap(width: 40, height: 8)
    var dashed = style(LinePaint(color: red, width: 2))
    // Dashes of 4 and gaps of 6 pixels.
    dashed.dash = .same(LineDash([2, 3], isRound: false))
    draw(bitmap, Strip.straight(SIMD2(0, 4), SIMD2(40, 4)).mesh(), dashed)
    let row = alpha(bitmap)[3]
    #expect((0..<40).allSatisfy { x in x % 10 < 4 ? row[x] > 190 : row[x] < 64 })
    #expect(row[2] == 255 && row[7] == 0 && row[32] == 255)
    bitmap.clear(.transparent)
    dashed.dash = .same(LineDash([], isRound: true))
    draw(bitmap, Strip.straight(SIMD2(0, 4), SIMD2(40, 4)).mesh(), dashed)
    #expect(alpha(bitmap).joined().allSatisfy { $0 == 0 })
  }

  @Test func roundDashesAreNarrowerAtTheirEnds() throws {
    let bitmap = try Bitmap(width: 80, height: 24)
    var dashed = style(LinePaint(color: red, width: 16))
    dashed.dash = .same(LineDash([1, 1.5], isRound: true))
    draw(bitmap, Strip.straight(SIMD2(0, 12), SIMD2(80, 12)).mesh(), dashed)
    let rows = alpha(bitmap)
    let middle = rows[12].filter { $0 > 128 }.count
    let edge = rows[5].filter { $0 > 128 }.count
    #expect(middle > edge + 8)
  }

  @Test func gradientsRunOverTheWholeLine() throws {
    let bitmap = try Bitmap(width: 64, height: 8)
    var ramp = style(LinePaint(color: red, width: 4))
    ramp.gradient = LineGradient(colors: (0..<256).map { 0xFF00_0000 | UInt32($0) }, width: 256)
    draw(bitmap, Strip.straight(SIMD2(0, 4), SIMD2(64, 4)).mesh(clips: 0.5...1, length: 64), ramp)
    for x in [0, 20, 63] {
      let expected = (0.5 + (Double(x) + 0.5) / 128) * 256 - 0.5
      #expect(abs(Double(bitmap.pixels[4 * 64 + x] & 255) - expected) <= 1)
    }
  }

  @Test func patternsRepeatAlongTheLine() throws {
    let image = try PatternImage(
      PixelImage(width: 2, height: 1, pixels: [255, 0, 0, 255, 0, 0, 255, 255], isPremultiplied: true))
    let bitmap = try Bitmap(width: 64, height: 8)
    var pattern = style(LinePaint(color: red, width: 4))
    pattern.pattern = .same(LinePattern(image))
    draw(bitmap, Strip.straight(SIMD2(0, 4), SIMD2(64, 4)).mesh(), pattern)
    // A picture of 2 by 1 is 8 pixels long at a height of 4.
    let row = (0..<64).map { bitmap.pixels[4 * 64 + $0] }
    #expect(
      row.allSatisfy { $0 >> 24 == 255 } && (0..<48).allSatisfy { row[$0] == row[$0 + 8] }
        && Set(row[0..<8]).count >= 2)
    pattern.pattern = .same(nil)
    bitmap.clear(.transparent)
    draw(bitmap, Strip.straight(SIMD2(0, 4), SIMD2(64, 4)).mesh(), pattern)
    #expect(alpha(bitmap).joined().allSatisfy { $0 == 0 })
  }

  @Test func aLineFarOutsideTheFrameIsStillStraight() throws {
    let near = try Bitmap(width: 64, height: 64)
    let far = try Bitmap(width: 64, height: 64)
    let paint = LinePaint(color: red, width: 5)
    draw(near, Strip.straight(SIMD2(-100, -68), SIMD2(200, 232)).mesh(), style(paint))
    // The same line, drawn from a tile 4096 times larger.
    let scale = 65536.0
    let line = Strip.straight(SIMD2(-4000, -4000), SIMD2(4000, 4000)).mesh()
    draw(
      far, line, LineStyle(paint: .same(paint), unitsPerPixel: 1 / scale),
      Projection(scale: scale, x: 0, y: 32))
    let (a, b) = (alpha(near), alpha(far))
    for y in 0..<64 { for x in 0..<64 { #expect(abs(a[y][x] - b[y][x]) <= 3) } }
  }

  @Test func aPitchedLineKeepsASoftEdgeOfOnePixel() throws {
    let bitmap = try Bitmap(width: 64, height: 64)
    // w grows upwards: the line narrows.
    var projection = Projection(xx: 1, xy: 0.5, x0: 0, yx: 0, yy: 1, y0: 0)
    (projection.wx, projection.wy, projection.w0) = (0, 1.0 / 64, 0.5)
    projection.xy = 32.0 / 64
    projection.x0 = 0
    draw(
      bitmap, Strip.straight(SIMD2(16, -31), SIMD2(16, 400)).mesh(), style(LinePaint(color: red, width: 10)),
      projection)
    let rows = alpha(bitmap)
    let widths = [20, 30, 40].map { y in rows[y].map { Double($0) / 255 }.reduce(0, +) }
    #expect(widths[0] > widths[2] && widths[2] > 1)
    #expect(rows[20].filter { $0 > 8 && $0 < 247 }.count <= 4)
  }

  @Test func badNumbersDrawNothing() throws {
    let bitmap = try Bitmap(width: 16, height: 16)
    for width in [0, -3, Float.nan, .infinity] {
      draw(
        bitmap, Strip.straight(SIMD2(0, 8), SIMD2(16, 8)).mesh(), style(LinePaint(color: red, width: width)))
    }
    draw(
      bitmap, Strip.straight(SIMD2(0, 8), SIMD2(16, 8)).mesh(), style(LinePaint(color: red, width: 3)),
      Projection(scale: .nan))
    draw(
      bitmap, Strip.straight(SIMD2(0, 8), SIMD2(16, 8)).mesh(),
      style(LinePaint(color: .transparent, width: 3)))
    #expect(alpha(bitmap).joined().allSatisfy { $0 == 0 })
  }
}
