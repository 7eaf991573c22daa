import NeatBase

/// The parts of a line that lie in a rectangle; cut points are rounded to whole units, as MapLibre does.
///
/// - Returns: the parts, each with at least two points.
package func clipLine(_ line: [SIMD2<Double>], min low: SIMD2<Double>, max high: SIMD2<Double>)
  -> [[SIMD2<Double>]]
{
  // Most lines lie in it as a whole.
  let isInside = line.count > 1 && line.allSatisfy { all($0 .>= low) && all($0 .< high) }
  if isInside { return [line] }
  var parts: [[SIMD2<Double>]] = []
  var part: [SIMD2<Double>] = []
  var previous: SIMD2<Double>?
  for point in line {
    defer { previous = point }
    guard let previous, let (a, b) = clipSegment(previous, point, low, high) else { continue }
    if part.last != a {
      if !part.isEmpty { parts.append(part) }
      part = [a]
    }
    part.append(b)
  }
  if !part.isEmpty { parts.append(part) }
  return parts
}

/// The piece of a segment inside a rectangle, nil where there is none.
private func clipSegment(
  _ p0: SIMD2<Double>, _ p1: SIMD2<Double>, _ low: SIMD2<Double>, _ high: SIMD2<Double>
) -> (SIMD2<Double>, SIMD2<Double>)? {
  var a = p0, b = p1
  /// Where the segment crosses a bound of an axis.
  func cut(_ axis: Int, _ bound: Double) -> SIMD2<Double> {
    var point = SIMD2<Double>.zero
    point[axis] = bound
    point[1 - axis] = a[1 - axis] + (b[1 - axis] - a[1 - axis]) * ((bound - a[axis]) / (b[axis] - a[axis]))
    return SIMD2(point.x.rounded(), point.y.rounded())
  }
  for axis in 0..<2 {
    if a[axis] < low[axis], b[axis] < low[axis] { return nil }
    if a[axis] < low[axis] {
      a = cut(axis, low[axis])
    } else if b[axis] < low[axis] {
      b = cut(axis, low[axis])
    }
  }
  for axis in 0..<2 {
    if a[axis] >= high[axis], b[axis] >= high[axis] { return nil }
    if a[axis] >= high[axis] {
      a = cut(axis, high[axis])
    } else if b[axis] >= high[axis] {
      b = cut(axis, high[axis])
    }
  }
  return (a, b)
}
