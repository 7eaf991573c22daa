// Pixels of a line's triangles, four at a time.
//
// Two triangles of a straight stretch are drawn as one shape (LineTrapezoid.swift); its long sides need no
// exact bound, since coverage falls to nothing there by itself. Everything else (joins, round dashes, what is
// seen in perspective) is drawn as triangles.

import NeatBase

/// A band, what of it may be touched, and memory to work with.
struct LineTarget {
  let band: Band
  let clip: RowClip
  let spans: LineSpans
  /// Rows of the clip. To ask it for them would copy it for each shape.
  private let top, bottom: Int

  init(band: Band, clip: RowClip, spans: LineSpans) {
    (self.band, self.clip, self.spans) = (band, clip, spans)
    (top, bottom) = (clip.minY, clip.maxY)
  }

  /// The rows that may be touched, from one that comes after a place to one that comes after another.
  @inline(__always) func rows(_ low: Float, _ high: Float) -> (first: Int, end: Int) {
    (max(rowAfter(low), top), min(rowAfter(high), bottom))
  }

  /// Blends pixels `x..<x + 4`; those with no coverage come out as they were.
  @inline(__always)
  func put<Shader: LineShader>(
    _ row: UnsafeMutablePointer<UInt32>, _ x: Int, _ shader: Shader, _ coverage: SIMD4<Float>,
    _ ny: SIMD4<Float>, _ distance: SIMD4<Float>
  ) {
    assert(x >= 0 && x < band.width, "a column of no pixel")
    Tally.add(.lineComputed, 4)
    Tally.add(.lineCovered, (0..<4).count { coverage[$0] > 0 })
    if x &+ 4 <= band.width {
      Blend.store4(
        shader.blend(Blend.load4(row + x), coverage: coverage, ny: ny, distance: distance), row + x)
    } else {
      putLast(row, x, shader, coverage, ny, distance)
    }
  }

  /// The same at the row's end, behind which the memory is another band's.
  @inline(never)
  private func putLast<Shader: LineShader>(
    _ row: UnsafeMutablePointer<UInt32>, _ x: Int, _ shader: Shader, _ coverage: SIMD4<Float>,
    _ ny: SIMD4<Float>, _ distance: SIMD4<Float>
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

  /// Coverage 0...255 from 255 times the distance to the middle over the ramp.
  @inline(__always)
  static func coverage(_ distance: SIMD4<Float>, _ slope: Float, _ gap: Float, _ hasGap: Bool)
    -> SIMD4<Float>
  {
    var value = slope - distance
    if hasGap {
      let inner = distance + gap
      value = value.replacing(with: inner, where: inner .< value)
    }
    value = value.replacing(with: 255, where: value .> 255)
    return value.replacing(with: 0, where: value .< 0)
  }

  @inline(__always) private static func cross(_ a: SIMD2<Float>, _ b: SIMD2<Float>) -> Float {
    a.x * b.y - a.y * b.x
  }

  /// The stretch whose left side is l0, l1 and whose right one is r0, r1. Draws nothing and returns false where
  /// it is to be drawn as two triangles.
  @inline(__always)
  static func quad<Shader: LineShader>(
    _ target: LineTarget, _ l0: LinePoint, _ r0: LinePoint, _ l1: LinePoint, _ r1: LinePoint,
    _ shade: LineShade, _ shader: Shader
  ) -> Bool {
    let (y0, y1) = target.rows(
      lesser(lesser(l0.y, r0.y), lesser(l1.y, r1.y)), greater(greater(l0.y, r0.y), greater(l1.y, r1.y)))
    if y0 >= y1 { return true }
    guard let shape = LineTrapezoid(l0, r0, l1, r1, shade) else { return false }
    var along: LineAlong?
    if Shader.needsDistance {
      along = LineAlong(l0, r0, l1, r1)
      if along == nil { return false }
    }
    assert(y1 - y0 <= target.spans.stride, "more rows than spans")
    shape.rows.write(y0..<y1, target.clip, target.spans)
    if shade.hasGap || shape.kind == .round {
      paint(target, y0..<y1, AnyReach(shape, shade), along, shader)
    } else if shape.kind == .one {
      paint(target, y0..<y1, ParallelReach(shape, shade), along, shader)
    } else {
      paint(target, y0..<y1, SlantedReach(shape, shade), along, shader)
    }
    return true
  }

  /// The rows of a stretch, between the bounds in the target's spans.
  @inline(never)
  private static func paint<Reach: LineReach, Shader: LineShader>(
    _ target: LineTarget, _ rows: Range<Int>, _ reach: Reach, _ along: LineAlong?, _ shader: Shader
  ) {
    var row = target.band.row(rows.lowerBound)
    var span = target.spans.first
    let last = span + rows.count
    var middle = Float(rows.lowerBound) + 0.5
    while span < last {
      let end = span[target.spans.stride]
      var x = Int(span[0])
      if x < Int(end) {
        Tally.add(.lineSpans, 1)
        let along = Shader.needsDistance ? along?.row(middle) ?? .none : .none
        var place = Float(x) + centres
        repeat {
          let value = SIMD4<Float>.zero.replacing(
            with: reach.coverage(place, row: middle), where: place .< Float(end))
          target.put(row, x, shader, value, .zero, Shader.needsDistance ? along.distance(place) : .zero)
          x &+= 4
          place += 4
        } while x < Int(end)
      }
      row += target.band.stride
      span += 1
      middle += 1
    }
  }

  /// One triangle. `isFlat`: 1/w is 1 at all corners.
  @inline(__always)
  static func triangle<Shader: LineShader>(
    _ target: LineTarget, _ v0: SoupVertex, _ v1: SoupVertex, _ v2: SoupVertex, _ shade: LineShade,
    _ shader: Shader, isFlat: Bool
  ) {
    let (a, b, c) = (SIMD2(v0.x, v0.y), SIMD2(v1.x, v1.y), SIMD2(v2.x, v2.y))
    let area = cross(b - a, c - a)
    if area == 0 || !area.isFinite { return }
    let (y0, y1) = target.rows(lesser(a.y, lesser(b.y, c.y)), greater(a.y, greater(b.y, c.y)))
    if y0 >= y1 { return }
    // Most triangles of joins are thinner than a pixel. Crossings are rounded, by less than is added here.
    if columnAfter(lesser(a.x, lesser(b.x, c.x)) - 0.01)
      >= columnAfter(greater(a.x, greater(b.x, c.x)) + 0.01)
    {
      return
    }
    let rows = LineRows(
      x0: SIMD4(a.x, b.x, c.x, a.x), y0: SIMD4(a.y, b.y, c.y, a.y), x1: SIMD4(b.x, c.x, a.x, b.x),
      y1: SIMD4(b.y, c.y, a.y, b.y),
      lower: SIMDMask(repeating: area < 0), slack: .zero)
    // Slopes of what is interpolated: 1/w, nx, ny, distance; gamma beside them.
    let q0 = SIMD4(v0.iw, v0.nx, v0.ny, v0.distance)
    let q1 = SIMD4(v1.iw, v1.nx, v1.ny, v1.distance) - q0
    let q2 = SIMD4(v2.iw, v2.nx, v2.ny, v2.distance) - q0
    let qx = (q1 * (c.y - a.y) - q2 * (b.y - a.y)) / area
    let qy = (q2 * (b.x - a.x) - q1 * (c.x - a.x)) / area
    let gx = ((v1.gamma - v0.gamma) * (c.y - a.y) - (v2.gamma - v0.gamma) * (b.y - a.y)) / area
    let gy = ((v2.gamma - v0.gamma) * (b.x - a.x) - (v1.gamma - v0.gamma) * (c.x - a.x)) / area
    assert(y1 - y0 <= target.spans.stride, "more rows than spans")
    rows.write(y0..<y1, target.clip, target.spans)
    for y in y0..<y1 {
      var x = Int(target.spans.first[y &- y0])
      let xEnd = Int(target.spans.first[y &- y0 &+ target.spans.stride])
      if x >= xEnd { continue }
      Tally.add(.lineSpans, 1)
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
          value = coverage(
            (nx * nx + ny * ny).squareRoot() * shade.slope, shade.slope, shade.gap, shade.hasGap)
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
  }

  /// Coverage where the view squeezes the line: the soft edge is as wide on the screen as elsewhere.
  @inline(__always)
  private static func coverage(_ distance: SIMD4<Float>, _ gamma: SIMD4<Float>, _ shade: LineShade) -> SIMD4<
    Float
  > {
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
