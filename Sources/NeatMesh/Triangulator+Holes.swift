import NeatBase

extension Triangulator {
  /// The leftmost corner of a ring, the lowest of several.
  func leftmost(_ start: Int) -> Int {
    var p = start, result = start
    repeat {
      if nodes[p].x < nodes[result].x || (nodes[p].x == nodes[result].x && nodes[p].y < nodes[result].y) {
        result = p
      }
      p = next(p)
    } while p != start
    return result
  }

  /// Links every hole to the outer ring, from left to right; returns a corner of the ring that results.
  mutating func joinHoles(to outer: Int) -> Int {
    if holes.count > 1 {
      let nodes = nodes
      holes.withUnsafeMutableBufferPointer { Triangulator.order($0, nodes) }
    }
    var outer = outer
    bridges.begin(nodes, outer: outer, pointCount: nodeCount, holeCount: holes.count)
    for hole in holes {
      guard work < Triangulator.maxWork else { break }
      let hole = Int(hole)
      guard let bridge = bridge(from: hole, outer) else { continue }
      let back = split(bridge, hole)
      // From the bridge around the hole and back over the copy of the bridge.
      bridges.join(nodes, bridge, next(next(back)))
      // Collinear points at the cuts go at once.
      _ = filter(back, next(back))
      outer = filter(bridge, next(bridge))
    }
    bridges.end()
    return filter(outer)
  }

  /// From left to right; stable, by insertion where there are few.
  private static func order(
    _ holes: UnsafeMutableBufferPointer<Int32>, _ nodes: UnsafeMutablePointer<EarNode>
  ) {
    guard holes.count <= 24 else {
      var holes = holes
      return holes.sort { comesFirst(nodes, Int($0), Int($1)) }
    }
    for index in 1..<holes.count {
      let hole = holes[index]
      var place = index
      while place > 0 && comesFirst(nodes, Int(hole), Int(holes[place - 1])) {
        holes[place] = holes[place - 1]
        place -= 1
      }
      holes[place] = hole
    }
  }

  /// Holes that start at the same point are ordered by slope, so that the bridge of the second one is where
  /// they meet.
  private static func comesFirst(_ nodes: UnsafeMutablePointer<EarNode>, _ a: Int, _ b: Int) -> Bool {
    if nodes[a].x != nodes[b].x { return nodes[a].x < nodes[b].x }
    if nodes[a].y != nodes[b].y { return nodes[a].y < nodes[b].y }
    let an = Int(nodes[a].next), bn = Int(nodes[b].next)
    return (nodes[an].y - nodes[a].y) / (nodes[an].x - nodes[a].x) < (nodes[bn].y - nodes[b].y)
      / (nodes[bn].x - nodes[b].x)
  }

  /// The corner of the outer ring that a hole's leftmost corner can be linked to, or nil.
  private mutating func bridge(from hole: Int, _ outer: Int) -> Int? {
    let hx = nodes[hole].x, hy = nodes[hole].y
    if same(hole, outer) { return outer }
    // The edge that a ray to the left hits first.
    var qx = -Double.infinity
    var m = -1
    var touched: Int?
    let steps = bridges.walk(nodes, hy, hy) { run in
      hy < run.minY || hy > run.maxY || run.minX > hx || run.maxX <= qx
    } corner: { p in
      let q = next(p)
      let py = nodes[p].y, qy = nodes[q].y
      if nodes[q].x == hx && qy == hy {
        touched = q
      } else if hy <= py && hy >= qy && qy != py {
        let x = nodes[p].x + (hy - py) * (nodes[q].x - nodes[p].x) / (qy - py)
        if x <= hx && x > qx {
          qx = x
          m = nodes[p].x < nodes[q].x ? p : q
          if x == hx { touched = m }
        }
      } else if hy == py && hy == qy && min(nodes[p].x, nodes[q].x) < hx && hx < max(nodes[p].x, nodes[q].x),
        (nodes[q].x > nodes[p].x) == (max(nodes[next(hole)].y, nodes[prev(hole)].y) > hy)
      {
        // The hole touches a level edge from inside, which no ray along it would hit.
        touched = nodes[p].x < nodes[q].x ? p : q
      }
      return touched == nil
    }
    work &+= steps
    if let touched { return touched }
    return m < 0 ? nil : visible(from: hole, m, qx)
  }

  /// The corner that is seen from a hole's corner in place of `m`, an end of the edge that a ray to the left
  /// hits at `qx`: corners inside the triangle of hole, hit and edge end hide it, and the one at the smallest
  /// angle to the ray hides all others.
  private mutating func visible(from hole: Int, _ end: Int, _ qx: Double) -> Int {
    let hx = nodes[hole].x, hy = nodes[hole].y
    let mx = nodes[end].x, my = nodes[end].y
    let a = SIMD2(hy < my ? hx : qx, hy), b = SIMD2(mx, my), c = SIMD2(hy < my ? qx : hx, hy)
    let low = min(hy, my), high = max(hy, my)
    var m = end
    var smallest = Double.infinity
    var compared = 0
    let steps = bridges.walk(nodes, low, high) { run in
      run.maxX < mx || run.minX > hx || run.maxY < low || run.minY > high
    } corner: { p in
      let x = nodes[p].x
      if hx >= x && x >= mx && hx != x && insideTriangle(a, b, c, SIMD2(x, nodes[p].y)) {
        let tangent = abs(hy - nodes[p].y) / (hx - x)
        if locallyInside(p, hole)
          && (tangent < smallest
            || (tangent == smallest && (x > nodes[m].x || (x == nodes[m].x && isInner(p, of: m, &compared)))))
        {
          m = p
          smallest = tangent
        }
      }
      return true
    }
    work &+= steps &+ compared
    return m
  }

  /// Whether, of two corners at the same place, `p` is to be taken rather than `m`: the later one on the ring
  /// if its sector lies in that of the other. `steps` counts the corners that were passed to find out.
  private func isInner(_ p: Int, of m: Int, _ steps: inout Int) -> Bool {
    let start = bridges.first(nodes)
    var corner = start
    while corner != p && corner != m {
      corner = next(corner)
      steps &+= 1
      if corner == start { break }
    }
    return corner == m ? sectorContains(m, p) : !sectorContains(p, m)
  }

  /// Whether the sector of corner `m` holds that of corner `p`, which is at the same place.
  private func sectorContains(_ m: Int, _ p: Int) -> Bool {
    area(prev(m), m, prev(p)) < 0 && area(next(p), m, next(m)) < 0
  }
}
