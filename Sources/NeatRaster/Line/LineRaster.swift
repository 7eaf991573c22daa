// Pixels of a line's triangles.
//
// A pixel belongs to a triangle if its centre lies on the right side of three edges. An edge is evaluated from its upper end, for every pixel by the same
// operations, whichever triangle asks: two triangles that share it take complementary answers, so a line has neither gaps nor pixels hit twice.
// Two triangles of a straight stretch make a trapezoid whose long sides need no test: coverage falls to nothing there by itself.
// Four numbers bound each row first (where the sides cross it), with a slack that the exact tests take back.

/// A band and what of it may be touched.
struct LineTarget {
  let band: Band
  let clip: RowClip

  /// Blends pixels `x..<x + 4` that are left of `upper`.
  @inline(__always)
  func put<Shader: LineShader>(
    _ row: UnsafeMutablePointer<UInt32>, _ x: Int, _ upper: Int, _ shader: Shader, _ coverage: SIMD4<Float>, _ ny: SIMD4<Float>,
    _ distance: SIMD4<Float>
  ) {
    let place = row + x
    if x &+ 4 <= upper {
      Blend.store4(shader.blend(Blend.load4(place), coverage: coverage, ny: ny, distance: distance), place)
      return
    }
    var old = Pixels4.zero
    for lane in 0..<upper &- x { old[lane] = place[lane] }
    let new = shader.blend(old, coverage: coverage, ny: ny, distance: distance)
    for lane in 0..<upper &- x { place[lane] = new[lane] }
  }
}

/// An edge from its upper end; a level one runs leftwards. `value` is not negative right of it, or below it.
struct LineEdge {
  let x, y, dx, dy: Float
  /// Whether the ends changed places.
  let isFlipped: Bool

  @inline(__always) init(_ a: SIMD2<Float>, _ b: SIMD2<Float>) {
    let d = b - a
    isFlipped = d.y < 0 || (d.y == 0 && d.x > 0)
    x = isFlipped ? b.x : a.x
    y = isFlipped ? b.y : a.y
    dx = isFlipped ? -d.x : d.x
    dy = isFlipped ? -d.y : d.y
  }
}

/// Where up to four straight sides cross a row.
struct RowBounds {
  private let x, y, slope: SIMD4<Float>
  private let isLower, isUpper: SIMDMask<SIMD4<Int32>>

  /// Sides from (x, y) along (dx, dy); `lower`: the inside lies right of the side if it runs down, left of it if it runs up.
  @inline(__always)
  init(x: SIMD4<Float>, y: SIMD4<Float>, dx: SIMD4<Float>, dy: SIMD4<Float>, lower: SIMDMask<SIMD4<Int32>>) {
    self.x = x
    self.y = y
    slope = dx / dy
    let isUp = dy .< 0
    let isSlanted = dy .!= 0
    isLower = (lower .^ isUp) .& isSlanted
    isUpper = .!(lower .^ isUp) .& isSlanted
  }

  @inline(__always)
  func callAsFunction(_ rowY: Float) -> (Float, Float) {
    let cross = x + (rowY - y) * slope
    let low = SIMD4<Float>(repeating: -1e6).replacing(with: cross, where: isLower)
    let high = SIMD4<Float>(repeating: 1e6).replacing(with: cross, where: isUpper)
    return (max(max(low[0], low[1]), max(low[2], low[3])), min(min(high[0], high[1]), min(high[2], high[3])))
  }
}

enum LineRaster {
  /// Half-pixel centres of four neighbours.
  static var centres: SIMD4<Float> { SIMD4(0.5, 1.5, 2.5, 3.5) }

  /// Coverage 0...255 from the distance to the middle over the outset.
  @inline(__always)
  private static func coverage(_ distance: SIMD4<Float>, _ shade: LineShade) -> SIMD4<Float> {
    var value = shade.slope - distance * shade.slope
    if shade.hasGap {
      let inner = distance * shade.slope + shade.gap
      value = value.replacing(with: inner, where: inner .< value)
    }
    value = value.replacing(with: 255, where: value .> 255)
    return value.replacing(with: 0, where: value .< 0)
  }

  @inline(__always) private static func magnitude(_ value: SIMD4<Float>) -> SIMD4<Float> {
    unsafeBitCast(unsafeBitCast(value, to: Pixels4.self) & 0x7FFF_FFFF, to: SIMD4<Float>.self)
  }

  @inline(__always) private static func isZero(_ value: SIMD4<Float>) -> Bool {
    let halves = unsafeBitCast(value, to: SIMD2<UInt64>.self)
    return (halves.x | halves.y) == 0
  }

  @inline(__always) private static func cross(_ a: SIMD2<Float>, _ b: SIMD2<Float>) -> Float { a.x * b.y - a.y * b.x }

  /// The trapezoid l0, r0, l1, r1, whose left side (l) and right side (r) are parallel. Draws nothing and returns false where it is not one.
  @inline(__always)
  static func quad<Shader: LineShader>(
    _ target: LineTarget, _ l0: LinePoint, _ r0: LinePoint, _ l1: LinePoint, _ r1: LinePoint, _ shade: LineShade, _ shader: Shader
  ) -> Bool {
    let (a, b) = (SIMD2(l0.x, l0.y), SIMD2(r0.x, r0.y))
    let (c, d) = (SIMD2(l1.x, l1.y), SIMD2(r1.x, r1.y))
    let along = c - a
    let start = b - a
    let end = d - c
    let other = d - b
    let area = cross(along, start)
    // Less than 1/50 pixel off, and not folded.
    guard abs(cross(along, end) - area) * shade.outsetPixels * 100 < abs(area), (along * other).sum() > 0 else { return false }

    let y0 = max(ceiling(min(min(a.y, b.y), min(c.y, d.y)) - 0.5), target.clip.minY)
    let y1 = min(ceiling(max(max(a.y, b.y), max(c.y, d.y)) - 0.5), target.clip.maxY)
    if y0 >= y1 { return true }
    let isPositive = area > 0
    let positive = SIMDMask<SIMD4<Int32>>(repeating: isPositive)
    let rows = RowBounds(
      x: SIMD4(a.x, b.x, a.x, c.x), y: SIMD4(a.y, b.y, a.y, c.y), dx: SIMD4(along.x, other.x, start.x, end.x),
      dy: SIMD4(along.y, other.y, start.y, end.y), lower: positive .^ RowBounds.quadSides)
    // Across the line: -1 on the left side, 1 on the right one; along a round cap: 0 to 1.
    let scale = 2 / area
    let (nyX, nyY) = (-along.y * scale, along.x * scale)
    let isRound = l0.isRound || l1.isRound
    let nx0 = l0.nx
    let roundScale = (l1.nx - l0.nx) / -area
    let (nxX, nxY) = (-start.y * roundScale, start.x * roundScale)

    let first = LineEdge(a, b)
    let last = LineEdge(c, d)
    let firstOutside = SIMDMask<SIMD4<Int32>>(repeating: isPositive == first.isFlipped)
    let lastOutside = SIMDMask<SIMD4<Int32>>(repeating: isPositive != last.isFlipped)
    for y in y0..<y1 {
      let rowY = Float(y) + 0.5
      let (low, high) = rows(rowY)
      let bounds = target.clip.bounds(y)
      var x = max(ceiling(max(low, -16) - 0.51), bounds.lower)
      let xEnd = min(ceiling(min(high, 32768) - 0.49), bounds.upper)
      if x >= xEnd { continue }
      let row = target.band.row(y)
      let ny0 = (rowY - a.y) * nyY - 1
      let nxRow = (rowY - a.y) * nxY + nx0
      let firstRow = (rowY - first.y) * first.dx
      let lastRow = (rowY - last.y) * last.dx
      while x < xEnd {
        let place = Float(x) + centres
        let ny = (place - a.x) * nyX + ny0
        var distance = magnitude(ny)
        if isRound {
          let nx = (place - a.x) * nxX + nxRow
          distance = (ny * ny + nx * nx).squareRoot()
        }
        let outside =
          (((place - first.x) * first.dy .>= firstRow) .^ firstOutside) .& (((place - last.x) * last.dy .>= lastRow) .^ lastOutside)
        let value = SIMD4<Float>.zero.replacing(with: coverage(distance, shade), where: outside)
        if !isZero(value) { target.put(row, x, bounds.upper, shader, value, ny, .zero) }
        x &+= 4
      }
    }
    return true
  }

  /// One triangle. `isFlat`: 1/w is 1 at all corners.
  @inline(__always)
  static func triangle<Shader: LineShader>(
    _ target: LineTarget, _ v0: SoupVertex, _ v1: SoupVertex, _ v2: SoupVertex, _ shade: LineShade, _ shader: Shader, isFlat: Bool
  ) {
    let (a, b, c) = (SIMD2(v0.x, v0.y), SIMD2(v1.x, v1.y), SIMD2(v2.x, v2.y))
    let area = cross(b - a, c - a)
    if area == 0 || !area.isFinite { return }
    let y0 = max(ceiling(min(a.y, min(b.y, c.y)) - 0.5), target.clip.minY)
    let y1 = min(ceiling(max(a.y, max(b.y, c.y)) - 0.5), target.clip.maxY)
    if y0 >= y1 { return }
    let isPositive = area > 0
    let (ab, bc, ca) = (b - a, c - b, a - c)
    let rows = RowBounds(
      x: SIMD4(a.x, b.x, c.x, a.x), y: SIMD4(a.y, b.y, c.y, a.y), dx: SIMD4(ab.x, bc.x, ca.x, ab.x), dy: SIMD4(ab.y, bc.y, ca.y, ab.y),
      lower: SIMDMask(repeating: !isPositive))
    let edges = (LineEdge(a, b), LineEdge(b, c), LineEdge(c, a))
    let outside = (
      SIMDMask<SIMD4<Int32>>(repeating: isPositive != edges.0.isFlipped),
      SIMDMask<SIMD4<Int32>>(repeating: isPositive != edges.1.isFlipped),
      SIMDMask<SIMD4<Int32>>(repeating: isPositive != edges.2.isFlipped)
    )
    // Slopes of what is interpolated: 1/w, nx, ny, distance; gamma beside them.
    let q0 = SIMD4(v0.iw, v0.nx, v0.ny, v0.distance)
    let q1 = SIMD4(v1.iw, v1.nx, v1.ny, v1.distance) - q0
    let q2 = SIMD4(v2.iw, v2.nx, v2.ny, v2.distance) - q0
    let qx = (q1 * (c.y - a.y) - q2 * (b.y - a.y)) / area
    let qy = (q2 * (b.x - a.x) - q1 * (c.x - a.x)) / area
    let gx = ((v1.gamma - v0.gamma) * (c.y - a.y) - (v2.gamma - v0.gamma) * (b.y - a.y)) / area
    let gy = ((v2.gamma - v0.gamma) * (b.x - a.x) - (v1.gamma - v0.gamma) * (c.x - a.x)) / area
    for y in y0..<y1 {
      let rowY = Float(y) + 0.5
      let (low, high) = rows(rowY)
      let bounds = target.clip.bounds(y)
      var x = max(ceiling(max(low, -16) - 0.51), bounds.lower)
      let xEnd = min(ceiling(min(high, 32768) - 0.49), bounds.upper)
      if x >= xEnd { continue }
      let row = target.band.row(y)
      let q = q0 + qy * (rowY - a.y)
      let e = ((rowY - edges.0.y) * edges.0.dx, (rowY - edges.1.y) * edges.1.dx, (rowY - edges.2.y) * edges.2.dx)
      while x < xEnd {
        let place = Float(x) + centres
        let inside =
          (((place - edges.0.x) * edges.0.dy .>= e.0) .^ outside.0) .& (((place - edges.1.x) * edges.1.dy .>= e.1) .^ outside.1)
          .& (((place - edges.2.x) * edges.2.dy .>= e.2) .^ outside.2)
        let dx = place - a.x
        var nx = dx * qx[1] + q[1]
        var ny = dx * qx[2] + q[2]
        var distance = dx * qx[3] + q[3]
        var value: SIMD4<Float>
        if isFlat {
          value = coverage((nx * nx + ny * ny).squareRoot(), shade)
        } else {
          let w = 1 / (dx * qx[0] + q[0])
          nx *= w
          ny *= w
          distance *= w
          let gamma = (dx * gx + (v0.gamma + gy * (rowY - a.y))) * w
          value = coverage((nx * nx + ny * ny).squareRoot(), gamma, shade)
        }
        value = SIMD4<Float>.zero.replacing(with: value, where: inside)
        if !isZero(value) { target.put(row, x, bounds.upper, shader, value, ny, distance) }
        x &+= 4
      }
    }
  }

  /// Coverage where the view squeezes the line: the soft edge is as wide on the screen as elsewhere.
  @inline(__always)
  private static func coverage(_ distance: SIMD4<Float>, _ gamma: SIMD4<Float>, _ shade: LineShade) -> SIMD4<Float> {
    let blur = gamma * shade.blur
    let place = distance * shade.outset
    var value = shade.outset - place
    let inner = place - shade.inset + blur
    value = value.replacing(with: inner, where: inner .< value) * 255 / blur
    value = value.replacing(with: 255, where: value .> 255)
    // Also takes out what is not a number.
    return SIMD4<Float>.zero.replacing(with: value, where: value .> 0)
  }
}

extension RowBounds {
  /// Of a quad's sides (left, right, start, end) those that bound from below where its area is negative.
  static var quadSides: SIMDMask<SIMD4<Int32>> {
    var mask = SIMDMask<SIMD4<Int32>>(repeating: true)
    mask[1] = false
    mask[2] = false
    return mask
  }
}
