// Pixels of a line's triangles, four at a time.
//
// Two triangles of a straight stretch make a trapezoid, over which the distance to the line's middle is one linear function; its long sides need no exact
// bound, since coverage falls to nothing there by itself. Everything else (joins, what is dashed or seen in perspective) is drawn as triangles.

/// A band and what of it may be touched.
struct LineTarget {
  let band: Band
  let clip: RowClip

  /// Blends pixels `x..<x + 4`; those with no coverage come out as they were.
  @inline(__always)
  func put<Shader: LineShader>(
    _ row: UnsafeMutablePointer<UInt32>, _ x: Int, _ shader: Shader, _ coverage: SIMD4<Float>, _ ny: SIMD4<Float>, _ distance: SIMD4<Float>
  ) {
    if x &+ 4 <= band.width {
      Blend.store4(shader.blend(Blend.load4(row + x), coverage: coverage, ny: ny, distance: distance), row + x)
    } else {
      putLast(row, x, shader, coverage, ny, distance)
    }
  }

  /// The same at the row's end, behind which the memory is another band's.
  @inline(never)
  private func putLast<Shader: LineShader>(
    _ row: UnsafeMutablePointer<UInt32>, _ x: Int, _ shader: Shader, _ coverage: SIMD4<Float>, _ ny: SIMD4<Float>, _ distance: SIMD4<Float>
  ) {
    var old = Pixels4.zero
    for lane in 0..<band.width &- x { old[lane] = row[x &+ lane] }
    let new = shader.blend(old, coverage: coverage, ny: ny, distance: distance)
    for lane in 0..<band.width &- x { row[x &+ lane] = new[lane] }
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
    let sides = (LineSide(a, c), LineSide(b, d), LineSide(a, b), LineSide(c, d))
    let rows = LineRows(
      sides.0, sides.1, sides.2, sides.3,
      lower: lowerSides(area > 0, sides.0.isFlipped, sides.1.isFlipped, sides.2.isFlipped, sides.3.isFlipped),
      slack: SIMD4(0.01, 0.01, 0, 0))
    // Across the line: -1 on the left side, 1 on the right one; along a round cap: 0 to 1.
    let scale = 2 / area
    let (nyX, nyY) = (-along.y * scale, along.x * scale)
    let isRound = l0.isRound || l1.isRound
    let nx0 = l0.nx
    let roundScale = (l1.nx - l0.nx) / -area
    let (nxX, nxY) = (-start.y * roundScale, start.x * roundScale)

    var block = y0
    while block < y1 {
      let (firsts, ends) = rows(block)
      for lane in 0..<min(4, y1 &- block) {
        let y = block &+ lane
        let bounds = target.clip.bounds(y)
        var x = max(Int(firsts[lane]), bounds.lower)
        let xEnd = min(Int(ends[lane]), bounds.upper)
        if x >= xEnd { continue }
        let row = target.band.row(y)
        let down = Float(y) + 0.5 - a.y
        let ny0 = down * nyY - 1
        let nxRow = down * nxY + nx0
        let end = Float(xEnd)
        repeat {
          let place = Float(x) + centres
          let ny = (place - a.x) * nyX + ny0
          var distance = magnitude(ny)
          if isRound {
            let nx = (place - a.x) * nxX + nxRow
            distance = (ny * ny + nx * nx).squareRoot()
          }
          let value = SIMD4<Float>.zero.replacing(with: coverage(distance, shade), where: place .< end)
          target.put(row, x, shader, value, ny, .zero)
          x &+= 4
        } while x < xEnd
      }
      block &+= 4
    }
    return true
  }

  /// Which sides of a quad (left, right, start, end) bound its rows from below.
  @inline(__always)
  private static func lowerSides(_ isPositive: Bool, _ left: Bool, _ right: Bool, _ start: Bool, _ end: Bool) -> SIMDMask<SIMD4<Int32>> {
    let bits = SIMD4<Int32>(
      isPositive == left ? 1 : 0, isPositive != right ? 1 : 0, isPositive != start ? 1 : 0, isPositive == end ? 1 : 0)
    return bits .!= 0
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
    let sides = (LineSide(a, b), LineSide(b, c), LineSide(c, a))
    let isNegative = area < 0
    let lower = SIMD4<Int32>(
      isNegative != sides.0.isFlipped ? 1 : 0, isNegative != sides.1.isFlipped ? 1 : 0, isNegative != sides.2.isFlipped ? 1 : 0,
      isNegative != sides.0.isFlipped ? 1 : 0)
    let rows = LineRows(sides.0, sides.1, sides.2, sides.0, lower: lower .!= 0, slack: .zero)
    // Slopes of what is interpolated: 1/w, nx, ny, distance; gamma beside them.
    let q0 = SIMD4(v0.iw, v0.nx, v0.ny, v0.distance)
    let q1 = SIMD4(v1.iw, v1.nx, v1.ny, v1.distance) - q0
    let q2 = SIMD4(v2.iw, v2.nx, v2.ny, v2.distance) - q0
    let qx = (q1 * (c.y - a.y) - q2 * (b.y - a.y)) / area
    let qy = (q2 * (b.x - a.x) - q1 * (c.x - a.x)) / area
    let gx = ((v1.gamma - v0.gamma) * (c.y - a.y) - (v2.gamma - v0.gamma) * (b.y - a.y)) / area
    let gy = ((v2.gamma - v0.gamma) * (b.x - a.x) - (v1.gamma - v0.gamma) * (c.x - a.x)) / area
    var block = y0
    while block < y1 {
      let (firsts, ends) = rows(block)
      for lane in 0..<min(4, y1 &- block) {
        let y = block &+ lane
        let bounds = target.clip.bounds(y)
        var x = max(Int(firsts[lane]), bounds.lower)
        let xEnd = min(Int(ends[lane]), bounds.upper)
        if x >= xEnd { continue }
        let row = target.band.row(y)
        let down = Float(y) + 0.5 - a.y
        let q = q0 + qy * down
        let gammaRow = v0.gamma + gy * down
        let end = Float(xEnd)
        repeat {
          let place = Float(x) + centres
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
            value = coverage((nx * nx + ny * ny).squareRoot(), (dx * gx + gammaRow) * w, shade)
          }
          value = SIMD4<Float>.zero.replacing(with: value, where: place .< end)
          target.put(row, x, shader, value, ny, distance)
          x &+= 4
        } while x < xEnd
      }
      block &+= 4
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
