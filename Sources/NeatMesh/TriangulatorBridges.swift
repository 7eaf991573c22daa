import NeatBase

/// Boxes around runs of a few edges of the rings joined so far, in the order they were joined, and which of
/// them reach into each of the rows that the polygon's height is cut into: a search for a bridge passes over
/// the runs that it cannot meet.
///
/// Dropping a collinear corner leaves boxes valid, once the box of the edge that replaces it has been
/// widened; runs that began or ended at a dropped corner are moved when they are next looked at.
struct BridgeIndex: ~Copyable {
  struct Run: BitwiseCopyable {
    var minX, minY, maxX, maxY: Double
    /// First corner, and the one behind the last edge.
    var head, stop: Int32
    /// For runs of a hole: the corner where the way over its bridge and around it comes back to the run that
    /// it left; -1 for those of the outer ring.
    var exit: Int32
  }

  /// The most edges of a run.
  private static let edges = 12
  /// Runs a row, about, and the most rows.
  private static let runsPerRow = 4
  private static let maxRows = 256
  /// Steps after which a walk along a run gives up. A run has at most a corner and a way around a hole for
  /// each edge; but a corner that was dropped twice, as happens at a bridge, can leave links that lead past
  /// the run's end.
  private static let maxSteps = 64

  private var runList = GrowingBuffer<Run>(capacity: 16)
  private var limit = 0
  private(set) var isActive = false
  /// A bit a run, `words` words a row.
  private var bits = GrowingBuffer<UInt64>(capacity: 1)
  private var words = 1
  private var rows = 1
  private var low = 0.0, scale = 0.0

  @inline(__always) private var runs: UnsafeMutablePointer<Run> { runList.base }
  @inline(__always) private var count: Int { runList.count }

  /// Takes the outer ring; `pointCount` is that of all rings.
  mutating func begin(_ nodes: UnsafeMutablePointer<EarNode>, outer: Int, pointCount: Int, holeCount: Int) {
    runList.removeAll()
    isActive = true
    // Each hole brings its edges, a bridge there and back, and runs that are not full.
    limit = pointCount / BridgeIndex.edges + 3 * holeCount + 4
    words = (limit + 63) / 64
    rows = 0
    add(nodes, outer, outer, exit: -1)
    var high = -Double.infinity
    low = .infinity
    for run in 0..<count {
      low = min(low, runs[run].minY)
      high = max(high, runs[run].maxY)
    }
    // At most about as many bits as the corners take.
    rows = max(1, min(BridgeIndex.maxRows, limit / BridgeIndex.runsPerRow, (4 * pointCount + 1024) / words))
    scale = high > low ? Double(rows) / (high - low) : 0
    bits.overwrite(words * rows).update(repeating: 0, count: words * rows)
    for run in 0..<count { enter(run) }
  }

  mutating func end() { isActive = false }

  /// Takes a hole that was linked to `bridge`: the edges from there around the hole and back to `after`, the
  /// corner that followed.
  mutating func join(_ nodes: UnsafeMutablePointer<EarNode>, _ bridge: Int, _ after: Int) {
    let known = Int(nodes[bridge].slot)
    var exit = after
    // Of several holes at one corner, the way around the newest leads past all of them; the others' begins
    // behind the corner.
    if known >= 0, runs[known].exit >= 0, Int(runs[known].head) == bridge {
      exit = Int(runs[known].exit)
      runs[known].head = Int32(truncatingIfNeeded: after)
    }
    add(nodes, bridge, after, exit: exit)
  }

  /// Adds the edges from `head` up to `stop`, of the whole ring where they are the same. A corner's slot is
  /// the run of the edge it begins: where it is another one than that of the corner before, a hole was linked
  /// in between.
  private mutating func add(_ nodes: UnsafeMutablePointer<EarNode>, _ head: Int, _ stop: Int, exit: Int) {
    if head == stop {
      // All edges but the last, so that a run's ends are the same only where it is empty.
      let last = Int(nodes[head].prev)
      if last == head { return }
      add(nodes, head, last, exit: exit)
      return add(nodes, last, head, exit: exit)
    }
    var p = head
    while p != stop && count < limit {
      var run = Run(
        minX: nodes[p].x, minY: nodes[p].y, maxX: nodes[p].x, maxY: nodes[p].y,
        head: Int32(truncatingIfNeeded: p), stop: 0,
        exit: Int32(truncatingIfNeeded: exit))
      var length = 0
      repeat {
        nodes[p].slot = Int32(truncatingIfNeeded: count)
        p = Int(nodes[p].next)
        BridgeIndex.widen(&run, nodes[p].x, nodes[p].y)
        length += 1
      } while length < BridgeIndex.edges && p != stop
      run.stop = Int32(truncatingIfNeeded: p)
      runList.append(run)
      if rows > 0 { enter(count - 1) }
    }
  }

  @inline(__always) private static func widen(_ run: inout Run, _ x: Double, _ y: Double) {
    run.minX = min(run.minX, x)
    run.minY = min(run.minY, y)
    run.maxX = max(run.maxX, x)
    run.maxY = max(run.maxY, y)
  }

  @inline(__always) private func row(_ y: Double) -> Int { Int(cell: (y - low) * scale, last: rows &- 1) }

  @inline(__always) private func enter(_ run: Int) {
    let word = run / 64, bit: UInt64 = 1 << UInt64(run & 63)
    var row = row(runs[run].minY)
    let last = self.row(runs[run].maxY)
    assert(run >= 0 && run < limit && word < words, "a run without its bit")
    assert(words * last + word < bits.capacity, "a row without its bits")
    while row <= last {
      bits.base[row &* words &+ word] |= bit
      row &+= 1
    }
  }

  /// The edge from `node` leads to a new place.
  mutating func cover(_ node: EarNode, _ end: EarNode) {
    guard node.slot >= 0 else { return }
    assert(Int(node.slot) < count, "no such run")
    BridgeIndex.widen(&runs[Int(node.slot)], end.x, end.y)
    enter(Int(node.slot))
  }

  /// Goes along all runs that reach into the rows between two heights and are not apart, and calls with each
  /// of their corners that is still linked; false ends the walk. Returns the steps it took.
  @inline(__always)
  func walk(
    _ nodes: UnsafeMutablePointer<EarNode>, _ y0: Double, _ y1: Double, apart isApart: (Run) -> Bool,
    corner body: (Int) -> Bool
  ) -> Int {
    let first = row(y0), last = max(first, row(y1))
    var taken = 0
    for word in 0..<words {
      var candidates: UInt64 = 0
      for row in first...last { candidates |= bits.base[row &* words &+ word] }
      taken &+= last &- first &+ 1
      while candidates != 0 {
        let run = word &* 64 &+ candidates.trailingZeroBitCount
        candidates &= candidates &- 1
        assert(run < count, "a bit without its run")
        if isApart(runs[run]) { continue }
        let (head, stop) = ends(nodes, run)
        var p = head, steps = 0
        while p != stop && steps < BridgeIndex.maxSteps {
          steps &+= 1
          guard Int(nodes[p].slot) == run else {
            p = exit(nodes, p, stop)
            continue
          }
          if Int(nodes[Int(nodes[p].prev)].next) == p && !body(p) { return taken &+ steps }
          p = Int(nodes[p].next)
        }
        taken &+= steps
      }
    }
    return taken
  }

  /// The ends of a run, moved to corners that are still linked.
  @inline(__always) private func ends(_ nodes: UnsafeMutablePointer<EarNode>, _ run: Int) -> (
    head: Int, stop: Int
  ) {
    assert(run >= 0 && run < count, "no such run")
    runs[run].stop = linked(nodes, runs[run].stop)
    runs[run].head = linked(nodes, runs[run].head)
    return (Int(runs[run].head), Int(runs[run].stop))
  }

  /// The first corner of the first run.
  func first(_ nodes: UnsafeMutablePointer<EarNode>) -> Int { ends(nodes, 0).head }

  /// Where a walk along another run, up to `stop`, goes on from a corner of a hole's run.
  @inline(__always) private func exit(_ nodes: UnsafeMutablePointer<EarNode>, _ corner: Int, _ stop: Int)
    -> Int
  {
    let run = Int(nodes[corner].slot)
    guard run >= 0, runs[run].exit >= 0 else { return stop }
    runs[run].exit = linked(nodes, runs[run].exit)
    return Int(runs[run].exit)
  }

  @inline(__always) private func linked(_ nodes: UnsafeMutablePointer<EarNode>, _ corner: Int32) -> Int32 {
    var corner = corner
    while nodes[Int(nodes[Int(corner)].prev)].next != corner { corner = nodes[Int(corner)].next }
    return corner
  }
}
