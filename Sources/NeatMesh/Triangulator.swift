import NeatBase

// Polygon triangulation by ear clipping, with the results of mapbox/earcut 3.1 (holes joined by bridges after Eberly, "Triangulation by Ear Clipping";
// if no ear is left: drop collinear points, then cut off small local intersections, then split by a diagonal).
//
// What differs is how an ear is tested. Only a reflex corner (or a collinear one) can block an ear, and clipping changes the kind of no corner but
// the two beside it. So the reflex corners are kept apart: few of them in two plain arrays, many in a grid of cells, instead of a list of all points
// in z-order. A convex polygon has none and is clipped without any test.

/// Triangulates one polygon after the other, reusing its memory. Not for concurrent use: one a thread.
package struct Triangulator: ~Copyable {
  /// The most points of one polygon.
  package static let maxPoints = 1 << 28
  /// Steps (edges looked at) after which a hostile polygon is left as far as it is triangulated.
  package static let maxWork = 4_000_000_000

  var nodes: UnsafeMutablePointer<EarNode>
  var nodeCount = 0
  private var nodeCapacity = 64
  private var output: UnsafeMutablePointer<UInt32>
  private var outputCount = 0
  private var outputCapacity = 256
  var reflex = ReflexSet()
  var bridges = BridgeIndex()
  var holes: [Int32] = []
  /// Polygons yet to be clipped: one of their corners each.
  var pending: [Int32] = []
  var work = 0

  package init() {
    nodes = .allocate(capacity: nodeCapacity)
    output = .allocate(capacity: outputCapacity)
  }

  deinit {
    nodes.deallocate()
    output.deallocate()
  }

  /// Triangulates a polygon: an outer ring and any number of holes, with or without closing points, in any winding.
  ///
  /// Ring `r` is `points[ringStarts[r]..<ringStarts[r + 1]]`; there are `ringCount` rings, and `ringStarts` has one entry more.
  /// Returns three indices into `points` a triangle, valid until the next call; all triangles turn the same way. Empty for a degenerate polygon,
  /// one with a coordinate that is not finite, or one of more than `maxPoints` points.
  package mutating func triangulate(
    points: UnsafePointer<SIMD2<Double>>, ringStarts: UnsafePointer<UInt32>, ringCount: Int
  ) -> UnsafeBufferPointer<UInt32> {
    run(ringStarts, ringCount) { points[$0] }
  }

  /// The same for points in single precision.
  package mutating func triangulate(
    points: UnsafePointer<SIMD2<Float>>, ringStarts: UnsafePointer<UInt32>, ringCount: Int
  ) -> UnsafeBufferPointer<UInt32> {
    run(ringStarts, ringCount) { SIMD2(Double(points[$0].x), Double(points[$0].y)) }
  }

  /// The same for points in tile units.
  package mutating func triangulate(
    points: UnsafePointer<SIMD2<Int32>>, ringStarts: UnsafePointer<UInt32>, ringCount: Int
  ) -> UnsafeBufferPointer<UInt32> {
    run(ringStarts, ringCount) { SIMD2(Double(points[$0].x), Double(points[$0].y)) }
  }

  @inline(__always)
  private mutating func run(
    _ starts: UnsafePointer<UInt32>, _ ringCount: Int, _ load: (Int) -> SIMD2<Double>
  ) -> UnsafeBufferPointer<UInt32> {
    outputCount = 0
    nodeCount = 0
    work = 0
    guard ringCount > 0, starts[ringCount] >= starts[0] else { return triangles }
    let total = Int(starts[ringCount] - starts[0])
    guard total >= 3, total <= Triangulator.maxPoints else { return triangles }
    if ringCount == 1 && clipConvex(Int(starts[0]), Int(starts[1]), load) { return triangles }
    reserveNodes(total + 2 * ringCount)
    let outer = link(Int(starts[0]), Int(starts[1]), clockwise: true, load)
    guard outer >= 0, nodes[outer].next != nodes[outer].prev else { return triangles }
    var start = outer
    if ringCount > 1 {
      holes.removeAll(keepingCapacity: true)
      for ring in 1..<ringCount {
        guard starts[ring + 1] > starts[ring] else { continue }
        let list = link(Int(starts[ring]), Int(starts[ring + 1]), clockwise: false, load)
        guard list >= 0 else { return triangles }
        if Int(nodes[list].next) == list { nodes[list].isSteiner = true }
        holes.append(Int32(leftmost(list)))
      }
      start = joinHoles(to: outer)
    }
    clipAll(from: start)
    return triangles
  }

  /// Triangulates a ring of which every corner is strictly convex as a fan, as clipping would; false for any other ring.
  @inline(__always)
  private mutating func clipConvex(_ first: Int, _ end: Int, _ load: (Int) -> SIMD2<Double>) -> Bool {
    var previous = load(end - 2), point = load(end - 1)
    var area = 0.0
    // The direction along x turns twice in a ring that goes round once.
    var turns = 0
    var direction = 0.0
    for index in first..<end {
      let next = load(index)
      let turn = (point.y - previous.y) * (next.x - point.x) - (point.x - previous.x) * (next.y - point.y)
      if !(turn * area > 0) {
        if area != 0 || turn == 0 || !turn.isFinite { return false }
      }
      area = turn > 0 ? 1 : -1
      let dx = next.x - point.x
      if dx != 0 {
        if dx * direction < 0 { turns &+= 1 }
        direction = dx
      }
      previous = point
      point = next
    }
    // Round the seam too: the first direction that is not 0 against the last.
    guard turns <= 2 else { return false }
    let count = end - first
    while outputCount + 3 * count > outputCapacity { growOutput() }
    // The outer ring is walked so that its corners have negative area.
    let step = area < 0 ? 1 : -1
    let last = area < 0 ? end - 1 : first
    let hub = last - step
    func at(_ offset: Int) -> UInt32 {
      let index = last + step * offset
      return UInt32(truncatingIfNeeded: index >= end ? index - count : index < first ? index + count : index)
    }
    for corner in 0..<count - 2 {
      output[outputCount] = UInt32(truncatingIfNeeded: hub)
      output[outputCount + 1] = at(corner)
      output[outputCount + 2] = at(corner + 1)
      outputCount &+= 3
    }
    return true
  }

  private var triangles: UnsafeBufferPointer<UInt32> { UnsafeBufferPointer(start: output, count: outputCount) }

  @inline(__always) mutating func emit(_ a: Int, _ b: Int, _ c: Int) {
    if outputCount + 3 > outputCapacity { growOutput() }
    output[outputCount] = nodes[a].point
    output[outputCount + 1] = nodes[b].point
    output[outputCount + 2] = nodes[c].point
    outputCount &+= 3
  }

  @inline(never) private mutating func growOutput() {
    let larger = UnsafeMutablePointer<UInt32>.allocate(capacity: outputCapacity * 2)
    larger.update(from: output, count: outputCount)
    output.deallocate()
    output = larger
    outputCapacity *= 2
  }

  private mutating func reserveNodes(_ count: Int) {
    guard count > nodeCapacity else { return }
    let capacity = max(count, nodeCapacity * 2)
    let larger = UnsafeMutablePointer<EarNode>.allocate(capacity: capacity)
    larger.update(from: nodes, count: nodeCount)
    nodes.deallocate()
    nodes = larger
    nodeCapacity = capacity
  }

  /// Makes a ring of nodes that turns the given way; returns its last node, or -1 for an empty ring or one that is not finite.
  @inline(__always)
  private mutating func link(_ first: Int, _ end: Int, clockwise: Bool, _ load: (Int) -> SIMD2<Double>) -> Int {
    guard end > first else { return -1 }
    var area = 0.0
    var previous = load(end - 1)
    for index in first..<end {
      let point = load(index)
      area += (previous.x - point.x) * (point.y + previous.y)
      previous = point
    }
    let base = nodeCount
    let count = end - first
    let forward = clockwise == (area > 0)
    var finite = true
    for step in 0..<count {
      let index = forward ? first + step : end - 1 - step
      let point = load(index)
      finite = finite && (point.x - point.x) + (point.y - point.y) == 0
      nodes[base + step] = EarNode(
        x: point.x, y: point.y, prev: Int32(truncatingIfNeeded: base + step - 1), next: Int32(truncatingIfNeeded: base + step + 1),
        point: UInt32(truncatingIfNeeded: index))
    }
    guard finite else { return -1 }
    nodeCount += count
    var last = base + count - 1
    nodes[base].prev = Int32(truncatingIfNeeded: last)
    nodes[last].next = Int32(truncatingIfNeeded: base)
    if count > 1 && same(last, base) {
      unlink(last)
      last = base
    }
    return last
  }

  /// Another node at the same corner, not linked yet.
  mutating func copyNode(_ node: Int) -> Int {
    reserveNodes(nodeCount + 1)
    nodes[nodeCount] = EarNode(x: nodes[node].x, y: nodes[node].y, prev: -1, next: -1, point: nodes[node].point)
    nodeCount += 1
    return nodeCount - 1
  }
}

/// A corner of a ring that is being clipped; links are places in the array of nodes.
struct EarNode: BitwiseCopyable {
  var x, y: Double
  var prev, next: Int32
  private var pointAndFlag: UInt32
  /// Place in the reflex set: below 0 for a convex corner.
  var slot: Int32 = -1

  @inline(__always) init(x: Double, y: Double, prev: Int32, next: Int32, point: UInt32) {
    self.x = x
    self.y = y
    self.prev = prev
    self.next = next
    pointAndFlag = point
  }

  /// Number of the point.
  @inline(__always) var point: UInt32 { pointAndFlag & 0x7fff_ffff }

  /// A hole of one point: it stays though it spans no area.
  @inline(__always) var isSteiner: Bool {
    get { pointAndFlag & 0x8000_0000 != 0 }
    set { pointAndFlag = newValue ? pointAndFlag | 0x8000_0000 : point }
  }
}
