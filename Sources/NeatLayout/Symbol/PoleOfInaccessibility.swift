// The point of a polygon that lies farthest from its outline, where a label has most room. Quadtree search:
// cells are taken by the largest distance that is possible in them, and split while they could beat the best
// by more than the precision ("polylabel", Mapbox 2016). Where the centroid is inside and nearly as far from the
// outline, it is taken: along a band of equal distance the search ends wherever rounding leads it.
import NeatBase

/// - Parameter precision: tile units.
package func poleOfInaccessibility(_ rings: [[SIMD2<Double>]], precision: Double) -> SIMD2<Double> {
  assert(precision > 0, "the search ends where nothing better is left to find")
  guard let outer = rings.first, let first = outer.first else { return .zero }
  var low = first, high = first
  for point in outer {
    low = pointwiseMin(low, point)
    high = pointwiseMax(high, point)
  }
  let size = high - low
  let cellSize = min(size.x, size.y)
  guard cellSize > 0 else { return low }
  var half = cellSize / 2
  var heap: [PoleCell] = []
  // A polygon that is much longer than wide starts with cells of a bounded number instead.
  half = max(half, max(size.x, size.y) / 512)
  var x = low.x
  while x < high.x {
    var y = low.y
    while y < high.y {
      push(PoleCell(SIMD2(x + half, y + half), half, rings), &heap)
      y += half * 2
    }
    x += half * 2
  }
  let centroid = PoleCell(centroid(outer), 0, rings)
  var best = centroid
  var steps = 0
  // Bounds the search on adverse outlines; real ones end after some dozens.
  while let cell = pop(&heap), steps < 4096 {
    steps += 1
    if cell.distance > best.distance { best = cell }
    if cell.reach - best.distance <= precision { continue }
    let h = cell.half / 2
    for corner in [SIMD2(-h, -h), SIMD2(h, -h), SIMD2(-h, h), SIMD2(h, h)] {
      push(PoleCell(cell.centre + corner, h, rings), &heap)
    }
  }
  return centroid.distance > 0 && best.distance - centroid.distance <= precision
    ? centroid.centre : best.centre
}

private struct PoleCell {
  let centre: SIMD2<Double>
  let half: Double
  /// To the outline; negative outside.
  let distance: Double
  var reach: Double { distance + half * 2.0.squareRoot() }

  init(_ centre: SIMD2<Double>, _ half: Double, _ rings: [[SIMD2<Double>]]) {
    self.centre = centre
    self.half = half
    distance = signedDistance(centre, rings)
  }
}

private func push(_ cell: PoleCell, _ heap: inout [PoleCell]) {
  heap.append(cell)
  var i = heap.count - 1
  while i > 0, heap[(i - 1) / 2].reach < heap[i].reach {
    heap.swapAt(i, (i - 1) / 2)
    i = (i - 1) / 2
  }
}

private func pop(_ heap: inout [PoleCell]) -> PoleCell? {
  guard let top = heap.first else { return nil }
  let last = heap.removeLast()
  if heap.isEmpty { return top }
  heap[0] = last
  var i = 0
  while true {
    var child = 2 * i + 1
    if child >= heap.count { break }
    if child + 1 < heap.count, heap[child + 1].reach > heap[child].reach { child += 1 }
    if heap[child].reach <= heap[i].reach { break }
    heap.swapAt(i, child)
    i = child
  }
  return top
}

/// The order of operations is MapLibre GL JS's: among places that are equally far, rounding decides.
private func signedDistance(_ p: SIMD2<Double>, _ rings: [[SIMD2<Double>]]) -> Double {
  var inside = false
  var nearest = Double.infinity
  for ring in rings {
    guard var b = ring.last else { continue }
    for a in ring {
      if (a.y > p.y) != (b.y > p.y), p.x < (b.x - a.x) * (p.y - a.y) / (b.y - a.y) + a.x { inside.toggle() }
      let edge = b - a, to = p - a
      let squared = edge.x * edge.x + edge.y * edge.y
      let t = squared > 0 ? (to.x * edge.x + to.y * edge.y) / squared : 0
      let d = (t <= 0 ? a : t > 1 ? b : edge * t + a) - p
      nearest = min(nearest, d.x * d.x + d.y * d.y)
      b = a
    }
  }
  return (inside ? 1 : -1) * nearest.squareRoot()
}

private func centroid(_ ring: [SIMD2<Double>]) -> SIMD2<Double> {
  guard var b = ring.last else { return .zero }
  var sum = SIMD2<Double>.zero, area = 0.0
  for a in ring {
    let cross = a.x * b.y - b.x * a.y
    sum += (a + b) * cross
    area += cross * 3
    b = a
  }
  return area == 0 ? ring[0] : sum / area
}
