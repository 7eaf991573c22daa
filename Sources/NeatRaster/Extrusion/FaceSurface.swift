import NeatBase

/// A quantity that is linear on the screen: its value at a point, and its change a pixel right and down.
private struct Plane<T: SIMD> where T.Scalar == Float {
  let value: T
  let dx: T
  let dy: T
}

/// Depth, colour and place in the pattern over a face.
struct FaceSurface {
  private let x: Float
  private let y: Float
  /// Depth, and 1 / w.
  private let depth: Plane<SIMD2<Float>>
  /// Of the corners: what rounding adds to a sliver goes no further.
  private let nearest: Float
  private let farthest: Float
  /// Colour over w.
  private let color: Plane<SIMD4<Float>>
  /// The one colour of a face whose corners agree.
  private let flat: UInt32?
  /// Place in the pattern over w.
  private let texture: Plane<SIMD2<Float>>

  /// - Parameter area: twice the face's, in 1/65536 pixel, as its diagonals make it.
  init(_ a: DepthVertex, _ b: DepthVertex, _ c: DepthVertex, _ d: DepthVertex, area: Int64) {
    // A face of four corners is flat but for roundings: its planes are those through the middle along its diagonals.
    // A triangle's third corner counts twice.
    func pixels(_ v: DepthVertex) -> SIMD2<Float> { SIMD2<Float>(v.place) / 256 }
    let (p, q, r, s) = (pixels(a), pixels(b), pixels(c), pixels(d))
    let origin = (p + q + r + s) / 4
    (x, y) = (origin.x, origin.y)
    let (u, v) = (r - p, s - q)
    let scale = Float(65536 / Double(area))
    func plane<T: SIMD>(_ v0: T, _ v1: T, _ v2: T, _ v3: T) -> Plane<T> where T.Scalar == Float {
      let along = v2 - v0
      let across = v3 - v1
      return Plane(
        value: (v0 + v1 + v2 + v3) * 0.25, dx: (along * v.y - across * u.y) * scale,
        dy: (across * u.x - along * v.x) * scale)
    }
    func over(_ v: DepthVertex) -> SIMD2<Float> { SIMD2(v.position.z, 1) / v.position.w }
    let (da, db, dc, dd) = (over(a), over(b), over(c), over(d))
    depth = plane(da, db, dc, dd)
    nearest = min(min(da.x, db.x), min(dc.x, dd.x))
    farthest = max(max(da.x, db.x), max(dc.x, dd.x))
    color = plane(a.color * da.y, b.color * db.y, c.color * dc.y, d.color * dd.y)
    flat = a.color == b.color && b.color == c.color && c.color == d.color ? FaceSurface.pack(a.color) : nil
    texture = plane(a.texture * da.y, b.texture * db.y, c.texture * dc.y, d.texture * dd.y)
  }

  @inline(__always) private static func pack(_ color: SIMD4<Float>) -> UInt32 {
    let low = color.replacing(with: 0, where: color .< 0)
    let value = roundedBytes(low.replacing(with: 1, where: low .> 1) * 255)
    return value.x | value.y << 8 | value.z << 16 | value.w << 24
  }

  /// Draws pixels of a row by their centres; in a smooth layer, those that the face covers whole.
  func drawRow(_ row: Int, _ low: Int, _ high: Int, _ style: FaceStyle, _ layer: DepthLayer) {
    let offset = (row - layer.y0) * layer.width
    let depths = layer.depth.base + offset
    let colors = layer.color.base + offset
    let slots = layer.slots.base + offset
    let dy = Float(row) + 0.5 - y
    let start = depth.value + depth.dy * dy
    let isPlain = flat != nil && style.pattern == nil && style.laterWins
    let plain = flat ?? 0
    let isSmooth = layer.isSmooth
    let (sampleDepths, sampleColors) = (layer.sampleDepths.base, layer.sampleColors.base)
    for column in low...high {
      let dx = Float(column) + 0.5 - x
      let z = min(max(start.x + depth.dx.x * dx, nearest), farthest)
      if isSmooth && slots[column] != 0 {
        let place = Int(slots[column]) - 1
        let shown = shows(z, sampleDepths[place], sampleColors[place], style)
        guard any(shown) else { continue }
        let new = isPlain ? plain : shade(dx, dy, style)
        sampleDepths[place].replace(with: z, where: shown)
        sampleColors[place].replace(with: new, where: shown)
        continue
      }
      guard z <= depths[column], isPlain || z < depths[column] || style.laterWins || colors[column] == 0
      else { continue }
      depths[column] = z
      colors[column] = isPlain ? plain : shade(dx, dy, style)
    }
  }

  /// Whether the face shows in each sample of a pixel, by its depth.
  @inline(__always) private func shows(
    _ z: SIMD4<Float>, _ depths: SIMD4<Float>, _ colors: SIMD4<UInt32>, _ style: FaceStyle
  ) -> SIMDMask<SIMD4<Int32>> {
    if style.laterWins { return z .<= depths }
    return (z .< depths) .| ((z .== depths) .& (colors .== 0))
  }

  @inline(__always) private func shows(
    _ z: Float, _ depths: SIMD4<Float>, _ colors: SIMD4<UInt32>, _ style: FaceStyle
  ) -> SIMDMask<SIMD4<Int32>> {
    shows(SIMD4(repeating: z), depths, colors, style)
  }

  /// The colour so far from the origin.
  private func shade(_ dx: Float, _ dy: Float, _ style: FaceStyle) -> UInt32 {
    // Beyond the face, where the middle of a pixel can lie, w may come out as no distance.
    let inverse = max(depth.value.y + depth.dx.y * dx + depth.dy.y * dy, 1e-12)
    guard let pattern = style.pattern else {
      return flat ?? FaceSurface.pack((color.value + color.dx * dx + color.dy * dy) / inverse)
    }
    let light = (color.value + color.dx * dx + color.dy * dy) / inverse
    let place = (texture.value + texture.dx * dx + texture.dy * dy) / inverse
    let texel = PatternPaint.texel(SIMD2<Double>(place), of: pattern)
    let bytes = SIMD4<UInt32>(texel & 255, texel >> 8 & 255, texel >> 16 & 255, texel >> 24)
    let lit = FaceSurface.pack(SIMD4<Float>(bytes) * (1 / 255) * light)
    return lit == 0 ? DepthLayer.nothing : lit
  }

  /// Draws the samples of a row's pixels from and up to the columns of each.
  func drawSamples(
    _ row: Int, _ starts: SIMD4<Int32>, _ ends: SIMD4<Int32>, _ style: FaceStyle, _ layer: DepthLayer
  ) {
    let (first, last) = (Int(starts.min()), Int(ends.max()))
    guard first <= last else { return }
    let (inner, innerEnd) = (Int(starts.max()), Int(ends.min()))
    guard inner <= innerEnd else {
      for column in first...last { drawPart(row, column, starts, ends, style, layer) }
      return
    }
    for column in first..<inner { drawPart(row, column, starts, ends, style, layer) }
    drawRow(row, inner, innerEnd, style, layer)
    if innerEnd < last {
      for column in (innerEnd + 1)...last { drawPart(row, column, starts, ends, style, layer) }
    }
  }

  /// Draws those samples of a pixel that are covered.
  private func drawPart(
    _ row: Int, _ column: Int, _ starts: SIMD4<Int32>, _ ends: SIMD4<Int32>, _ style: FaceStyle,
    _ layer: DepthLayer
  ) {
    let here = SIMD4<Int32>(repeating: Int32(truncatingIfNeeded: column))
    var covered = (starts .<= here) .& (ends .>= here)
    guard any(covered) else { return }
    let pixel = (row - layer.y0) * layer.width + column
    let slot = layer.slots.base[pixel]
    let (depth, color) = (layer.depth.base[pixel], layer.color.base[pixel])
    // Not even the nearest of it shows.
    if slot == 0 && nearest > depth { return }
    let corner = SIMD2(Float(column) - x, Float(row) - y)
    let across = SIMD4<Float>(SampleGrid.x) / 256 + corner.x
    let down = SIMD4<Float>(SampleGrid.y) / 256 + corner.y
    let plane = across * self.depth.dx.x + down * self.depth.dy.x + self.depth.value.x
    let z = plane.clamped(lowerBound: SIMD4(repeating: nearest), upperBound: SIMD4(repeating: farthest))
    var place = Int(slot) - 1
    if slot != 0 {
      covered .&= shows(z, layer.sampleDepths.base[place], layer.sampleColors.base[place], style)
    } else {
      covered .&= shows(z, SIMD4(repeating: depth), SIMD4(repeating: color), style)
    }
    guard any(covered) else { return }
    if slot == 0 { place = layer.divide(pixel) }
    let new = shade(corner.x + 0.5, corner.y + 0.5, style)
    layer.sampleDepths.base[place].replace(with: z, where: covered)
    layer.sampleColors.base[place].replace(with: new, where: covered)
  }
}
