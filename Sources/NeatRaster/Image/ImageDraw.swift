// Raster tiles and image sources: a texture on a quad. Every pixel of the row clip is taken back to the
// texture; beyond its edge the nearest texel counts, because the clip alone decides where a tile ends.
import NeatBase

/// Draws a texture into a band.
///
/// - Parameters:
///   - map: texels of the whole texture (0, 0)...(width, height) to pixels.
///   - clip: the pixels to draw: the quad itself (see `imageClip`), or a tile's.
package func drawImage(_ texture: Texture, map: Projection, paint: RasterPaint, clip: RowClip, band: Band) {
  let opacity = UInt32(saturating: min(max(paint.opacity, 0), 1) * 255 + 0.5)
  guard opacity > 0, !clip.isEmpty, let inverse = InverseMap(map) else { return }
  let pen = ImagePen(
    transform: paint.changesColor ? ColorTransform(paint) : nil, opacity: opacity,
    isOpaque: texture.isOpaque && opacity == 255 && !paint.isAdded, isAdded: paint.isAdded)
  if paint.samples > 1, texture.levelCount > 1, !inverse.isAffine || copyOffset(inverse) == nil {
    drawAslant(texture, inverse, pen, clip, band)
  } else if paint.isNearest || texture.levelCount == 1 {
    drawRows(texture.level(0), inverse, paint.isNearest, pen, clip, band)
  } else if inverse.isAffine {
    let rate = RowWalk(inverse, 0, 0).texelsPerPixel(0, inverse)
    let level = texture.level(texelsPerPixel: rate)
    drawRows(texture.level(level), scaled(inverse, texture, level), false, pen, clip, band)
  } else {
    drawMipmapped(texture, inverse, pen, clip, band)
  }
}

/// The pixels of a texture's own quad.
package func imageClip(_ texture: Texture, map: Projection, band: Band) -> RowClip {
  let (w, h) = (Double(texture.width), Double(texture.height))
  let ring = HomogeneousClip.ring([
    map.homogeneous(0, 0), map.homogeneous(w, 0), map.homogeneous(w, h), map.homogeneous(0, h),
  ])
  return RowClip.convex(ring.map { SIMD2($0.x / $0.z, $0.y / $0.z) }, band)
}

/// How sampled pixels reach the band.
private struct ImagePen {
  let transform: ColorTransform?
  let opacity: UInt32
  /// Pixels simply replace what is there.
  let isOpaque: Bool
  let isAdded: Bool

  @inline(__always) func put(_ sampled: Pixels4, _ pixels: UnsafeMutablePointer<UInt32>, _ count: Int) {
    var source = sampled
    if let transform {
      source = Pixels4(
        transform(sampled[0]), transform(sampled[1]), transform(sampled[2]), transform(sampled[3]))
    }
    if isOpaque {
      storeSome(source, pixels, count)
    } else {
      let old = loadSome(pixels, count)
      storeSome(
        isAdded
          ? Blend.add4(old, source, coverage: opacity)
          : opacity == 255
            ? Blend.over4(old, source) : Blend.over4(old, source, coverage: Pixels4(repeating: opacity)),
        pixels, count)
    }
  }
}

/// The inverse map onto a smaller version of the texture.
private func scaled(_ map: InverseMap, _ texture: Texture, _ level: Int) -> InverseMap {
  var copy = map
  let su = Double(texture.level(level).width) / Double(texture.width)
  let sv = Double(texture.level(level).height) / Double(texture.height)
  (copy.ux, copy.uy, copy.u0) = (copy.ux * su, copy.uy * su, copy.u0 * su)
  (copy.vx, copy.vy, copy.v0) = (copy.vx * sv, copy.vy * sv, copy.v0 * sv)
  return copy
}

private func drawRows(
  _ view: TextureView, _ inverse: InverseMap, _ isNearest: Bool, _ pen: ImagePen, _ clip: RowClip,
  _ band: Band
) {
  let offset = isNearest ? nil : copyOffset(inverse)
  for y in max(clip.minY, band.y0)..<max(clip.minY, band.y0, min(clip.maxY, band.y1)) {
    let (left, right) = clip.bounds(y)
    if left >= right { continue }
    let row = band.row(y)
    if let offset {
      copyRow(view, y + offset.1, left, right, offset.0, row, pen)
      continue
    }
    let start = clip.walkStart(y)
    let walk = RowWalk(inverse, y, start)
    var x = left
    if !isNearest, inverse.isAffine, inverse.vx == 0, let line = LinearRow(view, v: walk.texels(0).1[0]) {
      while x < right {
        pen.put(line.sample(walk.texels(x &- start).0), row + x, min(4, right &- x))
        x &+= 4
      }
      continue
    }
    while x < right {
      let (u, v) = walk.texels(x &- start)
      pen.put(
        isNearest ? sampleNearest(view, u, v, .clamp) : sampleLinear(view, u, v, .clamp), row + x,
        min(4, right &- x))
      x &+= 4
    }
  }
}

/// The move from pixels to texels, where both grids agree.
private func copyOffset(_ map: InverseMap) -> (Int, Int)? {
  func isNear(_ a: Double, _ b: Double) -> Bool { abs(a - b) < 1e-6 }
  guard map.isAffine, isNear(map.ux, 1), isNear(map.vy, 1), isNear(map.uy, 0), isNear(map.vx, 0) else {
    return nil
  }
  let (u, v) = (map.u0.rounded(), map.v0.rounded())
  guard abs(map.u0 - u) < 1.0 / 512, abs(map.v0 - v) < 1.0 / 512, abs(u) < 1e6, abs(v) < 1e6 else {
    return nil
  }
  return (Int(bounded: u), Int(bounded: v))
}

private func copyRow(
  _ view: TextureView, _ v: Int, _ left: Int, _ right: Int, _ offset: Int,
  _ row: UnsafeMutablePointer<UInt32>, _ pen: ImagePen
) {
  let source = view.pixels + min(max(v, 0), view.height - 1) * view.stride
  var x = left
  while x < right {
    let u = x &+ offset
    let count = min(4, right &- x)
    if u >= 0 && u &+ 4 <= view.width {
      pen.put(Blend.load4(source + u), row + x, count)
    } else {
      var four = Pixels4.zero
      for lane in 0..<4 { four[lane] = source[min(max(u &+ lane, 0), view.width &- 1)] }
      pen.put(four, row + x, count)
    }
    x &+= 4
  }
}

/// In perspective every four pixels choose their own level.
private func drawMipmapped(
  _ texture: Texture, _ inverse: InverseMap, _ pen: ImagePen, _ clip: RowClip, _ band: Band
) {
  for y in max(clip.minY, band.y0)..<max(clip.minY, band.y0, min(clip.maxY, band.y1)) {
    let (left, right) = clip.bounds(y)
    if left >= right { continue }
    let start = clip.walkStart(y)
    let walk = RowWalk(inverse, y, start)
    let row = band.row(y)
    var x = left
    while x < right {
      let (u, v) = walk.texels(x &- start)
      let level = texture.level(texelsPerPixel: walk.texelsPerPixel(x &- start, inverse))
      let view = texture.level(level)
      let su = Float(view.width) / Float(texture.width)
      let sv = Float(view.height) / Float(texture.height)
      pen.put(sampleLinear(view, u * su, v * sv, .clamp), row + x, min(4, right &- x))
      x &+= 4
    }
  }
}

/// Every pixel by what it covers of the texture.
private func drawAslant(
  _ texture: Texture, _ inverse: InverseMap, _ pen: ImagePen, _ clip: RowClip, _ band: Band
) {
  var footprint = RowWalk(inverse, 0, 0).footprint(0, inverse)
  for y in max(clip.minY, band.y0)..<max(clip.minY, band.y0, min(clip.maxY, band.y1)) {
    let (left, right) = clip.bounds(y)
    if left >= right { continue }
    let start = clip.walkStart(y)
    let walk = RowWalk(inverse, y, start)
    // Of the lower row of a block.
    let block = RowWalk(inverse, y | 1, start & ~1)
    let row = band.row(y)
    var x = left
    while x < right {
      let (u, v) = walk.texels(x &- start)
      let count = min(4, right &- x)
      var four = Pixels4.zero
      for lane in 0..<count {
        let column = x &+ lane
        if !inverse.isAffine, column == left || column & 1 == 0 {
          footprint = block.footprint(column & ~1 &- start & ~1, inverse)
        }
        four[lane] = footprint.pixel(texture, SIMD2(u[lane], v[lane]))
      }
      pen.put(four, row + x, count)
      x &+= 4
    }
  }
}
