import NeatBase

/// The reflex corners of the ring that is being clipped: a plain list of a few, or a grid of lists.
struct ReflexSet: ~Copyable {
  /// Above this many corners the grid is used.
  private static let listLimit = 40

  private(set) var count = 0
  private(set) var usesGrid = false
  /// The list: places and node numbers, in no order.
  private(set) var places: UnsafeMutablePointer<SIMD2<Double>>
  private(set) var members: UnsafeMutablePointer<Int32>
  private var listCapacity = 64
  /// The grid: the first node of each cell, and for each node the next one of its cell. Nodes that are reflex no more stay in; their slot is below 0.
  private(set) var heads: UnsafeMutablePointer<Int32>
  private(set) var links: UnsafeMutablePointer<Int32>
  private var headCapacity = 1
  private var linkCapacity = 1
  private(set) var width = 1
  private var height = 1
  private var minX = 0.0, minY = 0.0, scaleX = 0.0, scaleY = 0.0

  /// Slots of nodes outside the set: never in the grid, or still in its lists.
  private static let out: Int32 = -1
  private static let stale: Int32 = -2

  init() {
    places = .allocate(capacity: listCapacity)
    members = .allocate(capacity: listCapacity)
    heads = .allocate(capacity: headCapacity)
    links = .allocate(capacity: linkCapacity)
  }

  deinit {
    places.deallocate()
    members.deallocate()
    heads.deallocate()
    links.deallocate()
  }

  @inline(__always) func column(_ x: Double) -> Int { max(0, min(width - 1, Int(max(0, min(65536, (x - minX) * scaleX))))) }
  @inline(__always) func row(_ y: Double) -> Int { max(0, min(height - 1, Int(max(0, min(65536, (y - minY) * scaleY))))) }

  /// Takes the reflex corners of the ring that `start` belongs to.
  mutating func build(_ nodes: UnsafeMutablePointer<EarNode>, _ nodeCount: Int, _ start: Int) {
    count = 0
    usesGrid = false
    var p = start
    var previous = Int(nodes[p].prev)
    repeat {
      let next = Int(nodes[p].next)
      let area =
        (nodes[p].y - nodes[previous].y) * (nodes[next].x - nodes[p].x) - (nodes[p].x - nodes[previous].x) * (nodes[next].y - nodes[p].y)
      if area >= 0 {
        if count == listCapacity { growList() }
        nodes[p].slot = Int32(truncatingIfNeeded: count)
        places[count] = SIMD2(nodes[p].x, nodes[p].y)
        members[count] = Int32(truncatingIfNeeded: p)
        count &+= 1
      } else {
        nodes[p].slot = ReflexSet.out
      }
      previous = p
      p = next
    } while p != start
    if count > ReflexSet.listLimit { buildGrid(nodeCount) }
  }

  private mutating func growList() {
    let morePlaces = UnsafeMutablePointer<SIMD2<Double>>.allocate(capacity: listCapacity * 2)
    morePlaces.update(from: places, count: count)
    places.deallocate()
    places = morePlaces
    let moreMembers = UnsafeMutablePointer<Int32>.allocate(capacity: listCapacity * 2)
    moreMembers.update(from: members, count: count)
    members.deallocate()
    members = moreMembers
    listCapacity *= 2
  }

  private mutating func buildGrid(_ nodeCount: Int) {
    usesGrid = true
    var low = places[0], high = places[0]
    for index in 1..<count {
      low = pointwiseMin(low, places[index])
      high = pointwiseMax(high, places[index])
    }
    // About two corners a cell, cells about square.
    let extent = high - low
    let cells = Double(max(16, count / 2))
    let aspect = extent.y > 0 ? max(1 / 64, min(64, extent.x / extent.y)) : 64
    width = max(1, min(1024, Int((cells * aspect).squareRoot())))
    height = max(1, min(1024, Int((cells / aspect).squareRoot())))
    (minX, minY) = (low.x, low.y)
    scaleX = extent.x > 0 ? Double(width) / extent.x : 0
    scaleY = extent.y > 0 ? Double(height) / extent.y : 0
    if headCapacity < width * height {
      heads.deallocate()
      headCapacity = width * height
      heads = .allocate(capacity: headCapacity)
    }
    heads.update(repeating: -1, count: width * height)
    if linkCapacity < nodeCount {
      links.deallocate()
      linkCapacity = nodeCount * 2
      links = .allocate(capacity: linkCapacity)
    }
    for index in 0..<count { insert(Int(members[index]), places[index]) }
  }

  @inline(__always) private func insert(_ node: Int, _ place: SIMD2<Double>) {
    let cell = row(place.y) * width + column(place.x)
    links[node] = heads[cell]
    heads[cell] = Int32(truncatingIfNeeded: node)
  }

  /// Brings the set up to date with a corner whose neighbour was clipped.
  @inline(__always) mutating func update(_ nodes: UnsafeMutablePointer<EarNode>, _ node: Int, isReflex: Bool) {
    let slot = nodes[node].slot
    if isReflex == (slot >= 0) { return }
    if usesGrid {
      if isReflex {
        if slot == ReflexSet.out { insert(node, SIMD2(nodes[node].x, nodes[node].y)) }
        nodes[node].slot = 0
      } else {
        nodes[node].slot = ReflexSet.stale
      }
    } else if isReflex {
      if count == listCapacity { growList() }
      nodes[node].slot = Int32(truncatingIfNeeded: count)
      places[count] = SIMD2(nodes[node].x, nodes[node].y)
      members[count] = Int32(truncatingIfNeeded: node)
      count &+= 1
    } else {
      count &-= 1
      places[Int(slot)] = places[count]
      members[Int(slot)] = members[count]
      nodes[Int(members[count])].slot = slot
      nodes[node].slot = ReflexSet.out
    }
  }
}
