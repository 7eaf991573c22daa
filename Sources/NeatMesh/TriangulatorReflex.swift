import NeatBase

// Where the reflex corners of the ring that is being clipped are. A short list is searched whole, four at a
// time; many corners are sorted by the cells of a grid, row by row, so that a search reads one run of memory
// a row. Searches are by box and in single precision: rounding keeps order, so that no corner inside a box is
// missed, and the caller tests the few that are found.

/// Corners in columns: places in single precision, and node numbers. The last group of four is filled up with
/// places outside every box. Three columns that are written out of order and behind their end, with one
/// capacity for all: runs that count what was appended (`GrowingBuffer`) would count three times, and in
/// vain.
struct CornerColumns: ~Copyable {
  private(set) var xs: UnsafeMutablePointer<Float>
  private(set) var ys: UnsafeMutablePointer<Float>
  private(set) var members: UnsafeMutablePointer<Int32>
  private var capacity: Int

  init(capacity: Int) {
    assert(capacity >= 4, "room for a group of four")
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
    assert(index >= 0 && index < capacity, "no room was made for a corner")
    xs[index] = x
    ys[index] = y
    members[index] = member
  }

  /// Makes the three places from `index` on lie outside every box.
  @inline(__always) func fill(_ index: Int) {
    assert(index + 3 <= capacity, "no room was made for the filling")
    for extra in 0..<3 { set(index &+ extra, .infinity, .infinity, 0) }
  }

  /// Takes a corner out of all searches.
  @inline(__always) func remove(_ index: Int) {
    assert(index >= 0 && index < capacity, "a corner that is not there")
    xs[index] = .infinity
  }

  // Searches are marked mutating because a borrowed structure would be copied for each call.

  /// A corner from `first` on that blocks an ear, or -1. Looks at the places up to `end`, and up to three
  /// more, which must exist: corners they hold may be found too.
  @inline(__always) mutating func blocker(_ first: Int, _ end: Int, _ ear: EarTest) -> Int32 {
    let x0 = SIMD4<Float>(repeating: ear.low.x), x1 = SIMD4<Float>(repeating: ear.high.x)
    let y0 = SIMD4<Float>(repeating: ear.low.y), y1 = SIMD4<Float>(repeating: ear.high.y)
    let before = SIMD4<Int32>(repeating: ear.before), after = SIMD4<Int32>(repeating: ear.after)
    assert(first >= 0 && (first >= end || end + 3 <= capacity), "a search reads three places more")
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
      let low = ~pairs.x, high = ~pairs.y
      // One bit a corner inside: of the first at 31, of the second at 63, of the third at 30, of the fourth
      // at 62.
      var inside = low & 0x8000_0000_8000_0000 | (high & 0x8000_0000_8000_0000) &>> 1
      while inside != 0 {
        let bit = inside.trailingZeroBitCount
        inside &= inside &- 1
        let place = at &+ ((bit ^ 1) & 1) &* 2 &+ bit &>> 5
        assert(place >= at && place < at + 4, "one of the four places")
        if ear.isBlocked(by: members[place]) { return members[place] }
      }
      at &+= 4
    }
    return -1
  }
}

/// An ear, and whether a corner blocks it.
struct EarTest {
  let nodes: UnsafeMutablePointer<EarNode>
  let ear: UnsafeMutablePointer<EarNode>
  let before, after: Int32
  let a, b, c: SIMD2<Double>
  /// The box of its triangle.
  let low, high: SIMD2<Float>

  @inline(__always)
  init(
    _ nodes: UnsafeMutablePointer<EarNode>, _ ear: UnsafeMutablePointer<EarNode>,
    _ before: UnsafeMutablePointer<EarNode>,
    _ after: UnsafeMutablePointer<EarNode>
  ) {
    self.nodes = nodes
    self.ear = ear
    self.before = ear.pointee.prev
    self.after = ear.pointee.next
    a = SIMD2(before.pointee.x, before.pointee.y)
    b = SIMD2(ear.pointee.x, ear.pointee.y)
    c = SIMD2(after.pointee.x, after.pointee.y)
    low = SIMD2(Float(min(min(a.x, b.x), c.x)), Float(min(min(a.y, b.y), c.y)))
    high = SIMD2(Float(max(max(a.x, b.x), c.x)), Float(max(max(a.y, b.y), c.y)))
  }

  /// For a corner that is none of the ear's own; false for one that is reflex no more.
  @inline(__always) func isBlocked(by member: Int32) -> Bool {
    let node = nodes + Int(member)
    let p = SIMD2(node.pointee.x, node.pointee.y)
    return node.pointee.slot >= 0 && !(p.x == a.x && p.y == a.y) && insideTriangle(a, b, c, p)
  }

  @inline(__always) func isBlocked(byAny member: Int32) -> Bool {
    member != before && member != after && isBlocked(by: member)
  }
}

/// The reflex corners of one ring.
///
/// A corner's slot is its place here, or below 0 for one that is convex: `out`, or a reflex corner that was
/// found to block it. While that one stays reflex, only a change of the corner's neighbours can unblock it;
/// it is then odd, and the same blocker is tried first.
struct ReflexSet: ~Copyable {
  /// Above this many corners the grid is used.
  private static let listLimit = 48
  /// Of the list, the most corners that were appended to it after the grid was built.
  private static let lateLimit = 512
  /// Holes in the list at which it is closed up.
  private static let holeLimit = 8
  /// Slots of corners that are not reflex, and the mark of places in the grid.
  static let out: Int32 = -1
  private static let gridMark: Int32 = 1 << 30

  /// The slot of a convex corner that a reflex one blocks.
  @inline(__always) static func blocked(by member: Int32) -> Int32 { -4 &- 2 &* member }
  /// The blocker in such a slot, and whether the corner's neighbours are still the same.
  @inline(__always) static func blocker(_ slot: Int32) -> Int32 { (-3 &- slot) &>> 1 }
  @inline(__always) static func isFresh(_ slot: Int32) -> Bool { slot & 1 == 0 }

  /// Reflex corners.
  private(set) var count = 0
  /// The list: all corners, or those that became reflex after the grid was built; with holes where corners
  /// were taken out.
  private var listEnd = 0
  private var listHoles = 0
  private var list = CornerColumns(capacity: 64)
  /// The grid: corners by cell, with holes too.
  private var gridEnd = 0
  private var gridLeft = 0
  private var grid = CornerColumns(capacity: 4)
  /// Where the corners of each cell begin in the grid.
  private var starts = GrowingBuffer<Int32>(capacity: 4)
  private var width = 1
  private var height = 1
  private var minX: Float = 0, minY: Float = 0, scaleX: Float = 0, scaleY: Float = 0

  @inline(__always) private func column(_ x: Float) -> Int {
    Int(cell: (x - minX) * scaleX, last: width &- 1)
  }
  @inline(__always) private func row(_ y: Float) -> Int { Int(cell: (y - minY) * scaleY, last: height &- 1) }

  /// Takes the reflex corners of the ring that `start` belongs to, which has at most `limit` corners. Returns
  /// how many it has.
  mutating func build(_ nodes: UnsafeMutablePointer<EarNode>, _ start: Int, limit: Int) -> Int {
    var entries = begin(limit: limit)
    var corners = 0
    var node = nodes + start
    var previous = nodes + Int(node.pointee.prev)
    var number = start
    repeat {
      let following = Int(node.pointee.next)
      let next = nodes + following
      let point = SIMD2(node.pointee.x, node.pointee.y)
      let turn =
        (point.y - previous.pointee.y) * (next.pointee.x - point.x) - (point.x - previous.pointee.x)
        * (next.pointee.y - point.y)
      node.pointee.slot = entries.enter(point, number, isReflex: turn >= 0)
      corners &+= 1
      previous = node
      node = next
      number = following
    } while number != start
    finish(entries, nodes)
    return corners
  }

  /// Where reflex corners are written to while a ring is walked.
  struct Entries {
    fileprivate let xs: UnsafeMutablePointer<Float>
    fileprivate let ys: UnsafeMutablePointer<Float>
    fileprivate let members: UnsafeMutablePointer<Int32>
    var count = 0

    /// Enters a corner if it is reflex; returns its slot.
    @inline(__always) mutating func enter(_ point: SIMD2<Double>, _ node: Int, isReflex: Bool) -> Int32 {
      // Written in any case, and kept where it is reflex: no branch to guess.
      let place = count
      xs[place] = Float(point.x)
      ys[place] = Float(point.y)
      members[place] = Int32(truncatingIfNeeded: node)
      count = place &+ (isReflex ? 1 : 0)
      return isReflex ? Int32(truncatingIfNeeded: place) : ReflexSet.out
    }
  }

  /// Room for the corners of another ring, `limit` at most.
  @inline(__always) mutating func begin(limit: Int) -> Entries {
    list.reserve(limit, keeping: 0)
    return Entries(xs: list.xs, ys: list.ys, members: list.members)
  }

  /// Takes what was entered.
  @inline(__always) mutating func finish(_ entries: Entries, _ nodes: UnsafeMutablePointer<EarNode>) {
    count = entries.count
    listEnd = count
    assert(listEnd >= 0, "fewer than no corners")
    list.fill(count)
    listHoles = 0
    gridEnd = 0
    gridLeft = 0
    if count > ReflexSet.listLimit { sortIntoGrid(nodes) }
  }

  @inline(never) private mutating func append(_ nodes: UnsafeMutablePointer<EarNode>, _ node: Int) {
    list.reserve(listEnd &+ 1, keeping: listEnd)
    nodes[node].slot = Int32(truncatingIfNeeded: listEnd)
    list.set(listEnd, Float(nodes[node].x), Float(nodes[node].y), Int32(truncatingIfNeeded: node))
    listEnd &+= 1
    count &+= 1
    list.fill(listEnd)
  }

  /// Moves the list into the grid, about two corners a cell, cells about square.
  @inline(never) private mutating func sortIntoGrid(_ nodes: UnsafeMutablePointer<EarNode>) {
    var lowX = Float.infinity, lowY = Float.infinity, highX = -Float.infinity, highY = -Float.infinity
    for index in 0..<listEnd {
      lowX = min(lowX, list.xs[index])
      highX = max(highX, list.xs[index])
      lowY = min(lowY, list.ys[index])
      highY = max(highY, list.ys[index])
    }
    let sizeX = highX - lowX, sizeY = highY - lowY
    let cells = Float(max(16, listEnd / 2))
    let aspect = sizeY > 0 ? max(1 / 64, min(64, sizeX / sizeY)) : 64
    width = max(1, min(1024, Int(bounded: (cells * aspect).squareRoot())))
    height = max(1, min(1024, Int(bounded: (cells / aspect).squareRoot())))
    (minX, minY) = (lowX, lowY)
    scaleX = sizeX > 0 ? Float(width) / sizeX : 0
    scaleY = sizeY > 0 ? Float(height) / sizeY : 0
    let starts = self.starts.overwrite(width * height + 2)
    starts.update(repeating: 0, count: width * height + 2)
    for index in 0..<listEnd { starts[row(list.ys[index]) * width + column(list.xs[index]) + 2] += 1 }
    for cell in 0..<width * height { starts[cell + 2] += starts[cell + 1] }
    grid.reserve(listEnd, keeping: 0)
    for index in 0..<listEnd {
      let cell = row(list.ys[index]) * width + column(list.xs[index]) + 1
      let place = starts[cell]
      assert(place >= 0 && Int(place) < listEnd, "more corners in the cells than were counted")
      grid.set(Int(place), list.xs[index], list.ys[index], list.members[index])
      starts[cell] = place + 1
      nodes[Int(list.members[index])].slot = place | ReflexSet.gridMark
    }
    grid.fill(listEnd)
    gridEnd = listEnd
    gridLeft = listEnd
    listEnd = 0
    list.fill(0)
  }

  /// Whether the grid holds mostly holes, or the list too many corners for one that is searched whole: time
  /// to build anew.
  @inline(__always) var isStale: Bool {
    gridEnd > 0 && gridLeft &* 2 < gridEnd || listEnd > ReflexSet.lateLimit
  }

  /// A reflex corner in the triangle of an ear, or -1.
  @inline(__always) mutating func blocker(_ ear: EarTest) -> Int32 {
    assert(ear.before >= 0 && ear.after >= 0, "an ear that is linked")
    let found = list.blocker(0, listEnd, ear)
    if found >= 0 || gridEnd == 0 { return found }
    return gridBlocker(ear.nodes, ear.ear, ear.nodes + Int(ear.before), ear.nodes + Int(ear.after))
  }

  /// Takes no test, which would have to be in memory for that.
  @inline(never)
  private mutating func gridBlocker(
    _ nodes: UnsafeMutablePointer<EarNode>, _ ear: UnsafeMutablePointer<EarNode>,
    _ before: UnsafeMutablePointer<EarNode>,
    _ after: UnsafeMutablePointer<EarNode>
  ) -> Int32 {
    let ear = EarTest(nodes, ear, before, after)
    let left = column(ear.low.x), right = column(ear.high.x)
    let starts = starts.base
    var line = row(ear.low.y)
    let bottom = row(ear.high.y)
    while line <= bottom {
      let found = grid.blocker(
        Int(starts[line &* width &+ left]), Int(starts[line &* width &+ right &+ 1]), ear)
      if found >= 0 { return found }
      line &+= 1
    }
    return -1
  }

  /// Brings the set up to date with a corner whose neighbour was clipped.
  @inline(__always)
  mutating func update(
    _ nodes: UnsafeMutablePointer<EarNode>, _ node: UnsafeMutablePointer<EarNode>, isReflex: Bool
  ) {
    let slot = node.pointee.slot
    if isReflex == (slot < 0) {
      if isReflex {
        append(nodes, node - nodes)
        return
      }
      node.pointee.slot = ReflexSet.out
      remove(nodes, slot)
    } else if !isReflex {
      node.pointee.slot = slot | 1
    }
  }

  @inline(__always) private mutating func remove(_ nodes: UnsafeMutablePointer<EarNode>, _ slot: Int32) {
    assert(count > 0 && slot >= 0, "a corner that is not in the set")
    count &-= 1
    if slot >= ReflexSet.gridMark {
      gridLeft &-= 1
      assert(gridLeft >= 0 && Int(slot ^ ReflexSet.gridMark) < gridEnd, "a corner that is not in the grid")
      grid.remove(Int(slot ^ ReflexSet.gridMark))
      return
    }
    list.remove(Int(slot))
    listHoles &+= 1
    if listHoles == ReflexSet.holeLimit { closeUp(nodes) }
  }

  /// Closes the holes of the list.
  @inline(never) private mutating func closeUp(_ nodes: UnsafeMutablePointer<EarNode>) {
    var end = 0
    for index in 0..<listEnd where nodes[Int(list.members[index])].slot == Int32(truncatingIfNeeded: index) {
      list.set(end, list.xs[index], list.ys[index], list.members[index])
      nodes[Int(list.members[index])].slot = Int32(truncatingIfNeeded: end)
      end += 1
    }
    assert(end + listHoles == listEnd, "a hole was not counted")
    listEnd = end
    listHoles = 0
    list.fill(end)
  }
}
