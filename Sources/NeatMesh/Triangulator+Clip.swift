import NeatBase

extension Triangulator {
  /// Clips a polygon, and whatever it has to be split into.
  mutating func clipAll(from start: Int) {
    pending.removeAll(keepingCapacity: true)
    pending.append(Int32(start))
    while let start = pending.popLast() {
      guard work < Triangulator.maxWork else { return }
      var left = clip(Int(start))
      if left < 0 { continue }
      left = clip(filter(left))
      if left < 0 { continue }
      left = clip(cureLocalIntersections(filter(left)))
      if left >= 0 { splitOnce(left) }
    }
  }

  /// Clips ears until none is left; returns a corner of what remains, or -1 where nothing does.
  private mutating func clip(_ start: Int) -> Int {
    // The reflex corners of this ring; those of others do not matter.
    reflex.build(nodes, nodeCount, start)
    if reflex.usesGrid { return clipLoop(start) { $0.gridAllows($1) } }
    return clipLoop(start) { $0.listAllows($1) }
  }

  @inline(__always)
  private mutating func clipLoop(_ start: Int, _ allows: (borrowing Triangulator, Int) -> Bool) -> Int {
    var ear = start
    var stop = start
    while nodes[ear].prev != nodes[ear].next {
      let after = next(ear)
      if nodes[ear].slot < 0 && allows(self, ear) {
        let before = prev(ear)
        emit(before, ear, after)
        nodes[before].next = Int32(truncatingIfNeeded: after)
        nodes[after].prev = Int32(truncatingIfNeeded: before)
        reflex.update(nodes, before, isReflex: corner(before) >= 0)
        reflex.update(nodes, after, isReflex: corner(after) >= 0)
        ear = after
        stop = after
        continue
      }
      ear = after
      if ear == stop { return ear }
      work &+= 1
    }
    return -1
  }

  @inline(__always) private func blocks(_ p: Int, _ before: Int, _ after: Int, _ a: SIMD2<Double>, _ b: SIMD2<Double>, _ c: SIMD2<Double>)
    -> Bool
  {
    let point = SIMD2(nodes[p].x, nodes[p].y)
    return p != before && p != after && !(point.x == a.x && point.y == a.y) && insideTriangle(a, b, c, point)
  }

  /// Whether no reflex corner lies in the triangle of an ear.
  @inline(__always) private func listAllows(_ ear: Int) -> Bool {
    if reflex.count == 0 { return true }
    let before = prev(ear), after = next(ear)
    let a = SIMD2(nodes[before].x, nodes[before].y), b = SIMD2(nodes[ear].x, nodes[ear].y), c = SIMD2(nodes[after].x, nodes[after].y)
    let x0 = min(a.x, b.x, c.x), y0 = min(a.y, b.y, c.y), x1 = max(a.x, b.x, c.x), y1 = max(a.y, b.y, c.y)
    for index in 0..<reflex.count {
      let point = reflex.places[index]
      if point.x >= x0 && point.x <= x1 && point.y >= y0 && point.y <= y1, blocks(Int(reflex.members[index]), before, after, a, b, c) {
        return false
      }
    }
    return true
  }

  @inline(__always) private func gridAllows(_ ear: Int) -> Bool {
    let before = prev(ear), after = next(ear)
    let a = SIMD2(nodes[before].x, nodes[before].y), b = SIMD2(nodes[ear].x, nodes[ear].y), c = SIMD2(nodes[after].x, nodes[after].y)
    let x0 = min(a.x, b.x, c.x), y0 = min(a.y, b.y, c.y), x1 = max(a.x, b.x, c.x), y1 = max(a.y, b.y, c.y)
    let columns = reflex.column(x0)...reflex.column(x1)
    for row in reflex.row(y0)...reflex.row(y1) {
      for column in columns {
        var member = Int(reflex.heads[row * reflex.width + column])
        while member >= 0 {
          if nodes[member].slot >= 0, nodes[member].x >= x0, nodes[member].x <= x1, nodes[member].y >= y0, nodes[member].y <= y1,
            blocks(member, before, after, a, b, c)
          {
            return false
          }
          member = Int(reflex.links[member])
        }
      }
    }
    return true
  }

  /// Cuts off triangles at edges that cross the next but one.
  private mutating func cureLocalIntersections(_ start: Int) -> Int {
    var start = start
    var p = start
    var cured = false
    repeat {
      let a = prev(p), q = next(p)
      let b = next(q)
      if !same(a, b) && intersects(a, p, q, b, touching: false) && locallyInside(a, b) && locallyInside(b, a) {
        emit(a, p, b)
        unlink(p)
        unlink(q)
        p = b
        start = b
        cured = true
      }
      p = next(p)
    } while p != start
    return cured ? filter(p) : p
  }

  /// Splits what is left by the first diagonal that is valid, and leaves both halves to be clipped.
  private mutating func splitOnce(_ start: Int) {
    var a = start
    repeat {
      var b = next(next(a))
      while b != prev(a) {
        if work >= Triangulator.maxWork { return }
        work &+= 1
        if nodes[a].point != nodes[b].point && isDiagonal(a, b) {
          let c = split(a, b)
          pending.append(Int32(filter(c, next(c))))
          pending.append(Int32(filter(a, next(a))))
          return
        }
        b = next(b)
      }
      a = next(a)
    } while a != start
  }
}
