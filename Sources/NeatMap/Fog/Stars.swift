import NeatBase
import NeatCamera
import NeatRaster

/// The stars of the sky: as many, where and as bright as Mapbox GL JS has them, which draws them by chance once and for
/// all.
private struct Star {
  /// The direction to it, in the axes of the globe.
  let way: SIMD3<Float>
  let size: Float
  let shine: Float

  static let all: [Star] = {
    var places = Chance(30), looks = Chance(300)
    return (0..<16_000).map { _ in
      let longitude = 2 * Double.pi * places.next()
      let latitude = acos(1 - 2 * places.next()) - .pi / 2
      let size = 0.5 + looks.next()
      return Star(
        way: SIMD3<Float>(
          SIMD3(cos(latitude) * cos(longitude), cos(latitude) * sin(longitude), sin(latitude))),
        size: Float(size), shine: Float(2 * looks.next()))
    }
  }()

  /// Half the width of one of size 1, in radians.
  static let reach: Float = 0.15 / 200
  /// The share of it over which its edge goes out.
  static let blur: Float = 0.4
}

/// Numbers that look like chance: Tommy Ettinger's Mulberry32.
private struct Chance {
  private var state: UInt32

  init(_ seed: UInt32) { state = seed }

  /// 0..<1
  mutating func next() -> Double {
    state &+= 0x6D2B_79F5
    var t = (state ^ state >> 15) &* (1 | state)
    t = t &+ ((t ^ t >> 7) &* (61 | t)) ^ t
    return Double(t ^ t >> 14) / 4_294_967_296
  }
}

extension FrameBuilder {
  /// Stars that are seen in a sky.
  func stars(_ sky: FogSky, shine: Float) -> [Circle] {
    let view = transform.camera
    let (lon, lat) = (view.center.lon * .pi / 180, view.center.lat * .pi / 180)
    let turns = [(1, -lon), (0, lat), (2, view.heading * .pi / 180), (0, -view.pitch * .pi / 180)]
    // The axes of the globe in those of the eye.
    func turned(_ axis: SIMD3<Double>) -> SIMD3<Float> {
      var v = axis
      for (about, angle) in turns {
        let (s, c) = (sin(angle), cos(angle))
        switch about {
        case 0: v = SIMD3(v.x, v.y * c - v.z * s, v.y * s + v.z * c)
        case 1: v = SIMD3(v.x * c + v.z * s, v.y, v.z * c - v.x * s)
        default: v = SIMD3(v.x * c - v.y * s, v.x * s + v.y * c, v.z)
        }
      }
      return SIMD3<Float>(v)
    }
    let (x, y, z) = (turned(SIMD3(1, 0, 0)), turned(SIMD3(0, 1, 0)), turned(SIMD3(0, 0, 1)))
    let size = SIMD2(Float(transform.size.deviceWidth), Float(transform.size.deviceHeight))
    // Picture axes of a rolled view.
    let right = SIMD2(-sky.up.y, sky.up.x)
    var seen: [Circle] = []
    for star in Star.all {
      let way = x * star.way.x + y * star.way.y + z * star.way.z
      guard way.z < 0 else { continue }
      let scale = sky.focal / -way.z
      let point = sky.middle + right * (way.x * scale) + sky.up * (way.y * scale)
      let radius = sky.focal * Star.reach * star.size
      guard point.x > -radius, point.y > -radius, point.x < size.x + radius, point.y < size.y + radius,
        sky.shows(point)
      else { continue }
      let opacity = min(star.shine * shine, 1)
      guard opacity > 0 else { continue }
      seen.append(
        Circle(
          center: point, radius: radius, blur: Star.blur,
          fill: Premultiplied(premultiplied: .one, opacity: opacity)))
    }
    return seen
  }
}
