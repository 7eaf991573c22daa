// Texels on the globe: each pixel of the ground that lies in a tile takes the texel under it.

import NeatBase

/// Draws a tile's texture on the globe.
/// - Parameter texels: of the texture along the drawn tile's edges.
package func drawGlobeImage(
  _ texture: Texture, _ view: GlobeTileView, texels: SIMD2<Double>, paint: RasterPaint, ground: GlobeGround,
  band: Band
) {
  let scale = texels / TileUnits.extent
  guard ground.mayMeet(view) else { return }
  drawGround(texture, paint: paint, ground: ground, band: band) { place in
    view.units(place).map { $0 * scale }
  }
}

/// Draws a picture whose texels lie on the ground as `texel` says; nil where it has none.
package func drawGround(
  _ texture: Texture, paint: RasterPaint, ground: GlobeGround, band: Band,
  _ texel: (SIMD2<Float>) -> SIMD2<Double>?
) {
  let opacity = UInt32(saturating: min(max(paint.opacity, 0), 1) * 255 + 0.5)
  guard opacity > 0 else { return }
  let transform = paint.changesColor ? ColorTransform(paint) : nil
  for y in band.y0..<band.y1 {
    let row = band.row(y)
    ground.row(y) { places, stride in
      for x in 0..<band.width {
        let place = places[x]
        guard place.x == place.x, let here = texel(place) else { continue }
        var color: UInt32
        if paint.isNearest {
          color = sample(texture.level(0), here, isNearest: true)
        } else {
          let rate = texture.levelCount == 1 ? 1 : texelRate(places, x, stride, here, texel)
          let view = texture.level(texture.levelCount == 1 ? 0 : texture.level(texelsPerPixel: rate))
          let size = SIMD2(
            Double(view.width) / Double(texture.width), Double(view.height) / Double(texture.height))
          color = sample(view, here * size, isNearest: false)
        }
        if let transform { color = transform(color) }
        row[x] = opacity == 255 ? Blend.over(row[x], color) : Blend.over(row[x], color, coverage: opacity)
      }
    }
  }
}

@inline(__always)
private func sample(_ view: TextureView, _ place: SIMD2<Double>, isNearest: Bool) -> UInt32 {
  let u = SIMD4(repeating: Float(place.x)), v = SIMD4(repeating: Float(place.y))
  return isNearest ? sampleNearest(view, u, v, .clamp)[0] : sampleLinear(view, u, v, .clamp)[0]
}

/// Texels that a step to the next pixel, right or down, moves at most.
@inline(__always)
private func texelRate(
  _ places: UnsafePointer<SIMD2<Float>>, _ x: Int, _ stride: Int, _ here: SIMD2<Double>,
  _ texel: (SIMD2<Float>) -> SIMD2<Double>?
) -> Float {
  var best = 0.0
  for next in [places[x + 1], places[x + stride]] where next.x == next.x {
    guard let there = texel(next) else { continue }
    let step = there - here
    best = max(best, (step * step).sum())
  }
  return best > 0 ? Float(best.squareRoot()) : 1
}

/// Blends a colour over the ground.
package func fillGround(_ color: Premultiplied, ground: GlobeGround, band: Band) {
  for y in band.y0..<band.y1 {
    let row = band.row(y)
    ground.row(y) { places, _ in
      var x = 0
      while x < band.width {
        guard places[x].x == places[x].x else {
          x += 1
          continue
        }
        let first = x
        while x < band.width, places[x].x == places[x].x { x += 1 }
        Blend.span(row + first, x - first, color)
      }
    }
  }
}
