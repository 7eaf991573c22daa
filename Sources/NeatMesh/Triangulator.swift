import NeatBase

// Polygon triangulation by ear clipping, with the results of mapbox/earcut 3.1 (holes joined by bridges after
// Eberly, "Triangulation by Ear Clipping"; if no ear is left: drop collinear points, then cut off small local
// intersections, then split by a diagonal).
//
// What differs is how an ear is tested. Only a reflex corner (or a collinear one) can block an ear, and
// clipping changes the kind of no corner but the two beside it. So the reflex corners are kept apart: few of
// them in plain columns, many in a grid of cells, instead of a list of all points in z-order. A convex
// polygon has none and is clipped without any test. A corner that is no ear remembers what blocks it, and is
// not searched for again until that corner is reflex no more or its own triangle changes.

/// Triangulates one polygon after the other, reusing its memory. Not for concurrent use: one a thread.
package struct Triangulator: ~Copyable {
  /// The most points of one polygon.
  package static let maxPoints = 1 << 28
  /// Steps (edges looked at) after which a hostile polygon is left as far as it is triangulated.
  package static let maxWork = 4_000_000_000

  private var nodeRun = GrowingBuffer<EarNode>()
  private var output = GrowingBuffer<UInt32>(capacity: 256)
  var reflex = ReflexSet()
  var bridges = BridgeIndex()
  var holes: [Int32] = []
  /// Polygons yet to be clipped: one of their corners each.
  var pending: [Int32] = []
  var work = 0

  package init() {}

  @inline(__always) var nodes: UnsafeMutablePointer<EarNode> { nodeRun.base }
  @inline(__always) var nodeCount: Int { nodeRun.count }

  /// Triangulates a polygon: an outer ring and any number of holes, with or without closing points, in any
  /// winding.
  ///
  /// Ring `r` is `points[ringStarts[r]..<ringStarts[r + 1]]`; there are `ringCount` rings, and `ringStarts`
  /// has one entry more. Returns three indices into `points` a triangle, valid until the next call; all
  /// triangles turn the same way. Empty for a degenerate polygon, one with a coordinate that is not finite,
  /// or one of more than `maxPoints` points.
  package mutating func triangulate(
    points: UnsafePointer<SIMD2<Double>>, ringStarts: UnsafePointer<UInt32>, ringCount: Int
  ) -> UnsafeBufferPointer<UInt32> {
    output.removeAll()
    run(ringStarts, ringCount) { points[$0] }
    return triangles
  }

  /// The same for points in single precision.
  package mutating func triangulate(
    points: UnsafePointer<SIMD2<Float>>, ringStarts: UnsafePointer<UInt32>, ringCount: Int
  ) -> UnsafeBufferPointer<UInt32> {
    output.removeAll()
    run(ringStarts, ringCount) { SIMD2(Double(points[$0].x), Double(points[$0].y)) }
    return triangles
  }

  /// The same for points in tile units.
  package mutating func triangulate(
    points: UnsafePointer<SIMD2<Int32>>, ringStarts: UnsafePointer<UInt32>, ringCount: Int
  ) -> UnsafeBufferPointer<UInt32> {
    output.removeAll()
    append(points: points, ringStarts: ringStarts, ringCount: ringCount)
    return triangles
  }

  /// Adds the triangles of a polygon to those that are there; returns how many indices there are now.
  @discardableResult
  package mutating func append(
    points: UnsafePointer<SIMD2<Int32>>, ringStarts: UnsafePointer<UInt32>, ringCount: Int
  ) -> Int {
    run(ringStarts, ringCount) { SIMD2(Double(points[$0].x), Double(points[$0].y)) }
    return output.count
  }

  /// Gives the indices to the caller. None are left.
  package mutating func takeIndices() -> GrowingBuffer<UInt32> {
    assert(output.count % 3 == 0, "indices are not whole triangles")
    var taken = GrowingBuffer<UInt32>(capacity: 256)
    swap(&taken, &output)
    return taken
  }

  @inline(__always)
  private mutating func run(_ starts: UnsafePointer<UInt32>, _ ringCount: Int, _ load: (Int) -> SIMD2<Double>)
  {
    nodeRun.removeAll()
    work = 0
    guard ringCount > 0, starts[ringCount] >= starts[0] else { return }
    let total = Int(starts[ringCount] - starts[0])
    guard total >= 3, total <= Triangulator.maxPoints else { return }
    nodeRun.reserve(total + 2 * ringCount)
    if ringCount == 1 {
      runRing(Int(starts[0]), Int(starts[1]), load)
    } else {
      runRings(starts, ringCount, load)
    }
  }

  /// Triangulates a polygon of one ring: one pass links it and finds its reflex corners.
  @inline(__always)
  private mutating func runRing(_ first: Int, _ end: Int, _ load: (Int) -> SIMD2<Double>) {
    var count = end - first
    let isClosed = all(load(first) .== load(end - 1))
    if isClosed { count -= 1 }
    guard count >= 3 else { return }
    var corners = reflex.begin(limit: count)
    let area = linkRing(count, &corners, { load(first &+ $0) }, point: { first &+ $0 })
    // A coordinate that is not finite shows in the area; so do points very far apart, which are no fault.
    guard area - area == 0 || (0..<count).allSatisfy({ nodes[$0].x.isFinite && nodes[$0].y.isFinite }) else {
      return
    }
    if !(area > 0) {
      corners.count = 0
      _ = linkRing(count, &corners, { load(end &- 1 &- $0) }, point: { end &- 1 &- $0 })
    }
    nodeRun.advance(count)
    let start = isClosed ? 0 : count - 1
    if corners.count == 0 && (count <= 4 || goesRoundOnce(count)) {
      fan(count, from: start)
    } else {
      reflex.finish(corners, nodes)
      clipAll(from: start, corners: count)
    }
  }

  /// Links the nodes of a ring of at least 3 corners in the order in which `load` gives them, and enters
  /// their reflex corners. Returns twice the ring's area.
  @inline(__always)
  private func linkRing(
    _ count: Int, _ corners: inout ReflexSet.Entries, _ load: (Int) -> SIMD2<Double>,
    point number: (Int) -> Int
  ) -> Double {
    assert(count >= 3 && count <= nodeRun.capacity, "no room was made for a ring")
    let nodes = nodes
    var area = 0.0
    var before = load(count &- 2), corner = load(count &- 1)
    var node = count &- 1
    for following in 0..<count {
      let after = load(following)
      area += (corner.x - after.x) * (after.y + corner.y)
      let turn = (corner.y - before.y) * (after.x - corner.x) - (corner.x - before.x) * (after.y - corner.y)
      nodes[node] = EarNode(
        x: corner.x, y: corner.y, prev: Int32(truncatingIfNeeded: node &- 1),
        next: Int32(truncatingIfNeeded: following),
        point: UInt32(truncatingIfNeeded: number(node)),
        slot: corners.enter(corner, node, isReflex: turn >= 0))
      before = corner
      corner = after
      node = following
    }
    nodes[0].prev = Int32(truncatingIfNeeded: count &- 1)
    return area
  }

  /// Whether a ring without reflex corners does not wind several times: its direction along x turns twice.
  /// Five corners are the fewest that can.
  private func goesRoundOnce(_ count: Int) -> Bool {
    var turns = 0
    var x = nodes[count - 1].x
    var direction = x - nodes[count - 2].x
    for node in 0..<count {
      let step = nodes[node].x - x
      if step != 0 {
        if step * direction < 0 { turns &+= 1 }
        direction = step
      }
      x = nodes[node].x
    }
    return turns <= 2
  }

  /// Triangulates a convex ring as clipping would.
  @inline(__always)
  private mutating func fan(_ count: Int, from start: Int) {
    reserveOutput(3 * count)
    assert(start < count && nodeCount == count, "a fan of the one ring there is")
    let hub = nodes[Int(nodes[start].prev)].point
    var corner = start
    for _ in 0..<count &- 2 {
      let next = Int(nodes[corner].next)
      emit(hub, nodes[corner].point, nodes[next].point)
      corner = next
    }
  }

  @inline(__always)
  private mutating func runRings(
    _ starts: UnsafePointer<UInt32>, _ ringCount: Int, _ load: (Int) -> SIMD2<Double>
  ) {
    let outer = link(Int(starts[0]), Int(starts[1]), clockwise: true, load)
    guard outer >= 0, nodes[outer].next != nodes[outer].prev else { return }
    holes.removeAll(keepingCapacity: true)
    for ring in 1..<ringCount {
      guard starts[ring + 1] > starts[ring] else { continue }
      let list = link(Int(starts[ring]), Int(starts[ring + 1]), clockwise: false, load)
      guard list >= 0 else { return }
      if Int(nodes[list].next) == list { nodes[list].isSteiner = true }
      holes.append(Int32(leftmost(list)))
    }
    clipAll(from: joinHoles(to: outer))
  }

  private var triangles: UnsafeBufferPointer<UInt32> {
    output.buffer
  }

  /// Writes a triangle; there is room for it.
  @inline(__always) mutating func emit(_ a: UInt32, _ b: UInt32, _ c: UInt32) {
    assert(output.count + 3 <= output.capacity, "no room was made for a triangle")
    let place = output.base + output.count
    place[0] = a
    place[1] = b
    place[2] = c
    output.advance(3)
  }

  /// Makes room for more indices.
  @inline(__always) package mutating func reserveOutput(_ count: Int) {
    output.reserve(count)
  }

  /// Makes a ring of nodes that turns the given way; returns its last node, or -1 for an empty ring or one
  /// that is not finite.
  @inline(__always)
  private mutating func link(_ first: Int, _ end: Int, clockwise: Bool, _ load: (Int) -> SIMD2<Double>) -> Int
  {
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
    assert(base + count <= nodeRun.capacity, "no room was made for a ring")
    let forward = clockwise == (area > 0)
    var finite = true
    for step in 0..<count {
      let index = forward ? first + step : end - 1 - step
      let point = load(index)
      finite = finite && (point.x - point.x) + (point.y - point.y) == 0
      nodes[base + step] = EarNode(
        x: point.x, y: point.y, prev: Int32(truncatingIfNeeded: base + step - 1),
        next: Int32(truncatingIfNeeded: base + step + 1),
        point: UInt32(truncatingIfNeeded: index))
    }
    guard finite else { return -1 }
    nodeRun.advance(count)
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
    let corner = nodeRun[node]
    nodeRun.append(EarNode(x: corner.x, y: corner.y, prev: -1, next: -1, point: corner.point))
    return nodeCount - 1
  }
}

/// A corner of a ring that is being clipped; links are places in the array of nodes.
struct EarNode: BitwiseCopyable {
  var x, y: Double
  var prev, next: Int32
  private var pointAndFlag: UInt32
  /// Place in the reflex set: below 0 for a convex corner. While holes are joined, the run of the edge that
  /// begins here.
  var slot: Int32

  @inline(__always) init(
    x: Double, y: Double, prev: Int32, next: Int32, point: UInt32, slot: Int32 = ReflexSet.out
  ) {
    self.x = x
    self.y = y
    self.prev = prev
    self.next = next
    pointAndFlag = point
    self.slot = slot
  }

  /// Number of the point.
  @inline(__always) var point: UInt32 { pointAndFlag & 0x7fff_ffff }

  /// A hole of one point: it stays though it spans no area.
  @inline(__always) var isSteiner: Bool {
    get { pointAndFlag & 0x8000_0000 != 0 }
    set { pointAndFlag = newValue ? pointAndFlag | 0x8000_0000 : point }
  }
}
