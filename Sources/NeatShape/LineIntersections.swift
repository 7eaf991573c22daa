import NeatBase

extension Line {
  /// Where two lines cross, each place once, in the order of this line; where they only touch is left out, as
  /// `Segment.intersection` says. Throws `limitExceeded` past `limit` places, and `outOfMemory`.
  ///
  /// Each segment of this line meets those of the other whose boxes it does, found through a tree of boxes:
  /// time goes with n log m and what is found. Lines whose segments' boxes all meet take n·m.
  package func intersections(with other: Line, limit: Int = .max) throws(NeatError) -> [LonLat] {
    guard count > 1, other.count > 1 else { return [] }
    var result: [LonLat] = []
    var seen: Set<LonLat> = []
    let tree = SegmentTree(other)
    var found: [(point: LonLat, along: Double)] = []
    var next = 1 << 16
    for index in 1..<count {
      let segment = Segment(points[index - 1], points[index])
      found.removeAll(keepingCapacity: true)
      tree.forEach(meeting: Bounds(segment.a, segment.b)) { other in
        if let place = segment.intersection(other) { found.append(place) }
        return found.count <= limit
      }
      if found.count > 1 { found.sort { $0.along < $1.along } }
      for place in found where seen.insert(place.point).inserted {
        guard result.count < limit else {
          throw NeatError(.limitExceeded, "the lines cross in more than \(limit) places")
        }
        // The list and the set grow by doubling, both with their old memory at hand.
        if result.count == next {
          try ProcessMemory.require(128 * next, for: "\(2 * next) places where lines cross")
          next *= 2
        }
        result.append(place.point)
      }
    }
    return result
  }
}

/// Boxes around the segments of a line, eight to a box of the next level, so that those which meet a box are
/// found without looking at the others.
struct SegmentTree: ~Copyable {
  private static let fan = 8

  private let line: Line
  private var boxes: GrowingBuffer<Bounds>
  /// Where each level begins in `boxes`, the boxes of eight segments first; the last has one box.
  private var starts: [Int] = []

  /// Of a line of two points or more.
  init(_ line: Line) {
    self.line = line
    let segments = line.count - 1
    boxes = GrowingBuffer(capacity: segments / 7 + 24)
    starts.append(0)
    for start in stride(from: 0, to: segments, by: SegmentTree.fan) {
      let end = min(start + SegmentTree.fan, segments)
      var bounds = Bounds(line.points[start], line.points[start + 1])
      for index in start + 1..<max(end, start + 1) {
        bounds.formUnion(Bounds(line.points[index], line.points[index + 1]))
      }
      boxes.append(bounds)
    }
    while boxes.count - starts[starts.count - 1] > 1 {
      let (from, to) = (starts[starts.count - 1], boxes.count)
      starts.append(to)
      for start in stride(from: from, to: to, by: SegmentTree.fan) {
        var bounds = boxes[start]
        for index in start..<min(start + SegmentTree.fan, to) { bounds.formUnion(boxes[index]) }
        boxes.append(bounds)
      }
    }
  }

  /// The segments whose boxes meet one, in their order, until the body says that it has enough.
  func forEach(meeting bounds: Bounds, _ body: (Segment) -> Bool) {
    _ = visit(level: starts.count - 1, 0, bounds, body)
  }

  /// As deep as there are levels: 11 for 2^31 segments.
  private func visit(level: Int, _ index: Int, _ bounds: Bounds, _ body: (Segment) -> Bool) -> Bool {
    guard boxes[starts[level] + index].meets(bounds) else { return true }
    let first = index * SegmentTree.fan
    if level == 0 {
      for index in first..<min(first + SegmentTree.fan, line.count - 1) {
        let segment = Segment(line.points[index], line.points[index + 1])
        if Bounds(segment.a, segment.b).meets(bounds), !body(segment) { return false }
      }
      return true
    }
    let count = starts[level] - starts[level - 1]
    for child in first..<min(first + SegmentTree.fan, count) {
      if !visit(level: level - 1, child, bounds, body) { return false }
    }
    return true
  }
}
