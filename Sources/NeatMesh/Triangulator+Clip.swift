import NeatBase

extension Triangulator {
  /// Clips a polygon, and whatever it has to be split into. Given the count of corners, its reflex corners
  /// are those of the set.
  mutating func clipAll(from start: Int, corners: Int? = nil) {
    var left = clip(start, corners: corners)
    if left < 0 { return }
    pending.removeAll(keepingCapacity: true)
    while true {
      left = clip(filter(left))
      if left >= 0 { left = clip(cureLocalIntersections(filter(left))) }
      if left >= 0 { splitOnce(left) }
      repeat {
        guard let start = pending.popLast(), work < Triangulator.maxWork else { return }
        left = clip(Int(start))
      } while left < 0
    }
  }

  /// Clips ears until none is left; returns a corner of what remains, or -1 where nothing does.
  private mutating func clip(_ start: Int, corners known: Int? = nil) -> Int {
    // The reflex corners of this ring; those of others do not matter.
    let corners = known ?? reflex.build(nodes, start, limit: nodeCount)
    reserveOutput(3 * corners)
    let nodes = nodes
    var ear = nodes + start
    var stop = ear
    var before = nodes + Int(ear.pointee.prev)
    var after = nodes + Int(ear.pointee.next)
    while before != after {
      let beyond = nodes + Int(after.pointee.next)
      if isEar(ear, before, after) {
        emit(before.pointee.point, ear.pointee.point, after.pointee.point)
        before.pointee.next = ear.pointee.next
        after.pointee.prev = ear.pointee.prev
        let behind = nodes + Int(before.pointee.prev)
        let b = SIMD2(before.pointee.x, before.pointee.y), a = SIMD2(after.pointee.x, after.pointee.y)
        let side = a - b
        let inner = b - SIMD2(behind.pointee.x, behind.pointee.y),
          outer = SIMD2(beyond.pointee.x, beyond.pointee.y) - a
        reflex.update(nodes, before, isReflex: inner.y * side.x - inner.x * side.y >= 0)
        reflex.update(nodes, after, isReflex: side.y * outer.x - side.x * outer.y >= 0)
        if reflex.isStale { _ = reflex.build(nodes, after - nodes, limit: nodeCount) }
        ear = after
        stop = after
        after = beyond
        continue
      }
      before = ear
      ear = after
      after = beyond
      if ear == stop { return ear - nodes }
      work &+= 1
    }
    return -1
  }

  /// Whether a corner is convex and no reflex one lies in its triangle.
  @inline(__always)
  private mutating func isEar(
    _ corner: UnsafeMutablePointer<EarNode>, _ before: UnsafeMutablePointer<EarNode>,
    _ after: UnsafeMutablePointer<EarNode>
  ) -> Bool {
    let slot = corner.pointee.slot
    if slot >= 0 { return false }
    if reflex.count == 0 { return true }
    let known = slot == ReflexSet.out ? -1 : ReflexSet.blocker(slot)
    let mayBlock = known >= 0 && nodes[Int(known)].slot >= 0
    if mayBlock && ReflexSet.isFresh(slot) { return false }
    let test = EarTest(nodes, corner, before, after)
    let blocker = mayBlock && test.isBlocked(byAny: known) ? known : reflex.blocker(test)
    if blocker < 0 { return true }
    corner.pointee.slot = ReflexSet.blocked(by: blocker)
    return false
  }

  /// Cuts off triangles at edges that cross the next but one.
  private mutating func cureLocalIntersections(_ start: Int) -> Int {
    var start = start
    var p = start
    var cured = false
    repeat {
      let a = prev(p), q = next(p)
      let b = next(q)
      if !same(a, b) && intersects(a, p, q, b, touching: false) && locallyInside(a, b) && locallyInside(b, a)
      {
        reserveOutput(3)
        emit(nodes[a].point, nodes[p].point, nodes[b].point)
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
