// Colour by elevation: elevations are interpolated between samples first, then coloured, so that a stop's
// edge stays sharp however far the tile is enlarged.
import NeatBase

/// The stops of a color-relief layer, in ascending order of elevation.
package struct ReliefRamp: Sendable {
  let elevations: [Float]
  let colors: [SIMD4<Float>]

  /// Stops of elevation (metres, ascending) and colour. At least one.
  package init(_ stops: [(elevation: Float, color: Color)]) {
    precondition(!stops.isEmpty)
    elevations = stops.map(\.elevation)
    colors = stops.map {
      SIMD4($0.color.r * $0.color.a, $0.color.g * $0.color.a, $0.color.b * $0.color.a, $0.color.a) * 255
    }
  }

  /// The premultiplied colour at an elevation; beyond the ends, that of the end.
  func color(_ elevation: Float) -> UInt32 {
    var low = 0
    var high = elevations.count - 1
    while high - low > 1 {
      let middle = (low + high) / 2
      if elevation < elevations[middle] { high = middle } else { low = middle }
    }
    let span = elevations[high] - elevations[low]
    let share =
      span > 0 ? min(max((elevation - elevations[low]) / span, 0), 1) : (elevation < elevations[high] ? 0 : 1)
    let value = roundedBytes(colors[low] + (colors[high] - colors[low]) * share)
    return value.x | value.y << 8 | value.z << 16 | value.w << 24
  }
}

extension ElevationTile {
  /// The middle of the sample that a place lies in.
  @inline(__always) fileprivate func middle(_ u: Float, _ v: Float) -> (Float, Float) {
    let limit = Float(size) - 0.5
    return (min(max(u.rounded(.down) + 0.5, 0.5), limit), min(max(v.rounded(.down) + 0.5, 0.5), limit))
  }
}

/// Draws a tile's elevations as colours into a band.
///
/// - Parameters:
///   - map: samples (0, 0)...(size, size) to pixels.
///   - isNearest: take the nearest sample instead of blending four.
package func drawColorRelief(
  _ tile: ElevationTile, map: Projection, ramp: ReliefRamp, opacity: Float, isNearest: Bool = false,
  clip: RowClip, band: Band
) {
  let cover = UInt32(saturating: min(max(opacity, 0), 1) * 255 + 0.5)
  guard cover > 0, !clip.isEmpty, let inverse = InverseMap(map) else { return }
  for y in max(clip.minY, band.y0)..<max(clip.minY, band.y0, min(clip.maxY, band.y1)) {
    let (left, right) = clip.bounds(y)
    if left >= right { continue }
    let start = clip.walkStart(y)
    let walk = RowWalk(inverse, y, start)
    let pixels = band.row(y)
    var x = left
    while x < right {
      let (u, v) = walk.texels(x &- start)
      for lane in 0..<min(4, right &- x) {
        let at = isNearest ? tile.middle(u[lane], v[lane]) : (u[lane], v[lane])
        let color = ramp.color(tile.elevation(u: at.0, v: at.1))
        pixels[x &+ lane] = Blend.over(pixels[x &+ lane], color, coverage: cover)
      }
      x &+= 4
    }
  }
}

/// The same on a globe.
package func drawGlobeRelief(
  _ tile: ElevationTile, _ view: GlobeTileView, ramp: ReliefRamp, opacity: Float, isNearest: Bool = false,
  ground: GlobeGround, band: Band
) {
  let cover = UInt32(saturating: min(max(opacity, 0), 1) * 255 + 0.5)
  guard cover > 0 else { return }
  let scale = Double(tile.size) / TileUnits.extent
  for y in band.y0..<band.y1 {
    let pixels = band.row(y)
    for x in 0..<band.width {
      guard let place = ground.place(x, y), let at = view.units(place) else { continue }
      let (u, v) = (Float(at.x * scale), Float(at.y * scale))
      let sample = isNearest ? tile.middle(u, v) : (u, v)
      let color = ramp.color(tile.elevation(u: sample.0, v: sample.1))
      pixels[x] = Blend.over(pixels[x], color, coverage: cover)
    }
  }
}
