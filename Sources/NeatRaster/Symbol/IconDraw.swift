import NeatBase

/// Draws coloured icons into a band, in order.
package func drawIcons(_ quads: UnsafeBufferPointer<IconQuad>, band: Band) {
  for index in 0..<quads.count {
    let bounds = quads[index].bounds
    if bounds.y1 <= band.y0 || bounds.y0 >= band.y1 || bounds.x1 <= 0 || bounds.x0 >= band.width { continue }
    if quads[index].opacity == 0 { continue }
    drawIcon(quads[index], band)
  }
}

private func drawIcon(_ quad: IconQuad, _ band: Band) {
  let view = TextureView(
    pixels: quad.pixels, stride: Int(quad.stride), width: Int(quad.width), height: Int(quad.height))
  let rows = max(band.y0, Int(quad.bounds.y0))..<max(band.y0, min(band.y1, Int(quad.bounds.y1)))
  let left = max(0, Int(quad.bounds.x0))
  let right = min(band.width, Int(quad.bounds.x1))
  guard left < right, let inverse = InverseMap(quad.map) else { return }
  if quad.half == .whole, let (dx, dy) = wholePixelOffset(quad) {
    copyIcon(quad, view, dx, dy, left..<right, rows, band)
    return
  }
  // The bounds say it all then, as they are rounded: parts of one icon fit together.
  let isUpright = quad.half == .whole && quad.map.isAxisAligned
  for y in rows {
    let range = isUpright ? left..<right : inverse.span(y, left, right, quad.rect, half: quad.half)
    if range.isEmpty { continue }
    let walk = RowWalk(inverse, y, range.lowerBound)
    var pixels = band.row(y) + range.lowerBound
    var x = 0
    while x < range.count {
      let (u, v) = walk.texels(x)
      let source =
        quad.isNearest ? sampleNearest(view, u, v, .transparent) : sampleLinear(view, u, v, .transparent)
      let count = min(4, range.count &- x)
      if source != .zero {
        Tally.add(.icon, count)
        let old = loadSome(pixels, count)
        storeSome(
          quad.opacity == 255
            ? Blend.over4(old, source)
            : Blend.over4(old, source, coverage: Pixels4(repeating: UInt32(quad.opacity))),
          pixels,
          count)
      }
      pixels += 4
      x &+= 4
    }
  }
}

/// The move in pixels, where one texel is one pixel and both grids agree (or nearest texels are wanted).
private func wholePixelOffset(_ quad: IconQuad) -> (Int, Int)? {
  let map = quad.map
  guard map.isAffine, map.xx == 1, map.yy == 1, map.xy == 0, map.yx == 0, abs(map.x0) < 1e6, abs(map.y0) < 1e6
  else { return nil }
  // The texel under the centre of pixel x is floor(x + 0.5 - x0).
  let dx = (0.5 - map.x0).rounded(.down)
  let dy = (0.5 - map.y0).rounded(.down)
  let isWhole = abs(map.x0 - map.x0.rounded()) < 1.0 / 512 && abs(map.y0 - map.y0.rounded()) < 1.0 / 512
  if quad.isNearest { return (Int(bounded: dx), Int(bounded: dy)) }
  return isWhole ? (-Int(bounded: map.x0.rounded()), -Int(bounded: map.y0.rounded())) : nil
}

private func copyIcon(
  _ quad: IconQuad, _ view: TextureView, _ dx: Int, _ dy: Int, _ columns: Range<Int>, _ rows: Range<Int>,
  _ band: Band
) {
  let left = max(columns.lowerBound, -dx)
  let right = min(columns.upperBound, view.width - dx)
  guard left < right else { return }
  for y in rows where y + dy >= 0 && y + dy < view.height {
    Tally.add(.icon, right - left)
    Blend.composite(
      band.row(y) + left, view.pixels + (y + dy) * view.stride + left + dx, right - left,
      opacity: UInt32(quad.opacity))
  }
}
