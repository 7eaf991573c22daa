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
    reflex.build(nodes, start)
    var ear = start
    var stop = start
    while nodes[ear].prev != nodes[ear].next {
      let after = next(ear)
      if nodes[ear].slot < 0 && (reflex.isEmpty || !reflex.blocks(EarTest(nodes, ear))) {
        let before = prev(ear)
        emit(before, ear, after)
        nodes[before].next = Int32(truncatingIfNeeded: after)
        nodes[after].prev = Int32(truncatingIfNeeded: before)
        reflex.update(nodes, before, isReflex: corner(before) >= 0)
        reflex.update(nodes, after, isReflex: corner(after) >= 0)
        if reflex.isStale { reflex.build(nodes, after) }
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
