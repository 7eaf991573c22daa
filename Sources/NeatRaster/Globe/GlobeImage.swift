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
  } step: { _, move in
    // Beyond the tile's edge the next pixel's place counts all the same.
    SIMD2<Double>(move) * perWorld
  }
}

/// Draws a picture whose texels lie on the ground as `texel` says; nil where it has none.
package func drawGround(
  _ texture: Texture, paint: RasterPaint, ground: GlobeGround, band: Band,
  mayMeet: (SIMD2<Float>, SIMD2<Float>) -> Bool = { _, _ in true },
  _ texel: (SIMD2<Float>) -> SIMD2<Double>?,
  step: (_ here: SIMD2<Float>, _ move: SIMD2<Float>) -> SIMD2<Double>?
) {
  let opacity = UInt32(saturating: min(max(paint.opacity, 0), 1) * 255 + 0.5)
  guard opacity > 0 else { return }
  let pen = GroundPen(texture: texture, paint: paint, opacity: opacity)
  for y in band.y0..<band.y1 {
    let row = band.row(y)
    ground.row(y) { places, _ in
      ground.eachRun(y, band.width, mayMeet) { run in
        for x in run {
          let place = places[x]
          guard place.x == place.x, let here = texel(place) else { continue }
          var footprint = Footprint.one
          if pen.needsFootprint {
            let (right, down) = ground.steps(places, x, y)
            footprint = Footprint(
              right: SIMD2<Float>(step(place, right) ?? .zero),
              down: SIMD2<Float>(step(place, down) ?? .zero),
              limit: paint.samples)
          }
          row[x] = pen.put(row[x], here, footprint)
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
  let isAdded: Bool

  init(texture: Texture, paint: RasterPaint, opacity: UInt32) {
    self.texture = texture
    isNearest = paint.isNearest
    transform = paint.changesColor ? ColorTransform(paint) : nil
    self.opacity = opacity
    isAdded = paint.isAdded
  }

  /// Whether there are smaller versions of the texture to choose from.
  var needsFootprint: Bool { !isNearest && texture.levelCount > 1 }

  @inline(__always) func put(_ below: UInt32, _ place: SIMD2<Double>, _ footprint: Footprint) -> UInt32 {
    var color =
      isNearest
      ? sampleNearest(
        texture.level(0), SIMD4(repeating: Float(place.x)), SIMD4(repeating: Float(place.y)), .clamp)[0]
      : footprint.pixel(texture, SIMD2<Float>(place))
    if let transform { color = transform(color) }
    if isAdded { return Blend.add(below, color, coverage: opacity) }
    return opacity == 255 ? Blend.over(below, color) : Blend.over(below, color, coverage: opacity)
  }
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
