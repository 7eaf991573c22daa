import NeatBase
import NeatRaster

/// How texels lie on a globe.
enum RasterOnGlobe: Sendable {
  case tile(GlobeTileView, GlobeSurface)
  case picture(PictureOnGlobe, GlobeSurface)
}

/// A picture whose corners lie at four places, as the plane of the world has it.
struct PictureOnGlobe: Sendable {
  private let size: SIMD2<Double>
  /// From the square relative to the camera's centre, around the picture's middle, to texels.
  private let map: Projection
  private let middle: SIMD2<Double>
  /// Copies of the world that it reaches into.
  private let wraps: ClosedRange<Int>

  init?(_ texture: Texture, _ corners: [SIMD2<Double>], _ globe: GlobeSurface) {
    guard corners.count == 4 else { return nil }
    let points = corners.map { Mercator.project(LonLat($0.x, $0.y)) - globe.center }
    size = SIMD2(Double(texture.width), Double(texture.height))
    let middle = (points[0] + points[1] + points[2] + points[3]) / 4
    self.middle = middle
    // Lengths of a picture are small beside the world's: measured in its own size they are not flattened.
    let reach = points.map { max(abs($0.x - middle.x), abs($0.y - middle.y)) }.max() ?? 0
    guard reach > 0, reach < 64 else { return nil }
    let unit = 4096 / reach
    let p = points.map { ($0 - middle) * unit }
    guard
      let forward = Projection(
        width: size.x, height: size.y, topLeft: p[0], topRight: p[1], bottomRight: p[2], bottomLeft: p[3]),
      let inverse = forward.inverse
    else { return nil }
    // Back from the square: the units of the picture's size come in.
    var map = inverse
    (map.xx, map.xy) = (inverse.xx * unit, inverse.xy * unit)
    (map.yx, map.yy) = (inverse.yx * unit, inverse.yy * unit)
    (map.wx, map.wy) = (inverse.wx * unit, inverse.wy * unit)
    self.map = map
    let low = points.map(\.x).min() ?? 0, high = points.map(\.x).max() ?? 0
    wraps = Int(bounded: (low - 0.5).rounded(.down))...Int(bounded: (high + 0.5).rounded(.up))
  }

  /// The texel at a place of the ground.
  func texel(_ place: SIMD2<Float>) -> SIMD2<Double>? {
    for wrap in wraps {
      let at = SIMD2(Double(place.x) + Double(wrap), Double(place.y)) - middle
      let p = map.homogeneous(at.x, at.y)
      guard p.z != 0 else { continue }
      let texel = SIMD2(p.x, p.y) / p.z
      if texel.x >= 0, texel.y >= 0, texel.x < size.x, texel.y < size.y { return texel }
    }
    return nil
  }
}

extension RasterDraw {
  func draw(_ worker: BandWorker, _ globe: RasterOnGlobe) {
    switch globe {
    case .tile(let view, let surface):
      drawGlobeImage(
        texture, view, texels: SIMD2(Double(texture.width), Double(texture.height)), paint: paint,
        ground: worker.ground(surface), band: worker.band)
    case .picture(let picture, let surface):
      drawGround(texture, paint: paint, ground: worker.ground(surface), band: worker.band, picture.texel)
    }
  }
}
