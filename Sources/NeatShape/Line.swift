import NeatBase

/// A line through places, in the caller's memory. Its functions read it once unless they say otherwise, and
/// take nothing for granted of its numbers.
package struct Line {
  package let points: UnsafeBufferPointer<LonLat>

  package init(_ points: UnsafeBufferPointer<LonLat>) { self.points = points }

  package var count: Int { points.count }

  /// Metres.
  package var length: Double { length(through: count - 1) }

  /// Metres from the start to a vertex.
  package func length(through last: Int) -> Double {
    guard last > 0 else { return 0 }
    var sum = 0.0
    var previous = GlobePoint(points[0])
    for index in 1...last {
      let next = GlobePoint(points[index])
      sum += Globe.distance(previous, next)
      previous = next
    }
    return sum
  }
}

/// A place on a line.
package struct LinePlace: BitwiseCopyable {
  package var point: LonLat
  /// The vertex that it is, or that begins its segment.
  package var index: Int
  /// Metres from the start, along the line.
  package var along: Double
  /// Metres from the place that was asked about.
  package var distance: Double = 0
}

extension Line {
  /// The place at a distance along the line: its start for distances below 0, its end for those past it; nil
  /// for a line without points.
  package func place(at distance: Double) -> LinePlace? {
    guard let first = points.first else { return nil }
    guard distance > 0 else { return LinePlace(point: first, index: 0, along: 0) }
    var traveled = 0.0
    var previous = GlobePoint(first)
    for index in 1..<max(1, count) {
      let next = GlobePoint(points[index])
      traveled += Globe.distance(previous, next)
      if traveled >= distance { return place(at: distance, before: index, traveled) }
      previous = next
    }
    return end(traveled)
  }

  /// As `place(at:)`, for many distances in any order: the line is measured once.
  package func places(at distances: UnsafeBufferPointer<Double>, _ body: (Int, LinePlace) -> Void) {
    guard let first = points.first else { return }
    var lengths = GrowingBuffer<Double>(capacity: count)
    lengths.appendReserved(0)
    var previous = GlobePoint(first)
    for index in 1..<max(1, count) {
      let next = GlobePoint(points[index])
      lengths.appendReserved(lengths[index - 1] + Globe.distance(previous, next))
      previous = next
    }
    for (number, distance) in distances.enumerated() {
      guard distance > 0 else {
        body(number, LinePlace(point: first, index: 0, along: 0))
        continue
      }
      // The first vertex that is at least as far.
      var (low, high) = (0, count)
      while low < high {
        let middle = (low + high) / 2
        if lengths[middle] >= distance { high = middle } else { low = middle + 1 }
      }
      body(number, low < count ? place(at: distance, before: low, lengths[low]) : end(lengths[count - 1]))
    }
  }

  private func end(_ length: Double) -> LinePlace {
    LinePlace(point: points[count - 1], index: count - 1, along: length)
  }

  /// The place at a distance that the vertex `index`, at `traveled`, is the first to reach.
  private func place(at distance: Double, before index: Int, _ traveled: Double) -> LinePlace {
    guard traveled > distance else { return LinePlace(point: points[index], index: index, along: traveled) }
    return LinePlace(
      point: back(from: index, by: traveled - distance), index: index - 1, along: distance)
  }

  /// The place some metres before a vertex, on the great circle to the vertex before.
  func back(from index: Int, by distance: Double) -> LonLat {
    Globe.destination(
      points[index], distance: distance, direction: Globe.direction(points[index], points[index - 1]))
  }
}
