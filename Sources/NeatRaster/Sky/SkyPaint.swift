import NeatBase

/// The sky above a straight horizon: its colour, which goes over into that of the horizon near it.
package struct SkyPaint: Sendable {
  /// Premultiplied, 0...1.
  package var sky: SIMD4<Float>
  package var horizon: SIMD4<Float>
  /// How many pixels a point of the frame lies above the horizon: x · point.x + y · point.y + point.z.
  package var height: SIMD3<Float>
  /// Pixels above the horizon within which its colour is seen.
  package var blend: Float

  package init(sky: SIMD4<Float>, horizon: SIMD4<Float>, height: SIMD3<Float>, blend: Float) {
    (self.sky, self.horizon, self.height, self.blend) = (sky, horizon, height, blend)
  }

  /// Draws it over a band; nothing below the horizon.
  package func draw(_ band: Band) {
    for y in band.y0..<band.y1 {
      let row = band.row(y)
      let start = height.y * (Float(y) + 0.5) + height.z
      if height.x == 0 {
        if start > 0 { Blend.span(row, band.width, color(start)) }
        continue
      }
      for x in 0..<band.width {
        let above = start + height.x * (Float(x) + 0.5)
        if above > 0 { Blend.span(row + x, 1, color(above)) }
      }
    }
  }

  private func color(_ above: Float) -> Premultiplied {
    var color = sky
    if above < blend {
      let share = 1 - above / blend
      color += (horizon - sky) * (share * share)
    }
    let bytes = SIMD4<UInt32>(saturating: (color * 255).rounded(.toNearestOrAwayFromZero))
    return Premultiplied(bits: bytes.x | bytes.y << 8 | bytes.z << 16 | bytes.w << 24)
  }
}
