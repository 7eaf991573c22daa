import NeatBase

/// Polygons in the caller's memory: places, where rings begin among them, and where polygons begin among the
/// rings, each list with its end behind it. The first ring of a polygon is its outer one, the others are
/// holes.
package struct Polygons {
  package let points: UnsafeBufferPointer<LonLat>
  private let ringStarts: UnsafePointer<UInt32>?
  private let polygonStarts: UnsafePointer<UInt32>?
  private let ringCount: Int
  package let count: Int

  /// `ringStarts` nil: one ring of all places; `polygonStarts` nil: one polygon of all rings. Throws where
  /// starts fall or do not end with what they count.
  package init(
    _ points: UnsafeBufferPointer<LonLat>, ringStarts: UnsafePointer<UInt32>?, ringCount: Int,
    polygonStarts: UnsafePointer<UInt32>?, polygonCount: Int
  ) throws(NeatError) {
    self.points = points
    self.ringStarts = ringStarts
    self.polygonStarts = polygonStarts
    self.ringCount = ringStarts == nil ? (points.isEmpty ? 0 : 1) : ringCount
    count = polygonStarts == nil ? (self.ringCount == 0 ? 0 : 1) : polygonCount
    if let ringStarts { try Polygons.check(ringStarts, ringCount, points.count, "ring_starts") }
    if let polygonStarts { try Polygons.check(polygonStarts, count, self.ringCount, "polygon_starts") }
  }

  private static func check(_ starts: UnsafePointer<UInt32>, _ count: Int, _ end: Int, _ name: String)
    throws(NeatError)
  {
    guard starts[0] == 0, Int(starts[count]) == end else {
      throw NeatError(.invalidArgument, "\(name) must begin with 0 and end with \(end)")
    }
    for index in 0..<count where starts[index] > starts[index + 1] {
      throw NeatError(
        .invalidArgument, "\(name) falls from \(starts[index]) to \(starts[index + 1]) at \(index)")
    }
  }

  package func rings(of polygon: Int) -> Range<Int> {
    guard let polygonStarts else { return 0..<ringCount }
    return Int(polygonStarts[polygon])..<Int(polygonStarts[polygon + 1])
  }

  package func ring(_ index: Int) -> Ring {
    guard let ringStarts else { return Ring(points) }
    return Ring(
      UnsafeBufferPointer(rebasing: points[Int(ringStarts[index])..<Int(ringStarts[index + 1])]))
  }

  /// Square metres: outer rings without their holes, however they are wound.
  package var area: Double {
    var sum = 0.0
    for polygon in 0..<count {
      for ring in rings(of: polygon) {
        let area = abs(self.ring(ring).area)
        sum += ring == rings(of: polygon).lowerBound ? area : -area
      }
    }
    return sum
  }

  /// Whether a place lies in a polygon and in none of its holes; on an edge of either it does, unless
  /// boundaries are ignored.
  package func contains(_ place: LonLat, ignoresBoundary: Bool) -> Bool {
    (0..<count).contains { polygon in
      Polygons.contains(rings(of: polygon), ignoresBoundary) { ring($0).containment(of: place) }
    }
  }

  /// By what a place is to the rings of one polygon.
  static func contains(
    _ rings: Range<Int>, _ ignoresBoundary: Bool, _ containment: (Int) -> Containment
  ) -> Bool {
    guard let outer = rings.first else { return false }
    switch containment(outer) {
    case .outside: return false
    case .boundary: if ignoresBoundary { return false }
    case .inside: break
    }
    for hole in rings.dropFirst() {
      switch containment(hole) {
      case .inside: return false
      case .boundary: if ignoresBoundary { return false }
      case .outside: break
      }
    }
    return true
  }
}
