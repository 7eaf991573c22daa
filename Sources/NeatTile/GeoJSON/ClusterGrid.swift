import NeatBase

// Neighbours within a radius, by a hashed grid that is built anew for each zoom in two passes (count, place). A cell is two to eight radii wide,
// so that a search touches one to four cells; the width follows how crowded the cells are.

struct ClusterGrid: ~Copyable {
  private var starts = Column<UInt32>(capacity: 1)
  /// Places and numbers of the points, cell by cell.
  private var xs = Column<Float>(capacity: 1)
  private var ys = Column<Float>(capacity: 1)
  private var numbers = Column<UInt32>(capacity: 1)
  private var hashes = Column<UInt32>(capacity: 1)
  private var mask: UInt32 = 0
  private var inverse = 1.0
  private var radius = 0.0
  private var widths = 8.0

  init() {}

  /// Takes the points of which the numbers are given, or all (nil), for searches of a radius.
  mutating func build(_ points: UnsafePointer<SIMD2<Float>>, _ numbers: UnsafePointer<UInt32>?, count: Int, radius: Double) {
    self.radius = radius
    while !fill(points, numbers, count: count, width: radius * widths, crowd: widths > 2 ? 5 : .max) { widths /= 2 }
  }

  /// For each point how far away the nearest other one is, at least (exact where it is between `floor` and `reach`, which cap it).
  /// False where the points lie so densely that this would cost more than it saves.
  mutating func isolation(
    _ points: UnsafePointer<SIMD2<Float>>, count: Int, floor: Double, reach: Double, _ result: UnsafeMutablePointer<Float>
  ) -> Bool {
    radius = reach
    guard fill(points, nil, count: count, width: 2 * reach, crowd: 4) else { return false }
    let enough = Float(floor * floor)
    for own in 0..<count {
      let x = xs[own], y = ys[own]
      var nearest = Float(reach * reach)
      let x0 = cell(Double(x) - reach), x1 = cell(Double(x) + reach)
      let y0 = cell(Double(y) - reach), y1 = cell(Double(y) + reach)
      search: for cy in y0...y1 {
        for cx in x0...x1 {
          let bucket = hash(cx, cy)
          for at in Int(starts[bucket])..<Int(starts[bucket + 1]) where at != own {
            let dx = xs[at] - x, dy = ys[at] - y
            nearest = min(nearest, dx * dx + dy * dy)
            if nearest <= enough { break search }
          }
        }
      }
      result[Int(numbers[own])] = nearest.squareRoot() * 0.9999
    }
    return true
  }

  @inline(__always) private func cell(_ value: Double) -> Int32 {
    // Far away places share the outermost cells, which keeps neighbours in neighbouring ones.
    Int32(truncatingIfNeeded: Int((max(-1, min(2, value)) + 1) * inverse))
  }

  /// Neighbouring cells have neighbouring buckets, as points that come one after the other tend to be neighbours; blocks of 32 × 32 cells are
  /// scattered, so that no regular pattern of places can fill one bucket.
  @inline(__always) private func hash(_ x: Int32, _ y: Int32) -> Int {
    let block = (UInt32(bitPattern: x >> 5) &* 0x9e37_79b1) ^ (UInt32(bitPattern: y >> 5) &* 0x85eb_ca77)
    return Int((((block &* 0xc2b2_ae3d) >> 8) << 10 ^ UInt32(bitPattern: (y & 31) << 5 | (x & 31))) & mask)
  }

  /// False where the cells are more crowded than asked for: mean number of points that a point shares its cell with, itself included.
  private mutating func fill(
    _ points: UnsafePointer<SIMD2<Float>>, _ numbers: UnsafePointer<UInt32>?, count: Int, width: Double, crowd limit: Int
  ) -> Bool {
    inverse = 1 / max(1e-8, width)
    var bits: UInt32 = 10
    while bits < 26, 1 << bits < 2 * count { bits += 1 }
    mask = 1 << bits - 1
    let buckets = 1 << Int(bits)
    starts.truncate(0)
    let start = starts.reserve(buckets + 2)
    start.update(repeating: 0, count: buckets + 2)
    hashes.truncate(0)
    let hashOf = hashes.reserve(count)
    for at in 0..<count {
      let point = points[numbers.map { Int($0[at]) } ?? at]
      let bucket = hash(cell(Double(point.x)), cell(Double(point.y)))
      hashOf[at] = UInt32(truncatingIfNeeded: bucket)
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
    let x = xs.reserve(count + 3), y = ys.reserve(count + 3), number = self.numbers.reserve(count + 3)
    for extra in 0..<3 { (x[count + extra], y[count + extra], number[count + extra]) = (.infinity, .infinity, 0) }
    for at in 0..<count {
      let index = numbers.map { Int($0[at]) } ?? at
      let bucket = Int(hashOf[at]) + 1
      let place = Int(start[bucket])
      x[place] = points[index].x
      y[place] = points[index].y
      number[place] = UInt32(truncatingIfNeeded: index)
      start[bucket] &+= 1
    }
    return true
  }

  /// Writes the numbers of the points at most the radius from a place that are not taken yet; returns how many there are.
  @inline(__always)
  mutating func gather(_ x: Double, _ y: Double, free taken: UnsafePointer<UInt8>, into list: UnsafeMutablePointer<UInt32>) -> Int {
    let x0 = cell(x - radius), x1 = cell(x + radius), y1 = cell(y + radius)
    var cy = cell(y - radius)
    var found = 0
    while cy <= y1 {
      var cx = x0
      while cx <= x1 {
        // Cells side by side in one block have buckets side by side.
        let last = min(x1, cx | 31)
        let bucket = hash(cx, cy)
        let first = Int(starts[bucket]), end = Int(starts[bucket &+ Int(last &- cx) &+ 1])
        found = scan(first, end, x, y, taken, list, found)
        cx = last &+ 1
      }
      cy &+= 1
    }
    return found
  }

  /// Tests four points at a time in single precision, with room for its rounding, and then the few that pass exactly.
  @inline(__always)
  private mutating func scan(
    _ first: Int, _ end: Int, _ x: Double, _ y: Double, _ taken: UnsafePointer<UInt8>, _ list: UnsafeMutablePointer<UInt32>, _ found: Int
  ) -> Int {
    var found = found
    let squared = radius * radius
    let wide = Float(radius) + 0x1p-22
    let limit = SIMD4<Float>(repeating: wide * wide * 1.001)
    let cx = SIMD4<Float>(repeating: Float(x)), cy = SIMD4<Float>(repeating: Float(y))
    var at = first
    while at < end {
      let dx = UnsafeRawPointer(xs.base + at).loadUnaligned(as: SIMD4<Float>.self) - cx
      let dy = UnsafeRawPointer(ys.base + at).loadUnaligned(as: SIMD4<Float>.self) - cy
      let left = unsafeBitCast(limit - (dx * dx + dy * dy), to: SIMD4<UInt32>.self)
      let pairs = unsafeBitCast(left, to: SIMD2<UInt64>.self)
      if pairs.x & pairs.y & 0x8000_0000_8000_0000 != 0x8000_0000_8000_0000 {
        var lane = 0
        while lane < 4 && at &+ lane < end {
          let number = numbers[at &+ lane]
          if left[lane] & 0x8000_0000 == 0 && taken[Int(number)] == 0 {
            let ex = Double(xs[at &+ lane]) - x, ey = Double(ys[at &+ lane]) - y
            list[found] = number
            found &+= ex * ex + ey * ey <= squared ? 1 : 0
          }
          lane &+= 1
        }
      }
      at &+= 4
    }
    return found
  }
}
