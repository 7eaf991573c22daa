import NeatBase

/// A smooth curve through the vertices of a line: cubic Béziers whose control points lie on the lines between
/// the middles of segments, pulled towards the vertex (Turf's bezier-spline).
package struct BezierSpline {
  private let points: UnsafeBufferPointer<LonLat>
  private let sharpness: Double

  /// Two points or more.
  package init?(_ line: Line, sharpness: Double) {
    guard line.count >= 2 else { return nil }
    points = line.points
    self.sharpness = sharpness
  }

  /// Steps in which time runs, and those that are left out: after every ten steps, ten. So does Turf, and what
  /// comes out is compared with it.
  private static let (step, period) = (10, 100)

  /// The number of places for a resolution.
  package static func count(resolution: Int) -> Int {
    guard resolution > 0 else { return 0 }
    let whole = resolution / (2 * period)
    let rest = min(resolution - whole * 2 * period, period)
    return whole * (period / step) + (rest + step - 1) / step
  }

  /// Places on the curve, `count(resolution:)` of them.
  package func sample(resolution: Int) -> [LonLat] {
    var result: [LonLat] = []
    result.reserveCapacity(BezierSpline.count(resolution: resolution))
    for time in stride(from: 0, to: resolution, by: BezierSpline.step)
    where time / BezierSpline.period % 2 == 0 {
      result.append(place(at: Double(time) / Double(resolution)))
    }
    return result
  }

  /// 0 is the first point, 1 the last.
  package func place(at time: Double) -> LonLat {
    let last = points.count - 1
    guard time < 1 else { return points[last] }
    let position = Double(last) * time
    // A time just below 1 may round to the end of a long line.
    let index = min(Int(saturating: position), last - 1)
    let t = position - Double(index)
    let rest = 1 - t
    let (w0, w1, w2, w3) = (t * t * t, 3 * t * t * rest, 3 * t * rest * rest, rest * rest * rest)
    let (p1, c1) = (points[index], control(index).after)
    let (p2, c2) = (points[index + 1], control(index + 1).before)
    return LonLat(
      p2.lon * w0 + c2.lon * w1 + c1.lon * w2 + p1.lon * w3,
      p2.lat * w0 + c2.lat * w1 + c1.lat * w2 + p1.lat * w3)
  }

  /// The control points on both sides of a vertex; the ends of the line are their own.
  private func control(_ index: Int) -> (before: LonLat, after: LonLat) {
    let point = points[index]
    guard index > 0, index < points.count - 1 else { return (point, point) }
    let (previous, next) = (points[index - 1], points[index + 1])
    let lon = control(previous.lon, point.lon, next.lon)
    let lat = control(previous.lat, point.lat, next.lat)
    return (LonLat(lon.0, lat.0), LonLat(lon.1, lat.1))
  }

  private func control(_ previous: Double, _ point: Double, _ next: Double) -> (Double, Double) {
    let (before, after) = ((previous + point) / 2, (point + next) / 2)
    let shift = point - (before + after) / 2
    let own = (1 - sharpness) * point
    return (own + sharpness * (before + shift), own + sharpness * (after + shift))
  }
}
