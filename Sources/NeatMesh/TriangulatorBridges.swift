import NeatBase

/// Boxes around runs of up to 16 edges of the rings joined so far, in the order they were joined: a search for a bridge passes over the runs that it
/// cannot meet. Dropping a collinear corner leaves boxes valid, once the box of the edge that replaces it has been widened; dropped corners are
/// recognised by their links and stepped over.
struct BridgeIndex: ~Copyable {
  struct Run: BitwiseCopyable {
    var minX, minY, maxX, maxY: Double
    /// First corner, and the one behind the last edge.
    var head, stop: Int32
  }

  private static let edges = 16

  private(set) var runs: UnsafeMutablePointer<Run>
  private(set) var count = 0
  private var capacity = 16
  private(set) var isActive = false

  init() { runs = .allocate(capacity: capacity) }

  deinit { runs.deallocate() }

  mutating func begin() {
    count = 0
    isActive = true
  }

  mutating func end() { isActive = false }

  /// Adds the edges from `head` up to `stop`; the whole ring where they are the same. A corner's slot is the run of the edge it begins.
  mutating func add(_ nodes: UnsafeMutablePointer<EarNode>, _ head: Int, _ stop: Int) {
    var p = head
    repeat {
      if count == capacity { grow() }
      var run = Run(minX: nodes[p].x, minY: nodes[p].y, maxX: nodes[p].x, maxY: nodes[p].y, head: Int32(truncatingIfNeeded: p), stop: 0)
      var length = 0
      repeat {
        nodes[p].slot = Int32(truncatingIfNeeded: count)
        p = Int(nodes[p].next)
        BridgeIndex.widen(&run, nodes[p].x, nodes[p].y)
        length += 1
      } while length < BridgeIndex.edges && p != stop
      run.stop = Int32(truncatingIfNeeded: p)
      runs[count] = run
      count += 1
    } while p != stop
  }

  @inline(__always) private static func widen(_ run: inout Run, _ x: Double, _ y: Double) {
    run.minX = min(run.minX, x)
    run.minY = min(run.minY, y)
    run.maxX = max(run.maxX, x)
    run.maxY = max(run.maxY, y)
  }

  /// The edge from `node` leads to a new place.
  mutating func cover(_ node: EarNode, _ end: EarNode) { BridgeIndex.widen(&runs[Int(node.slot)], end.x, end.y) }

  /// Moves the ends of a run to corners that are still linked.
  mutating func refresh(_ nodes: UnsafeMutablePointer<EarNode>, _ run: Int) {
    while Int(nodes[Int(nodes[Int(runs[run].stop)].prev)].next) != Int(runs[run].stop) { runs[run].stop = nodes[Int(runs[run].stop)].next }
    while Int(nodes[Int(nodes[Int(runs[run].head)].prev)].next) != Int(runs[run].head) { runs[run].head = nodes[Int(runs[run].head)].next }
  }

  private mutating func grow() {
    let larger = UnsafeMutablePointer<Run>.allocate(capacity: capacity * 2)
    larger.update(from: runs, count: count)
    runs.deallocate()
    runs = larger
    capacity *= 2
  }
}
