// Circles as MapLibre's circle shader paints them. With d the distance from the centre over (radius + stroke
// width), and b the larger of the blur and of one pixel in that scale: coverage = smoothUnit((1 - d) / b)
// stroke's share = smoothUnit((d - radius / (radius + stroke width) + b) / b), 0 without a stroke The edge
// lies inside the radius, so that nothing outside it is touched.
import NeatBase

/// One disc. Lengths in pixels.
package struct Circle: Sendable, BitwiseCopyable {
  package var center: SIMD2<Float>
  package var radius: Float
  package var strokeWidth: Float
  /// As circle-blur: 1 blurs the whole disc. Applies to radius and stroke together.
  package var blur: Float
  /// Opacities included.
  package var fill: Premultiplied
  package var stroke: Premultiplied

  package init(
    center: SIMD2<Float>, radius: Float, strokeWidth: Float = 0, blur: Float = 0, fill: Premultiplied,
    stroke: Premultiplied = .transparent
  ) {
    self.center = center
    self.radius = radius
    self.strokeWidth = strokeWidth
    self.blur = blur
    self.fill = fill
    self.stroke = stroke
  }
}

/// What circles lie in: how the disc's own axes run on the frame. The identity for circles that face the
/// viewer.
package struct CircleAxes: Sendable, BitwiseCopyable {
  /// Where a step of one unit along the disc's x and y goes, in pixels.
  package var x: SIMD2<Float>
  package var y: SIMD2<Float>

  package init(x: SIMD2<Float>, y: SIMD2<Float>) { (self.x, self.y) = (x, y) }

  package static let identity = CircleAxes(x: SIMD2(1, 0), y: SIMD2(0, 1))
}

/// Draws circles into a band, in order.
package func drawCircles(_ circles: UnsafeBufferPointer<Circle>, axes: CircleAxes = .identity, band: Band) {
  let determinant = axes.x.x * axes.y.y - axes.x.y * axes.y.x
  guard determinant != 0, determinant.isFinite else { return }
  // Half the width and height of the unit disc on the frame.
  let reachX = (axes.x.x * axes.x.x + axes.y.x * axes.y.x).squareRoot()
  let reachY = (axes.x.y * axes.x.y + axes.y.y * axes.y.y).squareRoot()
  let inverse = SIMD4(axes.y.y, -axes.y.x, -axes.x.y, axes.x.x) / determinant
  for index in 0..<circles.count {
    let circle = circles[index]
    let size = circle.radius + max(circle.strokeWidth, 0)
    // Written so that NaN is skipped too.
    guard size > 0, size < 65536, abs(circle.center.x) < 1e6, abs(circle.center.y) < 1e6 else { continue }
    let top = max(band.y0, Int(bounded: (circle.center.y - size * reachY).rounded(.down)))
    let bottom = min(band.y1, Int(bounded: (circle.center.y + size * reachY).rounded(.up)))
    let left = max(0, Int(bounded: (circle.center.x - size * reachX).rounded(.down)))
    let right = min(band.width, Int(bounded: (circle.center.x + size * reachX).rounded(.up)))
    if top >= bottom || left >= right { continue }
    let disc = Disc(circle, size, inverse)
    for y in top..<bottom { disc.drawRow(band.row(y), y, left, right) }
  }
}

/// A circle ready to draw.
private struct Disc {
  let center: SIMD2<Float>
  /// From pixels to the unit disc: row by row.
  let inverse: SIMD4<Float>
  let hasStroke: Bool
  let blurInverse: Float
  /// Where the stroke begins, less the blur.
  let strokeStart: Float
  /// Everything nearer than this is plain fill.
  let plain: Float
  let fill: UInt32
  let stroke: UInt32

  init(_ circle: Circle, _ size: Float, _ inverse: SIMD4<Float>) {
    center = circle.center
    self.inverse = inverse / size
    let blur = max(circle.blur, 1 / size)
    blurInverse = 1 / blur
    // Below a hundredth of a pixel there is no stroke.
    hasStroke = circle.strokeWidth >= 0.01
    strokeStart = max(circle.radius, 0) / size - blur
    plain = hasStroke ? strokeStart : 1 - blur
    fill = circle.fill.bits
    stroke = circle.stroke.bits
  }

  func drawRow(_ row: UnsafeMutablePointer<UInt32>, _ y: Int, _ left: Int, _ right: Int) {
    let dy = Float(y) + 0.5 - center.y
    let (low, high) = plainPart(dy, left, right)
    assert(left <= low && low <= right && high <= right, "a part beyond its row")
    blendPart(row, dy, left, low)
    if low < high { Blend.span(row + low, high - low, Premultiplied(bits: fill)) }
    blendPart(row, dy, max(low, high), right)
  }

  /// Pixels of a row that lie wholly in the plain fill; empty for discs that are small or seen askew.
  private func plainPart(_ dy: Float, _ left: Int, _ right: Int) -> (Int, Int) {
    guard plain > 0, inverse.y == 0, inverse.z == 0 else { return (right, right) }
    let v = inverse.w * dy
    let rest = plain * plain - v * v
    guard rest > 0 else { return (right, right) }
    // A hundredth of a pixel in, so that rounding never takes a pixel of the edge.
    let half = rest.squareRoot() / abs(inverse.x) - 0.01
    let low = max(left, Int(bounded: (center.x - half - 0.5).rounded(.up)))
    let high = min(right, Int(bounded: (center.x + half - 0.5).rounded(.down)) + 1)
    // The parts on both sides go by fours from their own left ends, which do not depend on the band.
    return low < high ? (low, high) : (right, right)
  }

  private func blendPart(_ row: UnsafeMutablePointer<UInt32>, _ dy: Float, _ left: Int, _ right: Int) {
    var x = left
    while x < right {
      let dx = SIMD4<Float>(0.5, 1.5, 2.5, 3.5) + (Float(x) - center.x)
      let u = dx * inverse.x + dy * inverse.y
      let v = dx * inverse.z + dy * inverse.w
      let distance = (u * u + v * v).squareRoot()
      let coverage = roundedBytes(smoothUnit((1 - distance) * blurInverse) * 255)
      if coverage != .zero {
        let count = min(4, right &- x)
        let old = loadSome(row + x, count)
        var color = Pixels4(repeating: fill)
        if hasStroke {
          let share = roundedBytes(smoothUnit((distance - strokeStart) * blurInverse) * 256)
          color = mix4(fill, stroke, share)
        }
        storeSome(Blend.over4(old, color, coverage: coverage), row + x, count)
      }
      x &+= 4
    }
  }
}

/// a · (256 - share) + b · share over 256, in each channel.
@inline(__always) private func mix4(_ a: UInt32, _ b: UInt32, _ share: Pixels4) -> Pixels4 {
  let low = Pixels4(repeating: 0x00FF_00FF)
  let wb = bothHalves(share)
  let rest = 256 &- share
  let wa = bothHalves(rest)
  let rb =
    lanes(Pixels4(repeating: a & 0x00FF_00FF)) &* wa &+ lanes(Pixels4(repeating: b & 0x00FF_00FF)) &* wb
    &+ 128
  let ga =
    lanes(Pixels4(repeating: (a &>> 8) & 0x00FF_00FF)) &* wa &+ lanes(
      Pixels4(repeating: (b &>> 8) & 0x00FF_00FF)) &* wb &+ 128
  return (words(rb &>> 8) & low) | ((words(ga &>> 8) & low) &<< 8)
}
