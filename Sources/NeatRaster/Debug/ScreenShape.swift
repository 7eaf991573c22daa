import NeatBase

private func dot(_ a: SIMD2<Double>, _ b: SIMD2<Double>) -> Double { (a * b).sum() }
private func length(_ v: SIMD2<Double>) -> Double { dot(v, v).squareRoot() }

/// A plain shape on the screen, for pictures that show how a map is made. Device pixels; no edge is smoothed but that
/// of circles. Colours are premultiplied, 0...1; they may be brighter than their alpha allows, and add to what is
/// below then.
package enum ScreenShape: Sendable {
  /// Of one pixel: those whose columns (of steep lines: rows) it crosses at their middles.
  case line(SIMD2<Double>, SIMD2<Double>, SIMD4<Float>)
  /// Columns and rows, in the place of what is there.
  case box(x0: Int, y0: Int, x1: Int, y1: Int, SIMD4<Float>)
  /// The rim of a circle: full at its radius, gone `softness` pixels inside or outside of it.
  case rim(SIMD2<Double>, radius: Double, softness: Double, SIMD4<Float>)
  /// Straight strokes with round ends, `halfWidth` wide to each side, and a rim around them.
  case strokes([SIMD4<Double>], halfWidth: Double, rim: Double, SIMD4<Float>, rimColor: SIMD4<Float>)

  package func draw(_ band: Band) {
    switch self {
    case .line(let a, let b, let color): ScreenShape.line(a, b, color, band)
    case .box(let x0, let y0, let x1, let y1, let color):
      let bits = ScreenShape.blended(0, color, 1)
      for y in max(y0, band.y0)..<max(max(y0, band.y0), min(y1, band.y1)) {
        let from = min(max(x0, 0), band.width)
        Blend.store(band.row(y) + from, max(0, min(x1, band.width) - from), bits)
      }
    case .rim(let centre, let radius, let softness, let color):
      ScreenShape.rim(centre, radius, softness, color, band)
    case .strokes(let strokes, let halfWidth, let rim, let color, let rimColor):
      ScreenShape.draw(strokes, halfWidth + rim, rimColor, band)
      ScreenShape.draw(strokes, halfWidth, color, band)
    }
  }

  /// A colour over a pixel.
  private static func blended(_ pixel: UInt32, _ color: SIMD4<Float>, _ coverage: Float) -> UInt32 {
    let below = SIMD4<Float>(
      Float(pixel & 255), Float(pixel >> 8 & 255), Float(pixel >> 16 & 255), Float(pixel >> 24))
    let above = color * coverage
    var sum = above * 255 + below * (1 - above.w) + 0.5
    sum.clamp(lowerBound: .zero, upperBound: SIMD4(repeating: 255.5))
    let alpha = UInt32(saturating: sum.w)
    let (r, g, b) = (UInt32(saturating: sum.x), UInt32(saturating: sum.y), UInt32(saturating: sum.z))
    return min(r, alpha) | min(g, alpha) << 8 | min(b, alpha) << 16 | alpha << 24
  }

  private static func line(_ a: SIMD2<Double>, _ b: SIMD2<Double>, _ color: SIMD4<Float>, _ band: Band) {
    let (a, b) = (a.snapped, b.snapped)
    let way = b - a
    guard way.x.isFinite, way.y.isFinite, way != .zero else { return }
    let isSteep = abs(way.y) > abs(way.x)
    let from = isSteep ? a.y : a.x
    let (start, end) = isSteep ? (min(a.y, b.y), max(a.y, b.y)) : (min(a.x, b.x), max(a.x, b.x))
    // As shapes have their pixels: a centre at an end belongs to what is right of it, or above.
    let (low, high) =
      isSteep
      ? ((start + 0.5).rounded(.down), (end + 0.5).rounded(.down) - 1)
      : ((start - 0.5).rounded(.up), (end - 0.5).rounded(.up) - 1)
    let limit = isSteep ? (band.y0, band.y1 - 1) : (0, band.width - 1)
    let first = max(Int(bounded: low), limit.0), last = min(Int(bounded: high), limit.1)
    guard first <= last else { return }
    let slope = isSteep ? way.x / way.y : way.y / way.x
    for step in first...last {
      let along = Double(step) + 0.5 - from
      // Halfway between two centres it is the left one, or the lower.
      let across = isSteep ? (a.x + along * slope).rounded(.up) - 1 : (a.y + along * slope).rounded(.down)
      let (x, y) = isSteep ? (Int(bounded: across), step) : (step, Int(bounded: across))
      guard x >= 0, x < band.width, y >= band.y0, y < band.y1 else { continue }
      let row = band.row(y)
      row[x] = blended(row[x], color, 1)
    }
  }

  /// Calls `body` for the pixels of a box, in device pixels, that the band has.
  private static func pixels(
    _ low: SIMD2<Double>, _ high: SIMD2<Double>, _ band: Band,
    _ body: (SIMD2<Double>, inout UInt32) -> Void
  ) {
    guard low.x.isFinite, low.y.isFinite, high.x.isFinite, high.y.isFinite else { return }
    let (x0, x1) = (max(0, Int(bounded: low.x.rounded(.down))), min(band.width, Int(bounded: high.x) + 1))
    let (y0, y1) = (max(band.y0, Int(bounded: low.y.rounded(.down))), min(band.y1, Int(bounded: high.y) + 1))
    for y in y0..<max(y0, y1) {
      let row = band.row(y)
      for x in x0..<max(x0, x1) { body(SIMD2(Double(x) + 0.5, Double(y) + 0.5), &row[x]) }
    }
  }

  private static func rim(
    _ centre: SIMD2<Double>, _ radius: Double, _ softness: Double, _ color: SIMD4<Float>, _ band: Band
  ) {
    let reach = radius + softness
    pixels(centre - reach, centre + reach, band) { place, pixel in
      let distance = abs(length(place - centre) - radius)
      guard distance < softness else { return }
      let t = Float(1 - distance / softness)
      pixel = blended(pixel, color, t * t * (3 - 2 * t))
    }
  }

  private static func draw(
    _ strokes: [SIMD4<Double>], _ halfWidth: Double, _ color: SIMD4<Float>, _ band: Band
  ) {
    guard let first = strokes.first else { return }
    var (low, high) = (SIMD2(first.x, first.y), SIMD2(first.x, first.y))
    for stroke in strokes {
      low = pointwiseMin(low, pointwiseMin(stroke.lowHalf, stroke.highHalf))
      high = pointwiseMax(high, pointwiseMax(stroke.lowHalf, stroke.highHalf))
    }
    pixels(low - halfWidth - 1, high + halfWidth + 1, band) { place, pixel in
      var nearest = Double.infinity
      for stroke in strokes {
        let way = stroke.highHalf - stroke.lowHalf
        let share = dot(place - stroke.lowHalf, way) / max(dot(way, way), 1e-12)
        nearest = min(nearest, length(place - stroke.lowHalf - way * min(max(share, 0), 1)))
      }
      let coverage = min(max(halfWidth + 0.5 - nearest, 0), 1)
      if coverage > 0 { pixel = blended(pixel, color, Float(coverage)) }
    }
  }
}
