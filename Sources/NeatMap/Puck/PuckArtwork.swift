import NeatBase
import NeatRaster

/// The pictures of a puck for which nobody has given any: a white disc with a soft shadow, a blue dot on it, and an
/// arrow that looks out from under them. They are drawn by what they are, at the size at which they are seen, and
/// kept for the next frame.
package final class PuckArtwork: Sendable {
  private struct Key: Hashable {
    let kind: PuckImageKind
    /// Texels to a logical pixel, in halves.
    let halves: Int
  }

  /// Sizes that are kept: a scale that follows the zoom goes through many.
  private static let limit = 24
  private let made = Locked<[Key: PuckImage]>([:])

  package init() {}

  /// The picture for a number of device pixels to a logical pixel.
  func image(_ kind: PuckImageKind, pixels: Double) -> PuckImage {
    // Twice as fine as it is seen, since it is turned and tilted.
    let halves = Int(bounded: (min(max(pixels * 2, 1), 16) * 2).rounded(.up))
    let key = Key(kind: kind, halves: halves)
    if let known = made.withLock({ $0[key] }) { return known }
    let image = PuckArtwork.draw(kind, ratio: Double(halves) / 2)
    return made.withLock { made in
      // Whoever else has made it meanwhile was first: a GPU then has one texture of it.
      if let known = made[key] { return known }
      if made.count >= PuckArtwork.limit { made.removeAll() }
      made[key] = image
      return image
    }
  }

  // MARK: Shapes, in logical pixels from the puck's middle, y down

  private static let disc = 11.0
  private static let dot = 8.0
  /// How far the shadow reaches.
  private static let shade = 18.0
  private static let blue = SIMD4(74.0, 144, 226, 255) / 255
  private static let white = SIMD4(1.0, 1, 1, 1)
  /// Half of the canvas.
  private static func reach(_ kind: PuckImageKind) -> Double {
    switch kind {
    case .shadow: 19
    case .bearing: 20
    case .top: 9
    }
  }

  private static func draw(_ kind: PuckImageKind, ratio: Double) -> PuckImage {
    let reach = reach(kind)
    let edge = Int(bounded: (2 * reach * ratio).rounded(.up))
    let middle = Double(edge) / 2
    let texture = Texture(width: edge, height: edge, mipmaps: true) { pixels in
      for y in 0..<edge {
        for x in 0..<edge {
          var sum = SIMD4<Double>.zero
          for sample in 0..<16 {
            let at = SIMD2(Double(sample % 4) + 0.5, Double(sample / 4) + 0.5) / 4
            let point = (SIMD2(Double(x), Double(y)) + at - middle) / ratio
            sum += color(kind, point)
          }
          pixels[y * edge + x] = packed(sum / 16)
        }
      }
    }
    return PuckImage(texture, pixelRatio: ratio)
  }

  private static func packed(_ color: SIMD4<Double>) -> UInt32 {
    func byte(_ value: Double) -> UInt32 { UInt32(saturating: (value * 255).rounded()) }
    return byte(color.x) | byte(color.y) << 8 | byte(color.z) << 16 | byte(color.w) << 24
  }

  /// Premultiplied.
  private static func color(_ kind: PuckImageKind, _ p: SIMD2<Double>) -> SIMD4<Double> {
    let distance = (p * p).sum().squareRoot()
    switch kind {
    case .shadow:
      if distance <= disc { return white }
      // Falls off smoothly, and is nothing at its end.
      let part = max(0, 1 - (distance - disc) / (shade - disc))
      return SIMD4(0, 0, 0, 0.34 * part * part)
    case .top: return distance <= dot ? blue : .zero
    case .bearing: return arrow(p)
    }
  }

  /// A tip with a right angle over an arc around the disc, blue with a white rim.
  private static func arrow(_ p: SIMD2<Double>) -> SIMD4<Double> {
    let radius = disc + 1.5, rim = 1.0
    // Half of the arc, and the tip above its ends.
    let side = radius * sin(.pi / 8), low = radius * cos(.pi / 8)
    let tip = low + side
    // Distances inwards from the two slopes and from the arc.
    let slope = (tip - abs(p.x) - (-p.y)) / 2.0.squareRoot()
    let arc = (p * p).sum().squareRoot() - radius
    // The slopes meet the circle again at the sides.
    guard p.y < -abs(p.x) else { return .zero }
    let inside = min(slope, arc)
    return inside >= 0 ? blue : inside >= -rim ? white : .zero
  }
}
