import NeatBase

// Douglas-Peucker that remembers, for each point it would split at, how far it lies off (geojson-vt's
// simplify): done once for all zooms, with a stack of its own. Results are geojson-vt's to the last bit.

struct CutSimplify {
  private let levels: CutLevels
  private var stack: [(Int, Int)] = []
  /// Points that may still be looked at before ranges are halved instead of split where they are farthest,
  /// which bounds the time of shapes made so that every split takes off one point.
  private var budget = 0

  init(_ levels: CutLevels) { self.levels = levels }

  /// Looks per point before ranges are halved; real coastlines take 20 to 40.
  private static let looks = 400

  /// Writes the level of each point that matters before the deepest zoom; the ends are the caller's.
  mutating func run(
    _ points: UnsafePointer<SIMD2<Double>>, _ count: Int, _ result: UnsafeMutablePointer<UInt8>
  ) {
    let tolerance = levels.finest
    guard count > 2, tolerance > 0 else { return }
    budget = count.multipliedReportingOverflow(by: CutSimplify.looks).partialValue
    stack.removeAll(keepingCapacity: true)
    stack.append((0, count - 1))
    while let (first, last) = stack.popLast() {
      budget -= last - first
      var (distance, index) = CutSimplify.farthest(points, first, last, tolerance)
      guard distance > tolerance else { continue }
      if budget < 0 { index = (first + last) / 2 }
      assert(first < index && index < last, "a range is split between its ends")
      result[index] = levels.level(distance)
      if index - first > 1 { stack.append((first, index)) }
      if last - index > 1 { stack.append((index, last)) }
    }
  }

  /// The farthest point of a range from the line between its ends, and the square of how far it lies off; at
  /// most `tolerance` where none is farther. The order of operations is geojson-vt's.
  @inline(__always)
  private static func farthest(
    _ points: UnsafePointer<SIMD2<Double>>, _ first: Int, _ last: Int, _ tolerance: Double
  ) -> (Double, Int) {
    let ax = points[first].x, ay = points[first].y
    let bx = points[last].x, by = points[last].y
    let dx = bx - ax, dy = by - ay
    let squared = dx * dx + dy * dy
    let isPlace = dx == 0 && dy == 0
    var farthest = tolerance
    var index = first
    // In thirds of a point, as geojson-vt counts: among equally far points the one nearest the middle is
    // taken.
    let middle = 3 * first + ((3 * (last - first)) >> 1)
    var nearest = 3 * (last - first)
    for candidate in first + 1..<last {
      let px = points[candidate].x, py = points[candidate].y
      var ex = px - ax, ey = py - ay
      if !isPlace {
        let t = (ex * dx + ey * dy) / squared
        if t > 1 {
          ex = px - bx
          ey = py - by
        } else if t > 0 {
          ex = px - (ax + dx * t)
          ey = py - (ay + dy * t)
        }
      }
      let distance = ex * ex + ey * ey
      if distance > farthest {
        index = candidate
        farthest = distance
      } else if distance == farthest {
        let off = abs(3 * candidate - middle)
        if off < nearest {
          index = candidate
          nearest = off
        }
      }
    }
    return (farthest, index)
  }
}
