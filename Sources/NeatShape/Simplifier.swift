import NeatBase

// Douglas-Peucker behind a pass that drops places too near to the one before (simplify-js, as Turf has it):
// the places that stay are Turf's to the last bit. There is no recursion: a stack of ranges and a byte a
// place.

/// What stays of a line: the indices of its vertices in their order.
package struct Simplifier: ~Copyable {
  private let tolerance: Double
  private let isHighQuality: Bool
  /// The places that Douglas and Peucker look at, and what they are of the line.
  private var points: GrowingBuffer<LonLat>
  private var indices: GrowingBuffer<UInt32>
  private var kept: GrowingBuffer<Bool>
  private var stack: [(Int, Int)] = []

  /// Looks per place before ranges are halved instead of split where they are farthest off, which bounds the
  /// time of lines made so that every split takes off one place; coastlines take 20 to 40.
  package static let looks = 400

  private init(tolerance: Double, isHighQuality: Bool, capacity: Int) {
    self.tolerance = tolerance
    self.isHighQuality = isHighQuality
    points = GrowingBuffer(capacity: isHighQuality ? 0 : min(capacity, 1024))
    indices = GrowingBuffer(capacity: isHighQuality ? 0 : min(capacity, 1024))
    kept = GrowingBuffer(capacity: min(capacity, 1024))
  }

  /// The vertices of a line that stay. `tolerance` is in degrees, 0 or more.
  package static func line(
    _ line: UnsafeBufferPointer<LonLat>, tolerance: Double, isHighQuality: Bool, looks: Int = looks
  ) -> [UInt32] {
    guard line.count > 2 else { return everything(line) }
    var simplifier = Simplifier(
      tolerance: tolerance, isHighQuality: isHighQuality, capacity: line.count)
    return simplifier.run(line, tolerance: tolerance, looks: looks)
  }

  private static func everything(_ line: UnsafeBufferPointer<LonLat>) -> [UInt32] {
    (0..<line.count).map { UInt32(truncatingIfNeeded: $0) }
  }

  private mutating func run(_ line: UnsafeBufferPointer<LonLat>, tolerance: Double, looks: Int) -> [UInt32] {
    let squared = tolerance * tolerance
    if isHighQuality { return mark(line, squared, looks) { UInt32(truncatingIfNeeded: $0) } }
    thin(line, squared)
    // Borrowed apart from self, which marks.
    let indices = self.indices.base
    return mark(points.buffer, squared, looks) { indices[$0] }
  }

  // MARK: Places that are too near

  private mutating func thin(_ line: UnsafeBufferPointer<LonLat>, _ squared: Double) {
    points.removeAll()
    indices.removeAll()
    var previous = line[0]
    points.append(previous)
    indices.append(0)
    for index in 1..<line.count {
      let point = line[index]
      let (dx, dy) = (point.lon - previous.lon, point.lat - previous.lat)
      guard dx * dx + dy * dy > squared else { continue }
      points.append(point)
      indices.append(UInt32(truncatingIfNeeded: index))
      previous = point
    }
    if previous != line[line.count - 1] {
      points.append(line[line.count - 1])
      indices.append(UInt32(truncatingIfNeeded: line.count - 1))
    }
  }

  // MARK: Douglas and Peucker

  private mutating func mark(
    _ line: UnsafeBufferPointer<LonLat>, _ squared: Double, _ looks: Int, _ index: (Int) -> UInt32
  ) -> [UInt32] {
    guard line.count > 2 else { return (0..<line.count).map(index) }
    let kept = self.kept.overwrite(line.count)
    kept.initialize(repeating: false, count: line.count)
    kept[0] = true
    kept[line.count - 1] = true
    var count = 2
    var budget = line.count.multipliedReportingOverflow(by: looks).partialValue
    stack.removeAll(keepingCapacity: true)
    stack.append((0, line.count - 1))
    while let (first, last) = stack.popLast() {
      budget -= last - first
      guard case (let distance, var split) = Simplifier.farthest(line, first, last), distance > squared else {
        continue
      }
      if budget < 0 { split = (first + last) / 2 }
      assert(first < split && split < last, "a range is split between its ends")
      kept[split] = true
      count += 1
      if split - first > 1 { stack.append((first, split)) }
      if last - split > 1 { stack.append((split, last)) }
    }
    return [UInt32](unsafeUninitializedCapacity: count) { result, used in
      for place in 0..<line.count where kept[place] {
        result[used] = index(place)
        used += 1
      }
    }
  }

  /// The first of the places farthest from the segment between the ends of a range, and the square of how far
  /// it lies off: at least 0, and -1 where the range has nothing between its ends.
  private static func farthest(_ line: UnsafeBufferPointer<LonLat>, _ first: Int, _ last: Int) -> (
    Double, Int
  ) {
    let points = line.baseAddress!
    let (a, b) = (points[first], points[last])
    let (dx, dy) = (b.lon - a.lon, b.lat - a.lat)
    let squared = dx * dx + dy * dy
    let isPlace = dx == 0 && dy == 0
    var (farthest, found) = (-1.0, first)
    var index = first &+ 1
    while index < last {
      let point = points[index]
      var (x, y) = (a.lon, a.lat)
      if !isPlace {
        let t = ((point.lon - x) * dx + (point.lat - y) * dy) / squared
        if t > 1 {
          (x, y) = (b.lon, b.lat)
        } else if t > 0 {
          x += dx * t
          y += dy * t
        }
      }
      let (ex, ey) = (point.lon - x, point.lat - y)
      let distance = ex * ex + ey * ey
      if distance > farthest {
        farthest = distance
        found = index
      }
      index &+= 1
    }
    return (farthest, found)
  }
}

// MARK: Rings

extension Simplifier {
  /// Tolerances are tried down to this part of a ring's size.
  private static let finest = 1e-9

  /// The vertices of a ring that stay, closed: 0 stands at the end of the ring again where the ring itself
  /// does not. Where the tolerance leaves no triangle it is lowered by hundredths until one is left, as Turf
  /// does. A ring that has none even at a thousand-millionth of its size, and one of three places or fewer,
  /// stays as it is.
  package static func ring(
    _ ring: UnsafeBufferPointer<LonLat>, tolerance: Double, isHighQuality: Bool, looks: Int = looks
  ) -> [UInt32] {
    guard ring.count > 3 else { return everything(ring) }
    var simplifier = Simplifier(tolerance: tolerance, isHighQuality: isHighQuality, capacity: ring.count)
    guard let fitting = simplifier.fitting(ring, tolerance: tolerance) else { return everything(ring) }
    var result = simplifier.run(ring, tolerance: fitting, looks: looks)
    if ring[Int(result[result.count - 1])] != ring[0] { result.append(0) }
    return result
  }

  /// The first of the tolerances that leaves a triangle, without simplifying for each.
  private mutating func fitting(_ ring: UnsafeBufferPointer<LonLat>, tolerance: Double) -> Double? {
    var tolerance = tolerance
    if isHighQuality {
      let needed = Simplifier.triangle(ring)
      guard needed > 0 else { return nil }
      while tolerance * tolerance >= needed { tolerance -= tolerance * 0.01 }
      return tolerance
    }
    // While all places are too near to the first, none stays.
    let size = Simplifier.reach(ring)
    guard size > 0 else { return nil }
    while tolerance * tolerance >= size { tolerance -= tolerance * 0.01 }
    repeat {
      let squared = tolerance * tolerance
      thin(ring, squared)
      if squared < Simplifier.triangle(points.buffer) { return tolerance }
      tolerance -= tolerance * 0.01
    } while tolerance * tolerance > size * Simplifier.finest * Simplifier.finest
    return nil
  }

  /// The square of the tolerance below which Douglas and Peucker leave a triangle: a closed ring must be split
  /// twice, an open one once. At most 0 where no tolerance does.
  private static func triangle(_ ring: UnsafeBufferPointer<LonLat>) -> Double {
    guard ring.count > 2 else { return -1 }
    let last = ring.count - 1
    let (distance, split) = farthest(ring, 0, last)
    guard ring[0] == ring[last] else { return distance }
    return min(distance, max(farthest(ring, 0, split).0, farthest(ring, split, last).0))
  }

  /// The square of the distance of the place farthest from the first.
  private static func reach(_ ring: UnsafeBufferPointer<LonLat>) -> Double {
    var result = 0.0
    for point in ring {
      let (dx, dy) = (point.lon - ring[0].lon, point.lat - ring[0].lat)
      result = max(result, dx * dx + dy * dy)
    }
    return result
  }
}
