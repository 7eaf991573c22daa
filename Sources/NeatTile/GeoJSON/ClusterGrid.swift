import NeatBase

// Neighbours within a radius, by a hashed grid that is built anew for each zoom in two passes (count, place). A cell is two to eight radii wide,
// so that a search touches one to four cells; the width follows how crowded the cells are.

struct ClusterGrid: ~Copyable {
  struct Item: BitwiseCopyable {
    var x, y: Float
    var index: UInt32
  }

  private var starts = Column<UInt32>(capacity: 1)
  private var items = Column<Item>(capacity: 1)
  private var hashes = Column<UInt32>(capacity: 1)
  private var mask: UInt32 = 0
  private var inverse = 1.0
  private var radius = 0.0
  private var widths = 8.0

  init() {}

  /// Takes the points of which the numbers are given, or all (nil), for searches of a radius.
  mutating func build(_ points: UnsafePointer<SIMD2<Float>>, _ numbers: UnsafePointer<UInt32>?, count: Int, radius: Double) {
    self.radius = radius
    while !fill(points, numbers, count: count, width: radius * widths, crowd: widths > 2 ? 3 : .max) { widths /= 2 }
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
      let point = items[own]
      var nearest = Float(reach * reach)
      let x0 = cell(Double(point.x) - reach), x1 = cell(Double(point.x) + reach)
      let y0 = cell(Double(point.y) - reach), y1 = cell(Double(point.y) + reach)
      search: for cy in y0...y1 {
        for cx in x0...x1 {
          let bucket = hash(cx, cy)
          for at in Int(starts[bucket])..<Int(starts[bucket + 1]) where at != own {
            let dx = items[at].x - point.x, dy = items[at].y - point.y
            nearest = min(nearest, dx * dx + dy * dy)
            if nearest <= enough { break search }
          }
        }
      }
      result[Int(point.index)] = nearest.squareRoot() * 0.9999
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
    items.truncate(0)
    let item = items.reserve(count)
    for at in 0..<count {
      let index = numbers.map { Int($0[at]) } ?? at
      let bucket = Int(hashOf[at]) + 1
      item[Int(start[bucket])] = Item(x: points[index].x, y: points[index].y, index: UInt32(truncatingIfNeeded: index))
      start[bucket] &+= 1
    }
    return true
  }

  /// Calls `body` with the number of each point at most the radius from a place.
  @inline(__always) func within(_ x: Double, _ y: Double, _ body: (Int) -> Void) {
    let x0 = cell(x - radius), x1 = cell(x + radius)
    let y0 = cell(y - radius), y1 = cell(y + radius)
    let squared = radius * radius
    let start = starts.base
    let item = items.base
    var cy = y0
    while cy <= y1 {
      var cx = x0
      while cx <= x1 {
        let bucket = hash(cx, cy)
        var at = Int(start[bucket])
        let end = Int(start[bucket + 1])
        while at < end {
          let px = Double(item[at].x), py = Double(item[at].y)
          let dx = px - x, dy = py - y
          // Cells that share a bucket must not report its points twice.
          if dx * dx + dy * dy <= squared, cell(px) == cx, cell(py) == cy { body(Int(item[at].index)) }
          at += 1
        }
        cx += 1
      }
      cy += 1
    }
  }
}
