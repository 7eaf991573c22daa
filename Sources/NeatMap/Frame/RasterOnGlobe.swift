import NeatBase
import NeatRaster

/// How texels lie on a globe.
enum RasterOnGlobe: Sendable {
  case tile(GlobeTileView, GlobeSurface, zoom: UInt8)
  case picture(PictureOnGlobe, GlobeSurface)
}

/// A picture whose corners lie at four places of the Mercator square, and its inside between them in equal parts
/// (as MapLibre GL JS has it on the globe; on the plane it is seen in perspective).
struct PictureOnGlobe: Sendable {
  private let size: SIMD2<Double>
  /// Relative to the camera's centre: the first corner, and how far it is from there along the sides.
  private let corner: SIMD2<Double>
  private let right: SIMD2<Double>
  private let down: SIMD2<Double>
  private let skew: SIMD2<Double>
  private let low: SIMD2<Double>
  private let high: SIMD2<Double>
  /// Copies of the world that it reaches into.
  private let wraps: ClosedRange<Int>

  init?(_ texture: Texture, _ corners: [SIMD2<Double>], _ globe: GlobeSurface) {
    guard corners.count == 4 else { return nil }
    let points = corners.map { Mercator.project(LonLat($0.x, $0.y)) - globe.center }
    guard points.allSatisfy({ abs($0.x) < 64 && abs($0.y) < 64 }) else { return nil }
    size = SIMD2(Double(texture.width), Double(texture.height))
    corner = points[0]
    right = points[1] - points[0]
    down = points[3] - points[0]
    skew = points[0] - points[1] + points[2] - points[3]
    low = points.dropFirst().reduce(points[0]) { pointwiseMin($0, $1) }
    high = points.dropFirst().reduce(points[0]) { pointwiseMax($0, $1) }
    wraps = Int(bounded: (low.x - 0.5).rounded(.down))...Int(bounded: (high.x + 0.5).rounded(.up))
  }

  /// The texel at a place of the ground.
  func texel(_ place: SIMD2<Float>) -> SIMD2<Double>? {
    for wrap in wraps {
      let at = SIMD2(Double(place.x) + Double(wrap), Double(place.y))
      guard at.x >= low.x, at.y >= low.y, at.x <= high.x, at.y <= high.y, let share = share(at - corner)
      else {
        continue
      }
      return share * size
    }
    return nil
  }

  /// The shares u and v with u · right + v · down + u · v · skew = away.
  private func share(_ away: SIMD2<Double>) -> SIMD2<Double>? {
    func cross(_ a: SIMD2<Double>, _ b: SIMD2<Double>) -> Double { a.x * b.y - a.y * b.x }
    // Crossed with right + v · skew, a quadratic equation of v is left.
    let a = cross(skew, down), b = cross(right, down) - cross(skew, away), c = -cross(right, away)
    for v in PictureOnGlobe.roots(a, b, c) where v >= 0 && v <= 1 {
      let side = right + skew * v, rest = away - down * v
      let u = abs(side.x) > abs(side.y) ? rest.x / side.x : rest.y / side.y
      if u >= 0, u <= 1 { return SIMD2(u, v) }
    }
    return nil
  }

  private static func roots(_ a: Double, _ b: Double, _ c: Double) -> [Double] {
    if abs(a) < 1e-12 * abs(b) { return b == 0 ? [] : [-c / b] }
    let square = b * b - 4 * a * c
    guard square >= 0 else { return [] }
    let q = -0.5 * (b + (b < 0 ? -square.squareRoot() : square.squareRoot()))
    return q == 0 ? [0] : [q / a, c / q]
  }
}

extension RasterDraw {
  func draw(_ worker: BandWorker, _ globe: RasterOnGlobe) {
    switch globe {
    case .tile(let view, let surface, let zoom):
      drawGlobeImage(
        texture, view, texels: SIMD2(Double(texture.width), Double(texture.height)), paint: paint,
        ground: worker.ground(surface, zoom: zoom), band: worker.band)
    case .picture(let picture, let surface):
      drawGround(
        texture, paint: paint, ground: worker.ground(surface, zoom: 0), band: worker.band, picture.texel
      ) { here, move in
        guard let a = picture.texel(here), let b = picture.texel(here + move) else { return nil }
        return b - a
      }
    }
  }
}
