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
  private var shift: UInt32 = 31
  private var inverse = 1.0
  private var radius = 0.0
  private var widths = 8.0

  init() {}

  mutating func build(_ points: UnsafePointer<SIMD2<Float>>, count: Int, radius: Double) {
    self.radius = radius
    while !fill(points, count: count) { widths /= 2 }
  }

  @inline(__always) private func cell(_ value: Double) -> Int32 {
    // Far away places share the outermost cells, which keeps neighbours in neighbouring ones.
    Int32(truncatingIfNeeded: Int((max(-1, min(2, value)) + 1) * inverse))
  }

  @inline(__always) private func hash(_ x: Int32, _ y: Int32) -> Int {
    let mixed = (UInt32(bitPattern: x) &* 0x9e37_79b1) ^ (UInt32(bitPattern: y) &* 0x85eb_ca77)
    return Int((mixed &* 0xc2b2_ae3d) >> shift)
  }

  /// False where the cells are too crowded and could be narrower.
  private mutating func fill(_ points: UnsafePointer<SIMD2<Float>>, count: Int) -> Bool {
    inverse = 1 / max(1e-8, radius * widths)
    var bits: UInt32 = 4
    while bits < 26, 1 << bits < 2 * count { bits += 1 }
    shift = 32 - bits
    let buckets = 1 << Int(bits)
    starts.truncate(0)
    let start = starts.reserve(buckets + 2)
    start.update(repeating: 0, count: buckets + 2)
    hashes.truncate(0)
    let hashOf = hashes.reserve(count)
    for index in 0..<count {
      let bucket = hash(cell(Double(points[index].x)), cell(Double(points[index].y)))
      hashOf[index] = UInt32(truncatingIfNeeded: bucket)
      start[bucket + 2] &+= 1
    }
    var crowd = 0
    for bucket in 2..<buckets + 2 {
      let size = Int(start[bucket])
      crowd += size * size
      start[bucket] &+= start[bucket - 1]
    }
    if crowd > 6 * count && widths > 2 { return false }
    items.truncate(0)
    let item = items.reserve(count)
    for index in 0..<count {
      let bucket = Int(hashOf[index]) + 1
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
