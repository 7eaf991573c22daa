// Shaded relief from elevations, in MapLibre's two steps: slopes by Sobel's operator, kept as 8 bits a
// direction (-4...4), then light. Slopes are enlarged at low zooms, where relief would hardly be seen
// otherwise.
import NeatBase

package enum HillshadeMethod: Sendable {
  case standard, basic, combined, igor, multidirectional
}

/// A source of light.
package struct HillshadeLight: Sendable {
  /// Radians clockwise from north; less the map's bearing where the anchor is the viewport.
  package var azimuth: Float
  /// Radians above the horizon.
  package var altitude: Float
  package var shadow: Color
  package var highlight: Color

  package init(azimuth: Float, altitude: Float = 45 * .pi / 180, shadow: Color, highlight: Color) {
    self.azimuth = azimuth
    self.altitude = altitude
    self.shadow = shadow
    self.highlight = highlight
  }
}

package struct HillshadePaint: Sendable {
  package var method: HillshadeMethod
  /// 0...1.
  package var exaggeration: Float
  package var accent: Color
  /// At least one; only the multidirectional method looks past the first.
  package var lights: [HillshadeLight]

  package init(
    method: HillshadeMethod = .standard, exaggeration: Float = 0.5, accent: Color = .black,
    lights: [HillshadeLight]
  ) {
    precondition(!lights.isEmpty)
    self.method = method
    self.exaggeration = exaggeration
    self.accent = accent
    self.lights = lights
  }
}

/// The relief of a tile as a texture of its size, to be drawn like a raster tile.
///
/// - Parameters:
///   - zoom: the tile's own zoom.
///   - north, south: latitudes of its edges, in degrees; Mercator's stretching is taken out of the slopes.
package func hillshade(_ tile: ElevationTile, zoom: Int, north: Double, south: Double, paint: HillshadePaint)
  -> Texture
{
  let shader = HillshadeShader(paint)
  let scale = slopeScale(size: tile.size, zoom: zoom)
  return Texture(width: tile.size, height: tile.size) { pixels in
    for y in 0..<tile.size {
      let latitude = north + (south - north) * (Double(y) + 0.5) / Double(tile.size)
      let stretch = Float(1 / max(cos(latitude * .pi / 180), 1e-3))
      func kept(_ slope: SIMD4<Float>) -> SIMD4<Float> { kept8Bits(slope * scale) * stretch }
      for x in stride(from: 0, to: tile.size, by: 4) {
        let count = min(4, tile.size - x)
        let (east, south) = slopes(tile.samples + y * tile.stride + x, tile.stride, count)
        storeSome(shader(kept(east), kept(south)), pixels + y * tile.size + x, count)
      }
    }
  }
}

/// What an 8-bit texture keeps of slopes of -4...4.
@inline(__always) private func kept8Bits(_ slope: SIMD4<Float>) -> SIMD4<Float> {
  let share = slope / 8 + 0.5
  // What is not a number is the least.
  let low = share.replacing(with: 0, where: .!(share .> 0))
  return SIMD4<Float>(roundedBytes(low.replacing(with: 1, where: low .> 1) * 255)) / 255 * 8 - 4
}

/// Sobel's sums around up to four samples, to the east and to the south.
@inline(__always) private func slopes(_ p: UnsafePointer<Float>, _ stride: Int, _ count: Int) -> (
  SIMD4<Float>, SIMD4<Float>
) {
  @inline(__always) func four(_ offset: Int) -> SIMD4<Float> {
    if count == 4 { return UnsafeRawPointer(p + offset).loadUnaligned(as: SIMD4<Float>.self) }
    var some = SIMD4<Float>.zero
    for lane in 0..<count { some[lane] = p[offset + lane] }
    return some
  }
  let (a, b, c) = (four(-stride - 1), four(-stride), four(-stride + 1))
  let (d, f) = (four(-1), four(1))
  let (g, h, i) = (four(stride - 1), four(stride), four(stride + 1))
  return ((c + f + f + i) - (a + d + d + g), (g + h + h + i) - (a + b + b + c))
}

/// From Sobel's sums to slopes: over 8 times the metres of a sample (2^28.2562 is 8 × the earth's
/// circumference), times the enlargement.
private func slopeScale(size: Int, zoom: Int) -> Float {
  let factor = zoom < 2 ? 0.4 : Double(zoom) < 4.5 ? 0.35 : 0.3
  let enlargement = zoom < 15 ? Double(zoom - 15) * factor : 0
  return Float(Double(size) / pow(2, enlargement + 28.2562 - Double(zoom)))
}
