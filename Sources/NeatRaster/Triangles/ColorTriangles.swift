// Triangles with a colour at each corner, one drawn over the other, with smooth edges. A pixel has 16 samples, on a grid
// of four by four; each triangle is drawn over the samples that it covers, and when a row of pixels is done the mean of
// a pixel's samples goes over the picture. So edges that two triangles share leave no gap and are not counted twice,
// whatever the colours let through.
//
// Corners are rounded to 1/256 pixel and edges tested exactly in integers with the top-left rule. In a row of samples
// each edge bounds x from one side; the bounds are found by division. The colour of a pixel is that at its centre, in
// perspective, held within the triangle's own.
import NeatBase

/// A corner of such a triangle.
package struct ColorVertex: BitwiseCopyable, Sendable {
  /// Pixels of the picture, before the division by w.
  package var position: SIMD4<Double>
  /// Premultiplied, 0 to 1, no part above alpha.
  package var color: SIMD4<Float>

  package init(position: SIMD4<Double>, color: SIMD4<Float>) {
    (self.position, self.color) = (position, color)
  }
}

/// Draws triangles, three indices each, all below the number of vertices. What lies behind the eye is cut away.
package func drawColorTriangles(
  _ vertices: [ColorVertex], _ indices: [UInt32], on bitmap: Bitmap, _ executor: Executor
) {
  var triangles: [FlatTriangle] = []
  triangles.reserveCapacity(indices.count / 3)
  func add(_ a: ColorVertex, _ b: ColorVertex, _ c: ColorVertex) {
    guard let triangle = FlatTriangle(a, b, c), triangle.top < bitmap.height, triangle.bottom >= 0 else {
      return
    }
    triangles.append(triangle)
  }
  var place = 0
  while place + 2 < indices.count {
    let a = vertices[Int(indices[place])]
    let b = vertices[Int(indices[place + 1])]
    let c = vertices[Int(indices[place + 2])]
    place += 3
    if GuardClip.isInside(a) && GuardClip.isInside(b) && GuardClip.isInside(c) {
      add(a, b, c)
      continue
    }
    let ring = GuardClip.clipped([a, b, c])
    for last in 2..<max(2, ring.count) { add(ring[0], ring[last - 1], ring[last]) }
  }
  guard !triangles.isEmpty else { return }
  let all = triangles
  let rows = executor.width == 1 ? bitmap.height : 64
  executor.forEach((bitmap.height + rows - 1) / rows) { number in
    let band = bitmap.band(number * rows, (number + 1) * rows)
    let mine = all.filter { $0.top < band.y1 && $0.bottom >= band.y0 }
    guard !mine.isEmpty else { return }
    // Sixteen samples a pixel, all empty between rows.
    let samples = UnsafeMutablePointer<SIMD16<UInt32>>.allocate(capacity: band.width)
    samples.initialize(repeating: .zero, count: band.width)
    defer { samples.deallocate() }
    for row in band.y0..<band.y1 {
      var (first, end) = (band.width, 0)
      for triangle in mine where triangle.top <= row && row <= triangle.bottom {
        let columns = triangle.draw(row, band.width, samples)
        guard !columns.isEmpty else { continue }
        (first, end) = (min(first, columns.lowerBound), max(end, columns.upperBound))
      }
      if first < end { resolve(samples, first..<end, band.row(row)) }
    }
  }
}

/// The mean of each pixel's samples goes over the picture; the samples are empty then.
private func resolve(
  _ samples: UnsafeMutablePointer<SIMD16<UInt32>>, _ columns: Range<Int>, _ row: UnsafeMutablePointer<UInt32>
) {
  let low = SIMD16<UInt32>(repeating: 0x00FF_00FF)
  for column in columns {
    let all = samples[column]
    guard all != .zero else { continue }
    samples[column] = .zero
    var mean = all[0]
    if all != SIMD16(repeating: mean) {
      // Sixteen bytes add up to 4080 at most: two sums have room in a word.
      let rb = ((all & low).wrappedSum() &+ 0x0008_0008) &>> 4 & 0x00FF_00FF
      let ga = (((all &>> 8) & low).wrappedSum() &+ 0x0008_0008) &>> 4 & 0x00FF_00FF
      mean = rb | ga &<< 8
    }
    row[column] = Blend.over(row[column], mean)
  }
}

/// A triangle in the plane of the picture, that runs clockwise (y down).
private struct FlatTriangle {
  /// Corners in 1/256 pixel, within the guard square.
  private let x: SIMD3<Int64>
  private let y: SIMD3<Int64>
  private let colors: (SIMD4<Float>, SIMD4<Float>, SIMD4<Float>)
  /// One over the w of each corner.
  private let depths: SIMD3<Float>
  private let isPlain: Bool
  /// Rows of pixels that it may reach.
  let top: Int
  let bottom: Int

  /// Nil where it covers nothing.
  init?(_ a: ColorVertex, _ b: ColorVertex, _ c: ColorVertex) {
    func fixed(_ v: ColorVertex) -> SIMD2<Int64> {
      let pixel = SIMD2(v.position.x, v.position.y) / v.position.w
      // Cutting is as exact as numbers are: what was farther than these go is held here.
      let held = pixel.clamped(
        lowerBound: SIMD2(repeating: -GuardClip.pixels), upperBound: SIMD2(repeating: GuardClip.pixels))
      return SIMD2(
        Int64(saturating: (held.x * 256).rounded()), Int64(saturating: (held.y * 256).rounded()))
    }
    let (p, q, r) = (fixed(a), fixed(b), fixed(c))
    // Differences are below 2^26, their products below 2^52.
    let area = (q.x - p.x) * (r.y - p.y) - (q.y - p.y) * (r.x - p.x)
    guard area != 0 else { return nil }
    let (s, t, e, f) = area > 0 ? (q, r, b, c) : (r, q, c, b)
    (x, y) = (SIMD3(p.x, s.x, t.x), SIMD3(p.y, s.y, t.y))
    colors = (a.color, e.color, f.color)
    depths = SIMD3<Float>(SIMD3(1 / a.position.w, 1 / e.position.w, 1 / f.position.w))
    isPlain = a.color == b.color && a.color == c.color
    (top, bottom) = (Int(y.min() >> 8), Int(y.max() >> 8))
  }

  /// How far a point is on the inner side of the edge from a corner to the next.
  private func side(_ corner: Int, _ px: Int64, _ py: Int64) -> Int64 {
    let next = corner == 2 ? 0 : corner + 1
    return (x[next] - x[corner]) * (py - y[corner]) - (y[next] - y[corner]) * (px - x[corner])
  }

  /// Samples of a row of samples that it covers, of those at 32 + 64 n; empty where it covers none.
  private func samples(_ sampleY: Int64, _ count: Int) -> Range<Int> {
    var (low, high) = (Int64(0), Int64(count) - 1)
    for corner in 0..<3 {
      let next = corner == 2 ? 0 : corner + 1
      let (dx, dy) = (x[next] - x[corner], y[next] - y[corner])
      // Points on an edge belong to the triangle right of it or below it.
      let bias: Int64 = dy < 0 || dy == 0 && dx > 0 ? 0 : -1
      // side = rise - dy * x, and is to be at least 0.
      let rise = dx * (sampleY - y[corner]) + dy * x[corner] + bias
      if dy == 0 {
        if rise < 0 { return 0..<0 }
      } else if dy > 0 {
        high = min(high, floorDivided(floorDivided(rise, dy) - 32, 64))
      } else {
        // The least x with -dy * x >= -rise.
        low = max(low, -floorDivided(floorDivided(rise, -dy) + 32, 64))
      }
    }
    return low <= high ? Int(low)..<Int(high) + 1 : 0..<0
  }

  /// Draws over the samples of a row of pixels; the columns that it touched.
  func draw(_ row: Int, _ width: Int, _ samples: UnsafeMutablePointer<SIMD16<UInt32>>) -> Range<Int> {
    let y0 = Int64(row) * 256
    var (lows, highs) = (SIMD4<Int>.zero, SIMD4<Int>.zero)
    var (first, end) = (width, 0)
    // Columns that are covered whole.
    var (inner, innerEnd) = (0, width)
    for number in 0..<4 {
      let span = self.samples(y0 + 32 + 64 * Int64(number), 4 * width)
      (lows[number], highs[number]) = (span.lowerBound, span.upperBound)
      if !span.isEmpty {
        first = min(first, span.lowerBound >> 2)
        end = max(end, (span.upperBound + 3) >> 2)
      }
      inner = max(inner, (span.lowerBound + 3) >> 2)
      innerEnd = min(innerEnd, span.upperBound >> 2)
    }
    guard first < end else { return 0..<0 }
    let plain = bits(colors.0)
    for column in first..<end {
      let color = isPlain ? plain : self.color(Int64(column) * 256 + 128, y0 + 128)
      let pixel = samples + column
      if column >= inner && column < innerEnd {
        pixel.pointee =
          color >> 24 == 255 ? SIMD16(repeating: color) : FlatTriangle.over(pixel.pointee, color)
        continue
      }
      for number in 0..<4 {
        let from = max(lows[number], 4 * column)
        let to = min(highs[number], 4 * column + 4)
        guard from < to else { continue }
        for sample in from..<to {
          let place = 4 * number + sample - 4 * column
          pixel.pointee[place] = Blend.over(pixel.pointee[place], color)
        }
      }
    }
    return first..<end
  }

  /// The colour at a point; of one outside as at the nearest edge, or about.
  private func color(_ px: Int64, _ py: Int64) -> UInt32 {
    // The edge opposite to a corner tells how much of its colour there is.
    let inner = SIMD3(Float(side(1, px, py)), Float(side(2, px, py)), Float(side(0, px, py)))
    let weights = pointwiseMax(inner, .zero) * depths
    let sum = weights.sum()
    guard sum > 0 else { return bits(colors.0) }
    let shares = weights / sum
    return bits(colors.0 * shares.x + colors.1 * shares.y + colors.2 * shares.z)
  }

  private func bits(_ color: SIMD4<Float>) -> UInt32 {
    let bytes = SIMD4<UInt32>(saturating: color * 255 + 0.5)
    return bytes.x | bytes.y << 8 | bytes.z << 16 | bytes.w << 24
  }

  private static func over(_ below: SIMD16<UInt32>, _ color: UInt32) -> SIMD16<UInt32> {
    let four = Pixels4(repeating: color)
    func over(_ eight: SIMD8<UInt32>) -> SIMD8<UInt32> {
      SIMD8(lowHalf: Blend.over4(eight.lowHalf, four), highHalf: Blend.over4(eight.highHalf, four))
    }
    let (low, high) = (over(below.lowHalf), over(below.highHalf))
    return SIMD16(lowHalf: low, highHalf: high)
  }
}

/// Triangles that reach behind the eye, or farther than the numbers.
private enum GuardClip {
  /// Beyond this many pixels from the picture's corner they are cut.
  static let pixels = 65536.0
  private static let nearW = 1e-6

  static func isInside(_ v: ColorVertex) -> Bool { (0..<5).allSatisfy { distance(v.position, $0) >= 0 } }

  private static func distance(_ p: SIMD4<Double>, _ plane: Int) -> Double {
    HomogeneousClip.room(p.x, p.y, p.w, plane, reach: pixels, nearW: nearW)
  }

  /// The polygon cut to the near plane and the guard square (Sutherland and Hodgman).
  static func clipped(_ corners: [ColorVertex]) -> [ColorVertex] {
    var current = corners
    guard current.allSatisfy({ ($0.position * 0).sum() == 0 }) else { return [] }
    for plane in 0..<5 where !current.isEmpty {
      current = current.convexPart {
        distance($0.position, plane)
      } between: { a, b, part in
        ColorVertex(
          position: a.position + (b.position - a.position) * part,
          color: a.color + (b.color - a.color) * Float(part))
      }
    }
    return current
  }
}
