import NeatBase

// Neighbours within a radius, by a hashed grid that is built anew for each zoom in two passes (count, place).
// A cell is two to eight radii wide, so that a search touches one to four cells; the width follows how
// crowded the cells are.

struct ClusterGrid: ~Copyable {
  private var starts = GrowingBuffer<UInt32>(capacity: 1)
  /// Places and numbers of the points, cell by cell.
  private var xs = GrowingBuffer<Float>(capacity: 1)
  private var ys = GrowingBuffer<Float>(capacity: 1)
  private var numbers = GrowingBuffer<UInt32>(capacity: 1)
  private var hashes = GrowingBuffer<UInt32>(capacity: 1)
  private var mask: UInt32 = 0
  private var inverse = 1.0
  private var radius = 0.0
  /// The radius in cells, with room for rounding.
  private var reachInCells = 0.0
  private var widths = 8.0

  init() {}

  /// Takes the points of which the numbers are given, or all (nil), for searches of a radius.
  mutating func build(
    _ points: UnsafePointer<SIMD2<Float>>, _ numbers: UnsafePointer<UInt32>?, count: Int, radius: Double
  ) {
    self.radius = radius
    while !fill(points, numbers, count: count, width: radius * widths, crowd: widths > 2 ? 5 : .max) {
      widths /= 2
    }
  }

  /// For each point how far away the nearest other one is, at least (exact where it is between `floor` and
  /// `reach`, which cap it). False where the points lie so densely that this would cost more than it saves.
  mutating func isolation(
    _ points: UnsafePointer<SIMD2<Float>>, count: Int, floor: Double, reach: Double,
    _ result: UnsafeMutablePointer<Float>
  ) -> Bool {
    radius = reach
    guard fill(points, nil, count: count, width: 2 * reach, crowd: 4) else { return false }
    let enough = Float(floor * floor)
    for own in 0..<count {
      let x = xs[own], y = ys[own]
      var nearest = SIMD4<Float>(repeating: Float(reach * reach))
      ranges(Double(x), Double(y)) { first, end in
        var at = first
        // What is read past the end is a point all the same, or lies at infinity.
        while at < end {
          var squared = distances(at, x, y)
          if UInt(bitPattern: own &- at) < 4 { squared[own &- at] = .infinity }
          nearest.replace(with: squared, where: squared .< nearest)
          at &+= 4
        }
      }
      let least = min(min(nearest[0], nearest[1]), min(nearest[2], nearest[3]))
      result[Int(numbers[own])] = max(least, enough).squareRoot() * 0.9999
    }
    return true
  }

  /// The squares of the distances of four points.
  @inline(__always) private func distances(_ at: Int, _ x: Float, _ y: Float) -> SIMD4<Float> {
    let dx = UnsafeRawPointer(xs.base + at).loadUnaligned(as: SIMD4<Float>.self) - x
    let dy = UnsafeRawPointer(ys.base + at).loadUnaligned(as: SIMD4<Float>.self) - y
    return dx * dx + dy * dy
  }

  /// Calls with the runs of columns that hold all points at most the radius from a place.
  @inline(__always) private func ranges(_ x: Double, _ y: Double, _ body: (_ first: Int, _ end: Int) -> Void)
  {
    let column = place(x), row = place(y)
    let x0 = Int32(saturating: column - reachInCells), x1 = Int32(saturating: column + reachInCells)
    let y1 = Int32(saturating: row + reachInCells)
    var cy = Int32(saturating: row - reachInCells)
    while cy <= y1 {
      var cx = x0
      while cx <= x1 {
        // Cells side by side in one block have buckets side by side.
        let last = min(x1, cx | 31)
        let bucket = hash(cx, cy)
        assert(bucket + Int(last &- cx) + 1 < starts.count, "a run of cells leaves its block")
        body(Int(starts[bucket]), Int(starts[bucket &+ Int(last &- cx) &+ 1]))
        cx = last &+ 1
      }
      cy &+= 1
    }
  }

  /// A coordinate in cells. Far away places share the outermost cells, which keeps neighbours in neighbouring
  /// ones.
  @inline(__always) private func place(_ value: Double) -> Double { (max(-1, min(2, value)) + 2) * inverse }

  @inline(__always) private func cell(_ value: Double) -> Int32 { Int32(saturating: place(value)) }

  /// Neighbouring cells have neighbouring buckets, as points that come one after the other tend to be
  /// neighbours; blocks of 32 × 32 cells are scattered, so that no regular pattern of places can fill one
  /// bucket.
  @inline(__always) private func hash(_ x: Int32, _ y: Int32) -> Int {
    let block = (UInt32(bitPattern: x >> 5) &* 0x9e37_79b1) ^ (UInt32(bitPattern: y >> 5) &* 0x85eb_ca77)
    return Int((((block &* 0xc2b2_ae3d) >> 8) << 10 ^ UInt32(bitPattern: (y & 31) << 5 | (x & 31))) & mask)
  }

  /// False where the cells are more crowded than asked for: mean number of points that a point shares its
  /// cell with, itself included.
  private mutating func fill(
    _ points: UnsafePointer<SIMD2<Float>>, _ numbers: UnsafePointer<UInt32>?, count: Int, width: Double,
    crowd limit: Int
  ) -> Bool {
    inverse = 1 / max(1e-8, width)
    // Half a cell at most. A place in cells is below 2^29, and exact to 2^-21 of a cell.
    reachInCells = radius * inverse + 0x1p-19
    var bits: UInt32 = 10
    while bits < 26, 1 << bits < 2 * count { bits += 1 }
    mask = 1 << bits - 1
    assert((mask &+ 1) & mask == 0, "buckets are a power of two")
    let buckets = 1 << Int(bits)
    starts.truncate(0)
    let start = starts.extend(buckets + 2)
    start.update(repeating: 0, count: buckets + 2)
    hashes.truncate(0)
    let hashOf = hashes.extend(count)
    for at in 0..<count {
      let point = points[numbers.map { Int($0[at]) } ?? at]
      let bucket = hash(cell(Double(point.x)), cell(Double(point.y)))
      hashOf[at] = UInt32(truncatingIfNeeded: bucket)
      assert(bucket < buckets, "no such bucket")
      start[bucket + 2] &+= 1
    }
    var crowd = 0
    for bucket in 2..<buckets + 2 {
      let size = Int(start[bucket])
      crowd += size * size
      start[bucket] &+= start[bucket - 1]
    }
    if limit < .max && crowd > limit * count { return false }
    xs.truncate(0)
    ys.truncate(0)
    self.numbers.truncate(0)
    // Three more are read, and not used, past the last one.
    let x = xs.extend(count + 3), y = ys.extend(count + 3), number = self.numbers.extend(count + 3)
    for extra in 0..<3 {
      (x[count + extra], y[count + extra], number[count + extra]) = (.infinity, .infinity, 0)
    }
    for at in 0..<count {
      let index = numbers.map { Int($0[at]) } ?? at
      let bucket = Int(hashOf[at]) + 1
      let place = Int(start[bucket])
      assert(place < count, "more points in the buckets than were counted")
      x[place] = points[index].x
      y[place] = points[index].y
      number[place] = UInt32(truncatingIfNeeded: index)
      start[bucket] &+= 1
    }
    return true
  }

  /// Writes the numbers of the points at most the radius from a place that are not taken yet; returns how
  /// many there are.
  @inline(__always)
  func gather(
    _ x: Double, _ y: Double, free taken: UnsafePointer<UInt8>, into list: UnsafeMutablePointer<UInt32>
  ) -> Int {
    var found = 0
    let squared = radius * radius
    // Four at a time in single precision, with room for its rounding; then the few that pass exactly.
    let wide = Float(radius) + 0x1p-22
    let limit = SIMD4<Float>(repeating: wide * wide * 1.001)
    let cx = Float(x), cy = Float(y)
    ranges(x, y) { first, end in
      var at = first
      while at < end {
        let outside = unsafeBitCast(limit - distances(at, cx, cy), to: SIMD2<UInt64>.self)
        let signs: UInt64 = 0x8000_0000_8000_0000
        // One bit a point inside: of the first at 31, of the second at 63, of the third at 30, of the fourth
        // at 62.
        var inside = ~outside.x & signs | (~outside.y & signs) &>> 1
        while inside != 0 {
          let bit = inside.trailingZeroBitCount
          inside &= inside &- 1
          let near = at &+ ((bit ^ 1) & 1) &* 2 &+ bit &>> 5
          let number = numbers[near]
          let ex = Double(xs[near]) - x, ey = Double(ys[near]) - y
          list[found] = number
          found &+= Int((near < end && ex * ex + ey * ey <= squared ? 1 : 0) & (taken[Int(number)] ^ 1))
        }
        at &+= 4
      }
    }
    return found
  }
}
