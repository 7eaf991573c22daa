import NeatBase

/// Draws distance-field quads into a band: the halos of all of them in order, then their fills.
///
/// - Parameters:
///   - pixelRatio: device pixels a CSS pixel; edges stay one device pixel soft.
///   - scratch: of the worker that draws the band.
package func drawGlyphs(
  _ quads: UnsafeBufferPointer<GlyphQuad>, paints: UnsafeBufferPointer<GlyphPaint>, pixelRatio: Float,
  band: Band, _ scratch: RasterScratch
) {
  scratch.glyphSamples.begin(quads.count)
  for pass in [GlyphPass.halo, .fill] {
    drawGlyphs(
      quads, paints: paints, pass: pass, isOneOfTwo: true, pixelRatio: pixelRatio, band: band, scratch)
  }
}

/// Draws one pass alone.
package func drawGlyphs(
  _ quads: UnsafeBufferPointer<GlyphQuad>, paints: UnsafeBufferPointer<GlyphPaint>, pass: GlyphPass,
  pixelRatio: Float, band: Band, _ scratch: RasterScratch
) {
  drawGlyphs(
    quads, paints: paints, pass: pass, isOneOfTwo: false, pixelRatio: pixelRatio, band: band, scratch)
}

/// - Parameter isOneOfTwo: whether what halos sampled is kept for fills, in the scratch's samples.
private func drawGlyphs(
  _ quads: UnsafeBufferPointer<GlyphQuad>, paints: UnsafeBufferPointer<GlyphPaint>, pass: GlyphPass,
  isOneOfTwo: Bool, pixelRatio: Float, band: Band, _ scratch: RasterScratch
) {
  var edge: GlyphEdge?
  var edgePaint: Int32 = -1
  // Above which distances a fill will be drawn.
  var fillStart = Float.infinity
  for index in 0..<quads.count {
    let bounds = quads[index].bounds
    if bounds.y1 <= band.y0 || bounds.y0 >= band.y1 || bounds.x1 <= 0 || bounds.x0 >= band.width { continue }
    let quad = quads[index]
    if quad.paint != edgePaint {
      edgePaint = quad.paint
      assert(quad.paint >= 0 && Int(quad.paint) < paints.count, "a glyph without its paint")
      let paint = paints[Int(quad.paint)]
      let isInvisible =
        pass == .fill ? paint.fill.isTransparent : paint.halo.isTransparent || paint.haloWidth <= 0
      edge = isInvisible ? nil : GlyphEdge(paint, pass, pixelRatio: pixelRatio)
      if isOneOfTwo, pass == .halo, !paint.fill.isTransparent {
        fillStart = GlyphEdge(paint, .fill, pixelRatio: pixelRatio).start
      } else {
        fillStart = .infinity
      }
    }
    guard let edge else { continue }
    if isOneOfTwo, pass == .fill, let kept = scratch.glyphSamples[index] {
      for place in kept { scratch.glyphSamples[sample: place].cover(band, edge) }
      continue
    }
    let keeps = fillStart < .infinity && scratch.glyphSamples.beginQuad(bounds, band)
    var cover = GlyphCover(
      edge, keepsAbove: keeps ? fillStart : .infinity, into: scratch.glyphSamples.end)
    if quad.half == .whole && quad.map.isAxisAligned {
      drawUpright(quad, band, scratch, &cover)
    } else {
      drawTurned(quad, band, scratch, &cover)
    }
    if keeps { scratch.glyphSamples.endQuad(index, cover.kept) }
  }
}

/// The usual glyph: scaled, not turned. Each pixel row is blended from two texel rows first, then every pixel
/// from two neighbours in it.
private func drawUpright(
  _ quad: GlyphQuad, _ band: Band, _ scratch: RasterScratch, _ cover: inout GlyphCover
) {
  let left = max(0, Int(quad.bounds.x0))
  let right = min(band.width, Int(quad.bounds.x1))
  let count = right - left
  assert(count > 0 && count <= band.width, "columns of no band")
  let width = Int(quad.width)
  // Texels -1...width, and one more as the right neighbour of the last: 0, 0...width - 1, 0, 0.
  let row = scratch.glyphRow.overwrite(width + 8)
  row[0] = 0
  for i in 0..<6 { row[width + 1 + i] = 0 }
  let columns = scratch.glyphColumns.overwrite(band.width + 4)
  let fractions = scratch.glyphFractions.overwrite(band.width + 4)
  let step = Float(1 / quad.map.xx)
  let first = Float((Double(left) + 0.5 - quad.map.x0) / quad.map.xx) - 0.5
  for i in 0..<((count + 3) & ~3) {
    let u = min(max(first + Float(i) * step, -1), Float(width))
    let texel = u.rounded(.down)
    columns[i] = Int32(saturating: texel) + 1
    assert(columns[i] >= 0 && Int(columns[i]) <= width + 1, "a texel of no row")
    fractions[i] = u - texel
  }
  let low = cover.start
  for y in max(band.y0, Int(quad.bounds.y0))..<min(band.y1, Int(quad.bounds.y1)) {
    let v = Float((Double(y) + 0.5 - quad.map.y0) / quad.map.yy) - 0.5
    guard blendRows(quad, v, into: row + 1, above: low) else { continue }
    Tally.add(.glyphSampled, count)
    var i = 0
    while i < count {
      cover.cover(band, left &+ i, y, end: right, distance4(row, columns + i, fractions + i))
      i &+= 4
    }
  }
}

/// Four values between neighbours of a row.
@inline(__always) private func distance4(
  _ row: UnsafePointer<Float>, _ columns: UnsafePointer<Int32>, _ fractions: UnsafePointer<Float>
) -> SIMD4<Float> {
  let (c0, c1, c2, c3) = (Int(columns[0]), Int(columns[1]), Int(columns[2]), Int(columns[3]))
  let a = SIMD4(row[c0], row[c1], row[c2], row[c3])
  let b = SIMD4(row[c0 &+ 1], row[c1 &+ 1], row[c2 &+ 1], row[c3 &+ 1])
  return a + (b - a) * UnsafeRawPointer(fractions).loadUnaligned(as: SIMD4<Float>.self)
}

/// The field's row at `v` (texel centres at whole numbers), zero outside. False where nothing in it passes
/// the threshold.
private func blendRows(
  _ quad: GlyphQuad, _ v: Float, into row: UnsafeMutablePointer<Float>, above threshold: Float
) -> Bool {
  let floor = v.rounded(.down)
  let weight = v - floor
  let top = Int(bounded: floor)
  let width = Int(quad.width)
  let hasTop = top >= 0 && top < Int(quad.height)
  let hasBottom = top + 1 >= 0 && top + 1 < Int(quad.height)
  guard hasTop || hasBottom else {
    // A halo so wide that it takes all of the quad begins below 0.
    for i in 0..<width { row[i] = 0 }
    return threshold < 0
  }
  let a = quad.bitmap + (hasTop ? top : top + 1) * Int(quad.stride)
  let b = quad.bitmap + (hasBottom ? top + 1 : top) * Int(quad.stride)
  let wa = hasTop ? 1 - weight : 0
  let wb = hasBottom ? weight : 0
  var peak: Float = 0
  for i in 0..<width {
    let value = Float(a[i]) * wa + Float(b[i]) * wb
    row[i] = value
    peak = value > peak ? value : peak
  }
  return peak > threshold
}

/// Rotated, skewed or in perspective: every pixel is taken back to the field.
private func drawTurned(
  _ quad: GlyphQuad, _ band: Band, _ scratch: RasterScratch, _ cover: inout GlyphCover
) {
  if let field = GlyphField(quad, scratch) {
    drawTurned(quad, band, &cover) { field.values($0, $1) }
  } else {
    drawTurned(quad, band, &cover) { u, v in
      SIMD4(
        bilinear(quad, u[0], v[0]), bilinear(quad, u[1], v[1]), bilinear(quad, u[2], v[2]),
        bilinear(quad, u[3], v[3]))
    }
  }
}

/// - Parameter field: its values at four places, texels' centres at whole numbers.
@inline(__always)
private func drawTurned(
  _ quad: GlyphQuad, _ band: Band, _ cover: inout GlyphCover,
  _ field: (SIMD4<Float>, SIMD4<Float>) -> SIMD4<Float>
) {
  guard let inverse = InverseMap(quad.map) else { return }
  let left = max(0, Int(quad.bounds.x0))
  let right = min(band.width, Int(quad.bounds.x1))
  guard left < right else { return }
  for y in max(band.y0, Int(quad.bounds.y0))..<min(band.y1, Int(quad.bounds.y1)) {
    let range = inverse.span(y, left, right, quad.rect, half: quad.half)
    if range.isEmpty { continue }
    Tally.add(.glyphSampled, range.count)
    let walk = RowWalk(inverse, y, range.lowerBound)
    var x = range.lowerBound
    while x < range.upperBound {
      let (u, v) = walk.texels(x &- range.lowerBound)
      cover.cover(band, x, y, end: range.upperBound, field(u - 0.5, v - 0.5))
      x &+= 4
    }
  }
}

/// The field between four texels (centres at whole numbers), zero outside the bitmap.
private func bilinear(_ quad: GlyphQuad, _ u: Float, _ v: Float) -> Float {
  let width = Int(quad.width)
  let height = Int(quad.height)
  // Written so that NaN becomes -1.
  let cu = u > -1 ? min(u, Float(width)) : -1
  let cv = v > -1 ? min(v, Float(height)) : -1
  // Adding one makes both positive, so that truncation rounds down.
  let x = Int(bounded: cu + 1) &- 1
  let y = Int(bounded: cv + 1) &- 1
  let fx = cu - Float(x)
  let fy = cv - Float(y)
  let stride = Int(quad.stride)
  if x >= 0 && y >= 0 && x &+ 1 < width && y &+ 1 < height {
    let p = quad.bitmap + (y &* stride &+ x)
    let a = SIMD2(Float(p[0]), Float(p[stride]))
    let b = SIMD2(Float(p[1]), Float(p[stride &+ 1]))
    let rows = a + (b - a) * fx
    return rows.x + (rows.y - rows.x) * fy
  }
  @inline(__always) func texel(_ x: Int, _ y: Int) -> Float {
    x >= 0 && x < width && y >= 0 && y < height ? Float(quad.bitmap[y &* stride &+ x]) : 0
  }
  let top = texel(x, y) + (texel(x &+ 1, y) - texel(x, y)) * fx
  let bottom = texel(x, y &+ 1) + (texel(x &+ 1, y &+ 1) - texel(x, y &+ 1)) * fx
  return top + (bottom - top) * fy
}
