import NeatBase

// A static k-d tree over points in single precision, stored as a permutation of the points: the middle of a
// range splits it by x or y in turn, and ranges of up to 64 points are leaves. The order in which a search
// reports its points is part of the result (clusters list them so); selection and traversal are therefore
// those of mapbox/kdbush 4, with Floyd and Rivest's SELECT (CACM 489).

final class KDTree: Sendable {
  static let leafSize = 64

  let count: Int
  /// The point at each place of the permutation, and its number.
  private nonisolated(unsafe) let points: UnsafeMutablePointer<Float>
  private nonisolated(unsafe) let ids: UnsafeMutablePointer<UInt32>

  init(_ source: UnsafePointer<SIMD2<Float>>, count: Int) {
    self.count = count
    points = .allocate(capacity: max(1, 2 * count))
    ids = .allocate(capacity: max(1, count))
    for index in 0..<count {
      points[2 * index] = source[index].x
      points[2 * index + 1] = source[index].y
      ids[index] = UInt32(index)
    }
    sort()
  }

  deinit {
    points.deallocate()
    ids.deallocate()
  }

  /// Calls `body` with the number of each point inside the box, edges included.
  @inline(__always) func range(
    _ minX: Double, _ minY: Double, _ maxX: Double, _ maxY: Double, _ body: (Int) -> Void
  ) {
    search(minX, minY, maxX, maxY) { x, y, id in
      if x >= minX && x <= maxX && y >= minY && y <= maxY { body(id) }
    }
  }

  /// Calls `body` with the number of each point at most `radius` from a place.
  @inline(__always) func within(_ x: Double, _ y: Double, radius: Double, _ body: (Int) -> Void) {
    let squared = radius * radius
    search(x - radius, y - radius, x + radius, y + radius) { px, py, id in
      let dx = px - x, dy = py - y
      if dx * dx + dy * dy <= squared { body(id) }
    }
  }

  @inline(__always)
  private func search(
    _ minX: Double, _ minY: Double, _ maxX: Double, _ maxY: Double, _ body: (Double, Double, Int) -> Void
  ) {
    guard count > 0 else { return }
    // Each step pops one range and pushes at most two of half its size: 64 entries are enough for 2^32
    // points.
    withUnsafeTemporaryAllocation(of: SIMD4<Int32>.self, capacity: 72) { stack in
      stack[0] = SIMD4(0, Int32(count - 1), 0, 0)
      var top = 1
      while top > 0 {
        top -= 1
        let left = Int(stack[top].x), right = Int(stack[top].y)
        let axis = stack[top].z
        if right - left <= KDTree.leafSize {
          var at = left
          while at <= right {
            body(Double(points[2 * at]), Double(points[2 * at + 1]), Int(ids[at]))
            at += 1
          }
          continue
        }
        assert(top + 2 <= stack.count, "a tree deeper than its points allow")
        let middle = (left + right) >> 1
        let x = Double(points[2 * middle]), y = Double(points[2 * middle + 1])
        body(x, y, Int(ids[middle]))
        if axis == 0 ? minX <= x : minY <= y {
          stack[top] = SIMD4(Int32(left), Int32(middle - 1), 1 - axis, 0)
          top += 1
        }
        if axis == 0 ? maxX >= x : maxY >= y {
          stack[top] = SIMD4(Int32(middle + 1), Int32(right), 1 - axis, 0)
          top += 1
        }
      }
    }
  }

  private func sort() {
    var stack: [(Int, Int, Int)] = [(0, count - 1, 0)]
    while let (left, right, axis) = stack.popLast() {
      if right - left <= KDTree.leafSize { continue }
      let middle = (left + right) >> 1
      select(middle, left, right, axis)
      stack.append((middle + 1, right, 1 - axis))
      stack.append((left, middle - 1, 1 - axis))
    }
  }

  @inline(__always) private func exchange(_ a: Int, _ b: Int) {
    let id = ids[a]
    ids[a] = ids[b]
    ids[b] = id
    let x = points[2 * a], y = points[2 * a + 1]
    points[2 * a] = points[2 * b]
    points[2 * a + 1] = points[2 * b + 1]
    points[2 * b] = x
    points[2 * b + 1] = y
  }

  /// Moves the point that belongs at place `k` of `first...last` there, smaller ones before it and larger
  /// ones behind it.
  private func select(_ k: Int, _ first: Int, _ last: Int, _ axis: Int) {
    assert(first <= k && k <= last && last < count, "a place outside of its range")
    var left = first, right = last
    while right > left {
      if right - left > 600 {
        let n = Double(right - left + 1), m = Double(k - left + 1)
        let z = log(n)
        let s = 0.5 * exp(2 * z / 3)
        let sd = 0.5 * (z * s * (n - s) / n).squareRoot() * (m - n / 2 < 0 ? -1 : 1)
        let newLeft = max(left, Int(bounded: (Double(k) - m * s / n + sd).rounded(.down)))
        let newRight = min(right, Int(bounded: (Double(k) + (n - m) * s / n + sd).rounded(.down)))
        select(k, newLeft, newRight, axis)
      }
      let pivot = points[2 * k + axis]
      var i = left, j = right
      exchange(left, k)
      if points[2 * right + axis] > pivot { exchange(left, right) }
      while i < j {
        exchange(i, j)
        i += 1
        j -= 1
        while points[2 * i + axis] < pivot { i += 1 }
        while points[2 * j + axis] > pivot { j -= 1 }
      }
      if points[2 * left + axis] == pivot {
        exchange(left, j)
      } else {
        j += 1
        exchange(j, right)
      }
      if j <= k { left = j + 1 }
      if k <= j { right = j - 1 }
    }
  }
}
