import NeatBase

// Predicates on corners: signs of areas, in double precision and without tolerance, as earcut evaluates them.
extension Triangulator {
  @inline(__always) func same(_ a: Int, _ b: Int) -> Bool {
    nodes[a].x == nodes[b].x && nodes[a].y == nodes[b].y
  }

  @inline(__always) func next(_ node: Int) -> Int { Int(nodes[node].next) }
  @inline(__always) func prev(_ node: Int) -> Int { Int(nodes[node].prev) }

  /// Twice the signed area of a triangle: below 0 where it turns as the outer ring does.
  @inline(__always) func area(_ p: Int, _ q: Int, _ r: Int) -> Double {
    (nodes[q].y - nodes[p].y) * (nodes[r].x - nodes[q].x) - (nodes[q].x - nodes[p].x)
      * (nodes[r].y - nodes[q].y)
  }

  @inline(__always) func corner(_ node: Int) -> Double { area(prev(node), node, next(node)) }

  @inline(__always) func unlink(_ node: Int) {
    let before = nodes[node].prev, after = nodes[node].next
    nodes[Int(after)].prev = before
    nodes[Int(before)].next = after
  }

  /// Whether the direction from corner `a` to corner `b` leads inside the polygon, close to `a`.
  func locallyInside(_ a: Int, _ b: Int) -> Bool {
    corner(a) < 0
      ? area(a, b, next(a)) >= 0 && area(a, prev(a), b) >= 0
      : area(a, b, prev(a)) < 0 || area(a, next(a), b) < 0
  }

  /// For collinear corners: whether `q` lies on the segment from `p` to `r`.
  private func onSegment(_ p: Int, _ q: Int, _ r: Int) -> Bool {
    nodes[q].x <= max(nodes[p].x, nodes[r].x) && nodes[q].x >= min(nodes[p].x, nodes[r].x)
      && nodes[q].y <= max(nodes[p].y, nodes[r].y) && nodes[q].y >= min(nodes[p].y, nodes[r].y)
  }

  /// Whether two segments cross, or, with `touching`, share a point.
  func intersects(_ p1: Int, _ q1: Int, _ p2: Int, _ q2: Int, touching: Bool) -> Bool {
    let o1 = area(p1, q1, p2), o2 = area(p1, q1, q2)
    let o3 = area(p2, q2, p1), o4 = area(p2, q2, q1)
    if (o1 > 0 && o2 < 0 || o1 < 0 && o2 > 0) && (o3 > 0 && o4 < 0 || o3 < 0 && o4 > 0) { return true }
    guard touching else { return false }
    return o1 == 0 && onSegment(p1, p2, q1) || o2 == 0 && onSegment(p1, q2, q1)
      || o3 == 0 && onSegment(p2, p1, q2)
      || o4 == 0 && onSegment(p2, q1, q2)
  }

  private mutating func crossesRing(_ a: Int, _ b: Int) -> Bool {
    let ai = nodes[a].point, bi = nodes[b].point
    let minX = min(nodes[a].x, nodes[b].x), maxX = max(nodes[a].x, nodes[b].x)
    let minY = min(nodes[a].y, nodes[b].y), maxY = max(nodes[a].y, nodes[b].y)
    var p = a
    repeat {
      work &+= 1
      let q = next(p)
      let apart =
        (nodes[p].x > maxX && nodes[q].x > maxX) || (nodes[p].x < minX && nodes[q].x < minX)
        || (nodes[p].y > maxY && nodes[q].y > maxY)
        || (nodes[p].y < minY && nodes[q].y < minY)
      if !apart {
        let pi = nodes[p].point, qi = nodes[q].point
        if pi != ai && qi != ai && pi != bi && qi != bi && intersects(p, q, a, b, touching: true) {
          return true
        }
      }
      p = q
    } while p != a
    return false
  }

  private func middleInside(_ a: Int, _ b: Int) -> Bool {
    var inside = false
    let x = (nodes[a].x + nodes[b].x) / 2, y = (nodes[a].y + nodes[b].y) / 2
    var p = a
    repeat {
      let q = next(p)
      let py = nodes[p].y, qy = nodes[q].y, px = nodes[p].x
      if (py > y) != (qy > y) && qy != py && x < (nodes[q].x - px) * (y - py) / (qy - py) + px {
        inside.toggle()
      }
      p = q
    } while p != a
    return inside
  }

  /// Whether the segment between two corners splits the polygon in two valid ones.
  mutating func isDiagonal(_ a: Int, _ b: Int) -> Bool {
    if nodes[next(a)].point == nodes[b].point || nodes[prev(a)].point == nodes[b].point { return false }
    // Cheap tests first; all of them must hold.
    let inside =
      locallyInside(a, b) && locallyInside(b, a)
      && (area(prev(a), a, prev(b)) != 0 || area(a, prev(b), b) != 0)
    let touching = same(a, b) && corner(a) > 0 && corner(b) > 0
    guard inside || touching, !crossesRing(a, b) else { return false }
    return touching || middleInside(a, b)
  }

  /// Links two corners by a segment there and back: one ring becomes two, or a ring and a hole become one.
  /// Returns the copy of `b`.
  mutating func split(_ a: Int, _ b: Int) -> Int {
    let a2 = copyNode(a), b2 = copyNode(b)
    let after = next(a), before = prev(b)
    nodes[a].next = Int32(b)
    nodes[b].prev = Int32(a)
    nodes[a2].next = Int32(after)
    nodes[after].prev = Int32(a2)
    nodes[b2].next = Int32(a2)
    nodes[a2].prev = Int32(b2)
    nodes[before].next = Int32(b2)
    nodes[b2].prev = Int32(before)
    return b2
  }

  /// Drops doubled and collinear corners: of the whole ring, or where an `end` is given (after a cut) from
  /// `start` to there. Returns a corner that is left.
  mutating func filter(_ start: Int, _ end: Int? = nil) -> Int {
    var end = end ?? start
    let whole = end == start
    var p = start
    while true {
      if p != next(p) && !nodes[p].isSteiner && (same(p, next(p)) || corner(p) == 0) {
        if whole || p == end { end = prev(p) }
        unlink(p)
        if bridges.isActive { bridges.cover(nodes[prev(p)], nodes[next(p)]) }
        p = prev(p)
      } else if whole {
        p = next(p)
        if p == end { return end }
      } else {
        if p == end { return end }
        p = next(p)
      }
    }
  }
}

/// Whether a point lies in a triangle or on its edge.
@inline(__always)
func insideTriangle(_ a: SIMD2<Double>, _ b: SIMD2<Double>, _ c: SIMD2<Double>, _ p: SIMD2<Double>) -> Bool {
  (c.x - p.x) * (a.y - p.y) >= (a.x - p.x) * (c.y - p.y)
    && (a.x - p.x) * (b.y - p.y) >= (b.x - p.x) * (a.y - p.y)
    && (b.x - p.x) * (c.y - p.y) >= (c.x - p.x) * (b.y - p.y)
}
