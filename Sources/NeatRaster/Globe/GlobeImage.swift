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
  let perWorld = scale * view.unitsPerWorld
  drawGround(texture, paint: paint, ground: ground, band: band, mayMeet: view.mayMeet) { place in
    view.units(place).map { $0 * scale }
  } step: { here, next in
    // Beyond the tile's edge the next pixel's place counts all the same.
    var way = SIMD2<Double>(next - here)
    way.x -= way.x.rounded()
    return way * perWorld
  }
}

/// Draws a picture whose texels lie on the ground as `texel` says; nil where it has none.
package func drawGround(
  _ texture: Texture, paint: RasterPaint, ground: GlobeGround, band: Band,
  mayMeet: (SIMD2<Float>, SIMD2<Float>) -> Bool = { _, _ in true },
  _ texel: (SIMD2<Float>) -> SIMD2<Double>?, step: (SIMD2<Float>, SIMD2<Float>) -> SIMD2<Double>?
) {
  let opacity = UInt32(saturating: min(max(paint.opacity, 0), 1) * 255 + 0.5)
  guard opacity > 0 else { return }
  let pen = GroundPen(texture: texture, paint: paint, opacity: opacity)
  for y in band.y0..<band.y1 {
    let row = band.row(y)
    ground.row(y) { places, stride in
      ground.eachRun(y, band.width, mayMeet) { run in
        for x in run {
          let place = places[x]
          guard place.x == place.x, let here = texel(place) else { continue }
          let rate = pen.needsRate ? texelRate(places, x, y, stride, step) : 1
          row[x] = pen.put(row[x], here, rate)
        }
      }
    }
  }
}

/// How texels reach pixels one by one.
private struct GroundPen {
  let texture: Texture
  let isNearest: Bool
  let transform: ColorTransform?
  let opacity: UInt32

  init(texture: Texture, paint: RasterPaint, opacity: UInt32) {
    self.texture = texture
    isNearest = paint.isNearest
    transform = paint.changesColor ? ColorTransform(paint) : nil
    self.opacity = opacity
  }

  /// Whether there are smaller versions of the texture to choose from.
  var needsRate: Bool { !isNearest && texture.levelCount > 1 }

  @inline(__always) func put(_ below: UInt32, _ place: SIMD2<Double>, _ rate: Float) -> UInt32 {
    let view = texture.level(needsRate ? texture.level(texelsPerPixel: rate) : 0)
    let size = SIMD2(
      Double(view.width) / Double(texture.width), Double(view.height) / Double(texture.height))
    var color = sample(view, place * size, isNearest: isNearest)
    if let transform { color = transform(color) }
    return opacity == 255 ? Blend.over(below, color) : Blend.over(below, color, coverage: opacity)
  }
}

@inline(__always)
private func sample(_ view: TextureView, _ place: SIMD2<Double>, isNearest: Bool) -> UInt32 {
  let u = SIMD4(repeating: Float(place.x)), v = SIMD4(repeating: Float(place.y))
  return isNearest ? sampleNearest(view, u, v, .clamp)[0] : sampleLinear(view, u, v, .clamp)[0]
}

/// Texels that a step to the next pixel, right or down, moves at most: within a block of two by two pixels, as GPUs have
/// it, or, where that one shows no ground, to the other side.
@inline(__always)
private func texelRate(
  _ places: UnsafePointer<SIMD2<Float>>, _ x: Int, _ y: Int, _ stride: Int,
  _ step: (SIMD2<Float>, SIMD2<Float>) -> SIMD2<Double>?
) -> Float {
  let here = places[x]
  var best = 0.0
  for (number, way) in [(x, 1), (y, stride)] {
    let partner = number & 1 == 0 ? way : -way
    var next = places[x + partner]
    if next.x != next.x { next = places[x - partner] }
    guard next.x == next.x, let moved = step(here, next) else { continue }
    best = max(best, (moved * moved).sum())
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
