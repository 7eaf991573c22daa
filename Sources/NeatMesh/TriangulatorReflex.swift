import NeatBase

// Where the reflex corners of the ring that is being clipped are. A short list is searched whole, four at a time; many corners are sorted by the
// cells of a grid, row by row, so that a search reads one run of memory a row. Searches are by box and in single precision: rounding keeps order,
// so that no corner inside a box is missed, and the caller tests the few that are found.

/// Corners in columns: places in single precision, and node numbers. The last group of four is filled up with places outside every box.
struct CornerColumns: ~Copyable {
  private(set) var xs: UnsafeMutablePointer<Float>
  private(set) var ys: UnsafeMutablePointer<Float>
  private(set) var members: UnsafeMutablePointer<Int32>
  private var capacity: Int

  init(capacity: Int) {
    self.capacity = capacity
    xs = .allocate(capacity: capacity)
    ys = .allocate(capacity: capacity)
    members = .allocate(capacity: capacity)
  }

  deinit {
    xs.deallocate()
    ys.deallocate()
    members.deallocate()
  }

  /// Room for `count` corners and a filling of three, keeping the first `kept`.
  mutating func reserve(_ count: Int, keeping kept: Int) {
    guard count + 4 > capacity else { return }
    var larger = CornerColumns(capacity: max(count + 4, capacity * 2))
    larger.xs.update(from: xs, count: kept)
    larger.ys.update(from: ys, count: kept)
    larger.members.update(from: members, count: kept)
    swap(&self, &larger)
  }

  @inline(__always) func set(_ index: Int, _ x: Float, _ y: Float, _ member: Int32) {
    xs[index] = x
    ys[index] = y
    members[index] = member
  }

  /// Makes the three places from `index` on lie outside every box.
  @inline(__always) func fill(_ index: Int) {
    for extra in 0..<3 { set(index &+ extra, .infinity, .infinity, 0) }
  }

  // Searches are marked mutating because a borrowed structure would be copied for each call.

  /// Whether a corner of `first..<end` blocks an ear. Reads up to three corners more, which must exist.
  @inline(__always) mutating func blocks(_ first: Int, _ end: Int, _ ear: EarTest) -> Bool {
    let x0 = SIMD4<Float>(repeating: ear.low.x), x1 = SIMD4<Float>(repeating: ear.high.x)
    let y0 = SIMD4<Float>(repeating: ear.low.y), y1 = SIMD4<Float>(repeating: ear.high.y)
    let before = SIMD4<Int32>(repeating: ear.before), after = SIMD4<Int32>(repeating: ear.after)
    let signs: UInt64 = 0x8000_0000_8000_0000
    var at = first
    while at < end {
      let x = UnsafeRawPointer(xs + at).loadUnaligned(as: SIMD4<Float>.self)
      let y = UnsafeRawPointer(ys + at).loadUnaligned(as: SIMD4<Float>.self)
      let member = UnsafeRawPointer(members + at).loadUnaligned(as: SIMD4<Int32>.self)
      // A sign bit is set where the corner is outside, or one of the ear's own.
      let outside =
        unsafeBitCast(x - x0, to: SIMD4<UInt32>.self) | unsafeBitCast(x1 - x, to: SIMD4<UInt32>.self)
        | unsafeBitCast(y - y0, to: SIMD4<UInt32>.self) | unsafeBitCast(y1 - y, to: SIMD4<UInt32>.self)
      let bits = outside | unsafeBitCast((member .== before) .| (member .== after), to: SIMD4<UInt32>.self)
      let pairs = unsafeBitCast(bits, to: SIMD2<UInt64>.self)
      if pairs.x & pairs.y & signs != signs {
        var lane = 0
        while lane < 4 && at &+ lane < end {
          if bits[lane] & 0x8000_0000 == 0 && ear.isBlocked(by: members[at &+ lane]) { return true }
          lane &+= 1
        }
      }
      at &+= 4
    }
    return false
  }
}

/// An ear, and whether a corner blocks it.
struct EarTest {
  let nodes: UnsafeMutablePointer<EarNode>
  let before, after: Int32
  let a, b, c: SIMD2<Double>
  /// The box of its triangle.
  let low, high: SIMD2<Float>

  @inline(__always) init(_ nodes: UnsafeMutablePointer<EarNode>, _ ear: Int) {
    self.nodes = nodes
    before = nodes[ear].prev
    after = nodes[ear].next
    a = SIMD2(nodes[Int(before)].x, nodes[Int(before)].y)
    b = SIMD2(nodes[ear].x, nodes[ear].y)
    c = SIMD2(nodes[Int(after)].x, nodes[Int(after)].y)
    low = SIMD2(Float(min(min(a.x, b.x), c.x)), Float(min(min(a.y, b.y), c.y)))
    high = SIMD2(Float(max(max(a.x, b.x), c.x)), Float(max(max(a.y, b.y), c.y)))
  }

  /// For a corner that is none of the ear's own.
  @inline(__always) func isBlocked(by member: Int32) -> Bool {
    let node = nodes[Int(member)]
    return node.slot >= 0 && !(node.x == a.x && node.y == a.y) && insideTriangle(a, b, c, SIMD2(node.x, node.y))
  }
}

/// The reflex corners of one ring.
struct ReflexSet: ~Copyable {
  /// Above this many corners the grid is used.
  private static let listLimit = 48
  /// Slots of nodes: no reflex corner, or one in the grid; from 0 on the place in the list.
  static let out: Int32 = -1
  static let inGrid: Int32 = .max

  /// The list: all corners, or those that became reflex after the grid was built.
  private(set) var listCount = 0
  private var list = CornerColumns(capacity: 64)
  /// The grid: corners by cell, of which those of slot `out` are reflex no more.
  private(set) var gridCount = 0
  private var gridLeft = 0
  private var grid = CornerColumns(capacity: 4)
  private var starts: UnsafeMutablePointer<Int32>
  private var startCapacity = 4
  private var width = 1
  private var height = 1
  private var minX: Float = 0, minY: Float = 0, scaleX: Float = 0, scaleY: Float = 0

  init() { starts = .allocate(capacity: startCapacity) }

  deinit { starts.deallocate() }

  @inline(__always) var isEmpty: Bool { listCount == 0 && gridCount == 0 }

  @inline(__always) private func column(_ x: Float) -> Int { Int(max(0, min(Float(width &- 1), (x - minX) * scaleX))) }
  @inline(__always) private func row(_ y: Float) -> Int { Int(max(0, min(Float(height &- 1), (y - minY) * scaleY))) }

  /// Takes the reflex corners of the ring that `start` belongs to.
  mutating func build(_ nodes: UnsafeMutablePointer<EarNode>, _ start: Int) {
    listCount = 0
    gridCount = 0
    gridLeft = 0
    var p = start
    var previous = Int(nodes[p].prev)
    repeat {
      let next = Int(nodes[p].next)
      let area =
        (nodes[p].y - nodes[previous].y) * (nodes[next].x - nodes[p].x) - (nodes[p].x - nodes[previous].x) * (nodes[next].y - nodes[p].y)
      if area >= 0 { append(nodes, p) } else { nodes[p].slot = ReflexSet.out }
      previous = p
      p = next
    } while p != start
    list.fill(listCount)
    if listCount > ReflexSet.listLimit { sortIntoGrid(nodes) }
  }

  @inline(__always) private mutating func append(_ nodes: UnsafeMutablePointer<EarNode>, _ node: Int) {
    list.reserve(listCount &+ 1, keeping: listCount)
    nodes[node].slot = Int32(truncatingIfNeeded: listCount)
    list.set(listCount, Float(nodes[node].x), Float(nodes[node].y), Int32(truncatingIfNeeded: node))
    listCount &+= 1
  }

  /// Moves the list into the grid, about two corners a cell, cells about square.
  private mutating func sortIntoGrid(_ nodes: UnsafeMutablePointer<EarNode>) {
    var lowX = Float.infinity, lowY = Float.infinity, highX = -Float.infinity, highY = -Float.infinity
    for index in 0..<listCount {
      lowX = min(lowX, list.xs[index])
      highX = max(highX, list.xs[index])
      lowY = min(lowY, list.ys[index])
      highY = max(highY, list.ys[index])
    }
    let sizeX = highX - lowX, sizeY = highY - lowY
    let cells = Float(max(16, listCount / 2))
    let aspect = sizeY > 0 ? max(1 / 64, min(64, sizeX / sizeY)) : 64
    width = max(1, min(1024, Int((cells * aspect).squareRoot())))
    height = max(1, min(1024, Int((cells / aspect).squareRoot())))
    (minX, minY) = (lowX, lowY)
    scaleX = sizeX > 0 ? Float(width) / sizeX : 0
    scaleY = sizeY > 0 ? Float(height) / sizeY : 0
    if startCapacity < width * height + 2 {
      starts.deallocate()
      startCapacity = width * height + 2
      starts = .allocate(capacity: startCapacity)
    }
    starts.update(repeating: 0, count: width * height + 2)
    for index in 0..<listCount { starts[row(list.ys[index]) * width + column(list.xs[index]) + 2] += 1 }
    for cell in 0..<width * height { starts[cell + 2] += starts[cell + 1] }
    grid.reserve(listCount, keeping: 0)
    for index in 0..<listCount {
      let cell = row(list.ys[index]) * width + column(list.xs[index]) + 1
      grid.set(Int(starts[cell]), list.xs[index], list.ys[index], list.members[index])
      starts[cell] += 1
      nodes[Int(list.members[index])].slot = ReflexSet.inGrid
    }
    grid.fill(listCount)
    gridCount = listCount
    gridLeft = listCount
    listCount = 0
  }

  /// Whether the grid holds mostly corners that are reflex no more: time to build anew.
  @inline(__always) var isStale: Bool { gridCount > 0 && gridLeft &* 2 < gridCount }

  /// Whether a reflex corner lies in the triangle of an ear.
  @inline(__always) mutating func blocks(_ ear: EarTest) -> Bool {
    if list.blocks(0, listCount, ear) { return true }
    return gridCount > 0 && gridBlocks(ear)
  }

  @inline(never) private mutating func gridBlocks(_ ear: EarTest) -> Bool {
    let left = column(ear.low.x), right = column(ear.high.x)
    var line = row(ear.low.y)
    let bottom = row(ear.high.y)
    while line <= bottom {
      let first = Int(starts[line &* width &+ left]), end = Int(starts[line &* width &+ right &+ 1])
      if grid.blocks(first, end, ear) { return true }
      line &+= 1
    }
    return false
  }

  /// Brings the set up to date with a corner whose neighbour was clipped.
  @inline(__always) mutating func update(_ nodes: UnsafeMutablePointer<EarNode>, _ node: Int, isReflex: Bool) {
    if isReflex == (nodes[node].slot >= 0) { return }
    if isReflex {
      append(nodes, node)
      list.fill(listCount)
    } else {
      remove(nodes, node)
    }
  }

  @inline(__always) private mutating func remove(_ nodes: UnsafeMutablePointer<EarNode>, _ node: Int) {
    let slot = nodes[node].slot
    nodes[node].slot = ReflexSet.out
    if slot == ReflexSet.inGrid {
      gridLeft &-= 1
      return
    }
    listCount &-= 1
    let place = Int(slot)
    if place != listCount {
      list.set(place, list.xs[listCount], list.ys[listCount], list.members[listCount])
      nodes[Int(list.members[place])].slot = slot
    }
    list.fill(listCount)
  }
}
